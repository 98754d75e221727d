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
 *     (source/extent.h). These are left. For BI and SI, all lines of a statement are one.
 *     The line is the producer's if a row has a statement of it begin there, whoever shows it.
 *
 * BI  At a line that both step on, the functions of a backtrace in OPT are, as a set, contained in
 *     some backtrace of UNOPT at that line.
 *
 * SI  At a line that both step on, a variable listed in OPT (in whatever state) is listed in some
 *     step of UNOPT there. Function, name and declaration line tell variables apart. A variable
 *     that is not declared yet counts as listed in UNOPT and as not listed in OPT. Nothing is asked
 *     at the line of its declaration, on which whole blocks may be: macros have such. Where the
 *     frame is of a function that never has that line, all its variables are one violation, or none
 *     if the frame is a violation of BI already.
 *     The paper's formula has it listed in *every* step of UNOPT. It is listed in some only where a
 *     block begins or ends on the line, and there a program violates the formula against itself. So
 *     arrivals are aligned: where both stop at the line equally often, it is listed at the same
 *     arrival. Who is to blame for that nobody can say, for the code of such a line is on both
 *     sides.
 *
 * PI  A leaf of a parameter or a local that has a value in OPT has that value some time in UNOPT,
 *     seen from whatever frame. Pointers count as null or as a symbol and an offset, where all have
 *     one. Floating values may be rounded otherwise (rounding.h). PI is not asked at a function's
 *     first instruction: what is in memory is not there yet.
 *     Nor is it asked at a statement that, stepped over in UNOPT, changes the leaf: within the
 *     statement it may have had any value. Where its text writes the leaf several times, as a loop
 *     on one line does, values of these are seen at no line, and nothing is asked anywhere: code
 *     may be moved.
 *     Of a local, nothing is asked at a line at which UNOPT, in any call, may not have written it
 *     (reference.h): what is in memory is nobody's value then. Elements of arrays and what is in a
 *     union are left. So are variables of functions that call setjmp() (twice.h), and LI of lines
 *     in these.
 *
 * Where the last row of an address is not of the line of the statement that begins there, what is
 * said of one line must hold at the other: UNOPT has the backtrace at neither, and so on. BI and SI
 * are not asked at the lines where a function opens: line steps skip the prologue, but not at the
 * same place.
 *
 * The first stop is where steps begin, mostly before the prologue of main, where inlined calls may
 * have begun. It is a step only if a statement of the function itself begins there. */
#include "oracle/check/left.h"
#include "oracle/check/reference.h"

#include "base/path.h"
#include "dwarf/language.h"
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
	"PI", "a variable has only values that it has in the unoptimised program"};

/* --- OPT -------------------------------------------------------------------------------------- */

/* The steps of OPT on a line, or on the lines of a statement. */
struct line_hits {
	uint64_t line; /* the statement, or the line itself */
	size_t arrivals;
};

