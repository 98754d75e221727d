/* cmd_witness.c - xstep witness: which debuggers and symbolisers there are, and whether they can
 * testify; with --all which compilers, and which versions could be installed. */
#include <stdlib.h>

#include "base/path.h"
#include "base/shown.h"
#include "cli/commands.h"
#include "cli/report/json.h"
#include "oracle/session/compile.h"
#include "oracle/session/witnesses.h"

struct options {
	bool all, json; /* see the table */
};

/* What Debian 12 has packages of, each called like its program. */
static const char *const packages[] = {"gcc-11", "gcc-12", "clang-13", "clang-14", "clang-15",
	"clang-16", "clang-19", "gdb", "lldb-13", "lldb-14", "lldb-15", "lldb-16", "lldb-19"};

static const struct cli_option options[] = {
	{"What to list", "all", 'a', CLI_FLAG, NULL,
		"list the compilers, too, and which versions of compilers and debuggers could be "
		"installed",
		offsetof(struct options, all)},
	{"Output", "json", 0, CLI_FLAG, NULL, "print one JSON object for each, one a line",
		offsetof(struct options, json)},
	{0},
};

static const char details[] =
	"Looks for gdb, lldb and lldb-NN on PATH, asks each for its version, and tries\n"
	"its Python, in which xstep's drivers run (xstep trace --witness). If something\n"
	"is missing, xstep says what to install. So does it for the symbolisers that\n"
	"xstep diff compares, addr2line, llvm-symbolizer and eu-addr2line.\n"
	"\n"
	"--all lists every gcc-N and clang-N on PATH as well, and what of Debian 12's\n"
	"versions is not there. Versions of lldb exclude one another as packages:\n"
	"./dev debuggers of xstep's sources fetches some without installing them, and\n"
	"--witness lldb@PATH asks one.\n"
	"\n"
	"Exit status:\n"
	"  0  all debuggers that were found can testify\n"
	"  1  some cannot, or there is no gdb or no lldb\n"
	"  2  trouble\n";

static void print_text(const struct ora_witness *witness)
{
	xs_print(stdout, "%-6s", ora_witness_name(witness->kind));
	if (witness->path)
		xs_print(stdout, "  %s", witness->path);
	if (witness->version)
		xs_print(stdout, "  %s", witness->version);
	if (witness->python)
		xs_print(stdout, "  Python %s", witness->python);
	if (witness->problem)
		xs_print(stdout, "  %s", witness->problem);
	putchar('\n');
}

static void print_json(const struct ora_witness *witness)
{
	fputs("{\"witness\":", stdout);
	cli_json_string(stdout, ora_witness_name(witness->kind));
	cli_json_key(stdout, "path", witness->path);
	cli_json_key(stdout, "version", witness->version);
	cli_json_key(stdout, "python", witness->python);
	cli_json_key(stdout, "problem", witness->problem);
	fputs("}\n", stdout);
}

/* --- all -------------------------------------------------------------------------------------- */

/* A compiler, if it is there. */
static bool print_compiler(const char *family, const char *name, bool json)
{
	struct ora_compiler compiler;
	XS_AUTO_FREE char *path = xs_path_find(name);
	if (!path)
		return false;
	struct xs_error *err = ora_compiler_init(&compiler, name);
	const char *problem = err ? err->message : NULL;
	if (json) {
		fputs("{\"compiler\":", stdout);
		cli_json_string(stdout, name);
		cli_json_key(stdout, "path", path);
		cli_json_key(stdout, "version", compiler.version);
		cli_json_key(stdout, "problem", problem);
		fputs("}\n", stdout);
	} else {
		xs_print(stdout, "%-6s  %s  %s\n", family, path,
			problem ? problem : compiler.version);
	}
	xs_error_destroy(err);
	ora_compiler_deinit(&compiler);
	return true;
}

/* Those with a number; without any, the one that has none. */
static void print_compilers(const char *family, bool json)
{
	bool any = false;
	for (unsigned version = 3; version <= 99; version++) {
		XS_AUTO_FREE char *name = xs_asprintf("%s-%u", family, version);
		any |= print_compiler(family, name, json);
	}
	if (!any)
		print_compiler(family, family, json);
}

static void print_missing(bool json)
{
	bool any = false;
	for (size_t i = 0; i < sizeof packages / sizeof *packages; i++) {
		XS_AUTO_FREE char *path = xs_path_find(packages[i]);
		if (path)
			continue;
		if (json) {
			fputs("{\"missing\":", stdout);
			cli_json_string(stdout, packages[i]);
			fputs("}\n", stdout);
		} else {
			xs_print(stdout, "%s%s", any ? " " : "not here: apt-get install ",
				packages[i]);
		}
		any = true;
	}
	if (any && !json)
		putchar('\n');
}

static int cmd_witness(int argc, char **argv)
{
	struct options values = {0};
	int first = 0, status = CLI_NOTHING;
	bool help = false;
	struct xs_error *err = cli_parse(&cli_witness, argc, argv, &values, &first, &help);
	if (!err && !help && first < argc)
		err = xs_error_create(
			"witness: '%s': it takes no operands; see xstep witness --help",
			argv[first]);
	if (err)
		return cli_fail(err);
	if (help) {
		cli_print_help(&cli_witness, stdout);
		return CLI_NOTHING;
	}
	struct ora_witnesses list = {0};
	ora_witnesses_find(&list);
	for (size_t i = 0; i < list.vec.len; i++) {
		if (values.json)
			print_json(&list.vec.data[i]);
		else
			print_text(&list.vec.data[i]);
		if (list.vec.data[i].problem && !ora_witness_is_symboliser(list.vec.data[i].kind))
			status = CLI_FOUND;
	}
	ora_witnesses_deinit(&list);
	if (values.all) {
		print_compilers("gcc", values.json);
		print_compilers("clang", values.json);
		print_missing(values.json);
	}
	return status;
}

const struct cli_command cli_witness = {
	.name = "witness",
	.operands = "",
	.summary = "List the debuggers that can testify, and what to install",
	.details = details,
	.options = options,
	.run = cmd_witness,
};
