/* culprit.h - what a finding depends on: which pass of the compiler, which of its options, which
 * level, which version. Each is switched off, or exchanged, and the case is asked again.
 *
 * Rules:
 * 1. A row says that the finding is there with something, or gone, or that nobody can tell (a build
 *    that fails). Only what was asked is said.
 * 2. clang counts its passes (-opt-bisect-limit): the culprit is the first pass with which the
 *    finding is there, by a binary search. That it is gone with one pass less was asked. Where
 *    nobody can tell, the row is unfit, and names none.
 * 3. gcc has an option for most passes: those are culprits without which alone the finding is gone.
 *    If there is none, a smallest set of them is looked for. The one that has its effect last
 *    comes first: the others make what it works on. Debug counters (-fdbg-cnt) name the one
 *    transformation.
 * 4. What is there without any pass is no optimisation's: the front end's, the code generator's, or
 *    the debugger's. */
#ifndef ORA_CULPRIT_H
#define ORA_CULPRIT_H

#include "oracle/cause/asker.h"

enum ora_culprit_kind {
	ORA_CULPRIT_PASS,     /* of clang's: name, number and what it ran on */
	ORA_CULPRIT_OPTION,   /* of gcc's: without it the finding is gone, or not */
	ORA_CULPRIT_SET,      /* options of gcc's: without all of them it is gone */
	ORA_CULPRIT_COUNTER,  /* of gcc's: number is the first transformation with the finding */
	ORA_CULPRIT_LEVEL,    /* of optimisation */
	ORA_CULPRIT_DEBUG,    /* an option of how debug information is made */
	ORA_CULPRIT_COMPILER, /* another one */
	ORA_CULPRIT_DEBUGGER, /* another one */
};

struct ora_culprit_row {
	enum ora_culprit_kind kind;
	char *name;      /* of the pass, the option, ... */
	char *on;        /* what a pass ran on; NULL */
	uint64_t number; /* of a pass, of a transformation; 0: none */
	uint64_t turn;   /* of a pass: it is the n-th of its name on the same thing; 0: none */
	enum ora_case_end end; /* with it; of OPTION and SET: without it */
	char *why;             /* it is unfit; NULL */
	char *pass;            /* of gcc's: the first in which a culprit has an effect; NULL */
	uint64_t order;        /* of that among all; 0: none */
	char *dump;            /* files with the code before and after; NULL: not asked for */
};

struct ora_culprit {
	/* Set by the caller. */
	struct ora_asker asker;
	bool gcc;                    /* the case's compiler is gcc; else it is clang */
	bool passes, versions;       /* what is looked for, besides levels and debug options */
	bool only_passes;            /* no levels and debug options */
	struct xs_strings debuggers; /* more of them: `gdb@/path` */
	const char *dumps;           /* a folder for the code before and after; or NULL */
	void (*on_phase)(void *context, const char *phase);

	/* Found. */
	XS_VEC(struct ora_culprit_row) rows;
	uint64_t all_passes; /* of clang's: how many there are; 0: not looked for */
	bool always;         /* passes were looked for: it is there without any of them */
};

XS_MUST_CHECK struct xs_error *ora_culprit(struct ora_culprit *culprit);
void ora_culprit_deinit(struct ora_culprit *culprit);
/* Where the culprits that were found have their effect; writes dumps. ora_culprit() calls it. */
XS_MUST_CHECK struct xs_error *ora_culprit_where(struct ora_culprit *culprit);
/* Has a case want the first culprit that was found (case.h, rule 2); false: there is none. */
bool ora_culprit_want(const struct ora_culprit *culprit, struct ora_case *one);
/* What a row is called: `pass`, `option`, ... */
const char *ora_culprit_word(enum ora_culprit_kind kind);
/* Whether a row names a culprit. */
bool ora_culprit_is_one(const struct ora_culprit_row *row);

/* Options that are on, by what `gcc -Q --help=optimizers` prints; not those that only describe
 * variables. */
void ora_culprit_options(const char *told, struct ora_command *ret);
/* Counters, by what `gcc -fdbg-cnt-list` prints. */
void ora_culprit_counters(const char *told, struct ora_command *ret);
/* Passes, by what `clang -mllvm -opt-bisect-limit` prints; row k is pass k + 1. */
void ora_culprit_passes(const char *told, struct ora_command *ret);

#endif
