#include "oracle/cause/culprit.h"

#include <inttypes.h>

#include "base/path.h"
#include "oracle/cause/bisection.h"

/* --- what compilers say ----------------------------------------------------------------------- */

/* Calls take() with each line of a text. */
static void each_line(const char *text, struct ora_command *ret,
	void (*take)(const char *line, struct ora_command *ret))
{
	for (; text && *text; text += strcspn(text, "\n"), text += *text == '\n') {
		XS_AUTO_FREE char *line = xs_asprintf("%.*s", (int)strcspn(text, "\n"), text);
		take(line, ret);
	}
}

/* `  -ftree-dce   [enabled]`; not `-fexcess-precision=[...]`, which has no opposite. */
static void take_option(const char *line, struct ora_command *ret)
{
	line += strspn(line, " \t");
	size_t length = strcspn(line, " \t");
	if (strncmp(line, "-f", 2) != 0 || memchr(line, '=', length) ||
		!strstr(line + length, "[enabled]") || !strncmp(line, "-fno-", 5) ||
		!strncmp(line, "-fvar-tracking", 14)) /* asked about as debug options */
		return;
	ora_command_take(ret, xs_asprintf("%.*s", (int)length, line));
}

void ora_culprit_options(const char *told, struct ora_command *ret)
{
	each_line(told, ret, take_option);
}

/* `  dce                 0                 unset` */
static void take_counter(const char *line, struct ora_command *ret)
{
	size_t length = strcspn(line + strspn(line, " "), " ");
	if (strstr(line, "unset"))
		ora_command_take(ret, xs_asprintf("%.*s", (int)length, line + strspn(line, " ")));
}

void ora_culprit_counters(const char *told, struct ora_command *ret)
{
	each_line(told, ret, take_counter);
}

/* `BISECT: running pass (17) SROAPass on main` */
static void take_pass(const char *line, struct ora_command *ret)
{
	const char *begin = strstr(line, "running pass (");
	const char *end = begin ? strstr(begin, ") ") : NULL;
	if (!strncmp(line, "BISECT: ", 8) && end)
		ora_command_take(ret, xs_strdup(end + 2));
}

void ora_culprit_passes(const char *told, struct ora_command *ret)
{
	each_line(told, ret, take_pass);
}

/* --- rows ------------------------------------------------------------------------------------- */

const char *ora_culprit_word(enum ora_culprit_kind kind)
{
	static const char *const words[] = {[ORA_CULPRIT_PASS] = "pass",
		[ORA_CULPRIT_OPTION] = "option",
		[ORA_CULPRIT_SET] = "options",
		[ORA_CULPRIT_COUNTER] = "counter",
		[ORA_CULPRIT_LEVEL] = "level",
		[ORA_CULPRIT_DEBUG] = "debug",
		[ORA_CULPRIT_COMPILER] = "compiler",
		[ORA_CULPRIT_DEBUGGER] = "debugger"};
	return words[kind];
}

bool ora_culprit_is_one(const struct ora_culprit_row *row)
{
	switch (row->kind) {
	case ORA_CULPRIT_PASS:
	case ORA_CULPRIT_COUNTER:
		return row->end == ORA_CASE_FOUND;
	case ORA_CULPRIT_OPTION:
	case ORA_CULPRIT_SET:
		return row->end == ORA_CASE_GONE;
	case ORA_CULPRIT_LEVEL:
	case ORA_CULPRIT_DEBUG:
	case ORA_CULPRIT_COMPILER:
	case ORA_CULPRIT_DEBUGGER:
		break;
	}
	return false;
}

static void add_row(struct ora_culprit *culprit, struct ora_culprit_row row)
{
	xs_vec_push(&culprit->rows, row);
}

static void phase(struct ora_culprit *culprit, const char *words)
{
	if (culprit->on_phase)
		culprit->on_phase(culprit->asker.context, words);
}

/* A variant of the case, and the row that it becomes. */
struct variant {
	char *name;
	struct ora_command flags; /* more of them */
	const char *level, *compiler, *witness;
};

struct variants {
	XS_VEC(struct variant) vec;
};

static struct variant *add_variant(struct variants *all, const char *name)
{
	xs_vec_push(&all->vec, (struct variant){.name = xs_strdup(name)});
	return &all->vec.data[all->vec.len - 1];
}

static void variants_deinit(struct variants *all)
{
	for (size_t i = 0; i < all->vec.len; i++) {
		free(all->vec.data[i].name);
		ora_command_deinit(&all->vec.data[i].flags);
	}
	xs_vec_deinit(&all->vec);
}

