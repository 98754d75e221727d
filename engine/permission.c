#include "engine/permission.h"

#include <errno.h>
#include <fcntl.h>

#include "base/alloc.h"

static void read_text(const char *path, char *text, size_t size)
{
	XS_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? 0 : read(fd, text, size - 1);
	text[length > 0 ? length : 0] = 0;
}

/* The number behind "<key>:" at the start of a line of a status file, 0 if there is none. */
static long status_number(const char *status, const char *key)
{
	size_t length = strlen(key);
	for (const char *line = status; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, key, length) && line[length] == ':')
			return strtol(line + length + 1, NULL, 10);
		if (!*line)
			break;
	}
	return 0;
}

const char *eng_permission_reason(const char *yama, const char *own_status,
	const char *child_status, char *buffer, size_t size)
{
	long tracer = status_number(child_status, "TracerPid");
	if (tracer)
		snprintf(buffer, size,
			"the program is already traced by process %ld; "
			"run xstep outside of that tracer (strace -f, gdb, rr)",
			tracer);
	else if (strtol(yama, NULL, 10) >= 3)
		snprintf(buffer, size,
			"Yama forbids it (kernel.yama.ptrace_scope is %ld): only a reboot with "
			"a lower value changes that",
			strtol(yama, NULL, 10));
	else if (status_number(own_status, "Seccomp") == 2)
		snprintf(buffer, size,
			"a seccomp filter forbids it, as container runtimes install; "
			"start the container with the SYS_PTRACE capability or without the filter");
	else
		snprintf(buffer, size,
			"neither Yama nor seccomp nor another tracer explains it: "
			"a security module (SELinux, AppArmor) may");
	return buffer;
}

struct xs_error *eng_permission_error(pid_t pid)
{
	int number = errno;
	char yama[64], own[4096], child[4096], reason[256];
	XS_AUTO_FREE char *child_path = xs_asprintf("/proc/%d/status", pid);
	read_text("/proc/sys/kernel/yama/ptrace_scope", yama, sizeof yama);
	read_text("/proc/self/status", own, sizeof own);
	read_text(child_path, child, sizeof child);
	eng_permission_reason(yama, own, child, reason, sizeof reason);
	return xs_error_create("ptrace is not permitted (%s): %s", strerror(number), reason);
}