struct pair {
	struct ora_check_opt *opt;
	struct ora_reference *unopt;
	const struct ora_scene *scene; /* of OPT */
	size_t unopt_trace, opt_trace;
	struct ora_tally lines, stops, variables, leaves; /* of LI, BI, SI and PI */
	struct xs_map hit_index; /* statement -> index into hit_list, plus 1 */
	XS_VEC(struct line_hits) hit_list;
	struct line_hits *hits; /* of the scene's line */
	XS_VEC(struct shown {
		const char *file;
		uint32_t line;
	})
	shown;                    /* the lines that the scene's place may be shown as */
	struct xs_map written;    /* (line, name) -> what may_be_written() found */
	struct xs_map backtraces; /* (address, backtrace) -> 1: fine */
	/* Violations that hold only if both stop at a line equally often. */
	XS_VEC(struct aligned {
		size_t violation;
		uint64_t line;
	})
	aligned;
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

/* Whether a row of the line table has a statement of that line begin at a place. */
static bool has_statement(const struct ora_check *check, const struct ora_store_place *place,
	const char *file, uint32_t line)
{
	const struct di_lines *lines =
		check->verdicts.module ? &check->verdicts.module->lines : NULL;
	const struct di_row *row =
		lines && !place->module ? di_lines_find(lines, place->address) : NULL;
	for (; row && row >= lines->rows.data && row->address == place->address &&
		!row->end_sequence;
		row--) {
		const char *name = di_lines_file(lines, row);
		if (row->is_stmt && row->line == line && name && file &&
			!strcmp(xs_base_name(name), xs_base_name(file)))
			return true;
	}
	return false;
}

/* Where code was moved to, the line of the last row is not that of the statement that begins there.
 * xstep and lldb show the one, gdb the other: what is said of one must hold at both. What a
 * debugger shows is its own choice. */
static void take_shown(struct pair *pair)
{
	const struct ora_scene *scene = pair->scene;
	const struct shown lines[] = {
		{scene->file, scene->line}, {scene->statement_file, scene->statement_line}};
	pair->shown.len = 0;
	xs_vec_push(&pair->shown, lines[0]);
	if (lines[1].line)
		xs_vec_push(&pair->shown, lines[1]);
}

/* What UNOPT says at one of them; NULL: it is never there. */
static const struct ora_reference_line *line_at(const struct pair *pair, size_t i)
{
	return ora_reference_line(pair->unopt, pair->shown.data[i].file, pair->shown.data[i].line);
}

/* Whether the statement of the scene is shown by nobody: another row follows at its address, and
 * the one before it has its line already. A debugger keeps the row where the line began. */
static bool goes_on(const struct pair *pair)
{
	const struct ora_scene *scene = pair->scene;
	const struct di_lines *lines = scene->module ? &scene->module->lines : NULL;
	xs_addr address = scene->told->place->address;
	const struct di_row *row = lines ? di_lines_find(lines, address) : NULL;
	if (!row || row->line == scene->statement_line)
		return false;
	while (row > lines->rows.data && row->address == address &&
		row->line != scene->statement_line)
		row--;
	while (row > lines->rows.data && row->address == address &&
		row->line == scene->statement_line)
		row--;
	return row->address != address && !row->end_sequence && row->line == scene->statement_line;
}

/* Whether what LI asks about is the line of the last row at the place. If not, the statement has no
 * code of its own there: gdb shows its line, lldb does not. */
static bool is_last(const struct pair *pair, uint32_t line)
{
	const struct di_module *module = pair->opt->check->verdicts.module;
	const struct ora_store_place *place = pair->scene->told->place;
	const struct di_row *row =
		module && !place->module ? di_lines_find(&module->lines, place->address) : NULL;
	if (!row || row->address != place->address || row->line == line ||
		!has_statement(pair->opt->check, place, pair->scene->file, line))
		return true;
	/* That of the code itself is dead as well. */
	return !ora_reference_executes(pair->unopt, di_lines_file(&module->lines, row), row->line);
}

/* Whether a line is the head of a loop whose body UNOPT executes. That of an endless one may have
 * code only where the loop goes round. */
static bool is_entered_loop(struct pair *pair, const char *file, uint32_t line)
{
	enum { NEAR = 10 };
	if (!src_extent_is_loop(&pair->unopt->extents, file, line))
		return false;
	for (uint32_t next = line + 1; next <= line + NEAR; next++)
		if (ora_reference_has_code(pair->unopt, file, next))
			return ora_reference_executes(pair->unopt, file, next);
	return false;
}

/* LI. */
static void check_line(struct pair *pair)
{
	const struct ora_scene *scene = pair->scene;
	struct ora_check_opt *opt = pair->opt;
	bool begins = scene->statement_line && !goes_on(pair), fresh;
	const char *file = begins ? scene->statement_file : scene->file;
	uint32_t number = begins ? scene->statement_line : scene->line;
	uint64_t unit = ora_line_hash(file, number);
	/* Where a statement goes on, gdb shows its line, and lldb that of the code. */
	bool shown =
		scene->statement_line && !begins &&
		ora_reference_executes(pair->unopt, scene->statement_file, scene->statement_line);
	if (shown || ora_reference_executes(pair->unopt, file, number)) {
		ora_tally_ask(&pair->lines, unit);
		return;
	}
	if (ora_reference_is_twice(pair->unopt, scene->function)) {
		ora_tally_leave(&pair->lines, unit, ORA_LEFT_TWICE);
		return;
	}
	bool silent = !ora_reference_has_code(pair->unopt, file, number);
	bool part = (ora_reference_line(pair->unopt, file, number) &&
			    src_extent_is_certain(&pair->unopt->extents, file, number)) ||
		    is_entered_loop(pair, file, number);
	if ((silent || part) && !opt->parts) {
		ora_tally_leave(&pair->lines, unit, silent ? ORA_LEFT_NO_CODE : ORA_LEFT_PART);
		return;
	}
	ora_tally_ask(&pair->lines, unit);
	size_t violation = violate(pair,
		(struct ora_violation){.rule = &li,
			.kind = ORA_KIND_EXTRA,
			.file = file,
			.line = number,
			.evident = has_statement(opt->check, scene->told->place, file, number),
			.why = silent                  ? "no-code"
			       : part                  ? "dead-part"
			       : is_last(pair, number) ? "dead-line"
						       : "dead-marker"},
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

/* Whether UNOPT has all these functions together at one of the lines. */
static bool has_backtrace(const struct pair *pair, const struct ora_names *names)
{
	for (size_t k = 0; k < pair->shown.len; k++) {
		const struct ora_reference_line *one = line_at(pair, k);
		for (size_t i = 0; one && i < one->backtraces.len; i++)
			if (ora_names_are_within(names, &one->backtraces.data[i]))
				return true;
	}
	return false;
}

/* Where the innermost caller is that does not go with what it is said to have called: one
 * violation, whatever is called from there. To be freed; NULL: there is none. */
static char *find_caller(const struct pair *pair)
{
	struct ora_told inner = *pair->scene->told;
	size_t count = inner.frames.len;
	for (inner.frames.len = 2; inner.frames.len <= count; inner.frames.len++) {
		struct ora_names names = ora_names_of(&inner);
		bool fine = has_backtrace(pair, &names);
		ora_names_deinit(&names);
		const struct ora_store_frame *last = &inner.frames.data[inner.frames.len - 1];
		if (!fine)
			return xs_asprintf("%s at %s:%u", last->function ? last->function : "?",
				last->file ? xs_base_name(last->file) : "?", last->line);
	}
	return NULL;
}

/* False if a frame is there that does not belong. */
static bool check_backtrace(struct pair *pair, const struct ora_reference_line *line)
{
	const struct ora_scene *scene = pair->scene;
	/* Those that were fine stay fine. */
	uint64_t *known = xs_map_at(
		&pair->backtraces, scene->told->place->address, ora_backtrace_hash(scene->told));
	if (*known)
		return true;
	struct ora_names names = ora_names_of(scene->told);
	bool fine = has_backtrace(pair, &names), fresh;
	*known = fine;
	if (!fine) {
		XS_AUTO_FREE char *who = foreign(line, scene->told);
		XS_AUTO_FREE char *unopt = backtraces_text(line);
		XS_AUTO_FREE char *caller = find_caller(pair);
		size_t number = violate(pair,
			(struct ora_violation){.rule = &bi,
				.kind = ORA_KIND_LIE,
				.why = who ? "foreign-frame" : "foreign-combination",
				.key = caller ? NULL
				       : who  ? who
					      : names.text,
				.place = caller},
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
static bool is_declared_at(const struct pair *pair, const struct ora_store_variable *variable)
{
	for (size_t i = 0; i < pair->shown.len; i++) {
		const struct shown *one = &pair->shown.data[i];
		if (variable->line == one->line && variable->file && one->file &&
			!strcmp(xs_base_name(variable->file), xs_base_name(one->file)))
			return true;
	}
	return false;
}

/* Whether UNOPT lists a variable at one of the lines. */
static bool is_listed(const struct pair *pair, uint64_t variable)
{
	for (size_t i = 0; i < pair->shown.len; i++) {
		const struct ora_reference_line *one = line_at(pair, i);
		if (one && ora_reference_lists(one, variable))
			return true;
	}
	return false;
}

/* Whether UNOPT does not list a variable at the arrival at a line that goes with the one of the
 * scene: SI as the paper's formula has it, but aligned. */
static bool is_sometimes_out(
	const struct pair *pair, const struct ora_reference_line *line, uint64_t variable)
{
	const struct line_hits *hits = pair->hits;
	size_t arrival = hits->arrivals - 1;
	if (line->sets.len < 2 || arrival >= line->arrivals.len)
		return false;
	const struct ora_reference_set *set = &line->sets.data[line->arrivals.data[arrival]];
	return !xs_map_find(&set->variables, variable, 0);
}

static void check_scope(struct pair *pair, const struct ora_reference_line *line,
	const struct ora_scene_variable *variable)
{
	uint64_t hash = variable->hash;
	uint64_t unit = xs_mix(hash ^ pair->hits->line);
	if (is_declared_at(pair, variable->variable)) {
		ora_tally_leave(&pair->variables, unit, ORA_LEFT_DECLARED);
		return;
	}
	bool listed = is_listed(pair, hash), fresh;
	ora_tally_ask(&pair->variables, unit);
	if (listed && !is_sometimes_out(pair, line, hash))
		return;
	const struct ora_scene_leaf *leaf = first_leaf(variable);
	size_t number = violate(pair,
		(struct ora_violation){.rule = &si,
			.kind = ORA_KIND_EXTRA,
			.why = listed ? "sometimes-out-of-scope" : "out-of-scope",
			.doubtful = listed,
			.variable = variable->variable,
			.type = leaf->type},
		&fresh);
	say(pair, number, ORA_STATE_ABSENT, NULL, leaf->state, leaf->value);
	if (listed && fresh)
		xs_vec_push(&pair->aligned, ((struct aligned){number, pair->hits->line}));
	if (fresh)
		ora_check_explain(pair->opt->check, number,
			listed ? xs_asprintf("%s is listed at arrival %zu at line %u, where it is "
					     "not in the unoptimised program, unlike at others: a "
					     "block begins or ends on that line",
					 variable->variable->name, pair->hits->arrivals,
					 pair->scene->line)
			       : xs_asprintf("%s is listed at line %u, where it is not in the "
					     "unoptimised program",
					 variable->variable->name, pair->scene->line),
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

/* Whether a union is somewhere in a type: what of it was written is not known. */
static bool has_union(const struct di_type *type, unsigned nesting)
{
	if (!type || nesting > DI_TYPE_NESTING)
		return true;
	bool found = type->kind == DI_TYPE_UNION;
	for (size_t i = 0; !found && type->kind == DI_TYPE_STRUCT && i < type->members.len; i++)
		found = has_union(type->members.data[i].type, nesting + 1);
	return found;
}

/* Whether UNOPT has written a leaf whenever it comes to any of the lines. */
static bool is_settled(const struct pair *pair, uint64_t leaf)
{
	for (size_t i = 0; i < pair->shown.len; i++)
		if (!ora_reference_is_settled(
			    pair->unopt, leaf, pair->shown.data[i].file, pair->shown.data[i].line))
			return false;
	return true;
}

/* Whether UNOPT changes a leaf at any of them. */
static bool is_changed(const struct pair *pair, uint64_t leaf)
{
	for (size_t i = 0; i < pair->shown.len; i++)
		if (xs_map_find(&pair->unopt->changes, leaf,
			    ora_reference_statement(pair->unopt, pair->shown.data[i].file,
				    pair->shown.data[i].line)))
			return true;
	return false;
}

/* Whether the text of any of them writes a variable. A loop on one line may leave it as it was. */
static bool may_be_written(struct pair *pair, const char *name)
{
	enum { NO = 1, YES };
	for (size_t i = 0; i < pair->shown.len; i++) {
		const struct shown *one = &pair->shown.data[i];
		uint64_t *known = xs_map_at(
			&pair->written, ora_line_hash(one->file, one->line), xs_hash_text(0, name));
		if (!*known)
			*known = src_extent_may_write(
					 &pair->unopt->extents, one->file, one->line, name)
					 ? YES
					 : NO;
		if (*known == YES)
			return true;
	}
	return false;
}

/* Whether a value of a local can be asked about; if not, that is counted. */
static bool can_ask_local(struct pair *pair, const struct ora_reference_line *line,
	const struct di_variable *variable, const struct ora_scene_leaf *leaf, uint64_t key)
{
	bool whole = !strcmp(variable->name, leaf->path);
	if (strchr(leaf->path, '['))
		ora_tally_leave(&pair->leaves, key, ORA_LEFT_ARRAY);
	else if (!whole && has_union(variable->type, 0))
		ora_tally_leave(&pair->leaves, key, ORA_LEFT_UNION);
	else if (!line)
		ora_tally_leave(&pair->leaves, key, ORA_LEFT_NOT_STEPPED);
	else if (leaf->undeclared || !is_settled(pair, key))
		ora_tally_leave(&pair->leaves, key, ORA_LEFT_UNSETTLED);
	else
		return true;
	return false;
}

static void check_value(struct pair *pair, const struct ora_scene_variable *variable, bool local,
	const struct ora_scene_leaf *leaf)
{
	struct ora_reference *unopt = pair->unopt;
	uint64_t key = leaf->hash;
	const uint64_t *index = xs_map_find(&unopt->leaf_index, key, 0);
	const struct ora_reference_leaf *known = index ? &unopt->leaves.data[*index - 1] : NULL;
	bool fresh, pointer = leaf->type && strchr(leaf->type, '*');
	XS_AUTO_FREE char *value =
		ora_comparable(pair->opt->check->verdicts.module, leaf->type, leaf->value);
	if (!known || (known->opaque && pointer) || !value) {
		ora_tally_leave(
			&pair->leaves, key, known && pointer ? ORA_LEFT_POINTER : ORA_LEFT_UNKNOWN);
		return;
	}
	if (is_changed(pair, key)) {
		ora_tally_leave(&pair->leaves, key, ORA_LEFT_CHANGES);
		return;
	}
	bool has = xs_map_find(&unopt->values, key, xs_hash_text(0, value));
	enum ora_left excuse =
		has ? ORA_LEFT_COUNT : ora_reference_excuse(unopt, variable->variable, leaf, value);
	if (excuse != ORA_LEFT_COUNT) {
		ora_tally_leave(&pair->leaves, key, excuse);
		return;
	}
	ora_tally_ask(&pair->leaves, key);
	if (has || may_be_written(pair, variable->variable->name))
		return;
	XS_AUTO_FREE char *values = ora_reference_values(known);
	size_t number = violate(pair,
		(struct ora_violation){.rule = &pi,
			.kind = ORA_KIND_LIE,
			.why = local ? "foreign-value-of-local" : "foreign-value",
			.local = local,
			.in_memory = local,
			.is_value = true,
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

/* rustc has LLVM make one function of two that have the same code, such as opaque<u8> and
 * opaque<i8>: what one of them is called with, the other never is. */
static bool may_be_merged(const struct pair *pair, const struct ora_store_place *place)
{
	return place->function && strchr(place->function, '<') &&
	       di_language_at(pair->opt->check->verdicts.module, place->address) ==
		       DI_LANGUAGE_RUST;
}

/* PI, of a variable. */
static void check_values(struct pair *pair, const struct ora_reference_line *line,
	const struct ora_scene_variable *variable)
{
	const struct ora_store_place *place = pair->scene->told->place;
	const struct di_variable *one = find_variable(pair, variable->variable);
	for (size_t i = 0; one && i < variable->leaves.len; i++) {
		const struct ora_scene_leaf *leaf = &variable->leaves.data[i];
		if (leaf->state != ORA_STATE_VALUE || !leaf->value || leaf->unstable)
			continue;
		uint64_t key = leaf->hash;
		if (may_be_merged(pair, place)) {
			ora_tally_leave(&pair->leaves, key, ORA_LEFT_MERGED);
			continue;
		}
		if (place->function && !place->offset)
			ora_tally_leave(&pair->leaves, key, ORA_LEFT_ENTRY);
		else if (one->parameter || can_ask_local(pair, line, one, leaf, key))
			check_value(pair, variable, !one->parameter, leaf);
	}
}

/* BI and SI, at a line that both step on. */
static void check_stop(struct pair *pair, const struct ora_reference_line *line, bool *foreign_line)
{
	const struct ora_scene *scene = pair->scene;
	const struct ora_scene_variable *variable;
	uint64_t function = ora_function_hash(scene->function);
	*foreign_line = true;
	for (size_t i = 0; *foreign_line && i < pair->shown.len; i++) {
		const struct ora_reference_line *one = line_at(pair, i);
		*foreign_line = !one || !xs_map_find(&one->functions, function, 0);
	}
	/* UNOPT skips the prologue, and is there in the first call only, if at all. */
	if (xs_map_find(&pair->unopt->opening, ora_line_hash(scene->file, scene->line), 0)) {
		ora_tally_leave(&pair->stops, pair->hits->line, ORA_LEFT_OPENING);
		return;
	}
	ora_tally_ask(&pair->stops, pair->hits->line);
	if (check_backtrace(pair, line) && *foreign_line)
		check_foreign(pair);
	for (size_t i = 0; !*foreign_line && (variable = ora_scene_variable(scene, i)); i++)
		if (variable->live && ora_scene_is_listed(variable))
			check_scope(pair, line, variable);
}

/* Whether a stop is a step: the first one is where steps begin, before the prologue mostly, and
 * inlined calls may have begun already. It is one if a statement of the function itself begins. */
static bool is_step(const struct pair *pair)
{
	const struct ora_scene *scene = pair->scene;
	const struct ora_told *told = scene->told;
	bool inlined = told->place->inlined || (told->frames.len && told->frames.data[0].inlined);
	return told->number > 1 ||
	       (!inlined && has_statement(pair->opt->check, told->place, scene->file, scene->line));
}

/* Counts an arrival at a line. */
static void arrive(struct pair *pair)
{
	const struct ora_scene *scene = pair->scene;
	uint64_t line = ora_reference_statement(pair->unopt, scene->file, scene->line);
	uint64_t *index = xs_map_at(&pair->hit_index, line, 0);
	if (!*index) {
		xs_vec_push(&pair->hit_list, ((struct line_hits){.line = line}));
		*index = pair->hit_list.len;
	}
	pair->hits = &pair->hit_list.data[*index - 1];
	pair->hits->arrivals++;
}

static void check_step(struct pair *pair)
{
	const struct ora_scene *scene = pair->scene;
	const struct ora_scene_variable *variable;
	const struct ora_reference_line *line =
		scene->line ? ora_reference_line(pair->unopt, scene->file, scene->line) : NULL;
	bool foreign_line = false;
	take_shown(pair);
	arrive(pair);
	if (!is_step(pair)) {
		ora_tally_leave(
			&pair->lines, ora_line_hash(scene->file, scene->line), ORA_LEFT_FIRST);
		ora_tally_leave(&pair->stops, pair->hits->line, ORA_LEFT_FIRST);
		return;
	}
	if (scene->line)
		check_line(pair);
	if (line)
		check_stop(pair, line, &foreign_line);
	else if (scene->line)
		ora_tally_leave(&pair->stops, pair->hits->line, ORA_LEFT_NOT_STEPPED);
	for (size_t i = 0; (variable = ora_scene_variable(scene, i)); i++)
		if (variable->live)
			check_values(pair, foreign_line ? NULL : line, variable);
}

/* What was aligned by arrivals holds only if there are as many in UNOPT. */
static void drop_unaligned(struct pair *pair)
{
	for (size_t i = 0; i < pair->aligned.len; i++) {
		uint64_t line = pair->aligned.data[i].line;
		const uint64_t *hits = xs_map_find(&pair->hit_index, line, 0);
		const uint64_t *index = xs_map_find(&pair->unopt->line_index, line, 0);
		if (!hits || !index ||
			pair->hit_list.data[*hits - 1].arrivals !=
				pair->unopt->lines.data[*index - 1].arrivals.len)
			ora_check_withdraw(pair->opt->check, pair->aligned.data[i].violation);
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
		check_step(pair);
	}
	drop_unaligned(pair);
	pair->opt->lines += seen.len;
	xs_map_deinit(&seen);
	ora_scene_deinit(&scene);
	return err;
}

static void pair_deinit(struct pair *pair)
{
	struct ora_asked *asked = &pair->opt->check->asked;
	ora_tally_end(&pair->lines, asked, "LI", "lines");
	ora_tally_end(&pair->stops, asked, "BI", "lines");
	ora_tally_end(&pair->variables, asked, "SI", "variables at lines");
	ora_tally_end(&pair->leaves, asked, "PI", "leaves");
	xs_map_deinit(&pair->hit_index);
	xs_map_deinit(&pair->written);
	xs_map_deinit(&pair->backtraces);
	xs_vec_deinit(&pair->hit_list);
	xs_vec_deinit(&pair->aligned);
	xs_vec_deinit(&pair->shown);
	ora_reference_deinit(pair->unopt);
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
		const char *here = check->traces[i]->end.how;
		const char *there = check->traces[pair.opt_trace]->end.how;
		check->unlike |= here && there && strcmp(here, there) != 0;
		err = ora_reference_take(check, i, &unopt);
		if (!err && opt->executed && unopt.module)
			err = ora_reference_take_executed(check, opt->executed, &unopt);
		if (!err)
			err = check_pair(&pair);
		pair_deinit(&pair);
	}
	return err;
}
