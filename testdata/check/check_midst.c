/* R1, for xstep check levels: a branch leads into the midst of a line, and the line's statement begins
 * later. It is executed, and line steps, which are on that line by then, do not end there.
 * end: main returned; exited with status 0
 * functions: main
 */
int main(void)
{
	int n = 0;
	__asm__ volatile("jmp 2f" : "+r"(n));
	__asm__ volatile("1: nop; 2: incl %0; cmpl $2, %0; jne 1b" : "+r"(n));
	return n - 2;
}
