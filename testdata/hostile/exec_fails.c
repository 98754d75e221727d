/* exec of what is not there, of a folder, and of something that is no program. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	char *words[] = {"x", NULL};
	execv("/nonexistent", words);
	printf("%d\n", errno);
	execv("/", words);
	printf("%d\n", errno);
	execv("/proc/self/maps", words);
	printf("%d\n", errno);
	return 0;
}
