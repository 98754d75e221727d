/* C3, for xstep check avail: nothing is wrong with it as it is. cli/check_test.py makes the block of `late`
 * begin at the label late_begins in the DWARF: it is then shown further down, and not where it was just
 * assigned.
 * end: main returned; exited with status 0
 * functions: main
 */
volatile int sink, more = 2;

int main(void)
{
	sink = 0;
	{
		int late = more + 1;
		sink = 1;
		sink = 2;
		__asm__("late_begins:");
		sink = late;
		sink = 3;
	}
	return 0;
}
