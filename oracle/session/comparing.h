/* comparing.h - a comparison from a program, or a store, to verdicts: what `xstep diff` does before
 * it prints.
 *
 * Rules:
 * 1. Of a program every witness records a trace, then these are compared. If values differ for no
 *    known reason, and the witnesses did not look at one process, the debuggers run twice more:
 *    what differs between these two runs is set aside. A hearing that says how often (`repeat`) is
 *    held once.
 * 2. With another build (`against`) xstep records all stops of both before, and what the first says
 *    is compared with the other by line.
 * 3. Of a store the traces that are named are compared; without names, the last one of each witness
 *    and version, of the last subject. Two traces of different programs are two builds.
 * 4. Without a store of the user's the traces are in a temporary one, which goes with the session.
 * 5. Of a program only what is recorded now is compared, whatever else is in the store.
 * 6. A signal (engine/interrupt.h) ends the recording, and what there is by then is compared, as
 *    far as that goes in a second. If nothing was recorded of two witnesses, nothing is compared.
 *    */
#ifndef ORA_COMPARING_H
#define ORA_COMPARING_H

#include "oracle/judge/verdict.h"
#include "oracle/session/hearing.h"

struct ora_comparing {
	/* Set by the caller. */
	struct ora_hearing hearing; /* of a program: who is asked, and how; its store: rule 4 */
	/* Holds a hearing; NULL: ora_hear(). For those who want to listen. */
	struct xs_error *(*hear)(void *context, struct ora_hearing *hearing);
	void *context;              /* passed to it */
	const char *against;        /* of a program: path of the other build; NULL: none */
	const char *const *numbers; /* of a store: traces, as the user wrote them */
	size_t number_count;        /* of those; 0: rule 3 */
	/* hearing.on_phase is called here, too, with the hearing's context. */

	/* Found. */
	struct ora_store *store;                              /* that the traces are in */
	const struct ora_trace_info *traces[ORA_COMPARE_MAX]; /* those compared, the leader first */
	size_t count;                                         /* of those */
	struct ora_comparison comparison;                     /* what differs */
	struct ora_verdicts verdicts;                         /* who is wrong */
	char *path;                                           /* of the store */
	bool temporary;                                       /* it will be gone */
	bool compared; /* false: a signal came too soon, and nothing above is there */
	bool trouble;  /* a witness, or a trace, does not tell it all */
	int signal;    /* that interrupted it, SIGALRM being the timeout; 0: none */

	/* Its own. */
	struct ora_trace_list list; /* of the store */
	uint64_t builds[2];         /* traces for rule 2; 0: none */
	uint64_t since;             /* rule 5: the last trace that was there before; 0: none */
	char *folder;               /* of a temporary store */
};

/* Says what is being done now, `comparing`, and how far it is: done of total, 0: nobody knows.
 * False: the user wants it to end. */
bool ora_comparing_phase(
	const struct ora_comparing *comparing, const char *name, uint64_t done, uint64_t total);
/* Compares what is stored at `path`. */
XS_MUST_CHECK struct xs_error *ora_comparing_store(
	struct ora_comparing *comparing, const char *path);
/* Has everybody run the program, then compares. */
XS_MUST_CHECK struct xs_error *ora_comparing_program(
	struct ora_comparing *comparing, char *const *argv);

/* Takes away the path of a temporary store, of which nothing is left behind then, whatever happens;
 * what was compared can still be read. */
void ora_comparing_hide(struct ora_comparing *comparing);
/* Whether the way to a stop can be found: an error says why not. */
XS_MUST_CHECK struct xs_error *ora_comparing_leads(const struct ora_comparing *comparing);
void ora_comparing_deinit(struct ora_comparing *comparing);

#endif
