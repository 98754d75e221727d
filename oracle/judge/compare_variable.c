/* compare_variable.c - where witnesses differ about a variable: its leaves, and what its name
 * means. */
#include "dwarf/language.h"
#include "oracle/judge/walk.h"

/* What a frame returns to: where the one outside of its function is. */
static xs_addr caller_of(const struct ora_told *told, size_t number)
{
	while (number < told->frames.len && told->frames.data[number].inlined)
		number++;
	for (number++; number < told->frames.len; number++) {
		const struct ora_store_frame *frame = &told->frames.data[number];
		if (frame->tail)
			continue; /* nothing returns there */
		if (frame->address != XS_ADDR_NONE || !frame->inlined)
			return frame->module ? XS_ADDR_NONE : frame->address;
	}
	return XS_ADDR_NONE;
}

/* Where the frame of a slot is, by whoever tells addresses of frames. */
static void locate_frame(
	struct walk *walk, const struct slot *slot, struct ora_difference *difference)
{
	difference->frame_pc = XS_ADDR_NONE;
	for (size_t w = 0; w < walk->count; w++) {
		if (!(walk->here >> w & 1))
			continue;
		const struct ora_told *told = walk->by[w].told;
		unsigned depth =
			slot->rank ? ora_walk_depth_of(&walk->by[w], slot->scope, slot->rank) : 0;
		size_t number = depth ? told->frames.len - depth : slot->frame[w];
		if (slot->rank && !depth && told->has_frames)
			continue;
		if (slot->holder[w] || difference->frame_pc == XS_ADDR_NONE)
			difference->frame = (unsigned)number;
		if (slot->rank && difference->caller_pc == XS_ADDR_NONE) {
			difference->caller_pc = caller_of(told, number);
			difference->level = 0;
			for (size_t i = number;
				i && i <= told->frames.len && told->frames.data[i - 1].inlined; i--)
				difference->level++;
		}
		/* Inlined calls share the innermost physical frame, and its pc. */
		bool innermost = true;
		for (size_t i = 0; i < number && i < told->frames.len; i++)
			innermost &= told->frames.data[i].inlined || (!i && told->place->inlined);
		if (!slot->rank || innermost) {
			difference->frame_pc = told->place->address;
			return;
		}
		const struct ora_store_frame *frame =
			number < told->frames.len ? &told->frames.data[number] : NULL;
		if (!frame || frame->address == XS_ADDR_NONE)
			continue;
		free(difference->frame_module);
		difference->frame_module = ora_walk_copy(frame->module);
		/* A call's own instruction is before the return address. */
		bool same = !frame->module && frame->address == told->place->address;
		difference->frame_pc = frame->address - !same;
		return;
	}
}

static struct ora_said said_of(const struct saying *saying)
{
	return (struct ora_said){.heard = true,
		.state = saying->told ? saying->state : ORA_STATE_ABSENT,
		.value = ora_walk_copy(saying->value),
		.message = ora_walk_copy(saying->message),
		.undeclared = saying->undeclared,
		.shadowed = saying->shadowed,
		.why = saying->why};
}

/* What a witness says of a leaf, by itself or by what is around it. False: of parts of it. */
static bool effective(
	const struct slot *slot, size_t w, const struct leaf *leaf, struct saying *ret)
{
	*ret = leaf->by[w];
	if (ret->told || !slot->live[w])
		return true;
	XS_AUTO_FREE char *whole = xs_strdup(leaf->path);
	while (ora_walk_to_whole(whole)) {
		const struct leaf *at = ora_walk_find_leaf(slot, whole);
		const struct saying *outer = at ? &at->by[w] : NULL;
		if (outer && outer->told && outer->state != ORA_STATE_VALUE &&
			outer->state != ORA_STATE_CUT) {
			*ret = *outer;
			return true;
		}
	}
	bool parts = ora_walk_has_parts(slot, leaf->path);
	for (size_t i = 0; parts && i < slot->leaves.len; i++)
		if (slot->leaves.data[i].by[w].told &&
			ora_walk_is_part(slot->leaves.data[i].path, leaf->path))
			return false;
	ret->part = true;
	return true;
}

