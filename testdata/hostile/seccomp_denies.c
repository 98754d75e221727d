/* A filter denies mmap, mprotect, ptrace and getpid, and sends SIGSYS for getuid. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DENY(number, action)                                                                       \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, action)

static volatile int caught;

static void on_sys(int number)
{
	(void)number;
	caught++;
}

int main(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		DENY(SYS_mmap, SECCOMP_RET_ERRNO | 1),
		DENY(SYS_munmap, SECCOMP_RET_ERRNO | 1),
		DENY(SYS_mprotect, SECCOMP_RET_ERRNO | 1),
		DENY(SYS_ptrace, SECCOMP_RET_ERRNO | 1),
		DENY(SYS_getpid, SECCOMP_RET_ERRNO | 17),
		DENY(SYS_getuid, SECCOMP_RET_TRAP),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
	signal(SIGSYS, on_sys);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
	int first = (int)syscall(SYS_getpid), number = errno;
	syscall(SYS_getuid);
	printf("%d %d %d\n", first, number, caught);
	return 0;
}
