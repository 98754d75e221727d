/* It asks whether it is traced, and says nothing of what it finds. */
#include <sys/ptrace.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	char line[256];
	int pid = -1;
	FILE *status = fopen("/proc/self/status", "r");
	while (status && fgets(line, sizeof line, status))
		if (sscanf(line, "TracerPid: %d", &pid) == 1)
			break;
	printf("%d\n", pid >= 0);
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	printf("on\n");
	return 0;
}
