/* C3, for xstep check avail: no violation, even if cli/check_test.py makes the block of `late` begin at
 * LATE_BEGINS in the DWARF, so that it is shown on the line of `round++` and not before: by then
 * it was assigned again, further down in the loop.
 * end: main returned; exited with status 0
 * functions: main
 */
#ifndef LATE_BEGINS
#define LATE_BEGINS
#endif
volatile int sink, more = 2;

int main(void)
{
	int round;
	{
		int late = more + 1;
		for (round = 0;
			round < 2;
			round++) {
			sink = 1;
			LATE_BEGINS;
			late = round;
			sink = late;
		}
	}
	return 0;
}
