/* exit(3) deep down: the handlers that it calls on the way are seen.
 * end: exited with status 7
 * functions: main down handler
 */
#include <stdlib.h>

static volatile int handled;

static void handler(void)
{
	handled = 1;
}

__attribute__((noinline)) static void down(int depth)
{
	if (!depth)
		exit(7);
	down(depth - 1);
	handled = 2; /* so that it is no tail call */
}

int main(void)
{
	atexit(handler);
	down(3);
	return 1;
}
