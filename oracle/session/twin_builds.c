#include "oracle/session/twin_builds.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/path.h"

#define SECONDS   300.0 /* a compiler that needs more hangs, */
#define FEWER     60.0  /* and so does a tool. llvm-dwp was seen to: it may compute for so long */
#define TOOL_CPU  1     /* second, */
#define TOOL_PART (1 << 20) /* and one more for each such part of the program */
#define WORD_ENDS " \t\n"

/* A variant that all know, in the order in which they are made. */
struct variant {
	const char *name;
	bool gcc, clang; /* whose it is */
	bool identical;  /* see twin_builds.h */
	bool rust;       /* rustc's, too: on stable it has none that splits */
};

static const struct variant variants[] = {
	{"-fno-var-tracking-assignments", .gcc = true},
	{"-gdwarf-4 -gstrict-dwarf", .gcc = true},
	{"-gno-statement-frontiers", .gcc = true},
	{"-gno-variable-location-views", .gcc = true},
	{"-mllvm -experimental-debug-variable-locations=false", .clang = true},
	{"-gdwarf-4", .clang = true},
	{"-C llvm-args=-experimental-debug-variable-locations=false", .rust = true},
	{"-gz", true, true, true, false},
	/* clang has other expressions then, and gcc leaves out what points to string literals. */
	{"-gsplit-dwarf", .gcc = true, .clang = true},
	{"dwp", .gcc = true, .clang = true},
	{"dwz", true, true, true, true},
	{"keep-debug", true, true, true, true},
	{"debuglink", true, true, true, true},
};

/* The words of a command. */
struct words {
	XS_VEC(char *) vec;
};

static bool is_for(const struct variant *variant, const struct ora_compiler *compiler)
{
	return compiler->rust ? variant->rust : compiler->gcc ? variant->gcc : variant->clang;
}

static void add(struct words *words, const char *word)
{
	xs_vec_push(&words->vec, xs_strdup(word));
}

static void split(struct words *words, const char *text)
{
	for (const char *at = text + strspn(text, WORD_ENDS); *at; at += strspn(at, WORD_ENDS)) {
		size_t length = strcspn(at, WORD_ENDS);
		xs_vec_push(&words->vec, xs_asprintf("%.*s", (int)length, at));
		at += length;
	}
}

static void discard(struct words *words)
{
	for (size_t i = 0; i < words->vec.len; i++)
		free(words->vec.data[i]);
	xs_vec_deinit(&words->vec);
}

/* Runs it, and frees the words. *why, to be freed: why it failed; NULL: it did not. */
static struct xs_error *run(
	const struct ora_twin_builds *builds, struct words *words, double seconds, char **why)
{
	struct ora_compilation done = {0};
	xs_vec_push(&words->vec, NULL);
	struct xs_error *err = ora_compile(words->vec.data, builds->folder, seconds, &done);
	*why = NULL;
	if (!err && done.end != ORA_COMPILED) {
		*why = ora_compilation_complaint(&done);
		if (!*why || !**why) {
			free(*why);
			*why = xs_strdup(done.end == ORA_HUNG ? "hangs" : "crashed");
		}
	}
	ora_compilation_deinit(&done);
	discard(words);
	return err;
}

/* Compiles the sources to objects of their own, and links these: a .dwo file is then beside its
 * object, and not in the folder where xstep is run. */
static struct xs_error *compile_apart(const struct ora_twin_builds *builds,
	const struct ora_compiler *compiler, const char *more, const char *output, char **why)
{
	struct words last = {0};
	struct xs_error *err = NULL;
	*why = NULL;
	add(&last, compiler->path);
	split(&last, builds->options);
	split(&last, more);
	add(&last, "-o");
	add(&last, output);
	for (size_t i = 0; !err && !*why && i < builds->sources.vec.len; i++) {
		XS_AUTO_FREE char *object = xs_asprintf("%s-%zu.o", output, i);
		struct words words = {0};
		add(&words, compiler->path);
		split(&words, builds->options);
		split(&words, more);
		add(&words, "-c");
		add(&words, "-o");
		add(&words, object);
		add(&words, builds->sources.vec.data[i]);
		add(&last, object);
		err = run(builds, &words, SECONDS, why);
	}
	if (!err && !*why) {
		split(&last, builds->libraries ? builds->libraries : "");
		return run(builds, &last, SECONDS, why);
	}
	discard(&last);
	return err;
}

