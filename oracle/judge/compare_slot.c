/* compare_slot.c - what the witnesses say of variables, kept by what they have in common. */
#include "oracle/judge/walk.h"

bool ora_walk_is_part(const char *path, const char *whole)
{
	size_t length = strlen(whole);
	return !strncmp(path, whole, length) && (path[length] == '.' || path[length] == '[');
}

static void forget(struct saying *saying)
{
	free(saying->value);
	free(saying->message);
	*saying = (struct saying){0};
}

static void touch(struct walk *walk, size_t number)
{
	struct slot *slot = walk->slots.data[number];
	if (!slot->pending)
		xs_vec_push(&walk->pending, number);
	slot->pending = true;
}

struct leaf *ora_walk_find_leaf(const struct slot *slot, const char *path)
{
	const uint64_t *index =
		xs_map_find(&slot->index, xs_hash_text(2, path), xs_hash_text(3, path));
	return index && *index ? &slot->leaves.data[*index - 1] : NULL;
}

bool ora_walk_has_parts(const struct slot *slot, const char *path)
{
	return xs_map_find(&slot->wholes, xs_hash_text(2, path), xs_hash_text(3, path));
}

bool ora_walk_to_whole(char *path)
{
	size_t length = strlen(path);
	while (length && path[length] != '.' && path[length] != '[')
		length--;
	path[length] = 0;
	return length;
}

static size_t leaf_at(struct slot *slot, const char *path, const char *type)
{
	uint64_t *index = xs_map_at(&slot->index, xs_hash_text(2, path), xs_hash_text(3, path));
	if (!*index) {
		struct leaf leaf = {.path = xs_strdup(path), .type = type ? xs_strdup(type) : NULL};
		xs_vec_push(&slot->leaves, leaf);
		*index = slot->leaves.len;
		XS_AUTO_FREE char *whole = xs_strdup(path);
		while (ora_walk_to_whole(whole))
			*xs_map_at(&slot->wholes, xs_hash_text(2, whole), xs_hash_text(3, whole)) =
				1;
		return slot->leaves.len - 1;
	}
	return *index - 1;
}

/* The slot of a variable at file scope whose file one of the witnesses does not know (gdb, in a
 * unit without a name, as dwz makes them): the line must do. 0 if there is none, else its index
 * plus 1; `a` and `b` are its place in the table. */
static size_t slot_of_any_file(struct walk *walk, const char *file, uint64_t a, uint64_t b)
{
	const uint64_t *any = xs_map_find(&walk->slot_index, a, b);
	struct slot *slot = any ? walk->slots.data[*any - 1] : NULL;
	if (!slot || (*file && *slot->file))
		return 0;
	if (*file) {
		free(slot->file);
		slot->file = xs_strdup(file);
	}
	return *any;
}

/* The slot of a variable in a frame; nth tells apart those that look the same. */
static size_t slot_at(struct walk *walk, const struct ora_store_variable *variable,
	const char *scope, unsigned rank, unsigned nth)
{
	/* Without a line the declaration is not known, and a file beside it a guess. Inside of a
	 * function the line is enough: gdb may take the file from another unit's table where link
	 * time optimisation has put the instance into another unit than the abstract one. */
	const char *file = variable->line && !rank ? ora_walk_base_name(variable->file) : "";
	uint64_t a = xs_hash_text(xs_hash_text(xs_hash_text(4, scope), variable->name), file);
	/* gdb 13 keeps 16 bits of a line. */
	uint64_t b = ora_walk_hash(ora_walk_hash(variable->line & UINT16_MAX, rank), nth);
	uint64_t any = xs_hash_text(xs_hash_text(15, scope), variable->name);
	uint64_t *index = xs_map_at(&walk->slot_index, a, b);
	if (!*index && variable->line && !rank)
		*index = slot_of_any_file(walk, file, any, b);
	if (!*index) {
		struct slot *slot = xs_calloc(1, sizeof *slot);
		slot->scope = xs_strdup(scope);
		slot->name = xs_strdup(variable->name);
		slot->file = xs_strdup(file);
		slot->decl_file = variable->file ? xs_strdup(variable->file) : NULL;
		slot->line = variable->line;
		slot->rank = rank;
		slot->nth = nth;
		if (!rank)
			++*xs_map_at(&walk->globals, xs_hash_text(14, slot->name), 0);
		xs_vec_push(&walk->slots, slot);
		*index = walk->slots.len;
		if (!rank) /* the table may move: index is not to be used any more */
			*xs_map_at(&walk->slot_index, any, b) = walk->slots.len;
		/* Made after its first, and the table may have moved. */
		slot->first = nth ? slot_at(walk, variable, scope, rank, 0) : walk->slots.len - 1;
		index = xs_map_at(&walk->slot_index, a, b);
	}
	struct slot *slot = walk->slots.data[*index - 1];
	slot->line = variable->line > slot->line ? variable->line : slot->line;
	return *index - 1;
}

