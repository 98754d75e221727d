/* record.h - runs a program and tells what xstep, as a witness, has to say at each stop. */
#ifndef ORA_RECORD_H
#define ORA_RECORD_H

#include "engine/sample.h"
#include "engine/trace.h"
#include "oracle/witness/own/level.h"
#include "oracle/witness/own/machine.h"
#include "oracle/witness/own/run.h"

struct ora_stop {
	uint64_t number;                /* counts from 1 */
	const struct ora_place *prev;   /* where the stop before was, NULL at the first */
	const struct ora_place *place;  /* where this one is */
	uint64_t n;                     /* how often prev -> place has been taken */
	const struct di_target *target; /* the machine state, to look further; NULL if it has
					 * passed (see ora_recording.live) */
	struct eng_process *process;    /* the same, for others to look at; NULL likewise */
};

struct ora_transition {
	const struct ora_place *prev; /* NULL at the first */
	const struct ora_place *pc;   /* where it leads */
	uint64_t count;               /* how often it was taken */
};

struct ora_recording {
	/* Set by the caller. */
	struct ora_run run;         /* the program and its surroundings */
	const char *from;           /* function or line to begin at (start.h); NULL: main */
	const char *const *modules; /* shared objects to look into as well, whenever loaded */
	size_t module_count;        /* how many */
	enum eng_mode mode;         /* how to advance */
	bool all_threads;           /* whether each thread is traced (engine/threads.h), not only
				     * the first; level is INSTRUCTION then */
	enum ora_level level;       /* what one step is; but for INSTRUCTION, all that is said here
				     * of stops and transitions is said of those that pass */
	enum eng_sample sample;     /* which stops on_stop is told */
	uint64_t seed;              /* of that */
	/* Tells which instead of `sample`, by link-time addresses: the first after the n-th, which
	 * was one or is 0; UINT64_MAX if none is. NULL: `sample` does. */
	uint64_t (*next)(void *context, xs_addr prev, xs_addr pc, uint64_t n);
	bool live;         /* whether on_stop looks at the target */
	uint64_t limit;    /* stops at most, 0: no limit */
	bool limit_kept;   /* it is one of those that on_stop is told */
	uint64_t patience; /* the trace ends soon after that many stops; 0: it does not */
	bool (*on_stop)(void *context, const struct ora_stop *stop); /* false ends the trace */
	/* Every executed stop, before on_stop; target is not there. NULL: nobody wants to know. */
	void (*on_step)(void *context, const struct ora_stop *stop);
	/* Called every now and then: how many stops have been executed. NULL likewise. */
	void (*on_progress)(void *context, uint64_t executed);
	/* A thread other than the first begins: this recording is its own, and its context may be
	 * set, to be passed to the three above. NULL: it is that of the first. */
	struct xs_error *(*on_thread)(void *context, struct ora_recording *thread);
	void *context; /* passed to all of them */

	/* Results. */
	unsigned thread; /* whose: from 1 if all are traced; else 0 */
	XS_VEC(struct ora_recording *)
	others;                                    /* of the other threads, from the second on:
						     * their results, nothing else is theirs */
	enum eng_end_kind end;                     /* why the trace is over */
	uint64_t stops;                            /* how many there were, kept or not */
	uint64_t kept;                             /* how many on_stop was told */
	XS_VEC(struct ora_transition) transitions; /* the different ones, by process address */
	XS_VEC(const char *) never;                /* modules that were never loaded */
	char *loaded;                              /* names of what was instead, at the end */
	uint64_t traps, steps, signals;            /* see eng_trace */
	double seconds;                            /* how long the trace took */
	int interrupted_by;    /* the signal, if end says so; SIGALRM is the timeout */
	bool finished;         /* whether the program was let run to its end, told by: */
	struct eng_event fate; /* EXITED or KILLED */

	/* Its own. */
	const struct ora_place *entry; /* of the first stop */
	struct eng_trace *walk;        /* while it lasts */
	const struct eng_stop *now;    /* in on_stop and on_step: the stop */
};

/* Runs the program from `from` to the return of the call that is active there, then, unheeded, to
 * its end. The subject of `run` stays open: the places that on_stop saw belong to it. */
XS_MUST_CHECK struct xs_error *ora_record(struct ora_recording *recording);
/* Frees the results. */
void ora_recording_release(struct ora_recording *recording);
/* Frees the results and what `run` owns. */
void ora_recording_deinit(struct ora_recording *recording);

/* In on_stop and on_step: how often pcs have been arrived at, the first stop of all aside. */
struct ora_arrivals {
	uint64_t here;   /* at this one */
	uint64_t before; /* at that of the stop before, up to then */
};
struct ora_arrivals ora_recording_arrivals(const struct ora_recording *recording);

/* What the engine calls a sampling, and a mode. */
enum eng_sample ora_own_sample(int sample);
enum eng_mode ora_own_mode(int mode);

#endif
