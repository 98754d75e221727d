/* The program's own int3 and its own SIGTRAP reach it.
 * end: main returned; exited with status 2
 * functions: main on_trap
 */
#include <signal.h>

static volatile sig_atomic_t traps;

static void on_trap(int number)
{
	(void)number;
	traps++;
}

int main(void)
{
	signal(SIGTRAP, on_trap);
	__asm__ volatile("int3");
	raise(SIGTRAP);
	return traps;
}
