/* It becomes a shell, which kills itself. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	printf("before\n");
	fflush(stdout);
	execl("/bin/sh", "sh", "-c", "echo after; kill -TERM $$", (char *)NULL);
	return 1;
}
