#include "engine/process.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/log.h"
#include "engine/constant.h"
#include "engine/interrupt.h"
#include "engine/remap.h"
#include "engine/steady_run.h"
#include "engine/threads.h"
#include "engine/tsc.h"

/* --- birth ---------------------------------------------------------------------------------- */

struct xs_error *eng_process_auxv(struct eng_process *process, uint64_t type, uint64_t *ret)
{
	XS_AUTO_FREE char *path = xs_asprintf("/proc/%d/auxv", process->tracee.pid);
	XS_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint64_t entry[2];
	if (fd < 0)
		return xs_error_sys("open(%s)", path);
	*ret = 0;
	while (read(fd, entry, sizeof entry) == sizeof entry && entry[0] != AT_NULL)
		if (entry[0] == type)
			*ret = entry[1] + eng_constant_shift(type, process->moved_by);
	return NULL;
}

/* Says so if the kernel (or a container's filter) did not switch randomisation off. */
static void check_personality(pid_t pid)
{
	char text[32] = "";
	XS_AUTO_FREE char *path = xs_asprintf("/proc/%d/personality", pid);
	XS_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && read(fd, text, sizeof text - 1) > 0 &&
		!(strtoul(text, NULL, 16) & ADDR_NO_RANDOMIZE))
		xs_log(XS_LOG_ENGINE, XS_LOG_WARN,
			"addresses are random in this environment: two runs will not see the same "
			"pointers");
}

struct xs_error *eng_process_create(
	const struct eng_launch *launch, double seconds, struct eng_process **ret)
{
	struct xs_error *err;
	XS_AUTO(eng_process) process = xs_calloc(1, sizeof *process);
	process->goal = XS_ADDR_NONE;
	process->pidfd = -1;
	process->tracee.mem = -1;
	process->request = PTRACE_CONT;
	process->calls_watched = ENG_CONSTANT_CALLS;
	eng_cpu_take(&process->cpu);
	process->terminal.fd = -1;
	pid_t pid;
	if (launch->steady && (err = eng_steady_create(launch->path, &process->steady)))
		return err;
	process->does_clock = launch->steady && eng_tsc_is_read_by(launch->path);
	if ((err = eng_launch(launch, process->steady, process->does_clock, &pid)))
		return err;
	process->tracee.pid = pid;
	if ((process->pidfd = (int)syscall(SYS_pidfd_open, pid, 0)) < 0)
		return xs_error_sys("pidfd_open(%d)", pid);
	eng_interrupt_arm(process->pidfd, seconds);
	if ((err = eng_tracee_init(&process->tracee, pid)))
		return err;
	check_personality(pid);
	if ((err = eng_constant_stack(
		     &process->tracee, launch->moved, eng_steady_works(process->steady))))
		return err;
	eng_terminal_lend(&process->terminal, launch->in, pid);
	*ret = xs_take(&process);
	return NULL;
}

/* Takes pid out of a list of pids; false if it is not in it. */
static bool take_pid(pid_t *list, size_t *len, pid_t pid)
{
	for (size_t i = 0; i < *len; i++) {
		if (list[i] == pid) {
			list[i] = list[--*len];
			return true;
		}
	}
	return false;
}

/* Children that are none of the program's. */
static struct {
	pid_t pid; /* 0: free */
	bool ended;
	int status;
} others[16];

void eng_process_note_other(pid_t pid)
{
	size_t i = 0;
	while (i + 1 < sizeof others / sizeof *others && others[i].pid)
		i++;
	others[i].pid = pid;
	others[i].ended = false;
}

bool eng_process_other_ended(pid_t pid, int *status)
{
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (others[i].pid == pid && others[i].ended) {
			*status = others[i].status;
			others[i].pid = 0;
			return true;
		}
	return false;
}

/* Somebody was waited for who is not the followed thread. */
static void keep_end(pid_t pid, int status)
{
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (others[i].pid == pid && !WIFSTOPPED(status)) {
			others[i].ended = true;
			others[i].status = status;
		}
}

static void kill_and_reap(struct eng_process *process)
{
	kill(process->tracee.pid, SIGKILL);
	for (;;) {
		int status;
		/* The first thread's end is told only when all the others have been reaped, those
		 * too that were born when we did not look. */
		pid_t pid = waitpid(-1, &status, __WALL);
		if (pid < 0 && errno != EINTR)
			return;
		/* Only an end is an end: a thread may still report the stop it was in. */
		if (pid < 0 || WIFSTOPPED(status))
			continue;
		if (pid == process->tracee.pid)
			return;
		take_pid(process->threads.data, &process->threads.len, pid);
		keep_end(pid, status);
	}
}

