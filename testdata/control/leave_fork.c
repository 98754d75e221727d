/* The child runs the program's own code after fork, unharmed, and may use every core that xstep
 * itself may use; the parent goes on being traced.
 * end: main returned; exited with status 44
 * functions: main parent
 */
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static int child(int from)
{
	int sum = 0;
	for (int i = 0; i < 8; i++)
		sum += from + i;
	return sum;
}

__attribute__((noinline)) static int parent(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int main(void)
{
	int status = 0;
	pid_t pid = fork();
	if (!pid)
		_exit(child(2));
	waitpid(pid, &status, 0);
	return parent(status);
}
