/* check_opt.c - an optimised program against the same source unoptimised, step by line (Debug2).
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
#include "oracle/check/reference.h"

#include "base/path.h"
#include "dwarf/scope.h"
#include "dwarf/variable.h"

enum { TEXTS_SHOWN = ORA_REFERENCE_TEXTS }; /* of backtraces or variables, for print */

static const struct ora_check_rule li = {
	"LI", "a line that the optimised program steps on is executed in the unoptimised one"};
static const struct ora_check_rule bi = {"BI",
	"at a line, the functions of a backtrace are those of one in the unoptimised program"};
static const struct ora_check_rule si = {
	"SI", "a variable listed at a line is listed there in the unoptimised program"};
static const struct ora_check_rule pi = {
	"PI", "a parameter has only values that it has in the unoptimised program"};
/* --- OPT -------------------------------------------------------------------------------------- */

struct pair {
	struct ora_check_opt *opt;
	struct ora_reference *unopt;
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

/* LI. */
static void check_line(const struct pair *pair)
{
	const struct ora_scene *scene = pair->scene;
	struct ora_check_opt *opt = pair->opt;
	bool begins = scene->statement_line, fresh;
	const char *file = begins ? scene->statement_file : scene->file;
	uint32_t number = begins ? scene->statement_line : scene->line;
	if (ora_reference_executes(pair->unopt, file, number))
		return;
	bool silent = !ora_reference_has_code(pair->unopt, file, number);
	bool part = ora_reference_line(pair->unopt, file, number) &&
		    src_extent_is_certain(&pair->unopt->extents, file, number);
	if ((silent || part) && !opt->parts) {
		uint64_t *known = xs_map_at(&pair->unopt->aside, ora_line_hash(file, number), 0);
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
static char *backtraces_text(const struct ora_reference_line *line)
{
	char *ret = NULL;
	size_t size;
	FILE *out = open_memstream(&ret, &size);
	xs_assert(out);
	for (size_t i = 0; i < line->backtraces.len && i < TEXTS_SHOWN; i++)
		fprintf(out, "%s%s", i ? " | " : "", line->backtraces.data[i].text);
	if (line->backtraces.len > TEXTS_SHOWN)
		fprintf(out, " | %zu more", line->backtraces.len - TEXTS_SHOWN);
	xs_assert(!fclose(out));
	return ret;
}

/* The first function of the backtrace that UNOPT never has there, to be freed; NULL: each by itself
 * is. */
static char *foreign(const struct ora_reference_line *line, const struct ora_told *told)
{
	for (size_t i = 0; i < told->frames.len; i++) {
		char *name = ora_bare_function(told->frames.data[i].function);
		bool known = !name;
		for (size_t k = 0; !known && k < line->backtraces.len; k++)
			known = ora_names_have(&line->backtraces.data[k], xs_hash_text(4, name));
		if (!known)
			return name;
		free(name);
	}
	return NULL;
}

/* False if a frame is there that does not belong. */
static bool check_backtrace(const struct pair *pair, const struct ora_reference_line *line)
{
	const struct ora_scene *scene = pair->scene;
	struct ora_names names = ora_names_of(scene->told);
	bool fine = false, fresh;
	for (size_t i = 0; !fine && i < line->backtraces.len; i++)
		fine = ora_names_are_within(&names, &line->backtraces.data[i]);
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
	ora_names_deinit(&names);
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

static void check_scope(const struct pair *pair, const struct ora_reference_line *line,
	const struct ora_scene_variable *variable)
{
	const uint64_t *steps =
		xs_map_find(&line->listed, ora_variable_hash(variable->variable), 0);
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
		if (ora_scene_is_listed(variable) && ++count <= TEXTS_SHOWN)
			fprintf(out, "%s%s", count == 1 ? "lists " : ", ",
				variable->variable->name);
	if (count > TEXTS_SHOWN)
		fprintf(out, " and %zu more", count - TEXTS_SHOWN);
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
static char *values_text(const struct ora_reference_leaf *leaf)
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
	struct ora_reference *unopt = pair->unopt;
	const struct ora_scene *scene = pair->scene;
	uint64_t key = ora_leaf_hash(variable->variable, leaf->path);
	const uint64_t *index = xs_map_find(&unopt->leaf_index, key, 0);
	const struct ora_reference_leaf *known = index ? &unopt->leaves.data[*index - 1] : NULL;
	bool fresh;
	if (!known || (known->opaque && leaf->type && strchr(leaf->type, '*')))
		return;
	XS_AUTO_FREE char *value =
		ora_comparable(pair->opt->check->verdicts.module, leaf->type, leaf->value);
	if (!value || xs_map_find(&unopt->values, key, xs_hash_text(0, value)) ||
		xs_map_find(&unopt->changes, key,
			ora_reference_statement(unopt, scene->file, scene->line)))
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
	const struct ora_reference_line *line =
		scene->line ? ora_reference_line(pair->unopt, scene->file, scene->line) : NULL;
	if (scene->line)
		check_line(pair);
	bool foreign_line =
		line && !xs_map_find(&line->functions, ora_function_hash(scene->function), 0);
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
		*xs_map_at(&seen, ora_line_hash(scene.file, scene.line), 0) = 1;
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
		struct ora_reference unopt = {0};
		struct pair pair = {.opt = opt, .unopt = &unopt, .unopt_trace = i};
		if (strcmp(check->roles[i], "unopt"))
			continue;
		pair.opt_trace = ora_check_role(check, i, "opt");
		err = ora_reference_take(check, i, &unopt);
		if (!err && opt->executed && unopt.module)
			err = ora_reference_take_executed(check, opt->executed, &unopt);
		if (!err)
			err = check_pair(&pair);
		ora_reference_deinit(&unopt);
	}
	return err;
}
