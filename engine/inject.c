#include "engine/inject.h"
#include "engine/steady_run.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

/* A program that filters its system calls may be killed by one that it does not expect. */
static bool filters_calls(const struct eng_process *process)
{
	XS_AUTO_FREE char *path = xs_asprintf("/proc/%d/status", process->tracee.pid);
	XS_AUTO_FILE FILE *status = fopen(path, "re");
	XS_AUTO_FREE char *line = NULL;
	size_t size = 0;
	int mode = 0, filters = 0;
	while (status && getline(&line, &size, status) > 0)
		if (sscanf(line, "Seccomp: %d", &mode) != 1)
			sscanf(line, "Seccomp_filters: %d", &filters);
	/* Ours expects it. */
	return !status || (mode && !(eng_steady_works(process->steady) && filters == 1));
}

/* Executes the system call that the registers ask for, at regs->rip. */
static struct xs_error *execute(struct eng_process *process, int *signal)
{
	/* A step reports by SIGTRAP: that one must not be blocked. */
	const uint64_t all = ~(UINT64_C(1) << (SIGTRAP - 1));
	void *size = (void *)sizeof all;
	pid_t pid = process->tracee.pid;
	struct xs_error *err;
	struct eng_event event;
	uint64_t mask;
	if (ptrace(PTRACE_GETSIGMASK, pid, size, &mask) ||
		ptrace(PTRACE_SETSIGMASK, pid, size, &all))
		return xs_error_sys("ptrace(SETSIGMASK, %d)", pid);
	do {
		if ((err = eng_process_go(process, PTRACE_SINGLESTEP, 0, &event)))
			return err;
		if (process->ended)
			return NULL;
		if (event.kind == ENG_EVENT_SIGNAL)
			*signal = event.signal;
	} while (event.kind == ENG_EVENT_SIGNAL);
	if (ptrace(PTRACE_SETSIGMASK, pid, size, &mask))
		return xs_error_sys("ptrace(SETSIGMASK, %d)", pid);
	return NULL;
}

struct xs_error *eng_inject(struct eng_process *process, xs_addr at, struct eng_inject_call *call,
	int *signal, bool *made)
{
	static const uint8_t code[2] = {0x0f, 0x05};
	struct eng_tracee *tracee = &process->tracee;
	uint8_t borrowed[sizeof code];
	struct user_regs_struct *regs;
	struct xs_error *err;
	*made = false;
	if (filters_calls(process))
		return NULL;
	if ((err = eng_tracee_read(tracee, at, borrowed, sizeof borrowed)) ||
		(err = eng_tracee_write(tracee, at, code, sizeof code)) ||
		(err = eng_tracee_regs(tracee, &regs)))
		return err;
	struct user_regs_struct saved = *regs;
	regs->rip = at;
	regs->rax = call->number;
	regs->rdi = call->arguments[0];
	regs->rsi = call->arguments[1];
	regs->rdx = call->arguments[2];
	regs->r10 = call->arguments[3];
	regs->r8 = call->arguments[4];
	regs->r9 = call->arguments[5];
	tracee->regs_changed = true;
	if ((err = execute(process, signal)) || process->ended ||
		(err = eng_tracee_regs(tracee, &regs)))
		return err;
	call->answer = regs->rax;
	*made = true;
	*regs = saved;
	tracee->regs_changed = true;
	return eng_tracee_write(tracee, at, borrowed, sizeof borrowed);
}

struct xs_error *eng_inject_mremap(struct eng_process *process, xs_addr at, xs_addr lo, size_t size,
	xs_addr to, int *signal, bool *moved)
{
	struct eng_inject_call call = {.number = SYS_mremap,
		.arguments = {lo, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, to}};
	struct xs_error *err = eng_inject(process, at, &call, signal, moved);
	*moved = *moved && call.answer == to;
	return err;
}

struct xs_error *eng_inject_brk(struct eng_process *process, xs_addr at, size_t size, int *signal)
{
	struct eng_inject_call call = {.number = SYS_brk};
	bool made;
	struct xs_error *err = eng_inject(process, at, &call, signal, &made);
	if (err || !made)
		return err;
	call.arguments[0] = call.answer + size;
	return eng_inject(process, at, &call, signal, &made);
}
