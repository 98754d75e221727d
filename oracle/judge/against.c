#include "oracle/judge/against.h"

#include "base/search.h"
#include "dwarf/feature.h"
#include "oracle/judge/walk.h"

enum { VALUES_SHOWN = 8 }; /* of the other build */

/* From stop to stop, counted from 1. */
struct span {
	uint64_t from, to; /* both included */
};

/* A leaf having a value. */
struct stretch {
	struct span span;
	char *value;
};

struct history {
	XS_VEC(struct stretch) vec; /* by from */
};

struct visits {
	XS_VEC(struct span) vec; /* by from */
};

/* A leaf of one frame, as it stands. */
struct now {
	const struct ora_store_variable *variable;
	unsigned depth;
	char *path, *type, *value;
	bool told;      /* has a value that can be compared */
	uint64_t since; /* stop */
	uint64_t key;   /* of its history */
};

/* A trace while it is read. */
struct reading {
	struct ora_reader *reader;
	const struct ora_told *told;
	uint64_t stop;       /* count */
	struct xs_map index; /* (variable, depth and path) -> now, plus 1 */
	XS_VEC(struct now) leaves;
	uint64_t place; /* key of function and line */
	char *function; /* innermost, bare */
	unsigned depth; /* its frame's */
	bool arrived;   /* another line, or another call, than at the stop before */
};

/* What the unoptimised build does. */
struct reference {
	struct xs_map leaf_index, place_index; /* key -> index, plus 1 */
	XS_VEC(struct history) histories;
	XS_VEC(struct visits) places;
};

static uint64_t leaf_key(const struct ora_store_variable *variable, const char *path)
{
	XS_AUTO_FREE char *scope = ora_walk_bare_name(variable->scope);
	uint64_t hash = xs_hash_text(xs_hash_text(21, scope), variable->name);
	hash = xs_hash_text(hash, ora_walk_base_name(variable->file));
	return ora_walk_hash(xs_hash_text(hash, path), variable->line);
}

/* Values that must differ between builds, or are none. */
static bool is_comparable(const struct ora_told_fact *fact)
{
	return fact->state == ORA_STATE_VALUE && fact->depth && !fact->undeclared && fact->value &&
	       strncmp(fact->value, "0x", 2) != 0 && strcmp(fact->value, "implicit") != 0;
}

static void keep(struct reference *reference, const struct now *leaf, uint64_t until)
{
	uint64_t *index = xs_map_at(&reference->leaf_index, leaf->key, 0);
	if (!*index) {
		xs_vec_push(&reference->histories, (struct history){0});
		*index = reference->histories.len;
	}
	struct stretch one = {{leaf->since, until}, xs_strdup(leaf->value)};
	xs_vec_push(&reference->histories.data[*index - 1].vec, one);
}

/* What changed at this stop. reference, if not NULL, gets what was before. */
static void take_facts(struct reading *reading, struct reference *reference)
{
	for (size_t i = 0; i < reading->told->facts.len; i++) {
		const struct ora_told_fact *fact = &reading->told->facts.data[i];
		uint64_t *index = xs_map_at(&reading->index, (uintptr_t)fact->variable,
			ora_walk_hash(xs_hash_text(23, fact->path), fact->depth));
		if (!*index) {
			struct now fresh = {.variable = fact->variable,
				.depth = fact->depth,
				.path = xs_strdup(fact->path),
				.type = ora_walk_copy(fact->type),
				.key = leaf_key(fact->variable, fact->path)};
			xs_vec_push(&reading->leaves, fresh);
			*index = reading->leaves.len;
		}
		struct now *leaf = &reading->leaves.data[*index - 1];
		if (reference && leaf->told)
			keep(reference, leaf, reading->stop - 1);
		free(leaf->value);
		leaf->told = is_comparable(fact);
		leaf->value = leaf->told ? xs_strdup(fact->value) : NULL;
		leaf->since = reading->stop;
	}
}

/* The next stop: false at the end. */
static struct xs_error *advance(struct reading *reading, bool *more)
{
	struct xs_error *err = ora_reader_next(reading->reader, &reading->told);
	const struct ora_told *told = reading->told;
	*more = !err && told;
	if (!*more)
		return err;
	const struct ora_store_frame *frame = told->frames.len ? &told->frames.data[0] : NULL;
	free(reading->function);
	reading->function = ora_walk_bare_name(frame ? frame->function : told->place->function);
	uint64_t place = xs_hash_text(24, reading->function);
	place = xs_hash_text(place, ora_walk_base_name(told->place->file));
	place = ora_walk_hash(place, told->place->line);
	unsigned depth = (unsigned)told->frames.len;
	reading->arrived = place != reading->place || depth != reading->depth;
	reading->place = place;
	reading->depth = depth;
	reading->stop++;
	return NULL;
}

static void reading_deinit(struct reading *reading)
{
	for (size_t i = 0; i < reading->leaves.len; i++) {
		free(reading->leaves.data[i].path);
		free(reading->leaves.data[i].type);
		free(reading->leaves.data[i].value);
	}
	xs_vec_deinit(&reading->leaves);
	xs_map_deinit(&reading->index);
	ora_reader_destroy(reading->reader);
	free(reading->function);
}

