/* Children and grandchildren, each with work of its own. */
#include <sys/wait.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int work(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += i % 7;
	return sum;
}

int main(void)
{
	int total = 0;
	for (int i = 0; i < 4; i++) {
		pid_t child = fork();
		if (!child) {
			pid_t inner = fork();
			int status;
			if (!inner)
				_exit(work(50 + i) & 0x3f);
			waitpid(inner, &status, 0);
			_exit((WEXITSTATUS(status) + work(10)) & 0x7f);
		}
		int status;
		waitpid(child, &status, 0);
		total += WEXITSTATUS(status);
	}
	printf("%d\n", total);
	return 0;
}
