#include "engine/steady_answer.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/map.h"
#include "engine/constant.h"

#define SECOND UINT64_C(1000000000) /* in nanoseconds, as all times here */

/* The clock. It is in the past: a time that the program works out from it and has the kernel wait
 * for has come already. In the future it might not come for years. */
static const uint64_t epoch = 1000000000 * SECOND; /* 2001-09-09 01:46:40 */
static const uint64_t uptime = 1000 * SECOND;
static const uint64_t step = SECOND / 1000; /* with each question */

enum {
	PATH_ROOM = 128,         /* of a path that may be one that we know */
	DEVICE_BYTES = 1 << 20,  /* that /dev/urandom has */
	RANDOM_CHUNK = 256,      /* bytes at a time */
	RANDOM_MAX = 1 << 20,    /* bytes in one answer */
	FUTEX_NAP = 1000 * 1000, /* nanoseconds until a waiter looks again */
	TICKS = 100,             /* of times() in a second */
};

static const struct eng_steady_answer by_kernel = {.fd = -1};

static struct eng_steady_answer returns(int64_t value)
{
	return (struct eng_steady_answer){.ours = true, .value = value, .fd = -1};
}

pid_t eng_steady_status(pid_t pid, const char *key)
{
	char path[64], text[1024] = "";
	snprintf(path, sizeof path, "/proc/%d/status", pid);
	XS_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
	const char *found = size > 0 ? strstr(text, key) : NULL;
	return found ? (pid_t)strtol(found + strlen(key), NULL, 10) : 0;
}

/* --- its memory ------------------------------------------------------------------------------- */

static bool write_to(pid_t pid, uint64_t address, const void *bytes, size_t size)
{
	struct iovec ours = {(void *)(uintptr_t)bytes, size},
		     its = {(void *)(uintptr_t)address, size};
	return process_vm_writev(pid, &ours, 1, &its, 1, 0) == (ssize_t)size;
}

static size_t read_some(pid_t pid, uint64_t address, void *bytes, size_t size)
{
	struct iovec ours = {bytes, size}, its = {(void *)(uintptr_t)address, size};
	ssize_t got = process_vm_readv(pid, &ours, 1, &its, 1, 0);
	return got > 0 ? (size_t)got : 0;
}

static bool read_from(pid_t pid, uint64_t address, void *bytes, size_t size)
{
	return read_some(pid, address, bytes, size) == size;
}

/* A path, or what there is of it. */
static void read_path(pid_t pid, uint64_t address, char path[PATH_ROOM])
{
	enum { PAGE = 4096 };
	/* A page at a time, for behind the text there may be none. */
	size_t first = PAGE - address % PAGE, got;
	first = first < PATH_ROOM - 1 ? first : PATH_ROOM - 1;
	memset(path, 0, PATH_ROOM);
	got = read_some(pid, address, path, first);
	if (got == first && !memchr(path, 0, first))
		read_some(pid, address + first, path + first, PATH_ROOM - 1 - first);
}

/* Gives the program what it wants at an address. */
static struct eng_steady_answer gives(
	pid_t pid, uint64_t address, const void *bytes, size_t size, int64_t value)
{
	return returns(write_to(pid, address, bytes, size) ? value : -EFAULT);
}

/* --- time ------------------------------------------------------------------------------------- */

static uint64_t real_now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

/* What the clock shows, without asking. */
static uint64_t clock_of(const struct eng_steady_process *process, int64_t id)
{
	if (id < 0 || id == CLOCK_PROCESS_CPUTIME_ID || id == CLOCK_THREAD_CPUTIME_ID)
		return process->now;
	bool runs = id == CLOCK_MONOTONIC || id == CLOCK_MONOTONIC_RAW ||
		    id == CLOCK_MONOTONIC_COARSE || id == CLOCK_BOOTTIME ||
		    id == CLOCK_BOOTTIME_ALARM;
	return process->now + (runs ? uptime : epoch);
}

/* A question: the clock moves. If the process was to wait for something, and has waited for as long
 * as it wanted to, by that much. */
static void tick(struct eng_steady_process *process)
{
	if (process->waits && real_now() - process->waits_at >= process->waits)
		process->now += process->waits;
	process->waits = 0;
	process->now += step;
}

static struct timespec to_timespec(uint64_t time)
{
	return (struct timespec){(time_t)(time / SECOND), (long)(time % SECOND)};
}

static struct timeval to_timeval(uint64_t time)
{
	return (struct timeval){(time_t)(time / SECOND), (suseconds_t)(time % SECOND / 1000)};
}

