/* Code of a statement was moved up, as schedulers do: its rows have no is_stmt. The statement itself is
 * still to come, and whoever steps by line is shown it.
 * end: main returned; exited with status 0
 * functions: main
 */
int main(void)
{
	volatile int a = 0;

	__asm__ volatile("nop\n\t"
			 ".loc 1 14 2 is_stmt 0\n\tnop\n\tnop\n\t"
			 ".loc 1 14 2 is_stmt 1");

	a = 1; /* line 14 */
	return a - 1;
}
