#include "engine/threads.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "base/log.h"
#include "engine/interrupt.h"
#include "engine/steady_run.h"

enum {
	QUANTUM = 20000,   /* stops of a turn, if others wait */
	PATIENCE_MS = 100, /* time of a turn in code that nobody looks at, if others wait */
	GRACE_MS = 2,      /* how long it may take before its time is measured */
	NAP_US = 20,       /* first nap while a thread is about to sleep or stop */
	NAP_US_MAX = 1000, /* each further one is twice as long, up to this */
};

/* --- what the kernel says --------------------------------------------------------------------- */

static struct eng_thread *find(const struct eng_threads *threads, pid_t pid)
{
	for (size_t i = 0; i < threads->list.len; i++)
		if (threads->list.data[i]->pid == pid && !threads->list.data[i]->fiber->over)
			return threads->list.data[i];
	return NULL;
}

/* Takes note of what waitpid said. */
static void note(struct eng_threads *threads, pid_t pid, int status)
{
	struct eng_thread *thread = find(threads, pid);
	if (xs_log_enabled(XS_LOG_ENGINE, XS_LOG_DEBUG))
		xs_log(XS_LOG_ENGINE, XS_LOG_DEBUG, "thread %u, %d: status 0x%x",
			thread ? thread->number : 0, pid, (unsigned)status);
	if (!thread) {
		/* Born, but its parent has not told yet. */
		if (WIFSTOPPED(status))
			xs_vec_push(&threads->process->newborn, pid);
		return;
	}
	if (WIFSTOPPED(status) && status >> 16 == PTRACE_EVENT_EXEC)
		threads->execed = true;
	thread->told = true;
	thread->away = thread->asleep = false;
	thread->status = status;
}

/* Takes note of what there is to hear, or, if `patiently`, waits for something. *heard is false if
 * there was nothing. */
static struct xs_error *hear(struct eng_threads *threads, bool patiently, bool *heard)
{
	int status;
	pid_t pid = waitpid(-1, &status, __WALL | (patiently ? 0 : WNOHANG));
	*heard = pid > 0;
	if (pid > 0)
		note(threads, pid, status);
	/* Who only looks may look once more after the last one has told of its end. */
	if (pid < 0 && errno != EINTR && (patiently || errno != ECHILD))
		return xs_error_sys("waitpid(%d)", threads->process->tracee.pid);
	return NULL;
}

