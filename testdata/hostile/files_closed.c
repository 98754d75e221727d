/* It closes all descriptors, and others' that it does not know of. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	int out = dup(1), sum = 0;
	dup2(out, 900);
	for (int fd = 3; fd < 900; fd++)
		close(fd);
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	for (int i = 0; i < 100; i++)
		sum += i;
	dprintf(900, "%d\n", sum);
	for (int fd = 3; fd < 200; fd++)
		dup2(900, fd);
	dprintf(150, "on\n");
	return 0;
}
