/* The kernel's own pages: vsyscall where it is, and the vdso. */
#include <time.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	struct timespec now;
	long seconds = 0;
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	while (maps && fgets(line, sizeof line, maps))
		if (strstr(line, "[vsyscall]") && strstr(line, "xp"))
			seconds = ((long (*)(long *))0xffffffffff600400)(NULL);
	clock_gettime(CLOCK_MONOTONIC, &now);
	printf("%d %d\n", seconds >= 0, now.tv_sec > 0);
	return 0;
}
