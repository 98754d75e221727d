/* case.h - a case: a source, how it is built, which oracle is asked, and the finding that is wanted
 * of it. Whoever looks for a finding's cause changes one of these, and asks again.
 *
 * Rules:
 * 1. A finding is there again if one has the same signature, names the same party, and rests on the
 *    same basis.
 * 2. A source that was changed (`strict`) counts only if it is fit: it compiles without warnings
 *    that mean undefined behaviour and that the first source did not have, ends by itself, prints
 *    the same twice, and runs clean with the sanitizers that are there. Its probes have the
 *    operands that they name.
 *    If a culprit is wanted, the finding must be gone without that.
 * 3. A finding that is not there when it is asked about once more, with nothing changed, is none
 *    that can be looked into.
 * 4. Questions are asked in a process that may run boxes (oracle/campaign/box.h). */
#ifndef ORA_CASE_H
#define ORA_CASE_H

#include <jansson.h>

#include "oracle/campaign/oracles.h"
#include "oracle/session/compile.h"
#include "oracle/store/campaign_store.h"

/* All texts are its own. */
struct ora_case {
	char *xstep;                     /* this very program */
	char *source;                    /* a file */
	char *compiler;                  /* its path */
	char *level;                     /* of optimisation */
	struct ora_command flags;        /* for all builds: -Iinclude */
	const struct ora_oracle *oracle; /* who is asked */
	char *witness;                   /* who testifies in diff; "": all */
	struct ora_command options;      /* more options of the oracle's, to ask less */
	char *signature, *wrong, *basis; /* of the finding; NULL: not known yet, or none */
	char *function, *variable;       /* where it was found first; NULL: unknown */
	struct ora_command warnings;     /* kinds that mean undefined behaviour, of the source */
	char *sanitizer;                 /* a compiler with ASan and UBSan; NULL: none is used */
	char *memory;                    /* one with MSan; NULL: none is used */
	double run_seconds, ask_seconds; /* limits: of the program itself, of the oracle */
	bool unrecorded;                 /* it is there if the compiler records no options, too */
	/* The culprit that it must have, or nothing: flags with which it is gone; a pass of
	 * clang's, `SROAPass on main`, and which turn of it, before which it is not there. */
	struct ora_command without;
	char *pass;
	uint64_t pass_turn;
};

enum ora_case_end {
	ORA_CASE_FOUND, /* the finding is there */
	ORA_CASE_GONE,  /* it is not */
	ORA_CASE_UNFIT, /* nobody can tell: it does not build or run, or the oracle had trouble */
};

struct ora_case_answer {
	enum ora_case_end end;
	char *why;                   /* it is unfit, or NULL */
	bool same;                   /* as an earlier build: the memo knew the answer */
	double seconds;              /* that the question took */
	struct ora_campaign_job job; /* what the oracle reported */
};

/* What of a case is otherwise this time. */
struct ora_case_change {
	const char *source;              /* instead of its own; NULL: its own */
	const char *compiler, *level;    /* likewise */
	const char *witness;             /* likewise */
	const struct ora_command *flags; /* more flags, behind its own; or NULL */
	bool strict;                     /* rule 2 */
	bool unrecorded;  /* see above: builds that differ in nothing else are same */
	const char *memo; /* of answers (memo.h), unless it is strict; or NULL */
};

void ora_case_deinit(struct ora_case *one);

/* Asks; scratch is a folder, empty or not. */
void ora_case_ask(const struct ora_case *one, const struct ora_case_change *change,
	const char *scratch, struct ora_case_answer *ret);
void ora_case_answer_deinit(struct ora_case_answer *answer);

/* Finds out which finding is wanted. If a signature is named, or the beginning of one or its id, it
 * must be found; else the oracle must find one signature only. Fills in the rest of the finding,
 * what its source warns of, and which sanitizers say nothing about it: rule 3. memo: see above. */
XS_MUST_CHECK struct xs_error *ora_case_settle(
	struct ora_case *one, const char *memo, const char *scratch);

/* Why the finding of a source, which is there, has another culprit than it must have; NULL: it has
 * that. To be freed. */
char *ora_case_other_culprit(
	const struct ora_case *one, const struct ora_case_change *change, const char *scratch);

/* Why the probes of a source (source/mutate.h) do not tell of the variables that they name: NULL:
 * they do. What the oracle takes for the truth is the operand, and a reducer may put a constant
 * there. To be freed. */
char *ora_case_false_probe(const char *text);
/* A source whose .xstep.probes has only probes that are there, with variables by their names alone:
 * 0 for the line of a declaration, which moves if something before it is cut. To be freed. */
char *ora_case_named_probes(const char *text);

/* A case as JSON, and back; false: it makes no sense. */
json_t *ora_case_pack(const struct ora_case *one);
bool ora_case_unpack(const json_t *packed, struct ora_case *ret);

/* Of what a compiler said, the kinds of warnings ([-Wkind]) that mean undefined behaviour. */
void ora_case_kinds(const char *said, struct ora_command *ret);

#endif
