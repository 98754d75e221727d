/* Not a subject: traces a command and all it forks, so that nobody else can. */
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int status, result = 77;
	pid_t first = argc > 1 ? fork() : -1, pid;
	if (first < 0)
		return 77;
	if (!first) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		execv(argv[1], argv + 1);
		_exit(77);
	}
	waitpid(first, &status, 0);
	ptrace(PTRACE_SETOPTIONS, first, 0,
		PTRACE_O_TRACEFORK | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL);
	ptrace(PTRACE_CONT, first, 0, 0);
	while ((pid = waitpid(-1, &status, __WALL)) > 0) {
		if (pid == first && WIFEXITED(status))
			result = WEXITSTATUS(status);
		if (!WIFSTOPPED(status))
			continue;
		int signal = WSTOPSIG(status);
		int ours = status >> 16 || signal == SIGTRAP || signal == SIGSTOP;
		ptrace(PTRACE_CONT, pid, 0, ours ? 0L : (long)signal);
	}
	return result;
}
