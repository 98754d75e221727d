/* compare_control.c - where witnesses differ about lines, frames and stops. */
#include "oracle/judge/walk.h"

/* --- levels --------------------------------------------------------------------------------- */

enum {
	AHEAD_MAX = 24,         /* frames that may lie between two that are the same */
	RANK_OF_NONE = 1000000, /* of frames that the leader does not have: these and more */
};

/* Whether nothing speaks against two frames being the same, but for their being inlined. */
static bool is_alike(const struct level *a, const struct level *b)
{
	return a->function && b->function && !a->tail && !b->tail &&
	       (a->pc == b->pc || a->pc == XS_ADDR_NONE || b->pc == XS_ADDR_NONE) &&
	       !strcmp(a->function, b->function);
}

static bool is_same(const struct level *a, const struct level *b)
{
	return a->inlined == b->inlined && is_alike(a, b);
}

/* Where a frame is, as far as that can be compared. Who does not tell the pc of the innermost
 * physical frame means the stop's. */
static xs_addr pc_of(const struct ora_told *told, size_t number)
{
	const struct ora_store_frame *frame = &told->frames.data[number];
	size_t i = 0;
	if (frame->address != XS_ADDR_NONE)
		return frame->module ? XS_ADDR_NONE : frame->address;
	while (i < number && told->frames.data[i].inlined)
		i++;
	return i == number && !told->place->module ? told->place->address : XS_ADDR_NONE;
}

/* A frame, counted from the outermost or, the other way round, from the innermost. */
static struct level *level_at(const struct witness *witness, size_t i, bool outwards)
{
	return &witness->levels.data[outwards ? witness->levels.len - 1 - i : i];
}

/* Finds the leader's frames among a witness's, one after the other: where they part, both go on at
 * the nearest place where they are the same again. */
static void pair_levels(const struct witness *leader, struct witness *witness, bool outwards)
{
	size_t i = 0, k = 0;
	while (i < leader->levels.len && k < witness->levels.len) {
		bool found = false;
		for (size_t far = 0; !found && far <= AHEAD_MAX; far++)
			for (size_t skip = 0; !found && skip <= far; skip++) {
				size_t mine = i + skip, theirs = k + far - skip;
				found = mine < leader->levels.len && theirs < witness->levels.len &&
					is_same(level_at(leader, mine, outwards),
						level_at(witness, theirs, outwards));
				i = found ? mine : i;
				k = found ? theirs : k;
			}
		if (found && outwards)
			level_at(witness, k, true)->back = leader->levels.len - i;
		else if (found)
			witness->levels.data[k].match = i + 1;
		i++;
		k++;
	}
}

/* Which frames of a witness's are the leader's. Of recursive calls of which some are not shown,
 * nobody can tell which are: one is sure if it is the same from either end. */
static void match_levels(const struct witness *leader, struct witness *witness)
{
	bool same = leader->levels.len == witness->levels.len;
	pair_levels(leader, witness, false);
	for (size_t i = 0; same && i < witness->levels.len; i++)
		same = witness->levels.data[i].match == i + 1;
	if (!same)
		pair_levels(leader, witness, true);
	for (size_t i = 0; i < witness->levels.len; i++) {
		struct level *level = &witness->levels.data[i];
		level->sure = level->match && (same || level->match == level->back);
	}
}

static unsigned rank_of(const struct walk *walk, size_t w, size_t at)
{
	const struct witness *witness = &walk->by[w];
	const struct level *level = &witness->levels.data[at];
	unsigned rank = 1;
	if (w)
		return level->sure ? walk->by[0].levels.data[level->match - 1].rank
				   : RANK_OF_NONE + (unsigned)at;
	for (size_t i = 0; level->function && i < at; i++)
		rank += witness->levels.data[i].function &&
			!strcmp(witness->levels.data[i].function, level->function);
	return rank;
}

