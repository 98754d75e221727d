/* campaign_store.h - campaign.db: what a campaign is about, what is done, what was found. What the
 * file looks like is said in campaign_schema.sql.
 *
 * Rules:
 * 1. One campaign at a time has a file; a second one is refused. Others may read meanwhile.
 * 2. A program with its builds and jobs, and a job with its findings and figures, are written at
 *    once or not at all.
 * 3. What was written stays: a job that is done is not done again, whoever says so.
 * 4. A file is input, whoever made it: see store_guard.c.
 * 5. Texts that are passed are copied. */
#ifndef ORA_CAMPAIGN_STORE_H
#define ORA_CAMPAIGN_STORE_H

#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"

struct ora_campaign_store;

/* write: the file is made if it is not there. */
XS_MUST_CHECK struct xs_error *ora_campaign_store_open(
	const char *path, bool write, struct ora_campaign_store **ret);
void ora_campaign_store_destroy(struct ora_campaign_store *store);
XS_DEFINE_CLEANUP(ora_campaign_store);

enum { ORA_CAMPAIGN_ID = 13 }; /* bytes of an id, with its NUL */
/* An id of texts, up to a NULL. */
void ora_campaign_id(char ret[ORA_CAMPAIGN_ID], ...);

/* --- writing ---------------------------------------------------------------------------------- */

struct ora_campaign_build {
	char *compiler, *level; /* the cell */
	char *outcome, *detail; /* as in the schema; detail may be NULL */
	char *hash;             /* of the executable; NULL: none */
	uint64_t size;          /* of it */
	double seconds;
};

struct ora_campaign_finding {
	char *id, *signature;    /* as the oracle has them */
	char *basis;             /* may be NULL, as all that follow but wrong */
	char *wrong;             /* who is, by commas */
	char *known;             /* where it is reported */
	char *function;          /* where it is */
	uint64_t line;           /* 0: unknown */
	char *variable, *report; /* which; as JSON */
	bool fresh;              /* set when it is kept: the first of its signature */
};

struct ora_campaign_figure {
	char *name;
	double value;
};

/* A job, and what came of it. Zero-initialised is empty. All texts are its own. */
struct ora_campaign_job {
	int64_t id;             /* in the file; 0: not there yet */
	char *program, *oracle; /* id of the program */
	char *origin, *flags;   /* of the program; NULL where nobody filled it in */
	char *compiler, *level; /* the cell */
	char *outcome;          /* as in the schema; NULL: to be done */
	char *detail;           /* may be NULL */
	double seconds;         /* that it took */
	XS_VEC(struct ora_campaign_finding) findings;
	XS_VEC(struct ora_campaign_figure) figures;
};

/* A program that was made and filtered. Zero-initialised is empty. All texts are its own. */
struct ora_campaign_program {
	char *id, *origin, *rank, *flags; /* see the schema */
	char *hash;                       /* NULL: there is no text */
	char *reason, *detail;            /* reason NULL: kept */
	uint64_t size, steps;             /* of the text; executed, 0: not counted */
	double seconds;                   /* that it took */
	XS_VEC(struct ora_campaign_build) builds;
	XS_VEC(struct ora_campaign_job) jobs; /* to be done, or done already */
};

/* What came of a stage of looking for a signature's cause. Zero-initialised is empty. All texts are
 * its own, and may be NULL but for the first three. */
struct ora_campaign_cause {
	char *signature;       /* its id */
	char *stage, *outcome; /* as in the schema */
	char *reason;          /* why it is not done */
	char *file;            /* the reduced source, in the campaign's folder */
	uint64_t lines, bytes; /* of it; 0: there is none */
	char *sameness;        /* of its text */
	char *culprit;         /* who it is */
	char *vector;          /* where it is found and where not: JSON */
	double seconds;        /* that it took */
};

struct ora_campaign_jobs {
	XS_VEC(struct ora_campaign_job) vec; /* in the order in which they are to be done */
};

/* How many of its findings are fresh. */
uint64_t ora_campaign_fresh(const struct ora_campaign_job *job);
void ora_campaign_job_deinit(struct ora_campaign_job *job);
void ora_campaign_program_deinit(struct ora_campaign_program *program);
void ora_campaign_jobs_deinit(struct ora_campaign_jobs *jobs);
void ora_campaign_cause_deinit(struct ora_campaign_cause *cause);

XS_MUST_CHECK struct xs_error *ora_campaign_set_option(
	struct ora_campaign_store *store, const char *name, const char *value);
/* Adds a program with its builds and jobs, all at once; ids of jobs, and which findings are fresh,
 * are filled in. One that is there stays as it is. */
XS_MUST_CHECK struct xs_error *ora_campaign_add_program(
	struct ora_campaign_store *store, struct ora_campaign_program *program);
/* A job is done, with all that came of it, at once. Which findings are fresh is filled in. */
XS_MUST_CHECK struct xs_error *ora_campaign_finish_job(
	struct ora_campaign_store *store, struct ora_campaign_job *job);
