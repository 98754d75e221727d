#include "oracle/witness/debugger/helper.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/vec.h"
#include "engine/interrupt.h"
#include "engine/process.h"
#include "oracle/witness/debugger/copy.h"
#include "oracle/witness/debugger/silence.h"

typedef XS_VEC(pid_t) processes;

void ora_helper_environment(char *const *changes, ora_helper_strings *ret)
{
	for (char **each = environ; *each; each++)
		xs_vec_push(ret, *each);
	for (; changes && *changes; changes++) {
		size_t name = strcspn(*changes, "="), at = 0;
		bool adds = (*changes)[name];
		while (at < ret->len &&
			(strncmp(ret->data[at], *changes, name) || ret->data[at][name] != '='))
			at++;
		if (adds && at == ret->len)
			xs_vec_push(ret, NULL);
		if (adds)
			ret->data[at] = *changes;
		else if (at < ret->len)
			ret->data[at] = ret->data[--ret->len];
	}
	xs_vec_push(ret, NULL);
}

static _Noreturn void become(char *const *argv, char *const *environment, const char *folder,
	pid_t parent, const struct eng_steady *steady, int said, int results)
{
	int nothing = open("/dev/null", O_RDONLY);
	sigset_t none;
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127); /* it died before we asked to be told */
	for (int signal = 1; signal < NSIG; signal++)
		sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* The pipe's ends may be among the numbers that they are to get. */
	nothing = fcntl(nothing, F_DUPFD, ORA_HELPER_FD + 1);
	said = fcntl(said, F_DUPFD, ORA_HELPER_FD + 1);
	results = results < 0 ? results : fcntl(results, F_DUPFD, ORA_HELPER_FD + 1);
	dup2(nothing, 0);
	dup2(said, 1);
	dup2(said, 2);
	if (results >= 0)
		dup2(results, ORA_HELPER_FD);
	if (steady)
		eng_steady_enter(steady);
	close_range(results >= 0 ? ORA_HELPER_FD + 1 : ORA_HELPER_FD, ~0u, 0);
	char *path = folder ? realpath(argv[0], NULL) : argv[0]; /* it may be relative */
	if (path && (!folder || !chdir(folder)))
		execve(path, argv, environment);
	dprintf(2, "%s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

struct xs_error *ora_helper_start(char *const *argv, char *const *variables, const char *folder,
	bool results, struct eng_steady *steady, struct ora_helper *ret)
{
	int said[2], lines[2] = {-1, -1};
	*ret = (struct ora_helper){.said = -1, .results = -1};
	if (pipe2(said, O_CLOEXEC))
		return xs_error_sys("pipe2");
	XS_AUTO_CLOSE int said_write = said[1];
	ret->said = said[0];
	if (results && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, lines))
		return xs_error_sys("socketpair");
	XS_AUTO_CLOSE int lines_write = lines[1];
	ret->results = lines[0];
	fcntl(ret->said, F_SETFL, O_NONBLOCK);
	if (results)
		fcntl(ret->results, F_SETFL, O_NONBLOCK);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	ora_helper_strings environment = {0};
	ora_helper_environment(variables, &environment);
	pid_t parent = getpid(), child = fork();
	if (!child)
		become(argv, environment.data, folder, parent, steady, said_write, lines_write);
	xs_vec_deinit(&environment);
	if (child < 0)
		return xs_error_sys("fork");
	setpgid(child, child); /* whoever of the two comes first */
	if (steady)
		eng_steady_begin(steady);
	ret->pid = child;
	return NULL;
}

bool ora_helper_send(const struct ora_helper *helper, int fd)
{
	char byte = 0;
	struct iovec data = {&byte, sizeof byte};
	union {
		struct cmsghdr header; /* for its alignment */
		char bytes[CMSG_SPACE(sizeof fd)];
	} control = {0};
	struct msghdr message = {.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof control};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof fd);
	memcpy(CMSG_DATA(header), &fd, sizeof fd);
	return sendmsg(helper->results, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof byte;
}

void ora_helper_share(struct ora_helper *helper, const char *mark)
{
	if (helper->lent)
		return;
	helper->mark = xs_strdup(mark);
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	eng_process_note_other(helper->pid);
}

bool ora_helper_has_ended(struct ora_helper *helper)
{
	if (helper->ended)
		return true;
	if (helper->lent)
		helper->ended = ora_copy_has_ended(helper->lent, &helper->status);
	else if (helper->mark && eng_process_other_ended(helper->pid, &helper->status))
		helper->ended = true;
	else if (waitpid(helper->pid, &helper->status, WNOHANG | __WALL) != 0)
		helper->ended = true;
	return helper->ended;
}