static struct xs_error *compile(const struct ora_twin_builds *builds,
	const struct ora_compiler *compiler, const char *more, const char *output, char **why)
{
	struct words words = {0};
	if (strstr(more, "-gsplit-dwarf"))
		return compile_apart(builds, compiler, more, output, why);
	add(&words, compiler->path);
	split(&words, builds->options);
	split(&words, more);
	add(&words, "-o");
	add(&words, output);
	for (size_t i = 0; i < builds->sources.vec.len; i++)
		add(&words, builds->sources.vec.data[i]);
	split(&words, builds->libraries ? builds->libraries : "");
	return run(builds, &words, SECONDS, why);
}

/* Runs a tool of PATH. */
static struct xs_error *run_tool(
	const struct ora_twin_builds *builds, char **why, const char *const *list)
{
	struct words words = {0};
	struct stat stat_buf = {0};
	stat(builds->program, &stat_buf);
	XS_AUTO_FREE char *limited = xs_asprintf(
		"ulimit -t %jd; exec \"$@\"", (intmax_t)(TOOL_CPU + stat_buf.st_size / TOOL_PART));
	split(&words, "/bin/sh -c");
	add(&words, limited);
	add(&words, "sh");
	for (; *list; list++)
		add(&words, *list);
	return run(builds, &words, FEWER, why);
}

static struct xs_error *link_debug(
	const struct ora_twin_builds *builds, const char *output, char **why)
{
	XS_AUTO_FREE char *debug = xs_asprintf("%s.debug", output);
	XS_AUTO_FREE char *add_link = xs_asprintf("--add-gnu-debuglink=%s", debug);
	struct xs_error *err = run_tool(builds, why,
		(const char *const[]){
			"objcopy", "--only-keep-debug", builds->program, debug, NULL});
	if (err || *why)
		return err;
	return run_tool(builds, why,
		(const char *const[]){
			"objcopy", "--strip-debug", add_link, builds->program, output, NULL});
}

/* The file that a name on PATH stands for, to be freed; NULL: there is none. */
static char *real_tool(const char *name)
{
	XS_AUTO_FREE char *path = xs_path_find(name);
	return path ? realpath(path, NULL) : NULL;
}

/* All .dwo files of a build in one. GNU's dwp does not know DWARF 5, and crashes. */
static struct xs_error *pack(const struct ora_twin_builds *builds,
	const struct ora_compiler *compiler, const char *output, char **why)
{
	static const char *const tools[] = {
		"llvm-dwp", "llvm-dwp-19", "llvm-dwp-16", "llvm-dwp-15", "llvm-dwp-14", "dwp"};
	XS_AUTO_FREE char *packed = xs_asprintf("%s.dwp", output);
	struct xs_error *err = compile(builds, compiler, "-gsplit-dwarf", output, why);
	if (err || *why)
		return err;
	struct words tried = {0}; /* one file may have several names */
	bool done = false;
	for (size_t i = 0; !err && !done && i < sizeof tools / sizeof *tools; i++) {
		char *tool = real_tool(tools[i]);
		bool again = !tool;
		for (size_t k = 0; tool && k < tried.vec.len; k++)
			again |= !strcmp(tool, tried.vec.data[k]);
		if (again) {
			free(tool);
			continue;
		}
		xs_vec_push(&tried.vec, tool);
		free(*why);
		err = run_tool(
			builds, why, (const char *const[]){tool, "-e", output, "-o", packed, NULL});
		done = !*why;
	}
	if (!err && !done && !*why)
		*why = xs_strdup("neither llvm-dwp nor dwp is on PATH");
	discard(&tried);
	return err;
}

