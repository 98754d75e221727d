/* case_options.h - the options by which `xstep reduce` and `xstep culprit` are told which finding
 * they are about. */
#ifndef CLI_CASE_OPTIONS_H
#define CLI_CASE_OPTIONS_H

#include "cli/option.h"
#include "oracle/cause/case_origin.h"

/* `type` has a field `words`, struct ora_case_words. */
#define CLI_CASE_OPTIONS(type)                                                                     \
	{"Which finding", "source", 0, CLI_STRING, "FILE",                                         \
		"a C source that has it, instead of a campaign (default: none)",                   \
		offsetof(type, words.source)},                                                     \
		{"Which finding", "compiler", 0, CLI_STRING, "CC",                                 \
			"that builds it, by name or path (default: the newest gcc on PATH)",       \
			offsetof(type, words.compiler)},                                           \
		{"Which finding", "level", 0, CLI_STRING, "LEVEL",                                 \
			"of optimisation, --level=-O1 (default: -O2)",                             \
			offsetof(type, words.level)},                                              \
		{"Which finding", "flags", 0, CLI_STRING, "FLAGS",                                 \
			"more options for all builds (default: none)",                             \
			offsetof(type, words.flags)},                                              \
		{"Which finding", "oracle", 0, CLI_STRING, "NAME",                                 \
			"that finds it, as in xstep campaign run --oracles (default: diff)",       \
			offsetof(type, words.oracle)},                                             \
		{"Which finding", "witness", 0, CLI_STRING, "WHO[,WHO...]",                        \
			"who testifies in diff (default: xstep,gdb,lldb)",                         \
			offsetof(type, words.witness)},                                            \
		{"Which finding", "signature", 0, CLI_STRING, "TEXT",                              \
			"its signature or its id, or how they begin (default: the only one)",      \
			offsetof(type, words.signature)},                                          \
		{"Limits", "run-timeout", 0, CLI_SECONDS, "S",                                     \
			"of the program by itself, in seconds (default: 10)",                      \
			offsetof(type, words.run_seconds)},                                        \
	{                                                                                          \
		"Limits", "timeout", 0, CLI_SECONDS, "S",                                          \
			"of the oracle, in seconds (default: 120)",                                \
			offsetof(type, words.ask_seconds)                                          \
	}

/* Takes the operands DIR ID, of which there are none with --source. */
XS_MUST_CHECK struct xs_error *cli_case_operands(const struct cli_command *command,
	const struct xs_strings *operands, struct ora_case_words *words);
/* As many as there are processors. */
uint64_t cli_case_jobs(uint64_t given);

#endif
