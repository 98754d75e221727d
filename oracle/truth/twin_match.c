#include "oracle/truth/twin_match.h"

#include "base/path.h"
#include "dwarf/place.h"

/* A variable on its way to a counterpart. */
struct item {
	const struct di_variable *variable;
	uint64_t key; /* rule 2 */
	size_t call;  /* of a local: counted from the outermost */
};

struct items {
	XS_VEC(struct item) vec;
};

static uint64_t key_of(const struct di_variable *variable)
{
	uint64_t key = xs_hash_text(1, variable->name);
	/* A unit may be called by its path in one, and by less in the other. */
	if (!variable->block)
		key = xs_hash_text(
			key, variable->external ? "" : xs_base_name(variable->home->name));
	return xs_mix(key ^ variable->line);
}

/* How many of the same key and call there are; *at is the index of the first. */
static size_t count_of(const struct items *items, const struct item *item, size_t *at)
{
	size_t count = 0;
	for (size_t i = 0; i < items->vec.len; i++) {
		const struct item *one = &items->vec.data[i];
		if (one->key != item->key || one->call != item->call)
			continue;
		if (!count++)
			*at = i;
	}
	return count;
}

/* --- locals ----------------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_call(const struct di_block *a, const struct di_block *b)
{
	return a->kind == b->kind && same_text(a->name, b->name) &&
	       same_text(xs_base_name(a->call_file), xs_base_name(b->call_file)) &&
	       a->call_line == b->call_line && a->call_column == b->call_column;
}

static char *chain_text(const struct di_scopes *scopes)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	for (size_t i = 0; i < scopes->activations.len; i++) {
		const struct di_block *function = scopes->activations.data[i].function;
		fprintf(out, "%s%s", i ? " in " : "", function->name ? function->name : "?");
		if (function->kind == DI_BLOCK_INLINED)
			fprintf(out, " called at %u:%u", function->call_line,
				function->call_column);
	}
	if (!scopes->activations.len)
		fputs("no function", out);
	xs_assert(!fclose(out));
	return text;
}

static void list_locals(const struct di_scopes *scopes, struct items *ret)
{
	for (size_t i = 0; i < scopes->locals.len; i++) {
		const struct di_visible *visible = &scopes->locals.data[i];
		struct item item = {.variable = visible->variable,
			.key = key_of(visible->variable),
			.call = scopes->activations.len - 1 - visible->activation};
		xs_vec_push(&ret->vec, item);
	}
}

/* Which entry of its location list a variable has at a pc, or that it has none. */
static uint64_t place_of(const struct di_variable *variable, xs_addr pc)
{
	Dwarf_Die die = variable->die;
	struct di_place place;
	di_place_of_variable(variable->unit, &die, pc, &place, NULL, NULL);
	return xs_mix(place.kind + 1U) ^ (place.section ? xs_mix(place.entry) : 0);
}

static void add_pair(const struct di_variable *first, const struct di_variable *second, xs_addr pc,
	struct ora_twin_match *ret)
{
	struct ora_twin_pair pair = {.first = first,
		.second = second,
		.places = {place_of(first, pc), place_of(second, pc)}};
	xs_vec_push(&ret->pairs, pair);
}

/* Matches what is in calls below `calls`. */
static void match_items(
	const struct items lists[2], size_t calls, xs_addr pc, struct ora_twin_match *ret)
{
	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < lists[side].vec.len; i++) {
			const struct item *item = &lists[side].vec.data[i];
			size_t at = 0, own = 0;
			uint64_t *singles = ret->singles[side];
			if (item->call >= calls) {
				singles[ORA_TWIN_INLINED]++;
				continue;
			}
			size_t its = count_of(&lists[!side], item, &at);
			if (!its)
				singles[ORA_TWIN_UNLISTED]++;
			else if (its > 1 || count_of(&lists[side], item, &own) > 1)
				singles[ORA_TWIN_AMBIGUOUS]++;
			else if (!side)
				add_pair(item->variable, lists[1].vec.data[at].variable, pc, ret);
		}
}

