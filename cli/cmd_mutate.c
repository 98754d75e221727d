/* cmd_mutate.c - xstep mutate: the same program written otherwise, source to source. */
#include "cli/commands.h"
#include "cli/report/mutant_print.h"
#include "oracle/session/mutants.h"

struct options {
	struct ora_mutants mutants;
	const char *only;
	struct xs_strings flags;
	bool json;
};

static const struct cli_option options[] = {
	{"What to change", "only", 0, CLI_STRING, "LIST",
		"these mutators, by comma: rcl, fco, asm, ocp (rcl,fco,ocp)",
		offsetof(struct options, only)},
	{"What to change", "rcl", 0, CLI_CHANCE, "P", "chance of a place for rcl, 0 to 1 (0.9)",
		offsetof(struct options, mutants.how.chance[SRC_MUTATE_RCL])},
	{"What to change", "fco", 0, CLI_CHANCE, "P", "for fco (0.5)",
		offsetof(struct options, mutants.how.chance[SRC_MUTATE_FCO])},
	{"What to change", "asm", 0, CLI_CHANCE, "P", "for asm (0; 0.5 with --only asm)",
		offsetof(struct options, mutants.how.chance[SRC_MUTATE_ASM])},
	{"What to change", "ocp", 0, CLI_CHANCE, "P", "for ocp (0.05)",
		offsetof(struct options, mutants.how.chance[SRC_MUTATE_OCP])},
	{"What to change", "packed", 0, CLI_FLAG, NULL,
		"fco packs types too: layouts change, and with them what the program may do",
		offsetof(struct options, mutants.how.packed)},
	{"What to change", "flag", 0, CLI_STRINGS, "FLAG",
		"for the parser, as for the compiler: -Iinclude, -DNAME; may be repeated",
		offsetof(struct options, flags)},
	{"Mutants", "seed", 0, CLI_NUMBER, "N", "of the first mutant; the next has N+1 (1)",
		offsetof(struct options, mutants.how.seed)},
	{"Mutants", "count", 'n', CLI_COUNT, "COUNT", "how many of each source (1)",
		offsetof(struct options, mutants.count)},
	{"Mutants", "output", 'o', CLI_STRING, "DIR",
		"where to: DIR/NAME.SEED.c for NAME.c; made if it is not there",
		offsetof(struct options, mutants.folder)},
	{"Mutants", "force", 0, CLI_FLAG, NULL, "overwrite files that are there",
		offsetof(struct options, mutants.force)},
	{"Mutants", "json", 0, CLI_FLAG, NULL, "say what was done as JSON, a line for each mutant",
		offsetof(struct options, json)},
	{0},
};

/* clang-format off */
static const char details[] =
	"Mutators, as the Dfusor paper has them:\n"
	"  rcl  randomised code lowering: temporaries for subexpressions, loops and conditions as if and\n"
	"       goto, && || ?: and , as statements, declarations split\n"
	"  fco  fine control of optimisation: attributes of types, functions, variables and labels\n"
	"       (aligned, section, always_inline, noinline, artificial, cold, hot, flatten, optimize)\n"
	"  asm  empty inline assembly with variables in scope as operands\n"
	"  ocp  obfuscation of code positions: #line with other files and lines, line breaks, blanks\n"
	"\n"
	"A mutant compiles with gcc and clang if its source does, and behaves like it, unless that depends\n"
	"on what C leaves open. Only the text of the file itself is changed, nowhere in the use of a\n"
	"macro, and what is not touched stays as it is written. The same source, options and seed make the\n"
	"same mutant everywhere. A mutator that by its chance changes nothing tries again with twice the\n"
	"chance. For #include \"...\" beside the source, compile with -I and its folder.\n"
	"\n"
	"Prints a line for each mutant: how often each mutator changed something.\n"
	"JSON: {\"source\",\"seed\",\"file\",\"applied\":{\"rcl\",...},\"dropped\":[\"rcl\",...]}; what is dropped did not\n"
	"parse and was undone, which is a bug of xstep's.\n"
	"\n"
	"Exit status: 0 done, 2 trouble.\n";
/* clang-format on */

/* Leaves only the mutators of --only. */
static struct xs_error *choose(struct options *values)
{
	bool wanted[SRC_MUTATORS] = {0};
	if (!values->only)
		return NULL;
	for (const char *word = values->only; word;) {
		const char *comma = strchr(word, ',');
		size_t length = comma ? (size_t)(comma - word) : strlen(word), i = 0;
		while (i < SRC_MUTATORS && (strlen(src_mutator_names[i]) != length ||
						   strncmp(src_mutator_names[i], word, length)))
			i++;
		if (i == SRC_MUTATORS)
			return xs_error_create(
				"--only: '%.*s' is none of rcl, fco, asm, ocp", (int)length, word);
		wanted[i] = true;
		word = comma ? comma + 1 : NULL;
	}
	for (size_t i = 0; i < SRC_MUTATORS; i++)
		if (!wanted[i])
			values->mutants.how.chance[i] = 0;
	if (wanted[SRC_MUTATE_ASM] && values->mutants.how.chance[SRC_MUTATE_ASM] <= 0)
		values->mutants.how.chance[SRC_MUTATE_ASM] = 0.5;
	return NULL;
}

static void on_mutant(void *context, const char *source, const struct src_mutate *how,
	const char *path, const struct src_mutant *mutant)
{
	const struct options *values = context;
	cli_mutant_print(stdout, values->json, source, how, path, mutant);
}

static int cmd_mutate(int argc, char **argv)
{
	struct options values = {
		.mutants = {.how = SRC_MUTATE_INIT, .count = 1, .on_mutant = on_mutant}};
	struct ora_mutants *mutants = &values.mutants;
	struct xs_strings sources = {0};
	bool help = false;
	mutants->how.seed = 1;
	struct xs_error *err = cli_parse_all(&cli_mutate, argc, argv, &values, &sources, &help);
	if (!err && help)
		cli_print_help(&cli_mutate, stdout);
	else if (!err && !sources.vec.len)
		err = xs_error_create("mutate: no source; see xstep mutate --help");
	else if (!err && !mutants->folder)
		err = xs_error_create("mutate: where to? -o DIR");
	else if (!err && !(err = choose(&values))) {
		mutants->how.flags = values.flags.vec.data;
		mutants->how.flag_count = values.flags.vec.len;
		mutants->context = &values;
		err = ora_mutants_make(mutants, sources.vec.data, sources.vec.len);
		if (!err && (fflush(stdout) || ferror(stdout)))
			err = xs_error_sys("standard output");
	}
	xs_vec_deinit(&sources.vec);
	xs_vec_deinit(&values.flags.vec);
	return err ? cli_fail(err) : CLI_NOTHING;
}

const struct cli_command cli_mutate = {
	.name = "mutate",
	.operands = "SOURCE... -o DIR",
	.summary = "Mutants of a C source that behave like it and are harder on the compiler",
	.details = details,
	.options = options,
	.run = cmd_mutate,
};
