/* reduce.h - a smaller source with the same finding: cvise (or creduce) makes candidates, and a
 * case (case.h) says of each whether it will do.
 *
 * The work is in the folder OUTPUT.reduce: `small.c` is the best so far, `case.json` what is
 * wanted, `test.sh` what the reducer runs, `log` what it said, `asked` a letter for each of its
 * questions. It is gone once OUTPUT is written.
 * What was interrupted goes on from there.
 *
 * In this order:
 * 1. The source is preprocessed, so that what it includes can go, too; if it has the finding then.
 * 2. Questions are made cheaper, if the finding is there all the same: fewer stops, only the
 *    debugger that is wrong, no plain debugger; gdb and lldb are started once (keepers.h).
 * 3. Whole declarations, statements and expressions are cut out (cut.h).
 * 4. The reducer runs, if there is one and much is left. If time is up, it goes on with the best so
 *    far.
 * 5. The result is formatted, if the finding survives that, and judged once more as the first
 *    source was: with all witnesses and all stops. A result that fails is no result; then 4 is done
 *    once more, and each candidate is judged like that. */
#ifndef ORA_REDUCE_H
#define ORA_REDUCE_H

#include "oracle/campaign/keepers.h"
#include "oracle/cause/asker.h"

struct ora_size {
	uint64_t bytes, lines;
};

struct ora_reduce {
	/* Set by the caller. */
	struct ora_case *one; /* settled */
	const char *output;   /* the file to be written */
	const char *reducer;  /* path of cvise or creduce; `none`; NULL: the one on PATH, or none */
	uint64_t jobs;        /* candidates at a time */
	double seconds;       /* after which no more candidates are tried; 0: no limit */
	const char *scratch;  /* a folder */
	void (*on_progress)(void *context, const struct ora_reduce *reduce);
	void *context;

	/* Found. */
	const char *phase;           /* what is being done */
	struct ora_size before, now; /* of the source as it was given, and of the best so far */
	bool continued;              /* it went on with what an earlier run had left */
	bool cut_short;              /* time was up before all was tried */
	uint64_t asked, found;       /* questions, and those with the finding */
	double until;                /* xs_now() at which time is up; 0: never */
	char *work;                  /* the folder */
	struct ora_keepers keepers;  /* of debuggers */
};

XS_MUST_CHECK struct xs_error *ora_reduce(struct ora_reduce *reduce);
void ora_reduce_deinit(struct ora_reduce *reduce);
/* What the reducer asks: whether `small.c` in this folder has the finding of a case, which is in a
 * file. To be called in a process of its own. */
XS_MUST_CHECK struct xs_error *ora_reduce_test(
	const char *file, enum ora_case_end *end, char **why);

#endif
