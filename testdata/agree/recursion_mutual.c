static int odd(unsigned n);
static int even(unsigned n) { return n ? odd(n - 1) : 1; }
static int odd(unsigned n) { return n ? even(n - 1) : 0; }
int main(void)
{
	int a = even(4), b = odd(3);
	return a + b - 2;
}
