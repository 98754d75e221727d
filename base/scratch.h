/* scratch.h - folders for what is needed for a while. They are in $TMPDIR, else in /tmp.
 *
 * Rules:
 * 1. A folder is nobody else's (mode 0700), and it is locked, by flock() of the folder itself, for
 *    as long as the process lives that made it: whatever it dies of, the lock goes with it.
 * 2. The next xstep removes those whose lock nobody holds: their processes are dead. Only folders
 *    of the same user and of this kind of name are looked at. Links are never followed.
 * 3. Between being made and being locked a folder may be taken for a dead one's; its maker notices
 *    and makes another. */
#ifndef XS_SCRATCH_H
#define XS_SCRATCH_H

#include "base/error.h"

/* The folder that temporary ones are made in. */
const char *xs_scratch_place(void);
/* Makes a new folder in xs_scratch_place(): `xstep-WHAT.` and six letters. *ret is its path, to be
 * freed; NULL after an error. */
XS_MUST_CHECK struct xs_error *xs_scratch_create(const char *what, char **ret);
/* The same in another place. */
XS_MUST_CHECK struct xs_error *xs_scratch_create_in(
	const char *place, const char *what, char **ret);
/* Removes a folder and all that is in it, and frees its path; NULL is fine. */
void xs_scratch_destroy(char *folder);
/* Removes the folders of dead processes in a place: rule 2. */
void xs_scratch_sweep(const char *place);

#endif