/* A stage was tried. One that is done stays as it is. */
XS_MUST_CHECK struct xs_error *ora_campaign_keep_cause(
	struct ora_campaign_store *store, const struct ora_campaign_cause *cause);
/* Adds all of another file; what is in both is there once, and done if it is done in one. */
XS_MUST_CHECK struct xs_error *ora_campaign_merge(
	struct ora_campaign_store *store, const char *from);
/* The same for one of many: ora_campaign_merged() after the last of them chooses the exemplars,
 * which takes time by the number of all findings. Until then invariant 6 does not hold. */
XS_MUST_CHECK struct xs_error *ora_campaign_merge_part(
	struct ora_campaign_store *store, const char *from);
XS_MUST_CHECK struct xs_error *ora_campaign_merged(struct ora_campaign_store *store);

/* --- reading ---------------------------------------------------------------------------------- */

/* What can be asked; the columns of the answer are named behind it. */
enum ora_campaign_question {
	ORA_ASK_OPTIONS, /* name, value */
	ORA_ASK_TOTALS,  /* programs, kept, builds, jobs, done, findings, signatures, seconds */
	ORA_ASK_MADE,    /* programs, and how many of them were made of others */
	ORA_ASK_REASONS, /* why programs were left out: reason, programs, detail of the first */
	ORA_ASK_BUILDS,  /* compiler, level, builds, built, refused, crashed, hung, seconds */
	/* oracle, jobs, clean, found, unasked, failed, to do, findings, signatures, seconds */
	ORA_ASK_ORACLES,
	ORA_ASK_FAILED,  /* oracle, outcome, detail, jobs, origin of the first program */
	ORA_ASK_FIGURES, /* oracle, name, jobs, sum */
	/* id, signature, basis, wrong, oracle, count, programs, builds, compilers, known, exemplar:
	 * the smallest program's id, its origin, size, compiler, level, finding; the first
	 * program's origin */
	ORA_ASK_SIGNATURES,
	ORA_ASK_CELLS, /* of a signature: compiler, level, findings, programs */
	/* of a signature: which, program, origin, size, flags, compiler, level, oracle, finding,
	 * function, line, variable, report */
	ORA_ASK_EXEMPLARS,
	ORA_ASK_LINKED,     /* of a signature: oracle, signature, id, places that both have */
	ORA_ASK_PROGRAM,    /* by origin: id, reason */
	ORA_ASK_UNFINISHED, /* by program: how many of its jobs are to be done */
	ORA_ASK_FILES,      /* id: of all programs that have a text */
	ORA_ASK_CHOSEN,     /* options without versions: name, value */
	ORA_ASK_VERSIONS,   /* tool, version */
	/* id, origin, flags, size, steps, reason, detail, builds, jobs, findings, signatures,
	 * seconds */
	ORA_ASK_PROGRAMS,
	/* oracle, compiler, level, jobs, clean, found, unasked, failed, to do, findings,
	 * signatures, seconds */
	ORA_ASK_RESULTS,
	ORA_ASK_STAGES,     /* stage, how many, seconds, mean of these, most */
	ORA_ASK_EVERY_CELL, /* signature's id, text, oracle; compiler, level, findings, programs */
	/* signature's id, stage, outcome, reason, file, lines, bytes, sameness, culprit, vector,
	 * seconds */
	ORA_ASK_CAUSES,
	ORA_ASK_CAUSE_TOTALS, /* stage, done, unfinished, failed, culprits, seconds */
	ORA_CAMPAIGN_QUESTIONS,
};

/* An answer: rows of texts. */
struct ora_campaign_answer {
	size_t columns;
	XS_VEC(char *) cells; /* row by row; NULL where there is nothing */
};

/* about: the signature, origin or program that is asked about; NULL where none is. */
XS_MUST_CHECK struct xs_error *ora_campaign_ask(struct ora_campaign_store *store,
	enum ora_campaign_question question, const char *about, struct ora_campaign_answer *ret);
void ora_campaign_answer_deinit(struct ora_campaign_answer *answer);
static inline size_t ora_campaign_rows(const struct ora_campaign_answer *answer)
{
	return answer->columns ? answer->cells.len / answer->columns : 0;
}
static inline const char *ora_campaign_cell(
	const struct ora_campaign_answer *answer, size_t row, size_t column)
{
	return answer->cells.data[row * answer->columns + column];
}
/* The jobs that are to be done, program by program. */
XS_MUST_CHECK struct xs_error *ora_campaign_pending(
	struct ora_campaign_store *store, struct ora_campaign_jobs *ret);
/* Checks the file, and the invariants that campaign_schema.sql numbers. complete: no job may be
 * left to be done. An error says which of them does not hold. */
XS_MUST_CHECK struct xs_error *ora_campaign_check(struct ora_campaign_store *store, bool complete);
/* The value of an option, to be freed; NULL: not set. */
XS_MUST_CHECK struct xs_error *ora_campaign_option(
	struct ora_campaign_store *store, const char *name, char **ret);

#endif
