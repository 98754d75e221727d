#include "oracle/compare.h"

#include "base/map.h"

const char *ora_aspect_text(enum ora_aspect aspect)
{
	static const char *const texts[] = {"variable", "lookup", "register", "line table",
		"presentation", "frames", "stops"};
	return texts[aspect];
}

const char *ora_aside_text(enum ora_aside aside)
{
	static const char *const texts[] = {
		"unstable: differs between two runs of one debugger",
		"NaNs of different sign or payload",
		"no value, in different words",
		"names that differ in spelling only",
		"of a frame that is not shown",
		"behind the leaves that a witness tells",
		"of library code",
		"one of two that look the same",
	};
	return texts[aside];
}

/* What one witness says of a leaf, as it stands. */
struct saying {
	bool told;
	bool part; /* not told, but other leaves of the variable are */
	bool undeclared, shadowed, unstable;
	enum ora_state state;
	char *value, *message;
};

struct leaf {
	char *path, *type;
	struct saying by[ORA_COMPARE_MAX];
	bool listed[ORA_COMPARE_MAX]; /* in the leaves of the view that told it */
	bool touched;                /* since it was compared */
	size_t open;                 /* its difference now, plus 1 */
	uint64_t since;              /* the stop it began at, as a count */
	uint64_t print;              /* of what is said in it */
	unsigned aside;              /* enum ora_aside, plus 1: set aside since then */
};

/* A variable of one frame, or at file scope: what the witnesses have in common. */
struct slot {
	char *scope, *name, *file; /* file: of the declaration, without its folder */
	char *decl_file;
	uint32_t line;
	unsigned rank, nth;        /* nth: of those that look the same */
	size_t first;              /* number of the one whose nth is 0 */
	bool twins;                /* of that one: the leader has several at once */
	XS_VEC(struct leaf) leaves;
	struct xs_map index;            /* hash of a path -> index, plus 1 */
	size_t live[ORA_COMPARE_MAX];   /* leaves that it tells */
	size_t odd[ORA_COMPARE_MAX];    /* those of them that are no values: may be of a whole */
	size_t holder[ORA_COMPARE_MAX]; /* the view that tells them, plus 1 */
	unsigned frame[ORA_COMPARE_MAX]; /* its number, when last told */
	bool cut[ORA_COMPARE_MAX];      /* more leaves than are told */
	bool pending, whole;            /* to be compared; with all its leaves */
	XS_VEC(size_t) touched;         /* or these */
	size_t lookup;                  /* open difference of the name, plus 1 */
	uint64_t lookup_since, lookup_print;
};

/* A variable as one trace has it: an entry of its table, at a depth. */
struct view {
	const struct ora_store_variable *variable;
	unsigned depth;
	size_t slot;           /* plus 1; 0: nothing is told */
	XS_VEC(size_t) leaves; /* of the slot, that this one told */
};

struct reg {
	char *name;
	struct ora_told_reg by[ORA_COMPARE_MAX];
	bool told[ORA_COMPARE_MAX];
	size_t open;
	uint64_t since, print;
	bool touched;
};

/* One frame as it is matched. */
struct level {
	char *function; /* bare name; NULL: unknown */
	unsigned rank;
	bool own;       /* of the program, not of a library */
};

struct witness {
	struct ora_reader *reader;
	const struct ora_told *told; /* the stop it is at; NULL at the end */
	bool here;                   /* that is the leader's */
	struct xs_map index;         /* (variable, depth) -> view, plus 1 */
	XS_VEC(struct view) views;
	XS_VEC(struct level) levels; /* by depth minus 1: as the last stop had them */
	uint64_t frames_print;       /* of the backtrace at this stop */
};

struct walk {
	struct ora_comparison *out;
	struct witness by[ORA_COMPARE_MAX];
	size_t count;
	struct xs_map order;      /* identity of a leader's stop -> its count */
	struct xs_map slot_index; /* key -> slot, plus 1 */
	XS_VEC(struct slot *) slots;
	XS_VEC(size_t) pending;   /* slots to compare */
	XS_VEC(struct reg) regs;
	struct xs_map known;      /* key of a difference -> index, plus 1 */
	struct xs_map lines;      /* pcs whose lines were compared -> difference, plus 1 */
	struct xs_map own;        /* names of functions that the leader shows in the program itself */
	struct xs_map stacks;     /* backtraces that were compared -> difference, plus 1 */
	uint64_t now;             /* count of the leader's stop */
	unsigned here;            /* mask of those that are at it */
};

/* --- keys ------------------------------------------------------------------------------------------ */

static uint64_t hash_number(uint64_t hash, uint64_t number)
{
	return xs_mix(hash ^ xs_mix(number + 0x9e3779b97f4a7c15));
}

