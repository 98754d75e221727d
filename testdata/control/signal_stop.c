/* Stops its whole group; whoever continues it (here its own child, let go) lets the trace go on.
 * end: main returned; exited with status 8
 * functions: main
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	int status;
	pid_t parent = getpid(), child = fork();
	if (!child) {
		setpgid(0, 0);
		/* Again and again: nobody knows how long it takes until the parent has stopped. */
		while (getppid() == parent && !usleep(100000))
			kill(parent, SIGCONT);
		_exit(0);
	}
	raise(SIGSTOP);
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	return 8;
}
