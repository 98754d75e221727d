/* main.c - picks the subcommand. */
#include <fcntl.h>
#include <stdbool.h>
#include <jansson.h>
#include <libunwind.h>
#include <sqlite3.h>

#include "base/log.h"
#include "base/scratch.h"
#include "base/shown.h"
#include "cli/commands.h"
#include "dwarf/module.h"
#include "engine/insn.h"
#include "engine/interrupt.h"
#include "oracle/store/store.h"

enum { OVERDUE_SECONDS = 3 };

static const struct cli_command *const commands[] = {&cli_diff, &cli_check, &cli_ccmd,
	&cli_campaign, &cli_reduce, &cli_culprit, &cli_trace, &cli_explain, &cli_show, &cli_serve,
	&cli_store, &cli_witness, &cli_doctor, &cli_mutate, &cli_help, NULL};

struct options {
	bool version;
};

static const struct cli_option options[] = {
	{"Options", "version", 'V', CLI_FLAG, NULL,
		"print the version of xstep and of the libraries that it uses",
		offsetof(struct options, version)},
	{0},
};

static const char details[] =
	"Does a debugger tell the truth about a program? xstep runs the program, stops\n"
	"it between instructions, and works out from the DWARF what a debugger ought to\n"
	"say there. It asks gdb and lldb about the same stops, and judges the answers.\n"
	"xstep COMMAND --help tells more about a command.\n"
	"\n"
	"Exit status:\n"
	"  0  done, nothing found\n"
	"  1  done, something found\n"
	"  2  trouble\n"
	"\n"
	"Terminal:\n"
	"On a terminal reports have colours, are wrapped to its width, and are shown by\n"
	"a pager if they are longer than it is high. In a file or a pipe they have none\n"
	"of that, and are the same everywhere. --color and --no-pager may stand before\n"
	"or after the name of a command.\n"
	"\n"
	"Environment:\n"
	"  XSTEP_PAGER      the pager, a line for the shell; empty or cat: none. Else\n"
	"                   PAGER, else less. LESS is FRX unless it is set\n"
	"  NO_COLOR         if not empty, no colours\n"
	"  CLICOLOR_FORCE   if not empty or 0, colours even if nobody looks\n"
	"  COLUMNS          how wide the terminal is, if it is not as wide as it says\n"
	"  XSTEP_LOG        what xstep reports about itself on standard error:\n"
	"                   MODULE:LEVEL[,...], such as engine:debug,all:warn\n"
	"  DEBUGINFOD_URLS  servers to ask for debug information\n"
	"\n"
	"Files:\n"
	"  ~/.cache/xstep   versions of the debuggers that were found\n";

static void print_version(void)
{
	xs_print(stdout,
		"xstep %s\n"
		"elfutils %s, libunwind %d.%d.%d, Zydis %s, SQLite %s, Jansson %s\n",
		XSTEP_VERSION, di_module_library(), UNW_VERSION_MAJOR, UNW_VERSION_MINOR,
		UNW_VERSION_EXTRA, eng_insn_library(), sqlite3_libversion(), jansson_version_str());
}

static int run(int argc, char **argv)
{
	const struct cli_command *command;
	struct options values = {0};
	int first = 1;
	bool help = false;
	struct xs_error *err = cli_parse_before(&cli_xstep, argc, argv, &values, &first, &help);
	if (!err && help) {
		/* `xstep --help trace` is `xstep help trace`. */
		for (first = 1; strcmp(argv[first], "--help") && strcmp(argv[first], "-h");)
			first++;
		return cli_help.run(argc - first, argv + first);
	}
	if (!err && values.version) {
		print_version();
		return CLI_NOTHING;
	}
	if (!err && first >= argc) {
		cli_print_help(&cli_xstep, stderr);
		return CLI_TROUBLE;
	}
	if (err || (err = cli_command_find(&cli_xstep, argv[first], &command)))
		return cli_fail(err);
	xs_scratch_sweep(xs_scratch_place()); /* what one that was killed has left */
	return command->run(argc - first, argv + first);
}

const struct cli_command cli_xstep = {
	.name = "",
	.operands = "COMMAND [OPTION...] ... | --help [COMMAND] | --version",
	.summary = "Find out whether gdb and lldb tell the truth about a program",
	.details = details,
	.options = options,
	.run = run,
	.commands = commands,
};

/* Whether the user has waited long enough: what was found until then is still printed. */
static bool is_overdue(void)
{
	return eng_interrupt_is_wish() && eng_interrupt_age() > OVERDUE_SECONDS;
}

int main(int argc, char **argv)
{
	const char *bad;
	/* A descriptor that was closed would become the program's file, and then be written to. */
	for (int fd = open("/dev/null", O_RDWR); fd >= 0; fd = open("/dev/null", O_RDWR))
		if (fd > STDERR_FILENO) {
			close(fd);
			break;
		}
	if (!xs_log_setup(getenv("XSTEP_LOG"), &bad))
		return cli_fail(xs_error_create(
			"XSTEP_LOG: '%s' is not MODULE:LEVEL (all, base, engine, dwarf, oracle or "
			"cli; error, warn, info or debug)",
			bad));
	ora_store_listen(is_overdue);
	return run(argc, argv);
}
