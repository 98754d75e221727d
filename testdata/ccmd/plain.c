/* Code of many kinds that is the same with debug information: strings, constants, a jump table, static
 * variables of one name, a function that is split, thread-local data, calls of a library.
 * expect: same */
#include <stdio.h>
#include <stdlib.h>

static int count;
static __thread int depth;
static const double weights[] = {0.5, 2.5, 1e300};
static const char *const names[] = {"none", "one", "many"};

static int next(void)
{
	static int state = 7;
	return state = state * 1103515245 + 12345;
}

static int again(void)
{
	static int state;
	return ++state;
}

int choose(int what)
{
	depth++;
	switch (what) {
	case 0:
		return puts(names[what & 1]);
	case 1:
		return next();
	case 2:
		return again() + (int)weights[count % 3];
	case 3:
		return count++;
	case 4:
		return depth;
	case 5:
		return printf("%d %s\n", what, "five");
	default:
		return what / 3;
	}
}

__attribute__((noreturn, cold)) static void fail(const char *why)
{
	fprintf(stderr, "%s\n", why);
	exit(2);
}

int main(int argc, char **argv)
{
	int sum = 0;
	if (argc > 99)
		fail(argv[0]);
	for (int i = 0; i < 100; i++)
		sum += choose(i % 7);
	return sum & 1;
}