void eng_process_destroy(struct eng_process *process)
{
	if (!process)
		return;
	if (process->tracee.pid && !process->ended)
		kill_and_reap(process);
	eng_interrupt_disarm();
	eng_terminal_take_back(&process->terminal);
	eng_cpu_drop(&process->cpu);
	eng_tracee_deinit(&process->tracee);
	eng_steady_destroy(process->steady);
	if (process->pidfd >= 0)
		close(process->pidfd);
	xs_vec_deinit(&process->threads);
	xs_vec_deinit(&process->newborn);
	free(process);
}

/* --- children and other threads -------------------------------------------------------------- */

/* The trap flag of a step over the call that made a child is not to be seen in its registers. */
static void hide_step(pid_t child)
{
	struct user_regs_struct regs;
	if (!ptrace(PTRACE_GETREGS, child, NULL, &regs) && regs.r11 & ENG_TRAP_FLAG) {
		regs.r11 &= ~(uint64_t)ENG_TRAP_FLAG;
		ptrace(PTRACE_SETREGS, child, NULL, &regs);
	}
}

/* Lets a stopped, forked child go: its code without a fence, its registers without our trap flag,
 * its core its own choice. A child that is killed meanwhile needs nothing. */
static struct xs_error *let_go(struct eng_process *process, pid_t child, bool own_memory)
{
	struct xs_error *err = NULL;
	if (own_memory && process->fence && process->fence->up)
		err = eng_fence_heal(process->fence, child);
	if (own_memory && process->traps)
		eng_traps_heal(process->traps, child);
	hide_step(child);
	if (process->does_clock)
		eng_tsc_allow(child);
	eng_cpu_release(&process->cpu, child);
	ptrace(PTRACE_DETACH, child, NULL, NULL);
	xs_log(XS_LOG_ENGINE, XS_LOG_INFO, "let child %d go", child);
	return err;
}

/* Whether the child shares the program's memory, whatever kind of event announced it: clone() with
 * SIGCHLD is a fork to ptrace, and one without is a clone. */
static bool shares_memory(const struct eng_process *process, const struct eng_event *event)
{
	enum { SAME_VM = 1 }; /* KCMP_VM */
	XS_AUTO_FREE char *task =
		xs_asprintf("/proc/%d/task/%d", process->tracee.pid, event->child);
	if (!access(task, F_OK))
		return true;
	long differ = syscall(SYS_kcmp, process->tracee.pid, event->child, SAME_VM, 0, 0);
	return differ < 0 ? event->kind == ENG_EVENT_CLONE : differ == 0;
}

/* Waits until a newborn is in its first stop. False if it died before. */
static bool await_newborn(struct eng_process *process, pid_t child)
{
	int status;
	pid_t pid;
	if (!child) /* its parent was killed before it could tell */
		return false;
	if (take_pid(process->newborn.data, &process->newborn.len, child))
		return true;
	while ((pid = waitpid(child, &status, __WALL)) < 0 && errno == EINTR)
		;
	return pid == child && WIFSTOPPED(status);
}

/* A thread of the program made a child. */
static struct xs_error *child_made(struct eng_process *process, const struct eng_event *event)
{
	if (!await_newborn(process, event->child))
		return NULL;
	if (event->kind == ENG_EVENT_VFORK) {
		/* It borrows our memory until it execs or exits: no fence meanwhile. */
		process->fence_was_up = process->fence && process->fence->up;
		if (process->fence_was_up)
			eng_fence_lower(process->fence, &process->tracee);
		if (process->traps)
			eng_traps_clear(process->traps, &process->tracee);
		return let_go(process, event->child, false);
	}
	if (!shares_memory(process, event))
		return let_go(process, event->child, true);
	if (process->all) {
		hide_step(event->child);
		eng_threads_add(process->all, event->child);
		return NULL;
	}
	xs_log(XS_LOG_ENGINE, XS_LOG_INFO, "new thread %d", event->child);
	xs_vec_push(&process->threads, event->child);
	if (process->fence)
		eng_fence_lower(process->fence, &process->tracee);
	if (process->traps)
		eng_traps_clear(process->traps, &process->tracee);
	ptrace(PTRACE_CONT, event->child, NULL, NULL);
	return NULL;
}

