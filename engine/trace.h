/* trace.h - walks the program from stop to stop.
 *
 * The walk is told which addresses are of interest and calls back at each stop there. It begins
 * where the thread stands, as if a function had just been called, and is over when that call
 * returns or the program ends. How the program is advanced is the mode's business; all modes yield
 * the same stops with the same counts. */
#ifndef ENG_TRACE_H
#define ENG_TRACE_H

#include "base/map.h"
#include "engine/process.h"

/* A moment between two instructions of interest. Addresses are those of the running process. */
struct eng_stop {
	uint64_t number; /* counts from 1 */
	xs_addr prev; /* pc of the stop before, across other code too; XS_ADDR_NONE at the first */
	xs_addr pc;   /* the instruction about to be executed */
	uint64_t n;   /* how often prev -> pc has been taken, this time included */
};

enum eng_end_kind {
	ENG_END_RETURN,      /* the call that was traced returned; the program is still there */
	ENG_END_EXEC,        /* it became another program, which is still there */
	ENG_END_PROGRAM,     /* it exited or was killed: see eng_process.end */
	ENG_END_LIMIT,       /* as many stops as were asked for */
	ENG_END_CALLER,      /* the callback said so */
	ENG_END_INTERRUPTED, /* ^C, SIGTERM or the clock: see eng_interrupt_signal() */
};

struct eng_trace {
	/* Set by the caller. */
	struct eng_process *process;    /* stopped at the first instruction to be traced */
	const struct xs_ranges *ranges; /* of interest, in process addresses */
	uint64_t limit;                 /* how many stops at most; 0: no limit */
	/* Called at each stop; false ends the walk. The process may be read meanwhile. */
	bool (*on_stop)(void *context, const struct eng_stop *stop);
	void *context; /* passed to on_stop */

	/* Results. */
	enum eng_end_kind end;     /* why it is over */
	int signal;                /* of RETURN: still to be delivered, 0 if none is */
	uint64_t stops;            /* how many there were */
	struct xs_map transitions; /* (prev, pc) -> how often it was taken */

	/* The walk's own. */
	xs_addr prev;      /* pc of the last stop */
	xs_addr return_to; /* where the traced call returns to */
	xs_addr entry_sp;  /* rsp at its first instruction */
};

/* Walks by PTRACE_SINGLESTEP, every instruction of interest: slow and simple, the reference. */
XS_MUST_CHECK struct xs_error *eng_trace_single(struct eng_trace *trace);
void eng_trace_deinit(struct eng_trace *trace);

#endif
