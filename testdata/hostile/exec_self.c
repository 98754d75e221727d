/* It becomes itself, three times. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	printf("%d\n", argc);
	fflush(stdout);
	if (argc < 4) {
		char *words[] = {argv[0], "1", argc > 1 ? "2" : NULL, argc > 2 ? "3" : NULL, NULL};
		execv("/proc/self/exe", words);
		return 1;
	}
	return argc;
}