/* Whether a slot may be that of a variable of this unit. Not every witness names it. */
static bool is_of_unit(const struct slot *slot, const char *unit)
{
	return !slot->unit || !unit || !strcmp(slot->unit, unit);
}

/* The unit of the leader's frame that a view is in; NULL: it is none, or of none. */
static const char *unit_of_leader(const struct walk *walk, size_t w, const struct view *view)
{
	const struct witness *witness = &walk->by[w];
	size_t depth = view->depth;
	if (witness->levels.len && depth > witness->levels.len)
		return NULL;
	if (witness->levels.len) {
		const struct level *level = &witness->levels.data[depth - 1];
		depth = level->sure ? level->match : 0;
	}
	return depth && depth <= walk->units.len ? walk->units.data[depth - 1] : NULL;
}

/* The unit of a view, as far as it is known. A debugger may not know in which unit a frame is
 * (lldb, where link time optimisation gave the unit another name): then that of the leader's frame
 * must do. Else the variables of two functions of one header, in two units, would be one. */
static const char *unit_of(const struct walk *walk, size_t w, const struct view *view)
{
	bool placed = w && view->depth && !view->variable->unit;
	return placed ? unit_of_leader(walk, w, view) : view->variable->unit;
}

/* Where a view belongs now, plus 1; 0 if its frame is gone. */
static size_t home_of(struct walk *walk, size_t w, size_t number)
{
	struct witness *witness = &walk->by[w];
	const struct view *view = &witness->views.data[number];
	XS_AUTO_FREE char *scope =
		view->depth ? ora_walk_bare_name(view->variable->scope) : xs_strdup("");
	unsigned rank = 0;
	if (view->depth) {
		rank = view->depth;
		if (view->depth <= witness->levels.len)
			rank = witness->levels.data[view->depth - 1].rank;
		else if (witness->levels.len)
			return 0;
	}
	const char *unit = unit_of(walk, w, view);
	size_t first = SIZE_MAX;
	for (unsigned nth = 0;; nth++) {
		size_t at = slot_at(walk, view->variable, scope ? scope : "", rank, nth);
		struct slot *slot = walk->slots.data[at];
		if (!is_of_unit(slot, unit))
			continue;
		first = first == SIZE_MAX ? at : first;
		if (slot->holder[w] && slot->holder[w] != number + 1)
			continue;
		if (!slot->unit && unit) {
			slot->unit = xs_strdup(unit);
			slot->first = first;
		}
		return at + 1;
	}
}

/* Takes what a view says out of its slot. */
static void detach(struct walk *walk, size_t w, struct view *view)
{
	struct slot *slot = walk->slots.data[view->slot - 1];
	touch(walk, view->slot - 1);
	slot->whole = true;
	for (size_t i = 0; i < view->leaves.len; i++) {
		forget(&slot->leaves.data[view->leaves.data[i]].by[w]);
		slot->leaves.data[view->leaves.data[i]].listed[w] = false;
	}
	slot->live[w] = slot->odd[w] = slot->holder[w] = 0;
	slot->cut[w] = false;
	view->leaves.len = 0;
	view->slot = 0;
}

/* Whether witness v says in one slot what w says in another, as far as both tell. */
static bool alike(const struct slot *a, size_t v, const struct slot *b, size_t w)
{
	bool any = false;
	for (size_t i = 0; i < a->leaves.len; i++) {
		const struct saying *left = &a->leaves.data[i].by[v];
		const char *path = a->leaves.data[i].path;
		const uint64_t *at =
			xs_map_find(&b->index, xs_hash_text(2, path), xs_hash_text(3, path));
		const struct saying *right = at ? &b->leaves.data[*at - 1].by[w] : NULL;
		if (!left->told || !right || !right->told)
			continue;
		any = true;
		if (left->state != right->state ||
			(left->value && right->value && strcmp(left->value, right->value) != 0))
			return false;
	}
	return any;
}

