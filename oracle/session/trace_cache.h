/* trace_cache.h - traces that are recorded once and used again.
 *
 * Rules:
 * 1. A stored trace will do if it is complete and was made of the same bytes, by the same version
 *    of the witness, with the same arguments, steps, sampling and limits. The last such one is
 *    used.
 * 2. Without a store of the user's the traces are in a temporary one, which goes with the cache.
 * 3. What a program reads from elsewhere (standard input, its environment) is not kept: a caller
 *    that gives it such sets `fresh`. */
#ifndef ORA_TRACE_CACHE_H
#define ORA_TRACE_CACHE_H

#include "oracle/session/hearing.h"
#include "oracle/session/lost.h"
#include "oracle/store/store.h"

/* A trace that somebody needs: all variables but globals, and frames. */
struct ora_trace_need {
	const char *role;  /* what it is needed for: `unopt`, `line`, ...: see ora_check */
	int level, sample; /* what one step is, and which stops: see question.h */
	bool inner;        /* variables of the innermost frame will do */
	const char *name;  /* argv[0] instead of the program's path; or NULL */
	unsigned moved;    /* which of the runs that are moved (run.h), from 1; 0: none */
	bool again;        /* of a second run */
	unsigned rounding; /* how a run rounds what it calculates (run.h); 0: as always */
	uint64_t limit;    /* so many stops are enough; 0: all. With it: */
	double seconds;    /* so much time is enough */
	bool bare;         /* where the program was will do: no variables, no frames, at speed */
	bool frames;       /* frames will do: no variables */
	bool order;        /* bare, and the order of all that is executed */
	/* Of debuggers: at these link-time addresses only; such a trace is not used again. NULL:
	 * anywhere. */
	const struct xs_ranges *only;
};

/* A trace that the cache was asked for. */
struct ora_cached_trace {
	uint64_t id;      /* in the store */
	const char *role; /* of the need */
	size_t witness;   /* which of those that are asked */
	size_t program;   /* which of several programs: the cache's `program` at that time */
};

struct ora_trace_cache {
	/* Set by the caller. */
	struct ora_hearing hearing; /* who is asked, and the program's surroundings; its store: rule
				     * 2. Needs go before what it says of steps and stops */
	/* Holds a hearing; NULL: ora_hear(). For those who want to listen. */
	struct xs_error *(*hear)(void *context, struct ora_hearing *hearing);
	void *context;  /* passed to it */
	bool fresh;     /* record anew even what is there: rule 3 */
	size_t program; /* the number that what is found now gets */

	/* Found. */
	XS_VEC(struct ora_cached_trace) found; /* in the order asked for */
	struct ora_trace_list list;            /* all that the store has */
	char *path;                            /* of the store; NULL: none yet */
	bool temporary;                        /* it will be gone */
	bool trouble;                          /* a witness could not tell it all */
	int signal;                            /* that interrupted a recording; 0: none */
	struct ora_lost lost;                  /* who is left out, and why */

	char *folder; /* its own: of a temporary store */
};

/* Sees that the store has what is needed of a program: records what it has not, by every
 * witness. */
XS_MUST_CHECK struct xs_error *ora_trace_cache_fill(struct ora_trace_cache *cache,
	char *const *argv, const struct ora_trace_need *needs, size_t count);
/* Takes traces of the store at `path` by their numbers, as the user wrote them: they take the roles
 * of the needs in turn, one witness after the other. */
XS_MUST_CHECK struct xs_error *ora_trace_cache_take(struct ora_trace_cache *cache, const char *path,
	const char *const *numbers, size_t number_count, const struct ora_trace_need *needs,
	size_t count);
/* What is known of a trace; NULL if there is none of that number. */
const struct ora_trace_info *ora_trace_cache_info(const struct ora_trace_cache *cache, uint64_t id);
/* How many witnesses have told something. */
size_t ora_trace_cache_witnesses(const struct ora_trace_cache *cache);
/* Notes that a witness is lost, by a trace of its that is incomplete, in words: to be freed; NULL:
 * that was known, or the trace is complete. */
char *ora_trace_cache_lose(struct ora_trace_cache *cache, const struct ora_trace_info *info);
/* Removes a temporary store, too. */
void ora_trace_cache_deinit(struct ora_trace_cache *cache);

#endif
