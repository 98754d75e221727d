/* copy.h - the copy of a kept debugger that was lent (lent.h): no child of xstep's, and known by a
 * pidfd. It is killed when xstep lets go of it, or dies. */
#ifndef ORA_COPY_H
#define ORA_COPY_H

#include <stdbool.h>

struct ora_copy {
	int connection; /* to the kept debugger, which tells how the copy ends */
	int lifeline;   /* the only other end of the copy's: it dies when this is closed */
	int pidfd;      /* the copy */
};

/* Whether it has ended; *status then is as from waitpid(). */
bool ora_copy_has_ended(struct ora_copy *copy, int *status);
/* Ends it. */
void ora_copy_destroy(struct ora_copy *copy);

#endif
