/* ccmd_case.c - one case: builds it with and without debug information, compares the code, and
 * says in JSON what was found. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/map.h"
#include "base/path.h"
#include "base/private.h"
#include "base/quoting.h"
#include "base/shown.h"
#include "oracle/code/code_pair.h"
#include "oracle/session/by_hand.h"
#include "oracle/session/ccmd.h"
#include "oracle/session/json_text.h"

struct work {
	const struct ora_ccmd *ccmd;
	const struct ora_ccmd_case *one;
	const struct ora_ccmd_unit *unit;
	const char *folder;
	char *flags; /* level and extra ones, as text */
	bool lto;
	json_t *result, *findings;
	double compile, check, compare_debug; /* seconds */
	unsigned builds, taken_apart;         /* those whose bytes alone did not settle it */
};

/* A build of the case. */
struct build {
	const char *g; /* -g0, -g2, ... */
	char *object;  /* path */
	char *command; /* as a shell would read it */
	struct ora_compilation done;
};

/* --- commands -------------------------------------------------------------------------------- */

static void add(struct ora_ccmd_words *words, const char *word)
{
	xs_vec_push(&words->vec, xs_strdup(word));
}

void ora_ccmd_words_deinit(struct ora_ccmd_words *words)
{
	for (size_t i = 0; i < words->vec.len; i++)
		free(words->vec.data[i]);
	xs_vec_deinit(&words->vec);
}

void ora_ccmd_split(struct ora_ccmd_words *words, const char *text, const char *separators)
{
	for (const char *at = text + strspn(text, separators); *at; at += strspn(at, separators)) {
		size_t length = strcspn(at, separators);
		xs_vec_push(&words->vec, xs_asprintf("%.*s", (int)length, at));
		at += length;
	}
}

static bool is_lto(const struct ora_ccmd_words *words)
{
	bool lto = false;
	for (size_t i = 0; i < words->vec.len; i++)
		if (!strncmp(words->vec.data[i], "-flto", 5))
			lto = true;
		else if (!strcmp(words->vec.data[i], "-fno-lto"))
			lto = false;
	return lto;
}

/* Whether one of the extra options begins so. */
static bool has_extra(const struct work *work, const char *begin)
{
	for (size_t i = 0; i < work->ccmd->extra.vec.len; i++)
		if (strstr(work->ccmd->extra.vec.data[i], begin))
			return true;
	return false;
}

/* By rustc. One unit of code, so that there is one object; the crate's name is in all symbols, and
 * is not to be the file's. */
static void make_rust_command(
	const struct work *work, const char *g, const char *output, struct ora_ccmd_words *words)
{
	struct ora_ccmd_words level = {0};
	XS_AUTO_FREE char *debug = ora_rust_debug(g);
	add(words, work->one->compiler->path);
	ora_ccmd_split(&level, work->one->level, " ");
	for (size_t i = 0; i < level.vec.len; i++) {
		XS_AUTO_FREE char *rust = ora_rust_level(level.vec.data[i]);
		ora_ccmd_split(words, rust ? rust : level.vec.data[i], " ");
	}
	ora_ccmd_words_deinit(&level);
	for (size_t i = 0; i < work->ccmd->extra.vec.len; i++)
		add(words, work->ccmd->extra.vec.data[i]);
	ora_ccmd_split(words, debug ? debug : g, " ");
	ora_ccmd_split(words, "--cap-lints allow --emit obj", " ");
	if (!has_extra(work, "codegen-units"))
		ora_ccmd_split(words, "-C codegen-units=1", " ");
	if (!has_extra(work, "--crate-name"))
		ora_ccmd_split(words, "--crate-name program", " ");
	if (!has_extra(work, "--edition"))
		add(words, "--edition=2021");
	add(words, work->unit->path);
	add(words, "-o");
	add(words, output);
}

/* The words of a command that has the compiler make `output`. With LTO code comes into being when
 * it is linked: to an object again (-r), which keeps symbols and relocations and needs no main. */
