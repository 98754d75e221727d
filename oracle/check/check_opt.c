/* check_opt.c - an optimised program against the same source unoptimised, step by line (Debug2).
 *
 * A line is a file, without its folder, and a number.
 *
 * LI  A line stepped on in OPT is executed in UNOPT: the line of the statement that begins there,
 *     as debuggers show it, or the line of the pc if none does. Line 0 is none. Executed is a line
 *     of which UNOPT executes some code, by its line table, whether it has an is_stmt row or not.
 *     The opening line of a function that UNOPT stepped in counts, too: both skip the prologue, but
 *     not at the same place.
 *     UNOPT cannot be asked about a line that it has no code for: `do {`, a line in the midst of a
 *     statement, an inline function that is there only if there is optimisation. Nor about a line
 *     of a statement on several lines that is executed whenever the statement is
 *     (source/extent.h). These are set aside. For BI and SI, all lines of a statement are one.
 *
 * BI  At a line that both step on, the functions of a backtrace in OPT are, as a set, contained in
 *     some backtrace of UNOPT at that line. The first stop, before the prologue of main, is where
 *     steps begin and no step: nothing is asked of OPT there.
 *
 * SI  At a line that both step on, a variable listed in OPT (in whatever state) is listed in some
 *     step of UNOPT there; strict: in every one. Function, name and declaration line tell variables
 *     apart. A variable that is not declared yet counts as listed in UNOPT and as not listed in
 *     OPT. Unless strict, nothing is asked at the line of its declaration, on which whole blocks
 *     may be: macros have such. Where the frame is of a function that never has that line, all its
 *     variables are one violation, or none if the frame is a violation of BI already.
 *
 * PI  A leaf of a parameter that has a value in OPT has that value some time in UNOPT, seen from
 *     whatever frame. Pointers count as null or as a symbol and an offset, where all have one.
 *     PI is not asked at a function's first instruction: what is in memory is not there yet. Nor is
 *     it asked at a statement that, stepped over in UNOPT, changes the parameter: within the
 *     statement the parameter may have had any value. */
#include <dwarf.h>

#include "dwarf/scope.h"
#include "base/path.h"
#include "dwarf/symbol.h"
#include "dwarf/variable.h"
#include "oracle/check/check.h"
#include "source/extent.h"

enum { TEXTS_KEPT = 6 }; /* of the values or backtraces of UNOPT, for print */

static const struct ora_check_rule li = {
	"LI", "a line that the optimised program steps on is executed in the unoptimised one"};
static const struct ora_check_rule bi = {"BI",
	"at a line, the functions of a backtrace are those of one in the unoptimised program"};
static const struct ora_check_rule si = {
	"SI", "a variable listed at a line is listed there in the unoptimised program"};
static const struct ora_check_rule pi = {
	"PI", "a parameter has only values that it has in the unoptimised program"};

/* A set of names, by their hashes in ascending order. */
struct names {
	XS_VEC(uint64_t) vec;
	char *text; /* innermost first */
};

/* What UNOPT says at a line, or at the lines of a statement on several. */
struct line {
	uint64_t steps;
	XS_VEC(struct names) backtraces; /* different ones */
	struct xs_map listed;            /* variable -> steps */
	struct xs_map functions;         /* innermost ones -> 1 */
};

/* The values of a leaf in UNOPT. */
struct leaf {
	XS_VEC(char *) texts; /* the first of them */
	size_t values;        /* different ones */
	bool opaque;          /* a pointer without a name was among them */
};

struct unopt {
	struct di_module *module;
	struct xs_map line_index; /* first line of a statement -> index, plus 1 */
	XS_VEC(struct line) lines;
	struct xs_map stepped;  /* lines -> 1 */
	struct xs_map executed; /* likewise; empty if that is not known */
	struct src_extents extents;
	struct xs_map rows;       /* lines of the line table -> 1; made when it is needed */
	struct xs_map aside;      /* lines of OPT that were set aside -> 1 */
	struct xs_map opening;    /* lines that functions open at -> 1 */
	struct xs_map functions;  /* entries seen -> 1 */
	struct xs_map leaf_index; /* (function, path) -> index, plus 1 */
	XS_VEC(struct leaf) leaves;
	struct xs_map values;  /* (leaf, value) -> 1 */
	struct xs_map changes; /* (leaf, statement at which it was changed) -> 1 */
	XS_VEC(uint64_t) last; /* statements of the step before, by depth, the outermost first */
};

