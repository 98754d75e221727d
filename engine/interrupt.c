#include "engine/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* The last one only while signals are held: whoever reads our output has left. */
static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGPIPE};
static volatile sig_atomic_t came, target = -1, held;
static struct timespec when; /* it came */

void eng_interrupt_kill(int pidfd)
{
	syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0);
}

static void end_target(void)
{
	if (target >= 0)
		eng_interrupt_kill((int)target);
}

void eng_interrupt_raise(int signal)
{
	int saved = errno;
	if (!came) {
		clock_gettime(CLOCK_MONOTONIC, &when);
		came = signal;
	}
	end_target();
	errno = saved;
}

int eng_interrupt_signal(void)
{
	return (int)came;
}

bool eng_interrupt_is_wish(void)
{
	return came && came != SIGALRM;
}

double eng_interrupt_age(void)
{
	struct timespec now;
	if (!came)
		return 0;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - when.tv_sec) + (double)(now.tv_nsec - when.tv_nsec) / 1e9;
}

static void set_handlers(void (*handler)(int), bool all)
{
	/* Not SA_RESTART: whatever blocks must notice. A second signal of the kind has its default
	 * effect, should the first not be enough; the kernel then kills the program. */
	struct sigaction action = {.sa_handler = handler, .sa_flags = (int)SA_RESETHAND};
	sigset_t mask;
	sigemptyset(&mask);
	for (size_t i = 0; i < sizeof caught / sizeof *caught - !all; i++) {
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

void eng_interrupt_hold(void)
{
	came = 0;
	held = 1;
	set_handlers(eng_interrupt_raise, true);
}

void eng_interrupt_release(void)
{
	held = 0;
	set_handlers(SIG_DFL, true);
}

void eng_interrupt_arm(int pidfd, double seconds)
{
	/* The clock is each run's own; what the user wants is not forgotten by the next one. */
	if (!held || came == SIGALRM)
		came = 0;
	target = pidfd;
	if (came)
		end_target();
	else
		set_handlers(eng_interrupt_raise, false);
	set_clock(seconds);
	/* One that came before there was a target. */
	if (came)
		end_target();
}

void eng_interrupt_disarm(void)
{
	set_clock(0);
	if (!held)
		set_handlers(SIG_DFL, false);
	target = -1;
}
