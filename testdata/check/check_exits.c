/* R1, for xstep check levels, at clang 15's -O2: the return is there twice, each with a row of its own in
 * one block, and gdb 13 and lldb 15 set a breakpoint on it at the first alone. The program takes the
 * other, where their line steps stop.
 * end: main returned; exited with status 0
 * functions: main
 */
unsigned inner, outer;
static int table[1][2] = {{0, 1}};

int main(void)
{
	for (; outer < 1; outer++)
		for (; inner < 1; inner++)
			table[inner][outer + 1] = 0;
	return 0;
}
