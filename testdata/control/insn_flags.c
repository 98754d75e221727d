/* The trap flag of a step must not show in what pushf stores and what syscall leaves in r11.
 * end: main returned; exited with status 0
 * functions: main
 */
int main(void)
{
	unsigned long pushed, left = 0, number = 39; /* getpid */
	__asm__ volatile("sub $128, %%rsp\n\tpushf\n\tpop %0\n\tadd $128, %%rsp" : "=r"(pushed));
	__asm__ volatile("syscall\n\tmov %%r11, %1"
			 : "+a"(number), "=r"(left)
			 :
			 : "rcx", "r11", "memory");
	return (pushed & 0x100 ? 1 : 0) | (left & 0x100 ? 2 : 0);
}