static struct ora_twin_match *match_pc(struct ora_twin_matches *matches, xs_addr pc)
{
	struct ora_twin_match *ret = xs_calloc(1, sizeof *ret);
	const struct di_scopes *scopes[2] = {
		di_scopes_at(matches->first, pc), di_scopes_at(matches->second, pc)};
	size_t counts[2] = {scopes[0]->activations.len, scopes[1]->activations.len}, same = 0;
	struct items lists[2] = {0};
	while (same < counts[0] && same < counts[1] &&
		same_call(scopes[0]->activations.data[counts[0] - 1 - same].function,
			scopes[1]->activations.data[counts[1] - 1 - same].function))
		same++;
	if (same < counts[0] || same < counts[1]) {
		XS_AUTO_FREE char *one = chain_text(scopes[0]);
		XS_AUTO_FREE char *other = chain_text(scopes[1]);
		ret->differs = xs_asprintf("%s; the other: %s", one, other);
	}
	list_locals(scopes[0], &lists[0]);
	list_locals(scopes[1], &lists[1]);
	match_items(lists, same, pc, ret);
	xs_vec_deinit(&lists[0].vec);
	xs_vec_deinit(&lists[1].vec);
	return ret;
}

const struct ora_twin_match *ora_twin_match_at(struct ora_twin_matches *matches, xs_addr pc)
{
	const uint64_t *known = xs_map_find(&matches->pcs, pc, 0);
	if (!known) {
		xs_vec_push(&matches->list, match_pc(matches, pc));
		*xs_map_at(&matches->pcs, pc, 0) = matches->list.len;
		return matches->list.data[matches->list.len - 1];
	}
	return matches->list.data[*known - 1];
}

/* --- globals ---------------------------------------------------------------------------------- */

/* By key: index of the only one, plus 1; UINT64_MAX: there are several. */
static struct xs_map index_globals(const struct di_globals *globals)
{
	struct xs_map ret = {0};
	for (size_t i = 0; i < globals->list.len; i++) {
		uint64_t *at = xs_map_at(&ret, key_of(globals->list.data[i]), 0);
		*at = *at ? UINT64_MAX : i + 1;
	}
	return ret;
}

struct ora_twin_match *ora_twin_match_globals(
	const struct di_globals *first, const struct di_globals *second)
{
	const struct di_globals *lists[2] = {first, second};
	struct xs_map maps[2] = {index_globals(first), index_globals(second)};
	struct ora_twin_match *ret = xs_calloc(1, sizeof *ret);
	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < lists[side]->list.len; i++) {
			const struct di_variable *variable = lists[side]->list.data[i];
			uint64_t own = *xs_map_at(&maps[side], key_of(variable), 0);
			uint64_t its = *xs_map_at(&maps[!side], key_of(variable), 0);
			if (!its)
				ret->singles[side][ORA_TWIN_UNLISTED]++;
			else if (its == UINT64_MAX || own == UINT64_MAX)
				ret->singles[side][ORA_TWIN_AMBIGUOUS]++;
			else if (!side)
				xs_vec_push(&ret->pairs,
					((struct ora_twin_pair){.first = variable,
						.second = second->list.data[its - 1]}));
		}
	xs_map_deinit(&maps[0]);
	xs_map_deinit(&maps[1]);
	return ret;
}

void ora_twin_match_destroy(struct ora_twin_match *match)
{
	if (!match)
		return;
	xs_vec_deinit(&match->pairs);
	free(match->differs);
	free(match);
}

void ora_twin_matches_deinit(struct ora_twin_matches *matches)
{
	for (size_t i = 0; i < matches->list.len; i++)
		ora_twin_match_destroy(matches->list.data[i]);
	xs_vec_deinit(&matches->list);
	xs_map_deinit(&matches->pcs);
}
