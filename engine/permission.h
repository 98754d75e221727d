/* permission.h - why the kernel refused ptrace, in words that help. */
#ifndef ENG_PERMISSION_H
#define ENG_PERMISSION_H

#include <sys/types.h>

#include "base/error.h"

/* The error of a refused PTRACE_SEIZE of pid, errno being what it failed with. */
XS_MUST_CHECK struct xs_error *eng_permission_error(pid_t pid);

/* For tests: the same from the texts of /proc/sys/kernel/yama/ptrace_scope, /proc/self/status and
 * /proc/PID/status ("" for what is not there). */
const char *eng_permission_reason(const char *yama, const char *own_status,
	const char *child_status, char *buffer, size_t size);

#endif
