/* verdict.h - who is wrong where witnesses differ, and why.
 *
 * Rules:
 * 1. The DWARF is the judge, and xstep's trace is its reading of it. A witness that says something
 *    else than xstep is wrong, by evidence: the features of the DWARF (feature.h) say which mistake
 *    of a debugger explains it, if one is known (rules in verdict_rule.c).
 * 2. Where xstep stands alone, that is believed only if a rule explains every other witness: then
 *    both debuggers share the bug. Else xstep is the one that is wrong, by majority.
 * 3. What the DWARF itself leaves open (entries that overlap, an expression that cannot be
 *    evaluated, pieces that end before a global does) is the producer's mistake, beside whoever
 *    made something up of it.
 * 4. Without xstep among the traces the rules alone decide. What they do not explain is open. */
#ifndef ORA_VERDICT_H
#define ORA_VERDICT_H

#include "dwarf/feature.h"
#include "oracle/judge/compare.h"

enum ora_kind {
	ORA_KIND_LOSS,  /* declines what the DWARF gives */
	ORA_KIND_EXTRA, /* shows what is not there */
	ORA_KIND_LIE,   /* a wrong value, line or frame */
};
const char *ora_kind_text(enum ora_kind kind);

/* A mistake that a debugger is known to make. */
struct ora_rule {
	const char *name;     /* `entry-value` */
	const char *sentence; /* what it does, after the debugger's name */
	const char *section;  /* of DWARF 5, that says otherwise; or NULL */
};

/* What a rule is chosen by. */
struct ora_rule_case {
	enum ora_aspect aspect;
	const char *witness; /* gdb, lldb, ... */
	const struct di_features *features;
	const struct ora_said *judge; /* what xstep says; NULL: it was not asked */
	const struct ora_said *said;  /* what the witness says */
	bool outer;                   /* of a frame that is not the innermost */
	struct di_module *module;     /* or NULL */
	xs_addr pc;                   /* link-time, in it */
};
/* The rule that explains what a witness says, or NULL. */
const struct ora_rule *ora_rule_for(const struct ora_rule_case *one);
/* Row i of the table of rules, or NULL: for the test that each of them has its cases. */
const struct ora_rule *ora_rule_row(size_t i);

/* Whether a backtrace may be as a witness shows it (verdict_frames.c); else the rule that explains
 * it, or NULL. */
bool ora_frames_fair(struct di_module *module, const struct ora_difference *difference, size_t w,
	const struct ora_rule **rule);

struct ora_finding {
	struct ora_difference *difference; /* the judge may find that it is mere presentation */
	char id[13];                       /* the same tomorrow */
	char group[16];                    /* G1 to G6, several joined by +; X: xstep itself */
	enum ora_kind kind;
	unsigned wrong;                  /* mask of traces */
	const struct ora_rule *producer; /* what is wrong with the DWARF itself, or NULL */
	bool evidence;                   /* basis: evidence, else majority */
	bool presentation; /* nobody is wrong: it is how witnesses choose to show things */
	char *reason;      /* one sentence */
	char *signature;   /* group, kind, who and why */
	char *known;       /* reference of a report, or NULL */
	struct di_features features;                   /* of variables */
	const struct ora_rule *rules[ORA_COMPARE_MAX]; /* by trace; NULL: right, or unexplained */
	/* Of violations (check.h): */
	const char
		*flaw; /* what is wrong with the variable's entry: missing, hollow, ...; or NULL */
	char *remark;  /* more evidence, a line; or NULL */
};

struct ora_cluster {
	size_t first;          /* the finding that stands for it */
	uint64_t count, stops; /* findings, and stops that they last */
};

struct ora_verdicts {
	/* Set by the caller. */
	const struct ora_comparison *comparison;
	const char *witnesses[ORA_COMPARE_MAX]; /* xstep, gdb, lldb: by trace */
	const char *labels[ORA_COMPARE_MAX];    /* what is printed for them; NULL: the same */
	const char *subject;                    /* path of the program */

	/* Found. */
	XS_VEC(struct ora_finding) findings; /* as the differences */
	XS_VEC(struct ora_cluster)
	clusters;                 /* by signature, first ones first; not of presentation */
	uint64_t presentation;    /* findings that are, which no cluster holds */
	struct di_module *module; /* its own; NULL if the program is not there any more */
};

void ora_judge(struct ora_verdicts *verdicts);

/* The steps of it that violations share. Fills features: */
void ora_finding_look(struct ora_verdicts *verdicts, struct ora_finding *finding);
/* Appends ` [bit-field,typed]` to a signature, if there are features that may matter. */
void ora_finding_put_features(FILE *out, const struct ora_finding *finding);
/* Sets the id, by signature, place and variable. */
void ora_finding_identify(const struct ora_verdicts *verdicts, struct ora_finding *finding);
/* Puts finding number `number` into its cluster; false if it belongs to none. */
bool ora_finding_cluster(struct ora_verdicts *verdicts, size_t number);

void ora_verdicts_deinit(struct ora_verdicts *verdicts);

#endif
