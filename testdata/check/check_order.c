/* R2, for xstep check levels: gdb 13 on gcc 12's code steps on line 14 before it steps on line 13, whose
 * first instruction is executed first: the loop is entered in the midst of the line. lldb 15 does not.
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