static bool is_nan(const char *value)
{
	return value && strstr(value, "nan");
}

enum agreement { AGREE, DIFFER, ASIDE }; /* ASIDE plus an enum ora_aside */

static unsigned agree(const struct saying *a, const struct saying *b)
{
	enum ora_state as = a->told ? a->state : ORA_STATE_ABSENT;
	enum ora_state bs = b->told ? b->state : ORA_STATE_ABSENT;
	if (as == bs && as != ORA_STATE_VALUE)
		return AGREE;
	if (as == ORA_STATE_VALUE && bs == ORA_STATE_VALUE) {
		if (!a->value || !b->value || !strcmp(a->value, b->value))
			return AGREE;
		if (is_nan(a->value) && is_nan(b->value))
			return ASIDE + ORA_ASIDE_NAN;
	} else if ((a->undeclared && bs == ORA_STATE_ABSENT) ||
		   (b->undeclared && as == ORA_STATE_ABSENT)) {
		return AGREE;
	} else if (as != ORA_STATE_VALUE && bs != ORA_STATE_VALUE &&
		   (as != ORA_STATE_ABSENT || a->part) && (bs != ORA_STATE_ABSENT || b->part)) {
		/* Of an array without values one may list all elements, and another the first. */
		return ASIDE + ORA_ASIDE_DECLINED;
	}
	return a->unstable || b->unstable ? ASIDE + ORA_ASIDE_UNSTABLE : DIFFER;
}

static uint64_t print_of(uint64_t hash, const struct saying *saying, bool values)
{
	hash = ora_walk_hash(hash, saying->told ? saying->state : ORA_STATE_ABSENT);
	return values ? xs_hash_text(hash, saying->value) : hash;
}

/* Which it is of those that look the same in its unit: others are of other frames. */
static unsigned nth_of_unit(const struct walk *walk, const struct slot *slot)
{
	unsigned nth = 0;
	for (size_t i = slot->first; i < walk->slots.len && walk->slots.data[slot->first] != slot;
		i++)
		nth += walk->slots.data[i]->first == slot->first &&
		       walk->slots.data[i]->nth < slot->nth;
	return nth;
}

static void name_variable(
	struct walk *walk, const struct slot *slot, const char *path, struct ora_difference *one)
{
	if (one->var)
		return;
	one->scope = xs_strdup(slot->scope);
	one->var = xs_strdup(slot->name);
	one->path = xs_strdup(path);
	one->decl_file = ora_walk_copy(slot->decl_file);
	one->decl_line = slot->line;
	one->global = !slot->rank;
	one->rank = slot->rank;
	one->nth = nth_of_unit(walk, slot);
	locate_frame(walk, slot, one);
}

/* What a witness says of any leaf of a variable; NULL if it says nothing. */
static const struct saying *any_saying(struct walk *walk, const struct slot *slot, size_t w)
{
	if (!slot->live[w])
		return NULL;
	const struct view *view = &walk->by[w].views.data[slot->holder[w] - 1];
	for (size_t i = 0; i < view->leaves.len; i++)
		if (slot->leaves.data[view->leaves.data[i]].by[w].told)
			return &slot->leaves.data[view->leaves.data[i]].by[w];
	return NULL;
}

/* Whether a witness that is asked for names does not mean this variable by its name: that it says
 * nothing of it is no loss, but a matter of the lookup. */
static bool is_unnamed(const struct walk *walk, const struct slot *slot, size_t w)
{
	return walk->by[w].by_name && !slot->live[w];
}

/* Which frame of a witness's a slot is in, from the innermost; SIZE_MAX: none. */
static size_t number_of(struct walk *walk, const struct slot *slot, size_t w)
{
	unsigned depth = ora_walk_depth_of(&walk->by[w], slot->scope, slot->rank);
	if (depth)
		return walk->by[w].told->frames.len - depth;
	return slot->live[w] ? slot->frame[w] : SIZE_MAX;
}

/* Rule 7 for Rust: lldb spells generic functions without their types, and some inlined ones by the
 * function around them. Several frames then have one name, and only their numbers tell them apart.
 */
