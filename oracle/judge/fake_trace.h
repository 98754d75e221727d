/* fake_trace.h - traces that nobody recorded, for tests of the judge and of the checks.
 *
 * A trace is written as text and goes into a store as a real one does; what the judge makes of it
 * is told as text, too. No debugger and no process is needed.
 *
 * The text of a trace, a line each:
 *
 *     1000 f+4 a.c:5          A stop: its pc in hex, the function there and how far into it,
 *                             and the row of the line table. `-` for either: there is none. The
 *                             stop before is prev, and n is counted. Words that change this may
 *                             follow: prev=PC (0: none), n=N, number=N, lib=NAME (the pc is in that
 *                             library), inlined (the pc is in an inlined call).
 *      < f~:7 < g@1010!lib    The backtrace, the innermost frame first: function (`?`: unknown),
 *                             `~` inlined, `^` made up for a tail call, `:LINE` shown, `@PC` in
 *                             hex, `!` a library. Without this line there is one frame, which shows
 *                             what the row says. ` < 3`: three frames, which are not told.
 *      (int)s.a@7 = 5         What is said of a leaf: its type, its path, the line of its
 *                             declaration (without it: 1). The variable is the first name of the
 *                             path. Before the type or path: `::` at file scope, `#1 ` of frame 1,
 *                             `{u.c}` of that unit. After the path: 'K tells those apart that look
 *                             the same. `<optimized-out>`, `<error: words>`, `<absent>`, `<cut>`
 *                             for other states. After that: shadowed, undeclared, and at last
 *                             why=NAME, the reason by its name (dwarf/why_list.h).
 *      $rax = 5               A register; `?`: not available; "text": no number.
 *
 * Files of declarations are the file of the stop's row, a.c if it has none. */
#ifndef ORA_FAKE_TRACE_H
#define ORA_FAKE_TRACE_H

#include "oracle/judge/verdict.h"

struct fake {
	/* Of the traces that follow; set by ora_fake_setup(), changed by tests. */
	const char *subject; /* path of the program; by itself one that is not there */
	const char *hash, *level, *sample;
	uint64_t seed;
	bool order; /* keep the order of all stops */

	struct ora_store *store;
	struct ora_trace_list list; /* after ora_fake_traces() */
	size_t count;               /* of traces, their ids being 1 to that */
	struct ora_comparison comparison;
	struct ora_verdicts verdicts;
	XS_VEC(char *) texts; /* what was returned */
	char path[64];        /* of the store */
};

/* For cmocka: *state is a struct fake with an empty store. */
int ora_fake_setup(void **state);
int ora_fake_teardown(void **state);

/* Adds a trace. witness may have a version after a blank. Returns its id. */
uint64_t ora_fake_trace(struct fake *fake, const char *witness, const char *text);
/* Marks a leaf of a trace as unstable at the stops first to last. */
void ora_fake_unstable(
	struct fake *fake, uint64_t trace, const char *path, uint64_t first, uint64_t last);
/* Reads the list of traces. */
void ora_fake_traces(struct fake *fake);

/* Compares all traces, the first one leading. */
void ora_fake_compare(struct fake *fake);
/* Compares and judges. */
void ora_fake_judge(struct fake *fake);
/* As if xstep and the debuggers had said everything again; and judges again. */
void ora_fake_prove(struct fake *fake);

/* What was found, as long as the test lasts:
 * differences, a line each: ASPECT SCOPE:PATH @PC TIMESx STOPS | what each trace says, `-`:
 * unheard; */
const char *ora_fake_differences(struct fake *fake);
/* what was set aside, missed and extra: `nan 1, missed by gdb 2`; */
const char *ora_fake_asides(struct fake *fake);
/* findings, a line each: SIGNATURE; BASIS; wrong WHO; */
const char *ora_fake_findings(struct fake *fake, const struct ora_verdicts *verdicts);
/* clusters, a line each: COUNTx STOPS SIGNATURE. */
const char *ora_fake_clusters(struct fake *fake, const struct ora_verdicts *verdicts);

/* Fails with the message of an error. */
void ora_fake_succeed(struct xs_error *err);

#endif
