/* check_options.h - the options that all of `xstep check` share, and how such a command begins and
 * ends. What it does is oracle/session/checking.h; how violations look is
 * cli/report/violations.h. */
#ifndef CLI_CHECK_OPTIONS_H
#define CLI_CHECK_OPTIONS_H

#include "cli/finding_options.h"
#include "cli/program_options.h"
#include "cli/report/audience.h"
#include "cli/report/violations.h"

struct cli_check {
	struct ora_hearing record; /* who is asked, and the program's surroundings */
	struct xs_strings traces;
	struct cli_finding_wishes wishes;
	bool fresh, quiet;
	bool alone; /* nobody but xstep can be asked */
	const char *report, *build;

	/* Its own. */
	struct cli_audience audience; /* whom witnesses tell */
	struct ora_checking checking; /* from cli_check_begin() on */
	struct cli_again again;       /* for --report */
	bool found;                   /* there was something to tell */
};

#define CLI_CHECK_INIT                                                                             \
	{                                                                                          \
		.record = ORA_HEARING_INIT                                                         \
	}

#define CLI_CHECK_WITNESS_OPTIONS(type, field)                                                     \
	{"Who is asked", "witness", 0, CLI_STRING, "WHO[,WHO...]",                                 \
		"who is asked: xstep, gdb, lldb, gdb@PATH, lldb@PATH, or all: xstep, and the "     \
		"gdb and the lldb that are found (default: xstep)",                                \
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
		offsetof(type, field.record.store)},                                               \
		{"Output", "fresh", 0, CLI_FLAG, NULL, "record even what the store has already",   \
			offsetof(type, field.fresh)},                                              \
	{                                                                                          \
		"Output", "quiet", 'q', CLI_FLAG, NULL,                                            \
			"print no line of progress on the terminal", offsetof(type, field.quiet)   \
	}

#define CLI_CHECK_FINDING_OPTIONS(type, field)                                                     \
	CLI_FINDING_OPTIONS(type, field.wishes, "violation"),                                      \
		{"Output", "report", 0, CLI_STRING, "DIR",                                         \
			"write a folder for each cluster, ready to be filed upstream: the "        \
			"report, a script that checks once more, and regression tests",            \
			offsetof(type, field.report)},                                             \
	{                                                                                          \
		"Output", "build", 0, CLI_STRING, "COMMAND",                                       \
			"how the program was built, for --report: the command is run again in "    \
			"this directory to keep the compiler's .i and .s",                         \
			offsetof(type, field.build)                                                \
	}

/* The options are read: tells the session what they say. */
void cli_check_begin(struct cli_check *check);
/* The traces that --trace names, of the store at `path`. */
XS_MUST_CHECK struct xs_error *cli_check_named(struct cli_check *check, const char *path,
	const struct ora_trace_need *needs, size_t count);
/* For --report: begins the words that check it once more with those that all checks have. name:
 * `opt`, ... */
void cli_check_words(struct cli_check *check, const char *name);
/* Judges and prints, and writes the report. */
XS_MUST_CHECK struct xs_error *cli_check_print(
	struct cli_check *check, const char *command, const char *headline);
/* Lets go of everything, a temporary store included, and says how the command ends. */
int cli_check_end(struct cli_check *check, struct xs_error *err);

#endif
