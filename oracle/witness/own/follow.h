/* follow.h - the shared objects that somebody named, as they come and go.
 *
 * Rules:
 * 1. What is loaded of them now is part of the subject's ranges, and nothing else of them is.
 * 2. A module keeps its home (engine/home.h) however often it is loaded, and no two have the same:
 *    what is at a home address never changes.
 * 3. A name is a path or the last component of one. All that are called so are followed. */
#ifndef ORA_FOLLOW_H
#define ORA_FOLLOW_H

#include "engine/home.h"
#include "oracle/witness/own/subject.h"

/* One of them, loaded. */
struct ora_presence {
	char *path;          /* of the file */
	struct di_load load; /* where */
};

struct ora_follow {
	/* Set by the caller. */
	struct ora_subject *subject;
	struct eng_process *process;
	const char *const *names; /* of what is followed */
	size_t count;             /* how many */

	bool *met;                           /* of each name, whether it was ever loaded */
	XS_VEC(struct ora_presence) present; /* what is loaded now */
	struct eng_homes homes;              /* of what is not at home */
	char *others;                        /* names of what else is loaded, for messages */
};

/* Looks what is loaded; *changed tells if that is not what it was. */
XS_MUST_CHECK struct xs_error *ora_follow_look(struct ora_follow *follow, bool *changed);
void ora_follow_deinit(struct ora_follow *follow);

#endif
