/* testimony.h - one witness is asked one question, and tells a sink.
 *
 * Rules:
 * 1. Whatever happens to a debugger is a result: `trouble` says it in a sentence. An error is what
 *    keeps xstep from doing its own part.
 * 2. No process is left behind.
 * 3. The program's output goes to where ora_run says, and never into what is told. */
#ifndef ORA_TESTIMONY_H
#define ORA_TESTIMONY_H

#include <jansson.h>

#include "oracle/store/sink.h"
#include "oracle/witness/question.h"
#include "oracle/witness/witness.h"

struct ora_heard;
struct ora_recording;
struct ora_shared;
struct ora_stop;
struct ora_transcript;

struct ora_testimony {
	/* Set by the caller. */
	const struct ora_witness *witness;   /* who; without a problem */
	const struct ora_question *question; /* what */
	struct ora_sink *sink;               /* whom it tells */
	/* Called now and then: how far it is. NULL: nobody wants to know. */
	void (*on_progress)(void *context, uint64_t executed, uint64_t kept);
	/* Of xstep: called at each stop that is told, while the process is live; false ends it.
	 * NULL likewise. */
	bool (*on_live)(void *context, const struct ora_stop *stop);
	void *context;                   /* passed to both */
	struct ora_recording *recording; /* XSTEP: its results, to be released */
	const struct ora_heard *heard;   /* of a symboliser: the stops that it is asked about */
	/* Of a debugger: */
	json_t *plan;              /* from ora_plan_make(), stays the caller's; NULL: step */
	struct ora_shared *shared; /* it has looked at xstep's process, see shared.h: tells that; */
	size_t which;              /* as number `which`. NULL: it runs one of its own */
	struct ora_transcript *begun; /* with `shared`: the sink has heard a part of it; or NULL */
	bool again;                   /* a second run: AT_RANDOM has other bytes */

	/* Results. */
	char *trouble;      /* what became of the witness, NULL if it ended well */
	bool crashed;       /* that is that it died of a signal, or of an error of its own */
	uint64_t lines;     /* how many there were of its driver's */
	int interrupted_by; /* the signal that ended it, SIGALRM being the timeout; 0: none */
};

/* Has it told, whoever it is. */
XS_MUST_CHECK static inline struct xs_error *ora_testify(struct ora_testimony *testimony)
{
	return testimony->witness->ops->testify(testimony);
}

static inline void ora_testimony_deinit(struct ora_testimony *testimony)
{
	free(testimony->trouble);
	testimony->trouble = NULL;
}

#endif
