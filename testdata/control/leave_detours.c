/* The program forks and spawns when its branches have been changed by the tracer: the children run
 * code that is whole, and so does the program afterwards.
 * end: main returned; exited with status 7
 * functions: main loop
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Two branches that go one way until the last round. */
static unsigned loop(unsigned rounds)
{
	unsigned sum = 1, i = 0;
	do {
		sum = sum * 3 + i;
		if (i == 298)
			sum ^= 1;
	} while (++i < rounds);
	return sum;
}

int main(void)
{
	volatile unsigned rounds = 200;
	int status;
	unsigned before = loop(rounds);
	if (!fork())
		_exit(loop(rounds) == before ? 3 : 4);
	wait(&status);
	if (WEXITSTATUS(status) != 3)
		return 1;
	if (system("exit 4") >> 8 != 4 || loop(rounds) != before)
		return 2;
	return loop(300) != before ? 7 : 3;
}
