/* Only read, write, exit and sigreturn are allowed from here on. */
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	prctl(PR_SET_SECCOMP, 1);
	int sum = 0;
	for (int i = 0; i < 100; i++)
		sum += i;
	char text[] = "0\n";
	text[0] = (char)('0' + sum % 10);
	(void)!write(1, text, 2);
	syscall(SYS_exit, 3);
	return 1;
}
