/* It changes its FS and GS bases, and reads through them. */
#include <asm/prctl.h>
#include <sys/syscall.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	static long gs[4] = {11, 22, 33, 44}, fs[64];
	long own = 0, value, other, call = SYS_arch_prctl, again = SYS_arch_prctl;
	syscall(SYS_arch_prctl, ARCH_SET_GS, gs);
	__asm__ volatile("mov %%gs:8, %0" : "=r"(value));
	syscall(SYS_arch_prctl, ARCH_GET_FS, &own);
	fs[3] = 55;
	/* No library may be called while this lasts. */
	__asm__ volatile("syscall"
			 : "+a"(call)
			 : "D"(ARCH_SET_FS), "S"(fs)
			 : "rcx", "r11", "memory");
	__asm__ volatile("mov %%fs:24, %0" : "=r"(other));
	__asm__ volatile("syscall"
			 : "+a"(again)
			 : "D"(ARCH_SET_FS), "S"(own)
			 : "rcx", "r11", "memory");
	printf("%ld %ld\n", value, other);
	return 0;
}
