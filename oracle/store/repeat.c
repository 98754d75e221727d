#include "oracle/store/repeat.h"

#include "base/map.h"

/* A leaf as the two traces have it now. */
struct leaf {
	uint32_t id[2];      /* in either trace, 0: not there yet */
	uint64_t element[2]; /* likewise */
	uint64_t said[2];    /* a print of what is said of it; 0: absent */
	uint64_t since;      /* number of the stop where they began to differ; 0: they agree */
};

/* Leaves that differ, to be marked when both traces have been read. */
struct stretch {
	uint32_t id[2];
	uint64_t element[2], first, last;
};

struct comparison {
	struct xs_map index; /* print of the identity -> index into leaves, plus 1 */
	XS_VEC(struct leaf) leaves;
	XS_VEC(struct stretch) stretches;
	XS_VEC(size_t) touched; /* leaves of which something was said at this stop */
};

static size_t leaf_of(struct comparison *comparison, const struct ora_told_fact *fact)
{
	const struct ora_store_variable *variable = fact->variable;
	uint64_t a = xs_hash_text(UINT64_C(0xcbf29ce484222325), variable->scope);
	a = xs_mix(xs_hash_text(a, variable->name) + variable->line) + fact->depth;
	uint64_t b = xs_mix(xs_hash_text(fact->key, fact->path));
	uint64_t *index = xs_map_at(&comparison->index, a, b);
	if (!*index) {
		xs_vec_push(&comparison->leaves, (struct leaf){0});
		*index = comparison->leaves.len;
	}
	return *index - 1;
}

/* What one of the traces says at the stop. */
static void take(struct comparison *comparison, unsigned which, const struct ora_told *told)
{
	for (size_t i = 0; i < told->facts.len; i++) {
		const struct ora_told_fact *fact = &told->facts.data[i];
		size_t at = leaf_of(comparison, fact);
		struct leaf *leaf = &comparison->leaves.data[at];
		leaf->id[which] = fact->leaf;
		leaf->element[which] = fact->element;
		leaf->said[which] =
			fact->state == ORA_STATE_ABSENT
				? 0
				: xs_hash_text((uint64_t)fact->state + 1, fact->value) | 1;
		xs_vec_push(&comparison->touched, at);
	}
}

static void close_stretch(struct comparison *comparison, struct leaf *leaf, uint64_t last)
{
	struct stretch stretch = {.id = {leaf->id[0], leaf->id[1]},
		.element = {leaf->element[0], leaf->element[1]},
		.first = leaf->since,
		.last = last};
	if (leaf->since)
		xs_vec_push(&comparison->stretches, stretch);
	leaf->since = 0;
}

/* Both have spoken: only of what was touched can the agreement have changed. */
static void weigh(struct comparison *comparison, uint64_t number, uint64_t before)
{
	for (size_t i = 0; i < comparison->touched.len; i++) {
		struct leaf *leaf = &comparison->leaves.data[comparison->touched.data[i]];
		bool differ = leaf->said[0] != leaf->said[1];
		if (!differ)
			close_stretch(comparison, leaf, before);
		else if (!leaf->since)
			leaf->since = number;
	}
	comparison->touched.len = 0;
}

static bool same_stop(const struct ora_told *a, const struct ora_told *b)
{
	return a->number == b->number && a->n == b->n && a->place->address == b->place->address;
}

static struct xs_error *read_both(
	struct ora_store *store, uint64_t first, uint64_t second, struct comparison *comparison)
{
	XS_AUTO(ora_reader) left = NULL;
	XS_AUTO(ora_reader) right = NULL;
	const struct ora_told *a = NULL, *b = NULL;
	struct xs_error *err;
	uint64_t number = 0;
	if ((err = ora_reader_create(store, first, &left)) ||
		(err = ora_reader_create(store, second, &right)))
		return err;
	for (;;) {
		if ((err = ora_reader_next(left, &a)) || (err = ora_reader_next(right, &b)))
			return err;
		if (!a && !b)
			break;
		if (!a || !b || !same_stop(a, b))
			return xs_error_create("traces %" PRIu64 " and %" PRIu64
					       " take different ways behind stop %" PRIu64,
				first, second, number);
		take(comparison, 0, a);
		take(comparison, 1, b);
		weigh(comparison, a->number, number);
		number = a->number;
	}
	for (size_t i = 0; i < comparison->leaves.len; i++)
		close_stretch(comparison, &comparison->leaves.data[i], number);
	return NULL;
}

struct xs_error *ora_repeat_compare(
	struct ora_store *store, uint64_t first, uint64_t second, uint64_t *unstable)
{
	struct comparison comparison = {0};
	const uint64_t traces[] = {first, second};
	struct xs_error *err = read_both(store, first, second, &comparison);
	for (size_t i = 0; !err && i < comparison.stretches.len; i++) {
		const struct stretch *stretch = &comparison.stretches.data[i];
		for (unsigned which = 0; !err && which < 2; which++)
			if (stretch->id[which])
				err = ora_store_mark_unstable(store, traces[which],
					stretch->id[which], stretch->element[which], stretch->first,
					stretch->last);
	}
	*unstable = comparison.stretches.len;
	xs_map_deinit(&comparison.index);
	xs_vec_deinit(&comparison.leaves);
	xs_vec_deinit(&comparison.stretches);
	xs_vec_deinit(&comparison.touched);
	return err;
}