static uint64_t hash_line(const char *file, uint32_t line)
{
	return xs_mix(xs_hash_text(1, xs_base_name(file)) ^ line);
}

static uint64_t hash_function(const char *name)
{
	XS_AUTO_FREE char *bare = ora_bare_function(name);
	return xs_hash_text(4, bare);
}

static uint64_t hash_variable(const struct ora_store_variable *variable)
{
	XS_AUTO_FREE char *function = ora_bare_function(variable->scope);
	return xs_mix(xs_hash_text(xs_hash_text(2, function), variable->name) ^ variable->line);
}

static uint64_t hash_leaf(const struct ora_store_variable *variable, const char *path)
{
	XS_AUTO_FREE char *function = ora_bare_function(variable->scope);
	return xs_hash_text(xs_hash_text(xs_hash_text(3, function), variable->name), path);
}

/* --- backtraces ------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
	return left < right ? -1 : left > right;
}

static struct names names_of(const struct ora_told *told)
{
	struct names ret = {0};
	size_t size, count = 0;
	FILE *out = open_memstream(&ret.text, &size);
	xs_assert(out);
	for (size_t i = 0; i < told->frames.len; i++) {
		XS_AUTO_FREE char *name = ora_bare_function(told->frames.data[i].function);
		uint64_t hash = xs_hash_text(4, name);
		bool known = !name;
		for (size_t k = 0; !known && k < ret.vec.len; k++)
			known = ret.vec.data[k] == hash;
		if (known)
			continue;
		fprintf(out, "%s%s", count++ ? " < " : "", name);
		xs_vec_push(&ret.vec, hash);
	}
	xs_assert(!fclose(out));
	if (ret.vec.len)
		qsort(ret.vec.data, ret.vec.len, sizeof *ret.vec.data, by_number);
	return ret;
}

static void names_deinit(struct names *names)
{
	xs_vec_deinit(&names->vec);
	free(names->text);
}

static bool has_name(const struct names *names, uint64_t hash)
{
	return names->vec.len &&
	       bsearch(&hash, names->vec.data, names->vec.len, sizeof *names->vec.data, by_number);
}

/* Whether all names of a are in b. */
static bool is_subset(const struct names *a, const struct names *b)
{
	for (size_t i = 0; i < a->vec.len; i++)
		if (!has_name(b, a->vec.data[i]))
			return false;
	return true;
}

/* --- values ----------------------------------------------------------------------------------- */

/* A value as it can be compared between two programs, to be freed; NULL if it cannot. */
static char *comparable(struct di_module *module, const char *type, const char *value)
{
	bool pointer = type && strchr(type, '*') && !strncmp(value, "0x", 2);
	uint64_t offset, bias;
	if (!pointer)
		return strncmp(value, "0x", 2) ? xs_strdup(value) : NULL;
	xs_addr address = strtoull(value, NULL, 16);
	if (!address || !module)
		return address ? NULL : xs_strdup("null");
	if (!di_module_position(module, &bias))
		return NULL;
	const char *name = di_symbol_at(module, address - bias, &offset);
	/* `table.0` in one is `table.1` in another. */
	return name ? xs_asprintf("&%.*s+%" PRIu64, (int)strcspn(name, "."), name, offset) : NULL;
}

/* --- UNOPT ------------------------------------------------------------------------------------ */

static struct line *find_line(struct unopt *unopt, const char *file, uint32_t number)
{
	uint32_t first = src_extent_first(&unopt->extents, file, number);
	const uint64_t *index = xs_map_find(&unopt->line_index, hash_line(file, first), 0);
	return index && *index ? &unopt->lines.data[*index - 1] : NULL;
}

static uint64_t hash_statement(struct unopt *unopt, const char *file, uint32_t line)
{
	return hash_line(file, src_extent_first(&unopt->extents, file, line));
}