/* Asks about all of them, and adds a row for each. */
static struct xs_error *ask_variants(
	struct ora_culprit *culprit, enum ora_culprit_kind kind, struct variants *all)
{
	size_t count = all->vec.len;
	struct ora_asked *asked = xs_calloc(count ? count : 1, sizeof *asked);
	for (size_t i = 0; i < count; i++) {
		const struct variant *one = &all->vec.data[i];
		asked[i].change = (struct ora_case_change){.flags = &one->flags,
			.level = one->level,
			.compiler = one->compiler,
			.witness = one->witness};
	}
	struct xs_error *err = ora_asker_ask(&culprit->asker, asked, count);
	for (size_t i = 0; i < count; i++) {
		if (!err)
			add_row(culprit, (struct ora_culprit_row){.kind = kind,
						 .name = xs_strdup(all->vec.data[i].name),
						 .end = asked[i].end,
						 .why = asked[i].why});
		else
			free(asked[i].why);
	}
	free(asked);
	return err;
}

/* --- clang ------------------------------------------------------------------------------------ */

/* Asks with so many of something whether the finding is there. */
struct limit {
	struct ora_culprit *culprit;
	const char *before;  /* a word before it; or NULL */
	const char *pattern; /* up to where the number stands */
};

static struct xs_error *ask_limits(
	void *context, const uint64_t *limits, size_t count, enum ora_case_end *ends)
{
	const struct limit *limit = context;
	struct ora_asked *asked = xs_calloc(count, sizeof *asked);
	struct ora_command *flags = xs_calloc(count, sizeof *flags);
	for (size_t i = 0; i < count; i++) {
		if (limit->before)
			ora_command_add(&flags[i], limit->before, NULL);
		ora_command_take(&flags[i], xs_asprintf("%s%" PRIu64, limit->pattern, limits[i]));
		asked[i].change.flags = &flags[i];
	}
	struct xs_error *err = ora_asker_ask(&limit->culprit->asker, asked, count);
	for (size_t i = 0; i < count; i++) {
		ends[i] = asked[i].end;
		free(asked[i].why);
		ora_command_deinit(&flags[i]);
	}
	free(asked);
	free(flags);
	return err;
}

/* A row about a search that came to no end. */
static char *no_end(enum ora_case_end end)
{
	return end == ORA_CASE_UNFIT ? xs_strdup("builds on the way to it are unfit") : NULL;
}

/* What a command of the compiler's prints. When it builds the case (source), that is on standard
 * error; else it is on standard output, and warnings are not. */
static struct xs_error *ask_compiler(
	struct ora_culprit *culprit, const char *const *words, bool source, char **ret)
{
	const struct ora_case *one = culprit->asker.one;
	struct ora_command line = {0};
	XS_AUTO_FREE char *other = NULL;
	int status = -1;
	ora_command_add(&line, one->compiler, "-g", "-w", NULL);
	ora_command_split(&line, one->level);
	for (size_t i = 0; i < one->flags.vec.len; i++)
		ora_command_add(&line, one->flags.vec.data[i], NULL);
	for (; *words; words++)
		ora_command_add(&line, *words, NULL);
	if (source)
		ora_command_add(&line, "-c", "-o", "/dev/null", one->source, NULL);
	struct xs_error *err = ora_asker_listen(
		&culprit->asker, "/", &line, source ? &other : ret, source ? ret : &other, &status);
	ora_command_deinit(&line);
	return err;
}

static void add_pass(struct ora_culprit *culprit, const struct ora_command *passes, uint64_t number,
	enum ora_case_end end)
{
	const char *text = passes->vec.data[number - 1];
	const char *on = strstr(text, " on ");
	uint64_t turn = 0;
	for (size_t i = 0; i < number; i++)
		turn += !strcmp(passes->vec.data[i], text);
	add_row(culprit,
		(struct ora_culprit_row){.kind = ORA_CULPRIT_PASS,
			.name = on ? xs_asprintf("%.*s", (int)(on - text), text) : xs_strdup(text),
			.on = on ? xs_strdup(on + 4) : NULL,
			.number = number,
			.turn = turn,
			.end = end,
			.why = no_end(end)});
}

