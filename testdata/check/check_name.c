/* check_name.c - what a program does depends on what it is called.
 * end: main returned; exited with status 0
 * functions: main keep
 */
#include <string.h>

volatile unsigned long sink;

static void keep(unsigned long length)
{
	sink = length;
	sink = 2;
}

int main(int argc, char **argv)
{
	keep(strlen(argv[0]));
	return argc - 1;
}
