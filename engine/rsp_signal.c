#include "engine/rsp_signal.h"

#include <signal.h>
#include <stddef.h>

enum { UNKNOWN = 143 };

/* By Linux' numbers; those that are not here are told by rules. */
static const unsigned char numbers[] = {[SIGHUP] = 1,
	[SIGINT] = 2,
	[SIGQUIT] = 3,
	[SIGILL] = 4,
	[SIGTRAP] = 5,
	[SIGABRT] = 6,
	[SIGBUS] = 10,
	[SIGFPE] = 8,
	[SIGKILL] = 9,
	[SIGUSR1] = 30,
	[SIGSEGV] = 11,
	[SIGUSR2] = 31,
	[SIGPIPE] = 13,
	[SIGALRM] = 14,
	[SIGTERM] = 15,
	[SIGSTKFLT] = UNKNOWN,
	[SIGCHLD] = 20,
	[SIGCONT] = 19,
	[SIGSTOP] = 17,
	[SIGTSTP] = 18,
	[SIGTTIN] = 21,
	[SIGTTOU] = 22,
	[SIGURG] = 16,
	[SIGXCPU] = 24,
	[SIGXFSZ] = 25,
	[SIGVTALRM] = 26,
	[SIGPROF] = 27,
	[SIGWINCH] = 28,
	[SIGIO] = 23,
	[SIGPWR] = 32,
	[SIGSYS] = 12};

/* Real-time signals: 33 is the 45th, 34 to 63 follow, 32 and 64 were added later. */
unsigned eng_rsp_signal_to(int signal)
{
	if (signal > 0 && (size_t)signal < sizeof numbers)
		return numbers[signal];
	if (signal >= 33 && signal <= 63)
		return (unsigned)signal + 12;
	return signal == 32 ? 77 : signal == 64 ? 78 : UNKNOWN;
}

int eng_rsp_signal_from(unsigned number)
{
	for (int signal = 1; number && signal <= 64; signal++)
		if (eng_rsp_signal_to(signal) == number && number != UNKNOWN)
			return signal;
	return 0;
}
