/* compare_symbols.c - where symbolisers differ from the leader about the code at a pc: the
 * functions that it belongs to, where inlined ones are called, the column.
 *
 * Rules:
 * 1. Names are compared without what compilers add to a clone's. A linkage name (`_ZN1a1fEv`) that
 *    has the leader's name in it is that; of one that has not, nothing can be said: it is set
 *    aside.
 * 2. Calls are compared if the functions are the same, columns if the lines are. What one of two
 *    does not tell (a column, the line of a call) is no difference.
 * 3. Debuggers are no part of it, with one exception: where a symboliser names other functions,
 *    what debuggers say of these counts. Where debuggers differ, frames do (compare_control.c). */
#include <jansson.h>

#include "oracle/judge/symbols.h"
#include "oracle/judge/walk.h"

/* The functions at a place, innermost first, and where each is called. */
struct chain {
	json_t *calls; /* NULL: none */
	size_t count;  /* of functions: one more than calls */
	const struct ora_store_place *place;
};

static struct chain chain_of(const struct ora_store_place *place)
{
	json_t *calls = place->inlined ? json_loads(place->inlined, 0, NULL) : NULL;
	return (struct chain){calls, json_array_size(calls) + 1, place};
}

static void chain_deinit(struct chain *chain)
{
	json_decref(chain->calls);
}

/* The name of function number i; NULL: unknown. */
static const char *name_at(const struct chain *chain, size_t i)
{
	return i + 1 == chain->count ? chain->place->function
				     : json_string_value(json_object_get(
					       json_array_get(chain->calls, i), "function"));
}

/* --- names ------------------------------------------------------------------------------------ */

static bool is_linkage_name(const char *name)
{
	return !strncmp(name, "_Z", 2) || !strncmp(name, "_R", 2);
}

/* What is the same in both, whatever is added; to be freed. */
static char *stem_of(const char *name)
{
	char *ret = ora_walk_bare_name(name);
	ret[strcspn(ret, "<")] = 0; /* arguments of a template */
	return ret;
}

enum likeness { LIKE_SAME, LIKE_OTHER, LIKE_UNKNOWN };

/* Rule 1. */
static enum likeness compare_names(const char *own, const char *theirs)
{
	if (!own || !theirs)
		return own == theirs ? LIKE_SAME : LIKE_OTHER;
	XS_AUTO_FREE char *left = stem_of(own);
	XS_AUTO_FREE char *right = stem_of(theirs);
	if (!strcmp(left, right))
		return LIKE_SAME;
	if (!is_linkage_name(theirs))
		return LIKE_OTHER;
	XS_AUTO_FREE char *inside = xs_asprintf("%zu%s", strlen(left), left);
	return strstr(theirs, inside) ? LIKE_SAME : LIKE_UNKNOWN;
}

/* Whether two name the same functions; *aside: as far as that can be told. */
static bool is_same(const struct chain *own, const struct chain *theirs, bool *aside)
{
	if (own->count != theirs->count)
		return false;
	for (size_t i = 0; i < own->count; i++) {
		enum likeness like = compare_names(name_at(own, i), name_at(theirs, i));
		*aside |= like == LIKE_UNKNOWN;
		if (like == LIKE_OTHER)
			return false;
	}
	return true;
}

/* --- words ------------------------------------------------------------------------------------ */

/* `f < g < main`; a name that is one of the leader's, in the same place, is written like it. To be
 * freed. */
static char *functions_text(const struct chain *chain, const struct chain *leader)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	for (size_t i = 0; i < chain->count; i++) {
		/* From the outermost: that is what all have in common. */
		size_t there = leader->count + i - chain->count;
		const char *name = name_at(chain, i);
		const char *own = chain->count <= leader->count + i && there < leader->count
					  ? name_at(leader, there)
					  : NULL;
		bool same = own && name && compare_names(own, name) == LIKE_SAME;
		fprintf(out, "%s%s", i ? " < " : "", same ? own : name ? name : "?");
	}
	xs_assert(!fclose(out));
	return text;
}