static void make_command(const struct work *work, const char *g, const char *more,
	const char *output, struct ora_ccmd_words *words)
{
	if (work->one->compiler->rust) {
		make_rust_command(work, g, output, words);
		return;
	}
	add(words, work->one->compiler->path);
	ora_ccmd_split(words, work->one->level, " ");
	for (size_t i = 0; i < work->ccmd->extra.vec.len; i++)
		add(words, work->ccmd->extra.vec.data[i]);
	add(words, g);
	add(words, "-w");
	if (more) {
		ora_ccmd_split(words, more, " ");
	} else if (!work->lto) {
		add(words, "-c");
	} else {
		add(words, "-r");
		add(words, "-nostdlib");
		if (work->one->compiler->gcc)
			add(words, "-flinker-output=nolto-rel");
	}
	if (work->unit->mutant) {
		XS_AUTO_FREE char *copy = xs_strdup(work->unit->source);
		add(words, "-iquote");
		add(words, dirname(copy));
	}
	add(words, work->unit->path);
	add(words, "-o");
	add(words, output);
}

/* A word as a shell would have it. */
static void put_word(FILE *out, const char *word)
{
	XS_AUTO_FREE char *text = xs_quote_paste(word);
	fputs(text, out);
}

/* A command that can be typed; the compiler by its name. */
static char *command_text(const struct ora_ccmd_words *words, const char *name)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	put_word(out, name);
	for (size_t i = 1; i < words->vec.len; i++) {
		putc(' ', out);
		put_word(out, words->vec.data[i]);
	}
	fclose(out);
	return text;
}

static struct xs_error *compile(
	struct work *work, const char *g, const char *suffix, struct build *build)
{
	struct ora_ccmd_words words = {0};
	XS_AUTO_FREE char *short_name = xs_asprintf("%s%s.o", g + 1, suffix);
	*build = (struct build){.g = g, .object = xs_asprintf("%s/%s", work->folder, short_name)};
	make_command(work, g, NULL, short_name, &words);
	build->command = command_text(&words, work->one->compiler->name);
	free(words.vec.data[words.vec.len - 1]);
	words.vec.data[words.vec.len - 1] = xs_strdup(build->object);
	xs_vec_push(&words.vec, NULL);
	struct xs_error *err =
		ora_compile(words.vec.data, work->folder, work->ccmd->timeout, &build->done);
	ora_ccmd_words_deinit(&words);
	work->compile += build->done.seconds;
	work->builds++;
	return err;
}

static void build_deinit(struct build *build)
{
	if (build->object)
		unlink(build->object);
	free(build->object);
	free(build->command);
	ora_compilation_deinit(&build->done);
}

/* What gcc's own check says: "same", "different", or NULL if it does not. */
static const char *compare_debug(struct work *work, const char *g)
{
	struct ora_ccmd_words words = {0};
	struct ora_compilation done = {0};
	const char *ret = NULL;
	if (!work->one->compiler->gcc || work->lto || work->ccmd->no_compare_debug)
		return NULL;
	make_command(work, g, "-S -fcompare-debug", "/dev/null", &words);
	xs_vec_push(&words.vec, NULL);
	struct xs_error *err =
		ora_compile(words.vec.data, work->folder, work->ccmd->timeout * 2, &done);
	if (!err && done.end == ORA_COMPILED)
		ret = "same";
	else if (!err && strstr(done.said, "-fcompare-debug"))
		ret = "different";
	work->compare_debug += done.seconds;
	xs_error_destroy(err);
	ora_ccmd_words_deinit(&words);
	ora_compilation_deinit(&done);
	return ret;
}

/* --- findings -------------------------------------------------------------------------------- */