static int64_t now_ms(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* For how long a thread has had a processor. A turn that is measured by it is as long on a busy
 * machine as on an idle one. */
static int64_t used_ms(pid_t pid)
{
	XS_AUTO_FREE char *path = xs_asprintf("/proc/%d/schedstat", pid);
	XS_AUTO_FILE FILE *file = fopen(path, "re");
	int64_t nanoseconds;
	return file && fscanf(file, "%" SCNd64, &nanoseconds) == 1 ? nanoseconds / 1000000
								   : now_ms();
}

/* Sleeps until one of them may have something to say, or that long: then it is false. The thread
 * that we wait for shares our core, and sleeping hands that over; sched_yield() would hand it to
 * whoever else is there, for many slices. SIGCHLD must be blocked (eng_threads_run()), or what is
 * sent before we sleep is lost. */
static bool nap(int microseconds)
{
	struct timespec time = {.tv_nsec = microseconds * 1000L};
	sigset_t child;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	return sigtimedwait(&child, NULL, &time) == SIGCHLD;
}

/* The kernel's letter for what a thread does; X if there is none any more. */
static char state_of(pid_t pid)
{
	char path[64], line[256] = "";
	/* What /proc/PID/stat says is summed up over all threads, and takes as long. */
	snprintf(path, sizeof path, "/proc/%d/task/%d/stat", pid, pid);
	XS_AUTO_CLOSE int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size = file >= 0 ? read(file, line, sizeof line - 1) : -1;
	const char *behind = size > 0 ? strrchr(line, ')') : NULL;
	return behind && behind[1] && behind[2] ? behind[2] : 'X';
}

/* Whether a thread that is away sleeps. If it has only just stopped, or died, there is something to
 * hear of it. One that waits for an answer of ours does not sleep. */
static bool sleeps(const struct eng_threads *threads, pid_t pid)
{
	char path[64], line[32] = "";
	char state = state_of(pid);
	if (state != 'S' || !eng_steady_works(threads->process->steady))
		return strchr("SZXTt", state);
	snprintf(path, sizeof path, "/proc/%d/syscall", pid);
	XS_AUTO_CLOSE int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size = file >= 0 ? read(file, line, sizeof line - 1) : 0;
	return size <= 0 || !eng_steady_answers(threads->process->steady, strtol(line, NULL, 10));
}

/* Waits until a thread that is in the kernel sleeps, or something was heard of it. */
static struct xs_error *settle(struct eng_threads *threads, struct eng_thread *thread, bool *asleep)
{
	struct xs_error *err;
	bool heard, look = thread->asleep;
	int time = NAP_US;
	*asleep = false;
	if (thread->away && !look)
		look = !nap(time);
	while (thread->away && !threads->execed) {
		/* In this order: what sleeps now and had nothing to say before will not say
		 * anything by itself. One that was just resumed has not come far enough yet. */
		bool now = look && sleeps(threads, thread->pid);
		do {
			if ((err = hear(threads, false, &heard)))
				return err;
		} while (heard);
		*asleep = thread->asleep = now && thread->away;
		if (*asleep)
			return NULL;
		if (thread->away && !nap(time)) {
			look = true;
			time = 2 * time < NAP_US_MAX ? 2 * time : NAP_US_MAX;
		}
	}
	return NULL;
}

/* --- whose turn it is ------------------------------------------------------------------------- */

static bool can_go_on(const struct eng_thread *thread)
{
	return !thread->fiber->over && (!thread->away || thread->all->execed);
}

static bool others_can(const struct eng_threads *threads)
{
	for (size_t i = 0; i < threads->list.len; i++)
		if (threads->list.data[i] != threads->current && can_go_on(threads->list.data[i]))
			return true;
	return false;
}

/* Rule 3. Who sleeps is looked at first, and then what there is to hear is heard once for all: to
 * ask takes the kernel the longer, the more threads there are. */
static struct xs_error *settle_all(struct eng_threads *threads, bool *alive)
{
	struct xs_error *err;
	bool heard, unused;
	*alive = false;
	for (size_t i = 0; i < threads->list.len; i++) {
		struct eng_thread *thread = threads->list.data[i];
		*alive |= !thread->fiber->over;
		if (!thread->fiber->over && thread->away && thread->asleep)
			thread->asleep = sleeps(threads, thread->pid);
	}
	do {
		if ((err = hear(threads, false, &heard)))
			return err;
	} while (heard);
	for (size_t i = 0; i < threads->list.len; i++) {
		struct eng_thread *thread = threads->list.data[i];
		if (!thread->fiber->over && !thread->asleep &&
			(err = settle(threads, thread, &unused)))
			return err;
	}
	return NULL;
}

/* The next one; NULL if all have ended. */
static struct xs_error *pick(struct eng_threads *threads, struct eng_thread **ret)
{
	struct xs_error *err;
	bool unused;
	for (;;) {
		bool alive;
		if ((err = settle_all(threads, &alive)))
			return err;
		for (size_t i = 1; i <= threads->list.len; i++) {
			size_t index = (threads->last + i) % threads->list.len;
			*ret = threads->list.data[index];
			if (can_go_on(*ret)) {
				threads->last = index;
				return NULL;
			}
		}
		*ret = NULL;
		if (!alive)
			return NULL;
		if ((err = hear(threads, true, &unused)))
			return err;
	}
}

/* Puts what is the thread's own into the process, and its traps into memory. */
static struct xs_error *enter(struct eng_threads *threads, struct eng_thread *thread)
{
	struct eng_process *process = threads->process;
	struct eng_turn_state *state = &thread->state;
	struct xs_error *err = NULL;
	eng_tracee_follow(&process->tracee, thread->pid);
	process->fence = state->fence;
	process->traps = state->traps;
	process->fence_was_up = state->fence_was_up;
	process->sigtrap.thread = state->sigtrap;
	process->in_call = state->in_call;
	process->to_call_end = state->to_call_end;
	process->call_stops = state->call_stops;
	process->goal = state->goal;
	process->request = state->request;
	process->ended = state->ended;
	threads->current = thread;
	if (thread->stale && thread->trace)
		eng_trace_refit(thread->trace);
	if (thread->trace)
		thread->trace->turn_until = thread->trace->stops + QUANTUM;
	if (state->planted && !thread->stale && !threads->execed)
		err = eng_traps_plant(state->traps, &process->tracee);
	if (!err && state->up && !threads->execed)
		err = eng_fence_raise(state->fence, &process->tracee);
	thread->stale = false;
	/* If it was killed meanwhile, it will be heard of. */
	eng_tracee_notice(&process->tracee);
	if (err && (process->tracee.gone || thread->told)) {
		xs_error_destroy(err);
		err = NULL;
	}
	process->tracee.gone = false;
	return err;
}

/* The reverse. The thread is stopped, or sleeps. */
static struct xs_error *leave(struct eng_threads *threads, struct eng_thread *thread)
{
	struct eng_process *process = threads->process;
	struct eng_turn_state *state = &thread->state;
	*state = (struct eng_turn_state){.fence = process->fence,
		.traps = process->traps,
		.up = process->fence && process->fence->up,
		.planted = process->traps && process->traps->planted,
		.fence_was_up = process->fence_was_up,
		.sigtrap = process->sigtrap.thread,
		.in_call = process->in_call,
		.to_call_end = process->to_call_end,
		.call_stops = process->call_stops,
		.ended = process->ended,
		.goal = process->goal,
		.request = process->request};
	if (state->up && !threads->execed)
		eng_fence_lower(process->fence, &process->tracee);
	if (state->planted && !threads->execed)
		eng_traps_clear(process->traps, &process->tracee);
	if (thread->number == 1 && process->ended)
		threads->end = process->end;
	process->fence = NULL;
	process->traps = NULL;
	threads->current = NULL;
	return eng_tracee_flush(&process->tracee);
}

/* The thread whose turn it is lets others have theirs. */
static struct xs_error *yield(struct eng_threads *threads)
{
	struct eng_thread *self = threads->current;
	struct xs_error *err = leave(threads, self);
	if (err)
		return err;
	eng_fiber_leave(self->fiber);
	return xs_take(&self->err); /* of entering again */
}

/* --- waiting ---------------------------------------------------------------------------------- */

/* A stop at the begin or the end of a system call: goes on. */
static struct xs_error *pass_call(struct eng_threads *threads, struct eng_thread *self, bool *pass)
{
	struct eng_process *process = threads->process;
	struct __ptrace_syscall_info info = {0};
	struct xs_error *err;
	if (ptrace(PTRACE_GET_SYSCALL_INFO, self->pid, (void *)sizeof info, &info) < 0 &&
		errno != ESRCH)
		return xs_error_sys("ptrace(GET_SYSCALL_INFO, %d)", self->pid);
	bool begins = info.op == PTRACE_SYSCALL_INFO_ENTRY, yields = self->yields && !begins, stay;
	process->in_call = begins;
	self->yields = begins && info.entry.nr == SYS_sched_yield;
	if (yields && (err = yield(threads)))
		return err;
	if (threads->execed)
		return NULL;
	if ((err = eng_process_pass_call(process, &stay)))
		return err;
	*pass = !stay;
	self->away = !stay;
	return NULL;
}

/* Its time was up, and it has stopped for that. */
static struct xs_error *put_off(struct eng_threads *threads, struct eng_thread *self)
{
	struct eng_process *process = threads->process;
	struct xs_error *err = yield(threads);
	if (err || threads->execed)
		return err;
	self->away = true;
	return eng_tracee_resume(&process->tracee, process->request, 0);
}

/* What there is to do about a thread that was heard of; *pass is false if its walk must know. */
static struct xs_error *look(struct eng_threads *threads, struct eng_thread *self, bool *pass)
{
	int status = self->status;
	bool interrupted = self->interrupted;
	*pass = true;
	self->told = false;
	if (WIFSTOPPED(status) && status >> 8 == ENG_CALL_STOP)
		return pass_call(threads, self, pass);
	if (interrupted && WIFSTOPPED(status) &&
		status >> 8 == (SIGTRAP | PTRACE_EVENT_STOP << 8)) {
		self->interrupted = false;
		return put_off(threads, self);
	}
	*pass = false;
	return NULL;
}

/* Its time is up, or it waits in a page fault that another thread may have to answer: stops it,
 * so that others have their turns. It must not wake up while the traps are another's. */
static void interrupt(struct eng_threads *threads, struct eng_thread *self, int64_t until)
{
	if (self->away && !self->interrupted && others_can(threads) &&
		(used_ms(self->pid) >= until || state_of(self->pid) == 'S'))
		self->interrupted = !ptrace(PTRACE_INTERRUPT, self->pid, NULL, NULL);
}

/* It runs: waits, but not forever if others could go on. */
static struct xs_error *wait_running(struct eng_threads *threads, struct eng_thread *self)
{
	struct xs_error *err;
	bool heard, asleep;
	int64_t late = 0, until = 0;
	while (self->away && !threads->execed) {
		/* It has only just been resumed: there is nothing to hear before we sleep. Most
		 * turns are over before they need be measured. */
		bool over = !late && !nap(GRACE_MS * 1000);
		if ((err = hear(threads, false, &heard)))
			return err;
		if (over && !heard) {
			late = now_ms() + PATIENCE_MS;
			until = used_ms(self->pid) + PATIENCE_MS;
		}
		if (!late || heard)
			continue;
		if (now_ms() >= late && strchr("ZXTt", state_of(self->pid))) {
			/* A stopped program. */
			if ((err = settle(threads, self, &asleep)))
				return err;
			if (asleep && (err = yield(threads)))
				return err;
		}
		if (now_ms() >= late || used_ms(self->pid) >= until)
			interrupt(threads, self, until);
		if (self->away)
			nap(PATIENCE_MS * 1000);
	}
	return NULL;
}

struct xs_error *eng_threads_wait(struct eng_threads *threads, int *status)
{
	struct eng_process *process = threads->process;
	struct eng_thread *self = threads->current;
	struct xs_error *err;
	bool pass = true, heard, asleep;
	self->away = !self->told;
	for (;;) {
		if (threads->execed) {
			/* The one that goes on is the first, whoever called. */
			*status = self->number == 1 ? PTRACE_EVENT_EXEC << 16 | SIGTRAP << 8 | 0x7f
						    : 0;
			return NULL;
		}
		if (self->told) {
			if ((err = look(threads, self, &pass)))
				return err;
			if (!pass) {
				*status = self->status;
				return NULL;
			}
			continue;
		}
		if (process->in_call) {
			if ((err = settle(threads, self, &asleep)) ||
				(asleep && (err = yield(threads))))
				return err;
		} else if (threads->list.len > 1) {
			if ((err = wait_running(threads, self)))
				return err;
		} else if ((err = hear(threads, true, &heard))) {
			return err;
		}
	}
}

bool eng_threads_is_late(const struct eng_trace *trace, uint64_t ahead)
{
	return trace->turn_until && trace->stops + ahead >= trace->turn_until + QUANTUM;
}

/* Rule 1. */
static bool ends_turn(const struct eng_trace *trace, const struct eng_insn *insn, xs_addr pc)
{
	switch (insn->kind) {
	case ENG_INSN_CONDITIONAL:
	case ENG_INSN_RETURN:
		return true;
	case ENG_INSN_INDIRECT_JUMP:
		return eng_threads_is_late(trace, 0);
	case ENG_INSN_JUMP:
		return eng_threads_is_late(trace, 0) && eng_insn_target(insn, pc) <= pc;
	default:
		return false;
	}
}

struct xs_error *eng_threads_offer(
	struct eng_threads *threads, struct eng_trace *trace, xs_addr pc, bool *over)
{
	struct eng_process *process = threads->process;
	static const struct eng_traps none;
	uint8_t code[ENG_INSN_MAX];
	struct xs_error *err;
	bool heard;
	size_t size;
	*over = false;
	if (!trace->turn_until)
		trace->turn_until = QUANTUM;
	if (trace->stops < trace->turn_until)
		return NULL;
	if ((err = eng_traps_read(process->traps ? process->traps : &none, &process->tracee, pc,
		     code, sizeof code, &size)))
		return err;
	struct eng_insn insn = eng_insn_decode(code, size);
	if (!ends_turn(trace, &insn, pc))
		return NULL;
	trace->turn_until = trace->stops + QUANTUM;
	/* Whether others can go on is decided by whoever picks the next one (rule 3). */
	do {
		if ((err = hear(threads, false, &heard)))
			return err;
	} while (heard);
	if (threads->list.len > 1 && (err = yield(threads)))
		return err;
	*over = threads->execed;
	return NULL;
}

void eng_threads_mark_stale(struct eng_threads *threads)
{
	for (size_t i = 0; i < threads->list.len; i++)
		threads->list.data[i]->stale |= threads->list.data[i] != threads->current;
}

/* --- walks ------------------------------------------------------------------------------------ */

static void walk(void *arg)
{
	struct eng_thread *thread = arg;
	struct eng_threads *threads = thread->all;
	/* It may be no more before it has begun. */
	if (!thread->err && !threads->execed)
		thread->err = threads->walk(threads->context, thread->number);
}

void eng_threads_add(struct eng_threads *threads, pid_t pid)
{
	struct eng_thread *thread = xs_calloc(1, sizeof *thread);
	*thread = (struct eng_thread){.all = threads,
		.number = (unsigned)threads->list.len + 1,
		.pid = pid,
		.state = {.goal = XS_ADDR_NONE, .request = PTRACE_CONT}};
	thread->fiber = eng_fiber_create(walk, thread);
	xs_vec_push(&threads->list, thread);
	xs_log(XS_LOG_ENGINE, XS_LOG_INFO, "thread %u is %d", thread->number, pid);
}

/* Threads that ran freely so far stop, and are walked like the others. */
static struct xs_error *adopt(struct eng_threads *threads)
{
	struct eng_process *process = threads->process;
	for (size_t i = 0; i < process->threads.len; i++) {
		pid_t pid = process->threads.data[i];
		int status;
		if (ptrace(PTRACE_INTERRUPT, pid, NULL, NULL))
			continue;
		while (waitpid(pid, &status, __WALL) < 0)
			if (errno != EINTR)
				return xs_error_sys("waitpid(%d)", pid);
		if (!WIFSTOPPED(status))
			continue;
		eng_threads_add(threads, pid);
		if (status >> 16 != PTRACE_EVENT_STOP)
			note(threads, pid, status);
	}
	process->threads.len = 0;
	return NULL;
}

void eng_threads_kill(struct eng_threads *threads)
{
	threads->killed = true;
	eng_interrupt_kill(threads->process->pidfd);
}

static struct xs_error *schedule(struct eng_threads *threads)
{
	struct xs_error *err = NULL, *now;
	for (;;) {
		struct eng_thread *thread;
		if ((now = pick(threads, &thread))) {
			xs_error_destroy(err); /* the walks cannot be ended properly any more */
			return now;
		}
		if (!thread)
			return err;
		thread->err = enter(threads, thread);
		eng_fiber_enter(thread->fiber);
		if (!thread->fiber->over)
			continue;
		/* One that failed takes the others with it; the first error is the one to tell. */
		if (threads->killed)
			xs_error_destroy(thread->err);
		else
			err = thread->err;
		thread->err = NULL;
		if (err)
			eng_threads_kill(threads);
		if ((now = leave(threads, thread)))
			xs_error_destroy(now); /* it is over anyway */
	}
}

struct xs_error *eng_threads_run(struct eng_threads *threads)
{
	struct eng_process *process = threads->process;
	pid_t first = process->tracee.pid;
	sigset_t child, before;
	process->all = threads;
	/* So that one can wait for it: see nap(). Before the first fiber is made, for a fiber keeps
	 * the mask that it is made with, and hands it on to those that are made in it. */
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &before);
	eng_threads_add(threads, first);
	threads->last = 0;
	struct xs_error *err = eng_tracee_flush(&process->tracee);
	if (!err)
		err = adopt(threads);
	threads->last = threads->list.len - 1; /* the first is the first */
	if (!err)
		err = schedule(threads);
	sigprocmask(SIG_SETMASK, &before, NULL);
	eng_tracee_follow(&process->tracee, first);
	process->ended = !threads->execed;
	process->end = threads->end;
	process->all = NULL;
	process->goal = XS_ADDR_NONE;
	process->request = PTRACE_CONT;
	for (size_t i = 0; i < threads->list.len; i++) {
		eng_fiber_destroy(threads->list.data[i]->fiber);
		free(threads->list.data[i]);
	}
	xs_vec_deinit(&threads->list);
	return err;
}
