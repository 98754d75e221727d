#include "engine/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/alloc.h"
#include "engine/event.h"
#include "engine/permission.h"
#include "engine/steady_run.h"
#include "engine/tsc.h"

enum {
	OPTIONS = PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEFORK |
		  PTRACE_O_TRACEVFORK | PTRACE_O_TRACEVFORKDONE | PTRACE_O_TRACECLONE |
		  PTRACE_O_TRACESYSGOOD,
};

/* Moves fd out of the way of 0, 1 and 2. */
static int above_standard(int fd)
{
	return fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

/* Where a moved program's stack goes: as many bytes lower as its path is longer. These are no
 * multiples of a page, so that offsets in a page differ as well. */
enum { MOVED_BY = 1202, MOVED_EACH = 486 };
/* The kernel leaves as much room for the stack as its limit says, 128 MB at least, and puts shared
 * objects below. */
static const rlim_t moved_room = (rlim_t)192 << 20, moved_each = (rlim_t)16 << 20;

static size_t longer_by(unsigned moved)
{
	return MOVED_BY + (moved - 1) * MOVED_EACH;
}

/* The same path, written in more bytes. The kernel keeps it on the stack (AT_EXECFN). */
static char *longer_path(const char *path, unsigned moved)
{
	char *ret = xs_calloc(1, longer_by(moved) + strlen(path) + 1), *at = ret;
	while (at < ret + longer_by(moved))
		at = stpcpy(at, "/.");
	strcpy(at, path);
	return ret;
}

static void move_objects(unsigned moved)
{
	rlim_t room = moved_room + (moved - 1) * moved_each;
	struct rlimit limit;
	if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur >= room || limit.rlim_max < room)
		return;
	limit.rlim_cur = room;
	setrlimit(RLIMIT_STACK, &limit);
}

/* The child: prepares itself, waits until it is seized, and execs. Reports errno if it cannot. */
static _Noreturn void become(const struct eng_launch *launch, const char *program,
	const struct eng_steady *steady, bool forbid_clock, int go, int report)
{
	sigset_t none;
	char byte;
	setpgid(0, 0);
	for (int signal = 1; signal < NSIG; signal++)
		sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* Failing is told by the addresses themselves; the trace is right all the same. */
	personality(ADDR_NO_RANDOMIZE);
	int in = above_standard(launch->in), out = above_standard(launch->out),
	    err = above_standard(launch->err);
	dup2(in, 0);
	dup2(out, 1);
	dup2(err, 2);
	if (launch->moved)
		move_objects(launch->moved);
	/* The tracer writes when it has seized us; if it died, there is nothing more to do. */
	if (read(go, &byte, 1) == 1) {
		close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
		if (forbid_clock)
			eng_tsc_forbid();
		if (steady)
			eng_steady_enter(steady);
		execve(program, launch->argv, launch->environment);
		int number = errno;
		(void)!write(report, &number, sizeof number);
	}
	_exit(127);
}

/* Waits for the stop after exec, or learns from the child why there is none. */
static struct xs_error *await_exec(const struct eng_launch *launch, pid_t child, int report)
{
	for (;;) {
		int status, number = 0;
		struct eng_event event;
		struct xs_error *err;
		if (waitpid(child, &status, __WALL) < 0)
			return xs_error_sys("waitpid(%d)", child);
		if ((err = eng_event_decode(child, status, &event)))
			return err;
		if (event.kind == ENG_EVENT_EXEC)
			return NULL;
		if (event.kind == ENG_EVENT_EXITED || event.kind == ENG_EVENT_KILLED) {
			if (read(report, &number, sizeof number) != sizeof number)
				return xs_error_create(
					"%s: died before it was loaded", launch->path);
			errno = number;
			return xs_error_sys("%s: cannot be executed", launch->path);
		}
		int signal = event.kind == ENG_EVENT_SIGNAL ? event.signal : 0;
		ptrace(PTRACE_CONT, child, NULL, (void *)(intptr_t)signal);
	}
}

/* Kills and reaps a child that came to nothing. */
static struct xs_error *give_up(pid_t child, struct xs_error *err)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, __WALL);
	return err;
}

struct xs_error *eng_launch(
	const struct eng_launch *launch, struct eng_steady *steady, bool forbid_clock, pid_t *ret)
{
	int go[2], report[2];
	struct xs_error *err;
	if (pipe2(go, O_CLOEXEC))
		return xs_error_sys("pipe2");
	XS_AUTO_CLOSE int go_read = go[0];
	XS_AUTO_CLOSE int go_write = go[1];
	if (pipe2(report, O_CLOEXEC))
		return xs_error_sys("pipe2");
	XS_AUTO_CLOSE int report_read = report[0];
	XS_AUTO_CLOSE int report_write = report[1];

	bool fits = launch->moved && strlen(launch->path) + longer_by(launch->moved) < PATH_MAX;
	XS_AUTO_FREE char *moved = fits ? longer_path(launch->path, launch->moved) : NULL;
	pid_t child = fork();
	if (child < 0)
		return xs_error_sys("fork");
	if (!child) {
		close(go_write); /* or the read below would never see our death */
		become(launch, moved ? moved : launch->path, steady, forbid_clock, go_read,
			report_write);
	}
	close(report_write);
	report_write = -1;
	setpgid(child, child); /* whoever of the two comes first */
	if (ptrace(PTRACE_SEIZE, child, NULL, (void *)(intptr_t)OPTIONS))
		return give_up(child, eng_permission_error(child));
	if (write(go_write, "", 1) != 1)
		return give_up(child, xs_error_sys("write to the child"));
	if (steady)
		eng_steady_begin(steady);
	if ((err = await_exec(launch, child, report_read)))
		return give_up(child, err);
	*ret = child;
	return NULL;
}
