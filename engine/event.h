/* event.h - what a wait reports, as a word instead of a status.
 *
 * The kernel's integers become these kinds once, here. Each says what happened and how the thread
 * is resumed. (A *stop*, in xstep's words, is a moment between two instructions; an event is what
 * ptrace has to say, and most stops begin with one.) */
#ifndef ENG_EVENT_H
#define ENG_EVENT_H

#include <signal.h>
#include <sys/types.h>

#include "base/error.h"

enum eng_event_kind {
	/* One instruction was executed, or a signal handler entered. Resume without a signal. */
	ENG_EVENT_STEP,
	/* An int3 was executed and pc is behind it. If it is ours: take it out, move pc back,
	 * resume without a signal. If it is the program's: resume with SIGTRAP. */
	ENG_EVENT_TRAP,
	/* A signal is about to be delivered; nothing has been executed. Resume with it. */
	ENG_EVENT_SIGNAL,
	/* The whole program was stopped by SIGSTOP, SIGTSTP, SIGTTIN or SIGTTOU. Resume with
	 * PTRACE_LISTEN: it stays stopped, as it should, until SIGCONT. */
	ENG_EVENT_GROUP_STOP,
	/* A new thread or child before its first instruction, or the end of a group stop. Resume
	 * without a signal, in the way it was running before. */
	ENG_EVENT_PAUSE,
	/* A child was made: by fork, by vfork (it borrows the memory until VFORK_DONE), or as a
	 * thread. The child is stopped too. Resume as before. */
	ENG_EVENT_FORK,
	ENG_EVENT_VFORK,
	ENG_EVENT_VFORK_DONE,
	ENG_EVENT_CLONE,
	/* Another program was loaded in place of this one. Resume as before. */
	ENG_EVENT_EXEC,
	/* It ended by itself, or was killed by a signal. There is nothing to resume. */
	ENG_EVENT_EXITED,
	ENG_EVENT_KILLED,
};

/* The stop signal at the begin and at the end of a system call, after PTRACE_SYSCALL. Such a stop
 * is no event: below eng_process_go() it is passed. */
enum { ENG_CALL_STOP = SIGTRAP | 0x80 };

struct eng_event {
	enum eng_event_kind kind; /* what happened */
	pid_t pid;                /* to which thread */
	int signal;               /* SIGNAL, GROUP_STOP, KILLED, TRAP (SIGTRAP): which one */
	int signal_code;          /* SIGNAL: its si_code: who sent it */
	int status;               /* EXITED: the exit status */
	pid_t child;              /* FORK, VFORK, CLONE: the new one */
};

/* Tells what waitpid's status says about thread pid. */
XS_MUST_CHECK struct xs_error *eng_event_decode(pid_t pid, int status, struct eng_event *ret);
/* The kind in a word, for logs. */
const char *eng_event_name(enum eng_event_kind kind);

#endif
