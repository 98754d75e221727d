/* cmd_explain.c - xstep explain: runs a program to a place and shows how values come out of the
 * DWARF there. */
#include <ctype.h>

#include "cli/commands.h"
#include "cli/program_options.h"
#include "cli/report/explain_text.h"

enum format { FORMAT_TEXT, FORMAT_JSON };

struct options {
	struct ora_program program;
	const char *at, *core; /* see the table */
	struct xs_strings vars;
	uint64_t hit, frame, max_leaves;
	int format;
};

#define FIELD(name) offsetof(struct options, name)

static const struct cli_option options[] = {
	{"Where", "at", 0, CLI_STRING, "PLACE",
		"where to stop: FILE:LINE, LINE (in main's file), FUNCTION or 0xPC (default: main)",
		FIELD(at)},
	{"Where", "hit", 0, CLI_COUNT, "N", "stop at the N-th arrival there (default: 1)",
		FIELD(hit)},
	{"Where", "frame", 0, CLI_NUMBER, "K", "look from frame K; 0 is the innermost (default: 0)",
		FIELD(frame)},
	{"Where", "core", 0, CLI_STRING, "CORE",
		"look at a core file of the program; nothing is run", FIELD(core)},

	{"What", "var", 0, CLI_STRINGS, "VAR",
		"what to explain: a, s.f[2], *p, p->q, &x; may be repeated (default: list "
		"everything visible)",
		FIELD(vars)},
	{"What", "max-leaves", 0, CLI_COUNT, "N",
		"print at most N leaves of a variable (default: 4096)", FIELD(max_leaves)},

	CLI_PROGRAM_OPTIONS(struct options, program),

	{"Output", "format", 0, CLI_CHOICE, "text|json",
		"text to read, or one JSON object (default: text)", FIELD(format)},
	{0},
};

static const char details[] =
	"A line is arrived at where a run of its rows with is_stmt begins; inlined copies\n"
	"count, too. A function, and its opening line, means the place after the prologue.\n"
	"The program runs there at full speed. With --var the whole working is shown: the\n"
	"entry, the candidates of its location list and why one was chosen, the frame,\n"
	"each operator with the stack after it, the place, and the bytes.\n"
	"\n"
	"Exit status:\n"
	"  0  shown\n"
	"  1  a variable that was named is absent\n"
	"  2  the place was never reached, its code has no debug information, or trouble\n";

/* --- the command ------------------------------------------------------------------------------ */

/* Whether a text may be the name of a function, as C and C++ have them. */
static bool is_function(const char *text)
{
	const char *colon = strchr(text, ':');
	return (isalpha((unsigned char)*text) || *text == '_') && (!colon || colon[1] == ':');
}

/* Reads --at: FILE:LINE, LINE, FUNCTION or 0xPC. *file is the caller's to free. */
static struct xs_error *parse_place(const char *text, char **file, struct ora_visit *visit)
{
	const char *colon = strrchr(text, ':'), *number = colon ? colon + 1 : text;
	char *end;
	if (is_function(text)) {
		visit->function = text;
		return NULL;
	}
	bool pc = !colon && !strncmp(text, "0x", 2);
	unsigned long long value = strtoull(number, &end, pc ? 16 : 10);
	if (!isdigit((unsigned char)*number) || *end || (!pc && (!value || value > UINT32_MAX)))
		return xs_error_create("--at: '%s' is not FILE:LINE, LINE, FUNCTION or 0xPC", text);
	if (pc)
		visit->address = value;
	else
		visit->line = (uint32_t)value;
	visit->by_address = pc;
	if (colon)
		*file = xs_asprintf("%.*s", (int)(colon - text), text);
	visit->file = *file;
	return NULL;
}

static struct xs_error *run(struct options *values, char **argv, bool *absent)
{
	XS_AUTO_FREE char *file = NULL;
	struct cli_explain explain = {.out = stdout,
		.vars = values->vars.vec.data,
		.var_count = values->vars.vec.len,
		.frame = values->frame,
		.max_leaves = values->max_leaves,
		.json = values->format == FORMAT_JSON};
	struct ora_visit visit = {.hit = values->hit ? values->hit : 1, .core = values->core};
	struct xs_error *err = NULL;
	if (values->at)
		err = parse_place(values->at, &file, &visit);
	if (!err && values->core && values->at)
		err = xs_error_create(
			"--at does not go with --core: a core file has one place only");
	if (!err)
		err = ora_program_prepare(&values->program, argv, &visit.run);
	if (!err)
		err = ora_visit(&visit);
	if (!err)
		err = cli_explain_print(&explain, &visit);
	*absent = explain.absent;
	ora_visit_deinit(&visit);
	ora_program_deinit(&values->program);
	return err;
}

static int cmd_explain(int argc, char **argv)
{
	struct options values = {0};
	int first = 0;
	bool help = false, absent = false;
	struct xs_error *err = cli_parse(&cli_explain, argc, argv, &values, &first, &help);
	if (!err && help)
		cli_print_help(&cli_explain, stdout);
	else if (!err && first >= argc)
		err = xs_error_create("explain: no program given; see xstep explain --help");
	else if (!err)
		err = run(&values, argv + first, &absent);
	xs_vec_deinit(&values.vars.vec);
	if (err)
		return cli_fail(err);
	return absent ? CLI_FOUND : CLI_NOTHING;
}

const struct cli_command cli_explain = {
	.name = "explain",
	.operands = "PROGRAM [ARG...]",
	.summary = "Run a program to a place and show how the DWARF yields its values",
	.details = details,
	.options = options,
	.run = cmd_explain,
	.paged = true,
};
