/* A large environment and many arguments, of a program that starts itself with them. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc > 100) {
		size_t size = 0;
		for (int i = 0; i < argc; i++)
			size += strlen(argv[i]);
		printf("%d %zu %zu\n", argc, size, strlen(getenv("LARGE")));
		return 0;
	}
	char *words[2002] = {argv[0]}, *large = calloc(1, 100001);
	for (int i = 1; i < 2000; i++)
		words[i] = "\033]0;title\a";
	words[0] = "x";
	memset(large, 'y', 100000);
	memcpy(large, "LARGE=", 6);
	execve("/proc/self/exe", words, (char *[]){large, NULL});
	return 1;
}