void ora_walk_take_frames(struct walk *walk, size_t w)
{
	struct witness *witness = &walk->by[w];
	const struct ora_told *told = witness->told;
	size_t count = told->has_frames ? told->frames.len : 0;
	uint64_t print = 0, key = 13;
	bool moved = false;
	for (size_t depth = 1; depth <= count; depth++) {
		const struct ora_store_frame *frame = &told->frames.data[count - depth];
		struct level level = {.function = ora_walk_bare_name(frame->function),
			.inlined = frame->inlined,
			.tail = frame->tail,
			.pc = pc_of(told, count - depth)};
		uint64_t name = xs_hash_text(12, level.function);
		if (!w && !frame->module)
			*xs_map_at(&walk->own, name, 0) = 1;
		level.own = level.function && xs_map_find(&walk->own, name, 0) && !frame->module;
		if (level.own)
			print = xs_hash_text(print, frame->function);
		if (level.own)
			key = ora_walk_hash(ora_walk_hash(key, level.pc), level.tail);
		if (witness->levels.len < depth) {
			xs_vec_push(&witness->levels, level);
			moved = true;
			continue;
		}
		struct level *old = &witness->levels.data[depth - 1];
		bool other = !old->function != !level.function ||
			     (old->function && strcmp(old->function, level.function));
		moved |= other;
		if (other && !w && depth <= walk->units.len)
			walk->units.data[depth - 1] = NULL; /* until it is told */
		level.rank = old->rank;
		free(old->function);
		*old = level;
	}
	while (witness->levels.len > count)
		free(witness->levels.data[--witness->levels.len].function);
	if (w)
		match_levels(&walk->by[0], witness);
	for (size_t i = 0; i < count; i++) {
		unsigned rank = rank_of(walk, w, i);
		moved |= rank != witness->levels.data[i].rank;
		witness->levels.data[i].rank = rank;
	}
	/* What frame 0 shows is another matter than which frames there are. */
	witness->frames_print =
		count ? xs_hash_text(ora_walk_hash(print, told->frames.data[0].line),
				ora_walk_base_name(told->frames.data[0].file))
		      : 0;
	witness->frames_key = ora_walk_hash(key, witness->frames_print);
	for (size_t i = 0; moved && i < witness->views.len; i++)
		if (witness->views.data[i].slot && witness->views.data[i].depth)
			ora_walk_attach(walk, w, i);
}

unsigned ora_walk_depth_of(const struct witness *witness, const char *function, unsigned rank)
{
	for (size_t i = 0; i < witness->levels.len; i++) {
		const struct level *level = &witness->levels.data[i];
		if (level->rank == rank && level->function && !strcmp(level->function, function))
			return (unsigned)i + 1;
	}
	return 0;
}

/* --- differences ---------------------------------------------------------------------------- */

static void hear(struct ora_difference *one, size_t w, char *value)
{
	free(one->said[w].value);
	one->said[w].heard = true;
	one->said[w].value = value;
}

void ora_walk_compare_line(struct walk *walk)
{
	uint64_t *known = xs_map_at(&walk->lines, ora_walk_pc_key(walk), walk->here);
	const struct ora_store_place *first = NULL;
	bool differ = false;
	if (*known > 1)
		ora_walk_last(walk->out->differences.data[*known - 2], walk->now, walk->now + 1);
	if (*known)
		return;
	*known = 1;
	for (size_t w = 0; w < walk->count; w++) {
		if (!(walk->here >> w & 1))
			continue;
		const struct ora_store_place *place = walk->by[w].told->place;
		first = first ? first : place;
		walk->out->compared += first != place;
		differ |= first->has_row != place->has_row || first->line != place->line ||
			  (first->line && strcmp(ora_walk_base_name(first->file),
						  ora_walk_base_name(place->file)));
	}
	if (!differ)
		return;
	size_t at = ora_walk_differ(walk, ORA_ASPECT_LINE, ora_walk_pc_key(walk), walk->here);
	struct ora_difference *one = walk->out->differences.data[at];
	for (size_t w = 0; w < walk->count; w++) {
		if (!(walk->here >> w & 1))
			continue;
		const struct ora_store_place *place = walk->by[w].told->place;
		hear(one, w,
			place->has_row
				? xs_asprintf("%s:%u", ora_walk_base_name(place->file), place->line)
				: xs_strdup("no row"));
	}
	ora_walk_last(one, walk->now, walk->now + 1);
	*known = at + 2;
}

/* The functions of a backtrace, `f < g < main`, to be freed. */
static char *stack_text(const struct ora_told *told)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	for (size_t i = 0; i < told->frames.len; i++)
		fprintf(out, "%s%s%s", i ? " < " : "",
			told->frames.data[i].function ? told->frames.data[i].function : "?",
			told->frames.data[i].inlined ? " (inlined)" : "");
	if (told->frames.len && told->frames.data[0].line)
		fprintf(out, " at %s:%u", ora_walk_base_name(told->frames.data[0].file),
			told->frames.data[0].line);
	xs_assert(!fclose(out));
	return text;
}

/* Whether b has all frames of a, in order, and others between them: 1; the same frames: 2. */
static unsigned contains(const struct witness *a, const struct witness *b)
{
	size_t i = 0, more = 0;
	for (size_t k = 0; k <= b->levels.len; k++) {
		while (i < a->levels.len && !a->levels.data[i].own)
			i++;
		if (k == b->levels.len || !b->levels.data[k].own)
			continue;
		bool same = i < a->levels.len && a->levels.data[i].own &&
			    is_alike(&a->levels.data[i], &b->levels.data[k]);
		i += same;
		more += !same;
	}
	return i < a->levels.len ? 0 : more ? 1 : 2;
}

