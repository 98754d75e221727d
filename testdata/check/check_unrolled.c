/* C2, for xstep check avail: a loop variable, and an inlined call behind the loop (the shape of gcc bug
 * 105249). No compiler at hand loses `i`: no violation.
 * end: main returned; exited with status 0
 * functions: main copy leave
 */
volatile int sink;
int pair[2];
static int other;

static void leave(void)
{
	other = 0;
}

__attribute__((noinline)) static void copy(void)
{
	int i = 0;
	for (; i < 2; i++)
		sink = pair[i];
	leave();
}

int main(void)
{
	copy();
	return other;
}