/* A time that the program has somewhere; false if it makes no sense: the kernel will say so. */
static bool read_time(pid_t pid, uint64_t address, long parts, uint64_t *ret)
{
	int64_t value[2];
	if (!read_from(pid, address, value, sizeof value) || value[0] < 0 || value[1] < 0 ||
		value[1] >= parts || value[0] > INT32_MAX * INT64_C(4))
		return false;
	*ret = (uint64_t)value[0] * SECOND + (uint64_t)value[1] * (SECOND / (uint64_t)parts);
	return true;
}

static struct eng_steady_answer ask_clock(
	struct eng_steady_process *process, const struct eng_steady_question *question)
{
	const uint64_t *args = question->args;
	tick(process);
	struct timespec time = to_timespec(clock_of(process, (int32_t)args[0]));
	/* Which clocks there are is the kernel's business. */
	if (clock_getres((clockid_t)args[0], NULL))
		return by_kernel;
	return gives(question->pid, args[1], &time, sizeof time, 0);
}

static struct eng_steady_answer ask_day(
	struct eng_steady_process *process, const struct eng_steady_question *question)
{
	const uint64_t *args = question->args;
	static const struct timezone zone;
	tick(process);
	struct timeval time = to_timeval(clock_of(process, CLOCK_REALTIME));
	if (args[1] && !write_to(question->pid, args[1], &zone, sizeof zone))
		return returns(-EFAULT);
	return args[0] ? gives(question->pid, args[0], &time, sizeof time, 0) : returns(0);
}

static struct eng_steady_answer ask_time(
	struct eng_steady_process *process, const struct eng_steady_question *question)
{
	const uint64_t *args = question->args;
	tick(process);
	time_t time = (time_t)(clock_of(process, CLOCK_REALTIME) / SECOND);
	return args[0] ? gives(question->pid, args[0], &time, sizeof time, time) : returns(time);
}

static struct eng_steady_answer ask_times(
	struct eng_steady_process *process, const struct eng_steady_question *question)
{
	const uint64_t *args = question->args;
	tick(process);
	struct tms used = {.tms_utime = (clock_t)(process->now * TICKS / SECOND)};
	int64_t value = (int64_t)(clock_of(process, CLOCK_MONOTONIC) * TICKS / SECOND);
	return args[0] ? gives(question->pid, args[0], &used, sizeof used, value) : returns(value);
}

static struct eng_steady_answer ask_usage(
	struct eng_steady_process *process, const struct eng_steady_question *question)
{
	tick(process);
	struct rusage usage = {.ru_utime = to_timeval(process->now)};
	if ((int)question->args[0] == RUSAGE_CHILDREN)
		usage.ru_utime = (struct timeval){0};
	return gives(question->pid, question->args[1], &usage, sizeof usage, 0);
}

/* What the machine has stays, what is used of it does not show. */
static struct eng_steady_answer ask_system(
	struct eng_steady_process *process, const struct eng_steady_question *question)
{
	struct sysinfo info;
	tick(process);
	if (sysinfo(&info))
		return by_kernel;
	info.uptime = (long)(clock_of(process, CLOCK_BOOTTIME) / SECOND);
	memset(info.loads, 0, sizeof info.loads);
	info.freeram = info.totalram / 2;
	info.freeswap = info.totalswap;
	info.sharedram = info.bufferram = 0;
	info.freehigh = info.totalhigh;
	info.procs = 1;
	return gives(question->pid, question->args[0], &info, sizeof info, 0);
}

/* --- waiting ---------------------------------------------------------------------------------- */

/* It really sleeps, and the clock moves by that. But if it sleeps until a time, that has come. */
static struct eng_steady_answer sleeps(
	struct eng_steady_process *process, const struct eng_steady_question *question)
{
	const uint64_t *args = question->args;
	bool by_clock = question->call == SYS_clock_nanosleep;
	uint64_t time;
	if (!read_time(question->pid, args[by_clock ? 2 : 0], SECOND, &time))
		return by_kernel;
	if (!by_clock || !(args[1] & TIMER_ABSTIME)) {
		process->now += time;
		return by_kernel;
	}
	uint64_t shown = clock_of(process, (int32_t)args[0]);
	process->now += time > shown ? time - shown : 0;
	return returns(0);
}

