/* terminal.h - lends the terminal to the program.
 *
 * The program has a process group of its own. If it reads from our terminal from the background,
 * the kernel stops it with SIGTTIN and the run hangs; so its group becomes the foreground group
 * while it runs, and the terminal is taken back at the end. */
#ifndef ENG_TERMINAL_H
#define ENG_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>

struct eng_terminal {
	int fd;      /* the terminal, -1 if there is none to lend */
	pid_t group; /* the program's */
	bool lent;   /* whether that group has it now */
};

/* Lends fd to group if fd is a terminal and we are in its foreground. */
void eng_terminal_lend(struct eng_terminal *terminal, int fd, pid_t group);
void eng_terminal_take_back(struct eng_terminal *terminal);
/* The program was stopped by a signal. If that is one of the keyboard's, stops xstep's own job too,
 * as the user meant, and when that is continued, the program as well. */
void eng_terminal_suspend(struct eng_terminal *terminal, int signal);

#endif