static void take_value(struct unopt *unopt, const struct ora_told_fact *fact)
{
	if (fact->state != ORA_STATE_VALUE || !fact->value || !fact->depth)
		return;
	uint64_t key = hash_leaf(fact->variable, fact->path);
	/* Told because it is another one than before. */
	if (fact->depth <= unopt->last.len)
		*xs_map_at(&unopt->changes, key, unopt->last.data[fact->depth - 1]) = 1;
	XS_AUTO_FREE char *value = comparable(unopt->module, fact->type, fact->value);
	uint64_t *index = xs_map_at(&unopt->leaf_index, key, 0);
	if (!*index) {
		xs_vec_push(&unopt->leaves, (struct leaf){0});
		*index = unopt->leaves.len;
	}
	struct leaf *leaf = &unopt->leaves.data[*index - 1];
	leaf->opaque |= !value;
	uint64_t *known = value ? xs_map_at(&unopt->values, key, xs_hash_text(0, value)) : NULL;
	if (!value || *known)
		return;
	*known = 1;
	leaf->values++;
	if (leaf->texts.len < TEXTS_KEPT)
		xs_vec_push(&leaf->texts, xs_strdup(value));
}

static void take_opening(struct unopt *unopt, const struct ora_store_place *place)
{
	if (!place->function || place->module || !unopt->module)
		return;
	xs_addr entry = place->address - (uint64_t)place->offset;
	uint64_t *seen = xs_map_at(&unopt->functions, entry, 0);
	const struct di_row *row = *seen ? NULL : di_lines_find(&unopt->module->lines, entry);
	*seen = 1;
	if (!row)
		return;
	*xs_map_at(&unopt->opening, hash_line(di_lines_file(&unopt->module->lines, row), row->line),
		0) = 1;
	/* Its name and its brace may be on different lines. */
	const struct di_function *function =
		di_functions_find_debug(unopt->module->functions, entry);
	Dwarf_Die die = function ? function->die : (Dwarf_Die){0};
	int line = 0;
	if (function && !dwarf_decl_line(&die, &line)) {
		di_scopes_at(unopt->module, entry); /* which keep the names of files */
		const char *file = di_die_file(unopt->module, &die, DW_AT_decl_file);
		*xs_map_at(&unopt->opening, hash_line(file, (uint32_t)line), 0) = 1;
	}
}

static void take_step(struct unopt *unopt, const struct ora_scene *scene)
{
	const struct ora_told *told = scene->told;
	for (size_t i = 0; i < told->facts.len; i++)
		take_value(unopt, &told->facts.data[i]);
	unopt->last.len = 0;
	for (size_t i = told->frames.len; i-- > 0;)
		xs_vec_push(&unopt->last, hash_statement(unopt, told->frames.data[i].file,
						  told->frames.data[i].line));
	take_opening(unopt, told->place);
	if (!scene->line)
		return;
	uint32_t first = src_extent_first(&unopt->extents, scene->file, scene->line);
	uint64_t *index = xs_map_at(&unopt->line_index, hash_line(scene->file, first), 0);
	*xs_map_at(&unopt->stepped, hash_line(scene->file, scene->line), 0) = 1;
	if (!*index) {
		xs_vec_push(&unopt->lines, (struct line){0});
		*index = unopt->lines.len;
	}
	struct line *line = &unopt->lines.data[*index - 1];
	line->steps++;
	*xs_map_at(&line->functions, hash_function(scene->function), 0) = 1;
	const struct ora_scene_variable *variable;
	for (size_t i = 0; (variable = ora_scene_variable(scene, i)); i++)
		if (variable->live)
			++*xs_map_at(&line->listed, hash_variable(variable->variable), 0);
	struct names names = names_of(told);
	bool known = false;
	for (size_t i = 0; !known && i < line->backtraces.len; i++)
		known = names.vec.len == line->backtraces.data[i].vec.len &&
			is_subset(&names, &line->backtraces.data[i]);
	if (known)
		names_deinit(&names);
	else
		xs_vec_push(&line->backtraces, names);
}

static struct xs_error *take_unopt(const struct ora_check *check, size_t trace, struct unopt *unopt)
{
	if (!check->changed[trace])
		xs_error_destroy(
			di_module_open(check->traces[trace]->subject.path, &unopt->module));
	struct ora_scene scene = ora_check_scene(check, trace, unopt->module);
	struct xs_error *err;
	while (!(err = ora_scene_next(&scene)) && scene.told)
		take_step(unopt, &scene);
	ora_scene_deinit(&scene);
	return err;
}

