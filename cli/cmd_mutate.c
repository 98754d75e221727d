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
	struct xs_strings flags;
	uint64_t count;
	bool force, json;
};

static const struct cli_option options[] = {
	{"What to change", "only", 0, CLI_STRING, "LIST",
		"these mutators, by comma: rcl, fco, asm, ocp (rcl,fco,ocp)",
		offsetof(struct options, only)},
	{"What to change", "rcl", 0, CLI_CHANCE, "P", "chance of a place for rcl, 0 to 1 (0.9)",
		offsetof(struct options, how.chance[SRC_MUTATE_RCL])},
	{"What to change", "fco", 0, CLI_CHANCE, "P", "for fco (0.5)",
		offsetof(struct options, how.chance[SRC_MUTATE_FCO])},
	{"What to change", "asm", 0, CLI_CHANCE, "P", "for asm (0; 0.5 with --only asm)",
		offsetof(struct options, how.chance[SRC_MUTATE_ASM])},
	{"What to change", "ocp", 0, CLI_CHANCE, "P", "for ocp (0.05)",
		offsetof(struct options, how.chance[SRC_MUTATE_OCP])},
	{"What to change", "packed", 0, CLI_FLAG, NULL,
		"fco packs types too: layouts change, and with them what the program may do",
		offsetof(struct options, how.packed)},
	{"What to change", "flag", 0, CLI_STRINGS, "FLAG",
		"for the parser, as for the compiler: -Iinclude, -DNAME; may be repeated",
		offsetof(struct options, flags)},
	{"Mutants", "seed", 0, CLI_NUMBER, "N", "of the first mutant; the next has N+1 (1)",
		offsetof(struct options, how.seed)},
	{"Mutants", "count", 'n', CLI_COUNT, "COUNT", "how many of each source (1)",
		offsetof(struct options, count)},
	{"Mutants", "output", 'o', CLI_STRING, "DIR",
		"where to: DIR/NAME.SEED.c for NAME.c; made if it is not there",
		offsetof(struct options, folder)},
	{"Mutants", "force", 0, CLI_FLAG, NULL, "overwrite files that are there",
		offsetof(struct options, force)},
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
			return xs_error_create("%s: not C, which is all that is mutated", source);
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
			err = xs_error_create("%s: is there already; --force overwrites it", path);
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
	struct xs_strings sources = {0};
	bool help = false, made = false;
	values.how.seed = 1;
	struct xs_error *err = cli_parse_all(&cli_mutate, argc, argv, &values, &sources, &help);
	if (!err && help)
		cli_print_help(&cli_mutate, stdout);
	else if (!err && !sources.vec.len)
		err = xs_error_create("mutate: no source; see xstep mutate --help");
	else if (!err && !values.folder)
		err = xs_error_create("mutate: where to? -o DIR");
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
	.summary = "Mutants of a C source that behave like it and are harder on the compiler",
	.details = details,
	.options = options,
	.run = cmd_mutate,
};
