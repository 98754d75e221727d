#include "engine/steady_run.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "base/log.h"
#include "base/map.h"
#include "base/vec.h"
#include "engine/steady_answer.h"
#include "engine/steady_filter.h"

#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS /* Linux 6.6 */
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS      SECCOMP_IOW(4, __u64)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP 1UL
#endif

/* What is known of a thread; above, it is one of the subject's processes. */
enum known { KNOWN_NOT, KNOWN_EXECED, KNOWN_OTHER, KNOWN_PROCESS };

/* A question that is answered later. */
struct late {
	uint64_t id;
	struct timespec when;
};

struct eng_steady {
	dev_t device; /* the subject's file */
	ino_t number;
	int ours, its; /* a socket that the listener comes by */
	int listener;  /* where questions come from; -1: nowhere */
	int stop;      /* an eventfd: the thread is to end */
	bool runs;     /* the thread does */
	pthread_t thread;
	atomic_bool passed_pid; /* the kernel was told a number that it does not know */

	/* The thread's. */
	struct xs_map known; /* enum known, by thread */
	XS_VEC(struct eng_steady_process) processes;
	XS_VEC(struct late) late;
};

/* --- who asks --------------------------------------------------------------------------------- */

static bool is_subject(const struct eng_steady *steady, pid_t pid)
{
	char path[64];
	struct stat about;
	snprintf(path, sizeof path, "/proc/%d/exe", pid);
	return !stat(path, &about) && about.st_dev == steady->device &&
	       about.st_ino == steady->number;
}

/* The index of a process of the subject; -1: it is none. */
static ssize_t find_process(const struct eng_steady *steady, pid_t pid)
{
	for (size_t i = steady->processes.len; i-- > 0;)
		if (steady->processes.data[i].pid == pid)
			return (ssize_t)i;
	return -1;
}

/* A process of the subject asks for the first time. */
static size_t add_process(struct eng_steady *steady, pid_t pid, bool execed)
{
	struct eng_steady_process process = {.pid = pid, .first = true, .first_pid = pid};
	size_t ret = steady->processes.len;
	for (size_t i = 0; i < ret; i++) {
		const struct eng_steady_process *one = &steady->processes.data[i];
		/* Whoever runs the subject once more, the one before being gone, runs it anew. */
		if (one->first && (!execed || is_subject(steady, one->pid))) {
			process.first = false;
			process.first_pid = one->pid;
		}
	}
	ssize_t parent = find_process(steady, eng_steady_status(pid, "PPid:"));
	if (parent >= 0 && !process.first)
		process.now = steady->processes.data[parent].now;
	if (!process.first)
		process.randoms = (uint64_t)ret << 32;
	xs_vec_push(&steady->processes, process);
	return ret;
}

/* The process that a thread belongs to, if it is the subject's; else NULL. */
static struct eng_steady_process *who(struct eng_steady *steady, pid_t thread)
{
	uint64_t *known = xs_map_at(&steady->known, (uint64_t)thread, 0);
	if (*known == KNOWN_NOT || *known == KNOWN_EXECED) {
		bool execed = *known == KNOWN_EXECED;
		*known = KNOWN_OTHER;
		if (is_subject(steady, thread)) {
			pid_t pid = eng_steady_status(thread, "Tgid:");
			ssize_t found = find_process(steady, pid);
			*known = KNOWN_PROCESS +
				 (found >= 0 ? (uint64_t)found : add_process(steady, pid, execed));
		}
	}
	return *known >= KNOWN_PROCESS ? &steady->processes.data[*known - KNOWN_PROCESS] : NULL;
}

/* It is about to become another program. */
static void becomes(struct eng_steady *steady, pid_t thread)
{
	*xs_map_at(&steady->known, (uint64_t)thread, 0) = KNOWN_EXECED;
	*xs_map_at(&steady->known, (uint64_t)eng_steady_status(thread, "Tgid:"), 0) = KNOWN_EXECED;
}

/* --- questions and answers -------------------------------------------------------------------- */

static bool reply(int listener, uint64_t id, const struct eng_steady_answer *answer)
{
	if (answer->by_fd) {
		struct seccomp_notif_addfd file = {.id = id,
			.flags = SECCOMP_ADDFD_FLAG_SEND,
			.srcfd = (uint32_t)answer->fd,
			.newfd_flags = (uint32_t)answer->value};
		return ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &file) >= 0;
	}
	struct seccomp_notif_resp response = {.id = id};
	if (!answer->ours)
		response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	else if (answer->value < 0)
		response.error = (int)answer->value;
	else
		response.val = answer->value;
	return !ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

static struct timespec after(uint64_t nanoseconds)
{
	struct timespec ret;
	clock_gettime(CLOCK_MONOTONIC, &ret);
	uint64_t sum = (uint64_t)ret.tv_nsec + nanoseconds;
	ret.tv_sec += (time_t)(sum / 1000000000);
	ret.tv_nsec = (long)(sum % 1000000000);
	return ret;
}

