/* clone() in its two odd kinds: a child that shares the memory and is no thread, and a copy that
 * does not announce itself by SIGCHLD. Both run the program's code while the parent, traced, waits
 * in library code and is called back from there.
 * build: -D_GNU_SOURCE
 * end: main returned; exited with status 42
 * functions: main by_value
 */
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

static volatile int shared;
static char stacks[2][65536] __attribute__((aligned(16)));

static int by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static int child(void *argument)
{
	for (int i = 0; i < 21; i++)
		shared += *(int *)argument;
	return shared;
}

int main(void)
{
	int one = 1, status = 0, v[] = {3, 2, 1};
	pid_t sharing = clone(child, stacks[0] + sizeof stacks[0], CLONE_VM | SIGCHLD, &one);
	qsort(v, 3, sizeof *v, by_value);
	waitpid(sharing, &status, __WALL);
	pid_t copy = clone(child, stacks[1] + sizeof stacks[1], 0, &one);
	waitpid(copy, &status, __WALL);
	qsort(v, 3, sizeof *v, by_value);
	return shared == 21 && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