/* Kind, signature and id. `pair`: what tells it from others of its kind. */
static void set_identity(
	const struct work *work, json_t *finding, const char *kind, const char *pair)
{
	const char *g = json_string_value(json_object_get(finding, "g"));
	XS_AUTO_FREE char *signature = xs_asprintf(
		"%s %s %s %s", kind, xs_base_name(work->one->compiler->name), work->flags, pair);
	char id[17];
	uint64_t hash = xs_hash_text(work->unit->mutant, signature);
	hash = xs_hash_text(hash, xs_base_name(work->unit->source));
	hash = xs_hash_text(hash, json_string_value(json_object_get(finding, "where")));
	hash = xs_hash_text(hash, g);
	snprintf(id, sizeof id, "%012" PRIx64, hash >> 16);
	json_object_set_new(finding, "id", json_string(id));
	json_object_set_new(finding, "signature", ora_json_text(signature));
	json_object_set_new(finding, "kind", json_string(kind));
}

/* A finding with what all of them have. */
static json_t *new_finding(
	struct work *work, const char *kind, const char *pair, const char *g, const char *where)
{
	json_t *finding = json_object();
	json_object_set_new(finding, "g", ora_json_text(g));
	json_object_set_new(finding, "where", ora_json_text(where));
	set_identity(work, finding, kind, pair);
	json_object_set_new(finding, "source", ora_json_text(work->unit->source));
	json_object_set_new(finding, "mutant",
		work->unit->mutant ? json_integer((json_int_t)work->unit->mutant) : json_null());
	json_object_set_new(finding, "compiler", ora_json_text(work->one->compiler->name));
	json_object_set_new(finding, "version", ora_json_text(work->one->compiler->version));
	json_object_set_new(finding, "flags", ora_json_text(work->flags));
	json_array_append_new(work->findings, finding);
	return finding;
}

/* The compiler does not make the same code twice. */
static void set_unstable(const struct work *work, json_t *finding)
{
	set_identity(work, finding, "unstable", "-/-");
	json_object_set_new(finding, "meaning",
		json_string("two builds with the same options differ: the compiler does not make "
			    "the same "
			    "code twice, or the source asks for the time"));
}

static void set_commands(json_t *finding, const struct build *plain, const struct build *with)
{
	json_t *commands = json_array();
	json_array_append_new(commands, ora_json_text(plain->command));
	json_array_append_new(commands, ora_json_text(with->command));
	json_object_set_new(finding, "commands", commands);
}

/* --- failing cases are kept ------------------------------------------------------------------ */

/* Lines to read: on a terminal, too. */
static void write_file(const char *folder, const char *name, const char *text)
{
	XS_AUTO_FREE char *path = xs_asprintf("%s/%s", folder, name);
	XS_AUTO_FILE FILE *file = xs_private_open(path, false);
	if (file)
		xs_shown_lines(file, "", text ? text : "");
}

static void copy_file(const char *from, const char *folder, const char *name)
{
	XS_AUTO_FREE char *path = xs_asprintf("%s/%s", folder, name);
	XS_AUTO_FILE FILE *in = fopen(from, "re"), *out = xs_private_open(path, false);
	char buffer[8192];
	for (size_t got; in && out && (got = fread(buffer, 1, sizeof buffer, in));)
		fwrite(buffer, 1, got, out);
}

static void print_code(const char *folder, const char *g, const struct ora_code *code)
{
	XS_AUTO_FREE char *name = xs_asprintf("%s.txt", g + 1), *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	ora_code_print(code, out);
	xs_assert(!fclose(out));
	write_file(folder, name, text);
}

/* Makes the folder of a finding: source, commands, disassemblies, and what was said. */
static void keep(struct work *work, json_t *finding, const struct build *plain,
	const struct build *with, const struct ora_code_pair *pair)
{
	if (!work->ccmd->output)
		return;
	const char *context = json_string_value(json_object_get(finding, "context"));
	XS_AUTO_FREE char *name =
		xs_asprintf("failing/%s-%s", json_string_value(json_object_get(finding, "kind")),
			json_string_value(json_object_get(finding, "id")));
	XS_AUTO_FREE char *folder = xs_asprintf("%s/%s", work->ccmd->output, name);
	XS_AUTO_FREE char *commands = xs_asprintf(
		"# %s\n%s\n%s\n", work->one->compiler->version, plain->command, with->command);
	if (xs_private_folder(folder) && errno != EEXIST)
		return;
	copy_file(work->unit->path, folder, xs_base_name(work->unit->path));
	write_file(folder, "commands.txt", commands);
	if (context)
		write_file(folder, "difference.txt", context);
	if (plain->done.said && *plain->done.said)
		write_file(folder, "said.g0.txt", plain->done.said);
	if (with->done.said && *with->done.said)
		write_file(folder, "said.g.txt", with->done.said);
	if (pair) {
		print_code(folder, plain->g, pair->sides[0]);
		print_code(folder, with->g, pair->sides[1]);
	}
	json_object_set_new(finding, "folder", ora_json_text(name));
}

