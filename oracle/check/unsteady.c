#include "oracle/check/unsteady.h"

#include "base/path.h"
#include "oracle/store/scene.h"

static uint64_t hash_leaf(const struct ora_store_variable *variable, const char *path)
{
	uint64_t hash = xs_hash_text(xs_hash_text(1, variable->scope), variable->name);
	return xs_hash_text(xs_mix(hash ^ variable->line), path);
}

static uint64_t hash_line(const char *file, uint32_t line)
{
	return xs_mix(xs_hash_text(2, xs_base_name(file)) ^ line);
}

static uint64_t hash_function(const char *name)
{
	XS_AUTO_FREE char *bare = ora_bare_function(name);
	return xs_hash_text(3, bare);
}

/* What one run has. */
struct run {
	struct xs_map leaves;           /* -> hash of all that was told of it */
	struct xs_map lines, functions; /* -> stops there */
	XS_VEC(uint64_t) order;         /* the line of each stop */
};

static void take_stop(struct run *run, const struct ora_told *told)
{
	const char *file = told->place->file, *function = told->place->function;
	uint32_t line = told->place->has_row ? told->place->line : 0;
	if (told->frames.len) {
		file = told->frames.data[0].file;
		line = told->frames.data[0].line;
		function = told->frames.data[0].function;
	}
	++*xs_map_at(&run->lines, hash_line(file, line), 0);
	++*xs_map_at(&run->functions, hash_function(function), 0);
	xs_vec_push(&run->order, hash_line(file, line));
	for (size_t i = 0; i < told->facts.len; i++) {
		const struct ora_told_fact *fact = &told->facts.data[i];
		if (!fact->variable)
			continue;
		uint64_t *hash = xs_map_at(&run->leaves, hash_leaf(fact->variable, fact->path), 0);
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
	xs_map_deinit(&run->lines);
	xs_map_deinit(&run->functions);
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
		add_both(&first.lines, &second.lines, &ret->lines);
		add_both(&first.functions, &second.functions, &ret->functions);
		ret->parted = find_parting(&first, &second);
	}
	run_deinit(&first);
	run_deinit(&second);
	return err;
}

bool ora_unsteady_leaf(const struct ora_unsteady *unsteady,
	const struct ora_store_variable *variable, const char *path)
{
	return xs_map_find(&unsteady->leaves, hash_leaf(variable, path), 0);
}

bool ora_unsteady_line(const struct ora_unsteady *unsteady, const char *file, uint32_t line)
{
	return xs_map_find(&unsteady->lines, hash_line(file, line), 0);
}

bool ora_unsteady_function(const struct ora_unsteady *unsteady, const char *name)
{
	return xs_map_find(&unsteady->functions, hash_function(name), 0);
}

void ora_unsteady_deinit(struct ora_unsteady *unsteady)
{
	xs_map_deinit(&unsteady->leaves);
	xs_map_deinit(&unsteady->lines);
	xs_map_deinit(&unsteady->functions);
}
