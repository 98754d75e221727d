/* serving.h - a program for gdb, lldb or any client of the gdb remote protocol. */
#ifndef ORA_SERVING_H
#define ORA_SERVING_H

#include "engine/process.h"
#include "oracle/session/listening.h"
#include "oracle/witness/own/record.h"

enum { ORA_SERVING_MOST = 64 }; /* clients at once */

struct ora_serving {
	/* Set by the caller. */
	const struct ora_listening *listening; /* where clients come to */
	size_t clients; /* of ora_serve_stops(): how many are waited for at the first stop */
	/* A client went away, or had to; number: which of several, from 1; 0: the only one, with
	 * which the program is ended. */
	void (*on_leave)(size_t number, const char *why);
	bool any_file; /* of ora_serve(): clients may read all files that the user can (served.h) */
	void (*on_refused)(void); /* called once: a client asked for a file that it may not read */

	/* Found by ora_serve(). */
	bool ended;           /* whether the program did */
	struct eng_event end; /* how */
};

/* As gdbserver does: one client drives the program. */
XS_MUST_CHECK struct xs_error *ora_serve(struct ora_serving *serving, const struct ora_run *run);
/* From one kept stop of a recording to the next: the process is read-only, and it goes on when all
 * clients have asked to. The caller says which stops; what to do at them is set here. */
XS_MUST_CHECK struct xs_error *ora_serve_stops(
	struct ora_serving *serving, struct ora_recording *recording);

#endif
