/* cmd_witness.c - xstep witness: which debuggers there are, and whether they can testify. */
#include "base/shown.h"
#include "cli/commands.h"
#include "cli/report/json.h"
#include "oracle/session/witnesses.h"

struct options {
	bool json; /* see the table */
};

static const struct cli_option options[] = {
	{"Output", "json", 0, CLI_FLAG, NULL, "print one JSON object for each, one a line",
		offsetof(struct options, json)},
	{0},
};

static const char details[] =
	"Looks for gdb, lldb and lldb-NN on PATH, asks each for its version, and tries\n"
	"its Python, in which xstep's drivers run (xstep trace --witness). If something\n"
	"is missing, xstep says what to install.\n"
	"\n"
	"Exit status:\n"
	"  0  all that were found can testify\n"
	"  1  some cannot, or are not there\n"
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
		if (list.vec.data[i].problem)
			status = CLI_FOUND;
	}
	ora_witnesses_deinit(&list);
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