/* `f at x.c:7 < g at y.c:9`: where each is called; to be freed. */
static char *calls_text(const struct chain *chain, const struct chain *leader)
{
	char *text = NULL;
	size_t size = 0, i;
	json_t *call;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	json_array_foreach(chain->calls, i, call)
	{
		const char *file = json_string_value(json_object_get(call, "file"));
		const char *name = name_at(leader, i);
		json_int_t line = json_integer_value(json_object_get(call, "line"));
		fprintf(out, "%s%s at %s:%" JSON_INTEGER_FORMAT, i ? " < " : "", name ? name : "?",
			line ? ora_walk_base_name(file) : "?", line);
	}
	xs_assert(!fclose(out));
	return text;
}

/* Whether both tell where a call is, and not the same. */
static bool calls_differ(const struct chain *own, const struct chain *theirs)
{
	size_t i;
	json_t *call;
	json_array_foreach(own->calls, i, call)
	{
		json_t *other = json_array_get(theirs->calls, i);
		const char *file = json_string_value(json_object_get(call, "file"));
		const char *their = json_string_value(json_object_get(other, "file"));
		json_int_t line = json_integer_value(json_object_get(call, "line"));
		json_int_t their_line = json_integer_value(json_object_get(other, "line"));
		if (line != their_line ||
			(line && strcmp(ora_walk_base_name(file), ora_walk_base_name(their)) != 0))
			return true;
	}
	return false;
}

static char *line_text(const struct ora_store_place *place)
{
	return place->has_row ? xs_asprintf("%s:%u", ora_walk_base_name(place->file), place->line)
			      : xs_strdup("no row");
}

static char *column_text(const struct ora_store_place *place)
{
	return xs_asprintf("%s:%u:%u", ora_walk_base_name(place->file), place->line, place->column);
}

char *ora_symbols_text(enum ora_aspect aspect, const struct ora_store_place *place,
	const struct ora_store_place *leader)
{
	if (aspect == ORA_ASPECT_LINE)
		return line_text(place);
	if (aspect == ORA_ASPECT_COLUMN)
		return column_text(place);
	struct chain theirs = chain_of(place), own = chain_of(leader);
	bool aside = false;
	char *ret = aspect == ORA_ASPECT_CALLS       ? calls_text(&theirs, &own)
		    : is_same(&own, &theirs, &aside) ? functions_text(&own, &own)
						     : functions_text(&theirs, &own);
	chain_deinit(&theirs);
	chain_deinit(&own);
	return ret;
}

/* --- differences ------------------------------------------------------------------------------ */

static void hear(struct ora_difference *one, size_t w, char *value)
{
	free(one->said[w].value);
	one->said[w].heard = true;
	one->said[w].value = value;
}

static struct ora_difference *differ(struct walk *walk, enum ora_aspect aspect, size_t *number)
{
	*number = ora_walk_differ(walk, aspect, ora_walk_pc_key(walk), walk->here);
	return walk->out->differences.data[*number];
}

static bool is_symboliser(const struct walk *walk, size_t w)
{
	return walk->here >> w & 1 && walk->by[w].symboliser;
}

/* Rule 3: if it is wanted, everybody is heard whose words can be read. */
static bool compare_functions(
	struct walk *walk, const struct chain *chains, unsigned *same, size_t *number)
{
	bool differs = false, aside = false;
	for (size_t w = 1; w < walk->count; w++) {
		if (!is_symboliser(walk, w))
			continue;
		bool alike = is_same(&chains[0], &chains[w], &aside);
		walk->out->compared++;
		*same |= (unsigned)alike << w;
		differs |= !alike;
	}
	walk->out->aside[ORA_ASIDE_SPELLING] += aside;
	if (!differs)
		return false;
	struct ora_difference *one = differ(walk, ORA_ASPECT_FUNCTIONS, number);
	for (size_t w = 0; w < walk->count; w++) {
		if (!(walk->here >> w & 1))
			continue;
		bool alike = !w || is_same(&chains[0], &chains[w], &aside);
		hear(one, w, functions_text(&chains[alike ? 0 : w], &chains[0]));
	}
	return true;
}

