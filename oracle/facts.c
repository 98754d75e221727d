#include "oracle/facts.h"

#include "base/map.h"

/* A leaf that was told. */
struct known {
	const struct di_variable *variable;
	char *path;
	const char *type;
	unsigned frame;
	uint64_t fingerprint; /* of all that was said of it */
	uint64_t seen;        /* number of the last update that had it */
	uint64_t key[2];      /* its key in `index` */
};

struct ora_facts {
	struct xs_map index;       /* key -> index into list, plus 1 */
	XS_VEC(struct known) list; /* all that are not absent */
	uint64_t update;           /* counts updates */
	unsigned frames;           /* how many the view has, to count them from the outermost */

	/* What changed in this update, told after what is absent: a variable may go in one block
	 * and come in another under the same identity. The strings are copies. */
	XS_VEC(struct ora_fact) changed;
};

struct ora_facts *ora_facts_create(void)
{
	return xs_calloc(1, sizeof(struct ora_facts));
}

void ora_facts_destroy(struct ora_facts *facts)
{
	if (!facts)
		return;
	for (size_t i = 0; i < facts->list.len; i++)
		free(facts->list.data[i].path);
	xs_vec_deinit(&facts->list);
	xs_vec_deinit(&facts->changed);
	xs_map_deinit(&facts->index);
	free(facts);
}

const char *ora_state_name(enum di_leaf_state state)
{
	static const char *const names[] = {
		[DI_LEAF_VALUE] = "value",
		[DI_LEAF_OPTIMIZED_OUT] = "optimized-out",
		[DI_LEAF_ERROR] = "error",
		[DI_LEAF_CUT] = "cut",
	};
	return names[state];
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	/* FNV-1a, mixed at the end by whoever uses it. */
	for (; text && *text; text++)
		hash = (hash ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
	return hash;
}

static void on_fact(void *arg, const struct di_fact *fact)
{
	struct ora_facts *facts = arg;
	const struct di_leaf *leaf = fact->leaf;
	/* A file-scope variable is the same from every frame; a local one belongs to a call, which
	 * counted from the outermost frame keeps its number. */
	uint64_t call = fact->variable->block ? facts->frames - fact->frame : 0;
	uint64_t a = xs_mix((uintptr_t)fact->variable) + call;
	uint64_t b = hash_text(UINT64_C(0xcbf29ce484222325), leaf->path);
	uint64_t print = hash_text((uint64_t)leaf->state + 1, leaf->text);
	print = xs_mix(hash_text(print, leaf->reason) + leaf->missing) ^
		(fact->shadowed * 4u + (unsigned)fact->declared);
	uint64_t *index = xs_map_at(&facts->index, a, b);
	struct known *known = *index ? &facts->list.data[*index - 1] : NULL;
	if (!known) {
		xs_vec_push(&facts->list, ((struct known){.variable = fact->variable,
						  .path = xs_strdup(leaf->path),
						  .type = leaf->type ? leaf->type->name : "",
						  .key = {a, b}}));
		*index = facts->list.len;
		known = &facts->list.data[facts->list.len - 1];
		known->fingerprint = ~print;
	}
	known->seen = facts->update;
	bool moved = known->fingerprint == print;
	if (moved && known->frame == fact->frame)
		return;
	known->frame = fact->frame;
	known->fingerprint = print;
	char missing[32];
	snprintf(missing, sizeof missing, "%" PRIu64 " more leaves", leaf->missing);
	struct ora_fact told = {.variable = fact->variable,
		.path = leaf->path,
		.frame = fact->frame,
		.moved = moved,
		.shadowed = fact->shadowed,
		.declared = fact->declared,
		.type = known->type,
		.state = ora_state_name(leaf->state),
		.value = leaf->state == DI_LEAF_VALUE ? leaf->text : NULL,
		.enumerator = leaf->name,
		.message = leaf->state == DI_LEAF_CUT      ? missing
			   : leaf->reason && *leaf->reason ? leaf->reason
							   : NULL};
	told.path = xs_strdup(told.path);
	told.value = told.value ? xs_strdup(told.value) : NULL;
	told.message = told.message ? xs_strdup(told.message) : NULL;
	xs_vec_push(&facts->changed, told);
}

/* Tells and forgets what was listed before and is no more. */
static void forget(struct ora_facts *facts,
	void (*on_change)(void *arg, const struct ora_fact *fact), void *arg)
{
	for (size_t i = 0; i < facts->list.len;) {
		struct known *known = &facts->list.data[i];
		if (known->seen == facts->update) {
			i++;
			continue;
		}
		struct ora_fact told = {.variable = known->variable,
			.path = known->path,
			.frame = known->frame,
			.type = known->type,
			.state = "absent"};
		on_change(arg, &told);
		free(known->path);
		*xs_map_at(&facts->index, known->key[0], known->key[1]) = 0;
		*known = facts->list.data[--facts->list.len];
		if (i < facts->list.len)
			*xs_map_at(&facts->index, known->key[0], known->key[1]) = i + 1;
	}
}

struct xs_error *ora_facts_update(struct ora_facts *facts, struct di_view *view, unsigned which,
	uint64_t max_leaves, void (*on_change)(void *arg, const struct ora_fact *fact), void *arg)
{
	struct xs_error *err = NULL;
	facts->update++;
	facts->frames = (unsigned)view->frames.len;
	for (unsigned i = 0; !err && i < view->frames.len; i++)
		err = di_view_variables(view, i, i ? which & ~(unsigned)DI_WHICH_GLOBALS : which,
			max_leaves, on_fact, facts);
	if (!err)
		forget(facts, on_change, arg);
	for (size_t i = 0; i < facts->changed.len; i++) {
		struct ora_fact *told = &facts->changed.data[i];
		if (!err)
			on_change(arg, told);
		free((char *)(uintptr_t)told->path);
		free((char *)(uintptr_t)told->value);
		free((char *)(uintptr_t)told->message);
	}
	facts->changed.len = 0;
	return err;
}
