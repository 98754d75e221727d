/* pager.h - the program that shows a long text page by page: $XSTEP_PAGER, $PAGER, or less.
 *
 * Its environment gets LESS=FRX and LV=-c, unless the user has set them: colours are let through,
 * and the text stays on the screen. While it runs, ^C and ^\ are its own: xstep waits for its end.
 * Who leaves it before the end of the text has seen enough: that is no error. */
#ifndef CLI_PAGER_H
#define CLI_PAGER_H

#include <stdbool.h>
#include <stddef.h>
#include <signal.h>
#include <sys/types.h>

struct cli_pager {
	pid_t pid;                  /* 0: none runs */
	int to;                     /* where it reads from; -1: it reads no more */
	struct sigaction before[2]; /* what ^C and ^\ did */
};

/* False: there is none, or none is wanted. */
bool cli_pager_start(struct cli_pager *pager);
/* False: errno says why. That it has left is not told. */
bool cli_pager_write(struct cli_pager *pager, const char *text, size_t size);
/* Waits for its end. False: the shell could not start it, so that nobody has seen anything. */
bool cli_pager_end(struct cli_pager *pager);

#endif