static void answer_one(struct eng_steady *steady)
{
	struct seccomp_notif notice = {0};
	struct eng_steady_answer answer = {.fd = -1};
	/* Who asked may have been killed meanwhile. */
	if (ioctl(steady->listener, SECCOMP_IOCTL_NOTIF_RECV, &notice))
		return;
	struct eng_steady_question question = {.pid = (pid_t)notice.pid, .call = notice.data.nr};
	for (size_t i = 0; i < sizeof question.args / sizeof *question.args; i++)
		question.args[i] = notice.data.args[i];
	bool becomes_another = question.call == SYS_execve || question.call == SYS_execveat;
	if (becomes_another)
		becomes(steady, question.pid);
	struct eng_steady_process *process = becomes_another ? NULL : who(steady, question.pid);
	if (!process) {
		reply(steady->listener, notice.id, &answer);
		return;
	}
	struct eng_steady_process before = *process;
	answer = eng_steady_answer(process, &question);
	if (answer.passed_pid)
		atomic_store(&steady->passed_pid, true);
	if (answer.delay) {
		struct late late = {notice.id, after(answer.delay)};
		xs_vec_push(&steady->late, late);
	} else if (!reply(steady->listener, notice.id, &answer)) {
		*process = before; /* it was not told, and will ask again if it still can */
	}
	if (answer.fd >= 0)
		close(answer.fd);
}

/* Answers what is due. How long it takes until the next one is; -1: there is none. */
static int answer_late(struct eng_steady *steady)
{
	static const struct eng_steady_answer nothing = {.ours = true, .fd = -1};
	struct timespec now = after(0);
	int64_t least = -1;
	for (size_t i = steady->late.len; i-- > 0;) {
		struct late *one = &steady->late.data[i];
		int64_t left = (one->when.tv_sec - now.tv_sec) * INT64_C(1000000000) +
			       one->when.tv_nsec - now.tv_nsec;
		if (left <= 0) {
			reply(steady->listener, one->id, &nothing);
			*one = steady->late.data[--steady->late.len];
		} else if (least < 0 || left < least) {
			least = left;
		}
	}
	return least < 0 ? -1 : (int)((least + 999999) / 1000000);
}

static void *answer_all(void *arg)
{
	struct eng_steady *steady = arg;
	for (;;) {
		struct pollfd from[] = {{.fd = steady->listener, .events = POLLIN},
			{.fd = steady->stop, .events = POLLIN}};
		if (poll(from, 2, answer_late(steady)) < 0 && errno != EINTR)
			return NULL;
		if (from[1].revents || from[0].revents & (POLLHUP | POLLERR | POLLNVAL))
			return NULL;
		if (from[0].revents & POLLIN)
			answer_one(steady);
	}
}

/* --- life ------------------------------------------------------------------------------------- */

struct xs_error *eng_steady_create(const char *path, struct eng_steady **ret)
{
	XS_AUTO(eng_steady) steady = xs_calloc(1, sizeof *steady);
	struct stat about;
	int pair[2];
	steady->ours = steady->its = steady->listener = steady->stop = -1;
	if (stat(path, &about))
		return xs_error_sys("%s", path);
	steady->device = about.st_dev;
	steady->number = about.st_ino;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return xs_error_sys("socketpair");
	steady->ours = pair[0];
	steady->its = pair[1];
	if ((steady->stop = eventfd(0, EFD_CLOEXEC)) < 0)
		return xs_error_sys("eventfd");
	*ret = xs_take(&steady);
	return NULL;
}

/* Room for one descriptor on its way. */
union control {
	struct cmsghdr header; /* for its alignment */
	char bytes[CMSG_SPACE(sizeof(int))];
};

void eng_steady_enter(const struct eng_steady *steady)
{
	int listener = eng_steady_filter();
	char byte = 0;
	struct iovec data = {&byte, sizeof byte};
	union control control = {0};
	struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
	if (listener >= 0) {
		message.msg_control = &control;
		message.msg_controllen = sizeof control;
		struct cmsghdr *header = CMSG_FIRSTHDR(&message);
		header->cmsg_level = SOL_SOCKET;
		header->cmsg_type = SCM_RIGHTS;
		header->cmsg_len = CMSG_LEN(sizeof listener);
		memcpy(CMSG_DATA(header), &listener, sizeof listener);
	}
	(void)!sendmsg(steady->its, &message, MSG_NOSIGNAL);
	if (listener >= 0)
		close(listener);
}

