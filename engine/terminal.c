#include "engine/terminal.h"

#include <signal.h>
#include <unistd.h>

/* tcsetpgrp from the background stops the caller with SIGTTOU unless that is blocked. */
static bool set_foreground(int fd, pid_t group)
{
	sigset_t ttou, old;
	sigemptyset(&ttou);
	sigaddset(&ttou, SIGTTOU);
	sigprocmask(SIG_BLOCK, &ttou, &old);
	bool done = tcsetpgrp(fd, group) == 0;
	sigprocmask(SIG_SETMASK, &old, NULL);
	return done;
}

void eng_terminal_lend(struct eng_terminal *terminal, int fd, pid_t group)
{
	bool ours = fd >= 0 && isatty(fd) && tcgetpgrp(fd) == getpgrp();
	*terminal = (struct eng_terminal){.fd = ours ? fd : -1, .group = group};
	terminal->lent = ours && set_foreground(fd, group);
}

void eng_terminal_take_back(struct eng_terminal *terminal)
{
	if (terminal->lent)
		set_foreground(terminal->fd, getpgrp());
	terminal->lent = false;
}

void eng_terminal_suspend(struct eng_terminal *terminal, int signal)
{
	if (!terminal->lent || signal == SIGSTOP)
		return;
	eng_terminal_take_back(terminal);
	/* Where nobody could continue us (an orphaned group) the kernel drops it. */
	kill(0, SIGTSTP);
	/* Continued. In the background (bg) the terminal stays with the shell. */
	eng_terminal_lend(terminal, terminal->fd, terminal->group);
	kill(-terminal->group, SIGCONT);
}
