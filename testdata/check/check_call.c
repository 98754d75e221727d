/* C1, for xstep check avail: clang 15 from -O1 on loses `copy`, which is passed to elsewhere(); gcc 12 at
 * -O2 does not.
 * end: main returned; exited with status 0
 * functions: main pass
 */
extern void elsewhere(int, ...); /* nobody can look into that: */
__asm__(".pushsection .text\n.globl elsewhere\n.type elsewhere, @function\nelsewhere: ret\n.popsection");

static short level = 4;

static void pass(int scale)
{
	int copy, two = 2, nine = 9,
		which = ((copy = level) == 0) & scale;
	elsewhere(copy, two, nine, which);
}

int main(void)
{
	pass(level);
	level = 0;
	return 0;
}