/* The listener that the child sends; -1 if it has none. */
static int receive(const struct eng_steady *steady)
{
	char byte;
	struct iovec data = {&byte, sizeof byte};
	union control control = {0};
	struct msghdr message = {.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof control};
	ssize_t got;
	while ((got = recvmsg(steady->ours, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
		;
	struct cmsghdr *header = got > 0 ? CMSG_FIRSTHDR(&message) : NULL;
	int ret = -1;
	if (header && header->cmsg_type == SCM_RIGHTS)
		memcpy(&ret, CMSG_DATA(header), sizeof ret);
	return ret;
}

void eng_steady_begin(struct eng_steady *steady)
{
	uint64_t flags = SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP;
	sigset_t all, before;
	close(steady->its); /* or we would not notice that the child is gone */
	steady->its = -1;
	steady->listener = receive(steady);
	if (steady->listener >= 0) {
		/* It is faster so, where it is known. */
		ioctl(steady->listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, flags);
		/* Signals are for the thread that was there before. */
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &before);
		steady->runs = !pthread_create(&steady->thread, NULL, answer_all, steady);
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	if (!steady->runs)
		xs_log(XS_LOG_ENGINE, XS_LOG_WARN,
			"this kernel does not let xstep answer for it (seccomp, Linux 5.19): time, "
			"process numbers and random bytes are what they are in each run");
}

bool eng_steady_works(const struct eng_steady *steady)
{
	return steady && steady->runs;
}

bool eng_steady_answers(const struct eng_steady *steady, long number)
{
	switch (number) {
	case SYS_nanosleep:
	case SYS_clock_nanosleep:
	case SYS_select:
	case SYS_pselect6:
	case SYS_poll:
	case SYS_ppoll:
	case SYS_epoll_wait:
	case SYS_epoll_pwait:
	case SYS_futex:
	case SYS_open: /* a pipe may have no other end yet */
	case SYS_openat:
		return false;
	case SYS_clock_gettime:
	case SYS_gettimeofday:
	case SYS_time:
	case SYS_times:
	case SYS_getrusage:
	case SYS_sysinfo:
	case SYS_getpid:
	case SYS_gettid:
	case SYS_getppid:
	case SYS_getpgrp:
	case SYS_getpgid:
	case SYS_getsid:
	case SYS_getrandom:
	case SYS_kill:
	case SYS_tkill:
	case SYS_tgkill:
		return eng_steady_works(steady);
	default:
		return false;
	}
}

void eng_steady_sign(const struct eng_event *event)
{
	siginfo_t info;
	if (event->kind != ENG_EVENT_SIGNAL || event->signal_code > 0 ||
		ptrace(PTRACE_GETSIGINFO, event->pid, NULL, &info) || info.si_pid != getpid() ||
		(info.si_code != SI_USER && info.si_code != SI_TKILL))
		return;
	info.si_pid = ENG_STEADY_PID;
	ptrace(PTRACE_SETSIGINFO, event->pid, NULL, &info);
}

/* Rule 5: somebody has to answer, or their calls would fail. It ends with the last of them. */
static _Noreturn void stay_for(int listener)
{
	static const struct eng_steady_answer by_kernel = {.fd = -1};
	setsid();
	dup2(listener, 0);
	close_range(1, ~0u, 0);
	for (;;) {
		struct seccomp_notif question = {0};
		struct pollfd from = {.fd = 0, .events = POLLIN};
		if ((poll(&from, 1, -1) < 0 && errno != EINTR) ||
			from.revents & (POLLHUP | POLLERR | POLLNVAL))
			_exit(0);
		if (from.revents && !ioctl(0, SECCOMP_IOCTL_NOTIF_RECV, &question))
			reply(0, question.id, &by_kernel);
	}
}

/* Whether nobody can ask any more. */
static bool is_over(const struct eng_steady *steady)
{
	struct pollfd from = {.fd = steady->listener};
	return poll(&from, 1, 0) > 0 && from.revents & POLLHUP;
}

static void leave(struct eng_steady *steady)
{
	uint64_t one = 1;
	(void)!write(steady->stop, &one, sizeof one);
	pthread_join(steady->thread, NULL);
	if (is_over(steady))
		return;
	pid_t child = fork();
	if (!child) {
		/* Nobody waits for the one that stays. */
		if (fork())
			_exit(0);
		stay_for(steady->listener);
	}
	while (child > 0 && waitpid(child, NULL, __WALL) < 0 && errno == EINTR)
		;
}

void eng_steady_destroy(struct eng_steady *steady)
{
	if (!steady)
		return;
	if (steady->runs)
		leave(steady);
	if (atomic_load(&steady->passed_pid))
		xs_log(XS_LOG_ENGINE, XS_LOG_WARN,
			"the program told the kernel its process number, %d, which is not the real "
			"one: what it asked for failed; see --no-steady",
			ENG_STEADY_PID);
	int fds[] = {steady->ours, steady->its, steady->listener, steady->stop};
	for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	xs_map_deinit(&steady->known);
	xs_vec_deinit(&steady->processes);
	xs_vec_deinit(&steady->late);
	free(steady);
}
