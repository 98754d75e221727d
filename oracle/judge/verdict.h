/* verdict.h - who is wrong where witnesses differ, and how certain that is.
 *
 * Rules:
 * 1. The DWARF is the judge, and xstep's trace is its reading of it. That xstep reads it so is no
 *    proof: nobody is named on xstep's word alone.
 * 2. A debugger is named if xstep, making one of its known mistakes, comes to the debugger's own
 *    words, or if the debugger says itself what it cannot do (`replayed`); or if another witness
 *    reads the DWARF as xstep does, or the DWARF says in so many words that there is nothing to
 *    show (`evidence`). Both need that xstep says the same again in another run, and that the plain
 *    debugger does, too (proof.h): what it does not say again is an artefact of ours.
 * 3. What the standard leaves open, or a debugger does on purpose, is `contested`: see
 *    verdict_contest.c. Nobody is wrong there.
 * 4. Where xstep stands alone, has no answer, or does not say the same again, xstep is to be looked
 *    at. Everything else is `suspected`: who differs is said, and nothing more. The features of the
 *    DWARF (feature.h) then tell what may be behind it.
 * 5. Without the very file that was traced nothing is `evidence`. In languages that xstep does not
 *    read in full (dwarf/language.h) only lines, frames and values of plain base types are. */
#ifndef ORA_VERDICT_H
#define ORA_VERDICT_H

#include "dwarf/feature.h"
#include "oracle/judge/compare.h"
#include "oracle/judge/proof.h"

enum ora_kind {
	ORA_KIND_LOSS,  /* declines what the DWARF gives */
	ORA_KIND_EXTRA, /* shows what is not there */
	ORA_KIND_LIE,   /* a wrong value, line or frame */
	ORA_KIND_CRASH, /* the debugger did not survive */
};
const char *ora_kind_text(enum ora_kind kind);

/* How certain it is, the most certain first. */
enum ora_basis {
	ORA_BASIS_REPLAYED,  /* a model of the mistake gives what the debugger says */
	ORA_BASIS_EVIDENCE,  /* the DWARF decides, and not by xstep's word alone */
	ORA_BASIS_CONTESTED, /* the standard leaves it open, or it is done on purpose */
	ORA_BASIS_MAJORITY,  /* most witnesses agree */
	ORA_BASIS_SUSPECTED, /* they differ */
	ORA_BASIS_COUNT,
};
const char *ora_basis_text(enum ora_basis basis);

/* What is contested, and why nobody is wrong. */
enum ora_contest {
	ORA_CONTEST_NONE,
	ORA_CONTEST_ROW,         /* which of the rows at an address stands for it */
	ORA_CONTEST_LINE_0,      /* whether a row of line 0 is a row */
	ORA_CONTEST_TAIL_CALL,   /* frames that tail calls left no trace of */
	ORA_CONTEST_TAIL_VALUE,  /* what such calls passed, or whose call it was */
	ORA_CONTEST_UNLOCATED,   /* whether a variable without a value is listed */
	ORA_CONTEST_LEFTOVER,    /* a caller's register that the callee may not have written */
	ORA_CONTEST_DECLARATION, /* a declaration inside of a function */
	ORA_CONTEST_CONSTANT, /* a member of a class that is said to be a constant, and an object */
	ORA_CONTEST_UNFINISHED, /* frames behind one that the CFI does not lead out of */
	ORA_CONTEST_COMPRESSED, /* sections that were compressed by what it does not know */
	ORA_CONTEST_WIDE,       /* the 64-bit format, which it does not know */
	ORA_CONTEST_UNBUILT,    /* virtual bases of an object that may not be constructed */
	ORA_CONTEST_TAG,        /* whether a negative discriminant is its label without a sign */
	ORA_CONTEST_UNCLAIMED,  /* rows and inlined calls of code that no unit says to have */
	ORA_CONTEST_SHARED,     /* which of the functions that one stretch of code belongs to */
	/* Mere presentation: */
	ORA_CONTEST_INLINED,    /* the border of an inlined call */
	ORA_CONTEST_UNDECLARED, /* not declared yet, by the lines of optimised code */
	ORA_CONTEST_ARTIFICIAL, /* made by the compiler, or of a unit without code: not listed */
	ORA_CONTEST_COUNT,
};
/* `which row of an address`, ... */
const char *ora_contest_text(enum ora_contest contest);
static inline bool ora_contest_is_presentation(enum ora_contest contest)
{
	return contest >= ORA_CONTEST_INLINED;
}

/* A mistake that a debugger is known to make. */
struct ora_rule {
	const char *name;     /* `entry-value` */
	const char *sentence; /* what it does, after the debugger's name */
	const char *section;  /* of DWARF 5, that says otherwise; or NULL */
};

/* What is said of a mistake; NULL of NONE. */
const struct ora_rule *ora_rule_of(enum di_mistake mistake);
/* The mistake whose model gives what a witness says; NULL: none. */
const struct ora_rule *ora_rule_replayed(const char *witness, const struct ora_said *said,
	const struct ora_proof *proof, uint64_t features);
/* The one that a debugger names itself as what it cannot do, or NULL. */
const struct ora_rule *ora_rule_confessed(const char *witness, const struct ora_said *said);

