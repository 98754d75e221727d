/* bundle_expected.c - where a finding can be seen by a breakpoint at a line, and what is to be said
 * there: by xstep's own trace, or by the unoptimised build. */
#include <ctype.h>

#include "base/quoting.h"
#include "cli/report/bundle_tests.h"
#include "dwarf/line.h"
#include "oracle/store/store.h"

enum {
	PLACES_MAX = 4,  /* that are tried */
	OTHERS_MAX = 12, /* findings of the cluster that are looked at for them */
	DEPTH_MAX = 256, /* of frames */
	DIGITS_MAX = 19, /* of a number */
};

void cli_expectations_deinit(struct cli_expectations *list)
{
	for (size_t i = 0; i < list->vec.len; i++) {
		free(list->vec.data[i].path);
		free(list->vec.data[i].value);
		free(list->vec.data[i].type);
	}
	xs_vec_deinit(&list->vec);
}

/* Whether a text is a whole number, as every debugger prints it. */
static bool is_number(const char *text)
{
	size_t sign = text && *text == '-', digits = text ? strspn(text + sign, "0123456789") : 0;
	return digits && digits <= DIGITS_MAX && !text[sign + digits] &&
	       (digits == 1 || text[sign] != '0');
}

/* --- by the trace ----------------------------------------------------------------------------- */

/* What was last told of the leaf. */
struct leaf {
	bool known;
	enum ora_state state;
	char *value, *type;
};

struct walk {
	const struct ora_finding *finding;
	const struct ora_difference *difference;
	const struct di_lines *lines;
	struct leaf leaves[DEPTH_MAX]; /* by depth of the frame; 0: at file scope */
	XS_VEC(bool) seen;             /* by place: it was stopped at before */
	unsigned depth;                /* of the frames where the finding begins */
	uint64_t left;                 /* stops that it lasts */
};

static void take_fact(struct walk *walk, const struct ora_told_fact *fact)
{
	const struct ora_difference *one = walk->difference;
	if (fact->depth >= DEPTH_MAX || strcmp(fact->path, one->path) != 0 ||
		strcmp(fact->variable->name, one->var) != 0 ||
		fact->variable->line != one->decl_line || fact->nth != one->nth)
		return;
	struct leaf *leaf = &walk->leaves[fact->depth];
	free(leaf->value);
	free(leaf->type);
	*leaf = (struct leaf){.known = true,
		.state = fact->state,
		.value = fact->value ? xs_strdup(fact->value) : NULL,
		.type = fact->type ? xs_strdup(fact->type) : NULL};
}

/* Whether a breakpoint at a line may stop there: a statement begins. */
static bool begins_statement(const struct walk *walk, xs_addr pc)
{
	const struct di_row *row = di_lines_find(walk->lines, pc);
	return row && row->address == pc && row->is_stmt;
}

/* The stop, if a test may look there. */
static void consider(struct walk *walk, const struct ora_told *told, struct cli_expectations *ret)
{
	const struct ora_difference *one = walk->difference;
	const struct ora_store_place *place = told->place;
	const struct leaf *leaf = &walk->leaves[one->global ? 0 : walk->depth];
	if (place->module || !place->has_row || !place->line || !place->file ||
		strcmp(place->file, one->file) != 0 || told->frame_count != walk->depth ||
		!place->function || strcmp(place->function, one->function) != 0 || !leaf->known ||
		!begins_statement(walk, place->address))
		return;
	for (size_t i = 0; i < ret->vec.len; i++)
		if (ret->vec.data[i].line == place->line)
			return;
	if (leaf->state == ORA_STATE_VALUE ? !is_number(leaf->value)
					   : leaf->state == ORA_STATE_ERROR)
		return;
	xs_vec_push(&ret->vec, ((struct cli_expectation){.finding = walk->finding,
				       .pc = place->address,
				       .line = place->line,
				       .path = xs_strdup(one->path),
				       .state = leaf->state,
				       .value = leaf->value ? xs_strdup(leaf->value) : NULL,
				       .type = leaf->type ? xs_strdup(leaf->type) : NULL}));
}

static bool is_first(struct walk *walk, size_t place)
{
	while (walk->seen.len <= place)
		xs_vec_push(&walk->seen, false);
	bool first = !walk->seen.data[place];
	walk->seen.data[place] = true;
	return first;
}

/* Whether a finding of the cluster is one that a name and a value at a line can show. */
static bool is_simple(const struct cli_bundle_case *one, const struct ora_finding *finding)
{
	const struct ora_difference *difference = finding->difference;
	return difference->aspect == one->finding->difference->aspect && difference->path &&
	       xs_quote_is_variable(difference->path) && !difference->module &&
	       (difference->global || !difference->frame) && difference->function &&
	       difference->file && !strcmp(difference->file, cli_bundle_source(one)) &&
	       finding->wrong == one->finding->wrong;
}

