/* main.c - picks the subcommand. */
#include <fcntl.h>
#include <stdbool.h>
#include <jansson.h>
#include <libunwind.h>
#include <sqlite3.h>

#include "base/log.h"
#include "base/nearest.h"
#include "cli/commands.h"
#include "dwarf/module.h"
#include "engine/insn.h"

static const struct cli_command *const commands[] = {&cli_diff, &cli_check, &cli_ccmd, &cli_trace,
	&cli_explain, &cli_show, &cli_serve, &cli_store, &cli_witness, &cli_mutate};

static void print_version(void)
{
	printf("xstep %s\n"
	       "elfutils %s, libunwind %d.%d.%d, Zydis %s, SQLite %s, Jansson %s\n",
		XSTEP_VERSION, di_module_library(), UNW_VERSION_MAJOR, UNW_VERSION_MINOR,
		UNW_VERSION_EXTRA, eng_insn_library(), sqlite3_libversion(), jansson_version_str());
}

static void print_help(FILE *out)
{
	fprintf(out,
		"Usage: xstep COMMAND [OPTION...] ...\n"
		"       xstep --help | --version\n"
		"\n"
		"Does a debugger tell the truth about a program? xstep runs it, stops it between\n"
		"instructions, and works out from the DWARF what a debugger ought to say there.\n"
		"\n"
		"Commands (xstep COMMAND --help tells more):\n");
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
	fprintf(out, "\n"
		     "Exit status: 0 nothing found, 1 something found, 2 trouble.\n"
		     "XSTEP_LOG=engine:debug,all:warn sets what xstep says of itself on stderr.\n");
}

static const struct cli_command *find_command(const char *name)
{
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

static int unknown_command(const char *name)
{
	struct xs_nearest nearest = xs_nearest_to(name);
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		xs_nearest_try(&nearest, commands[i]->name);
	if (nearest.best)
		return cli_fail(xs_error_create(
			"unknown command '%s'; did you mean '%s'?", name, nearest.best));
	return cli_fail(xs_error_create("unknown command '%s'; see xstep --help", name));
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
	const char *word = argc > 1 ? argv[1] : NULL;
	if (!word) {
		print_help(stderr);
		return CLI_TROUBLE;
	}
	if (!strcmp(word, "--version") || !strcmp(word, "-V")) {
		print_version();
		return CLI_NOTHING;
	}
	bool help = !strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help");
	if (help && argc > 2) {
		const struct cli_command *topic = find_command(argv[2]);
		if (!topic)
			return unknown_command(argv[2]);
		cli_print_help(topic, stdout);
		return CLI_NOTHING;
	}
	if (help) {
		print_help(stdout);
		return CLI_NOTHING;
	}
	const struct cli_command *command = find_command(word);
	return command ? command->run(argc - 1, argv + 1) : unknown_command(word);
}
