/* cmd_check_frames.c - xstep check frames: call frame information, call sites and entry values
 * against the execution. */
#include "base/path.h"
#include "base/shown.h"
#include "cli/check_options.h"
#include "cli/commands.h"
#include "oracle/session/framing.h"

struct options {
	struct cli_check check;
	int sample, mode;
	uint64_t limit, seed;
};

static const struct cli_option options[] = {
	{"What to check", "from", 0, CLI_STRING, "PLACE",
		"begin at the first call of FUNCTION, or at the first arrival at FILE:LINE, "
		"and end when that call returns (default: main)",
		offsetof(struct options, check.record.from)},
	{"What to check", "limit", 0, CLI_COUNT, "N",
		"end the program after N instructions of its own (default: no limit)",
		offsetof(struct options, limit)},
	{"How", "sample", 0, CLI_CHOICE, "none|all|unique|dtd",
		"at which stops frames are looked at: unique: the first stop of each "
		"transition; dtd: the choice of the DTD paper; all: every stop; none is "
		"refused (default: dtd)",
		offsetof(struct options, sample)},
	{"How", "seed", 0, CLI_NUMBER, "N", "changes which stops dtd chooses (default: 0)",
		offsetof(struct options, seed)},
	{"How", "mode", 0, CLI_CHOICE, "exact|single",
		"exact: block by block; single: PTRACE_SINGLESTEP for each instruction "
		"(default: exact)",
		offsetof(struct options, mode)},
	CLI_CHECK_WITNESS_OPTIONS(struct options, check),
	CLI_PROGRAM_OPTIONS(struct options, check.record.program),
	CLI_CHECK_STORE_OPTIONS(struct options, check),
	CLI_CHECK_FINDING_OPTIONS(struct options, check),
	{0},
};

static const char details[] =
	"Runs the program and keeps a shadow stack: at each call where the return address\n"
	"lies and what the registers held. What the DWARF says of frames is held against\n"
	"it, at each transition between two instructions. No other debugger and no other\n"
	"build is needed.\n"
	"  F1  The call frame information gives the frame's true address (CFA).\n"
	"  F2  It gives the true return address.\n"
	"  F3  It gives the registers that calls preserve (rbx, rbp, r12 to r15) as the\n"
	"      caller had them.\n"
	"  E1  A call site's parameter (DW_AT_call_value) has the value that was passed.\n"
	"  E2  A DW_OP_entry_value that a variable is worked out by has the value that the\n"
	"      register held when the function was entered.\n"
	"F1 to F3 are asked of the innermost frame and of all outer ones that are known. A\n"
	"wrong row shows at many instructions: it is one violation, which names the\n"
	"instruction since which it is wrong.\n"
	"\n"
	"What is not certain is not asked, and counted with its reason: calls whose\n"
	"beginning was not seen (other stacks, coroutines), frames behind library code\n"
	"that has no way through, code where libunwind reads the tables in another way.\n"
	"\n"
	"Other witnesses:\n"
	"With --witness xstep,gdb,lldb these are asked for their backtraces at the first\n"
	"stop of each transition. A debugger that shows another frame where the call\n"
	"frame information is right is wrong (F2).\n"
	"\n"
	"Exit status:\n"
	"  0  no violation\n"
	"  1  at least one violation\n"
	"  2  trouble; also if nothing could be asked\n";

/* What it takes to do it again, for --report. */
static void tell_words(struct options *values, char **argv)
{
	struct cli_check *check = &values->check;
	XS_AUTO_FREE char *limit = xs_asprintf("%" PRIu64, values->limit);
	XS_AUTO_FREE char *seed = xs_asprintf("%" PRIu64, values->seed);
	const char *words[] = {"--sample", ora_sample_text(values->sample), "--mode",
		ora_mode_text(values->mode), "--seed", seed, values->limit ? "--limit" : NULL,
		values->limit ? limit : NULL};
	cli_check_words(check, "frames");
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		cli_again_word(&check->again, words[i]);
	cli_again_subject(&check->again, argv);
}

static int cmd_check_frames(int argc, char **argv)
{
	struct options values = {.check = CLI_CHECK_INIT, .sample = ORA_SAMPLE_DTD};
	struct cli_check *check = &values.check;
	int first = 0;
	bool help = false;
	struct xs_error *err = cli_parse(&cli_check_frames, argc, argv, &values, &first, &help);
	cli_check_begin(check);
	struct ora_framing framing = {.checking = &check->checking,
		.argv = argv + first,
		.sample = values.sample,
		.mode = values.mode,
		.limit = values.limit,
		.seed = values.seed};
	if (!err && help) {
		cli_print_help(&cli_check_frames, stdout);
	} else if (!err && first >= argc) {
		err = xs_error_create(
			"check frames: name a program; see xstep check frames --help");
	} else if (!err && values.sample == ORA_SAMPLE_NONE) {
		err = xs_error_create("--sample none: nothing would be asked");
	} else if (!err && !(err = ora_framing_run(&framing))) {
		tell_words(&values, argv + first);
		XS_AUTO_FREE char *headline = xs_asprintf(
			"%s: %" PRIu64 " instructions executed, frames looked at %" PRIu64 " times",
			xs_base_name(check->checking.check.subject), framing.executed,
			framing.looked);
		err = cli_check_print(check, "check frames", headline);
	}
	return cli_check_end(check, err);
}

const struct cli_command cli_check_frames = {
	.name = "check frames",
	.operands = "PROGRAM [ARG...]",
	.summary = "Find call frame information and entry values that the execution contradicts",
	.details = details,
	.options = options,
	.run = cmd_check_frames,
	.paged = true,
};
