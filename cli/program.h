/* program.h - the options that say which program to run and in which surroundings, shared by all
 * commands that run one. They fill a struct ora_program. */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include "cli/option.h"
#include "oracle/session/program.h"

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

#endif
