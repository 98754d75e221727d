/* PI, for xstep check opt: no violation. With -DPASS=pass(), `tag` is seen in the midst of a line, behind an
 * inlined call; else line steps pass that by. What the parameter has within a line that changes it nobody
 * can say who steps by line.
 * end: main returned; exited with status 0
 * functions: main note
 */
#ifndef PASS
#define PASS sink = 7
#endif
volatile int sink;

static inline __attribute__((always_inline)) void pass(void)
{
	sink = 7;
}

static void note(int tag)
{
	pass();
	tag = 150, PASS, tag = 1;
	sink = tag;
}

int main(void)
{
	note(5);
	return 0;
}
