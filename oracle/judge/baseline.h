/* baseline.h - what an earlier run found, so that only what is new is told.
 *
 * It is read from the JSON or the SARIF that xstep printed, or from a list: an id or a signature on
 * each line; an empty line and what follows a `#` do not count.
 *
 *  1. A finding is old if its id is in the file: the same build was looked at, and it is still so.
 *  2. It is old if its signature is in the file and says what the mistake is. The same mistake at
 *     another place, or after the program was built again, is no news.
 *  3. A `?` in a signature means that no rule explains it, and so does `undecided`: such findings
 *     need not have one cause. They are old only at the same place: function and path of the
 *     variable. A list without places has them by their ids alone. */
#ifndef ORA_BASELINE_H
#define ORA_BASELINE_H

#include <stdbool.h>

#include "base/error.h"
#include "base/vec.h"

struct ora_baseline {
	const char *path;     /* of the file, as it was named; NULL: there is none */
	XS_VEC(char *) marks; /* ids, signatures, and signatures with their places; sorted */
};

/* Reads a file. One that is no list of findings is an error; an empty list is none. */
XS_MUST_CHECK struct xs_error *ora_baseline_load(struct ora_baseline *baseline, const char *path);
/* Where a finding is, for rule 3: `main: x`; to be freed. Both may be NULL. */
char *ora_baseline_place(const char *function, const char *variable);
/* Whether it has a finding. */
bool ora_baseline_has(const struct ora_baseline *baseline, const char *id, const char *signature,
	const char *place);
void ora_baseline_deinit(struct ora_baseline *baseline);

#endif
