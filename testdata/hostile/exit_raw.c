/* The process ends by a bare system call, with stdio full. */
#include <sys/syscall.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	printf("lost");
	__asm__ volatile("syscall" ::"a"(SYS_exit_group), "D"(300) : "rcx", "r11", "memory");
	return 1;
}
