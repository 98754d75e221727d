/* cmd_mutate.c - xstep mutate: the same program written otherwise, source to source. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>

#include "base/path.h"
#include "cli/commands.h"
#include "cli/report/json.h"
#include "source/mutate.h"

struct options {
	struct src_mutate how;
	const char *only, *folder;
	struct cli_strings flags;
	uint64_t count;
	bool force, json;
};

static const struct cli_option options[] = {
	{"What to change", "only", 0, CLI_STRING, "LIST",
		"use these mutators: rcl, fco, asm, ocp, separated by commas (default: "
		"rcl,fco,ocp)",
		offsetof(struct options, only)},
	{"What to change", "rcl", 0, CLI_CHANCE, "P",
		"the chance that rcl changes a place, 0 to 1 (default: 0.9)",
		offsetof(struct options, how.chance[SRC_MUTATE_RCL])},
	{"What to change", "fco", 0, CLI_CHANCE, "P",
		"the chance that fco changes a place (default: 0.5)",
		offsetof(struct options, how.chance[SRC_MUTATE_FCO])},
	{"What to change", "asm", 0, CLI_CHANCE, "P",
		"the chance that asm changes a place (default: 0; 0.5 with --only asm)",
		offsetof(struct options, how.chance[SRC_MUTATE_ASM])},
	{"What to change", "ocp", 0, CLI_CHANCE, "P",
		"the chance that ocp changes a place (default: 0.05)",
		offsetof(struct options, how.chance[SRC_MUTATE_OCP])},
	{"What to change", "packed", 0, CLI_FLAG, NULL,
		"let fco pack types, too: layouts change, and so may the program's "
		"behaviour",
		offsetof(struct options, how.packed)},
	{"What to change", "flag", 0, CLI_STRINGS, "FLAG",
		"an option for the parser, as for a compiler: -Iinclude, -DNAME; may be "
		"repeated",
		offsetof(struct options, flags)},
	{"Mutants", "seed", 0, CLI_NUMBER, "N",
		"the seed of the first mutant; the next one has N+1 (default: 1)",
		offsetof(struct options, how.seed)},
	{"Mutants", "count", 'n', CLI_COUNT, "COUNT",
		"make COUNT mutants of each source (default: 1)", offsetof(struct options, count)},
	{"Mutants", "output", 'o', CLI_STRING, "DIR",
		"write to DIR/NAME.SEED.c for NAME.c; DIR is made if it does not exist",
		offsetof(struct options, folder)},
	{"Mutants", "force", 0, CLI_FLAG, NULL, "overwrite existing files",
		offsetof(struct options, force)},
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
			values->how.chance[i] = 0;
	if (wanted[SRC_MUTATE_ASM] && values->how.chance[SRC_MUTATE_ASM] <= 0)
		values->how.chance[SRC_MUTATE_ASM] = 0.5;
	return NULL;
}

/* NAME of .../NAME.c, to be freed. */
static char *name_of(const char *source)
{
	char *name = xs_strdup(xs_base_name(source));
	char *dot = strrchr(name, '.');
	if (dot && dot != name && (!strcmp(dot, ".c") || !strcmp(dot, ".i")))
		*dot = 0;
	return name;
}

/* Whether there is such a source. */
static struct xs_error *check_source(const char *source)
{
	static const char *const others[] = {
		".cc", ".cpp", ".cxx", ".C", ".c++", ".ii", ".m", NULL};
	const char *dot = strrchr(source, '.');
	if (access(source, R_OK))
		return xs_error_sys("%s", source);
	for (size_t i = 0; dot && others[i]; i++)
		if (!strcmp(dot, others[i]))
			return xs_error_create("%s: not a C source, and only C is mutated", source);
	return NULL;
}

/* Whole or not at all. */
static struct xs_error *write_file(const char *path, const struct src_mutant *mutant)
{
	XS_AUTO_FREE char *part = xs_asprintf("%s.part", path);
	XS_AUTO_FILE FILE *file = fopen(part, "we");
	if (!file)
		return xs_error_sys("%s", part);
	bool ok = fwrite(mutant->text, 1, mutant->size, file) == mutant->size && !fflush(file) &&
		  !rename(part, path);
	struct xs_error *err = ok ? NULL : xs_error_sys("%s", path);
	if (err)
		unlink(part);
	return err;
}

