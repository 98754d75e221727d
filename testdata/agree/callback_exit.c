#include <stdlib.h>
static int state = 1;
static void last(void) { state *= 2; }
static void first(void) { int old = state; state = old + 3; }
int main(void)
{
	atexit(last);
	atexit(first);
	state = 5;
	return 0;
}