/* Moves a view, with what it says, to a slot (plus 1). */
static void move(struct walk *walk, size_t w, size_t number, size_t home)
{
	struct view *view = &walk->by[w].views.data[number];
	struct slot *to = walk->slots.data[home - 1];
	struct slot *from = view->slot ? walk->slots.data[view->slot - 1] : NULL;
	touch(walk, home - 1);
	to->whole = true;
	to->holder[w] = number + 1;
	if (from) {
		for (size_t i = 0; i < view->leaves.len; i++) {
			struct leaf *leaf = &from->leaves.data[view->leaves.data[i]];
			size_t at = leaf_at(to, leaf->path, leaf->type);
			to->leaves.data[at].by[w] = leaf->by[w];
			leaf->by[w] = (struct saying){0};
			leaf->listed[w] = false;
			to->leaves.data[at].listed[w] = true;
			view->leaves.data[i] = at;
		}
		to->live[w] = from->live[w];
		to->odd[w] = from->odd[w];
		to->cut[w] = from->cut[w];
		to->frame[w] = from->frame[w];
		from->live[w] = from->odd[w] = from->holder[w] = 0;
		from->cut[w] = false;
		from->whole = true;
		touch(walk, view->slot - 1);
	}
	view->slot = home;
}

void ora_walk_attach(struct walk *walk, size_t w, size_t number)
{
	size_t home = home_of(walk, w, number);
	if (home && home != walk->by[w].views.data[number].slot)
		move(walk, w, number, home);
}

void ora_walk_place_unitless(struct walk *walk, size_t w)
{
	struct witness *witness = &walk->by[w];
	if (witness->units == walk->unit_changes)
		return;
	witness->units = walk->unit_changes;
	for (size_t i = 0; i < witness->unitless.len; i++)
		if (witness->views.data[witness->unitless.data[i]].slot)
			ora_walk_attach(walk, w, witness->unitless.data[i]);
}

/* The leader tells of a variable in a frame: its unit is the frame's. */
static void note_unit(struct walk *walk, const struct view *view)
{
	while (walk->units.len < view->depth)
		xs_vec_push(&walk->units, NULL);
	const char **known = &walk->units.data[view->depth - 1];
	const char *unit = view->variable->unit;
	walk->unit_changes += !*known != !unit || (unit && strcmp(*known, unit) != 0);
	*known = unit;
}

/* The next slot behind one that may be of a variable of the same unit. */
static size_t second_of(
	struct walk *walk, const struct ora_store_variable *variable, const struct slot *slot)
{
	size_t ret;
	unsigned nth = slot->nth;
	do
		ret = slot_at(walk, variable, slot->scope, slot->rank, ++nth);
	while (!is_of_unit(walk->slots.data[ret], slot->unit));
	return ret;
}

void ora_walk_untwist(struct walk *walk, struct slot *slot)
{
	if (walk->slots.data[slot->first] != slot || !slot->live[0])
		return;
	for (size_t w = 1; w < walk->count; w++) {
		struct view *view =
			slot->holder[w] ? &walk->by[w].views.data[slot->holder[w] - 1] : NULL;
		if (!view || !(walk->here >> w & 1))
			continue;
		size_t other = second_of(walk, view->variable, slot);
		struct slot *second = walk->slots.data[other];
		if (!second->live[w] || second->live[0] || alike(slot, 0, slot, w) ||
			!alike(slot, 0, second, w))
			continue;
		size_t left = slot->holder[w] - 1, right = second->holder[w] - 1;
		size_t aside = slot_at(walk, view->variable, slot->scope, slot->rank, UINT32_MAX);
		move(walk, w, left, aside + 1);
		move(walk, w, right, slot->first + 1);
		move(walk, w, left, other + 1);
	}
}

/* A witness says nothing of a leaf any more. */
static void unsay(struct slot *slot, size_t w, size_t at)
{
	struct saying *saying = &slot->leaves.data[at].by[w];
	if (!saying->told)
		return;
	if (saying->state == ORA_STATE_CUT)
		slot->cut[w] = false;
	slot->odd[w] -= saying->state != ORA_STATE_VALUE;
	forget(saying);
	slot->live[w]--;
	slot->whole |= !slot->live[w];
}

/* What is said of a whole takes the place of what was said of its leaves, and the other way round.
 * That leaves were cut is said beside them. */
