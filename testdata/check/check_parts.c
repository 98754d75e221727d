/* LI, for xstep check opt: a statement on several lines, whose code gcc 12 gives to other lines at -Og
 * than at -O0. The test of `left` is on the line of the condition, without optimisation on the next one.
 * What is executed whenever the statement is does not count, and is set aside.
 * end: main returned; exited with status 0
 * functions: main shift
 */
volatile int input = -1;
volatile int sink;

static __attribute__((noinline)) int shift(int left, int right)
{
	sink++;
	return
		((left < 0) || (right >= 32)) ?
		left :
		(left >> right);
}

int main(void)
{
	sink = shift(input, 3);
	return 0;
}
