#include "engine/event.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

const char *eng_event_name(enum eng_event_kind kind)
{
	static const char *const names[] = {
		[ENG_EVENT_STEP] = "step",
		[ENG_EVENT_TRAP] = "trap",
		[ENG_EVENT_SIGNAL] = "signal",
		[ENG_EVENT_GROUP_STOP] = "group stop",
		[ENG_EVENT_PAUSE] = "pause",
		[ENG_EVENT_FORK] = "fork",
		[ENG_EVENT_VFORK] = "vfork",
		[ENG_EVENT_VFORK_DONE] = "vfork done",
		[ENG_EVENT_CLONE] = "clone",
		[ENG_EVENT_EXEC] = "exec",
		[ENG_EVENT_EXITED] = "exited",
		[ENG_EVENT_KILLED] = "killed",
	};
	return names[kind];
}

/* A signal-delivery stop. SIGTRAP is ours or the program's, told by who sent it: a step reports
 * TRAP_TRACE, after a system call TRAP_BRKPT, on entering a handler plain SIGTRAP; int3 reports
 * SI_KERNEL; what a program sends has a code of 0 or less. */
static struct xs_error *decode_signal(struct eng_event *event)
{
	siginfo_t info;
	if (ptrace(PTRACE_GETSIGINFO, event->pid, NULL, &info)) {
		if (errno != ESRCH)
			return xs_error_sys("ptrace(GETSIGINFO, %d)", event->pid);
		event->kind = ENG_EVENT_PAUSE; /* killed meanwhile: the next wait tells */
		return NULL;
	}
	event->signal_code = info.si_code;
	event->kind = ENG_EVENT_SIGNAL;
	if (event->signal == SIGTRAP && info.si_code == SI_KERNEL)
		event->kind = ENG_EVENT_TRAP;
	else if (event->signal == SIGTRAP && info.si_code > 0)
		event->kind = ENG_EVENT_STEP;
	return NULL;
}

struct xs_error *eng_event_decode(pid_t pid, int status, struct eng_event *ret)
{
	*ret = (struct eng_event){.pid = pid};
	if (WIFEXITED(status)) {
		ret->kind = ENG_EVENT_EXITED;
		ret->status = WEXITSTATUS(status);
		return NULL;
	}
	if (WIFSIGNALED(status)) {
		ret->kind = ENG_EVENT_KILLED;
		ret->signal = WTERMSIG(status);
		return NULL;
	}
	ret->signal = WSTOPSIG(status);
	switch (status >> 16) {
	case PTRACE_EVENT_FORK:
		ret->kind = ENG_EVENT_FORK;
		break;
	case PTRACE_EVENT_VFORK:
		ret->kind = ENG_EVENT_VFORK;
		break;
	case PTRACE_EVENT_CLONE:
		ret->kind = ENG_EVENT_CLONE;
		break;
	case PTRACE_EVENT_VFORK_DONE:
		ret->kind = ENG_EVENT_VFORK_DONE;
		return NULL;
	case PTRACE_EVENT_EXEC:
		ret->kind = ENG_EVENT_EXEC;
		return NULL;
	case PTRACE_EVENT_STOP:
		ret->kind = ret->signal == SIGTRAP ? ENG_EVENT_PAUSE : ENG_EVENT_GROUP_STOP;
		return NULL;
	default:
		return decode_signal(ret);
	}
	unsigned long child = 0;
	if (ptrace(PTRACE_GETEVENTMSG, pid, NULL, &child) && errno != ESRCH)
		return xs_error_sys("ptrace(GETEVENTMSG, %d)", pid);
	ret->child = (pid_t)child;
	return NULL;
}