/* Something happened to a thread that nobody follows: keep it running. */
static struct xs_error *other_thread(struct eng_process *process, pid_t pid, int status)
{
	struct eng_event event;
	struct xs_error *err;
	bool known = false;
	for (size_t i = 0; i < process->threads.len; i++)
		known |= process->threads.data[i] == pid;
	if (!known) {
		if (WIFSTOPPED(status))
			xs_vec_push(&process->newborn, pid);
		return NULL;
	}
	if ((err = eng_event_decode(pid, status, &event)))
		return err;
	switch (event.kind) {
	case ENG_EVENT_EXITED:
	case ENG_EVENT_KILLED:
		take_pid(process->threads.data, &process->threads.len, pid);
		return NULL;
	case ENG_EVENT_FORK:
	case ENG_EVENT_VFORK:
	case ENG_EVENT_CLONE:
		if ((err = child_made(process, &event)))
			return err;
		break;
	case ENG_EVENT_GROUP_STOP:
		ptrace(PTRACE_LISTEN, pid, NULL, NULL);
		return NULL;
	default:
		break;
	}
	bool read = process->does_clock && eng_tsc_read(&event, &process->clock_readings),
	     deliver = !read && (event.kind == ENG_EVENT_SIGNAL || event.kind == ENG_EVENT_TRAP);
	ptrace(PTRACE_CONT, pid, NULL, (void *)(intptr_t)(deliver ? event.signal : 0));
	return NULL;
}

/* Calls `found` for each mapping of the program until it says true, and says whether it did. */
static bool any_mapping(const struct eng_process *process,
	bool (*found)(const void *arg, struct xs_range range, const char *mode), const void *arg)
{
	XS_AUTO_FREE char *path = xs_asprintf("/proc/%d/maps", process->tracee.pid);
	XS_AUTO_FILE FILE *maps = fopen(path, "re");
	XS_AUTO_FREE char *line = NULL;
	size_t size = 0;
	struct xs_range range;
	char mode[8];
	while (maps && getline(&line, &size, maps) > 0)
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s", &range.lo, &range.hi, mode) == 3 &&
			found(arg, range, mode))
			return true;
	return false;
}

static bool executes(const void *arg, struct xs_range range, const char *mode)
{
	const xs_addr *address = arg;
	return range.lo <= *address && *address < range.hi && mode[2] == 'x';
}

bool eng_process_is_code(const struct eng_process *process, xs_addr address)
{
	return any_mapping(process, executes, &address);
}

static bool writes(const void *arg, struct xs_range range, const char *mode)
{
	const struct xs_ranges *ranges = arg;
	if (mode[1] != 'w')
		return false;
	for (size_t i = 0; i < ranges->vec.len; i++)
		if (ranges->vec.data[i].lo < range.hi && range.lo < ranges->vec.data[i].hi)
			return true;
	return false;
}

bool eng_process_may_write(const struct eng_process *process, const struct xs_ranges *ranges)
{
	return any_mapping(process, writes, ranges);
}

/* --- running --------------------------------------------------------------------------------- */

/* Deals with an event that no mode needs to know about; *handled tells if it was one. */
static struct xs_error *housekeeping(
	struct eng_process *process, const struct eng_event *event, bool *handled)
{
	struct xs_error *err;
	*handled = true;
	switch (event->kind) {
	case ENG_EVENT_FORK:
	case ENG_EVENT_VFORK:
	case ENG_EVENT_CLONE:
		if ((err = child_made(process, event)))
			return err;
		/* Without a fence nobody would notice the way back. SIGTRAP may be blocked: so no
		 * step, but to the end of the call. */
		if (process->threads.len && process->fence && !process->to_call_end) {
			process->request = PTRACE_SYSCALL;
			process->to_call_end = true;
			process->call_stops = 1;
		}
		break;
	case ENG_EVENT_VFORK_DONE:
		if (process->traps && !process->threads.len &&
			(err = eng_traps_plant(process->traps, &process->tracee)))
			return err;
		if (process->fence_was_up && process->fence &&
			(err = eng_fence_raise(process->fence, &process->tracee)))
			return err;
		process->fence_was_up = false;
		break;
	case ENG_EVENT_GROUP_STOP:
		if ((err = eng_tracee_resume(&process->tracee, PTRACE_LISTEN, 0)))
			return err;
		eng_terminal_suspend(&process->terminal, event->signal);
		return NULL;
	case ENG_EVENT_PAUSE:
		break;
	case ENG_EVENT_SIGNAL:
		eng_sigtrap_restore(&process->sigtrap, &process->tracee, event);
		if (event->signal == SIGTRAP && event->signal_code <= 0 && process->sigtrap.ignored)
			break;
		/* ^C in a terminal that we lent is meant for us. */
		if (event->signal == SIGINT && event->signal_code == SI_KERNEL &&
			process->terminal.lent)
			eng_interrupt_raise(SIGINT);
		*handled = false;
		return NULL;
	default:
		*handled = false;
		return NULL;
	}
	return eng_tracee_resume(&process->tracee, process->request, 0);
}

