/* It reads /proc/self: its maps, its memory, its executable. */
#include <fcntl.h>
#include <stdint.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	static volatile int here = 77;
	char line[512], magic[4];
	int there = 0, text = 0;
	FILE *maps = fopen("/proc/self/maps", "r");
	while (maps && fgets(line, sizeof line, maps))
		text += strstr(line, "r-xp") && strstr(line, "/proc_self");
	int memory = open("/proc/self/mem", O_RDWR), program = open("/proc/self/exe", O_RDONLY);
	(void)!pread(memory, &there, sizeof there, (off_t)(uintptr_t)&here);
	(void)!pwrite(memory, &(int){78}, sizeof(int), (off_t)(uintptr_t)&here);
	(void)!read(program, magic, sizeof magic);
	printf("%d %d %d %.3s\n", text, there, here, magic + 1);
	return 0;
}