/* All rows at the address of a pc's row are executed with it. */
static void take_executed_at(struct unopt *unopt, xs_addr pc)
{
	const struct di_lines *lines = &unopt->module->lines;
	const struct di_row *last = di_lines_find(lines, pc);
	for (const struct di_row *row = last; row && row >= lines->rows.data &&
					      row->address == last->address && !row->end_sequence;
		row--)
		if (row->line)
			*xs_map_at(&unopt->executed,
				hash_line(di_lines_file(lines, row), row->line), 0) = 1;
}

static struct xs_error *take_executed(
	const struct ora_check *check, uint64_t trace, struct unopt *unopt)
{
	XS_AUTO(ora_reader) reader = NULL;
	const struct ora_told *told = NULL;
	struct xs_error *err = ora_reader_create(check->store, trace, &reader);
	while (!err && !(err = ora_reader_next(reader, &told)) && told)
		if (!told->place->module)
			take_executed_at(unopt, told->place->address);
	return err;
}

static void unopt_deinit(struct unopt *unopt)
{
	for (size_t i = 0; i < unopt->lines.len; i++) {
		struct line *line = &unopt->lines.data[i];
		for (size_t k = 0; k < line->backtraces.len; k++)
			names_deinit(&line->backtraces.data[k]);
		xs_vec_deinit(&line->backtraces);
		xs_map_deinit(&line->listed);
		xs_map_deinit(&line->functions);
	}
	for (size_t i = 0; i < unopt->leaves.len; i++) {
		for (size_t k = 0; k < unopt->leaves.data[i].texts.len; k++)
			free(unopt->leaves.data[i].texts.data[k]);
		xs_vec_deinit(&unopt->leaves.data[i].texts);
	}
	xs_vec_deinit(&unopt->lines);
	xs_vec_deinit(&unopt->leaves);
	xs_map_deinit(&unopt->line_index);
	xs_map_deinit(&unopt->stepped);
	xs_map_deinit(&unopt->executed);
	xs_map_deinit(&unopt->aside);
	xs_map_deinit(&unopt->rows);
	src_extents_deinit(&unopt->extents);
	xs_map_deinit(&unopt->opening);
	xs_map_deinit(&unopt->functions);
	xs_map_deinit(&unopt->leaf_index);
	xs_map_deinit(&unopt->values);
	xs_map_deinit(&unopt->changes);
	xs_vec_deinit(&unopt->last);
	di_module_destroy(unopt->module);
}

/* --- OPT -------------------------------------------------------------------------------------- */

struct pair {
	struct ora_check_opt *opt;
	struct unopt *unopt;
	const struct ora_scene *scene; /* of OPT */
	size_t unopt_trace, opt_trace;
};

static size_t violate(const struct pair *pair, struct ora_violation violation, bool *fresh)
{
	violation.told = pair->scene->told;
	if (!violation.file) {
		violation.file = pair->scene->file;
		violation.line = pair->scene->line;
	}
	violation.function = pair->scene->function;
	return ora_check_violate(pair->opt->check, pair->opt_trace, &violation, fresh);
}

static void say(const struct pair *pair, size_t violation, enum ora_state state, const char *unopt,
	enum ora_state other, const char *opt)
{
	ora_check_say(pair->opt->check, violation, pair->unopt_trace, state, unopt);
	ora_check_say(pair->opt->check, violation, pair->opt_trace, other, opt);
}

/* Whether UNOPT executes a line, or opens a function there. */
static bool has_line(const struct unopt *unopt, const char *file, uint32_t line)
{
	uint64_t hash = hash_line(file, line);
	return xs_map_find(&unopt->stepped, hash, 0) || xs_map_find(&unopt->executed, hash, 0) ||
	       xs_map_find(&unopt->opening, hash, 0);
}

/* Whether UNOPT has code for a line, by its line table. */
static bool has_code(struct unopt *unopt, const char *file, uint32_t line)
{
	const struct di_lines *lines = unopt->module ? &unopt->module->lines : NULL;
	bool known = unopt->rows.len;
	if (lines && !known)
		di_lines_keep_all(lines);
	for (size_t i = 0; lines && !known && i < lines->rows.len; i++) {
		const struct di_row *row = &lines->rows.data[i];
		const char *name = di_lines_file(lines, row);
		if (name && !row->end_sequence)
			*xs_map_at(&unopt->rows, hash_line(name, row->line), 0) = 1;
	}
	return !lines || xs_map_find(&unopt->rows, hash_line(file, line), 0);
}