static struct xs_error *find_pass(struct ora_culprit *culprit)
{
	static const char *const words[] = {"-mllvm", "-opt-bisect-limit=1000000000", NULL};
	struct limit limit = {culprit, "-mllvm", "-opt-bisect-limit="};
	const struct ora_search search = {ask_limits, &limit, culprit->asker.jobs};
	struct ora_command passes = {0};
	XS_AUTO_FREE char *told = NULL;
	phase(culprit, "searching the passes");
	struct xs_error *err = ask_compiler(culprit, words, true, &told);
	if (!err)
		ora_culprit_passes(told, &passes);
	culprit->all_passes = passes.vec.len;
	const uint64_t limits[] = {0, passes.vec.len};
	enum ora_case_end ends[] = {ORA_CASE_UNFIT, ORA_CASE_UNFIT}, end = ORA_CASE_UNFIT;
	uint64_t number = passes.vec.len;
	if (!err && passes.vec.len)
		err = ask_limits(&limit, limits, 2, ends);
	culprit->always = !err && ends[0] == ORA_CASE_FOUND;
	if (!err && ends[0] == ORA_CASE_GONE && ends[1] == ORA_CASE_FOUND)
		err = ora_search_least(&search, 0, passes.vec.len, &number, &end);
	if (!err && passes.vec.len && !culprit->always)
		add_pass(culprit, &passes, number, end);
	ora_command_deinit(&passes);
	return err;
}

/* --- gcc -------------------------------------------------------------------------------------- */

/* -fno-tree-dce for -ftree-dce. */
static char *opposite(const char *option)
{
	return xs_asprintf("-fno-%s", option + 2);
}

/* Options that are switched off together. */
struct options {
	struct ora_culprit *culprit;
	const struct ora_command *all;
};

static struct xs_error *ask_without(void *context, const bool *without, enum ora_case_end *end)
{
	const struct options *options = context;
	struct ora_command flags = {0};
	for (size_t i = 0; i < options->all->vec.len; i++)
		if (without[i])
			ora_command_take(&flags, opposite(options->all->vec.data[i]));
	const struct ora_case_change change = {.flags = &flags};
	struct xs_error *err = ora_asker_ask_one(&options->culprit->asker, &change, end);
	ora_command_deinit(&flags);
	return err;
}

static struct xs_error *find_set(struct ora_culprit *culprit, const struct ora_command *all)
{
	enum { MOST = 8 };
	struct options options = {culprit, all};
	const struct ora_search_set search = {ask_without, &options, all->vec.len, MOST};
	bool *set = xs_calloc(all->vec.len, sizeof *set);
	enum ora_case_end end = ORA_CASE_UNFIT;
	struct ora_command names = {0};
	struct xs_error *err = ora_search_find_set(&search, set, &end);
	culprit->always = !err && end == ORA_CASE_FOUND;
	for (size_t i = all->vec.len; i--;)
		if (set[i])
			ora_command_add(&names, all->vec.data[i], NULL);
	if (!err && end != ORA_CASE_FOUND && names.vec.len)
		add_row(culprit, (struct ora_culprit_row){.kind = ORA_CULPRIT_SET,
					 .name = ora_command_text(&names),
					 .end = end,
					 .why = no_end(end)});
	ora_command_deinit(&names);
	free(set);
	return err;
}

static bool has_culprit(const struct ora_culprit *culprit)
{
	for (size_t i = 0; i < culprit->rows.len; i++)
		if (ora_culprit_is_one(&culprit->rows.data[i]))
			return true;
	return false;
}

static struct xs_error *find_options(struct ora_culprit *culprit)
{
	static const char *const words[] = {"-Q", "--help=optimizers", NULL};
	struct ora_command options = {0};
	struct variants all = {0};
	XS_AUTO_FREE char *told = NULL;
	phase(culprit, "switching options off");
	struct xs_error *err = ask_compiler(culprit, words, false, &told);
	if (!err)
		ora_culprit_options(told, &options);
	for (size_t i = 0; !err && i < options.vec.len; i++)
		ora_command_take(&add_variant(&all, options.vec.data[i])->flags,
			opposite(options.vec.data[i]));
	if (!err)
		err = ask_variants(culprit, ORA_CULPRIT_OPTION, &all);
	if (!err && options.vec.len && !has_culprit(culprit)) {
		phase(culprit, "searching a set of options");
		err = find_set(culprit, &options);
	}
	variants_deinit(&all);
	ora_command_deinit(&options);
	return err;
}

