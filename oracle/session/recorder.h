/* recorder.h - whoever can have witnesses record a program into a store.
 *
 * Sessions that need traces (trace_cache.h, comparing.h) say what is to be recorded; how the
 * witnesses are brought to it, and what the user is told meanwhile, is the recorder's affair. */
#ifndef ORA_RECORDER_H
#define ORA_RECORDER_H

#include "base/error.h"
#include "oracle/witness/question.h"

/* A trace that somebody needs: all variables but globals, and frames. */
struct ora_trace_need {
	const char *role; /* what it is needed for: `unopt`, `line`, ...: see ora_check */
	int level;        /* what one step is: enum ora_level */
	int sample;       /* which stops: enum ora_sample */
};

struct ora_recorder_wish {
	char **argv;           /* the program and its arguments, up to NULL */
	const char *store;     /* path of where traces go */
	bool fleeting;         /* that will be gone soon: nobody waits for the disk */
	const char *witnesses; /* who is asked, words by comma; NULL: whom the user named */
	bool all_stops; /* every stop is kept, and nobody runs twice, whatever the user says */
	bool twice;     /* each debugger runs twice, and what differs is marked */
	const struct ora_trace_need *need; /* NULL: what the user said */
	const char *from;                  /* with it: where to begin; NULL: main */
	bool plan; /* with it: xstep foretells the stops, which is faster and says the same */
};

struct ora_recorded {
	bool trouble;       /* a witness could not tell it all */
	bool shared;        /* all looked at one process, so that only witnesses can differ */
	int interrupted_by; /* the signal that ended it early; 0: none */
};

struct ora_recorder {
	/* *ret is set even if an error is returned. */
	struct xs_error *(*record)(
		void *context, const struct ora_recorder_wish *wish, struct ora_recorded *ret);
	void *context;
};

struct ora_hearing;
/* Hears witnesses as `hearing` says, but for what is wished. It stays as it is, and must outlive the
 * recorder. */
struct ora_recorder ora_recorder_of(struct ora_hearing *hearing);

#endif