static bool is_elsewhere(struct walk *walk, const struct slot *slot, size_t w)
{
	return walk->rust && slot->rank && w && walk->here & 1 && walk->by[0].levels.len &&
	       walk->by[w].levels.len && number_of(walk, slot, 0) != number_of(walk, slot, w);
}

/* Those at this stop that show the frame of a slot. */
static unsigned who_shows(struct walk *walk, const struct slot *slot)
{
	unsigned ret = 0;
	for (size_t w = 0; w < walk->count; w++)
		if (walk->here >> w & 1 && !is_unnamed(walk, slot, w) &&
			!is_elsewhere(walk, slot, w) &&
			(!slot->rank || slot->live[w] || !walk->by[w].levels.len ||
				ora_walk_depth_of(&walk->by[w], slot->scope, slot->rank)))
			ret |= 1U << w;
	return ret;
}

/* Whether a variable is of a language that is not read in full. Not every witness names the unit:
 * then that of the stop must do. */
static bool is_foreign(const struct walk *walk, const struct slot *slot)
{
	if (slot->unit || !walk->foreign.len)
		return slot->unit &&
		       xs_map_find(&walk->foreign, xs_hash_text(16, slot->unit), 0) != NULL;
	const struct ora_store_place *place = walk->by[0].told->place;
	return !place->module &&
	       !di_language_is_read(di_language_at(walk->out->module, place->address));
}

/* Whether the leader says that it does not read what the variable is made of. */
static bool is_unread(enum di_why_code why)
{
	switch (why) {
	case DI_WHY_LANGUAGE:
	case DI_WHY_TYPE_ATTRIBUTE:
	case DI_WHY_TYPE_DECIMAL_FLOAT:
	case DI_WHY_TYPE_ENCODING:
	case DI_WHY_TYPE_FLOAT_FORMAT:
	case DI_WHY_TYPE_KIND:
	case DI_WHY_TYPE_TAG:
	case DI_WHY_TYPE_WIDE_INTEGER:
		return true;
	default:
		return false;
	}
}

/* Rule 8: why a leaf is not compared, plus 1; 0: it is. */
static unsigned left_out(
	const struct walk *walk, const struct slot *slot, const struct saying *says, unsigned mask)
{
	if (!(mask & 1))
		return 0;
	if (is_foreign(walk, slot)) {
		bool all = says[0].told && !is_unread(says[0].why) &&
			   says[0].why != DI_WHY_TYPE_INCOMPLETE;
		for (size_t w = 1; w < walk->count; w++)
			all &= !(mask >> w & 1) || says[w].told;
		return all ? 0 : ORA_ASIDE_LANGUAGE + 1;
	}
	/* Debuggers look for the rest of a type of C++ or Rust in other units, by its name. */
	const struct ora_store_place *place = walk->by[0].told->place;
	bool unread = is_unread(says[0].why) ||
		      (says[0].why == DI_WHY_TYPE_INCOMPLETE && walk->out->module &&
			      di_language_at(walk->out->module, place->address) != DI_LANGUAGE_C);
	return says[0].told && unread ? ORA_ASIDE_UNREAD + 1 : 0;
}

