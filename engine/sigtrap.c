#include "engine/sigtrap.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

static const uint64_t trap_bit = UINT64_C(1) << (SIGTRAP - 1);

static struct xs_error *failed(struct eng_tracee *tracee, const char *request)
{
	tracee->gone = errno == ESRCH;
	return xs_error_sys("ptrace(%s, %d)", request, tracee->pid);
}

static struct xs_error *set_mask(struct eng_tracee *tracee, uint64_t mask)
{
	if (ptrace(PTRACE_SETSIGMASK, tracee->pid, (void *)sizeof mask, &mask))
		return failed(tracee, "SETSIGMASK");
	return NULL;
}

bool eng_sigtrap_watches_calls(const struct eng_sigtrap *sigtrap)
{
	return sigtrap->used || sigtrap->calls_seen < 2 * ENG_SIGTRAP_CALLS;
}

struct xs_error *eng_sigtrap_is_blocked(
	struct eng_sigtrap *sigtrap, struct eng_tracee *tracee, bool *ret)
{
	void *size = (void *)sizeof sigtrap->thread.blocked;
	if (!sigtrap->thread.blocked_known &&
		ptrace(PTRACE_GETSIGMASK, tracee->pid, size, &sigtrap->thread.blocked))
		return failed(tracee, "GETSIGMASK");
	sigtrap->thread.blocked_known = true;
	*ret = sigtrap->thread.blocked & trap_bit;
	sigtrap->used |= *ret;
	return NULL;
}

struct xs_error *eng_sigtrap_forbids_traps(
	struct eng_sigtrap *sigtrap, struct eng_tracee *tracee, bool *ret)
{
	struct user_regs_struct *regs;
	struct xs_error *err = eng_sigtrap_is_blocked(sigtrap, tracee, ret);
	if (err || *ret || (err = eng_tracee_regs(tracee, &regs)))
		return err;
	*ret = regs->eflags & ENG_TRAP_FLAG;
	return NULL;
}

struct xs_error *eng_sigtrap_unblock(struct eng_sigtrap *sigtrap, struct eng_tracee *tracee)
{
	return set_mask(tracee, sigtrap->thread.blocked & ~trap_bit);
}

/* What was kept is sent again, now that it is blocked: it waits as it did before. */
struct xs_error *eng_sigtrap_block_again(struct eng_sigtrap *sigtrap, struct eng_tracee *tracee)
{
	struct xs_error *err = set_mask(tracee, sigtrap->thread.blocked);
	if (!err && sigtrap->thread.resend)
		syscall(SYS_tkill, tracee->pid, SIGTRAP);
	sigtrap->thread.resend = false;
	return err;
}

struct xs_error *eng_sigtrap_keep(struct eng_sigtrap *sigtrap, struct eng_tracee *tracee,
	const struct eng_event *event, bool *keep)
{
	siginfo_t info;
	*keep = event->kind == ENG_EVENT_SIGNAL && event->signal == SIGTRAP &&
		event->signal_code <= 0;
	if (!*keep)
		return NULL;
	if (ptrace(PTRACE_GETSIGINFO, tracee->pid, NULL, &info))
		return failed(tracee, "GETSIGINFO");
	/* The one that we have sent stands for the first. */
	if (!sigtrap->thread.kept)
		sigtrap->thread.info = info;
	sigtrap->thread.kept = sigtrap->thread.resend = true;
	return NULL;
}

void eng_sigtrap_restore(
	struct eng_sigtrap *sigtrap, struct eng_tracee *tracee, const struct eng_event *event)
{
	siginfo_t info;
	if (!sigtrap->thread.kept || event->kind != ENG_EVENT_SIGNAL || event->signal != SIGTRAP ||
		event->signal_code != SI_TKILL ||
		ptrace(PTRACE_GETSIGINFO, tracee->pid, NULL, &info) || info.si_pid != getpid())
		return;
	ptrace(PTRACE_SETSIGINFO, tracee->pid, NULL, &sigtrap->thread.info);
}

/* The program has asked for, or set, what a SIGTRAP does (rule 4). */
static struct xs_error *action_set(
	struct eng_sigtrap *sigtrap, struct eng_tracee *tracee, const struct user_regs_struct *regs)
{
	const uint64_t ignore = 1; /* SIG_IGN, the first word of what the kernel is given */
	struct xs_error *err = NULL;
	uint64_t handler;
	sigtrap->used = true;
	if (regs->rdx && sigtrap->ignored)
		err = eng_tracee_write(tracee, regs->rdx, &ignore, sizeof ignore);
	/* What cannot be read was no address for the kernel either. */
	if (err || !regs->rsi)
		return err;
	if (regs->rsi == regs->rdx)
		return NULL; /* overwritten: what was set is not known */
	if ((err = eng_tracee_read(tracee, regs->rsi, &handler, sizeof handler)))
		return err;
	sigtrap->ignored = handler == ignore;
	return NULL;
}

struct xs_error *eng_sigtrap_call_ended(
	struct eng_sigtrap *sigtrap, struct eng_tracee *tracee, bool *blocked)
{
	struct user_regs_struct *regs;
	struct xs_error *err = eng_tracee_regs(tracee, &regs);
	*blocked = false;
	if (err)
		return err;
	int64_t call = (int64_t)regs->orig_rax;
	sigtrap->calls_seen++;
	if (call == SYS_rt_sigaction && regs->rdi == SIGTRAP && !regs->rax)
		return action_set(sigtrap, tracee, regs);
	/* sigreturn leaves no number. */
	if (call >= 0 && (call != SYS_rt_sigprocmask || regs->rax))
		return NULL;
	sigtrap->thread.blocked_known = false;
	return eng_sigtrap_is_blocked(sigtrap, tracee, blocked);
}

struct xs_error *eng_sigtrap_take_flag_back(
	struct eng_tracee *tracee, xs_addr pc, unsigned length, const struct eng_event *event)
{
	/* Of rip and of the flags, in what the kernel has put on the stack for the handler. */
	enum { FRAME_RIP = 176, FRAME_FLAGS = FRAME_RIP + 8 };
	struct user_regs_struct *regs;
	struct xs_error *err;
	uint64_t kept[2];
	size_t have;
	if (event->kind != ENG_EVENT_SIGNAL && event->kind != ENG_EVENT_STEP)
		return NULL;
	if ((err = eng_tracee_regs(tracee, &regs)) || regs->rip == pc + length)
		return err;
	if (regs->rip == pc) {
		regs->eflags &= ~(unsigned long long)ENG_TRAP_FLAG;
		tracee->regs_changed = true;
		return NULL;
	}
	if ((err = eng_tracee_read_some(tracee, regs->rsp + FRAME_RIP, kept, sizeof kept, &have)) ||
		have < sizeof kept || kept[0] != pc || !(kept[1] & ENG_TRAP_FLAG))
		return err;
	kept[1] &= ~(uint64_t)ENG_TRAP_FLAG;
	return eng_tracee_write(tracee, regs->rsp + FRAME_FLAGS, &kept[1], sizeof kept[1]);
}

bool eng_sigtrap_is_forced_by(const uint8_t *code, size_t size)
{
	enum { INT3 = 0xcc, INT = 0xcd, ICEBP = 0xf1 };
	return size && (code[0] == INT3 || code[0] == ICEBP ||
			       (size > 1 && code[0] == INT && code[1] == 3));
}
