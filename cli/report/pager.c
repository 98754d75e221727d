#include "cli/report/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/path.h"

/* By which a shell says that there is no such program, or that it is none. */
enum { NOT_FOUND = 127, NOT_EXECUTABLE = 126 };

static const int keys[] = {SIGINT, SIGQUIT};

/* What is to be run, by a shell; NULL: nothing. */
static const char *choose(void)
{
	static const char *const variables[] = {"XSTEP_PAGER", "PAGER"};
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		const char *wish = getenv(variables[i]);
		if (wish)
			return *wish && strcmp(wish, "cat") != 0 ? wish : NULL;
	}
	XS_AUTO_FREE char *less = xs_path_find("less");
	return less ? "less" : NULL;
}

static void become(const char *command, int from)
{
	if (dup2(from, STDIN_FILENO) < 0)
		_exit(NOT_FOUND);
	setenv("LESS", "FRX", false);
	setenv("LV", "-c", false);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(NOT_FOUND);
}

bool cli_pager_start(struct cli_pager *pager)
{
	const char *command = choose();
	int ends[2];
	if (!command || pipe2(ends, O_CLOEXEC))
		return false;
	pid_t pid = fork();
	if (!pid)
		become(command, ends[0]);
	close(ends[0]);
	if (pid < 0) {
		close(ends[1]);
		return false;
	}
	*pager = (struct cli_pager){.pid = pid, .to = ends[1]};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		sigaction(keys[i], &(struct sigaction){.sa_handler = SIG_IGN}, &pager->before[i]);
	return true;
}

/* write(), except that nobody dies of it. */
static ssize_t write_quietly(int fd, const char *text, size_t size)
{
	sigset_t pipe, before;
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	sigprocmask(SIG_BLOCK, &pipe, &before);
	ssize_t wrote = write(fd, text, size);
	int error = errno;
	/* It comes with a part that was written, too. */
	if (!sigismember(&before, SIGPIPE))
		sigtimedwait(&pipe, NULL, &(struct timespec){0});
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return wrote;
}

bool cli_pager_write(struct cli_pager *pager, const char *text, size_t size)
{
	while (size && pager->to >= 0) {
		ssize_t wrote = write_quietly(pager->to, text, size);
		if (wrote >= 0) {
			text += wrote;
			size -= (size_t)wrote;
		} else if (errno == EPIPE) {
			close(pager->to);
			pager->to = -1;
		} else if (errno != EINTR) {
			return false;
		}
	}
	return true;
}

bool cli_pager_end(struct cli_pager *pager)
{
	int status = 0;
	if (pager->to >= 0)
		close(pager->to);
	while (waitpid(pager->pid, &status, 0) < 0 && errno == EINTR)
		;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		sigaction(keys[i], &pager->before[i], NULL);
	*pager = (struct cli_pager){.to = -1};
	return !WIFEXITED(status) ||
	       (WEXITSTATUS(status) != NOT_FOUND && WEXITSTATUS(status) != NOT_EXECUTABLE);
}
