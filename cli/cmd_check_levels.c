/* cmd_check_levels.c - xstep check levels: one program stepped by line, by instruction, by
 * breakpoints. */
#include "cli/check.h"
#include "cli/commands.h"

struct options {
	struct cli_check check;
	bool no_stmt, no_break;
};

static const struct cli_option options[] = {
	{"What to check", "from", 0, CLI_STRING, "FUNCTION",
		"begin at the first call of FUNCTION and end when it returns (main)",
		offsetof(struct options, check.record.from)},
	{"What to check", "no-break", 0, CLI_FLAG, NULL, "do without breakpoints on every line",
		offsetof(struct options, no_break)},
	{"What to check", "no-stmt", 0, CLI_FLAG, NULL,
		"R1: list lines that no row with is_stmt names, too (they are counted)",
		offsetof(struct options, no_stmt)},
	{"What to check", "trace", 0, CLI_STRINGS, "N",
		"of FILE.db: the traces by line, by instruction and by breakpoints (without these, "
		"with --no-break); more of other witnesses may follow",
		offsetof(struct options, check.traces)},
	CLI_CHECK_WITNESS_OPTIONS(struct options, check),
	CLI_PROGRAM_OPTIONS(struct options, check.record.program),
	CLI_CHECK_STORE_OPTIONS(struct options, check),
	CLI_CHECK_FINDING_OPTIONS(struct options, check),
	{0},
};

static const char details[] =
	"Steps through a program by line (all steps are kept), by instruction (the first of each "
	"transition\n"
	"at least) and from one breakpoint on a line to the next, by each witness, and compares "
	"what that\n"
	"witness says. Relations, as the DEVIL paper has them:\n"
	"  R1  a line is hit by line steps if and only if it is hit by instruction steps: "
	"line-only;\n"
	"      instruction-only, although a row of it with is_stmt was executed; break-only, "
	"no-break: by\n"
	"      breakpoints alone, or not at all; more-hits: a place more often than it was "
	"executed\n"
	"  R2  lines are hit first in the same order\n"
	"  R3  at the first line step on a line, values are those of the first arrival at that pc\n"
	"Who is wrong: see xstep check opt --help. JSON likewise; facts are by label (`gdb line`,\n"
	"`gdb instruction`, `gdb break`).\n"
	"\n"
	"Exit status: 0 no violation, 1 some, 2 trouble.\n";

static const struct cli_check_need needs[] = {
	{"line", ORA_LEVEL_LINE, CLI_SAMPLE_ALL},
	{"instruction", ORA_LEVEL_INSTRUCTION, CLI_SAMPLE_DTD},
	{"break", ORA_LEVEL_BREAK, CLI_SAMPLE_ALL},
};

static int cmd_check_levels(int argc, char **argv)
{
	struct options values = {.check = CLI_CHECK_INIT};
	struct cli_check *check = &values.check;
	struct ora_check_levels levels = {.check = &check->check};
	int first = 0;
	bool help = false, found = false;
	struct xs_error *err = cli_parse(&cli_check_levels, argc, argv, &values, &first, &help);
	size_t count = values.no_break ? 2 : 3;
	if (!err && help) {
		cli_print_help(&cli_check_levels, stdout);
		return cli_check_end(check, NULL, false);
	}
	if (!err && first >= argc)
		err = xs_error_create(
			"check levels: no program or trace store; see xstep check levels "
			"--help");
	else if (!err && ora_store_is_meant(argv[first]))
		err = cli_check_named(check, argv[first], needs, count);
	else if (!err && check->traces.vec.len)
		err = xs_error_create("--trace: it takes a trace store, not a program");
	else if (!err)
		err = cli_check_trace(check, argv + first, needs, count);
	levels.no_stmt = values.no_stmt;
	if (!err && !(err = cli_check_begin(check, needs, count, "line")) &&
		!(err = ora_check_levels(&levels))) {
		XS_AUTO_FREE char *headline = xs_asprintf("%s: %" PRIu64
							  " lines stepped on; %" PRIu64
							  " without a statement set aside",
			ora_bare_file(check->check.subject), levels.steps, levels.set_aside);
		err = cli_check_print(check, "check levels", headline, &found);
	}
	return cli_check_end(check, err, found);
}

const struct cli_command cli_check_levels = {
	.name = "check levels",
	.operands = "PROGRAM [ARG...] | FILE.db",
	.summary = "One program by line, by instruction and by breakpoints: lines, order, values",
	.details = details,
	.options = options,
	.run = cmd_check_levels,
};
