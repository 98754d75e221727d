#include "oracle/truth/twin_side.h"

/* --- the process with another module ---------------------------------------------------------- */

static bool reg(void *arg, unsigned number, uint8_t bytes[DI_REG_BYTES], unsigned *size)
{
	const struct di_target *under = ((struct ora_twin_side *)arg)->under;
	return under->reg(under->arg, number, bytes, size);
}

static bool memory(void *arg, xs_addr addr, void *ret, size_t size)
{
	const struct di_target *under = ((struct ora_twin_side *)arg)->under;
	return under->memory(under->arg, addr, ret, size);
}

static uint64_t mark(void *arg)
{
	const struct di_target *under = ((struct ora_twin_side *)arg)->under;
	return under->mark(under->arg);
}

static bool is_same(void *arg, xs_addr addr, size_t size, uint64_t since)
{
	const struct di_target *under = ((struct ora_twin_side *)arg)->under;
	return under->is_same(under->arg, addr, size, since);
}

static const struct di_mapping *find(void *arg, xs_addr addr)
{
	struct ora_twin_side *side = arg;
	const struct di_mapping *mapping = side->under->find(side->under->arg, addr);
	if (!mapping || mapping->module != side->program)
		return mapping;
	side->mapping = (struct di_mapping){side->module, mapping->bias};
	return &side->mapping;
}

static const struct di_target *in_place(struct ora_twin_side *side, const struct di_target *target)
{
	if (!side->program || side->program == side->module)
		return target;
	side->under = target;
	side->target = (struct di_target){.arg = side,
		.reg = reg,
		.memory = memory,
		.mark = target->mark ? mark : NULL,
		.is_same = target->is_same ? is_same : NULL,
		.find = find};
	return &side->target;
}

/* --- what is seen ----------------------------------------------------------------------------- */

struct ora_twin_seen *ora_twin_seen_of(
	const struct ora_twin_side *side, const struct di_variable *variable)
{
	const uint64_t *index = xs_map_find(&side->index, (uintptr_t)variable, 0);
	return index && *index ? side->seen.data[*index - 1] : NULL;
}

static struct ora_twin_seen *seen_at(struct ora_twin_side *side, const struct di_variable *variable)
{
	uint64_t *index = xs_map_at(&side->index, (uintptr_t)variable, 0);
	if (!*index) {
		struct ora_twin_seen *seen = xs_calloc(1, sizeof *seen);
		seen->variable = variable;
		xs_vec_push(&side->seen, seen);
		*index = side->seen.len;
	}
	return side->seen.data[*index - 1];
}

static void on_change(void *arg, const struct ora_fact *fact)
{
	struct ora_twin_side *side = arg;
	if (fact->state == ORA_STATE_CUT)
		return;
	struct ora_twin_seen *seen = seen_at(side, fact->variable);
	uint64_t hash = xs_hash_text(1, fact->path);
	uint64_t *index = xs_map_at(&seen->paths, hash, 0);
	if (!*index) {
		struct ora_twin_leaf fresh = {.path = xs_strdup(fact->path),
			.path_hash = hash,
			.state = ORA_STATE_ABSENT};
		xs_vec_push(&seen->leaves, fresh);
		*index = seen->leaves.len;
	}
	struct ora_twin_leaf *leaf = &seen->leaves.data[*index - 1];
	seen->live -= leaf->state != ORA_STATE_ABSENT;
	seen->live += fact->state != ORA_STATE_ABSENT;
	free(leaf->value);
	leaf->type = fact->type;
	leaf->state = fact->state;
	leaf->value = fact->value ? xs_strdup(fact->value) : NULL;
	leaf->hash = fact->value ? xs_hash_text(1, fact->value) : 0;
	leaf->why = fact->why;
	leaf->declared = fact->declared;
	if (seen->changed != side->looks && !fact->variable->block)
		xs_vec_push(&side->globals_changed, seen);
	seen->changed = side->looks;
}

struct xs_error *ora_twin_look(struct ora_twin_side *side, const struct di_target *target)
{
	struct xs_error *err = di_view_open(&side->view, in_place(side, target), false);
	if (err)
		return err;
	if (!side->facts)
		side->facts = ora_facts_create();
	side->looks++;
	side->globals_changed.len = 0;
	return ora_facts_update(
		side->facts, &side->view, side->which, false, side->max_leaves, on_change, side);
}

const struct ora_twin_leaf *ora_twin_leaf_at(
	const struct ora_twin_seen *seen, const char *path, uint64_t path_hash)
{
	const uint64_t *index = xs_map_find(&seen->paths, path_hash, 0);
	const struct ora_twin_leaf *leaf = index && *index ? &seen->leaves.data[*index - 1] : NULL;
	if (leaf && leaf->state != ORA_STATE_ABSENT && !strcmp(leaf->path, path))
		return leaf;
	if (seen->live != 1)
		return NULL;
	index = xs_map_find(&seen->paths, xs_hash_text(1, seen->variable->name), 0);
	leaf = index && *index ? &seen->leaves.data[*index - 1] : NULL;
	return leaf && leaf->state != ORA_STATE_ABSENT && leaf->state != ORA_STATE_VALUE ? leaf
											 : NULL;
}

void ora_twin_side_deinit(struct ora_twin_side *side)
{
	for (size_t i = 0; i < side->seen.len; i++) {
		struct ora_twin_seen *seen = side->seen.data[i];
		for (size_t k = 0; k < seen->leaves.len; k++) {
			free(seen->leaves.data[k].path);
			free(seen->leaves.data[k].value);
		}
		xs_vec_deinit(&seen->leaves);
		xs_map_deinit(&seen->paths);
		free(seen);
	}
	xs_vec_deinit(&side->seen);
	xs_vec_deinit(&side->globals_changed);
	xs_map_deinit(&side->index);
	ora_facts_destroy(side->facts);
	di_view_deinit(&side->view);
}