/* --- the unoptimised build ------------------------------------------------------------------ */

static struct xs_error *learn(
	struct ora_store *store, uint64_t trace, struct reading *reading, struct reference *ret)
{
	bool more = true;
	struct xs_error *err = ora_reader_create(store, trace, &reading->reader);
	while (!err && !(err = advance(reading, &more)) && more) {
		take_facts(reading, ret);
		uint64_t *index = xs_map_at(&ret->place_index, reading->place, 0);
		if (!*index) {
			xs_vec_push(&ret->places, (struct visits){0});
			*index = ret->places.len;
		}
		struct visits *visits = &ret->places.data[*index - 1];
		if (reading->arrived)
			xs_vec_push(
				&visits->vec, ((struct span){reading->stop, reading->stop + 1}));
		else
			visits->vec.data[visits->vec.len - 1].to = reading->stop + 1;
	}
	for (size_t i = 0; !err && i < reading->leaves.len; i++)
		if (reading->leaves.data[i].told)
			keep(ret, &reading->leaves.data[i], reading->stop);
	return err;
}

/* Whether a stretch has to do with one of some visits. */
static bool is_during(const struct stretch *one, const struct span *visits, size_t count)
{
	size_t i;
	xs_search(i, 0, count, visits[i].to < one->span.from);
	return i < count && visits[i].from <= one->span.to;
}

/* Whether a leaf has a value during one of some visits. */
static bool has_value(
	const struct history *history, const char *value, const struct span *visits, size_t count)
{
	for (size_t i = 0; i < history->vec.len; i++)
		if (!strcmp(history->vec.data[i].value, value) &&
			is_during(&history->vec.data[i], visits, count))
			return true;
	return false;
}

/* The values that it has then, the first ones of them; to be freed. */
static char *values_at(const struct history *history, const struct span *visits, size_t count)
{
	const char *seen[VALUES_SHOWN];
	size_t different = 0, size = 0;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	for (size_t i = 0; i < history->vec.len; i++) {
		const struct stretch *one = &history->vec.data[i];
		size_t k = 0;
		if (!is_during(one, visits, count))
			continue;
		while (k < different && strcmp(seen[k], one->value) != 0)
			k++;
		if (k < different)
			continue;
		if (different == VALUES_SHOWN) {
			fputs(", ...", out);
			break;
		}
		seen[different++] = one->value;
		fprintf(out, "%s%s", k ? ", " : "", one->value);
	}
	if (!different)
		fputs("no value", out);
	xs_assert(!fclose(out));
	return text;
}

/* --- the optimised one ---------------------------------------------------------------------- */

/* Whether a row with is_stmt of that line begins at a pc. */
static bool is_statement(const struct di_lines *lines, xs_addr pc, uint32_t line)
{
	const struct di_row *row = di_lines_find(lines, pc);
	for (; row && row->address == pc && !row->end_sequence; row--) {
		if (row->is_stmt && row->line == line)
			return true;
		if (row == lines->rows.data)
			break;
	}
	return false;
}

struct judge {
	struct ora_comparison *out;
	size_t w;
	const struct reference *reference;
	struct reading *reading;
	struct di_module *module;
	struct xs_map arrivals; /* by place: how many so far, or in all */
	struct xs_map known;    /* of differences -> index, plus 1 */
};

/* Whether the DWARF says that a variable is in memory here: then that is what is there, written or
 * not, and no claim of the compiler's about its value. */
static bool is_in_memory(const struct judge *judge, const struct now *leaf)
{
	static const char *const memory[] = {"DW_OP_fbreg", "DW_OP_breg", "DW_OP_addr"};
	struct di_features features;
	XS_AUTO_FREE char *scope = ora_walk_bare_name(leaf->variable->scope);
	di_features_of(judge->module, judge->reading->told->place->address, scope, DI_LEVEL_ANY,
		leaf->variable->name, leaf->variable->line, leaf->path, &features);
	bool starts = false;
	for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
		starts |= !strncmp(features.expr, memory[i], strlen(memory[i]));
	return starts && !DI_HAS(features.set, STACK_VALUE) && !DI_HAS(features.set, PIECE) &&
	       !DI_HAS(features.set, BIT_PIECE);
}

