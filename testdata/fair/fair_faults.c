/* fair_faults.c - a number that depends on where a program is stopped, and is the same in each rerun: how often its
 * pages were touched. In a location that lldb 15 does not read. */
#include <sys/resource.h>

static volatile double sink;

int main(void)
{
	struct rusage used;
	if (getrusage(RUSAGE_SELF, &used))
		return 1;
	double part = (double)used.ru_minflt / 3;
	sink = (double)(used.ru_minflt & 1);
	return sink < 0;
}