/* What a status of the followed thread says; the trap at the goal is known by its pc. */
static struct xs_error *decode_status(
	struct eng_process *process, int status, struct eng_event *ret)
{
	struct user_regs_struct *regs;
	struct xs_error *err;
	pid_t pid = process->tracee.pid;
	if (process->goal != XS_ADDR_NONE && WIFSTOPPED(status) && status >> 8 == SIGTRAP) {
		if ((err = eng_tracee_regs(&process->tracee, &regs)))
			return err;
		if (regs->rip == process->goal + 1) {
			*ret = (struct eng_event){
				.kind = ENG_EVENT_TRAP, .pid = pid, .signal = SIGTRAP};
			return NULL;
		}
	}
	return eng_event_decode(pid, status, ret);
}

/* Whether traps wait for the thread, and it must be known if it blocks SIGTRAP meanwhile. */
static bool watches_calls(const struct eng_process *process)
{
	return process->fence &&
	       (process->watches_calls || eng_sigtrap_watches_calls(&process->sigtrap));
}

struct xs_error *eng_process_watch_call(struct eng_process *process)
{
	bool found;
	if (!process->calls_watched)
		return NULL;
	struct xs_error *err = eng_constant_key(&process->tracee, &found);
	process->calls_watched = found ? 0 : process->calls_watched - 1;
	return err;
}

struct xs_error *eng_process_pass_call(struct eng_process *process, bool *stay)
{
	struct user_regs_struct *regs;
	struct xs_error *err = eng_process_watch_call(process);
	if (err || (err = eng_sigtrap_call_ended(&process->sigtrap, &process->tracee, stay)) ||
		(err = eng_tracee_regs(&process->tracee, &regs)))
		return err;
	/* A call that has only begun has no result yet. */
	if (process->fence && !process->to_call_end && regs->rax == (uint64_t)-ENOSYS) {
		if ((err = eng_remap_begins(&process->tracee, process->fence, process->traps,
			     regs->orig_rax, &process->to_call_end)))
			return err;
		process->call_stops = 0;
	}
	*stay |= process->to_call_end && ++process->call_stops == 2;
	if (*stay) {
		process->to_call_end = false;
		return NULL;
	}
	if (!process->calls_watched && !process->all && !watches_calls(process) &&
		!process->to_call_end && process->request == (int)PTRACE_SYSCALL)
		process->request = PTRACE_CONT;
	return eng_tracee_resume(&process->tracee, process->request, 0);
}