struct ora_finding {
	struct ora_difference *difference;
	char id[13];    /* the same tomorrow */
	char group[16]; /* G1 to G6, several joined by +; X: xstep itself */
	enum ora_kind kind;
	enum ora_basis basis;               /* what may be said; of a cluster, alike in all of it */
	enum ora_basis claim;               /* what it would be if the debuggers say it again */
	enum ora_contest contest;           /* CONTESTED: what is */
	bool artefact;                      /* a debugger does not say it again */
	bool old;                           /* an earlier run had it (baseline.h) */
	size_t cluster;                     /* that it is in, plus 1; 0: in none */
	size_t origin;                      /* number of the finding that it was split from, or its
					  * own */
	enum ora_basis by[ORA_COMPARE_MAX]; /* of those that are named: the claim against each */
	unsigned wrong;                     /* mask of traces: who is named */
	unsigned differs;                   /* mask of traces: who says something else than xstep */
	const struct ora_rule *producer;    /* what is wrong with the DWARF itself, or NULL */
	char *reason;                       /* one sentence */
	char *signature;                    /* group, kind, who and why */
	char *known;                        /* reference of a report, or NULL */
	struct di_features features;        /* of variables */
	const struct ora_rule *rules[ORA_COMPARE_MAX]; /* by trace: whose model, or own words, prove
							* it; NULL: right, or unexplained */
	struct ora_proof proof;
	/* Of violations (check.h): */
	const char *flaw; /* what is wrong with the variable's entry: missing, hollow, ...; or
			   * NULL */
	char *remark;     /* more evidence, a line; or NULL */
};

struct ora_cluster {
	size_t first;    /* the finding that stands for it */
	uint64_t count;  /* findings */
	uint64_t stops;  /* at how many stops there is one of them */
	uint64_t places; /* at how many pcs they begin */
	uint64_t leaves; /* of how many different leaves, or other facts */
};

struct ora_verdicts {
	/* Set by the caller. */
	const struct ora_comparison *comparison;
	const char *witnesses[ORA_COMPARE_MAX]; /* xstep, gdb, lldb: by trace */
	const char *labels[ORA_COMPARE_MAX];    /* what is printed for them; NULL: the same */
	const char *subject;                    /* path of the program */
	const char *hash;                       /* of the very file; NULL: whatever is there */
	const char *debug_file;                 /* where its DWARF is; NULL: as usual */
	bool trusting;                          /* debuggers are not asked again: `replayed` stands
						 * without it, and nothing else does */

	/* Found. */
	XS_VEC(struct ora_finding) findings;   /* as the differences */
	XS_VEC(struct ora_cluster) clusters;   /* by weight; not of what is contested */
	uint64_t contested[ORA_CONTEST_COUNT]; /* findings that no cluster holds */
	struct di_module *module; /* its own; NULL if the very program is not there any more */
	bool changed;             /* there is another file in its place */
};

/* Opens the very file that was traced, if it is there. ora_judge() does if nobody did. */
void ora_verdicts_open(struct ora_verdicts *verdicts);
/* Judges by what is known so far. */
void ora_judge(struct ora_verdicts *verdicts);
/* Judges again, once the proofs of the findings have more to say. */
void ora_judge_again(struct ora_verdicts *verdicts);
/* The debuggers were asked about the finding that stands for a cluster: what that means for all of
 * it. A finding that names several is then split, so that there is one for each: what one of them
 * does wrong is one cause, whoever else is wrong at the same place. */
void ora_judge_conclude(struct ora_verdicts *verdicts);

/* Whether two say the same; for variables as compare.h rules, for others by their texts. */
bool ora_said_same(const struct ora_difference *difference, size_t a, size_t b);
/* What a witness does that the judge does not. */
enum ora_kind ora_kind_of(const struct ora_difference *difference, size_t judge, size_t w);
/* The trace of xstep; as many as there are if there is none. */
size_t ora_verdicts_judge(const struct ora_verdicts *verdicts);

/* Whether it is contested what a witness says, and why (verdict_contest.c). */
enum ora_contest ora_contest_of(const struct ora_verdicts *verdicts,
	const struct ora_finding *finding, size_t judge, size_t w);
/* What of the backtrace that a witness shows is contested; NONE if something is wrong with it
 * (verdict_frames.c). */
enum ora_contest ora_frames_contest(
	struct di_module *module, const struct ora_difference *difference, size_t w);
/* How many of the leader's innermost frames are inlined calls that a debugger need not show, for
 * they begin at the pc. */
size_t ora_frames_at_border(struct di_module *module, const struct ora_difference *difference);
/* Whether the code that a difference is about belongs to several functions (verdict_shared.c). */
bool ora_shared_is(const struct di_module *module, const struct ora_difference *difference);
/* Whether the function at a pc has both names. */
bool ora_shared_names(
	const struct di_module *module, xs_addr pc, const char *one, const char *other);
/* Of what symbolisers say (verdict_symbols.c): xstep looks at the file again, and makes each
 * mistake of those who differ; what is found goes to the proof. */
void ora_symbols_look(const struct ora_verdicts *verdicts, struct ora_finding *finding);
/* Why nobody is wrong who names other functions or calls; NONE if that may be wrong. */
enum ora_contest ora_symbols_contest(
	struct di_module *module, const struct ora_difference *difference, size_t judge, size_t w);
/* What the line table says of a pc, `file.c:7` or `no row`; to be freed. */
char *ora_line_text(const struct di_module *module, xs_addr pc);

/* Words (verdict_words.c): group, signature and reason. */
void ora_finding_word(struct ora_verdicts *verdicts, struct ora_finding *finding);
/* Appends ` [bit-field,typed]` to a signature, if there are features that may matter. */
void ora_finding_put_features(FILE *out, const struct ora_finding *finding);

/* The steps that violations share. Fills features: */
void ora_finding_look(struct ora_verdicts *verdicts, struct ora_finding *finding);
/* Sets the id, by place and variable (verdict_cluster.c). */
void ora_finding_identify(const struct ora_verdicts *verdicts, struct ora_finding *finding);
/* Puts all findings into clusters, and these in order. */
void ora_verdicts_cluster(struct ora_verdicts *verdicts);

void ora_verdicts_deinit(struct ora_verdicts *verdicts);

#endif