/* It waits for something to happen, but not forever. */
static struct eng_steady_answer waits(
	struct eng_steady_process *process, const struct eng_steady_question *question)
{
	const uint64_t *args = question->args;
	uint64_t time = 0, things = args[0];
	switch (question->call) {
	case SYS_select:
		if (!read_time(question->pid, args[4], 1000000, &time))
			return by_kernel;
		break;
	case SYS_pselect6:
		if (!read_time(question->pid, args[4], SECOND, &time))
			return by_kernel;
		break;
	case SYS_ppoll:
		things = args[1];
		if (!read_time(question->pid, args[2], SECOND, &time))
			return by_kernel;
		break;
	case SYS_poll:
		things = args[1];
		time = (uint32_t)args[2] * (SECOND / 1000);
		break;
	default: /* epoll_wait, epoll_pwait */
		things = 1;
		time = (uint32_t)args[3] * (SECOND / 1000);
	}
	if (!things) {
		process->now += time;
		return by_kernel;
	}
	process->waits = time;
	process->waits_at = real_now();
	return by_kernel;
}

/* Another thread is to change the word. The kernel would wait by its own clock; we let the waiter
 * look again and again. To be woken up without a reason is something that it must expect. */
static struct eng_steady_answer waits_for_word(
	struct eng_steady_process *process, const struct eng_steady_question *question)
{
	const uint64_t *args = question->args;
	uint64_t until;
	uint32_t word;
	if (!read_time(question->pid, args[3], SECOND, &until) ||
		!read_from(question->pid, args[0], &word, sizeof word))
		return by_kernel;
	if (word != (uint32_t)args[2])
		return returns(-EAGAIN);
	uint64_t shown = clock_of(
		process, args[1] & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC);
	if (until <= shown)
		return returns(-ETIMEDOUT);
	struct eng_steady_answer ret = returns(0);
	ret.delay = until - shown < FUTEX_NAP ? until - shown : FUTEX_NAP;
	process->now += ret.delay;
	return ret;
}

/* --- numbers of processes --------------------------------------------------------------------- */

/* The number as the kernel knows it. */
static pid_t real_pid(const struct eng_steady_process *process, uint64_t number)
{
	pid_t pid = (pid_t)number;
	return pid == ENG_STEADY_PID    ? process->first_pid
	       : pid == -ENG_STEADY_PID ? -process->first_pid
					: pid;
}

/* Whether the first process has several threads. */
static bool has_threads(const struct eng_steady_process *process)
{
	char path[64];
	struct stat about;
	snprintf(path, sizeof path, "/proc/%d/task", process->first_pid);
	return stat(path, &about) || about.st_nlink > 3; /* itself, its parent, the first thread */
}

/* The C library tells a thread to end by a signal, and looks whether getpid() has sent it. No other
 * process can send one that looks so: then the number must be the real one. */
static struct eng_steady_answer shown_pid(const struct eng_steady_process *process, pid_t pid)
{
	return pid == process->first_pid && !has_threads(process) ? returns(ENG_STEADY_PID)
								  : by_kernel;
}

static struct eng_steady_answer ask_pid(
	struct eng_steady_process *process, const struct eng_steady_question *question)
{
	pid_t asks = question->pid;
	switch (question->call) {
	case SYS_getpid:
		return shown_pid(process, process->pid);
	case SYS_gettid:
		return shown_pid(process, asks);
	case SYS_getppid:
		return process->first ? returns(ENG_STEADY_PID - 1)
				      : shown_pid(process, eng_steady_status(asks, "PPid:"));
	case SYS_getpgid:
		return returns(getpgid(process->first_pid) == process->first_pid
				       ? ENG_STEADY_PID
				       : getpgid(process->first_pid));
	case SYS_getsid:
		return returns(getsid(process->first_pid) == process->first_pid
				       ? ENG_STEADY_PID
				       : getsid(process->first_pid));
	default: /* getpgrp */
		return shown_pid(process, getpgid(asks));
	}
}

/* It sends a signal to who has that number: to itself, mostly. */
static struct eng_steady_answer sends(
	struct eng_steady_process *process, const struct eng_steady_question *question)
{
	const uint64_t *args = question->args;
	bool queues =
		question->call == SYS_rt_sigqueueinfo || question->call == SYS_rt_tgsigqueueinfo;
	bool thread = question->call == SYS_rt_tgsigqueueinfo || question->call == SYS_tgkill;
	pid_t to = real_pid(process, args[0]), which = real_pid(process, args[1]);
	siginfo_t info = {0};
	if (queues && !read_from(question->pid, args[thread ? 3 : 2], &info, sizeof info))
		return returns(-EFAULT);
	long failed = thread ? syscall(question->call, to, which, (int)args[2], &info)
			     : syscall(question->call, to, (int)args[1], &info);
	return returns(failed ? -errno : 0);
}

/* --- random bytes ----------------------------------------------------------------------------- */