static bool compare_calls(
	struct walk *walk, const struct chain *chains, unsigned same, size_t *number)
{
	bool differs = false;
	for (size_t w = 1; w < walk->count && chains[0].calls; w++) {
		walk->out->compared += same >> w & 1;
		differs |= same >> w & 1 && calls_differ(&chains[0], &chains[w]);
	}
	if (!differs)
		return false;
	struct ora_difference *one = differ(walk, ORA_ASPECT_CALLS, number);
	for (size_t w = 0; w < walk->count; w++)
		if (!w || same >> w & 1)
			hear(one, w, calls_text(&chains[w], &chains[0]));
	return true;
}

/* Whether both tell a column of one line. */
static bool have_columns(const struct ora_store_place *own, const struct ora_store_place *theirs)
{
	return own->column && theirs->column && own->line == theirs->line;
}

static bool compare_columns(struct walk *walk, size_t *number)
{
	const struct ora_store_place *own = walk->by[0].told->place;
	bool differs = false;
	for (size_t w = 1; w < walk->count; w++) {
		if (!is_symboliser(walk, w) || !have_columns(own, walk->by[w].told->place))
			continue;
		walk->out->compared++;
		differs |= own->column != walk->by[w].told->place->column;
	}
	if (!differs)
		return false;
	struct ora_difference *one = differ(walk, ORA_ASPECT_COLUMN, number);
	for (size_t w = 0; w < walk->count; w++) {
		const struct ora_store_place *place =
			walk->here >> w & 1 ? walk->by[w].told->place : NULL;
		if (place && (!w || (is_symboliser(walk, w) && have_columns(own, place))))
			hear(one, w, column_text(place));
	}
	return true;
}

/* Keeps a difference of this pc, and notes that it is seen once more. */
static void keep(struct walk *walk, enum ora_aspect aspect, bool differs, size_t number)
{
	if (!differs)
		return;
	*xs_map_at(&walk->symbols, ora_walk_hash(ora_walk_pc_key(walk), aspect), walk->here) =
		number + 2;
	ora_walk_last(walk->out->differences.data[number], walk->now, walk->now + 1);
}

/* A pc that was compared before has what it had then. */
static bool is_known(struct walk *walk)
{
	static const enum ora_aspect aspects[] = {
		ORA_ASPECT_FUNCTIONS, ORA_ASPECT_CALLS, ORA_ASPECT_COLUMN};
	uint64_t *known = xs_map_at(&walk->symbols, ora_walk_pc_key(walk), walk->here);
	bool ret = *known;
	*known = 1;
	for (size_t i = 0; ret && i < sizeof aspects / sizeof *aspects; i++) {
		const uint64_t *at = xs_map_find(&walk->symbols,
			ora_walk_hash(ora_walk_pc_key(walk), aspects[i]), walk->here);
		if (at)
			ora_walk_last(
				walk->out->differences.data[*at - 2], walk->now, walk->now + 1);
	}
	return ret;
}

void ora_walk_compare_symbols(struct walk *walk)
{
	bool any = false;
	for (size_t w = 1; w < walk->count; w++)
		any |= is_symboliser(walk, w);
	if (!any || is_known(walk))
		return;
	struct chain chains[ORA_COMPARE_MAX] = {0};
	unsigned same = 0;
	size_t number = 0;
	for (size_t w = 0; w < walk->count; w++)
		if (walk->here >> w & 1)
			chains[w] = chain_of(walk->by[w].told->place);
	bool differs = compare_functions(walk, chains, &same, &number);
	keep(walk, ORA_ASPECT_FUNCTIONS, differs, number);
	differs = compare_calls(walk, chains, same, &number);
	keep(walk, ORA_ASPECT_CALLS, differs, number);
	differs = compare_columns(walk, &number);
	keep(walk, ORA_ASPECT_COLUMN, differs, number);
	for (size_t w = 0; w < walk->count; w++)
		chain_deinit(&chains[w]);
}
