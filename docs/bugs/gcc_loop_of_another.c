/* gcc counts a loop of main as code of a function that was inlined before it.
 *
 * wrong:     gcc
 * rule:      BI lie producer:foreign-frame
 * basis:     evidence
 * build:     gcc-12 -g -O0 -o gcc_loop_of_another.O0 gcc_loop_of_another.c
 * build:     gcc-12 -g -O1 -o gcc_loop_of_another gcc_loop_of_another.c
 * xstep:     xstep check opt --witness xstep gcc_loop_of_another.O0 gcc_loop_of_another
 * $ gdb -nx -q -batch -ex 'break *main+75' -ex run -ex 'info frame' gcc_loop_of_another
 * > fill () at
 * > for (inner = 0; inner < 4; inner++)
 * > inlined into frame 1
 * actual:    On the line of main's inner loop the frame is that of fill().
 * expected:  main: fill() has no such line.
 * versions:  gcc 11.3, 12.2: so.
 * known:     Debug2 snippet 9, gcc 95077
 */
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
		for (inner = 0; inner < 4; inner++)
			printf("%d", shown);
}
