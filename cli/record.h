/* record.h - records what witnesses tell of a program: printed, or into a store. What `trace` does,
 * and `diff` before it compares. */
#ifndef CLI_RECORD_H
#define CLI_RECORD_H

#include <jansson.h>

#include "cli/program.h"
#include "oracle/witness/own/record.h"
#include "oracle/witness/debugger/shared.h"

/* In the order of the words in the table of options. */
enum cli_format { CLI_FORMAT_TEXT, CLI_FORMAT_JSON, CLI_FORMAT_NONE };
enum cli_vars { CLI_VARS_NONE, CLI_VARS_LOCALS, CLI_VARS_ALL };
enum cli_mode { CLI_MODE_EXACT, CLI_MODE_SINGLE, CLI_MODE_UNIQUE };
enum cli_sample { CLI_SAMPLE_NONE, CLI_SAMPLE_ALL, CLI_SAMPLE_UNIQUE, CLI_SAMPLE_DTD };
enum cli_threads { CLI_THREADS_MAIN, CLI_THREADS_ALL };
enum cli_drive { CLI_DRIVE_AUTO, CLI_DRIVE_SHARED, CLI_DRIVE_NATIVE };
enum cli_ask { CLI_ASK_NEEDED, CLI_ASK_ALL, CLI_ASK_TEXT };
#define CLI_NOT_GIVEN (-1) /* of those */

struct cli_record {
	struct cli_program program;
	const char *from, *output, *transitions; /* as the options of trace are called */
	struct cli_optional stats;
	struct cli_strings modules;
	uint64_t limit, max_leaves, seed;
	int mode, sample, format, vars, threads;
	bool frames, regs, keep_order, quiet;
	const char *witness, *gdb, *lldb; /* who is asked */
	int level, ask, drive;
	bool plan, no_plan;
	uint64_t repeat;
	double patience;

	/* Debuggers that look at xstep's own process. */
	struct ora_testimony **lookers;
	size_t looker_count;
	struct ora_shared *shared;

	bool store;    /* the output is one */
	bool settled;  /* settle() has been here */
	json_t *stops; /* the plan, while witnesses are asked */
};

/* Zero but for what nobody gave. */
#define CLI_RECORD_INIT                                                                            \
	{                                                                                          \
		.sample = CLI_NOT_GIVEN, .format = CLI_NOT_GIVEN, .vars = CLI_NOT_GIVEN            \
	}

/* xstep's own trace alone. */
XS_MUST_CHECK struct xs_error *cli_record_own(
	struct cli_record *values, char **argv, struct ora_recording *recording);
/* Asks everybody that `witness` names; *trouble: one of them could not tell it all. */
XS_MUST_CHECK struct xs_error *cli_record_witnesses(
	struct cli_record *values, char **argv, struct ora_recording *recording, bool *trouble);

#endif
