#include "engine/sigtrap.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

static const uint64_t trap_bit = UINT64_C(1) << (SIGTRAP - 1);

static struct xs_error *failed(struct eng_process *process, const char *request)
{
	process->tracee.gone = errno == ESRCH;
	return xs_error_sys("ptrace(%s, %d)", request, process->tracee.pid);
}

static struct xs_error *set_mask(struct eng_process *process, uint64_t mask)
{
	if (ptrace(PTRACE_SETSIGMASK, process->tracee.pid, (void *)sizeof mask, &mask))
		return failed(process, "SETSIGMASK");
	return NULL;
}

bool eng_sigtrap_watches_calls(const struct eng_process *process)
{
	return process->fence &&
	       (process->trap_used || process->calls_seen < 2 * ENG_SIGTRAP_CALLS);
}

struct xs_error *eng_sigtrap_is_blocked(struct eng_process *process, bool *ret)
{
	void *size = (void *)sizeof process->blocked;
	if (!process->blocked_known &&
		ptrace(PTRACE_GETSIGMASK, process->tracee.pid, size, &process->blocked))
		return failed(process, "GETSIGMASK");
	process->blocked_known = true;
	*ret = process->blocked & trap_bit;
	process->trap_used |= *ret;
	return NULL;
}

struct xs_error *eng_sigtrap_forbids_traps(struct eng_process *process, bool *ret)
{
	struct user_regs_struct *regs;
	struct xs_error *err = eng_sigtrap_is_blocked(process, ret);
	if (err || *ret || (err = eng_tracee_regs(&process->tracee, &regs)))
		return err;
	*ret = regs->eflags & ENG_TRAP_FLAG;
	return NULL;
}

struct xs_error *eng_sigtrap_unblock(struct eng_process *process)
{
	return set_mask(process, process->blocked & ~trap_bit);
}

/* What was kept is sent again, now that it is blocked: it waits as it did before. */
struct xs_error *eng_sigtrap_block_again(struct eng_process *process)
{
	struct xs_error *err = set_mask(process, process->blocked);
	if (!err && process->kept.resend &&
		syscall(SYS_pidfd_send_signal, process->pidfd, 0, NULL, 0) == 0)
		syscall(SYS_tkill, process->tracee.pid, SIGTRAP);
	process->kept.resend = false;
	return err;
}

struct xs_error *eng_sigtrap_keep(
	struct eng_process *process, const struct eng_event *event, bool *keep)
{
	siginfo_t info;
	*keep = event->kind == ENG_EVENT_SIGNAL && event->signal == SIGTRAP &&
		event->signal_code <= 0;
	if (!*keep)
		return NULL;
	if (ptrace(PTRACE_GETSIGINFO, process->tracee.pid, NULL, &info))
		return failed(process, "GETSIGINFO");
	/* The one that we have sent stands for the first. */
	if (!process->kept.any)
		process->kept.info = info;
	process->kept.any = process->kept.resend = true;
	return NULL;
}

void eng_sigtrap_restore(struct eng_process *process, const struct eng_event *event)
{
	siginfo_t info;
	if (!process->kept.any || event->kind != ENG_EVENT_SIGNAL || event->signal != SIGTRAP ||
		event->signal_code != SI_TKILL ||
		ptrace(PTRACE_GETSIGINFO, process->tracee.pid, NULL, &info) ||
		info.si_pid != getpid())
		return;
	ptrace(PTRACE_SETSIGINFO, process->tracee.pid, NULL, &process->kept.info);
}

/* The program has asked for, or set, what a SIGTRAP does (rule 4). */
static struct xs_error *action_set(struct eng_process *process, const struct user_regs_struct *regs)
{
	struct eng_tracee *tracee = &process->tracee;
	const uint64_t ignore = 1; /* SIG_IGN, the first word of what the kernel is given */
	struct xs_error *err = NULL;
	uint64_t handler;
	process->trap_used = true;
	if (regs->rdx && process->trap_ignored)
		err = eng_tracee_write(tracee, regs->rdx, &ignore, sizeof ignore);
	/* What cannot be read was no address for the kernel either. */
	if (err || !regs->rsi)
		return err;
	if (regs->rsi == regs->rdx)
		return NULL; /* overwritten: what was set is not known */
	if ((err = eng_tracee_read(tracee, regs->rsi, &handler, sizeof handler)))
		return err;
	process->trap_ignored = handler == ignore;
	return NULL;
}

struct xs_error *eng_sigtrap_call_ended(struct eng_process *process, bool *blocked)
{
	struct user_regs_struct *regs;
	struct xs_error *err = eng_tracee_regs(&process->tracee, &regs);
	*blocked = false;
	if (err)
		return err;
	int64_t call = (int64_t)regs->orig_rax;
	process->calls_seen++;
	if (call == SYS_rt_sigaction && regs->rdi == SIGTRAP && !regs->rax)
		return action_set(process, regs);
	/* sigreturn leaves no number. */
	if (call >= 0 && (call != SYS_rt_sigprocmask || regs->rax))
		return NULL;
	process->blocked_known = false;
	return eng_sigtrap_is_blocked(process, blocked);
}

bool eng_sigtrap_is_forced_by(const uint8_t *code, size_t size)
{
	enum { INT3 = 0xcc, INT = 0xcd, ICEBP = 0xf1 };
	return size && (code[0] == INT3 || code[0] == ICEBP ||
			       (size > 1 && code[0] == INT && code[1] == 3));
}