static struct xs_error *make(const struct ora_twin_builds *builds,
	const struct ora_compiler *compiler, const char *name, const char *output, char **why)
{
	if (!strcmp(name, "dwz"))
		return run_tool(builds, why,
			(const char *const[]){"dwz", "-o", output, builds->program, NULL});
	if (!strcmp(name, "keep-debug"))
		return run_tool(builds, why,
			(const char *const[]){
				"objcopy", "--only-keep-debug", builds->program, output, NULL});
	if (!strcmp(name, "debuglink"))
		return link_debug(builds, output, why);
	if (!strcmp(name, "dwp"))
		return pack(builds, compiler, output, why);
	return compile(builds, compiler, name, output, why);
}

static struct xs_error *add_variant(
	struct ora_twin_builds *builds, const struct ora_compiler *compiler, const char *name)
{
	struct ora_twin_build one = {.name = xs_strdup(name)};
	XS_AUTO_FREE char *file = xs_strdup(name);
	XS_AUTO_FREE char *why = NULL;
	for (char *at = file; *at; at++)
		if (strchr(" /=", *at))
			*at = '_';
	/* No file is an option. */
	one.path = xs_asprintf("%s/with%s%s", builds->folder, *file == '-' ? "" : "-", file);
	for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
		one.identical |= variants[i].identical && !strcmp(variants[i].name, name) &&
				 is_for(&variants[i], compiler);
	struct xs_error *err = make(builds, compiler, name, one.path, &why);
	if (!err && !why) {
		xs_vec_push(&builds->list, one);
		return NULL;
	}
	if (why) {
		XS_AUTO_FREE char *warning = xs_asprintf("%s: left out: %s", name, why);
		builds->on_warning(warning);
	}
	free(one.name);
	free(one.path);
	return err;
}

/* The options that the parser of the sources needs, too. */
static void find_parser_options(struct ora_twin_builds *builds)
{
	static const char *const heads[] = {"-I", "-D", "-U", "-std=", "-isystem", "-include"};
	struct words words = {0};
	bool value = false;
	split(&words, builds->options);
	for (size_t i = 0; i < words.vec.len; i++) {
		char *word = words.vec.data[i];
		bool wanted = value;
		value = false;
		for (size_t k = 0; !wanted && k < sizeof heads / sizeof *heads; k++)
			if (!strncmp(word, heads[k], strlen(heads[k]))) {
				wanted = true;
				/* What stands alone takes the next word. */
				value = !word[strlen(heads[k])] &&
					word[strlen(heads[k]) - 1] != '=';
			}
		if (wanted)
			xs_vec_push(&builds->parser, word);
		else
			free(word);
	}
	xs_vec_deinit(&words.vec);
}

struct xs_error *ora_twin_builds_make(struct ora_twin_builds *builds)
{
	struct ora_compiler compiler = {0};
	XS_AUTO_FREE char *why = NULL;
	struct xs_error *err = ora_compiler_init(&compiler, builds->compiler);
	if (err) {
		ora_compiler_deinit(&compiler);
		return err;
	}
	builds->program = xs_asprintf("%s/program", builds->folder);
	err = compile(builds, &compiler, "", builds->program, &why);
	if (!err && why)
		err = xs_error_create("%s %s: %s", builds->compiler, builds->options, why);
	find_parser_options(builds);
	for (size_t i = 0; !err && i < builds->variants.vec.len; i++)
		err = add_variant(builds, &compiler, builds->variants.vec.data[i]);
	for (size_t i = 0;
		!err && !builds->variants.vec.len && i < sizeof variants / sizeof *variants; i++)
		if (is_for(&variants[i], &compiler))
			err = add_variant(builds, &compiler, variants[i].name);
	ora_compiler_deinit(&compiler);
	return err;
}

void ora_twin_builds_deinit(struct ora_twin_builds *builds)
{
	for (size_t i = 0; i < builds->list.len; i++) {
		free(builds->list.data[i].name);
		free(builds->list.data[i].path);
	}
	for (size_t i = 0; i < builds->parser.len; i++)
		free(builds->parser.data[i]);
	xs_vec_deinit(&builds->list);
	xs_vec_deinit(&builds->parser);
	free(builds->program);
}
