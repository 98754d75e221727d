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
	char *path;
	char **variables;
	int in_fd, out_fd; /* plus 1, so that 0 is none */
};

#define CLI_PROGRAM_OPTIONS(type, field)                                                           \
	{"Debug information", "debug-file", 0, CLI_STRING, "FILE",                                 \
		"the file with the program's debug information (default: the program "             \
		"itself, else found by build-id or .gnu_debuglink)",                               \
		offsetof(type, field.debug_file)},                                                 \
		{"Debug information", "debug-root", 0, CLI_STRING, "DIR",                          \
			"where separate debug files are kept (default: " DI_DEBUG_ROOT ")",        \
			offsetof(type, field.debug_root)},                                         \
		{"The program's surroundings", "env", 0, CLI_STRINGS, "NAME=VALUE",                \
			"add to its environment; may be repeated (default: LC_ALL=C and "          \
			"PATH=/usr/bin:/bin)",                                                     \
			offsetof(type, field.environment)},                                        \
		{"The program's surroundings", "stdin", 0, CLI_STRING, "FILE",                     \
			"what it reads (default: xstep's own standard input)",                     \
			offsetof(type, field.in)},                                                 \
		{"The program's surroundings", "stdout", 0, CLI_STRING, "FILE",                    \
			"where its output goes (default: standard error, so that it never goes "   \
			"into the trace)",                                                         \
			offsetof(type, field.out)},                                                \
	{                                                                                          \
		"The program's surroundings", "timeout", 0, CLI_SECONDS, "S",                      \
			"end the program after S seconds (default: no limit)",                     \
			offsetof(type, field.timeout)                                              \
	}

/* Fills *run for the program argv[0] and its arguments, opens it and the files that it reads and
 * writes. argv[0] becomes the absolute path. */
XS_MUST_CHECK struct xs_error *cli_program_prepare(
	struct cli_program *program, char **argv, struct ora_run *run);
/* Lets go of what was prepared, argv[0] included, so that it can be prepared again. */
void cli_program_release(struct cli_program *program);
void cli_program_deinit(struct cli_program *program);

#endif
