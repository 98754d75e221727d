/* Library code rewrites one of the program's functions, and takes another away: the program keeps
 * the change, and what is gone is not missed.
 * build: -D_GNU_SOURCE
 * end: main returned; exited with status 42
 * functions: main run answer
 */
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

__attribute__((noinline, aligned(4096))) static int answer(void)
{
	__asm__ volatile("");
	return 1;
}

__attribute__((used, aligned(4096))) static void unused(void)
{
	__asm__ volatile(".fill 4096, 1, 0x90");
}

__attribute__((noinline, aligned(4096))) static int run(void)
{
	static const unsigned char code[] = {0xb8, 42, 0, 0, 0, 0xc3}; /* mov $42, %eax; ret */
	void *volatile target = (void *)(uintptr_t)answer;
	int (*volatile call)(void) = answer; /* or a compiler knows what it returns */
	int before = call();
	if (mprotect(target, 4096, PROT_READ | PROT_WRITE | PROT_EXEC) ||
		munmap((void *)(uintptr_t)unused, 4096))
		return 1;
	memcpy(target, code, sizeof code);
	return before == 1 ? call() : 2;
}

int main(void)
{
	return run();
}
