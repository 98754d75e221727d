#include "engine/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};
static volatile sig_atomic_t came, target = -1;

void eng_interrupt_raise(int signal)
{
	int saved = errno;
	if (!came)
		came = signal;
	if (target >= 0)
		syscall(SYS_pidfd_send_signal, (int)target, SIGKILL, NULL, 0);
	errno = saved;
}

int eng_interrupt_signal(void)
{
	return (int)came;
}

static void set_handlers(void (*handler)(int))
{
	/* Not SA_RESTART: whatever blocks must notice. A second signal of the kind has its default
	 * effect, should the first not be enough; the kernel then kills the program. */
	struct sigaction action = {.sa_handler = handler, .sa_flags = (int)SA_RESETHAND};
	sigset_t mask;
	sigemptyset(&mask);
	for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) {
		struct sigaction now;
		/* What the caller of xstep chose to ignore (nohup) stays ignored; the clock is
		 * ours. */
		bool ignored = sigaction(caught[i], NULL, &now) == 0 && now.sa_handler == SIG_IGN;
		if (!ignored || caught[i] == SIGALRM)
			sigaction(caught[i], &action, NULL);
		sigaddset(&mask, caught[i]);
	}
	sigprocmask(SIG_UNBLOCK, &mask, NULL);
}

static void set_clock(double seconds)
{
	struct itimerval timer = {0};
	timer.it_value.tv_sec = (time_t)seconds;
	timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6);
	setitimer(ITIMER_REAL, &timer, NULL);
}

void eng_interrupt_arm(int pidfd, double seconds)
{
	came = 0;
	target = pidfd;
	set_handlers(eng_interrupt_raise);
	set_clock(seconds);
}

void eng_interrupt_disarm(void)
{
	set_clock(0);
	set_handlers(SIG_DFL);
	target = -1;
}
