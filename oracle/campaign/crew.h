/* crew.h - workers: processes that do one task each, several at a time.
 *
 * Rules:
 * 1. A worker is forked for a task, does it in a scratch folder of its own, and answers with one
 *    JSON value. The folder is empty when it begins, and gone when it has ended.
 * 2. The paths of these folders all have the same length.
 * 3. When the crew ends, or its owner dies, the workers end, and all that they started. */
#ifndef ORA_CREW_H
#define ORA_CREW_H

#include <jansson.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/vec.h"

struct ora_worker {
	pid_t pid;         /* 0: this place is free */
	int answer;        /* what it says, to be read */
	void *task;        /* the owner's */
	XS_VEC(char) said; /* so far */
};

/* Zero-initialised but for `scratch`, a folder of the owner's. */
struct ora_crew {
	const char *scratch;
	XS_VEC(struct ora_worker) workers; /* as many as may work at a time */
};

void ora_crew_init(struct ora_crew *crew, const char *scratch, size_t size);
/* Whether another task can be begun; and how many are. */
bool ora_crew_is_free(const struct ora_crew *crew);
size_t ora_crew_busy(const struct ora_crew *crew);
/* Has a task done: by a worker, in whose process `work` is called, and whose answer is what that
 * returns. */
XS_MUST_CHECK struct xs_error *ora_crew_begin(struct ora_crew *crew, void *task,
	json_t *(*work)(void *context, void *task, const char *scratch), void *context);
/* Waits a moment for a worker to be done. False: none is. *answer: NULL if it died; to be let go
 * of. */
bool ora_crew_wait(struct ora_crew *crew, void **task, json_t **answer);
/* Ends those that are at work. Returns the task of one, NULL when there is none left. */
void *ora_crew_end(struct ora_crew *crew);
void ora_crew_deinit(struct ora_crew *crew);

#endif