/* LI. */
static void check_line(const struct pair *pair)
{
	const struct ora_scene *scene = pair->scene;
	struct ora_check_opt *opt = pair->opt;
	bool begins = scene->statement_line, fresh;
	const char *file = begins ? scene->statement_file : scene->file;
	uint32_t number = begins ? scene->statement_line : scene->line;
	if (has_line(pair->unopt, file, number))
		return;
	bool silent = !has_code(pair->unopt, file, number);
	bool part = find_line(pair->unopt, file, number) &&
		    src_extent_is_certain(&pair->unopt->extents, file, number);
	if ((silent || part) && !opt->parts) {
		uint64_t *known = xs_map_at(&pair->unopt->aside, hash_line(file, number), 0);
		opt->set_aside += !*known;
		*known = 1;
		return;
	}
	size_t violation = violate(pair,
		(struct ora_violation){.rule = &li,
			.kind = ORA_KIND_EXTRA,
			.file = file,
			.line = number,
			.why = silent ? "no-code"
			       : part ? "dead-part"
				      : "dead-line"},
		&fresh);
	say(pair, violation, ORA_STATE_VALUE,
		silent ? "has no code for this line"
		: part ? "executes other lines of this statement only"
		       : "never executes this line",
		ORA_STATE_VALUE, "steps on this line");
	if (fresh)
		ora_check_explain(opt->check, violation,
			xs_asprintf("code that is executed counts as line %u, %s", number,
				silent ? "for which the unoptimised program has no code"
				: part ? "which the unoptimised program never executes, unlike "
					 "other lines of the statement"
				       : "which the unoptimised program never executes"),
			ora_check_row(opt->check, scene->told->place));
}

/* The backtraces of a line in UNOPT, for print; to be freed. */
static char *backtraces_text(const struct line *line)
{
	char *ret = NULL;
	size_t size;
	FILE *out = open_memstream(&ret, &size);
	xs_assert(out);
	for (size_t i = 0; i < line->backtraces.len && i < TEXTS_KEPT; i++)
		fprintf(out, "%s%s", i ? " | " : "", line->backtraces.data[i].text);
	if (line->backtraces.len > TEXTS_KEPT)
		fprintf(out, " | %zu more", line->backtraces.len - TEXTS_KEPT);
	xs_assert(!fclose(out));
	return ret;
}

/* The first function of the backtrace that UNOPT never has there, to be freed; NULL: each by itself
 * is. */
static char *foreign(const struct line *line, const struct ora_told *told)
{
	for (size_t i = 0; i < told->frames.len; i++) {
		char *name = ora_bare_function(told->frames.data[i].function);
		bool known = !name;
		for (size_t k = 0; !known && k < line->backtraces.len; k++)
			known = has_name(&line->backtraces.data[k], xs_hash_text(4, name));
		if (!known)
			return name;
		free(name);
	}
	return NULL;
}

/* False if a frame is there that does not belong. */
static bool check_backtrace(const struct pair *pair, const struct line *line)
{
	const struct ora_scene *scene = pair->scene;
	struct names names = names_of(scene->told);
	bool fine = false, fresh;
	for (size_t i = 0; !fine && i < line->backtraces.len; i++)
		fine = is_subset(&names, &line->backtraces.data[i]);
	if (!fine) {
		XS_AUTO_FREE char *who = foreign(line, scene->told);
		XS_AUTO_FREE char *unopt = backtraces_text(line);
		size_t number = violate(pair,
			(struct ora_violation){.rule = &bi,
				.kind = ORA_KIND_LIE,
				.why = who ? "foreign-frame" : "foreign-combination",
				.key = who ? who : names.text},
			&fresh);
		say(pair, number, ORA_STATE_VALUE, unopt, ORA_STATE_VALUE, names.text);
		if (fresh)
			ora_check_explain(pair->opt->check, number,
				who ? xs_asprintf(
					      "code that counts as line %u is shown in a frame of "
					      "%s, which never has that line",
					      scene->line, who)
				    : xs_asprintf("line %u is shown with functions that are never "
						  "active together there",
					      scene->line),
				ora_check_row(pair->opt->check, scene->told->place));
	}
	names_deinit(&names);
	return fine;
}

