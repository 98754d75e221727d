/* The last instruction of main calls a function that does not return and begins right behind it: the
 * address called is the return address, and it is a call all the same. */
#include <stdlib.h>

static void last(int status);

int main(void)
{
	static volatile int status;
	last(status);
}

__attribute__((noinline, noreturn)) static void last(int status)
{
	exit(status);
}
