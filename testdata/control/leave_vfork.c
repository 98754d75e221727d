/* The child borrows the program's memory and runs its code until it execs.
 * end: main returned; exited with status 12
 * functions: main
 */
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	int status = 0;
	pid_t pid = vfork();
	if (!pid) {
		execl("/bin/sh", "sh", "-c", "exit 12", (char *)0);
		_exit(1);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