/* --- comparing ------------------------------------------------------------------------------- */

/* Makes a JSON string of a text that was made for it. */
static json_t *take_text(char *text)
{
	json_t *ret = ora_json_text(text);
	free(text);
	return ret;
}

/* The finding that two objects are. */
static json_t *tell(struct work *work, const struct ora_code_pair *pair, const struct build *plain,
	const struct build *with)
{
	const struct ora_code_difference *worst = ora_code_pair_worst(pair);
	XS_AUTO_FREE char *words = ora_code_pair_words(pair, worst), *file = NULL;
	json_t *finding =
		new_finding(work, ora_code_kind_text(worst->kind), words, with->g, worst->where);
	json_t *differing = json_array(), *instructions = json_array();
	size_t differ, all;
	uint32_t line;
	ora_code_pair_count(pair, &differ, &all);
	for (size_t i = 0; i < pair->comparison.differences.len; i++) {
		const struct ora_code_difference *one = &pair->comparison.differences.data[i];
		json_t *entry = json_object();
		json_object_set_new(entry, "where", ora_json_text(one->where));
		json_object_set_new(entry, "kind", json_string(ora_code_kind_text(one->kind)));
		json_array_append_new(differing, entry);
	}
	for (unsigned side = 0; side < 2; side++)
		json_array_append_new(
			instructions, take_text(ora_code_pair_instruction(pair, worst, side)));
	json_object_set_new(finding, "meaning", json_string(ora_code_kind_means(worst->kind)));
	json_object_set_new(finding, "functions", json_integer((json_int_t)all));
	json_object_set_new(finding, "differ", json_integer((json_int_t)differ));
	json_object_set_new(finding, "differences", differing);
	json_object_set_new(finding, "instructions", instructions);
	json_object_set_new(finding, "context", take_text(ora_code_pair_context(pair, worst)));
	if (ora_code_pair_line(pair, worst, with->object, &file, &line)) {
		json_object_set_new(finding, "file", ora_json_text(file));
		json_object_set_new(finding, "line", json_integer(line));
	}
	set_commands(finding, plain, with);
	return finding;
}

/* A compiler that makes something else each time: then -g need not be to blame. */
static bool is_unstable(struct work *work, const struct build *plain)
{
	struct build again;
	struct ora_code_pair pair = {0};
	struct xs_error *err = compile(work, "-g0", "-again", &again);
	if (!err && again.done.end == ORA_COMPILED)
		err = ora_code_pair_open(plain->object, again.object, &pair);
	bool unstable = !err && ora_code_pair_worst(&pair);
	xs_error_destroy(err);
	ora_code_pair_deinit(&pair);
	build_deinit(&again);
	return unstable;
}

/* What rustc does on purpose: with debug information the `main` that calls the crate's own loads a
 * byte of the section that tells gdb of pretty printers, so that the linker keeps it. */
static void set_aside_rust(struct ora_code_pair *pair)
{
	static const char *const on_purpose[] = {"main", "__rustc_debug_gdb_scripts_section__"};
	size_t kept = 0;
	for (size_t i = 0; i < pair->comparison.differences.len; i++) {
		const struct ora_code_difference *one = &pair->comparison.differences.data[i];
		bool wanted = false;
		for (size_t k = 0; k < sizeof on_purpose / sizeof *on_purpose; k++)
			wanted |= one->where && !strcmp(one->where, on_purpose[k]);
		if (!wanted)
			pair->comparison.differences.data[kept++] = *one;
	}
	pair->comparison.differences.len = kept;
}

