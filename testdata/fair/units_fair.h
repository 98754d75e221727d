static inline int plus(int v)
{
	int t = v * 3;
	return t + 1;
}
