#include "engine/steady_filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/steady_answer.h"

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV /* Linux 5.19 */
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

enum { X32_CALL = 0x40000000, ROOM = 256 };

/* Handed over whatever they ask. */
static const uint16_t always[] = {SYS_clock_gettime, SYS_gettimeofday, SYS_time, SYS_times,
	SYS_getrusage, SYS_sysinfo, SYS_getpid, SYS_gettid, SYS_getppid, SYS_getpgrp, SYS_getrandom,
	SYS_open, SYS_openat, SYS_execve, SYS_execveat, SYS_nanosleep, SYS_clock_nanosleep};

/* Handed over if an argument is the number that we gave out: first what we do for the program, then
 * what we only take note of. */
static const struct {
	uint16_t call;
	uint8_t argument;
} of_pid[] = {{SYS_kill, 0}, {SYS_tkill, 0}, {SYS_tgkill, 0}, {SYS_tgkill, 1},
	{SYS_rt_sigqueueinfo, 0}, {SYS_rt_tgsigqueueinfo, 0}, {SYS_getpgid, 0}, {SYS_getsid, 0},
	{SYS_setpgid, 0}, {SYS_setpgid, 1}, {SYS_sched_setaffinity, 0}, {SYS_sched_getaffinity, 0},
	{SYS_sched_setscheduler, 0}, {SYS_sched_getscheduler, 0}, {SYS_sched_setparam, 0},
	{SYS_sched_getparam, 0}, {SYS_getpriority, 1}, {SYS_setpriority, 1}, {SYS_prlimit64, 0},
	{SYS_pidfd_open, 0}, {SYS_process_vm_readv, 0}, {SYS_process_vm_writev, 0}};

/* Handed over if they may sleep for a given time: the argument is a pointer to it, or a number of
 * milliseconds. */
static const struct {
	uint16_t call;
	uint8_t argument;
	bool number;
} timed[] = {{SYS_poll, 2, true}, {SYS_epoll_wait, 3, true}, {SYS_epoll_pwait, 3, true},
	{SYS_select, 4, false}, {SYS_pselect6, 4, false}, {SYS_ppoll, 2, false}};

struct program {
	struct sock_filter code[ROOM];
	unsigned short length;
};

static void add(struct program *program, uint16_t code, uint32_t k, uint8_t yes, uint8_t no)
{
	program->code[program->length++] = (struct sock_filter){code, yes, no, k};
}

static void load(struct program *program, size_t offset)
{
	add(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void load_argument(struct program *program, unsigned argument, unsigned half)
{
	load(program, offsetof(struct seccomp_data, args) + 8 * argument + 4 * half);
}

/* Skips `no` instructions unless the loaded word is k. */
static void unless(struct program *program, uint32_t k, uint8_t no)
{
	add(program, BPF_JMP | BPF_JEQ | BPF_K, k, 0, no);
}

static void end(struct program *program, uint32_t what)
{
	add(program, BPF_RET | BPF_K, what, 0, 0);
}

/* The call is this one: tests the argument, which is a pointer or a number. What does not ask us is
 * allowed. */
static void if_timed(struct program *program, unsigned argument, bool number)
{
	load_argument(program, argument, 0);
	if (number) {
		add(program, BPF_JMP | BPF_JGT | BPF_K, INT32_MAX, 1, 0);
		unless(program, 0, 1);
	} else {
		unless(program, 0, 3);
		load_argument(program, argument, 1);
		unless(program, 0, 1);
	}
	end(program, SECCOMP_RET_ALLOW);
	end(program, SECCOMP_RET_USER_NOTIF);
}

/* A futex that is waited for until a given time. */
static void if_futex(struct program *program)
{
	load_argument(program, 1, 0);
	add(program, BPF_ALU | BPF_AND | BPF_K, (uint32_t)FUTEX_CMD_MASK, 0, 0);
	add(program, BPF_JMP | BPF_JEQ | BPF_K, FUTEX_WAIT_BITSET, 1, 0);
	end(program, SECCOMP_RET_ALLOW);
	if_timed(program, 3, false);
}

static void build(struct program *program)
{
	load(program, offsetof(struct seccomp_data, arch));
	add(program, BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
	end(program, SECCOMP_RET_ALLOW);
	load(program, offsetof(struct seccomp_data, nr));
	add(program, BPF_JMP | BPF_JGE | BPF_K, X32_CALL, 0, 1);
	end(program, SECCOMP_RET_ALLOW);
	for (size_t i = 0; i < sizeof always / sizeof *always; i++) {
		unless(program, always[i], 1);
		end(program, SECCOMP_RET_USER_NOTIF);
	}
	for (size_t i = 0; i < sizeof of_pid / sizeof *of_pid; i++) {
		unless(program, of_pid[i].call, 5);
		load_argument(program, of_pid[i].argument, 0);
		add(program, BPF_JMP | BPF_JEQ | BPF_K, ENG_STEADY_PID, 1, 0);
		unless(program, (uint32_t)-ENG_STEADY_PID, 1);
		end(program, SECCOMP_RET_USER_NOTIF);
		load(program, offsetof(struct seccomp_data, nr));
	}
	for (size_t i = 0; i < sizeof timed / sizeof *timed; i++) {
		unless(program, timed[i].call, timed[i].number ? 5 : 6);
		if_timed(program, timed[i].argument, timed[i].number);
	}
	unless(program, SYS_futex, 10);
	if_futex(program);
	end(program, SECCOMP_RET_ALLOW);
}

int eng_steady_filter(void)
{
	struct program program = {.length = 0};
	build(&program);
	struct sock_fprog code = {program.length, program.code};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
		SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, &code);
}
