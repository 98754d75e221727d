/* check.h - what all of `xstep check` share: traces that are recorded once and used again, and how
 * violations are told. The checks themselves are oracle/check/check_*.c. */
#ifndef CLI_CHECK_H
#define CLI_CHECK_H

#include "cli/report/finding.h"
#include "cli/record.h"
#include "cli/report/bundle.h"
#include "oracle/check/check.h"

/* A trace that a check needs. */
struct cli_check_need {
	const char *role; /* `unopt`, ...: see ora_check */
	int level;        /* enum ora_level */
	int sample;       /* enum cli_sample */
};

struct cli_check {
	struct cli_record record; /* who is asked, and the program's surroundings */
	struct cli_strings traces;
	struct cli_finding_wishes wishes;
	bool fresh;
	const char *report, *build;

	/* Its own. */
	char *path; /* of the store */
	char folder[32];
	struct ora_store *store;
	struct ora_trace_list list;
	XS_VEC(struct cli_check_trace {
		uint64_t id;
		const char *role;
		size_t witness; /* which of those that are asked */
		size_t program; /* which of several, for the caller */
	})
	found;
	struct ora_check check;
	char **argv; /* for --report: of the program whose DWARF is the evidence; NULL: stored */
	XS_VEC(char *) words; /* likewise: what to tell xstep to check it once more, */
	XS_VEC(struct cli_bundle_file) files; /* and the files that they name */
	size_t program;                       /* which of those found is to be checked */
	bool trouble;                         /* a witness could not tell it all */
	int signal;                           /* that interrupted it; 0: none */
};

#define CLI_CHECK_INIT                                                                             \
	{                                                                                          \
		.record = CLI_RECORD_INIT                                                          \
	}

#define CLI_CHECK_WITNESS_OPTIONS(type, field)                                                     \
	{"Who is asked", "witness", 0, CLI_STRING, "WHO[,WHO...]",                                 \
		"who is asked: xstep, gdb, lldb, gdb@PATH, lldb@PATH (default: xstep)",            \
		offsetof(type, field.record.witness)},                                             \
		{"Who is asked", "gdb", 0, CLI_STRING, "PATH",                                     \
			"the gdb to ask (default: the first on PATH)",                             \
			offsetof(type, field.record.gdb)},                                         \
		{"Who is asked", "lldb", 0, CLI_STRING, "PATH",                                    \
			"the lldb to ask (default: the newest on PATH that works)",                \
			offsetof(type, field.record.lldb)},                                        \
		{"Who is asked", "patience", 0, CLI_SECONDS, "S",                                  \
			"give up on a debugger that shows no sign of life for S seconds "          \
			"(default: 60)",                                                           \
			offsetof(type, field.record.patience)},                                    \
	{                                                                                          \
		"Who is asked", "max-leaves", 0, CLI_COUNT, "N",                                   \
			"look at no more than N leaves of a variable (default: 4096)",             \
			offsetof(type, field.record.max_leaves)                                    \
	}

#define CLI_CHECK_STORE_OPTIONS(type, field)                                                       \
	{"Output", "output", 'o', CLI_STRING, "FILE.db",                                           \
		"keep the traces in this store, and use the traces that it has already "           \
		"(default: a temporary store)",                                                    \
		offsetof(type, field.record.output)},                                              \
		{"Output", "fresh", 0, CLI_FLAG, NULL, "record even what the store has already",   \
			offsetof(type, field.fresh)},                                              \
	{                                                                                          \
		"Output", "quiet", 'q', CLI_FLAG, NULL,                                            \
			"print no line of progress on the terminal",                               \
			offsetof(type, field.record.quiet)                                         \
	}

#define CLI_CHECK_FINDING_OPTIONS(type, field)                                                     \
	CLI_FINDING_OPTIONS(type, field.wishes, "violation"),                                      \
		{"Output", "report", 0, CLI_STRING, "DIR",                                         \
			"write a folder for each cluster, ready to be filed upstream",             \
			offsetof(type, field.report)},                                             \
	{                                                                                          \
		"Output", "build", 0, CLI_STRING, "COMMAND",                                       \
			"how the program was built, for --report: the command is run again in "    \
			"this directory to keep the compiler's .i and .s",                         \
			offsetof(type, field.build)                                                \
	}

/* Sees that the store has what is needed of a program: records what it has not, by every witness.
 */
XS_MUST_CHECK struct xs_error *cli_check_trace(
	struct cli_check *check, char **argv, const struct cli_check_need *needs, size_t count);
/* The same for traces that --trace names: they take the roles in turn. */
XS_MUST_CHECK struct xs_error *cli_check_named(struct cli_check *check, const char *path,
	const struct cli_check_need *needs, size_t count);
/* Opens the store and fills check->check, witness by witness; those whose traces are not complete
 * are left out. subject: the role of the trace whose program's DWARF is the evidence. */
XS_MUST_CHECK struct xs_error *cli_check_begin(struct cli_check *check,
	const struct cli_check_need *needs, size_t count, const char *subject);
/* After that: the same witnesses' traces of another program (see found), by which the check goes
 * on. *whole: all of them are complete. */
XS_MUST_CHECK struct xs_error *cli_check_turn(struct cli_check *check,
	const struct cli_check_need *needs, size_t count, size_t program, bool *whole);
/* For --report, before cli_check_print(): begins the words with those that all checks have, of the
 * check `name`; adds one (NULL: nothing), or a file, which will be in `folder` (NULL: beside the
 * report); and ends with the program, argv[0], and its arguments. */
void cli_check_words(struct cli_check *check, const char *name);
void cli_check_word(struct cli_check *check, const char *word);
void cli_check_file(struct cli_check *check, const char *path, const char *folder);
void cli_check_subject(struct cli_check *check, char **argv);
/* Judges and prints, and writes the report; *found: there is something to tell. */
XS_MUST_CHECK struct xs_error *cli_check_print(
	struct cli_check *check, const char *command, const char *headline, bool *found);
/* Lets go of everything, a temporary store included, and says how the command ends. */
int cli_check_end(struct cli_check *check, struct xs_error *err, bool found);

#endif
