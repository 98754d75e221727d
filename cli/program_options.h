/* program_options.h - the options that say which program to run and in which surroundings, shared
 * by all commands that run one. They fill a struct ora_program. */
#ifndef CLI_PROGRAM_OPTIONS_H
#define CLI_PROGRAM_OPTIONS_H

#include "cli/option.h"
#include "oracle/session/program.h"

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
		{"The program's surroundings", "steady", 0, CLI_FLAG, NULL,                        \
			"give it the same time, process number and random bytes in every run "     \
			"(default: in xstep check only)",                                          \
			offsetof(type, field.steady)},                                             \
		{"The program's surroundings", "no-steady", 0, CLI_FLAG, NULL, "do not",           \
			offsetof(type, field.unsteady)},                                           \
	{                                                                                          \
		"The program's surroundings", "timeout", 0, CLI_SECONDS, "S",                      \
			"end the program after S seconds (default: no limit)",                     \
			offsetof(type, field.timeout)                                              \
	}

#endif
