/* Two functions with the same code become one. What `second` is called with is shown as what `first` has.
 * case: gcc-12 -O2 opt | PI lie producer:foreign-value | -fipa-icf | -fno-ipa-icf
 */
volatile int in = 0, out;

__attribute__((noinline)) static void first(int n)
{
	out = n;
	out = n * 3;
}

__attribute__((noinline)) static void second(int n)
{
	out = n;
	out = n * 3;
}

int main(void)
{
	first(in + 1);
	second(in + 2);
	if (in)
		first(in + 3);
	return 0;
}
