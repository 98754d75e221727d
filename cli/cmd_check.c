/* cmd_check.c - xstep check: picks the check. */
#include "cli/commands.h"

static const struct cli_command *const checks[] = {&cli_check_opt, &cli_check_levels,
	&cli_check_avail, &cli_check_frames, &cli_check_probes, &cli_check_twins,
	&cli_check_metrics, NULL};

static const struct cli_option options[] = {
	{0},
};

static const char details[] =
	"xstep check COMMAND --help tells more. A check looks at traces of any witness\n"
	"and finds what no debugger may say, whatever the program: mistakes of\n"
	"compilers, and mistakes that all debuggers share.\n"
	"\n"
	"Witnesses:\n"
	"--witness names one or several: xstep, gdb, lldb, gdb@PATH, lldb@PATH. `all` is\n"
	"xstep, and the gdb and the lldb that are found; that one is missing is said. A\n"
	"witness that fails, or does not tell it all, is lost: what is found is found\n"
	"without it. The summary names it and says why, and the exit status is 2.\n"
	"\n"
	"Arguments:\n"
	"What follows the programs are their arguments; of check metrics, what follows --.\n"
	"Two programs that are compared get the same arguments, input (--stdin) and\n"
	"environment (--env).\n"
	"\n"
	"By hand:\n"
	"Each cluster ends with commands for a shell that lead to its first violation: in\n"
	"gdb or lldb, in the other program at the same line if two are compared, and in\n"
	"xstep explain.\n"
	"\n"
	"Exit status:\n"
	"  0  no violation\n"
	"  1  at least one violation\n"
	"  2  trouble: a witness is lost, or nothing could be asked\n";

static int cmd_check(int argc, char **argv)
{
	return cli_run_below(&cli_check, "check: which one? see xstep check --help", argc, argv);
}

const struct cli_command cli_check = {
	.name = "check",
	.operands = "COMMAND ...",
	.summary = "Find what no debugger may say, whatever the program",
	.details = details,
	.options = options,
	.run = cmd_check,
	.commands = checks,
};
