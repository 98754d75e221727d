/* launch.h - starts the program so that every run begins the same. */
#ifndef ENG_LAUNCH_H
#define ENG_LAUNCH_H

#include <sys/types.h>

#include "base/error.h"

struct eng_steady;

struct eng_launch {
	const char *path;         /* absolute; also argv[0], for the stack moves with its length */
	char *const *argv;        /* NULL-terminated */
	char *const *environment; /* NULL-terminated; nothing else is passed on */
	int in, out, err;         /* descriptors that become 0, 1 and 2 */
	unsigned moved;           /* with its stack and its shared objects elsewhere: which place,
				   * from 1 to 3; 0: where they always are */
	bool steady;              /* it gets the same answers in every run (steady_run.h) */
};

/* Forks, seizes the child, and lets it exec in a process group of its own, without address space
 * randomisation, with default signal handling and no other descriptors. Returns with the child in
 * the stop after exec, traced; it dies with us. Its questions go to
 * `steady`, if there is one; forbid_clock: see tsc.h. */
XS_MUST_CHECK struct xs_error *eng_launch(
	const struct eng_launch *launch, struct eng_steady *steady, bool forbid_clock, pid_t *ret);

#endif
