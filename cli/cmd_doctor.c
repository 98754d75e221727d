/* cmd_doctor.c - xstep doctor: what on this machine will not work, and why. */
#include "base/shown.h"
#include "cli/commands.h"
#include "cli/report/json.h"
#include "oracle/session/doctor.h"

struct options {
	bool json; /* see the table */
};

static const struct cli_option options[] = {
	{"Output", "json", 0, CLI_FLAG, NULL, "print one JSON object for each, one a line",
		offsetof(struct options, json)},
	{0},
};

static const char details[] =
	"Tries what xstep needs: that the kernel lets it hold and step a process (ptrace),\n"
	"run it without address space randomisation (layout) and answer its questions for\n"
	"the time (steady); that gdb and lldb are there, and their Python works; debug\n"
	"information of the C library; and the programs that some commands run.\n"
	"\n"
	"  ok       it works\n"
	"  missing  some commands do without, or do not work: it says which\n"
	"  problem  xstep cannot do its work, or not with that debugger\n"
	"\n"
	"xstep witness has more of debuggers: all that are found, with their versions.\n"
	"\n"
	"Exit status:\n"
	"  0  there is no problem; something may be missing\n"
	"  1  there is one\n"
	"  2  trouble\n";

enum { WORD = 7 }; /* columns of a state */

static const char *word_of(const struct ora_symptom *symptom)
{
	if (!symptom->problem)
		return "ok";
	return symptom->optional ? "missing" : "problem";
}

static void print_json(const struct ora_symptom *symptom)
{
	fputs("{\"what\":", stdout);
	cli_json_string(stdout, symptom->what);
	cli_json_key(stdout, "state", word_of(symptom));
	cli_json_key(stdout, "words", symptom->words);
	fputs("}\n", stdout);
}

static void print_line(const struct ora_symptom *symptom)
{
	enum cli_ink ink = !symptom->problem   ? CLI_INK_RIGHT
			   : symptom->optional ? CLI_INK_OPEN
					       : CLI_INK_WRONG;
	cli_ink_word(stdout, ink, word_of(symptom), WORD);
	xs_print(stdout, "  %-15s  %s\n", symptom->what, symptom->words);
}

static int cmd_doctor(int argc, char **argv)
{
	struct options values = {0};
	int first = 0, status = CLI_NOTHING;
	bool help = false;
	struct xs_error *err = cli_parse(&cli_doctor, argc, argv, &values, &first, &help);
	if (!err && !help && first < argc)
		err = xs_error_create(
			"doctor: '%s': it takes no operands; see xstep doctor --help", argv[first]);
	if (err)
		return cli_fail(err);
	if (help) {
		cli_print_help(&cli_doctor, stdout);
		return CLI_NOTHING;
	}
	struct ora_symptoms symptoms = {0};
	ora_doctor(&symptoms);
	for (size_t i = 0; i < symptoms.vec.len; i++) {
		const struct ora_symptom *one = &symptoms.vec.data[i];
		if (values.json)
			print_json(one);
		else
			print_line(one);
		if (one->problem && !one->optional)
			status = CLI_FOUND;
	}
	ora_symptoms_deinit(&symptoms);
	return status;
}

const struct cli_command cli_doctor = {
	.name = "doctor",
	.operands = "",
	.summary = "Say what on this machine will not work, and why",
	.details = details,
	.options = options,
	.run = cmd_doctor,
};
