/* cmd_check_levels.c - xstep check levels: one program stepped by line, by instruction, by
 * breakpoints. */
#include "base/path.h"
#include "cli/check_options.h"
#include "cli/commands.h"
#include "oracle/session/level_starts.h"

struct options {
	struct cli_check check;
	bool no_stmt, no_break;
	uint64_t random_starts, seed;
	int start_by; /* enum ora_start_way */
};

static const struct cli_option options[] = {
	{"What to check", "from", 0, CLI_STRING, "PLACE",
		"begin at the first call of FUNCTION, or at the first arrival at FILE:LINE, "
		"and end when that call returns (default: main)",
		offsetof(struct options, check.record.from)},
	{"What to check", "random-starts", 0, CLI_COUNT, "N",
		"begin at N more lines as well, chosen among the lines that are stepped on",
		offsetof(struct options, random_starts)},
	{"What to check", "seed", 0, CLI_NUMBER, "N",
		"decides which lines --random-starts chooses (default: 0)",
		offsetof(struct options, seed)},
	{"What to check", "start-by", 0, CLI_CHOICE, ORA_START_WAYS,
		"how debuggers get from main to where line steps and breakpoints begin: "
		"breakpoint; their command until, in the frame of main; advance (lldb has none: a "
		"breakpoint); random: to any arrival at a line (default: breakpoint)",
		offsetof(struct options, start_by)},
	{"What to check", "no-break", 0, CLI_FLAG, NULL,
		"set no breakpoints: compare line steps with instruction steps only",
		offsetof(struct options, no_break)},
	{"What to check", "no-stmt", 0, CLI_FLAG, NULL,
		"R1: list lines that no row with is_stmt names, too; else they are only "
		"counted",
		offsetof(struct options, no_stmt)},
	{"What to check", "trace", 0, CLI_STRINGS, "N",
		"with FILE.db: the traces by line, by instruction and by breakpoints (no "
		"trace by breakpoints with --no-break); traces of other witnesses may "
		"follow",
		offsetof(struct options, check.traces)},
	CLI_CHECK_WITNESS_OPTIONS(struct options, check),
	CLI_PROGRAM_OPTIONS(struct options, check.record.program),
	CLI_CHECK_STORE_OPTIONS(struct options, check),
	CLI_CHECK_FINDING_OPTIONS(struct options, check),
	{0},
};

static const char details[] =
	"Steps through a program by line (all steps are kept), by instruction (at least\n"
	"the first stop of each transition is kept) and from one breakpoint on a line to\n"
	"the next. Each witness does so, and each witness is compared with itself. The\n"
	"relations are those of the DEVIL paper:\n"
	"  R1  A line is hit by line steps if and only if it is hit by instruction\n"
	"      steps. Violations are line-only; instruction-only, although a statement of\n"
	"      the line was entered; break-only: hit by breakpoints alone; no-break: hit\n"
	"      where a breakpoint belongs, but not by breakpoints; more-hits: hit at a place\n"
	"      more often than the place was executed; column: shown with another column.\n"
	"  R2  Lines are hit for the first time in the same order (order), and no later\n"
	"      step runs over a statement of another line (order-later); late-prologue-end:\n"
	"      statements of a function are executed before its row with prologue_end.\n"
	"  R3  At the first line step on a line, values are those of the first arrival\n"
	"      at that pc (value), and those where the line is entered (value-by-line).\n"
	"\n"
	"A statement begins at a row with is_stmt; it is entered if the instruction before\n"
	"was of another line. What was asked, and what was not and why, is counted.\n"
	"\n"
	"Steps begin at main or at --from, and with --random-starts at other lines as\n"
	"well. What is found from several starts is one violation. --start-by has the\n"
	"debuggers get there otherwise than instruction steps do, whose values are what\n"
	"they must show there (R3, value-at-start). A start that a debugger does not get to\n"
	"in that way is left out and counted.\n"
	"\n"
	"Who is wrong: see xstep check opt --help. The JSON is described there, too; here\n"
	"facts are by label: `gdb line`, `gdb instruction`, `gdb break`.\n"
	"\n"
	"Exit status:\n"
	"  0  no violation\n"
	"  1  at least one violation\n"
	"  2  trouble\n";

static const struct ora_trace_need needs[] = {
	{"line", ORA_LEVEL_LINE, ORA_SAMPLE_ALL, .bare = false},
	{"instruction", ORA_LEVEL_INSTRUCTION, ORA_SAMPLE_DTD, .bare = false},
	{"break", ORA_LEVEL_BREAK, ORA_SAMPLE_ALL, .bare = false},
};