static void note(struct judge *judge, const struct now *leaf, enum ora_misfit misfit,
	const struct history *history, const struct span *visits, size_t count)
{
	const struct ora_told *told = judge->reading->told;
	if (is_in_memory(judge, leaf))
		return;
	uint64_t *index =
		xs_map_at(&judge->known, ora_walk_hash(leaf->key, misfit), told->place->address);
	if (!*index) {
		struct ora_difference *one = xs_calloc(1, sizeof *one);
		one->aspect = ORA_ASPECT_BUILDS;
		one->number = told->number;
		one->n = told->n;
		one->prev = told->prev ? told->prev->address : XS_ADDR_NONE;
		one->level = DI_LEVEL_ANY;
		one->caller_pc = XS_ADDR_NONE;
		one->pc = one->frame_pc = told->place->address;
		one->function = ora_walk_copy(told->place->function);
		one->file = ora_walk_copy(told->place->file);
		one->line = told->place->line;
		one->scope = ora_walk_bare_name(leaf->variable->scope);
		one->var = xs_strdup(leaf->variable->name);
		one->path = xs_strdup(leaf->path);
		one->decl_file = ora_walk_copy(leaf->variable->file);
		one->type = ora_walk_copy(leaf->type);
		one->decl_line = leaf->variable->line;
		one->rank = 1;
		one->misfit = misfit;
		one->other = values_at(history, visits, count);
		one->said[judge->w] = (struct ora_said){
			.heard = true, .state = ORA_STATE_VALUE, .value = xs_strdup(leaf->value)};
		xs_vec_push(&judge->out->differences, one);
		*index = judge->out->differences.len;
	}
	judge->out->differences.data[*index - 1]->times++;
	judge->out->differences.data[*index - 1]->stops++;
}

static void judge_leaf(struct judge *judge, const struct now *leaf, const struct visits *visits,
	uint64_t hit, bool aligned)
{
	const struct reference *reference = judge->reference;
	const uint64_t *at = xs_map_find(&reference->leaf_index, leaf->key, 0);
	if (!at)
		return;
	const struct history *history = &reference->histories.data[*at - 1];
	struct span ever = {0, UINT64_MAX};
	const struct span *all = visits->vec.data, *one = aligned ? &all[hit - 1] : all;
	size_t count = aligned ? 1 : visits->vec.len;
	judge->out->compared++;
	if (!has_value(history, leaf->value, &ever, 1))
		note(judge, leaf, ORA_MISFIT_NEVER, history, all, visits->vec.len);
	else if (!has_value(history, leaf->value, all, visits->vec.len))
		note(judge, leaf, ORA_MISFIT_LINE, history, all, visits->vec.len);
	else if (!has_value(history, leaf->value, one, count))
		note(judge, leaf, ORA_MISFIT_HIT, history, one, count);
}

/* Walks the optimised trace. The first time arrivals are only counted. */
static struct xs_error *walk(struct judge *judge, struct ora_store *store, uint64_t trace,
	const struct di_lines *lines, const struct xs_map *totals)
{
	struct reading reading = {0};
	bool more = true;
	struct xs_error *err = ora_reader_create(store, trace, &reading.reader);
	judge->reading = &reading;
	while (!err && !(err = advance(&reading, &more)) && more) {
		const struct ora_store_place *place = reading.told->place;
		take_facts(&reading, NULL);
		if (!reading.arrived || place->module ||
			!is_statement(lines, place->address, place->line))
			continue;
		uint64_t hit = ++*xs_map_at(&judge->arrivals, reading.place, 0);
		const uint64_t *at = xs_map_find(&judge->reference->place_index, reading.place, 0);
		if (!totals || !at)
			continue;
		const struct visits *visits = &judge->reference->places.data[*at - 1];
		bool aligned = *xs_map_find(totals, reading.place, 0) == visits->vec.len;
		for (size_t i = 0; i < reading.leaves.len; i++)
			if (reading.leaves.data[i].told &&
				reading.leaves.data[i].depth == reading.depth)
				judge_leaf(judge, &reading.leaves.data[i], visits, hit, aligned);
	}
	reading_deinit(&reading);
	return err;
}

struct xs_error *ora_against(struct ora_comparison *comparison, size_t w, uint64_t trace,
	uint64_t other, const char *path)
{
	struct reading reading = {0};
	struct reference reference = {0};
	struct judge count = {.reference = &reference};
	struct judge judge = {.out = comparison, .w = w, .reference = &reference};
	XS_AUTO(di_module) module = NULL;
	struct xs_error *err = di_module_open(path, &module);
	count.module = judge.module = module;
	if (!err && !(err = learn(comparison->store, other, &reading, &reference)) &&
		!(err = walk(&count, comparison->store, trace, &module->lines, NULL)))
		err = walk(&judge, comparison->store, trace, &module->lines, &count.arrivals);
	reading_deinit(&reading);
	for (size_t i = 0; i < reference.histories.len; i++) {
		struct history *history = &reference.histories.data[i];
		for (size_t k = 0; k < history->vec.len; k++)
			free(history->vec.data[k].value);
		xs_vec_deinit(&history->vec);
	}
	for (size_t i = 0; i < reference.places.len; i++)
		xs_vec_deinit(&reference.places.data[i].vec);
	xs_vec_deinit(&reference.histories);
	xs_vec_deinit(&reference.places);
	xs_map_deinit(&reference.leaf_index);
	xs_map_deinit(&reference.place_index);
	xs_map_deinit(&count.arrivals);
	xs_map_deinit(&judge.arrivals);
	xs_map_deinit(&judge.known);
	return err;
}
