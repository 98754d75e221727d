/* gcc shows the parameter of an inlined call that is never executed.
 *
 * wrong:     gcc
 * rule:      PI lie producer:foreign-value
 * basis:     evidence
 * build:     gcc-12 -g -O0 -o gcc_merged_calls.O0 gcc_merged_calls.c
 * build:     gcc-12 -g -O2 -o gcc_merged_calls gcc_merged_calls.c
 * xstep:     xstep check opt gcc_merged_calls.O0 gcc_merged_calls
 * $ gdb -nx -q -batch -ex 'break *main+12' -ex run -ex 'print tag' -ex 'print value' \
 *       gcc_merged_calls
 * > $1 = 2
 * > $2 = 3
 * $ gdb -nx -q -batch -ex 'break note' -ex run -ex 'print tag' -ex 'print value' \
 *       gcc_merged_calls.O0
 * > $1 = 1
 * > $2 = 3
 * actual:    `tag` is 2: the code of both calls is one, and is described as that of the second.
 * expected:  1: `number` is 3, so that note(1, number) is called.
 * versions:  gcc 11.3, 12.2: so.
 * known:     -
 */
volatile int input = 3, sink;

static inline void note(int tag, int value)
{
	sink = value;
	sink = value + 1;
}

int main(void)
{
	int number = input;
	if (number < 100)
		note(1, number);
	else
		note(2, number);
	return 0;
}
