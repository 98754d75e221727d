/* record.h - runs a program and tells what xstep, as a witness, has to say at each stop. */
#ifndef ORA_RECORD_H
#define ORA_RECORD_H

#include "engine/trace.h"
#include "oracle/subject.h"

struct ora_stop {
	uint64_t number;               /* counts from 1 */
	const struct ora_place *prev;  /* where the stop before was, NULL at the first */
	const struct ora_place *place; /* where this one is */
	uint64_t n;                    /* how often prev -> place has been taken */
};

struct ora_recording {
	/* Set by the caller. */
	const char *path;           /* of the program, absolute */
	char *const *argv;          /* its arguments, argv[0] being path */
	char *const *environment;   /* all of it; NULL: ora_environment */
	int in, out, err;           /* its standard descriptors */
	const char *from;           /* function to begin at; NULL: main */
	const char *const *modules; /* shared objects to look into as well */
	size_t module_count;        /* how many */
	const char *debug_file;     /* the program's separate debug file; NULL: found if need be */
	const char *debug_root;     /* where such files are looked for; NULL: DI_DEBUG_ROOT */
	uint64_t limit;             /* stops at most, 0: no limit */
	double timeout;             /* seconds, 0: no limit */
	bool (*on_stop)(void *context, const struct ora_stop *stop); /* false ends the trace */
	void *context;                                               /* passed to on_stop */

	/* Results. */
	struct ora_subject *subject; /* the places that on_stop saw belong to it */
	enum eng_end_kind end;       /* why the trace is over */
	uint64_t stops;              /* how many there were */
	uint64_t transitions;        /* how many different ones */
	int interrupted_by;          /* the signal, if end says so; SIGALRM is the timeout */
	bool finished;               /* whether the program was let run to its end, told by: */
	struct eng_event fate;       /* EXITED or KILLED */
};

/* The fixed environment that every witness gives a program unless told otherwise. */
extern char *const ora_environment[];

/* Opens the subject alone, so that a caller can prepare its output. Called by ora_record() if the
 * caller did not. */
XS_MUST_CHECK struct xs_error *ora_recording_open(struct ora_recording *recording);
/* Runs the program from `from` to the return of that call, then, unheeded, to its end. */
XS_MUST_CHECK struct xs_error *ora_record(struct ora_recording *recording);
void ora_recording_deinit(struct ora_recording *recording);

#endif
