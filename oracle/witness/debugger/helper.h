/* helper.h - another program that works for xstep: a debugger.
 *
 * Rules:
 * 1. It runs in a process group of its own and dies with xstep.
 * 2. While it runs xstep is the parent of its orphans, so that whatever it started (a debug server,
 *    the program being debugged) can be found when it ends.
 * 3. However it ends, ora_helper_end() leaves none of them behind.
 * 4. Where other children of xstep's must stay (ora_helper_share), those of a helper are known by a
 *    mark in their environment.
 * 5. One that was borrowed (lent.h) is no child of xstep's, and starts nothing. */
#ifndef ORA_HELPER_H
#define ORA_HELPER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/vec.h"
#include "engine/steady_run.h"

enum { ORA_HELPER_FD = 3 }; /* what a helper writes its results to, if it is to */

struct ora_helper {
	pid_t pid;   /* of it */
	int said;    /* what it says on standard output and error, to be read; not blocking */
	int results; /* what it writes to ORA_HELPER_FD, likewise; -1 if there is no such */
	char *mark;  /* rule 4: NAME=VALUE; NULL: rule 2 */
	bool ended;  /* whether it was waited for */
	int status;  /* what waitpid() said then */
	struct ora_copy *lent; /* rule 5; NULL: it was started */
};

typedef XS_VEC(char *) ora_helper_strings;
/* xstep's environment with the changes of ora_helper_start(), and a NULL. The strings are not
 * copied. */
void ora_helper_environment(char *const *changes, ora_helper_strings *ret);

/* Where a debugger runs that reads from the folder where it runs: nobody else writes there. lldb
 * imports Python's modules from it that it does not find elsewhere: lldb.py, six.py. */
#define ORA_HELPER_AWAY "/"

/* Starts argv[0], a path, in a folder; NULL: where xstep is. Its environment is xstep's with what
 * `variables` (NAME=VALUE, up to NULL) adds or replaces; `NAME` alone takes one away. The questions
 * of what it starts go to `steady`, unless that is NULL. */
XS_MUST_CHECK struct xs_error *ora_helper_start(char *const *argv, char *const *variables,
	const char *folder, bool results, struct eng_steady *steady, struct ora_helper *ret);
/* It has just been started, with `mark` among its variables, and nobody else has that: rule 4 holds
 * for it, and not rule 2. */
void ora_helper_share(struct ora_helper *helper, const char *mark);
/* Sends it a descriptor, which it finds at ORA_HELPER_FD with a byte of data. False: it was not
 * sent. */
bool ora_helper_send(const struct ora_helper *helper, int fd);
/* Whether it has ended by itself. */
bool ora_helper_has_ended(struct ora_helper *helper);
/* Ends it and all that it started, unless they have ended. Harmless on a zeroed one. */
void ora_helper_end(struct ora_helper *helper);

/* Runs one to its end, which comes after `seconds` of its own time at the latest (silence.h). *said
 * is what it said, to be freed; *status as from waitpid(). */
XS_MUST_CHECK struct xs_error *ora_helper_run(char *const *argv, char *const *variables,
	const char *folder, double seconds, char **said, int *status);

#endif
