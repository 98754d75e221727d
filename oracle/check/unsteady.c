#include "oracle/check/unsteady.h"

#include "oracle/check/reference.h"

/* What one run has. */
struct run {
	struct xs_map leaves;           /* -> hash of all that was told of it */
	struct xs_map written;          /* -> the same without what was there before */
	struct xs_map before;           /* (leaf, depth) -> the value that came first, hashed */
	struct xs_map lines, functions; /* -> stops there */
	XS_VEC(uint64_t) order;         /* the line of each stop */
	struct xs_map variables;        /* variable -> its hash, which takes long to make */
};

/* The same as ora_leaf_hash(). */
static uint64_t leaf_of(struct run *run, const struct ora_told_fact *fact)
{
	uint64_t *hash = xs_map_at(&run->variables, (uint64_t)(uintptr_t)fact->variable, 0);
	if (!*hash)
		*hash = ora_variable_hash(fact->variable);
	return xs_hash_text(*hash, fact->path);
}

/* What a local shows first was in memory before it was written, whatever that is. Of one that is
 * not declared yet that is certain: it may be written by the time it is. */
static void take_written(struct run *run, const struct ora_told_fact *fact, uint64_t leaf)
{
	uint64_t *before = xs_map_at(&run->before, leaf, fact->depth);
	uint64_t value = fact->state == ORA_STATE_VALUE ? xs_hash_text(1, fact->value) | 1 : 0;
	if (!value || !*before || fact->undeclared)
		*before = value;
	if (!value || *before == value)
		return;
	uint64_t *hash = xs_map_at(&run->written, leaf, 0);
	*hash = xs_mix(*hash ^ value);
}

static void take_stop(struct run *run, const struct ora_told *told)
{
	const char *file = told->place->file, *function = told->place->function;
	uint32_t line = told->place->has_row ? told->place->line : 0;
	if (told->frames.len) {
		file = told->frames.data[0].file;
		line = told->frames.data[0].line;
		function = told->frames.data[0].function;
	}
	++*xs_map_at(&run->lines, ora_line_hash(file, line), 0);
	++*xs_map_at(&run->functions, ora_function_hash(function), 0);
	xs_vec_push(&run->order, ora_line_hash(file, line));
	for (size_t i = 0; i < told->facts.len; i++) {
		const struct ora_told_fact *fact = &told->facts.data[i];
		if (!fact->variable)
			continue;
		uint64_t leaf = leaf_of(run, fact);
		take_written(run, fact, leaf);
		/* Before its declaration, what is in memory is nobody's value. */
		if (fact->undeclared)
			continue;
		uint64_t *hash = xs_map_at(&run->leaves, leaf, 0);
		*hash = xs_hash_text(xs_mix(*hash ^ fact->state), fact->value);
	}
}

static struct xs_error *take_run(struct ora_store *store, uint64_t trace, struct run *run)
{
	XS_AUTO(ora_reader) reader = NULL;
	const struct ora_told *told = NULL;
	struct xs_error *err = ora_reader_create(store, trace, &reader);
	while (!err && !(err = ora_reader_next(reader, &told)) && told)
		take_stop(run, told);
	return err;
}

static void run_deinit(struct run *run)
{
	xs_map_deinit(&run->leaves);
	xs_map_deinit(&run->written);
	xs_map_deinit(&run->before);
	xs_map_deinit(&run->lines);
	xs_map_deinit(&run->functions);
	xs_map_deinit(&run->variables);
	xs_vec_deinit(&run->order);
}

/* Adds the keys of `one` whose values `other` does not have. */
static void add_different(
	const struct xs_map *one, const struct xs_map *other, struct xs_map *different)
{
	for (size_t i = 0; i < one->cap; i++) {
		const struct xs_map_slot *slot = &one->slots[i];
		const uint64_t *value = slot->used ? xs_map_find(other, slot->a, slot->b) : NULL;
		if (slot->used && (!value || *value != slot->value))
			*xs_map_at(different, slot->a, 0) = 1;
	}
}

static void add_both(const struct xs_map *one, const struct xs_map *other, struct xs_map *different)
{
	add_different(one, other, different);
	add_different(other, one, different);
}

/* The number of the first stop at which runs part; 0: none. */
static uint64_t find_parting(const struct run *one, const struct run *other)
{
	size_t i = 0;
	while (i < one->order.len && i < other->order.len &&
		one->order.data[i] == other->order.data[i])
		i++;
	return i < one->order.len || i < other->order.len ? i + 1 : 0;
}

struct xs_error *ora_unsteady_find(
	struct ora_store *store, uint64_t one, uint64_t other, struct ora_unsteady *ret)
{
	struct run first = {0}, second = {0};
	struct xs_error *err = take_run(store, one, &first);
	if (!err)
		err = take_run(store, other, &second);
	if (!err) {
		add_both(&first.leaves, &second.leaves, &ret->leaves);
		add_both(&first.written, &second.written, &ret->written);
		add_both(&first.lines, &second.lines, &ret->lines);
		add_both(&first.functions, &second.functions, &ret->functions);
		uint64_t parted = find_parting(&first, &second);
		ret->parted =
			!ret->parted || (parted && parted < ret->parted) ? parted : ret->parted;
		xs_map_deinit(&ret->seen);
		ret->seen = first.functions;
		first.functions = (struct xs_map){0};
		for (size_t i = 0; i + 1 < ret->parted; i++)
			*xs_map_at(&ret->before, first.order.data[i], 0) = 1;
	}
	run_deinit(&first);
	run_deinit(&second);
	return err;
}

static bool has(const struct xs_map *map, uint64_t key)
{
	return xs_map_find(map, key, 0);
}

bool ora_unsteady_is(const struct ora_unsteady *unsteady, const struct ora_violation *violation)
{
	const struct ora_store_variable *variable = violation->variable;
	uint64_t line = ora_line_hash(violation->file, violation->line);
	uint64_t function = ora_function_hash(violation->function);
	if (has(&unsteady->lines, line) || has(&unsteady->functions, function))
		return true;
	if (variable && has(violation->local ? &unsteady->written : &unsteady->leaves,
				ora_leaf_hash(variable,
					violation->path ? violation->path : variable->name)))
		return true;
	/* Who knows what else is executed when control flow parts. */
	return unsteady->parted && !has(unsteady->moved ? &unsteady->seen : &unsteady->before,
					   unsteady->moved ? function : line);
}

void ora_unsteady_deinit(struct ora_unsteady *unsteady)
{
	xs_map_deinit(&unsteady->leaves);
	xs_map_deinit(&unsteady->written);
	xs_map_deinit(&unsteady->lines);
	xs_map_deinit(&unsteady->functions);
	xs_map_deinit(&unsteady->seen);
	xs_map_deinit(&unsteady->before);
}