static void print_mutant(const struct options *values, const char *source, const char *path,
	const struct src_mutant *mutant)
{
	bool any = false;
	if (values->json) {
		printf("{\"source\":");
		cli_json_string(stdout, source);
		printf(",\"seed\":%" PRIu64, values->how.seed);
		cli_json_key(stdout, "file", path);
		printf(",\"applied\":{");
	} else
		printf("%s:", path);
	for (size_t i = 0; i < SRC_MUTATORS; i++) {
		if (values->how.chance[i] <= 0)
			continue;
		printf(values->json ? "%s\"%s\":%" PRIu64 : "%s %s %" PRIu64, any ? "," : "",
			src_mutator_names[i], mutant->applied[i]);
		any = true;
	}
	if (!any && !values->json)
		printf(" nothing to do");
	any = false;
	if (values->json)
		printf("},\"dropped\":[");
	for (size_t i = 0; i < SRC_MUTATORS; i++) {
		if (!mutant->dropped[i])
			continue;
		printf(values->json ? "%s\"%s\"" : "%s %s dropped", any && values->json ? "," : "",
			src_mutator_names[i]);
		any = true;
	}
	printf(values->json ? "]}\n" : "\n");
}

/* The mutants of a source; if dry, only whether they could be written. */
static struct xs_error *mutate(struct options *values, const char *source, bool dry)
{
	XS_AUTO_FREE char *name = name_of(source);
	uint64_t first = values->how.seed;
	struct xs_error *err = NULL;
	for (uint64_t i = 0; !err && i < values->count; i++) {
		struct src_mutant mutant = {0};
		values->how.seed = first + i;
		XS_AUTO_FREE char *path =
			xs_asprintf("%s/%s.%" PRIu64 ".c", values->folder, name, values->how.seed);
		if (!values->force && !access(path, F_OK))
			err = xs_error_create("%s: exists already; --force overwrites it", path);
		if (!err && !dry)
			err = src_mutate(source, &values->how, &mutant);
		if (!err && !dry)
			err = write_file(path, &mutant);
		if (!err && !dry)
			print_mutant(values, source, path, &mutant);
		src_mutant_deinit(&mutant);
	}
	values->how.seed = first;
	return err;
}

/* *made: it was not there before. */
static struct xs_error *make_folder(const char *path, bool *made)
{
	struct stat info;
	*made = !mkdir(path, 0777);
	if (!*made && errno != EEXIST)
		return xs_error_sys("%s", path);
	if (stat(path, &info))
		return xs_error_sys("%s", path);
	return S_ISDIR(info.st_mode) ? NULL : xs_error_create("%s: not a folder", path);
}

static int cmd_mutate(int argc, char **argv)
{
	struct options values = {.how = SRC_MUTATE_INIT, .count = 1};
	struct cli_strings sources = {0};
	bool help = false, made = false;
	values.how.seed = 1;
	struct xs_error *err = cli_parse_all(&cli_mutate, argc, argv, &values, &sources, &help);
	if (!err && help)
		cli_print_help(&cli_mutate, stdout);
	else if (!err && !sources.vec.len)
		err = xs_error_create("mutate: no source; see xstep mutate --help");
	else if (!err && !values.folder)
		err = xs_error_create("mutate: no folder for the mutants; name one with -o DIR");
	else if (!err && !(err = choose(&values))) {
		values.how.flags = values.flags.vec.data;
		values.how.flag_count = values.flags.vec.len;
		for (size_t i = 0; !err && i < sources.vec.len; i++)
			err = check_source(sources.vec.data[i]);
		if (!err)
			err = make_folder(values.folder, &made);
		for (size_t i = 0; !err && i < sources.vec.len; i++)
			err = mutate(&values, sources.vec.data[i], true);
		for (size_t i = 0; !err && i < sources.vec.len; i++)
			err = mutate(&values, sources.vec.data[i], false);
		if (!err && (fflush(stdout) || ferror(stdout)))
			err = xs_error_sys("standard output");
		if (err && made)
			rmdir(values.folder); /* if nothing is in it */
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
