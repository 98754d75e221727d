#include "oracle/witness/debugger/lent.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include "base/log.h"
#include "oracle/witness/debugger/copy.h"

enum {
	ANSWER_MS = 30000, /* that a kept debugger has; it may have to be started first */
	FDS = 3,           /* what a question has of them */
};

char *ora_lent_door(const char *folder, enum ora_witness_kind kind)
{
	return xs_asprintf("%s/%s", folder, ora_witness_name(kind));
}

/* --- asking ----------------------------------------------------------------------------------- */

static int connect_to(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	if (snprintf(address.sun_path, sizeof address.sun_path, "%s", path) >=
		(int)sizeof address.sun_path)
		return -1;
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static void put_limits(FILE *out)
{
	static const enum __rlimit_resource kinds[] = {RLIMIT_AS, RLIMIT_CORE, RLIMIT_CPU,
		RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_STACK};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
		getrlimit(kinds[i], &limit);
		fprintf(out, "%s%d:%lld:%lld", i ? "," : "", (int)kinds[i],
			(long long)limit.rlim_cur, (long long)limit.rlim_max);
	}
	fputc(0, out);
}

/* The texts of a question (drivers/kept.py); to be freed. */
static char *make_question(
	const struct ora_witness *witness, char *const *variables, const char *folder, size_t *size)
{
	ora_helper_strings environment = {0};
	char here[PATH_MAX], *text = NULL;
	FILE *out = open_memstream(&text, size);
	xs_assert(out);
	fprintf(out, "%s%c%s%c%d%c", witness->path, 0,
		folder                      ? folder
		: getcwd(here, sizeof here) ? here
					    : ".",
		0, (int)getpgrp(), 0);
	put_limits(out);
	ora_helper_environment(variables, &environment);
	for (char **each = environment.data; *each; each++)
		fprintf(out, "%s%c", *each, 0);
	xs_vec_deinit(&environment);
	xs_assert(!fclose(out));
	return text;
}

static bool send_question(int connection, char *text, size_t size, const int *fds)
{
	struct iovec data = {text, size};
	union {
		struct cmsghdr header; /* for its alignment */
		char bytes[CMSG_SPACE(FDS * sizeof *fds)];
	} control = {0};
	struct msghdr message = {.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof control};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(FDS * sizeof *fds);
	memcpy(CMSG_DATA(header), fds, FDS * sizeof *fds);
	return sendmsg(connection, &message, MSG_NOSIGNAL) == (ssize_t)size;
}

/* The copy that was made: its process; 0: none was. */
static pid_t hear_answer(int connection, int *pidfd)
{
	char text[64];
	int pid = 0;
	struct iovec data = {text, sizeof text - 1};
	union {
		struct cmsghdr header; /* for its alignment */
		char bytes[CMSG_SPACE(sizeof *pidfd)];
	} control = {0};
	struct msghdr message = {.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof control};
	struct pollfd wanted = {.fd = connection, .events = POLLIN};
	while (poll(&wanted, 1, ANSWER_MS) < 0 && errno == EINTR)
		continue;
	ssize_t got = recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
	const struct cmsghdr *header = got > 0 ? CMSG_FIRSTHDR(&message) : NULL;
	if (!header || header->cmsg_type != SCM_RIGHTS)
		return 0;
	memcpy(pidfd, CMSG_DATA(header), sizeof *pidfd);
	text[got] = 0;
	return sscanf(text, "copy %d", &pid) == 1 ? pid : 0;
}

bool ora_lent_borrow(const struct ora_witness *witness, char *const *variables, const char *folder,
	struct ora_helper *ret)
{
	const char *place = getenv(ORA_LENT_FOLDER);
	int said[2], lines[2], life[2];
	size_t size;
	if (!place || !*place)
		return false;
	XS_AUTO_FREE char *door = ora_lent_door(place, witness->kind);
	XS_AUTO_CLOSE int connection = connect_to(door);
	if (connection < 0 || pipe2(said, O_CLOEXEC))
		return false;
	XS_AUTO_CLOSE int said_read = said[0], said_write = said[1];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, lines))
		return false;
	XS_AUTO_CLOSE int lines_read = lines[0], lines_write = lines[1];
	if (pipe2(life, O_CLOEXEC))
		return false;
	XS_AUTO_CLOSE int life_read = life[0], life_write = life[1], pidfd = -1;
	XS_AUTO_FREE char *question = make_question(witness, variables, folder, &size);
	pid_t pid = 0;
	if (send_question(connection, question, size, (int[]){said_write, lines_write, life_read}))
		pid = hear_answer(connection, &pidfd);
	xs_log(XS_LOG_ORACLE, XS_LOG_INFO, "%s: %s", door, pid ? "lent" : "no answer");
	if (!pid)
		return false;
	fcntl(said_read, F_SETFL, O_NONBLOCK);
	fcntl(lines_read, F_SETFL, O_NONBLOCK);
	*ret = (struct ora_helper){.pid = pid, .said = said_read, .results = lines_read};
	ret->lent = xs_calloc(1, sizeof *ret->lent);
	*ret->lent = (struct ora_copy){connection, life_write, pidfd};
	said_read = lines_read = connection = life_write = pidfd = -1;
	return true;
}
