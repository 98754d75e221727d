/* check.h - violations: what a stored trace says that no trace may say, whatever the program.
 *
 * Each check (check_opt.c, check_levels.c, check_avail.c) walks traces and notes violations here. A
 * violation is a finding like diff's (verdict.h): it has an id, a signature, a cluster, evidence
 * from the DWARF, and somebody who is wrong.
 *
 * Rules:
 * 1. Traces come by witness; a witness has one or several, each with a role. The same violation
 *    (rule, place in the source, variable) in several witnesses is one.
 * 2. xstep's trace is a reading of the DWARF: what shows there is the producer's, by evidence. What
 *    shows in debuggers, in all of them even, and not in xstep's trace is theirs: the DWARF does
 *    not say it. Unless a check has looked, and it does: that is the producer's, whoever shows it.
 * 3. What is about something in which two runs of one program differ is nobody's mistake, and no
 *    finding; it is counted.
 * 4. Without xstep, what shows in all debuggers, two at least, is the producer's by majority. Of
 *    what shows in some of them only nobody can say whose it is. */
#ifndef ORA_CHECK_H
#define ORA_CHECK_H

#include "oracle/check/asked.h"
#include "oracle/store/scene.h"
#include "oracle/judge/verdict.h"

/* A rule that may be violated. */
struct ora_check_rule {
	const char *name;     /* LI, R1, C3, ...: the group of its findings */
	const char *sentence; /* what must hold, for help and SARIF */
};

struct ora_unsteady;
struct ora_violation;

struct ora_check {
	/* Set by the caller. */
	struct ora_store *store;
	size_t count;                                         /* of traces */
	const struct ora_trace_info *traces[ORA_COMPARE_MAX]; /* the traces of a witness in a row */
	const char *roles[ORA_COMPARE_MAX];                   /* `unopt`, `opt`, `line`, ... */
	const char *subject;                                  /* whose DWARF is the evidence */
	bool changed[ORA_COMPARE_MAX]; /* by trace: its program is not the file that was traced */
	/* Whether a violation is about something in which two runs of one program differ
	 * (unsteady.h); NULL: nobody knows. */
	bool (*is_unsteady)(
		const struct ora_unsteady *unsteady, const struct ora_violation *violation);
	const struct ora_unsteady *unsteady; /* passed to it */
	/* Likewise of runs that round otherwise; NULL: there are none. */
	const struct ora_unsteady *rounded;
	/* The program has a fixed address: which values depend on those of its static data could
	 * not be found out. */
	bool fixed;
	/* Two programs that ought to do the same do not end alike: what the one does proves nothing
	 * about the debug information of the other. */
	bool unlike;
	/* The one need not calculate what the other does (calculation.h): likewise. */
	bool loose;
	const char *start; /* where the traces begin, for print; NULL: as always */

	/* Its own, to be read: what is printed. */
	struct ora_comparison comparison;
	struct ora_verdicts verdicts; /* whose findings are made by ora_check_judge() */
	XS_VEC(struct ora_check_note {
		const struct ora_check_rule *rule;
		enum ora_kind kind;
		const char *why; /* the word in the signature */
		unsigned shows;  /* mask of traces that show it */
		bool unsteady;   /* runs of one program differ there: no finding */
		bool rounded;    /* runs that round in different ways do, likewise */
		bool evident;    /* see ora_violation */
		bool doubtful;   /* likewise */
		bool in_memory;  /* likewise */
		bool is_value;   /* likewise */
		bool withdrawn;  /* no finding after all */
		char *sentence;  /* in whose words it is told; follows the name of who is wrong */
		char *evidence;  /* of the DWARF, beside that of a variable; or NULL */
	})
	notes;                   /* by violation, as comparison.differences */
	struct ora_asked asked;  /* by the checks: how much each rule asked, and could not */
	uint64_t unsteady_count; /* violations that are no findings, for runs differ there */
	uint64_t rounded_count;  /* likewise of those that round otherwise */
	struct xs_map known;     /* hashes -> index, plus 1 */
	char *labels[ORA_COMPARE_MAX];
};

/* Prepares: opens the module, makes labels. */
void ora_check_begin(struct ora_check *check);

