static int sign(int n) { return n > 0 ? 1 : n < 0 ? -1 : 0; }
int main(void)
{
	int a = sign(5), b = sign(-3), c = sign(0), d;
	d = a && b ? (c || a) : 7;
	a = (b++, b + c);
	return a + d - 1;
}