/* Keeps the leader's frames, who does not show them, and what others add. */
static void keep_frames(struct walk *walk, struct ora_difference *one)
{
	const struct witness *leader = &walk->by[0];
	const struct ora_told *told = leader->told;
	size_t count = leader->levels.len;
	for (size_t i = 0; i < count; i++) {
		const struct ora_store_frame *frame = &told->frames.data[i];
		const struct level *level = &leader->levels.data[count - 1 - i];
		struct ora_frame_shown shown = {.function = ora_walk_copy(level->function),
			.inlined = frame->inlined,
			.pc = frame->module ? XS_ADDR_NONE : frame->address};
		xs_vec_push(&one->frames, shown);
	}
	for (size_t w = 1; w < walk->count; w++) {
		const struct witness *witness = &walk->by[w];
		if (!(walk->here >> w & 1) || !witness->levels.len)
			continue;
		for (size_t i = 0; i < count; i++)
			one->frames.data[i].lack |=
				leader->levels.data[count - 1 - i].own ? 1U << w : 0;
		size_t outside = count;
		for (size_t k = 0; k < witness->levels.len; k++) {
			const struct level *level = &witness->levels.data[k];
			if (level->match) {
				outside = count - level->match;
				one->frames.data[outside].lack &= ~(1U << w);
				continue;
			}
			if (!level->function)
				continue;
			struct ora_frame_added added = {.function = xs_strdup(level->function),
				.trace = w,
				.outside = outside,
				.tail = level->tail,
				.pc = level->pc};
			xs_vec_push(&one->added, added);
		}
	}
}

void ora_walk_compare_frames(struct walk *walk)
{
	uint64_t key = 10;
	size_t first = walk->count;
	bool differ = false, presentation = true, spelling = false;
	for (size_t w = 0; w < walk->count; w++) {
		if (!(walk->here >> w & 1) || !walk->by[w].levels.len)
			continue;
		key = ora_walk_hash(ora_walk_hash(key, walk->by[w].frames_key), w);
		first = first < walk->count ? first : w;
	}
	if (first == walk->count)
		return;
	uint64_t *known = xs_map_at(&walk->stacks, key, ora_walk_pc_key(walk));
	if (*known > 1)
		ora_walk_last(walk->out->differences.data[*known - 2], walk->now, walk->now + 1);
	if (*known)
		return;
	*known = 1;
	const struct witness *a = &walk->by[first];
	const struct ora_store_frame *shown = &a->told->frames.data[0];
	for (size_t w = first + 1; w < walk->count; w++) {
		const struct witness *b = &walk->by[w];
		if (!(walk->here >> w & 1) || !b->levels.len)
			continue;
		const struct ora_store_frame *theirs = &b->told->frames.data[0];
		unsigned same = contains(a, b);
		walk->out->compared++;
		bool line =
			shown->line != theirs->line && a->told->place->line == b->told->place->line;
		/* A frame more or less, all others being the same: at the border of an inlined
		 * call, or one that a tail call left no trace of. */
		presentation &= same == 2 || same == 1 || contains(b, a);
		differ |= same != 2 || line;
		spelling |= same == 2 && a->frames_print != b->frames_print && !line;
	}
	if (!differ) {
		walk->out->aside[ORA_ASIDE_SPELLING] += spelling;
		return;
	}
	uint64_t place = ora_walk_pc_key(walk);
	for (size_t w = 0; w < walk->count; w++)
		if (walk->here >> w & 1 && walk->by[w].levels.len)
			place = ora_walk_hash(place, walk->by[w].levels.len);
	size_t at = ora_walk_differ(
		walk, presentation ? ORA_ASPECT_PRESENTATION : ORA_ASPECT_FRAMES, place, 0);
	struct ora_difference *one = walk->out->differences.data[at];
	for (size_t w = 0; one->times == 1 && w < walk->count; w++)
		if (walk->here >> w & 1 && walk->by[w].levels.len)
			hear(one, w, stack_text(walk->by[w].told));
	if (one->times == 1)
		keep_frames(walk, one);
	ora_walk_last(one, walk->now, walk->now + 1);
	*known = at + 2;
}

void ora_walk_note_stop(struct walk *walk, size_t w, bool missed)
{
	size_t at = ora_walk_differ(walk, ORA_ASPECT_STOPS, ora_walk_hash(11, w), missed);
	struct ora_difference *one = walk->out->differences.data[at];
	if (one->times == 1) {
		hear(one, 0, xs_strdup(missed ? "stopped here" : "did not stop there"));
		const struct ora_told *told = walk->by[w].told;
		if (missed)
			hear(one, w, xs_strdup("did not stop here"));
		else
			hear(one, w,
				xs_asprintf("stopped at 0x%" PRIx64 ", arrival %" PRIu64,
					told->place->address, told->n));
	}
	ora_walk_last(one, walk->now, walk->now + 1);
}