/* How many transformations of a counter it takes. With none it is gone. */
static struct xs_error *find_count(struct ora_culprit *culprit, const char *name)
{
	enum { MOST = 1 << 20 };
	XS_AUTO_FREE char *pattern = xs_asprintf("-fdbg-cnt=%s:", name);
	struct limit limit = {culprit, NULL, pattern};
	const struct ora_search search = {ask_limits, &limit, culprit->asker.jobs};
	uint64_t low = 0, high = 1, number = 0;
	enum ora_case_end end = ORA_CASE_UNFIT;
	struct xs_error *err = ask_limits(&limit, &high, 1, &end);
	while (!err && end != ORA_CASE_FOUND && high < MOST) {
		low = end == ORA_CASE_GONE ? high : low;
		high *= 2;
		err = ask_limits(&limit, &high, 1, &end);
	}
	if (!err && end == ORA_CASE_FOUND &&
		!(err = ora_search_least(&search, low, high, &number, &end)))
		add_row(culprit, (struct ora_culprit_row){.kind = ORA_CULPRIT_COUNTER,
					 .name = xs_strdup(name),
					 .number = number,
					 .end = end,
					 .why = no_end(end)});
	return err;
}

static struct xs_error *find_counters(struct ora_culprit *culprit)
{
	static const char *const words[] = {"-fdbg-cnt-list", NULL};
	struct ora_command counters = {0};
	XS_AUTO_FREE char *told = NULL;
	phase(culprit, "switching counted transformations off");
	struct xs_error *err = ask_compiler(culprit, words, true, &told);
	if (!err)
		ora_culprit_counters(told, &counters);
	size_t count = counters.vec.len;
	struct ora_asked *asked = xs_calloc(count ? count : 1, sizeof *asked);
	struct ora_command *flags = xs_calloc(count ? count : 1, sizeof *flags);
	for (size_t i = 0; i < count; i++) {
		ora_command_take(&flags[i], xs_asprintf("-fdbg-cnt=%s:0", counters.vec.data[i]));
		asked[i].change.flags = &flags[i];
	}
	if (!err)
		err = ora_asker_ask(&culprit->asker, asked, count);
	for (size_t i = 0; i < count; i++) {
		if (!err && asked[i].end == ORA_CASE_GONE)
			err = find_count(culprit, counters.vec.data[i]);
		free(asked[i].why);
		ora_command_deinit(&flags[i]);
	}
	free(asked);
	free(flags);
	ora_command_deinit(&counters);
	return err;
}

/* --- levels, debug options, versions ---------------------------------------------------------- */

static struct xs_error *try_levels(struct ora_culprit *culprit)
{
	static const char *const levels[] = {"-O0", "-O1", "-O2", "-O3", "-Os", "-Og", "-Oz", NULL};
	struct variants all = {0};
	phase(culprit, "asking at other levels");
	for (size_t i = 0; levels[i]; i++) {
		/* The oracles that compare with -O0 ask nothing about it. */
		if (culprit->asker.one->oracle->need == ORA_NEEDS_TWO &&
			!strcmp(levels[i], ORA_UNOPTIMISED))
			continue;
		add_variant(&all, levels[i])->level = levels[i];
	}
	struct xs_error *err = ask_variants(culprit, ORA_CULPRIT_LEVEL, &all);
	variants_deinit(&all);
	return err;
}

static struct xs_error *try_debug(struct ora_culprit *culprit)
{
	static const char *const of_gcc[] = {"-fno-var-tracking-assignments", "-fno-var-tracking",
		"-gno-statement-frontiers", "-gno-variable-location-views", "-gno-inline-points",
		"-gdwarf-4", "-gstrict-dwarf", "-flto", NULL};
	static const char *const of_clang[] = {
		"-mllvm -experimental-debug-variable-locations=false", "-gdwarf-4",
		"-gno-column-info", "-flto -fuse-ld=lld", NULL};
	struct variants all = {0};
	phase(culprit, "asking with other debug options");
	for (const char *const *one = culprit->gcc ? of_gcc : of_clang; *one; one++)
		ora_command_split(&add_variant(&all, *one)->flags, *one);
	struct xs_error *err = ask_variants(culprit, ORA_CULPRIT_DEBUG, &all);
	variants_deinit(&all);
	return err;
}

/* All of a family on PATH: gcc-9 to gcc-30. */
static void find_family(const char *family, struct ora_command *ret)
{
	enum { FIRST = 9, LAST = 30 };
	for (unsigned version = FIRST; version <= LAST; version++) {
		XS_AUTO_FREE char *name = xs_asprintf("%s-%u", family, version);
		char *path = xs_path_find(name);
		if (path)
			ora_command_take(ret, path);
	}
}