/* Compares two builds that are there; *finding is what they are, or NULL. */
static struct xs_error *compare(
	struct work *work, const struct build *plain, const struct build *with, json_t **finding)
{
	struct ora_code_pair pair;
	double began = xs_now();
	*finding = NULL;
	struct xs_error *err = ora_code_pair_open(plain->object, with->object, &pair);
	work->taken_apart += pair.taken_apart;
	if (!err && work->one->compiler->rust)
		set_aside_rust(&pair);
	if (!err)
		work->check += xs_now() - began;
	if (!err && ora_code_pair_worst(&pair)) {
		*finding = tell(work, &pair, plain, with);
		if (is_unstable(work, plain))
			set_unstable(work, *finding);
		keep(work, *finding, plain, with, &pair);
	}
	ora_code_pair_deinit(&pair);
	return err;
}

/* --- builds that fail ------------------------------------------------------------------------ */

/* What tells one crash from another: the message without the place in the source. */
static char *crash_word(const struct build *build)
{
	char *complaint = ora_compilation_complaint(&build->done),
	     *at = strstr(complaint, "error: ");
	char *ret = xs_asprintf("%.80s", at ? at + 7 : complaint);
	free(complaint);
	for (char *c = ret; *c; c++)
		if (*c == ' ')
			*c = '_';
	return ret;
}

/* A build that crashed, hung, or is refused with debug information only. */
static void tell_failure(struct work *work, const struct build *plain, const struct build *with)
{
	const struct build *failed = with->done.end == ORA_COMPILED ? plain : with;
	const char *kind = failed->done.end == ORA_HUNG      ? "hang"
			   : failed->done.end == ORA_CRASHED ? "crash"
							     : "refused";
	XS_AUTO_FREE char *word =
		failed->done.end == ORA_HUNG ? xs_strdup("timeout") : crash_word(failed);
	XS_AUTO_FREE char *complaint = ora_compilation_complaint(&failed->done);
	XS_AUTO_FREE char *meaning = xs_asprintf("the compiler %s with %s%s",
		failed->done.end == ORA_HUNG      ? "does not end"
		: failed->done.end == ORA_CRASHED ? "crashes"
						  : "refuses the source",
		failed->g,
		plain->done.end == ORA_COMPILED  ? ", not with -g0"
		: with->done.end == ORA_COMPILED ? ", not with debug information"
						 : " as with -g0");
	json_t *finding = new_finding(work, kind, word, failed->g, NULL);
	json_object_set_new(finding, "meaning", ora_json_text(meaning));
	json_object_set_new(finding, "context", ora_json_text(complaint));
	set_commands(finding, plain, with);
	keep(work, finding, plain, with, NULL);
}

/* xstep and gcc do not agree about a pair of builds, or they do: that is noted. */
static void tell_compare_debug(struct work *work, const struct build *plain,
	const struct build *with, json_t *finding, const char *said)
{
	if (finding) {
		json_object_set_new(finding, "compare_debug", ora_json_text(said));
	} else if (said && !strcmp(said, "different")) {
		finding = new_finding(work, "disagreement", "same/different", with->g, NULL);
		json_object_set_new(finding, "meaning",
			json_string("-fcompare-debug finds a difference that the machine code does "
				    "not have"));
		json_object_set_new(finding, "compare_debug", json_string(said));
		set_commands(finding, plain, with);
		keep(work, finding, plain, with, NULL);
	}
}

/* Somebody else ended the compiler: there is nothing to compare, and nobody to blame. */
static struct xs_error *stopped(const struct build *build)
{
	XS_AUTO_FREE char *complaint = ora_compilation_complaint(&build->done);
	return xs_error_create("the compiler was stopped: %s", complaint);
}

