/* Debug² snippet 4, SI: variables of main are listed on the line of another function. */
#include <stdio.h>
static int kept[1];
int less(int from, int by) { return (from & (from ^ 7) - by) < 0 ? 0 : from - by; } /* @other */
short same(short value) { return value; }
static int *run(void)
{
	short left = 6;
	for (; left > 0; left = less(left, 2))
		same(left);
	*kept = left;
	return kept;
}
int main(void)
{
	int one, two, three, hash = 0;
	run();
	printf("%X\n", hash);
}
