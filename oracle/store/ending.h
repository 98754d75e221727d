/* ending.h - how a testimony ended and what became of the program: the one place that words it. */
#ifndef ORA_ENDING_H
#define ORA_ENDING_H

#include <stdbool.h>
#include <stdint.h>

/* Why there are no more stops. */
enum ora_over {
	ORA_OVER_RETURN,  /* the call that it began in returned */
	ORA_OVER_EXEC,    /* the program became another one */
	ORA_OVER_PROGRAM, /* it exited or was killed */
	ORA_OVER_THREAD,  /* the thread ended */
	ORA_OVER_LIMIT,   /* as many stops as were asked for */
	ORA_OVER_TIMEOUT, /* the program took too long */
	ORA_OVER_SIGNAL,  /* xstep was interrupted */
	ORA_OVER_CRASH,   /* the witness itself did not survive it */
	ORA_OVER_CUT,     /* the witness went away, or whoever listens has had enough */
};

enum ora_fate {
	ORA_FATE_UNKNOWN, /* it was not let run to its end */
	ORA_FATE_EXITED,
	ORA_FATE_KILLED,
};

struct ora_ending {
	enum ora_over over;
	const char *from;   /* RETURN: the call, as the user named it; NULL: main */
	uint64_t limit;     /* LIMIT: that */
	double timeout;     /* TIMEOUT: that, in seconds */
	int interrupted_by; /* SIGNAL: that */
	enum ora_fate fate; /* of the program */
	int status;         /* EXITED: its status */
	int killed_by;      /* KILLED: the signal; 0: one that has no number here */
	const char *killer; /* KILLED: its name, if it has no number */
};

/* In words, to be freed: `main returned; exited with status 0`. Empty if there is nothing to
 * say. */
char *ora_ending_text(const struct ora_ending *ending);
/* Whether such words, which a store has kept, are of a witness that did not survive. */
bool ora_ending_is_crash(const char *text);
/* Whether all that was to be traced was. */
bool ora_ending_complete(const struct ora_ending *ending);
/* The number of a signal by its name, `SIGSEGV`; 0: there is none. */
int ora_ending_signal(const char *name);

#endif