static struct xs_error *by_trace(const struct cli_bundle_case *one,
	const struct ora_finding *finding, struct cli_expectations *ret)
{
	const struct ora_difference *difference = finding->difference;
	XS_AUTO(ora_reader) reader = NULL;
	const struct ora_told *told = NULL;
	struct walk walk = {.finding = finding,
		.difference = difference,
		.lines = &one->print->verdicts->module->lines,
		.left = difference->spans.len
				? difference->spans.data[0].to - difference->spans.data[0].from
				: 1};
	bool begun = false;
	struct xs_error *err =
		ora_reader_create(one->print->store, one->print->traces[0]->id, &reader);
	while (!err && walk.left && ret->vec.len < PLACES_MAX &&
		!(err = ora_reader_next(reader, &told)) && told) {
		for (size_t i = 0; i < told->facts.len; i++)
			take_fact(&walk, &told->facts.data[i]);
		bool first = is_first(&walk, told->place_index);
		if (told->number == difference->number && told->frame_count < DEPTH_MAX) {
			begun = true;
			walk.depth = told->frame_count;
		}
		if (!begun)
			continue;
		walk.left--;
		if (first)
			consider(&walk, told, ret);
	}
	for (size_t i = 0; i < DEPTH_MAX; i++) {
		free(walk.leaves[i].value);
		free(walk.leaves[i].type);
	}
	xs_vec_deinit(&walk.seen);
	return err;
}

/* This finding, then others of its cluster. */
static struct xs_error *by_traces(const struct cli_bundle_case *one, struct cli_expectations *ret)
{
	const struct ora_verdicts *verdicts = one->print->verdicts;
	struct xs_error *err =
		is_simple(one, one->finding) ? by_trace(one, one->finding, ret) : NULL;
	size_t looked = 0;
	for (size_t i = 0; !err && one->finding->cluster && ret->vec.len < PLACES_MAX &&
			   looked < OTHERS_MAX && i < verdicts->findings.len;
		i++) {
		const struct ora_finding *other = &verdicts->findings.data[i];
		if (other == one->finding || other->cluster != one->finding->cluster ||
			!is_simple(one, other))
			continue;
		looked++;
		err = by_trace(one, other, ret);
	}
	return err;
}

/* --- by the other build ----------------------------------------------------------------------- */

/* What the unoptimised program says, if that is one number; else NULL. */
static const char *other_value(const struct cli_bundle_case *one)
{
	const struct ora_difference *difference = one->finding->difference;
	const struct ora_verdicts *verdicts = one->print->verdicts;
	if (difference->aspect == ORA_ASPECT_BUILDS)
		return is_number(difference->other) ? difference->other : NULL;
	for (size_t w = 0; w < one->print->count; w++) {
		const struct ora_said *said = &difference->said[w];
		if (w != difference->trace && said->heard && said->state == ORA_STATE_VALUE &&
			verdicts->labels[w] && strstr(verdicts->labels[w], " unopt") &&
			is_number(said->value))
			return said->value;
	}
	return NULL;
}

static void by_other_build(
	const struct cli_bundle_case *one, struct cli_expectations *ret, char **why)
{
	const struct ora_finding *finding = one->finding;
	const struct ora_difference *difference = finding->difference;
	bool never = !difference->path && !strcmp(finding->group, "LI") && difference->function;
	const char *value = difference->path ? other_value(one) : NULL;
	/* What a debugger is to say in optimised code, the other build does not tell. */
	if (cli_bundle_party(one) < CLI_BUNDLE_GCC)
		*why = xs_strdup("what is right in the optimised program is not known");
	else if (difference->path && (!xs_quote_is_variable(difference->path) ||
					     (!difference->global && difference->frame)))
		*why = xs_strdup("it is about a frame further out, or its name cannot be said");
	else if (one->print->routes[finding->origin].hit != 1)
		*why = xs_strdup("it is not at the first arrival at that place");
	else if (!never && !value)
		*why = xs_strdup("it is no line that must not be stepped on, and no variable of "
				 "which the other build says one whole number");
	if (*why)
		return;
	xs_vec_push(
		&ret->vec, ((struct cli_expectation){.finding = finding,
				   .pc = difference->pc,
				   .line = difference->line,
				   .never = never,
				   .path = never ? NULL : xs_strdup(difference->path),
				   .value = never ? NULL : xs_strdup(value),
				   .type = difference->type ? xs_strdup(difference->type) : NULL}));
}

struct xs_error *cli_expectations_find(
	const struct cli_bundle_case *one, struct cli_expectations *ret, char **why)
{
	const struct ora_difference *difference = one->finding->difference;
	const struct ora_store_trace *trace = &one->print->traces[0]->trace;
	bool variable = difference->aspect == ORA_ASPECT_VARIABLE ||
			difference->aspect == ORA_ASPECT_LOOKUP;
	struct xs_error *err = NULL;
	if (difference->aspect == ORA_ASPECT_CHECK || difference->aspect == ORA_ASPECT_BUILDS)
		by_other_build(one, ret, why);
	else if (!variable)
		*why = xs_strdup("it is not about the value of a variable");
	else if (strcmp(one->print->verdicts->witnesses[0], "xstep") != 0 ||
		 (strcmp(trace->sample, "all") != 0 && strcmp(trace->sample, "unique") != 0 &&
			 strcmp(trace->sample, "dtd") != 0))
		*why = xs_strdup("not every place was looked at");
	else if (!(err = by_traces(one, ret)) && !ret->vec.len)
		*why = xs_strdup(
			"it shows in the midst of a line, at a later arrival or in a frame "
			"further out, or it is no whole number: a breakpoint at a line and "
			"a name do not tell that");
	return err;
}
