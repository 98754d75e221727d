/* box.h - runs a command of which nothing is known: a generator, a compiler, a generated program,
 * an oracle. However it behaves, it ends, and leaves no process behind.
 *
 * Rules:
 * 1. It may take so much time, memory (of all its processes together) and output, write files of
 *    such a size, and no more. What it exceeds ends it, and is a result.
 * 2. The caller is a process of its own (crew.h) and has no other children: it becomes the parent
 *    of orphans, so that whatever the command started can be found and ended.
 * 3. SIGTERM, or the end of the caller's own parent, ends the command and then the caller. */
#ifndef ORA_BOX_H
#define ORA_BOX_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/vec.h"

struct ora_box {
	const char *folder;  /* where it runs */
	const char *scratch; /* its TMPDIR */
	double seconds;      /* of the clock */
	uint64_t memory;     /* bytes in use at a time */
	uint64_t output;     /* bytes on standard output and error */
	/* Processes that lend it copies of themselves (oracle/witness/debugger/lent.h): children of
	 * theirs that are of the command's process group count as its own. */
	const pid_t *keepers;
	size_t keeper_count;
	bool bare; /* with an environment of its own, as xstep gives programs */
};

enum ora_box_end {
	ORA_BOX_EXITED,  /* by itself: see status */
	ORA_BOX_KILLED,  /* of a signal that was not ours */
	ORA_BOX_HUNG,    /* it took too long */
	ORA_BOX_MEMORY,  /* it took too much memory */
	ORA_BOX_OUTPUT,  /* it printed too much */
	ORA_BOX_NOT_RUN, /* there is no such program, or it cannot be run */
};

struct ora_boxed {
	enum ora_box_end end;
	int status;       /* EXITED: exit status; KILLED: the signal */
	char *out, *said; /* what it printed on standard output, and on standard error */
	size_t out_size;  /* of out, without its NUL */
	double seconds;   /* that it took */
};

/* From now on this process is one that may run boxes: rules 2 and 3. */
void ora_box_prepare(void);
/* Runs argv, found on PATH. */
void ora_box_run(const struct ora_box *box, const char *const *argv, struct ora_boxed *ret);
void ora_boxed_deinit(struct ora_boxed *boxed);
/* How it ended, in words: `exit status 1: what it said first`; to be freed. */
char *ora_boxed_words(const struct ora_boxed *boxed);
/* Whether it failed for want of space on a disk, by what it said: that is no fact about it. */
bool ora_boxed_is_full(const struct ora_boxed *boxed);
/* Puts `other` in place of each `word` of a text, which is freed; NULL stays NULL. What a command
 * says has paths in it that are another campaign's others. To be freed. */
char *ora_words_replace(char *text, const char *word, const char *other);

#endif
