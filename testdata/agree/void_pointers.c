static void put(void *to, const void *from, unsigned size)
{
	unsigned char *out = to;
	const unsigned char *in = from;
	while (size--)
		*out++ = *in++;
}
int main(void)
{
	double d = 2.5, copy = 0;
	put(&copy, &d, sizeof d);
	return copy != d;
}
