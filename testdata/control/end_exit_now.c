/* _exit: no handler runs.
 * end: exited with status 9
 * functions: main
 */
#include <stdlib.h>
#include <unistd.h>

static void handler(void)
{
	_exit(1);
}

int main(void)
{
	atexit(handler);
	_exit(9);
}