/* What a process that was forked is given differs from what its parent is: randoms sees to that. */
static void random_bytes(struct eng_steady_process *process, uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
		uint64_t word = xs_mix(++process->randoms);
		memcpy(bytes + i, &word, size - i < sizeof word ? size - i : sizeof word);
	}
}

static struct eng_steady_answer ask_random(
	struct eng_steady_process *process, const struct eng_steady_question *question)
{
	const uint64_t *args = question->args;
	uint8_t bytes[RANDOM_CHUNK];
	uint64_t size = args[1] < RANDOM_MAX ? args[1] : RANDOM_MAX, done = 0;
	if (args[2] & ~(uint64_t)(GRND_NONBLOCK | GRND_RANDOM | 4 /* GRND_INSECURE */))
		return by_kernel;
	/* As constant.h has it. */
	if (!process->key_given && args[1] == sizeof(uint64_t) && args[2] == GRND_NONBLOCK) {
		process->key_given = true;
		return gives(question->pid, args[0], eng_constant_random, sizeof(uint64_t),
			sizeof(uint64_t));
	}
	while (done < size) {
		size_t some = size - done < sizeof bytes ? (size_t)(size - done) : sizeof bytes;
		random_bytes(process, bytes, some);
		if (!write_to(question->pid, args[0] + done, bytes, some))
			return returns(done ? (int64_t)done : -EFAULT);
		done += some;
	}
	return returns((int64_t)done);
}

/* A file with such bytes; -1 if there can be none. */
static int random_file(struct eng_steady_process *process)
{
	XS_AUTO_FREE uint8_t *bytes = malloc(DEVICE_BYTES);
	int fd = memfd_create("urandom", MFD_CLOEXEC);
	if (fd < 0 || !bytes)
		return fd;
	random_bytes(process, bytes, DEVICE_BYTES);
	(void)!pwrite(fd, bytes, DEVICE_BYTES, 0);
	return fd;
}

static struct eng_steady_answer opens(
	struct eng_steady_process *process, const struct eng_steady_question *question)
{
	bool at = question->call == SYS_openat;
	const uint64_t *args = question->args + at;
	char path[PATH_ROOM], own[32], real[PATH_ROOM + 16];
	struct eng_steady_answer ret = {.fd = -1};
	read_path(question->pid, args[0], path);
	int length = snprintf(own, sizeof own, "/proc/%d/", ENG_STEADY_PID);
	if (!strcmp(path, "/dev/urandom") || !strcmp(path, "/dev/random")) {
		ret.fd = random_file(process);
	} else if (!strncmp(path, own, (size_t)length) && strlen(path) < PATH_ROOM - 1) {
		snprintf(real, sizeof real, "/proc/%d/%s", process->first_pid, path + length);
		ret.fd = open(real, (int)args[1] | O_CLOEXEC | O_NOCTTY);
	}
	ret.ours = ret.by_fd = ret.fd >= 0;
	ret.value = args[1] & O_CLOEXEC;
	return ret;
}

/* --- all of them ------------------------------------------------------------------------------ */

struct eng_steady_answer eng_steady_answer(
	struct eng_steady_process *process, const struct eng_steady_question *question)
{
	struct eng_steady_answer ret = by_kernel;
	switch (question->call) {
	case SYS_clock_gettime:
		return ask_clock(process, question);
	case SYS_gettimeofday:
		return ask_day(process, question);
	case SYS_time:
		return ask_time(process, question);
	case SYS_times:
		return ask_times(process, question);
	case SYS_getrusage:
		return ask_usage(process, question);
	case SYS_sysinfo:
		return ask_system(process, question);
	case SYS_getpid:
	case SYS_gettid:
	case SYS_getppid:
	case SYS_getpgrp:
	case SYS_getpgid:
	case SYS_getsid:
		return ask_pid(process, question);
	case SYS_getrandom:
		return ask_random(process, question);
	case SYS_open:
	case SYS_openat:
		return opens(process, question);
	case SYS_nanosleep:
	case SYS_clock_nanosleep:
		return sleeps(process, question);
	case SYS_select:
	case SYS_pselect6:
	case SYS_poll:
	case SYS_ppoll:
	case SYS_epoll_wait:
	case SYS_epoll_pwait:
		return waits(process, question);
	case SYS_futex:
		return waits_for_word(process, question);
	case SYS_kill:
	case SYS_tkill:
	case SYS_tgkill:
	case SYS_rt_sigqueueinfo:
	case SYS_rt_tgsigqueueinfo:
		return sends(process, question);
	default:
		ret.passed_pid = true;
		return ret;
	}
}
