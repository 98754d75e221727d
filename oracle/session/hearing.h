/* hearing.h - witnesses are heard about one program: xstep, debuggers, one after the other. What
 * each tells goes into a store, to a sink, or both.
 *
 * Two ways to have debuggers look at the program (`drive`): each runs one of its own (native); or
 * all look at the process that xstep holds (shared.h), and are heard when that is over. A debugger
 * that could not look at it is asked natively. */
#ifndef ORA_HEARING_H
#define ORA_HEARING_H

#include "oracle/session/program.h"
#include "oracle/store/sink.h"
#include "oracle/witness/question.h"

/* In the order of the words of the option. */
enum ora_drive { ORA_DRIVE_AUTO, ORA_DRIVE_SHARED, ORA_DRIVE_NATIVE };

/* Begins as ORA_HEARING_INIT. Options are named in errors as the command line calls them. */
/* What of a program's debug information a job cannot do without. */
enum ora_need {
	ORA_NEED_NOTHING,
	ORA_NEED_ANY,   /* whatever there is, but something */
	ORA_NEED_LINES, /* line information */
};

struct ora_hearing {
	/* Set by the caller. */
	struct ora_program program; /* its surroundings */
	char *const *argv;          /* the program and its arguments, NULL at the end */
	const char *witness;        /* who is asked, `xstep,gdb`; NULL: xstep */
	const char *gdb, *lldb;     /* which of them, if the words do not say it; NULL: found */
	const char *from;           /* where to begin; NULL: main */
	struct xs_strings modules;  /* shared objects to look into */
	uint64_t limit, max_leaves, seed;
	int mode, sample, vars, threads, level, ask; /* see question.h */
	bool frames, regs;
	bool inner;                   /* see question.h */
	int drive;                    /* see above */
	bool plan;                    /* debuggers run to the stops that xstep foretells */
	bool no_plan;                 /* they step and count by themselves */
	uint64_t repeat;              /* 2: each debugger is asked twice */
	const struct xs_ranges *only; /* see question.h */
	double patience;              /* seconds without a sign of life; 0: the default */
	const char *store;            /* where testimony is kept; NULL: nowhere */
	bool fleeting;         /* and the store will be gone soon: nobody waits for the disk */
	bool keep_order;       /* and the order of all executed stops */
	enum ora_need need;    /* what the program must have, or it is an error */
	bool at_once;          /* those who hear it can hear several witnesses at once */
	struct ora_sink *sink; /* who else hears it, or NULL */
	/* Now and then, while somebody testifies; size: of the store. NULL: nobody asks. */
	void (*on_progress)(void *context, uint64_t executed, uint64_t kept, uint64_t size);
	/* Something that a user should know, a sentence. */
	void (*on_note)(void *context, const char *text);
	/* What is being done now, `recording gdb`, and how much there is of it, in stops; 0: nobody
	 * knows. NULL: nobody asks. */
	void (*on_phase)(void *context, const char *name, uint64_t done, uint64_t total);
	void *context; /* passed to all of them */

	/* Results. */
	bool trouble;       /* a witness could not tell it all */
	int interrupted_by; /* the signal that ended it, SIGALRM being the timeout; 0: none */
};

#define ORA_HEARING_INIT                                                                           \
	{                                                                                          \
		.sample = ORA_NOT_GIVEN, .vars = ORA_NOT_GIVEN                                     \
	}

/* Fills in what was not given, and refuses what does not go together. ora_hear() does it, too. */
XS_MUST_CHECK struct xs_error *ora_hearing_settle(struct ora_hearing *hearing);
/* Hears everybody. */
XS_MUST_CHECK struct xs_error *ora_hear(struct ora_hearing *hearing);
void ora_hearing_deinit(struct ora_hearing *hearing);

#endif
