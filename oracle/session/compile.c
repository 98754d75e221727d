#include "oracle/session/compile.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/path.h"

#define SAID_MAX (64 * 1024)

static volatile sig_atomic_t running; /* the compiler's group; 0: none */

/* --- running --------------------------------------------------------------------------------- */

static void end_both(int signal)
{
	(void)signal;
	if (running)
		kill(-(pid_t)running, SIGKILL);
	_exit(2);
}

void ora_compile_die_together(void)
{
	struct sigaction action = {.sa_handler = end_both};
	signal(SIGINT, SIG_IGN); /* the terminal's goes to everybody; who started us will tell us */
	signal(SIGHUP, SIG_IGN);
	sigaction(SIGTERM, &action, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
}

/* The child's side. */
static _Noreturn void become(char *const *argv, const char *folder, int said, const sigset_t *mask)
{
	int null = open("/dev/null", O_RDONLY);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGINT, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	dup2(null, STDIN_FILENO);
	dup2(said, STDOUT_FILENO);
	dup2(said, STDERR_FILENO);
	setenv("TMPDIR", folder, 1);
	setenv("LC_ALL", "C", 1);
	setenv("SOURCE_DATE_EPOCH", "0", 1); /* __TIME__ is the same in both */
	execv(argv[0], argv);
	dprintf(STDERR_FILENO, "%s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

static const char *find_any(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (strstr(text, *words))
			return *words;
	return NULL;
}

/* Signals that a program brings upon itself. Others come from outside: the kernel is out of memory,
 * a file is too large, a cluster's time is up. */
static bool is_crash(int signal)
{
	return signal == SIGSEGV || signal == SIGABRT || signal == SIGBUS || signal == SIGILL ||
	       signal == SIGFPE;
}

enum ora_compile_end ora_compile_judge(int status, const char *said)
{
	/* A driver says how the compiler that it started ended, in the words of strsignal(). */
	static const char *const stops[] = {"execute command: Killed",
		"execute command: Terminated", "execute command: CPU time limit",
		"execute command: File size limit", "execute command: posix_spawn failed",
		"Killed signal terminated", "Terminated signal terminated",
		"CPU time limit exceeded signal terminated",
		"File size limit exceeded signal terminated", "internal compiler error: Killed",
		"internal compiler error: Terminated", "internal compiler error: CPU time limit",
		"internal compiler error: File size limit", "out of memory allocating",
		"virtual memory exhausted", "LLVM ERROR: out of memory", "std::bad_alloc",
		"Cannot allocate memory", "No space left on device", NULL};
	static const char *const crashes[] = {"internal compiler error",
		"PLEASE submit a bug report", "PLEASE ATTACH THE FOLLOWING",
		"frontend command failed", "terminated with signal", "LLVM ERROR",
		"unable to execute command", NULL};
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return ORA_COMPILED;
	if ((WIFSIGNALED(status) && !is_crash(WTERMSIG(status))) || find_any(said, stops))
		return ORA_STOPPED;
	if (WIFSIGNALED(status) || find_any(said, crashes))
		return ORA_CRASHED;
	return ORA_REFUSED;
}

/* Reads what is said until all who could say something have ended, or time is up. */
static bool listen(int fd, double limit, char *said)
{
	size_t length = 0;
	for (;;) {
		char buffer[4096];
		double left = limit - xs_now();
		struct pollfd wanted = {.fd = fd, .events = POLLIN};
		if (left <= 0)
			return false;
		if (poll(&wanted, 1, (int)(left * 1000) + 1) <= 0)
			continue;
		ssize_t got = read(fd, buffer, sizeof buffer);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return true;
		size_t room = SAID_MAX - 1 - length,
		       taken = (size_t)got < room ? (size_t)got : room;
		memcpy(said + length, buffer, taken);
		length += taken;
		said[length] = 0;
	}
}

struct xs_error *ora_compile(
	char *const *argv, const char *folder, double seconds, struct ora_compilation *ret)
{
	int pipe_fd[2], status = 0;
	sigset_t block, before;
	*ret = (struct ora_compilation){.said = xs_calloc(SAID_MAX, 1)};
	if (pipe2(pipe_fd, O_CLOEXEC))
		return xs_error_sys("pipe");
	double began = xs_now();
	sigemptyset(&block);
	sigaddset(&block, SIGTERM);
	sigprocmask(SIG_BLOCK, &block, &before); /* until the group has a number */
	pid_t pid = fork();
	if (!pid)
		become(argv, folder, pipe_fd[1], &before);
	if (pid > 0) {
		setpgid(pid, pid);
		running = pid;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(pipe_fd[1]);
	struct xs_error *err = pid < 0 ? xs_error_sys("fork") : NULL;
	bool done = !err && listen(pipe_fd[0], began + seconds, ret->said);
	close(pipe_fd[0]);
	if (err)
		return err;
	if (!done)
		kill(-pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	kill(-pid, SIGKILL); /* whatever it left behind */
	running = 0;
	ret->seconds = xs_now() - began;
	ret->end = done ? ora_compile_judge(status, ret->said) : ORA_HUNG;
	return NULL;
}

void ora_compilation_deinit(struct ora_compilation *compilation)
{
	free(compilation->said);
	*compilation = (struct ora_compilation){0};
}

char *ora_compilation_complaint(const struct ora_compilation *compilation)
{
	static const char *const words[] = {"internal compiler error", "fatal error",
		"error:", "Assertion", "LLVM ERROR", "undefined reference", NULL};
	const char *best = compilation->said ? compilation->said : "";
	for (const char *const *word = words; *word; word++) {
		const char *found = strstr(best, *word);
		if (!found)
			continue;
		while (found > best && found[-1] != '\n')
			found--;
		best = found;
		break;
	}
	return xs_asprintf("%.*s", (int)strcspn(best, "\n"), *best ? best : "it said nothing");
}

/* --- which one ------------------------------------------------------------------------------- */

static bool is_there(const char *name)
{
	XS_AUTO_FREE char *path = xs_path_find(name);
	return path;
}

char *ora_compiler_newest(const char *family)
{
	for (unsigned version = 99; version >= 3; version--) {
		char *name = xs_asprintf("%s-%u", family, version);
		if (is_there(name))
			return name;
		free(name);
	}
	return is_there(family) ? xs_strdup(family) : NULL;
}

struct xs_error *ora_compiler_init(struct ora_compiler *compiler, const char *name)
{
	struct ora_compilation asked;
	*compiler = (struct ora_compiler){.name = xs_strdup(name), .path = xs_path_find(name)};
	if (!compiler->path)
		return xs_error_create(
			"%s: no such program; apt-get install it, or name another", name);
	char *const argv[] = {compiler->path, (char[]){"--version"}, NULL};
	struct xs_error *err = ora_compile(argv, "/tmp", 20, &asked);
	if (!err && asked.end != ORA_COMPILED)
		err = xs_error_create("%s: does not say its version: %.*s", name,
			(int)strcspn(asked.said, "\n"), asked.said);
	if (!err) {
		compiler->version = xs_asprintf("%.*s", (int)strcspn(asked.said, "\n"), asked.said);
		compiler->gcc = strstr(asked.said, "Free Software Foundation") &&
				!strstr(asked.said, "clang");
		compiler->rust = !strncmp(asked.said, "rustc ", 6);
	}
	ora_compilation_deinit(&asked);
	return err;
}

char *ora_rust_level(const char *option)
{
	bool known =
		!strncmp(option, "-O", 2) && strlen(option) == 3 && strchr("0123sz", option[2]);
	return known ? xs_asprintf("-C opt-level=%s", option + 2) : NULL;
}

char *ora_rust_debug(const char *option)
{
	bool plain = !strcmp(option, "-g"),
	     known = !strncmp(option, "-g", 2) && strlen(option) == 3 && strchr("012", option[2]);
	return plain || known ? xs_asprintf("-C debuginfo=%s", plain ? "2" : option + 2) : NULL;
}

void ora_compiler_deinit(struct ora_compiler *compiler)
{
	free(compiler->name);
	free(compiler->path);
	free(compiler->version);
}
