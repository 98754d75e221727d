/* DTD bug 4 (gdb 30315): at -O0 the block's own `round` is not declared yet in its first line, and
 * means the outer one. */
static volatile int sink;

int main(void)
{
	int round = 1;
	{
		sink = round;
		int round = 2;
		sink = round;
	}
	return 0;
}