static struct xs_error *wait_event(struct eng_process *process, struct eng_event *ret)
{
	for (;;) {
		int status;
		bool handled;
		struct xs_error *err;
		/* Whoever it is: a thread that nobody reaps keeps the end of the first from us. */
		pid_t pid = process->tracee.pid;
		if (process->all && (err = eng_threads_wait(process->all, &status)))
			return err;
		if (!process->all)
			pid = eng_tick_wait(&process->tick, &status);
		if (pid < 0 && errno == EINTR)
			continue;
		if (pid < 0)
			return xs_error_sys("waitpid(%d)", process->tracee.pid);
		if (pid != process->tracee.pid) {
			keep_end(pid, status);
			if ((err = other_thread(process, pid, status)))
				return err;
			continue;
		}
		if (WIFSTOPPED(status) && status >> 8 == ENG_CALL_STOP) {
			if (!process->all &&
				((err = eng_process_pass_call(process, &handled)) || !handled)) {
				if (err)
					return err;
				continue;
			}
			*ret = (struct eng_event){.kind = ENG_EVENT_STEP, .pid = pid};
			return NULL;
		}
		if ((err = decode_status(process, status, ret)))
			return err;
		if (process->steady)
			eng_steady_sign(ret);
		if (process->does_clock && eng_tsc_read(ret, &process->clock_readings)) {
			ret->kind = ENG_EVENT_STEP;
			if (process->request == (int)PTRACE_SINGLESTEP)
				return NULL;
			if ((err = eng_tracee_resume(&process->tracee, process->request, 0)))
				return err;
			continue;
		}
		/* Nobody made a step: the program has set the trap flag itself. */
		if (ret->kind == ENG_EVENT_STEP && process->request != (int)PTRACE_SINGLESTEP)
			ret->kind = ENG_EVENT_SIGNAL;
		if (xs_log_enabled(XS_LOG_ENGINE, XS_LOG_DEBUG))
			xs_log(XS_LOG_ENGINE, XS_LOG_DEBUG, "%d: %s, signal %d", pid,
				eng_event_name(ret->kind), ret->signal);
		if (ret->kind == ENG_EVENT_EXITED || ret->kind == ENG_EVENT_KILLED) {
			process->ended = true;
			process->end = *ret;
			return NULL;
		}
		if ((err = housekeeping(process, ret, &handled)) || !handled)
			return err;
	}
}

struct xs_error *eng_process_go(
	struct eng_process *process, int request, int signal, struct eng_event *ret)
{
	/* Where each thread is followed, it must be known if this one may sleep; and where traps
	 * wait for it, if it blocks SIGTRAP (sigtrap.h). */
	if ((process->all || process->calls_watched || watches_calls(process)) &&
		request == PTRACE_CONT)
		request = PTRACE_SYSCALL;
	if (request == PTRACE_SYSCALL)
		process->in_call = false;
	process->request = request;
	process->goal = XS_ADDR_NONE;
	struct xs_error *err = eng_tracee_resume(&process->tracee, request, signal);
	return err ? err : wait_event(process, ret);
}

/* The thread was killed while we held it: that is no error, it is the end. */
static struct xs_error *or_end(
	struct eng_process *process, struct xs_error *err, struct eng_event *ret)
{
	if (!err || !process->tracee.gone || process->ended)
		return err;
	xs_error_destroy(err);
	process->tracee.gone = false;
	process->goal = XS_ADDR_NONE;
	return wait_event(process, ret);
}

struct xs_error *eng_process_go_to(struct eng_process *process, xs_addr goal, struct eng_event *ret)
{
	process->request = PTRACE_CONT;
	process->in_call = false;
	process->goal = goal;
	struct xs_error *err = eng_tracee_resume(&process->tracee, PTRACE_CONT, 0);
	return or_end(process, err ? err : wait_event(process, ret), ret);
}

struct xs_error *eng_process_regs(struct eng_process *process, struct user_regs_struct **ret)
{
	struct eng_event event;
	*ret = NULL;
	return or_end(process, eng_tracee_regs(&process->tracee, ret), &event);
}

struct xs_error *eng_process_excuse(
	struct eng_process *process, struct xs_error *err, struct eng_event *ret)
{
	if (err && !process->ended)
		eng_tracee_notice(&process->tracee);
	return or_end(process, err, ret);
}

/* What a step of insn left of the trap flag is taken out of r11 or of the pushed word. */
static struct xs_error *hide_trap_flag(struct eng_process *process, struct eng_insn insn)
{
	struct user_regs_struct *regs;
	struct xs_error *err;
	uint8_t high;
	if ((err = eng_tracee_regs(&process->tracee, &regs)))
		return err;
	if (insn.kind == ENG_INSN_SYSCALL) {
		regs->r11 &= ~(uint64_t)ENG_TRAP_FLAG;
		process->tracee.regs_changed = true;
		return NULL;
	}
	if ((err = eng_tracee_read(&process->tracee, regs->rsp + 1, &high, 1)))
		return err;
	high &= (uint8_t) ~(ENG_TRAP_FLAG >> 8);
	return eng_tracee_write(&process->tracee, regs->rsp + 1, &high, 1);
}

/* What is known before a step. */
struct next {
	xs_addr pc;
	struct eng_insn insn; /* what is there, whatever trap is on it */
	bool trapped;         /* one is */
	bool flag;            /* the program has set the trap flag */
	bool own_trap;        /* the program forces a SIGTRAP by it, or by the trap flag */
	bool blocked;         /* SIGTRAP is */
};