/* A violation as a check finds it. Texts are copied, but for `why`. */
struct ora_violation {
	const struct ora_check_rule *rule;
	enum ora_kind kind;
	const char *why;
	const char *key; /* what tells it from others of this rule at this line, beside the
			  * variable; or NULL */
	const char
		*place; /* what tells it from others instead of file, function and line; or NULL */
	const struct ora_told *told; /* where it shows */
	uint64_t arrival; /* of a live check that does not count instructions: which arrival at the
			   * place it is since the start, from 1; 0: told->number says where */
	unsigned frame;   /* that it is about, from the innermost, 0 */
	xs_addr frame_pc; /* with it: link-time address to look things up by in an outer one */
	const char *file, *function; /* as the witness shows it there */
	uint32_t line;
	const struct ora_store_variable *variable; /* or NULL */
	const char *path, *type;                   /* of the leaf; NULL: the variable's name */
	bool evident;   /* the DWARF says it at that place, whichever witness shows it */
	bool doubtful;  /* nobody is to be blamed for it */
	bool in_memory; /* likewise, if the variable is in one place in memory all along */
	bool is_value;  /* it is about a value that another build does not have */
	bool local;     /* about a value of a local, by when it has been written */
};

/* Notes that a trace shows it; *fresh: for the first time. The index is that of the difference, to
 * which the caller adds what is said and a sentence. */
size_t ora_check_violate(
	struct ora_check *check, size_t trace, const struct ora_violation *violation, bool *fresh);
/* What a trace says of it: a state, or a text. */
void ora_check_say(struct ora_check *check, size_t violation, size_t trace, enum ora_state state,
	const char *value);
/* Sets the sentence and the evidence, both to be freed by the check; evidence may be NULL. What was
 * said first stays. */
void ora_check_explain(struct ora_check *check, size_t violation, char *sentence, char *evidence);
/* Takes it back. */
void ora_check_withdraw(struct ora_check *check, size_t violation);
/* The first trace of the same witness as `trace` that has this role; count if there is none. */
size_t ora_check_role(const struct ora_check *check, size_t trace, const char *role);

/* The rows of the line table that a pc is at, in words; to be freed. */
char *ora_check_row(const struct ora_check *check, const struct ora_store_place *place);
/* A scene of a trace; module is that of its program, NULL if it is not there. */
struct ora_scene ora_check_scene(
	const struct ora_check *check, size_t trace, const struct di_module *module);

/* Makes findings of what was noted. */
void ora_check_judge(struct ora_check *check);
void ora_check_deinit(struct ora_check *check);

/* --- the checks ------------------------------------------------------------------------------- */

/* Optimised against unoptimised, traces by line with roles `unopt` and `opt`; see check_opt.c. */
struct ora_check_opt {
	struct ora_check *check;
	bool parts;            /* LI: note lines that UNOPT cannot be asked about, too */
	uint64_t executed;     /* a trace with every place that UNOPT executes; 0: there is none */
	uint64_t steps, lines; /* found: steps and different lines of all `opt` traces */
};
XS_MUST_CHECK struct xs_error *ora_check_opt(struct ora_check_opt *opt);

/* One program by different steps, roles `line`, `instruction` and, if it is there, `break`; see
 * check_levels.c. */
struct ora_check_levels {
	struct ora_check *check;
	bool no_stmt;   /* note instruction-only lines without a statement, too */
	uint64_t order; /* a trace with the order of all that is executed; 0: there is none */
	uint64_t steps; /* found: lines hit by line steps, by all witnesses */
};
XS_MUST_CHECK struct xs_error *ora_check_levels(struct ora_check_levels *levels);

/* Availability by facts of one source file, traces by breakpoints; see check_avail.c. */
struct src_facts;
struct ora_check_avail {
	struct ora_check *check;
	const struct src_facts *facts;
	uint64_t hits;  /* found: lines of the sources that were hit, by all witnesses */
	uint64_t stops; /* found: stops in the sources, also where no statement has begun */
};
XS_MUST_CHECK struct xs_error *ora_check_avail(struct ora_check_avail *avail);

#endif
