/* cmd_mutate.c - xstep mutate: the same program written otherwise, source to source. */
#include "cli/commands.h"
#include "cli/report/mutant_print.h"
#include "oracle/session/mutants.h"

struct options {
	struct ora_mutants mutants;
	const char *only;
	struct xs_strings flags;
	bool json, probes;
};

static const struct cli_option options[] = {
	{"What to change", "only", 0, CLI_STRING, "LIST",
		"use these mutators: rcl, fco, asm, ocp, probes, separated by commas "
		"(default: rcl,fco,ocp)",
		offsetof(struct options, only)},
	{"What to change", "rcl", 0, CLI_CHANCE, "P",
		"the chance that rcl changes a place, 0 to 1 (default: 0.9)",
		offsetof(struct options, mutants.how.chance[SRC_MUTATE_RCL])},
	{"What to change", "fco", 0, CLI_CHANCE, "P",
		"the chance that fco changes a place (default: 0.5)",
		offsetof(struct options, mutants.how.chance[SRC_MUTATE_FCO])},
	{"What to change", "asm", 0, CLI_CHANCE, "P",
		"the chance that asm changes a place (default: 0; 0.5 with --only asm)",
		offsetof(struct options, mutants.how.chance[SRC_MUTATE_ASM])},
	{"What to change", "ocp", 0, CLI_CHANCE, "P",
		"the chance that ocp changes a place (default: 0.05)",
		offsetof(struct options, mutants.how.chance[SRC_MUTATE_OCP])},
	{"What to change", "probes", 0, CLI_FLAG, NULL,
		"plant probes for xstep check probes, and nothing else unless --only says "
		"what",
		offsetof(struct options, probes)},
	{"What to change", "density", 0, CLI_CHANCE, "P",
		"the chance that a statement gets a probe (default: 0; 0.2 with --probes)",
		offsetof(struct options, mutants.how.chance[SRC_MUTATE_PROBES])},
	{"What to change", "packed", 0, CLI_FLAG, NULL,
		"let fco pack types, too: layouts change, and so may the program's "
		"behaviour",
		offsetof(struct options, mutants.how.packed)},
	{"What to change", "flag", 0, CLI_STRINGS, "FLAG",
		"an option for the parser, as for a compiler: -Iinclude, -DNAME; may be "
		"repeated",
		offsetof(struct options, flags)},
	{"Mutants", "seed", 0, CLI_NUMBER, "N",
		"the seed of the first mutant; the next one has N+1 (default: 1)",
		offsetof(struct options, mutants.how.seed)},
	{"Mutants", "count", 'n', CLI_COUNT, "COUNT",
		"make COUNT mutants of each source (default: 1)",
		offsetof(struct options, mutants.count)},
	{"Mutants", "output", 'o', CLI_STRING, "DIR",
		"write to DIR/NAME.SEED.c for NAME.c; DIR is made if it does not exist",
		offsetof(struct options, mutants.folder)},
	{"Mutants", "force", 0, CLI_FLAG, NULL, "overwrite existing files",
		offsetof(struct options, mutants.force)},
	{"Mutants", "json", 0, CLI_FLAG, NULL,
		"report what was done as JSON, one line for each mutant",
		offsetof(struct options, json)},
	{0},
};

static const char details[] =
	"Mutators of the Dfusor paper:\n"
	"  rcl  randomised code lowering: temporaries for subexpressions; loops and\n"
	"       conditions as if and goto; && || ?: and , as statements; declarations\n"
	"       split\n"
	"  fco  fine control of optimisation: attributes of types, functions, variables\n"
	"       and labels (aligned, section, always_inline, noinline, artificial, cold,\n"
	"       hot, flatten, optimize)\n"
	"  asm  empty inline assembly with variables in scope as operands\n"
	"  ocp  obfuscation of code positions: #line with other files and lines, line\n"
	"       breaks, blanks\n"
	"and one more:\n"
	"  probes  SystemTap probes (<sys/sdt.h>, package systemtap-sdt-dev) with variables\n"
	"       in scope as operands: what was assigned on every way there, and what the\n"
	"       source reads later anyway. The section .xstep.probes says which variable\n"
	"       each operand is\n"
	"\n"
	"Promises:\n"
	"A mutant compiles with gcc and clang if its source does. It behaves like its\n"
	"source, unless that depends on what C leaves open. Only the text of the file\n"
	"itself is changed, and nothing inside the use of a macro. The rest stays as it\n"
	"is written. The same source, options and seed make the same mutant everywhere.\n"
	"A mutator that by its chance changes nothing tries again with twice the chance.\n"
	"For #include \"...\" beside the source, compile with -I and its folder.\n"
	"\n"
	"Output:\n"
	"One line for each mutant: how often each mutator changed something. With --json:\n"
	"\t{\"source\", \"seed\", \"file\", \"applied\": {\"rcl\", ...},\n"
	"\t\"dropped\": [\"rcl\", ...]}\n"
	"A mutator whose text did not parse is dropped, and its changes are undone. That\n"
	"is a bug in xstep.\n"
	"\n"
	"Exit status:\n"
	"  0  done\n"
	"  2  trouble\n";

/* Leaves only the mutators of --only. */
static struct xs_error *choose(struct options *values)
{
	bool wanted[SRC_MUTATORS] = {0};
	if (!values->only && !values->probes)
		return NULL;
	wanted[SRC_MUTATE_PROBES] = values->probes;
	for (const char *word = values->only; word;) {
		const char *comma = strchr(word, ',');
		size_t length = comma ? (size_t)(comma - word) : strlen(word), i = 0;
		while (i < SRC_MUTATORS && (strlen(src_mutator_names[i]) != length ||
						   strncmp(src_mutator_names[i], word, length)))
			i++;
		if (i == SRC_MUTATORS)
			return xs_error_create(
				"--only: '%.*s' is none of rcl, fco, asm, ocp, probes", (int)length,
				word);
		wanted[i] = true;
		word = comma ? comma + 1 : NULL;
	}
	for (size_t i = 0; i < SRC_MUTATORS; i++)
		if (!wanted[i])
			values->mutants.how.chance[i] = 0;
	if (wanted[SRC_MUTATE_ASM] && values->mutants.how.chance[SRC_MUTATE_ASM] <= 0)
		values->mutants.how.chance[SRC_MUTATE_ASM] = 0.5;
	if (wanted[SRC_MUTATE_PROBES] && values->mutants.how.chance[SRC_MUTATE_PROBES] <= 0)
		values->mutants.how.chance[SRC_MUTATE_PROBES] = 0.2;
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
		err = xs_error_create("mutate: no folder for the mutants; name one with -o DIR");
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
	.summary = "Make mutants of C sources that behave alike but are harder to compile",
	.details = details,
	.options = options,
	.run = cmd_mutate,
};
