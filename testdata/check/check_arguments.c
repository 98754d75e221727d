/* For what all of xstep check share: goes another way if there are arguments, and prints them.
 * end: main returned; exited with status 0
 * functions: main
 */
#include <stdio.h>

static void tell(const char *what)
{
	printf("argument %s\n", what);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		tell(argv[i]);
	return 0;
}