static const struct di_variable *find_variable(
	const struct pair *pair, const struct ora_store_variable *variable)
{
	struct di_module *module = pair->opt->check->verdicts.module;
	const struct ora_store_place *place = pair->scene->told->place;
	if (!module || place->module)
		return NULL;
	const struct di_scopes *scopes = di_scopes_at(module, place->address);
	for (size_t i = 0; i < scopes->locals.len; i++) {
		const struct di_variable *one = scopes->locals.data[i].variable;
		if (one->line == variable->line && !strcmp(one->name, variable->name))
			return one;
	}
	return NULL;
}

static const struct ora_scene_leaf *first_leaf(const struct ora_scene_variable *variable)
{
	enum ora_state state = ora_scene_state(variable);
	size_t i = 0;
	while (variable->leaves.data[i].state != state)
		i++;
	return &variable->leaves.data[i];
}

/* Whether a variable is declared at the line of a scene: the block of it may begin and end there,
 * as those of macros do, and a step on the line is before, in or behind it. */
static bool is_declared_at(const struct ora_store_variable *variable, const struct ora_scene *scene)
{
	return variable->line == scene->line && variable->file && scene->file &&
	       !strcmp(xs_base_name(variable->file), xs_base_name(scene->file));
}

static void check_scope(
	const struct pair *pair, const struct line *line, const struct ora_scene_variable *variable)
{
	const uint64_t *steps = xs_map_find(&line->listed, hash_variable(variable->variable), 0);
	uint64_t listed = steps ? *steps : 0;
	bool fresh;
	if (pair->opt->strict ? listed == line->steps : listed > 0)
		return;
	if (!pair->opt->strict && is_declared_at(variable->variable, pair->scene))
		return;
	const struct ora_scene_leaf *leaf = first_leaf(variable);
	size_t number = violate(pair,
		(struct ora_violation){.rule = &si,
			.kind = ORA_KIND_EXTRA,
			.why = listed ? "sometimes-out-of-scope" : "out-of-scope",
			.variable = variable->variable,
			.type = leaf->type},
		&fresh);
	say(pair, number, ORA_STATE_ABSENT, NULL, leaf->state, leaf->value);
	if (fresh)
		ora_check_explain(pair->opt->check, number,
			xs_asprintf("%s is listed at line %u, where it is not%s in the unoptimised "
				    "program",
				variable->variable->name, pair->scene->line,
				listed ? " always" : ""),
			ora_check_row(pair->opt->check, pair->scene->told->place));
}

/* The frame is of a function that never has this line: everything that it lists is out of scope. */
static void check_foreign(const struct pair *pair)
{
	const struct ora_scene *scene = pair->scene;
	const struct ora_scene_variable *variable;
	size_t count = 0, size;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);
	bool fresh;
	xs_assert(out);
	for (size_t i = 0; (variable = ora_scene_variable(scene, i)); i++)
		if (ora_scene_is_listed(variable) && ++count <= TEXTS_KEPT)
			fprintf(out, "%s%s", count == 1 ? "lists " : ", ",
				variable->variable->name);
	if (count > TEXTS_KEPT)
		fprintf(out, " and %zu more", count - TEXTS_KEPT);
	fprintf(out, " of %s", scene->function ? scene->function : "?");
	xs_assert(!fclose(out));
	if (count) {
		size_t number = violate(pair,
			(struct ora_violation){
				.rule = &si, .kind = ORA_KIND_EXTRA, .why = "foreign-line"},
			&fresh);
		say(pair, number, ORA_STATE_VALUE, "lists none of these", ORA_STATE_VALUE, text);
		if (fresh)
			ora_check_explain(pair->opt->check, number,
				xs_asprintf(
					"code that counts as line %u, of another function, is not "
					"in a block of that: the variables of %s are listed",
					scene->line, scene->function ? scene->function : "?"),
				ora_check_row(pair->opt->check, scene->told->place));
	}
	free(text);
}

/* The values of a leaf in UNOPT, for print; to be freed. */
static char *values_text(const struct leaf *leaf)
{
	char *ret = NULL;
	size_t size;
	FILE *out = open_memstream(&ret, &size);
	xs_assert(out);
	for (size_t i = 0; i < leaf->texts.len; i++)
		fprintf(out, "%s%s", i ? " or " : "", leaf->texts.data[i]);
	if (leaf->values > leaf->texts.len)
		fprintf(out, " or %zu more", leaf->values - leaf->texts.len);
	xs_assert(!fclose(out));
	return ret;
}