static void compare_leaf(struct walk *walk, struct slot *slot, struct leaf *leaf, unsigned who)
{
	struct saying says[ORA_COMPARE_MAX];
	unsigned worst = AGREE, mask = 0;
	uint64_t states = 6, print = 7;
	size_t spoken = 0, first = 0;
	bool parts = false, cut = false, shown = false, unasked = false;
	for (size_t w = 0; w < walk->count; w++) {
		if (!(who >> w & 1))
			continue;
		bool part = !effective(slot, w, leaf, &says[w]);
		unasked |= says[w].unasked;
		if (says[w].unasked)
			continue;
		parts |= part;
		shown |= says[w].told;
		cut |= (slot->live[w] && !says[w].told && slot->cut[w]) ||
		       (says[w].told && says[w].state == ORA_STATE_CUT);
		states = print_of(states, &says[w], false);
		print = print_of(print, &says[w], true);
		mask |= 1U << w;
		first = spoken++ ? first : w;
	}
	for (size_t w = first + 1; !parts && shown && w < walk->count; w++)
		for (size_t v = first; mask >> w & 1 && v < w; v++)
			if (mask >> v & 1) {
				unsigned now = agree(&says[v], &says[w]);
				worst = worst == DIFFER || now == DIFFER ? DIFFER
					: now > worst                    ? now
									 : worst;
			}
	walk->out->compared += spoken > 1 && !parts && shown;
	if (unasked && worst == AGREE)
		worst = ASIDE + ORA_ASIDE_UNASKED;
	if (cut && worst == DIFFER)
		worst = ASIDE + ORA_ASIDE_CUT;
	unsigned left = worst == AGREE ? 0 : left_out(walk, slot, says, mask);
	worst = left ? ASIDE + left - 1 : worst;
	if (worst == DIFFER && leaf->open && leaf->print == print)
		return;
	ora_walk_close(walk, &leaf->open, leaf->since);
	if (leaf->aside)
		walk->out->aside[leaf->aside - 1] += walk->now - leaf->since;
	leaf->aside = worst >= ASIDE ? worst - ASIDE + 1 : 0;
	leaf->since = walk->now;
	leaf->print = print;
	if (worst != DIFFER)
		return;
	uint64_t key = xs_hash_text(
		xs_hash_text(xs_hash_text(states, slot->scope), slot->name), leaf->path);
	size_t at = ora_walk_differ(
		walk, ORA_ASPECT_VARIABLE, ora_walk_hash(key, slot->line), ora_walk_pc_key(walk));
	struct ora_difference *one = walk->out->differences.data[at];
	if (!one->var)
		for (size_t w = 0; w < walk->count; w++)
			if (mask >> w & 1)
				one->said[w] = said_of(&says[w]);
	name_variable(walk, slot, leaf->path, one);
	if (!one->type)
		one->type = ora_walk_copy(leaf->type);
	leaf->open = at + 1;
}

/* Whether it is one of several at file scope, in several units: which is meant is a matter of the
 * unit. */
static bool is_of_several(const struct walk *walk, const struct slot *slot)
{
	const uint64_t *named = xs_map_find(&walk->globals, xs_hash_text(14, slot->name), 0);
	return !slot->rank && named && *named > 1;
}

/* Whether a name means this variable: a matter of the whole, not of its leaves. */
static void compare_lookup(struct walk *walk, struct slot *slot, unsigned who)
{
	struct ora_said says[ORA_COMPARE_MAX] = {0};
	uint64_t print = 8;
	unsigned hidden = 0, visible = 0;
	for (size_t w = 0; w < walk->count; w++) {
		if (walk->here >> w & 1 && slot->live[0] && is_unnamed(walk, slot, w)) {
			says[w] = (struct ora_said){.heard = true, .shadowed = true};
			hidden |= 1U << w;
			print = ora_walk_hash(print, w * 2 + 1);
			continue;
		}
		if (!(who >> w & 1) || !slot->live[w])
			continue;
		/* What hides a global is a matter of the frame that is shown. */
		if (!slot->rank && walk->by[w].levels.len != walk->by[0].levels.len)
			continue;
		const struct saying *saying = any_saying(walk, slot, w);
		/* What has no value here, or is not declared yet, is nobody's choice. */
		if (!saying || saying->state != ORA_STATE_VALUE || saying->undeclared)
			continue;
		says[w] = (struct ora_said){.heard = true, .shadowed = saying->shadowed};
		hidden |= (unsigned)saying->shadowed << w;
		visible |= (unsigned)!saying->shadowed << w;
		print = ora_walk_hash(print, w * 2 + saying->shadowed);
	}
	bool several = is_of_several(walk, slot);
	bool differ =
		!several && hidden && visible && (hidden | visible) & 1 && !is_foreign(walk, slot);
	if (differ && slot->lookup && slot->lookup_print == print)
		return;
	ora_walk_close(walk, &slot->lookup, slot->lookup_since);
	slot->lookup_since = walk->now;
	slot->lookup_print = print;
	if (!differ)
		return;
	uint64_t key = xs_hash_text(xs_hash_text(print, slot->scope), slot->name);
	size_t at = ora_walk_differ(
		walk, ORA_ASPECT_LOOKUP, ora_walk_hash(key, slot->line), ora_walk_pc_key(walk));
	struct ora_difference *one = walk->out->differences.data[at];
	for (size_t w = 0; !one->var && w < walk->count; w++) {
		one->said[w] = says[w];
		if (says[w].heard)
			one->said[w].value = xs_strdup(says[w].shadowed ? "hidden" : "visible");
	}
	name_variable(walk, slot, slot->name, one);
	slot->lookup = at + 1;
}