/* One -g against -g0. */
static struct xs_error *check_one(struct work *work, const struct build *plain, const char *g)
{
	struct build with;
	json_t *finding = NULL;
	struct xs_error *err = compile(work, g, "", &with);
	if (!err && with.done.end == ORA_STOPPED) {
		err = stopped(&with);
	} else if (!err && (with.done.end != ORA_COMPILED || plain->done.end != ORA_COMPILED)) {
		tell_failure(work, plain, &with);
	} else if (!err) {
		err = compare(work, plain, &with, &finding);
		if (!err)
			tell_compare_debug(work, plain, &with, finding, compare_debug(work, g));
	}
	build_deinit(&with);
	return err;
}

static struct xs_error *check_all(struct work *work)
{
	struct build plain;
	struct xs_error *err = compile(work, "-g0", "", &plain);
	if (!err && plain.done.end == ORA_REFUSED) {
		XS_AUTO_FREE char *complaint = ora_compilation_complaint(&plain.done);
		err = xs_error_create("does not compile: %s", complaint);
	} else if (!err && plain.done.end == ORA_STOPPED) {
		err = stopped(&plain);
	}
	for (size_t i = 0; !err && i < work->ccmd->gs.vec.len; i++)
		err = check_one(work, &plain, work->ccmd->gs.vec.data[i]);
	build_deinit(&plain);
	return err;
}

static char *join_flags(const struct work *work)
{
	char *text = xs_strdup(work->one->level);
	for (size_t i = 0; i < work->ccmd->extra.vec.len; i++) {
		char *longer = xs_asprintf("%s %s", text, work->ccmd->extra.vec.data[i]);
		free(text);
		text = longer;
	}
	return text;
}

/* rustc without -O, or with -O0. */
static bool is_rust_unoptimised(const struct ora_ccmd_case *one)
{
	struct ora_ccmd_words level = {0};
	bool optimised = false;
	ora_ccmd_split(&level, one->level, " ");
	for (size_t i = 0; i < level.vec.len; i++)
		if (strstr(level.vec.data[i], "opt-level=") || !strncmp(level.vec.data[i], "-O", 2))
			optimised = level.vec.data[i][strlen(level.vec.data[i]) - 1] != '0';
	ora_ccmd_words_deinit(&level);
	return one->compiler->rust && !optimised;
}

json_t *ora_ccmd_check(
	const struct ora_ccmd *ccmd, const struct ora_ccmd_case *one, const char *folder)
{
	struct work work = {.ccmd = ccmd,
		.one = one,
		.unit = &ccmd->units.data[one->unit],
		.folder = folder,
		.result = json_object(),
		.findings = json_array()};
	struct ora_ccmd_words level = {0};
	ora_ccmd_split(&level, one->level, " ");
	work.lto = is_lto(&ccmd->extra) || is_lto(&level);
	ora_ccmd_words_deinit(&level);
	work.flags = join_flags(&work);
	struct xs_error *err =
		is_rust_unoptimised(one)
			? xs_error_create("not compared: with debug information rustc keeps "
					  "variables in memory on purpose, if it does not optimise")
			: check_all(&work);
	json_object_set_new(work.result, "case", json_string(one->id));
	json_object_set_new(work.result, "source", ora_json_text(work.unit->source));
	json_object_set_new(work.result, "mutant", json_integer((json_int_t)work.unit->mutant));
	json_object_set_new(work.result, "compiler", ora_json_text(one->compiler->name));
	json_object_set_new(work.result, "flags", ora_json_text(work.flags));
	json_object_set_new(work.result, "builds", json_integer(work.builds));
	json_object_set_new(work.result, "taken_apart", json_integer(work.taken_apart));
	json_object_set_new(work.result, "compile_seconds", json_real(work.compile));
	json_object_set_new(work.result, "compare_debug_seconds", json_real(work.compare_debug));
	json_object_set_new(work.result, "check_seconds", json_real(work.check));
	json_object_set_new(work.result, "error", ora_json_text(err ? err->message : NULL));
	json_object_set_new(work.result, "findings", work.findings);
	xs_error_destroy(err);
	free(work.flags);
	return work.result;
}
