/* Debug² snippet 9 (gcc 95077), BI: a loop of main counts as the function that was inlined before it. */
#include <stdio.h>
static int last, shown, turns, rest;
static void fill(void)
{
	int step = 0;
	for (; step < 56; step++)
		last = step;
}
int main(void)
{
	int inner;
	fill();
	turns = 0;
	for (; turns != 38; turns = turns + 1)
		rest = 0;
	for (; rest < 3; rest++)
		for (inner = 0; inner < 4; inner++) /* @loop */
			printf("%d", shown);
}