/* Whether a witness has it here because what it has without a unit took the place. */
static bool is_displaced(const struct walk *walk, const struct slot *slot)
{
	const struct slot *first = walk->slots.data[slot->first];
	for (size_t w = 1; first != slot && w < walk->count; w++)
		if (slot->live[w] && first->holder[w] &&
			!walk->by[w].views.data[first->holder[w] - 1].variable->unit)
			return true;
	return false;
}

/* True if somebody does not show its frame. */
static bool compare_slot(struct walk *walk, struct slot *slot)
{
	struct slot *first = walk->slots.data[slot->first];
	unsigned who = who_shows(walk, slot);
	bool hidden = who != walk->here;
	/* What the leader does not show has nobody to judge it; libraries are not what is asked
	 * about. */
	bool library = slot->rank && walk->by[0].told->has_frames &&
		       !xs_map_find(&walk->own, xs_hash_text(12, slot->scope), 0);
	/* rustc makes a table of each name in many units. A constant of a header is in many, too,
	 * and has no address that would tell a debugger in which. */
	bool unplaced = is_of_several(walk, slot) && !slot->live[0] &&
			(!slot->unit || is_displaced(walk, slot));
	bool twins = first->twins || unplaced || (!slot->rank && strstr(slot->name, "::{vtable}"));
	if (library || twins || !(who & 1)) {
		bool live = false;
		for (size_t w = 0; w < walk->count; w++)
			live |= slot->live[w] > 0;
		walk->out->aside[library ? ORA_ASIDE_LIBRARY
				 : twins ? ORA_ASIDE_TWINS
					 : ORA_ASIDE_FRAME] += live;
		who = 0;
		hidden = false;
	}
	if (slot->whole || hidden)
		for (size_t i = 0; i < slot->leaves.len; i++)
			compare_leaf(walk, slot, &slot->leaves.data[i], who);
	else
		for (size_t i = 0; i < slot->touched.len; i++)
			compare_leaf(walk, slot, &slot->leaves.data[slot->touched.data[i]], who);
	compare_lookup(walk, slot, who);
	for (size_t i = 0; i < slot->touched.len; i++)
		slot->leaves.data[slot->touched.data[i]].touched = false;
	slot->touched.len = 0;
	slot->whole = slot->pending = false;
	if (hidden)
		walk->out->aside[ORA_ASIDE_FRAME]++;
	return hidden;
}

void ora_walk_compare_variables(struct walk *walk)
{
	unsigned all = (1U << walk->count) - 1;
	size_t kept = 0;
	/* Known before the first of them is compared. */
	for (size_t i = 0; i < walk->pending.len; i++) {
		const struct slot *slot = walk->slots.data[walk->pending.data[i]];
		if (slot->first != walk->pending.data[i] && slot->live[0])
			walk->slots.data[slot->first]->twins = true;
	}
	for (size_t i = 0; i < walk->pending.len; i++) {
		size_t number = walk->pending.data[i];
		struct slot *slot = walk->slots.data[number];
		ora_walk_untwist(walk, slot);
		bool hidden = compare_slot(walk, slot);
		/* Whoever was not heard is asked when it is here again; and a frame that was not
		 * shown may be at the next stop without a word about its variables. */
		if (walk->here != all || hidden) {
			slot->pending = slot->whole = true;
			walk->pending.data[kept++] = number;
		}
	}
	walk->pending.len = kept;
}
