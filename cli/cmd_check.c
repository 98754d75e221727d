/* cmd_check.c - xstep check: picks the check. */
#include "base/nearest.h"
#include "cli/commands.h"

static const struct cli_command *const checks[] = {
	&cli_check_opt, &cli_check_levels, &cli_check_avail, &cli_check_metrics};

static const struct cli_option options[] = {
	{0},
};

static const char details[] =
	"  opt UNOPT OPT          an optimised program against the same source unoptimised\n"
	"  levels PROGRAM         one program by line, by instruction and by breakpoints\n"
	"  avail PROGRAM          variables that must be there, by facts of the source\n"
	"  metrics UNOPT OPT...   how many lines and variables can be shown\n"
	"\n"
	"xstep check CHECK --help tells more. A check looks at stored traces of any witness and "
	"finds what\n"
	"no debugger may say, whatever the program: mistakes of compilers, and those that all "
	"debuggers\n"
	"share. Exit status: 0 no violation, 1 some, 2 trouble.\n";

static int cmd_check(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "";
	struct xs_nearest nearest = xs_nearest_to(word);
	if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
		cli_print_help(&cli_check, stdout);
		return CLI_NOTHING;
	}
	for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
		const char *name = strchr(checks[i]->name, ' ') + 1;
		if (!strcmp(name, word))
			return checks[i]->run(argc - 1, argv + 1);
		xs_nearest_try(&nearest, name);
	}
	if (nearest.best)
		return cli_fail(xs_error_create(
			"check: unknown check '%s'; did you mean '%s'?", word, nearest.best));
	return cli_fail(xs_error_create("check: which one? see xstep check --help"));
}

const struct cli_command cli_check = {
	.name = "check",
	.operands = "CHECK ...",
	.summary = "Find what no debugger may say: invariants, levels, availability",
	.details = details,
	.options = options,
	.run = cmd_check,
};