/* Adds the children of a process to the list. */
static void add_children(pid_t pid, processes *list)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
	XS_AUTO_FILE FILE *file = fopen(path, "re");
	int child;
	while (file && fscanf(file, "%d", &child) == 1)
		xs_vec_push(list, child);
}

/* Kills all children of xstep that are there, and reaps those that are dead. False if there was
 * none. What a killed one started becomes a child itself (rule 2), so that asking again and again
 * comes to an end. */
static bool kill_children(void)
{
	processes list = {0};
	add_children(getpid(), &list);
	bool found = list.len;
	for (size_t i = 0; i < list.len; i++) {
		kill(list.data[i], SIGKILL);
		waitpid(list.data[i], NULL, WNOHANG | __WALL);
	}
	xs_vec_deinit(&list);
	return found;
}

/* Whether a process has the mark in its environment. */
static bool is_marked(const char *pid, const char *mark)
{
	char path[64];
	static char environment[1 << 16];
	size_t length = strlen(mark) + 1;
	snprintf(path, sizeof path, "/proc/%.20s/environ", pid);
	XS_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? 0 : read(fd, environment, sizeof environment - 1);
	environment[got > 0 ? got : 0] = 0;
	return got > 0 && memmem(environment, (size_t)got, mark, length);
}

/* Kills whoever has the mark, whosever child that is. False if there was nobody. */
static bool kill_marked(const char *mark)
{
	bool found = false;
	DIR *all = opendir("/proc");
	for (struct dirent *entry; all && (entry = readdir(all));) {
		if (!isdigit((unsigned char)*entry->d_name) || !is_marked(entry->d_name, mark))
			continue;
		pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
		found = true;
		kill(pid, SIGKILL);
		waitpid(pid, NULL, WNOHANG | __WALL);
	}
	if (all)
		closedir(all);
	return found;
}

void ora_helper_end(struct ora_helper *helper)
{
	if (!helper->pid)
		return;
	if (helper->lent) {
		ora_copy_destroy(helper->lent);
	} else if (!ora_helper_has_ended(helper)) {
		kill(-helper->pid, SIGKILL);
		kill(helper->pid, SIGKILL);
		while (waitpid(helper->pid, &helper->status, __WALL) < 0 && errno == EINTR)
			;
		helper->ended = true;
	}
	double limit = xs_now() + 10;
	while (!helper->lent && (helper->mark ? kill_marked(helper->mark) : kill_children()) &&
		xs_now() < limit)
		usleep(1000);
	free(helper->mark);
	if (!helper->lent)
		prctl(PR_SET_CHILD_SUBREAPER, 0);
	if (helper->said >= 0)
		close(helper->said);
	if (helper->results >= 0)
		close(helper->results);
	*helper = (struct ora_helper){.said = -1, .results = -1};
}

struct xs_error *ora_helper_run(char *const *argv, char *const *variables, const char *folder,
	double seconds, char **said, int *status)
{
	struct ora_helper helper;
	XS_VEC(char) text = {0};
	struct xs_error *err = ora_helper_start(argv, variables, folder, false, NULL, &helper);
	struct ora_silence silence = {0};
	ora_silence_break(&silence);
	bool open = true;
	while (!err && open && !eng_interrupt_is_wish() &&
		ora_silence_seconds(&silence, helper.pid) < seconds) {
		char buffer[4096];
		struct pollfd poll_fd = {.fd = helper.said, .events = POLLIN};
		poll(&poll_fd, 1, 100);
		ssize_t got = read(helper.said, buffer, sizeof buffer);
		open = got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
		for (ssize_t i = 0; i < got; i++)
			xs_vec_push(&text, buffer[i]);
		/* Whatever it left behind may hold the pipe open. */
		if (got < 0 && ora_helper_has_ended(&helper))
			open = false;
	}
	while (!err && !ora_helper_has_ended(&helper) && !eng_interrupt_is_wish() &&
		ora_silence_seconds(&silence, helper.pid) < seconds)
		usleep(1000);
	bool late = !err && !helper.ended;
	*status = helper.status;
	if (!err)
		ora_helper_end(&helper);
	xs_vec_push(&text, 0);
	*said = text.data;
	if (late && eng_interrupt_is_wish())
		err = xs_error_create("%s: interrupted", argv[0]);
	else if (late)
		err = xs_error_create("%s: no answer after %g s", argv[0], seconds);
	return err;
}
