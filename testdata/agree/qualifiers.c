const int fixed = 9; volatile int seen;
int main(void)
{
	const long local = fixed + 1;
	volatile short v = 3;
	const volatile int both = 2;
	seen = v + both + (int)local;
	v = (short)seen;
	return v != 15;
}
