/* SI by the paper's formula, for xstep check opt: unoptimised, the line of the loop is stepped on inside and outside of
 * the scope of `round`; optimised, inside.
 * end: main returned; exited with status 0
 * functions: main
 */
volatile int sink;

int main(void)
{
	int before = sink; for (int round = 0; round < 3; round++)
		sink = round + before;
	return 0;
}