static void displace(struct slot *slot, size_t w, const char *path, bool value)
{
	XS_AUTO_FREE char *whole = xs_strdup(path);
	while (ora_walk_to_whole(whole)) {
		const struct leaf *outer = ora_walk_find_leaf(slot, whole);
		if (!outer || !outer->by[w].told || outer->by[w].state == ORA_STATE_VALUE ||
			outer->by[w].state == ORA_STATE_CUT)
			continue;
		unsay(slot, w, (size_t)(outer - slot->leaves.data));
		slot->whole = true;
	}
	bool parts = !value && ora_walk_has_parts(slot, path);
	for (size_t i = 0; parts && slot->live[w] && i < slot->leaves.len; i++) {
		const struct leaf *inner = &slot->leaves.data[i];
		if (!inner->by[w].told || !ora_walk_is_part(inner->path, path))
			continue;
		unsay(slot, w, i);
		slot->whole = true;
	}
}

void ora_walk_take_fact(struct walk *walk, size_t w, const struct ora_told_fact *fact)
{
	struct witness *witness = &walk->by[w];
	uint64_t *index = xs_map_at(&witness->index, (uintptr_t)fact->variable, fact->depth);
	if (!*index) {
		struct view view = {.variable = fact->variable, .depth = fact->depth};
		xs_vec_push(&witness->views, view);
		*index = witness->views.len;
		if (w && view.depth && !view.variable->unit)
			xs_vec_push(&witness->unitless, *index - 1);
	}
	size_t number = *index - 1;
	struct view *view = &witness->views.data[number];
	bool gone = fact->state == ORA_STATE_ABSENT;
	if (!w && !gone && view->depth)
		note_unit(walk, view);
	if (!view->slot && gone)
		return;
	if (!view->slot)
		ora_walk_attach(walk, w, number);
	if (!view->slot)
		return; /* of a frame that is not there */
	struct slot *slot = walk->slots.data[view->slot - 1];
	size_t at = leaf_at(slot, fact->path, fact->type);
	struct leaf *leaf = &slot->leaves.data[at];
	touch(walk, view->slot - 1);
	slot->frame[w] = fact->frame;
	if (!leaf->touched)
		xs_vec_push(&slot->touched, at);
	leaf->touched = true;
	if (gone) {
		/* Absent as a whole means all of it; but if all that was said of the whole is that
		 * leaves were cut, it means that none are any more. */
		bool uncut = leaf->by[w].told && leaf->by[w].state == ORA_STATE_CUT;
		slot->whole |= uncut;
		unsay(slot, w, at);
		bool parts = !uncut && ora_walk_has_parts(slot, fact->path);
		for (size_t i = 0; parts && i < slot->leaves.len; i++)
			if (ora_walk_is_part(slot->leaves.data[i].path, fact->path))
				unsay(slot, w, i);
		if (!slot->live[w])
			detach(walk, w, view);
		return;
	}
	if (!leaf->by[w].told) {
		bool value = fact->state == ORA_STATE_VALUE;
		if (fact->state != ORA_STATE_CUT && (!value || slot->odd[w]))
			displace(slot, w, fact->path, value);
		slot->whole |= !slot->live[w];
		slot->live[w]++;
		if (!leaf->listed[w])
			xs_vec_push(&view->leaves, at);
		leaf->listed[w] = true;
	} else {
		slot->odd[w] -= leaf->by[w].state != ORA_STATE_VALUE;
	}
	slot->odd[w] += fact->state != ORA_STATE_VALUE;
	forget(&leaf->by[w]);
	leaf->by[w] = (struct saying){.told = true,
		.state = fact->state,
		.undeclared = fact->undeclared,
		.shadowed = fact->shadowed,
		.unstable = fact->unstable,
		.value = fact->value ? xs_strdup(fact->value) : NULL,
		.message = fact->message ? xs_strdup(fact->message) : NULL,
		.unasked = fact->why && !strcmp(fact->why, ORA_WHY_NOT_ASKED),
		.why = di_why_named(fact->why)};
	slot->whole |= fact->state != ORA_STATE_VALUE;
	slot->cut[w] |= fact->state == ORA_STATE_CUT;
}

void ora_walk_slot_destroy(struct slot *slot)
{
	for (size_t i = 0; i < slot->leaves.len; i++) {
		for (size_t w = 0; w < ORA_COMPARE_MAX; w++)
			forget(&slot->leaves.data[i].by[w]);
		free(slot->leaves.data[i].path);
		free(slot->leaves.data[i].type);
	}
	free(slot->scope);
	free(slot->name);
	free(slot->file);
	free(slot->decl_file);
	free(slot->unit);
	xs_vec_deinit(&slot->leaves);
	xs_vec_deinit(&slot->touched);
	xs_map_deinit(&slot->index);
	xs_map_deinit(&slot->wholes);
	free(slot);
}