static uint64_t hash_place(uint64_t hash, const struct ora_store_place *place)
{
	return place ? hash_number(xs_hash_text(hash, place->module), place->address)
		     : hash_number(hash, XS_ADDR_NONE);
}

static uint64_t identity(const struct ora_told *told)
{
	return hash_number(hash_place(hash_place(1, told->prev), told->place), told->n);
}

static const char *base_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	return slash ? slash + 1 : path ? path : "";
}

/* The function's own name: without parameters, and what the compiler calls its clones. To be freed. */
static char *bare_name(const char *name)
{
	if (!name)
		return NULL;
	char *ret = xs_strdup(base_name(name)); /* a scope may be a path of inlined calls */
	ret[strcspn(ret, *ret == '.' ? "(@" : "(.@")] = 0;
	return ret;
}

static bool is_part(const char *path, const char *whole)
{
	size_t length = strlen(whole);
	return !strncmp(path, whole, length) && (path[length] == '.' || path[length] == '[');
}

/* --- frames ------------------------------------------------------------------------------------------ */

static void level_deinit(struct level *level)
{
	free(level->function);
}

/* The frames of this stop by depth. Views of frames that are others now are moved to their slots. */
static void attach(struct walk *walk, size_t w, size_t number);

static void take_levels(struct walk *walk, size_t w)
{
	struct witness *witness = &walk->by[w];
	const struct ora_told *told = witness->told;
	size_t count = told->has_frames ? told->frames.len : 0;
	uint64_t print = 0;
	bool moved = false;
	for (size_t depth = 1; depth <= count; depth++) {
		const struct ora_store_frame *frame = &told->frames.data[count - depth];
		struct level level = {.function = bare_name(frame->function), .rank = 1};
		for (size_t i = 0; level.function && i + 1 < depth; i++)
			level.rank += witness->levels.data[i].function &&
				      !strcmp(witness->levels.data[i].function, level.function);
		uint64_t name = xs_hash_text(12, level.function);
		if (!w && !frame->module)
			*xs_map_at(&walk->own, name, 0) = 1;
		level.own = level.function && xs_map_find(&walk->own, name, 0) && !frame->module;
		if (level.own)
			print = xs_hash_text(print, frame->function);
		if (witness->levels.len < depth) {
			xs_vec_push(&witness->levels, level);
			moved = true;
			continue;
		}
		struct level *old = &witness->levels.data[depth - 1];
		moved |= !old->function != !level.function || old->rank != level.rank ||
			 (old->function && strcmp(old->function, level.function));
		level_deinit(old);
		*old = level;
	}
	while (witness->levels.len > count)
		level_deinit(&witness->levels.data[--witness->levels.len]);
	/* What frame 0 shows is another matter than which frames there are. */
	witness->frames_print = count ? xs_hash_text(hash_number(print, told->frames.data[0].line),
						base_name(told->frames.data[0].file))
				      : 0;
	for (size_t i = 0; moved && i < witness->views.len; i++)
		if (witness->views.data[i].slot && witness->views.data[i].depth)
			attach(walk, w, i);
}

/* The depth of the frame of a function and rank that a witness shows; 0: none. */
static unsigned depth_of(const struct witness *witness, const char *function, unsigned rank)
{
	for (size_t i = 0; i < witness->levels.len; i++) {
		const struct level *level = &witness->levels.data[i];
		if (level->rank == rank && level->function && !strcmp(level->function, function))
			return (unsigned)i + 1;
	}
	return 0;
}

/* --- variables ---------------------------------------------------------------------------------------- */

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

static size_t leaf_at(struct slot *slot, const char *path, const char *type)
{
	uint64_t *index = xs_map_at(&slot->index, xs_hash_text(2, path), xs_hash_text(3, path));
	if (!*index) {
		struct leaf leaf = {
			.path = xs_strdup(path), .type = type ? xs_strdup(type) : NULL};
		xs_vec_push(&slot->leaves, leaf);
		*index = slot->leaves.len;
	}
	return *index - 1;
}

/* The slot of a variable in a frame; nth tells apart those that look the same. */
static size_t slot_at(struct walk *walk, const struct ora_store_variable *variable,
	const char *scope, unsigned rank, unsigned nth)
{
	/* Without a line the declaration is not known, and a file beside it a guess. */
	const char *file = variable->line ? base_name(variable->file) : "";
	uint64_t a = xs_hash_text(xs_hash_text(xs_hash_text(4, scope), variable->name), file);
	uint64_t b = hash_number(hash_number(variable->line, rank), nth);
	uint64_t *index = xs_map_at(&walk->slot_index, a, b);
	if (!*index) {
		struct slot *slot = xs_calloc(1, sizeof *slot);
		slot->scope = xs_strdup(scope);
		slot->name = xs_strdup(variable->name);
		slot->file = xs_strdup(file);
		slot->decl_file = variable->file ? xs_strdup(variable->file) : NULL;
		slot->line = variable->line;
		slot->rank = rank;
		slot->nth = nth;
		xs_vec_push(&walk->slots, slot);
		*index = walk->slots.len;
		/* Made after its first, and the table may have moved. */
		slot->first = nth ? slot_at(walk, variable, scope, rank, 0) : walk->slots.len - 1;
		index = xs_map_at(&walk->slot_index, a, b);
	}
	return *index - 1;
}