static struct xs_error *try_compilers(struct ora_culprit *culprit)
{
	struct ora_command paths = {0};
	struct variants all = {0};
	phase(culprit, "asking with other compilers");
	find_family("gcc", &paths);
	find_family("clang", &paths);
	for (size_t i = 0; i < paths.vec.len; i++)
		add_variant(&all, xs_base_name(paths.vec.data[i]))->compiler = paths.vec.data[i];
	struct xs_error *err = ask_variants(culprit, ORA_CULPRIT_COMPILER, &all);
	variants_deinit(&all);
	ora_command_deinit(&paths);
	return err;
}

static struct xs_error *try_debuggers(struct ora_culprit *culprit)
{
	const struct ora_case *one = culprit->asker.one;
	struct ora_command names = {0}, witnesses = {0};
	struct variants all = {0};
	/* The one that is wrong is exchanged; without it there is nobody to be wrong. */
	bool gdb = !strcmp(one->wrong, "gdb"), lldb = !strcmp(one->wrong, "lldb");
	if (!one->oracle->debuggers || (!gdb && !lldb))
		return NULL;
	phase(culprit, "asking other debuggers");
	if (gdb) {
		ora_command_add(&names, "gdb", NULL);
	} else {
		struct ora_command paths = {0};
		find_family("lldb", &paths);
		for (size_t i = 0; i < paths.vec.len; i++)
			ora_command_take(&names, xs_asprintf("lldb@%s", paths.vec.data[i]));
		ora_command_deinit(&paths);
	}
	for (size_t i = 0; i < culprit->debuggers.vec.len; i++)
		if (!strncmp(culprit->debuggers.vec.data[i], one->wrong, strlen(one->wrong)))
			ora_command_add(&names, culprit->debuggers.vec.data[i], NULL);
	for (size_t i = 0; i < names.vec.len; i++)
		ora_command_take(&witnesses,
			xs_asprintf("xstep,%s,%s", names.vec.data[i], gdb ? "lldb" : "gdb"));
	for (size_t i = 0; i < names.vec.len; i++)
		add_variant(&all, names.vec.data[i])->witness = witnesses.vec.data[i];
	struct xs_error *err = ask_variants(culprit, ORA_CULPRIT_DEBUGGER, &all);
	variants_deinit(&all);
	ora_command_deinit(&names);
	ora_command_deinit(&witnesses);
	return err;
}

/* --- all of it -------------------------------------------------------------------------------- */

struct xs_error *ora_culprit(struct ora_culprit *culprit)
{
	struct xs_error *err = NULL;
	bool plain = !strcmp(culprit->asker.one->level, ORA_UNOPTIMISED);
	if (culprit->passes && !plain && culprit->gcc) {
		if (!(err = find_options(culprit)))
			err = find_counters(culprit);
	} else if (culprit->passes && !plain) {
		err = find_pass(culprit);
	}
	if (!err)
		err = ora_culprit_where(culprit);
	if (!err && !culprit->only_passes)
		err = try_levels(culprit);
	if (!err && !culprit->only_passes)
		err = try_debug(culprit);
	if (!err && culprit->versions && !(err = try_compilers(culprit)))
		err = try_debuggers(culprit);
	return err;
}

bool ora_culprit_want(const struct ora_culprit *culprit, struct ora_case *one)
{
	struct ora_command names = {0};
	const struct ora_culprit_row *row = NULL;
	for (size_t i = 0; !row && i < culprit->rows.len; i++)
		if (ora_culprit_is_one(&culprit->rows.data[i]))
			row = &culprit->rows.data[i];
	if (row && row->kind == ORA_CULPRIT_PASS) {
		one->pass = xs_asprintf(
			"%s%s%s", row->name, row->on ? " on " : "", row->on ? row->on : "");
		one->pass_turn = row->turn;
	} else if (row && row->kind == ORA_CULPRIT_COUNTER) {
		/* In another source the transformation has another number. */
		ora_command_take(&one->without, xs_asprintf("-fdbg-cnt=%s:0", row->name));
	} else if (row) {
		ora_command_split(&names, row->name);
		for (size_t i = 0; i < names.vec.len; i++)
			ora_command_take(&one->without, opposite(names.vec.data[i]));
	}
	ora_command_deinit(&names);
	return row != NULL;
}

void ora_culprit_deinit(struct ora_culprit *culprit)
{
	for (size_t i = 0; i < culprit->rows.len; i++) {
		free(culprit->rows.data[i].name);
		free(culprit->rows.data[i].on);
		free(culprit->rows.data[i].why);
		free(culprit->rows.data[i].pass);
		free(culprit->rows.data[i].dump);
	}
	xs_vec_deinit(&culprit->rows);
}