/* Has the way go with the rest of what was asked for. */
static struct xs_error *use_way(struct options *values, bool program, char **from)
{
	const char *place = values->check.record.from;
	if (values->start_by == ORA_START_BREAKPOINT)
		return NULL;
	if (!program)
		return xs_error_create("--start-by: it takes a program, not a trace store");
	if (values->start_by == ORA_START_RANDOM) {
		values->random_starts += !values->random_starts;
		return place ? xs_error_create("--start-by random begins anywhere: it does not go "
					       "with --from")
			     : NULL;
	}
	if (!place && !values->random_starts)
		return xs_error_create("--start-by: it takes a place to get to: --from PLACE or "
				       "--random-starts N");
	if (place)
		values->check.checking.cache.hearing.from = *from =
			ora_start_text((enum ora_start_way)values->start_by, place);
	return NULL;
}

static int cmd_check_levels(int argc, char **argv)
{
	struct options values = {.check = CLI_CHECK_INIT};
	struct cli_check *check = &values.check;
	struct ora_check_levels levels = {.check = &check->checking.check};
	struct ora_level_starts starts = {.checking = &check->checking, .needs = needs};
	int first = 0;
	bool help = false;
	struct xs_error *err = cli_parse(&cli_check_levels, argc, argv, &values, &first, &help);
	cli_check_begin(check);
	size_t count = values.no_break ? 2 : 3;
	XS_AUTO_FREE char *from = NULL;
	if (!err && !help && first < argc)
		err = use_way(&values, !ora_store_is_meant(argv[first]), &from);
	starts.count = count;
	starts.way = values.start_by;
	starts.wanted = values.random_starts;
	starts.seed = values.seed;
	if (!err && help) {
		cli_print_help(&cli_check_levels, stdout);
		return cli_check_end(check, NULL);
	}
	if (!err && first >= argc)
		err = xs_error_create(
			"check levels: no program or trace store; see xstep check levels "
			"--help");
	else if (!err && ora_store_is_meant(argv[first]) && values.random_starts)
		err = xs_error_create("--random-starts: it takes a program, not a trace store");
	else if (!err && ora_store_is_meant(argv[first]))
		err = cli_check_named(check, argv[first], needs, count);
	else if (!err && check->traces.vec.len)
		err = xs_error_create("--trace: it takes a trace store, not a program");
	else if (!err && values.random_starts && check->report)
		err = xs_error_create("--report does not go with --random-starts; begin at one "
				      "line: --from FILE:LINE");
	else if (!err && !(err = ora_trace_cache_fill(
				   &check->checking.cache, argv + first, needs, count))) {
		cli_check_words(check, "levels");
		cli_again_word(&check->again, values.no_break ? "--no-break" : NULL);
		cli_again_word(&check->again, values.no_stmt ? "--no-stmt" : NULL);
		cli_again_word(&check->again, from ? "--start-by" : NULL);
		cli_again_word(&check->again, !from                                ? NULL
					      : values.start_by == ORA_START_UNTIL ? "until"
										   : "advance");
		cli_again_subject(&check->again, argv + first);
		if (!(err = ora_checking_twice(&check->checking, argv + first, &needs[0], NULL)) &&
			!(err = ora_level_starts_order(&starts, argv + first)))
			err = ora_level_starts_record(&starts, argv + first);
	}
	levels.no_stmt = values.no_stmt;
	levels.order = err ? 0 : ora_level_starts_find_order(&starts, 0);
	if (!err && !(err = ora_checking_begin(&check->checking, needs, count, "line")) &&
		!(err = ora_check_levels(&levels)) &&
		!(err = ora_level_starts_check(&starts, &levels))) {
		XS_AUTO_FREE char *headline = xs_asprintf("%s: %" PRIu64 " lines stepped on%s",
			xs_base_name(check->checking.check.subject), levels.steps,
			starts.places.len ? "; all starts together" : "");
		err = cli_check_print(check, "check levels", headline);
	}
	ora_level_starts_deinit(&starts);
	return cli_check_end(check, err);
}

const struct cli_command cli_check_levels = {
	.name = "check levels",
	.operands = "PROGRAM [ARG...] | FILE.db",
	.summary = "Compare one program by line, by instruction and by breakpoints",
	.details = details,
	.options = options,
	.run = cmd_check_levels,
	.paged = true,
};
