/* scratch.h - folders for what is needed for a while. They are in $TMPDIR, else in /tmp. */
#ifndef XS_SCRATCH_H
#define XS_SCRATCH_H

#include "base/error.h"

/* The folder that temporary ones are made in. */
const char *xs_scratch_place(void);
/* Makes a new folder, `xstep-WHAT-` and six letters. *ret is its path, to be freed. */
XS_MUST_CHECK struct xs_error *xs_scratch_create(const char *what, char **ret);
/* Removes a folder and all that is in it, and frees its path; NULL is fine. Links are not followed.
 */
void xs_scratch_destroy(char *folder);

#endif
