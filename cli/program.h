/* program.h - the options that say which program to run and in which surroundings, shared by all
 * commands that run one. */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include "cli/option.h"
#include "oracle/witness/own/run.h"

struct cli_program {
	const char *in, *out, *debug_file, *debug_root; /* see the table below */
	struct cli_strings environment;
	double timeout;

	/* What cli_program_prepare() holds for the run. */
	char *path;        /* of the program, absolute */
	char **argv;       /* that path and the caller's words: only the array is its own */
	char **variables;  /* its environment */
	int in_fd, out_fd; /* plus 1, so that 0 is none */
};

#define CLI_PROGRAM_OPTIONS(type, field)                                                           \
	{"Debug information", "debug-file", 0, CLI_STRING, "FILE",                                 \
		"where the program's debug information is, if not in itself (looked for)",         \
		offsetof(type, field.debug_file)},                                                 \
		{"Debug information", "debug-root", 0, CLI_STRING, "DIR",                          \
			"where separate debug files are kept (" DI_DEBUG_ROOT ")",                 \
			offsetof(type, field.debug_root)},                                         \
		{"The program's surroundings", "env", 0, CLI_STRINGS, "NAME=VALUE",                \
			"add to its environment (LC_ALL=C, PATH=/usr/bin:/bin); may be repeated",  \
			offsetof(type, field.environment)},                                        \
		{"The program's surroundings", "stdin", 0, CLI_STRING, "FILE",                     \
			"what it reads (xstep's own standard input)", offsetof(type, field.in)},   \
		{"The program's surroundings", "stdout", 0, CLI_STRING, "FILE",                    \
			"where its output goes (standard error: never into the trace)",            \
			offsetof(type, field.out)},                                                \
	{                                                                                          \
		"The program's surroundings", "timeout", 0, CLI_SECONDS, "S",                      \
			"end the program after S seconds (no limit)",                              \
			offsetof(type, field.timeout)                                              \
	}

/* Fills *run for the program words[0] and its arguments, opens it and the files that it reads and
 * writes. The words must outlive the run; they stay as they are: the program sees its absolute path
 * as argv[0]. */
XS_MUST_CHECK struct xs_error *cli_program_prepare(
	struct cli_program *program, char *const *words, struct ora_run *run);
/* Lets go of what was prepared, so that it can be prepared again. */
void cli_program_release(struct cli_program *program);
void cli_program_deinit(struct cli_program *program);

#endif