static struct xs_error *foresee(struct eng_process *process, struct next *ret)
{
	static const struct eng_traps none;
	const struct eng_traps *traps = process->traps ? process->traps : &none;
	struct user_regs_struct *regs;
	struct xs_error *err;
	uint8_t code[ENG_INSN_MAX];
	size_t size;
	if ((err = eng_tracee_regs(&process->tracee, &regs)) ||
		(err = eng_traps_read(
			 traps, &process->tracee, regs->rip, code, sizeof code, &size)))
		return err;
	*ret = (struct next){.pc = regs->rip, .insn = eng_insn_decode(code, size)};
	ret->flag = regs->eflags & ENG_TRAP_FLAG;
	ret->own_trap = ret->flag || eng_sigtrap_is_forced_by(code, size);
	for (unsigned i = 0; traps->planted && i < (ret->insn.length ? ret->insn.length : 1u); i++)
		ret->trapped |= eng_traps_covers(traps, ret->pc + i);
	return eng_sigtrap_is_blocked(&process->sigtrap, &process->tracee, &ret->blocked);
}

/* Advances by one instruction, the trap on it being out of the way (sigtrap.h, rules 1 to 3). */
static struct xs_error *advance(
	struct eng_process *process, const struct next *next, int signal, struct eng_event *ret)
{
	struct xs_error *err;
	bool again;
	if (signal || next->own_trap || !next->blocked)
		return eng_process_go(process, PTRACE_SINGLESTEP, signal, ret);
	if (next->insn.kind == ENG_INSN_SYSCALL) {
		bool in_call = process->in_call;
		process->to_call_end = true;
		process->call_stops = 0;
		err = eng_process_go(process, PTRACE_SYSCALL, 0, ret);
		process->to_call_end = false;
		process->in_call = in_call;
		return err;
	}
	if ((err = eng_sigtrap_unblock(&process->sigtrap, &process->tracee)))
		return err;
	do {
		if ((err = eng_process_go(process, PTRACE_SINGLESTEP, 0, ret)) || process->ended ||
			(err = eng_sigtrap_keep(&process->sigtrap, &process->tracee, ret, &again)))
			return err;
	} while (again);
	return eng_sigtrap_block_again(&process->sigtrap, &process->tracee);
}

/* What the step left of its trap flag in what the instruction stored is taken out of there. */
static struct xs_error *hide_step_in(
	struct eng_process *process, const struct next *next, const struct eng_event *event)
{
	struct xs_error *err;
	xs_addr after;
	bool blocked,
		stores = next->insn.kind == ENG_INSN_PUSHF || next->insn.kind == ENG_INSN_SYSCALL;
	if (!stores || (event->kind != ENG_EVENT_STEP && event->kind != ENG_EVENT_SIGNAL))
		return NULL;
	/* Only if it was executed; a handler may have been entered instead. */
	if ((err = eng_tracee_pc(&process->tracee, &after)) ||
		after != next->pc + next->insn.length)
		return err;
	if (next->insn.kind == ENG_INSN_SYSCALL &&
		((err = eng_process_watch_call(process)) ||
			(err = eng_sigtrap_call_ended(
				 &process->sigtrap, &process->tracee, &blocked))))
		return err;
	return next->own_trap ? NULL : hide_trap_flag(process, next->insn);
}

static struct xs_error *step(
	struct eng_process *process, int signal, struct eng_insn *insn, struct eng_event *ret)
{
	struct xs_error *err;
	struct user_regs_struct *regs;
	struct next next;
	bool remaps;
	if ((err = foresee(process, &next)))
		return err;
	*insn = next.insn;
	if (insn->kind == ENG_INSN_SYSCALL && process->traps && process->traps->planted &&
		((err = eng_tracee_regs(&process->tracee, &regs)) ||
			(err = eng_remap_begins(&process->tracee, process->fence, process->traps,
				 regs->rax, &remaps))))
		return err;
	if (next.trapped && (err = eng_traps_show(process->traps, &process->tracee, next.pc,
				     next.insn.length, false)))
		return err;
	process->in_call = insn->kind == ENG_INSN_SYSCALL || insn->kind == ENG_INSN_OTHER;
	if ((err = advance(process, &next, signal, ret)) || process->ended)
		return err;
	process->sigtrap.thread.blocked_known =
		!signal && insn->kind != ENG_INSN_SYSCALL && !next.own_trap;
	if (next.trapped && ret->kind != ENG_EVENT_EXEC && process->traps->planted &&
		(err = eng_traps_show(
			 process->traps, &process->tracee, next.pc, next.insn.length, true)))
		return err;
	if (next.insn.pops_flags && !next.flag &&
		(err = eng_sigtrap_take_flag_back(
			 &process->tracee, next.pc, next.insn.length, ret)))
		return err;
	if ((err = hide_step_in(process, &next, ret)))
		return err;
	/* Without us it would have got a SIGTRAP here. */
	if (!signal && next.own_trap && ret->kind == ENG_EVENT_STEP)
		ret->kind = ENG_EVENT_SIGNAL;
	return NULL;
}

