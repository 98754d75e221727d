/* At -O2 main jumps to the library function, which returns straight to main's caller: that is
 * main's return all the same.
 * end: main returned; exited with status 15
 * functions: main
 */
#include <stdlib.h>

int main(int argc, char **argv)
{
	(void)argv;
	return abs(argc - 16);
}