/* Where a view belongs now, plus 1; 0 if its frame is gone. */
static size_t home_of(struct walk *walk, size_t w, size_t number)
{
	struct witness *witness = &walk->by[w];
	const struct view *view = &witness->views.data[number];
	XS_AUTO_FREE char *scope = view->depth ? bare_name(view->variable->scope) : xs_strdup("");
	unsigned rank = 0;
	if (view->depth) {
		rank = view->depth;
		if (view->depth <= witness->levels.len)
			rank = witness->levels.data[view->depth - 1].rank;
		else if (witness->levels.len)
			return 0;
	}
	for (unsigned nth = 0;; nth++) {
		size_t at = slot_at(walk, view->variable, scope ? scope : "", rank, nth);
		size_t holder = walk->slots.data[at]->holder[w];
		if (!holder || holder == number + 1)
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
		const uint64_t *at = xs_map_find(&b->index, xs_hash_text(2, path), xs_hash_text(3, path));
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

/* Moves a view to where it belongs. */
static void attach(struct walk *walk, size_t w, size_t number)
{
	size_t home = home_of(walk, w, number);
	if (home && home != walk->by[w].views.data[number].slot)
		move(walk, w, number, home);
}

/* Which of two that look the same a witness tells first is its own choice: the one that says what the
 * leader says of its only one is that one. */
static void untwist(struct walk *walk, struct slot *slot)
{
	if (slot->nth || !slot->live[0])
		return;
	for (size_t w = 1; w < walk->count; w++) {
		struct view *view = slot->holder[w] ? &walk->by[w].views.data[slot->holder[w] - 1] : NULL;
		if (!view || !(walk->here >> w & 1))
			continue;
		size_t other = slot_at(walk, view->variable, slot->scope, slot->rank, 1);
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

/* What is said of a whole takes the place of what was said of its leaves, and the other way round. */
static void displace(struct slot *slot, size_t w, const char *path, bool value)
{
	for (size_t i = 0; slot->live[w] && i < slot->leaves.len; i++) {
		struct leaf *leaf = &slot->leaves.data[i];
		if (!leaf->by[w].told)
			continue;
		bool outer = leaf->by[w].state != ORA_STATE_VALUE && is_part(path, leaf->path);
		bool inner = !value && is_part(leaf->path, path);
		if (!outer && !inner)
			continue;
		unsay(slot, w, i);
		slot->whole = true;
	}
}

static void take_fact(struct walk *walk, size_t w, const struct ora_told_fact *fact)
{
	struct witness *witness = &walk->by[w];
	uint64_t *index =
		xs_map_at(&witness->index, (uintptr_t)fact->variable, fact->depth);
	if (!*index) {
		struct view view = {.variable = fact->variable, .depth = fact->depth};
		xs_vec_push(&witness->views, view);
		*index = witness->views.len;
	}
	size_t number = *index - 1;
	struct view *view = &witness->views.data[number];
	bool gone = fact->state == ORA_STATE_ABSENT;
	if (!view->slot && gone)
		return;
	if (!view->slot)
		attach(walk, w, number);
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
		/* Absent as a whole means all of it. */
		for (size_t i = 0; i < slot->leaves.len; i++)
			if (i == at || is_part(slot->leaves.data[i].path, fact->path))
				unsay(slot, w, i);
		if (!slot->live[w])
			detach(walk, w, view);
		return;
	}
	if (!leaf->by[w].told) {
		bool value = fact->state == ORA_STATE_VALUE;
		if (!value || slot->odd[w])
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
		.message = fact->message ? xs_strdup(fact->message) : NULL};
	slot->whole |= fact->state != ORA_STATE_VALUE;
	slot->cut[w] |= fact->state == ORA_STATE_CUT;
}

/* --- differences -------------------------------------------------------------------------------------- */

static char *copy(const char *text)
{
	return text ? xs_strdup(text) : NULL;
}

/* The difference with this key, new or not. It began once more. */
static size_t difference_at(struct walk *walk, enum ora_aspect aspect, uint64_t a, uint64_t b)
{
	const struct ora_told *told = walk->by[0].told;
	uint64_t *index = xs_map_at(&walk->known, hash_number(a, aspect), b);
	if (!*index) {
		struct ora_difference *one = xs_calloc(1, sizeof *one);
		one->aspect = aspect;
		one->number = told->number;
		one->n = told->n;
		one->prev = told->prev ? told->prev->address : XS_ADDR_NONE;
		one->pc = one->frame_pc = told->place->address;
		one->module = copy(told->place->module);
		one->frame_module = copy(told->place->module);
		one->function = copy(told->place->function);
		one->file = copy(told->place->file);
		one->line = told->place->line;
		xs_vec_push(&walk->out->differences, one);
		*index = walk->out->differences.len;
	}
	walk->out->differences.data[*index - 1]->times++;
	return *index - 1;
}

static void close_difference(struct walk *walk, size_t *open, uint64_t since)
{
	if (*open)
		walk->out->differences.data[*open - 1]->stops += walk->now - since;
	*open = 0;
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
		unsigned depth = slot->rank ? depth_of(&walk->by[w], slot->scope, slot->rank) : 0;
		size_t number = depth ? told->frames.len - depth : slot->frame[w];
		if (slot->rank && !depth && told->has_frames)
			continue;
		if (slot->holder[w] || difference->frame_pc == XS_ADDR_NONE)
			difference->frame = (unsigned)number;
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
		difference->frame_module = copy(frame->module);
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
		.value = copy(saying->value),
		.message = copy(saying->message),
		.undeclared = saying->undeclared,
		.shadowed = saying->shadowed};
}

/* What a witness says of a leaf, by itself or by what is around it. False: of parts of it. */
static bool effective(
	const struct slot *slot, size_t w, const struct leaf *leaf, struct saying *ret)
{
	*ret = leaf->by[w];
	if (ret->told || !slot->live[w])
		return true;
	for (size_t length = strlen(leaf->path); length; length--) {
		if (leaf->path[length] != '.' && leaf->path[length] != '[')
			continue;
		XS_AUTO_FREE char *whole = xs_strdup(leaf->path);
		whole[length] = 0;
		const uint64_t *at =
			xs_map_find(&slot->index, xs_hash_text(2, whole), xs_hash_text(3, whole));
		if (at && slot->leaves.data[*at - 1].by[w].told &&
			slot->leaves.data[*at - 1].by[w].state != ORA_STATE_VALUE) {
			*ret = slot->leaves.data[*at - 1].by[w];
			return true;
		}
	}
	for (size_t i = 0; i < slot->leaves.len; i++)
		if (slot->leaves.data[i].by[w].told && is_part(slot->leaves.data[i].path, leaf->path))
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
	hash = hash_number(hash, saying->told ? saying->state : ORA_STATE_ABSENT);
	return values ? xs_hash_text(hash, saying->value) : hash;
}

static void name_variable(
	struct walk *walk, const struct slot *slot, const char *path, struct ora_difference *one)
{
	if (one->var)
		return;
	one->scope = xs_strdup(slot->scope);
	one->var = xs_strdup(slot->name);
	one->path = xs_strdup(path);
	one->decl_file = copy(slot->decl_file);
	one->decl_line = slot->line;
	one->global = !slot->rank;
	locate_frame(walk, slot, one);
}

/* Those at this stop that show the frame of a slot. */
static unsigned who_shows(struct walk *walk, const struct slot *slot)
{
	unsigned ret = 0;
	for (size_t w = 0; w < walk->count; w++)
		if (walk->here >> w & 1 &&
			(!slot->rank || slot->live[w] || !walk->by[w].levels.len ||
				depth_of(&walk->by[w], slot->scope, slot->rank)))
			ret |= 1U << w;
	return ret;
}

static uint64_t pc_key(const struct walk *walk)
{
	return hash_place(5, walk->by[0].told->place);
}

static void compare_leaf(struct walk *walk, struct slot *slot, struct leaf *leaf, unsigned who)
{
	struct saying says[ORA_COMPARE_MAX];
	unsigned worst = AGREE, mask = 0;
	uint64_t states = 6, print = 7;
	size_t spoken = 0, first = 0;
	bool parts = false, cut = false, shown = false;
	for (size_t w = 0; w < walk->count; w++) {
		if (!(who >> w & 1))
			continue;
		parts |= !effective(slot, w, leaf, &says[w]);
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
					: now > worst			 ? now
									 : worst;
			}
	walk->out->compared += spoken > 1 && !parts && shown;
	if (cut && worst == DIFFER)
		worst = ASIDE + ORA_ASIDE_CUT;
	if (worst == DIFFER && leaf->open && leaf->print == print)
		return;
	close_difference(walk, &leaf->open, leaf->since);
	if (leaf->aside)
		walk->out->aside[leaf->aside - 1] += walk->now - leaf->since;
	leaf->aside = worst >= ASIDE ? worst - ASIDE + 1 : 0;
	leaf->since = walk->now;
	leaf->print = print;
	if (worst != DIFFER)
		return;
	uint64_t key = xs_hash_text(xs_hash_text(xs_hash_text(states, slot->scope), slot->name), leaf->path);
	size_t at = difference_at(
		walk, ORA_ASPECT_VARIABLE, hash_number(key, slot->line), pc_key(walk));
	struct ora_difference *one = walk->out->differences.data[at];
	if (!one->var)
		for (size_t w = 0; w < walk->count; w++)
			if (mask >> w & 1)
				one->said[w] = said_of(&says[w]);
	name_variable(walk, slot, leaf->path, one);
	if (!one->type)
		one->type = copy(leaf->type);
	leaf->open = at + 1;
}

/* Whether a name means this variable: a matter of the whole, not of its leaves. */
static void compare_lookup(struct walk *walk, struct slot *slot, unsigned who)
{
	struct ora_said says[ORA_COMPARE_MAX] = {0};
	uint64_t print = 8;
	unsigned hidden = 0, visible = 0;
	for (size_t w = 0; w < walk->count; w++) {
		if (!(who >> w & 1) || !slot->live[w])
			continue;
		/* What hides a global is a matter of the frame that is shown. */
		if (!slot->rank && walk->by[w].levels.len != walk->by[0].levels.len)
			continue;
		const struct view *view = &walk->by[w].views.data[slot->holder[w] - 1];
		const struct saying *saying = NULL;
		for (size_t i = 0; i < view->leaves.len && (!saying || !saying->told); i++)
			saying = &slot->leaves.data[view->leaves.data[i]].by[w];
		/* What has no value here, or is not declared yet, is nobody's choice. */
		if (!saying || !saying->told || saying->state != ORA_STATE_VALUE ||
			saying->undeclared)
			continue;
		says[w] = (struct ora_said){.heard = true, .shadowed = saying->shadowed};
		hidden |= (unsigned)saying->shadowed << w;
		visible |= (unsigned)!saying->shadowed << w;
		print = hash_number(print, w * 2 + saying->shadowed);
	}
	bool differ = hidden && visible && (hidden | visible) & 1;
	if (differ && slot->lookup && slot->lookup_print == print)
		return;
	close_difference(walk, &slot->lookup, slot->lookup_since);
	slot->lookup_since = walk->now;
	slot->lookup_print = print;
	if (!differ)
		return;
	uint64_t key = xs_hash_text(xs_hash_text(print, slot->scope), slot->name);
	size_t at =
		difference_at(walk, ORA_ASPECT_LOOKUP, hash_number(key, slot->line), pc_key(walk));
	struct ora_difference *one = walk->out->differences.data[at];
	for (size_t w = 0; !one->var && w < walk->count; w++) {
		one->said[w] = says[w];
		if (says[w].heard)
			one->said[w].value = xs_strdup(says[w].shadowed ? "hidden" : "visible");
	}
	name_variable(walk, slot, slot->name, one);
	slot->lookup = at + 1;
}

/* True if somebody does not show its frame. */
static bool compare_slot(struct walk *walk, struct slot *slot)
{
	struct slot *first = walk->slots.data[slot->first];
	unsigned who = who_shows(walk, slot);
	bool hidden = who != walk->here;
	/* What the leader does not show has nobody to judge it; libraries are not what is asked about. */
	bool library = slot->rank && !xs_map_find(&walk->own, xs_hash_text(12, slot->scope), 0);
	first->twins |= slot->nth && slot->live[0];
	if (library || first->twins || !(who & 1)) {
		bool live = false;
		for (size_t w = 0; w < walk->count; w++)
			live |= slot->live[w] > 0;
		walk->out->aside[library        ? ORA_ASIDE_LIBRARY
				 : first->twins ? ORA_ASIDE_TWINS
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

static void compare_slots(struct walk *walk)
{
	unsigned all = (1U << walk->count) - 1;
	size_t kept = 0;
	for (size_t i = 0; i < walk->pending.len; i++) {
		size_t number = walk->pending.data[i];
		struct slot *slot = walk->slots.data[number];
		untwist(walk, slot);
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

/* --- registers ------------------------------------------------------------------------------------------ */

static void take_reg(struct walk *walk, size_t w, const struct ora_told_reg *told)
{
	struct reg *reg = NULL;
	for (size_t i = 0; i < walk->regs.len && !reg; i++)
		if (!strcmp(walk->regs.data[i].name, told->name))
			reg = &walk->regs.data[i];
	if (!reg) {
		struct reg fresh = {.name = xs_strdup(told->name)};
		xs_vec_push(&walk->regs, fresh);
		reg = &walk->regs.data[walk->regs.len - 1];
	}
	reg->by[w] = *told;
	reg->by[w].name = reg->by[w].text = NULL;
	reg->told[w] = !told->text; /* texts are not compared */
	reg->touched = true;
}

static void compare_reg(struct walk *walk, struct reg *reg)
{
	const struct ora_told_reg *first = NULL;
	uint64_t print = 9;
	bool differ = false;
	size_t told = 0, pairs = 0;
	for (size_t w = 0; w < walk->count; w++) {
		told += reg->told[w] && walk->here >> w & 1;
		for (size_t v = 0; v < w; v++)
			pairs += reg->told[w] && reg->told[v] && reg->by[w].value == reg->by[v].value;
	}
	for (size_t w = 0; w < walk->count; w++) {
		if (!reg->told[w] || !(walk->here >> w & 1))
			continue;
		const struct ora_told_reg *one = &reg->by[w];
		print = hash_number(hash_number(print, one->known), one->value);
		differ |= first && one->known && first->known && one->value != first->value;
		first = first ? first : one;
		walk->out->compared += first != one;
	}
	if (differ && reg->open && print == reg->print)
		return;
	close_difference(walk, &reg->open, reg->since);
	reg->since = walk->now;
	reg->print = print;
	/* Three answers to one question: a process number, a time stamp. */
	bool unstable = differ && told > 2 && !pairs;
	walk->out->aside[ORA_ASIDE_UNSTABLE] += unstable;
	if (!differ || unstable)
		return;
	size_t at = difference_at(walk, ORA_ASPECT_REGISTER, xs_hash_text(9, reg->name), 0);
	struct ora_difference *one = walk->out->differences.data[at];
	for (size_t w = 0; !one->var && w < walk->count; w++) {
		one->said[w].heard = reg->told[w] && walk->here >> w & 1;
		if (one->said[w].heard)
			one->said[w].value = xs_asprintf("0x%" PRIx64, reg->by[w].value);
	}
	if (!one->var) {
		one->var = xs_asprintf("$%s", reg->name);
		one->path = xs_strdup(one->var);
	}
	reg->open = at + 1;
}

/* --- control facts --------------------------------------------------------------------------------------- */

static void hear(struct ora_difference *one, size_t w, char *value)
{
	free(one->said[w].value);
	one->said[w].heard = true;
	one->said[w].value = value;
}

/* What the line table says of the pc: the same whenever it is come to. */
static void compare_line(struct walk *walk)
{
	uint64_t *known = xs_map_at(&walk->lines, pc_key(walk), walk->here);
	const struct ora_store_place *first = NULL;
	bool differ = false;
	if (*known > 1)
		walk->out->differences.data[*known - 2]->stops++;
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
			  (first->line && strcmp(base_name(first->file), base_name(place->file)));
	}
	if (!differ)
		return;
	size_t at = difference_at(walk, ORA_ASPECT_LINE, pc_key(walk), walk->here);
	struct ora_difference *one = walk->out->differences.data[at];
	for (size_t w = 0; w < walk->count; w++) {
		if (!(walk->here >> w & 1))
			continue;
		const struct ora_store_place *place = walk->by[w].told->place;
		hear(one, w, place->has_row ? xs_asprintf("%s:%u", base_name(place->file), place->line)
					    : xs_strdup("no row"));
	}
	one->stops = 1;
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
		fprintf(out, " at %s:%u", base_name(told->frames.data[0].file),
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
			    !strcmp(a->levels.data[i].function, b->levels.data[k].function);
		i += same;
		more += !same;
	}
	return i < a->levels.len ? 0 : more ? 1 : 2;
}

/* Which frames there are, and which line frame 0 shows. */
static void compare_frames(struct walk *walk)
{
	uint64_t key = 10;
	size_t first = walk->count;
	bool differ = false, presentation = true, spelling = false;
	for (size_t w = 0; w < walk->count; w++) {
		if (!(walk->here >> w & 1) || !walk->by[w].levels.len)
			continue;
		key = hash_number(hash_number(key, walk->by[w].frames_print), w);
		first = first < walk->count ? first : w;
	}
	if (first == walk->count)
		return;
	uint64_t *known = xs_map_at(&walk->stacks, key, pc_key(walk));
	if (*known > 1)
		walk->out->differences.data[*known - 2]->stops++;
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
		bool line = shown->line != theirs->line && a->told->place->line == b->told->place->line;
		/* A frame more or less, all others being the same: at the border of an inlined call, or
		 * one that a tail call left no trace of. */
		presentation &= same == 2 || same == 1 || contains(b, a);
		differ |= same != 2 || line;
		spelling |= same == 2 && a->frames_print != b->frames_print && !line;
	}
	if (!differ) {
		walk->out->aside[ORA_ASIDE_SPELLING] += spelling;
		return;
	}
	uint64_t place = pc_key(walk);
	for (size_t w = 0; w < walk->count; w++)
		if (walk->here >> w & 1 && walk->by[w].levels.len)
			place = hash_number(place, walk->by[w].levels.len);
	size_t at = difference_at(walk,
		presentation ? ORA_ASPECT_PRESENTATION : ORA_ASPECT_FRAMES, place, 0);
	struct ora_difference *one = walk->out->differences.data[at];
	for (size_t w = 0; one->times == 1 && w < walk->count; w++)
		if (walk->here >> w & 1 && walk->by[w].levels.len)
			hear(one, w, stack_text(walk->by[w].told));
	one->stops++;
	*known = at + 2;
}

/* A witness was elsewhere. */
static void note_stop(struct walk *walk, size_t w, bool missed)
{
	size_t at = difference_at(walk, ORA_ASPECT_STOPS, hash_number(11, w), missed);
	struct ora_difference *one = walk->out->differences.data[at];
	if (one->times == 1) {
		hear(one, 0, xs_strdup(missed ? "stopped here" : "did not stop there"));
		const struct ora_told *told = walk->by[w].told;
		if (missed)
			hear(one, w, xs_strdup("did not stop here"));
		else
			hear(one, w, xs_asprintf("stopped at 0x%" PRIx64 ", arrival %" PRIu64,
					     told->place->address, told->n));
	}
	one->stops++;
}

/* --- the walk ---------------------------------------------------------------------------------------------- */

static struct xs_error *advance(struct walk *walk, size_t w)
{
	return ora_reader_next(walk->by[w].reader, &walk->by[w].told);
}

static void take_stop(struct walk *walk, size_t w)
{
	const struct ora_told *told = walk->by[w].told;
	take_levels(walk, w);
	for (size_t i = 0; i < told->facts.len; i++)
		take_fact(walk, w, &told->facts.data[i]);
	for (size_t i = 0; i < told->regs.len; i++)
		take_reg(walk, w, &told->regs.data[i]);
}

/* Brings a witness to the leader's stop, or as near as it gets. */
static struct xs_error *follow(struct walk *walk, size_t w, uint64_t wanted)
{
	struct witness *witness = &walk->by[w];
	struct xs_error *err = NULL;
	witness->here = false;
	while (witness->told) {
		const uint64_t *at = xs_map_find(&walk->order, identity(witness->told), 0);
		if (at && *at > walk->now)
			break;
		witness->here = identity(witness->told) == wanted;
		/* Changes are told once, whether or not anybody else is there. */
		take_stop(walk, w);
		if (witness->here)
			break;
		walk->out->extra[w]++;
		note_stop(walk, w, false);
		if ((err = advance(walk, w)))
			return err;
	}
	/* One whose trace is over has not gone astray: that it is incomplete is known. */
	if (!witness->here && witness->told)
		note_stop(walk, w, true);
	walk->out->missed[w] += !witness->here;
	return err;
}

static void compare_stop(struct walk *walk)
{
	walk->here = 1;
	for (size_t w = 1; w < walk->count; w++)
		walk->here |= (unsigned)walk->by[w].here << w;
	if (walk->here == 1)
		return;
	compare_line(walk);
	compare_frames(walk);
	compare_slots(walk);
	for (size_t i = 0; i < walk->regs.len; i++) {
		if (walk->regs.data[i].touched)
			compare_reg(walk, &walk->regs.data[i]);
		walk->regs.data[i].touched = false;
	}
}

/* Which stops the leader has, and where. */
static struct xs_error *note_order(struct walk *walk)
{
	XS_AUTO(ora_reader) reader = NULL;
	const struct ora_told *told = NULL;
	struct xs_error *err =
		ora_reader_create(walk->out->store, walk->out->traces[0], &reader);
	while (!err && !(err = ora_reader_next(reader, &told)) && told)
		*xs_map_at(&walk->order, identity(told), 0) = ++walk->out->stops;
	return err;
}

static struct xs_error *go(struct walk *walk)
{
	struct xs_error *err = note_order(walk);
	for (size_t w = 0; !err && w < walk->count; w++)
		if (!(err = ora_reader_create(walk->out->store, walk->out->traces[w],
			      &walk->by[w].reader)))
			err = advance(walk, w);
	while (!err && walk->by[0].told) {
		uint64_t wanted = identity(walk->by[0].told);
		walk->now++;
		take_stop(walk, 0);
		for (size_t w = 1; !err && w < walk->count; w++)
			err = follow(walk, w, wanted);
		if (err)
			break;
		compare_stop(walk);
		for (size_t w = 0; !err && w < walk->count; w++)
			if (!w || walk->by[w].here)
				err = advance(walk, w);
	}
	for (size_t w = 1; !err && w < walk->count; w++)
		while (!err && walk->by[w].told) {
			walk->out->extra[w]++;
			err = advance(walk, w);
		}
	walk->now++;
	return err;
}

/* What is open when the trace ends lasted until then. */
static void close_all(struct walk *walk)
{
	for (size_t i = 0; i < walk->slots.len; i++) {
		struct slot *slot = walk->slots.data[i];
		close_difference(walk, &slot->lookup, slot->lookup_since);
		for (size_t k = 0; k < slot->leaves.len; k++) {
			struct leaf *leaf = &slot->leaves.data[k];
			if (leaf->aside)
				walk->out->aside[leaf->aside - 1] += walk->now - leaf->since;
			close_difference(walk, &leaf->open, leaf->since);
		}
	}
	for (size_t i = 0; i < walk->regs.len; i++)
		close_difference(walk, &walk->regs.data[i].open, walk->regs.data[i].since);
}

static void slot_destroy(struct slot *slot)
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
	xs_vec_deinit(&slot->leaves);
	xs_vec_deinit(&slot->touched);
	xs_map_deinit(&slot->index);
	free(slot);
}

static void walk_deinit(struct walk *walk)
{
	for (size_t w = 0; w < walk->count; w++) {
		struct witness *witness = &walk->by[w];
		ora_reader_destroy(witness->reader);
		for (size_t i = 0; i < witness->levels.len; i++)
			level_deinit(&witness->levels.data[i]);
		for (size_t i = 0; i < witness->views.len; i++)
			xs_vec_deinit(&witness->views.data[i].leaves);
		xs_vec_deinit(&witness->levels);
		xs_vec_deinit(&witness->views);
		xs_map_deinit(&witness->index);
	}
	for (size_t i = 0; i < walk->slots.len; i++)
		slot_destroy(walk->slots.data[i]);
	for (size_t i = 0; i < walk->regs.len; i++)
		free(walk->regs.data[i].name);
	xs_vec_deinit(&walk->slots);
	xs_vec_deinit(&walk->pending);
	xs_vec_deinit(&walk->regs);
	xs_map_deinit(&walk->order);
	xs_map_deinit(&walk->slot_index);
	xs_map_deinit(&walk->known);
	xs_map_deinit(&walk->lines);
	xs_map_deinit(&walk->own);
	xs_map_deinit(&walk->stacks);
}

static const struct ora_trace_info *find_trace(const struct ora_trace_list *list, uint64_t id)
{
	for (size_t i = 0; i < list->vec.len; i++)
		if (list->vec.data[i].id == id)
			return &list->vec.data[i];
	return NULL;
}

/* Whether the traces can be compared at all. */
static struct xs_error *refuse(const struct ora_comparison *comparison)
{
	struct ora_trace_list list = {0};
	struct xs_error *err = ora_store_traces(comparison->store, &list);
	const struct ora_trace_info *first = err ? NULL : find_trace(&list, comparison->traces[0]);
	for (size_t i = 0; !err && i < comparison->count; i++) {
		const struct ora_trace_info *one = find_trace(&list, comparison->traces[i]);
		if (!one)
			err = xs_error_create("no trace %" PRIu64, comparison->traces[i]);
		else if (strcmp(one->subject.hash, first->subject.hash) != 0)
			err = xs_error_create("traces %" PRIu64 " and %" PRIu64
					      " are of different programs, %s and %s",
				first->id, one->id, first->subject.path, one->subject.path);
		else if (strcmp(one->trace.sample, first->trace.sample) != 0 ||
			 one->trace.seed != first->trace.seed)
			err = xs_error_create("traces %" PRIu64 " and %" PRIu64
					      " keep different stops: --sample %s and %s",
				first->id, one->id, first->trace.sample, one->trace.sample);
	}
	ora_trace_list_deinit(&list);
	return err;
}

struct xs_error *ora_compare(struct ora_comparison *comparison)
{
	struct walk walk = {.out = comparison, .count = comparison->count};
	xs_assert(comparison->count >= 1 && comparison->count <= ORA_COMPARE_MAX);
	struct xs_error *err = refuse(comparison);
	if (!err && !(err = go(&walk)))
		close_all(&walk);
	walk_deinit(&walk);
	return err;
}

static void difference_destroy(struct ora_difference *one)
{
	for (size_t w = 0; w < ORA_COMPARE_MAX; w++) {
		free(one->said[w].value);
		free(one->said[w].message);
	}
	free(one->module);
	free(one->frame_module);
	free(one->function);
	free(one->file);
	free(one->scope);
	free(one->var);
	free(one->path);
	free(one->decl_file);
	free(one->type);
	free(one);
}

void ora_comparison_deinit(struct ora_comparison *comparison)
{
	for (size_t i = 0; i < comparison->differences.len; i++)
		difference_destroy(comparison->differences.data[i]);
	xs_vec_deinit(&comparison->differences);
}