static void check_value(const struct pair *pair, const struct ora_scene_variable *variable,
	const struct ora_scene_leaf *leaf)
{
	struct unopt *unopt = pair->unopt;
	const struct ora_scene *scene = pair->scene;
	uint64_t key = hash_leaf(variable->variable, leaf->path);
	const uint64_t *index = xs_map_find(&unopt->leaf_index, key, 0);
	const struct leaf *known = index ? &unopt->leaves.data[*index - 1] : NULL;
	bool fresh;
	if (!known || (known->opaque && leaf->type && strchr(leaf->type, '*')))
		return;
	XS_AUTO_FREE char *value =
		comparable(pair->opt->check->verdicts.module, leaf->type, leaf->value);
	if (!value || xs_map_find(&unopt->values, key, xs_hash_text(0, value)) ||
		xs_map_find(&unopt->changes, key, hash_statement(unopt, scene->file, scene->line)))
		return;
	XS_AUTO_FREE char *values = values_text(known);
	size_t number = violate(pair,
		(struct ora_violation){.rule = &pi,
			.kind = ORA_KIND_LIE,
			.why = "foreign-value",
			.variable = variable->variable,
			.path = leaf->path,
			.type = leaf->type},
		&fresh);
	say(pair, number, ORA_STATE_VALUE, values, ORA_STATE_VALUE, value);
	if (fresh)
		ora_check_explain(pair->opt->check, number,
			xs_asprintf("%s has a value that it never has in the unoptimised program",
				leaf->path),
			NULL);
}

static void check_step(const struct pair *pair)
{
	const struct ora_scene *scene = pair->scene;
	const struct ora_scene_variable *variable;
	const struct line *line =
		scene->line ? find_line(pair->unopt, scene->file, scene->line) : NULL;
	if (scene->line)
		check_line(pair);
	bool foreign_line =
		line && !xs_map_find(&line->functions, hash_function(scene->function), 0);
	if (line && check_backtrace(pair, line) && foreign_line)
		check_foreign(pair);
	for (size_t i = 0; (variable = ora_scene_variable(scene, i)); i++) {
		if (!variable->live)
			continue;
		if (line && !foreign_line && ora_scene_is_listed(variable))
			check_scope(pair, line, variable);
		const struct di_variable *one = find_variable(pair, variable->variable);
		bool entered = scene->told->place->offset || !scene->told->place->function;
		for (size_t k = 0; one && one->parameter && entered && k < variable->leaves.len;
			k++) {
			const struct ora_scene_leaf *leaf = &variable->leaves.data[k];
			if (leaf->state == ORA_STATE_VALUE && leaf->value && !leaf->unstable)
				check_value(pair, variable, leaf);
		}
	}
}

static struct xs_error *check_pair(struct pair *pair)
{
	struct ora_check *check = pair->opt->check;
	struct ora_scene scene = ora_check_scene(check, pair->opt_trace, check->verdicts.module);
	struct xs_map seen = {0};
	struct xs_error *err;
	pair->scene = &scene;
	while (!(err = ora_scene_next(&scene)) && scene.told) {
		pair->opt->steps++;
		*xs_map_at(&seen, hash_line(scene.file, scene.line), 0) = 1;
		if (scene.told->number > 1)
			check_step(pair);
	}
	pair->opt->lines += seen.len;
	xs_map_deinit(&seen);
	ora_scene_deinit(&scene);
	return err;
}

struct xs_error *ora_check_opt(struct ora_check_opt *opt)
{
	struct ora_check *check = opt->check;
	struct xs_error *err = NULL;
	for (size_t i = 0; !err && i < check->count; i++) {
		struct unopt unopt = {0};
		struct pair pair = {.opt = opt, .unopt = &unopt, .unopt_trace = i};
		if (strcmp(check->roles[i], "unopt"))
			continue;
		pair.opt_trace = ora_check_role(check, i, "opt");
		err = take_unopt(check, i, &unopt);
		if (!err && opt->executed && unopt.module)
			err = take_executed(check, opt->executed, &unopt);
		if (!err)
			err = check_pair(&pair);
		unopt_deinit(&unopt);
	}
	return err;
}
