/* Not dumpable, no new privileges, a name of its own, a signal when the parent dies. */
#include <sys/prctl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	char name[17] = "";
	int sum = 0;
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "\033[31m\nx");
	prctl(PR_SET_DUMPABLE, 0);
	for (int i = 0; i < 100; i++)
		sum += i * i;
	prctl(PR_GET_NAME, name);
	printf("%d %d %d\n", sum, name[1], prctl(PR_GET_DUMPABLE));
	return 0;
}
