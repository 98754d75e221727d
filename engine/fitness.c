#include "engine/fitness.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "engine/permission.h"

/* Waits to be looked at. */
static pid_t start_child(void)
{
	pid_t pid = fork();
	if (!pid)
		for (;;)
			pause();
	return pid;
}

static void end_child(pid_t pid)
{
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, __WALL) < 0 && errno == EINTR)
		;
}

/* Writes what is at the child's pc there again, as a breakpoint would be written. */
static struct xs_error *write_code(pid_t pid, uint64_t pc)
{
	XS_AUTO_FREE char *path = xs_asprintf("/proc/%d/mem", pid);
	int memory = open(path, O_RDWR | O_CLOEXEC);
	char byte;
	bool done = memory >= 0 && pread(memory, &byte, 1, (off_t)pc) == 1 &&
		    pwrite(memory, &byte, 1, (off_t)pc) == 1;
	struct xs_error *err = done ? NULL : xs_error_sys("%s", path);
	if (memory >= 0)
		close(memory);
	return err;
}

/* Of a child that is held. */
static struct xs_error *step(pid_t pid)
{
	struct user_regs_struct regs;
	int status;
	if (ptrace(PTRACE_INTERRUPT, pid, NULL, NULL) || waitpid(pid, &status, __WALL) != pid)
		return xs_error_sys("ptrace(INTERRUPT, %d)", pid);
	if (ptrace(PTRACE_GETREGS, pid, NULL, &regs))
		return xs_error_sys("ptrace(GETREGS, %d)", pid);
	struct xs_error *err = write_code(pid, regs.rip);
	if (err)
		return err;
	if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL))
		return xs_error_sys("ptrace(SINGLESTEP, %d)", pid);
	return NULL;
}

struct xs_error *eng_fitness_ptrace(void)
{
	pid_t pid = start_child();
	if (pid < 0)
		return xs_error_sys("fork()");
	struct xs_error *err = ptrace(PTRACE_SEIZE, pid, NULL, PTRACE_O_EXITKILL)
				       ? eng_permission_error(pid)
				       : step(pid);
	end_child(pid);
	return err;
}

struct xs_error *eng_fitness_layout(void)
{
	int status = 0;
	pid_t pid = fork();
	if (!pid)
		_exit(personality(ADDR_NO_RANDOMIZE) < 0 ||
			!(personality(0xffffffff) & ADDR_NO_RANDOMIZE));
	if (pid < 0)
		return xs_error_sys("fork()");
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!status)
		return NULL;
	return xs_error_create("personality(ADDR_NO_RANDOMIZE) is forbidden, as container runtimes "
			       "do it: addresses differ from run to run; start the container with "
			       "--security-opt seccomp=unconfined");
}

struct xs_error *eng_fitness_steady(void)
{
	struct seccomp_notif_sizes sizes;
	uint32_t action = SECCOMP_RET_USER_NOTIF;
	if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) ||
		syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes))
		return xs_error_create("this kernel does not hand system calls to another process "
				       "(SECCOMP_RET_USER_NOTIF, Linux 5.0): with --steady the "
				       "time and random bytes are what they are");
	return NULL;
}