struct xs_error *eng_process_step(
	struct eng_process *process, int signal, struct eng_insn *insn, struct eng_event *ret)
{
	return or_end(process, step(process, signal, insn, ret), ret);
}

/* An int3 of the fence was hit: pc goes back to it. *hit is false if it was the program's own. */
static struct xs_error *arrive(struct eng_process *process, struct eng_fence *fence, bool *hit)
{
	struct user_regs_struct *regs;
	struct xs_error *err;
	if ((err = eng_tracee_regs(&process->tracee, &regs)))
		return err;
	*hit = fence->up && xs_ranges_find(&fence->set, regs->rip - 1);
	if (!*hit)
		return NULL;
	regs->rip--;
	process->tracee.regs_changed = true;
	return NULL;
}

static struct xs_error *run_into(
	struct eng_process *process, struct eng_fence *fence, int signal, struct eng_event *ret)
{
	struct xs_error *err;
	for (bool first = true;; first = false) {
		xs_addr pc;
		struct eng_insn insn;
		bool hit;
		if ((err = eng_tracee_pc(&process->tracee, &pc)))
			return err;
		bool there = xs_ranges_find(&fence->set, pc), blocked;
		if (there && !first) {
			/* A signal may have come before the trap did: it is still to be delivered.
			 */
			*ret = (struct eng_event){.kind = ENG_EVENT_TRAP,
				.pid = process->tracee.pid,
				.signal = signal};
			return NULL;
		}
		if ((err = eng_sigtrap_is_blocked(&process->sigtrap, &process->tracee, &blocked)))
			return err;
		/* A handler may be entered with SIGTRAP blocked: see what is on its way in. */
		if (there || process->threads.len || blocked || signal) {
			if (fence->up)
				eng_fence_lower(fence, &process->tracee);
			err = step(process, signal, &insn, ret);
		} else {
			if (!fence->up && (err = eng_fence_raise(fence, &process->tracee)))
				return err;
			err = eng_process_go(process, PTRACE_CONT, 0, ret);
			process->sigtrap.thread.blocked_known = false;
		}
		if (err || ret->kind == ENG_EVENT_EXEC || process->ended)
			return err;
		signal = ret->kind == ENG_EVENT_SIGNAL ? ret->signal : 0;
		if (ret->kind == ENG_EVENT_TRAP) {
			if ((err = arrive(process, fence, &hit)))
				return err;
			signal = hit ? 0 : SIGTRAP;
		}
	}
}

struct xs_error *eng_process_run_into(
	struct eng_process *process, struct eng_fence *fence, int signal, struct eng_event *ret)
{
	process->fence = fence;
	struct xs_error *err = or_end(process, run_into(process, fence, signal, ret), ret);
	process->fence = NULL;
	/* After exec or the end there is no memory left that was fenced, but for other threads. */
	if (err || (process->ended && !process->all) || ret->kind == ENG_EVENT_EXEC)
		fence->up = false;
	else
		eng_fence_lower(fence, &process->tracee);
	return err;
}

struct xs_error *eng_process_finish(struct eng_process *process, int signal)
{
	struct eng_event event = {0};
	process->calls_watched = 0;
	eng_cpu_release(&process->cpu, process->tracee.pid);
	for (size_t i = 0; i < process->threads.len; i++)
		eng_cpu_release(&process->cpu, process->threads.data[i]);
	while (!process->ended) {
		struct xs_error *err = eng_process_go(process, PTRACE_CONT, signal, &event);
		if ((err = or_end(process, err, &event)))
			return err;
		signal = event.kind == ENG_EVENT_SIGNAL || event.kind == ENG_EVENT_TRAP
				 ? event.signal
				 : 0;
	}
	return NULL;
}
