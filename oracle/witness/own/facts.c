#include "oracle/witness/own/facts.h"

#include "base/map.h"
#include "dwarf/words.h"
#include "engine/interrupt.h"

/* A leaf that was told. */
struct leaf {
	char *path;
	const char *type;
	uint64_t fingerprint; /* of all that was said of it */
	uint64_t wording;     /* the same by the words: other reasons may have the same ones */
};

/* A variable of one call, and what was told of it. */
struct known {
	const struct di_variable *variable;
	uint64_t call; /* counted from the outermost frame, where it keeps its number; 0: any */
	unsigned frame;
	bool shadowed;
	enum di_declared declared;
	uint64_t seen;         /* number of the last update that had it */
	struct di_reads reads; /* what that followed from */
	XS_VEC(struct leaf) leaves;
};

enum { PAGE = 4096 }; /* memory is asked about in such pieces */

/* One of them, and the globals that were read from it. */
struct page {
	xs_addr address;
	XS_VEC(size_t) globals; /* by number */
};

/* The globals of a unit, which are many and mostly stay what they are: as long as a page is what it
 * was, nobody need look at what is in it. */
struct globals {
	const struct di_globals *list;    /* which; NULL: nothing is known of any */
	const struct di_mapping *mapping; /* of their module */
	const struct di_scopes *scopes;   /* of the last update */
	uint64_t mark;                    /* its time (di_target.mark) */
	XS_VEC(struct known *) known;     /* by number; NULL: was not looked at */
	XS_VEC(bool) skip;                /* by number: this update need not look */
	XS_VEC(bool) apart;               /* by number: not only memory matters, look always */
	XS_VEC(struct page) pages;        /* where the others are */
	struct xs_map page_index;         /* page number -> index into pages, plus 1 */
	bool stale;                       /* something was read from elsewhere: make pages anew */
};

struct ora_facts {
	struct xs_map index;         /* (variable, call) -> index into list, plus 1 */
	XS_VEC(struct known *) list; /* all that are not absent, mostly in the order they come */
	uint64_t update;             /* counts updates */
	size_t next;                 /* where the variable after the last one is, probably */
	size_t count;                /* variables that this update had */
	uint64_t max_leaves;         /* of a variable */
	unsigned frames;             /* how many the view has, to count from the outermost */
	unsigned frames_before;      /* how many it had at the update before */
	XS_VEC(const void *)
	functions; /* of the frames, the outermost first, if only variables of
					 * the innermost are looked at */

	/* The variable being looked at: what was told of it before, how many of that came again at
	 * their place, and the rest by path. */
	const struct di_sight *sight;
	struct known *current;
	struct globals globals;
	XS_VEC(struct leaf) before;
	size_t matched;
	struct xs_map rest;

	/* What changed in this update: absent ones are told first, because a variable may go in one
	 * block and come in another under the same identity. */
	XS_VEC(struct ora_fact) gone, changed;
	XS_VEC(char *) texts; /* their strings */
};

struct ora_facts *ora_facts_create(void)
{
	return xs_calloc(1, sizeof(struct ora_facts));
}

static void known_destroy(struct known *known)
{
	for (size_t i = 0; i < known->leaves.len; i++)
		free(known->leaves.data[i].path);
	xs_vec_deinit(&known->leaves);
	di_reads_deinit(&known->reads);
	free(known);
}

static void forget_pages(struct globals *globals)
{
	for (size_t i = 0; i < globals->pages.len; i++)
		xs_vec_deinit(&globals->pages.data[i].globals);
	globals->pages.len = 0;
	xs_map_deinit(&globals->page_index);
}

void ora_facts_destroy(struct ora_facts *facts)
{
	if (!facts)
		return;
	forget_pages(&facts->globals);
	xs_vec_deinit(&facts->globals.pages);
	xs_vec_deinit(&facts->globals.known);
	xs_vec_deinit(&facts->globals.skip);
	xs_vec_deinit(&facts->globals.apart);
	for (size_t i = 0; i < facts->list.len; i++)
		known_destroy(facts->list.data[i]);
	xs_vec_deinit(&facts->list);
	xs_vec_deinit(&facts->before);
	xs_vec_deinit(&facts->gone);
	xs_vec_deinit(&facts->changed);
	xs_vec_deinit(&facts->texts);
	xs_vec_deinit(&facts->functions);
	xs_map_deinit(&facts->rest);
	xs_map_deinit(&facts->index);
	free(facts);
}

enum ora_state ora_state_of(enum di_leaf_state state)
{
	static const enum ora_state states[] = {
		[DI_LEAF_VALUE] = ORA_STATE_VALUE,
		[DI_LEAF_OPTIMIZED_OUT] = ORA_STATE_OPTIMIZED_OUT,
		[DI_LEAF_ERROR] = ORA_STATE_ERROR,
		[DI_LEAF_CUT] = ORA_STATE_CUT,
	};
	return states[state];
}

/* --- leaves ----------------------------------------------------------------------------------- */

/* Of all that is said of a leaf; why it has no value is given as a number. */
static uint64_t fingerprint(
	const struct di_sight *sight, const struct di_leaf *leaf, uint64_t reason)
{
	uint64_t print = xs_hash_text((uint64_t)leaf->state + 1, leaf->text);
	return xs_mix(print + reason + leaf->missing) ^
	       (sight->shadowed * 4u + (unsigned)sight->declared);
}

/* Moves what was told of the leaf with this path to *ret; false if nothing was. Leaves mostly come
 * again in the same order; where they do not (a bound changed, the whole became optimized out),
 * the rest is looked up by path. */
static bool take_before(struct ora_facts *facts, const char *path, struct leaf *ret)
{
	struct leaf *before = facts->before.data;
	size_t count = facts->before.len, at = facts->matched;
	if (!facts->rest.len && at < count && !strcmp(before[at].path, path)) {
		facts->matched++;
	} else {
		if (!facts->rest.len)
			for (size_t i = at; i < count; i++)
				*xs_map_at(&facts->rest, xs_hash_text(1, before[i].path), 0) =
					i + 1;
		const uint64_t *found = xs_map_find(&facts->rest, xs_hash_text(1, path), 0);
		at = found ? *found - 1 : count;
	}
	if (at >= count || !before[at].path || strcmp(before[at].path, path))
		return false;
	*ret = before[at];
	before[at].path = NULL;
	return true;
}

/* Has a string of a change live until that is told. */
static const char *keep(struct ora_facts *facts, char *text)
{
	xs_vec_push(&facts->texts, text);
	return text;
}

static void on_leaf(void *arg, const struct di_leaf *leaf)
{
	struct ora_facts *facts = arg;
	const struct di_sight *sight = facts->sight;
	struct known *known = facts->current;
	uint64_t print = fingerprint(sight, leaf, leaf->answer ? di_answer_hash(leaf->answer) : 0);
	struct leaf told;
	bool fresh = !take_before(facts, leaf->path, &told);
	if (fresh)
		told = (struct leaf){
			.path = xs_strdup(leaf->path), .type = leaf->type ? leaf->type->name : ""};
	if (!fresh && told.fingerprint == print) {
		xs_vec_push(&known->leaves, told);
		return;
	}
	char words[DI_WORDS] = "";
	if (leaf->answer)
		di_answer_text(leaf->answer, words);
	else if (leaf->state == DI_LEAF_CUT)
		snprintf(words, sizeof words, "%" PRIu64 " more leaves", leaf->missing);
	uint64_t wording = fingerprint(sight, leaf, leaf->answer ? xs_hash_text(1, words) : 0);
	bool same = !fresh && told.wording == wording;
	told.fingerprint = print;
	told.wording = wording;
	xs_vec_push(&known->leaves, told);
	if (same)
		return;
	struct ora_fact change = {.variable = sight->variable,
		.path = keep(facts, xs_strdup(leaf->path)),
		.frame = sight->frame,
		.shadowed = sight->shadowed,
		.declared = sight->declared,
		.type = told.type,
		.state = ora_state_of(leaf->state),
		.value = leaf->state == DI_LEAF_VALUE ? keep(facts, xs_strdup(leaf->text)) : NULL,
		.enumerator = leaf->name,
		.message = *words ? keep(facts, xs_strdup(words)) : NULL,
		.why = leaf->answer ? leaf->answer->why.code : DI_WHY_NONE};
	xs_vec_push(&facts->changed, change);
}

/* Notes that a leaf is listed no more; its path is given away. */
static void leaf_gone(struct ora_facts *facts, const struct known *known, struct leaf *leaf)
{
	/* Where nobody looked at frames further out, their numbers are not kept. */
	unsigned frame = known->call && known->call <= facts->frames_before
				 ? facts->frames_before - (unsigned)known->call
				 : known->frame;
	xs_vec_push(&facts->gone, ((struct ora_fact){.variable = known->variable,
					  .path = keep(facts, xs_take(&leaf->path)),
					  .frame = frame,
					  .type = leaf->type,
					  .state = ORA_STATE_ABSENT}));
}

/* --- variables -------------------------------------------------------------------------------- */

/* The entry of a variable, new if need be. */
static struct known *entry_of(struct ora_facts *facts, const struct di_sight *sight)
{
	/* A file-scope variable is the same from every frame. */
	uint64_t call = sight->variable->block ? facts->frames - sight->frame : 0;
	size_t next = facts->next;
	if (next < facts->list.len && facts->list.data[next]->variable == sight->variable &&
		facts->list.data[next]->call == call) {
		facts->next++;
		return facts->list.data[next];
	}
	uint64_t *index = xs_map_at(&facts->index, (uintptr_t)sight->variable, call);
	if (!*index) {
		struct known *known = xs_calloc(1, sizeof *known);
		known->variable = sight->variable;
		known->call = call;
		xs_vec_push(&facts->list, known);
		*index = facts->list.len;
	}
	facts->next = *index;
	return facts->list.data[*index - 1];
}

/* Where a variable was read from, in a number. */
static uint64_t extent(const struct di_reads *reads)
{
	uint64_t sum = di_reads_are_memory(reads);
	for (size_t i = 0; i < reads->list.len; i++)
		sum = xs_mix(sum ^ xs_mix(reads->list.data[i].what + reads->list.data[i].size));
	return sum;
}

static struct xs_error *on_sight(void *arg, const struct di_sight *sight)
{
	struct ora_facts *facts = arg;
	if (eng_interrupt_signal()) /* the process is dead: there is nothing to look at */
		return xs_error_create("interrupted");
	struct known *known = entry_of(facts, sight);
	bool fresh = !known->seen;
	if (sight->global != SIZE_MAX && sight->global < facts->globals.known.len)
		facts->globals.known.data[sight->global] = known;
	facts->count += known->seen != facts->update;
	known->seen = facts->update;
	known->frame = sight->frame;
	if (!fresh && known->shadowed == sight->shadowed && known->declared == sight->declared &&
		di_sight_is_known(sight, &known->reads))
		return NULL;
	for (size_t i = 0; i < known->leaves.len; i++)
		xs_vec_push(&facts->before, known->leaves.data[i]);
	known->leaves.len = 0;
	facts->sight = sight;
	facts->current = known;
	uint64_t before = sight->global == SIZE_MAX ? 0 : extent(&known->reads);
	struct xs_error *err =
		di_sight_look(sight, facts->max_leaves, &known->reads, on_leaf, facts);
	if (sight->global != SIZE_MAX)
		facts->globals.stale |= fresh || extent(&known->reads) != before;
	for (size_t i = 0; i < facts->before.len; i++)
		if (facts->before.data[i].path)
			leaf_gone(facts, known, &facts->before.data[i]);
	facts->before.len = facts->matched = 0;
	xs_map_deinit(&facts->rest);
	known->shadowed = sight->shadowed;
	known->declared = sight->declared;
	return err;
}

/* --- globals in one go ------------------------------------------------------------------------ */

/* Begins anew with the globals of a unit. */
static void take_globals(struct globals *globals, const struct di_globals *list)
{
	forget_pages(globals);
	globals->list = list;
	globals->known.len = globals->skip.len = globals->apart.len = 0;
	for (size_t i = 0; list && i < list->list.len; i++) {
		xs_vec_push(&globals->known, NULL);
		xs_vec_push(&globals->skip, false);
		xs_vec_push(&globals->apart, true);
	}
	globals->stale = true;
}

static void dont_skip(struct globals *globals, const struct di_scopes *scopes)
{
	const struct di_file_scope *file = di_scopes_file(scopes);
	for (size_t i = 0; i < file->specials.len; i++)
		globals->skip.data[file->specials.data[i].index] = false;
}

/* Before an update: finds out which globals are what they were. How many those are is counted. */
static void choose_globals(struct ora_facts *facts, struct di_view *view)
{
	struct globals *globals = &facts->globals;
	const struct di_view_frame *frame = view->frames.len ? &view->frames.data[0] : NULL;
	const struct di_target *target = view->target;
	const struct di_scopes *scopes = frame ? frame->scopes : NULL;
	const struct di_globals *list = scopes ? di_scopes_file(scopes)->globals : NULL;
	const struct di_mapping *mapping =
		scopes ? view->stack.frames.data[frame->physical].mapping : NULL;
	bool same = list && target->is_same && globals->list == list &&
		    globals->mapping == mapping && !globals->stale;
	view->skip = NULL;
	if (!same) {
		take_globals(globals, list);
		globals->mapping = mapping;
		globals->scopes = scopes;
		return;
	}
	for (size_t i = 0; i < globals->skip.len; i++)
		globals->skip.data[i] = !globals->apart.data[i];
	for (size_t i = 0; i < globals->pages.len; i++) {
		const struct page *page = &globals->pages.data[i];
		if (target->is_same(target->arg, page->address, PAGE, globals->mark))
			continue;
		for (size_t j = 0; j < page->globals.len; j++)
			globals->skip.data[page->globals.data[j]] = false;
	}
	/* Those that one of the two pcs sees in another way than the unit does. */
	dont_skip(globals, scopes);
	dont_skip(globals, globals->scopes);
	globals->scopes = scopes;
	for (size_t i = 0; i < globals->skip.len; i++)
		facts->count += globals->skip.data[i];
	view->skip = globals->skip.data;
}

/* After one: where they were read from. */
static void note_pages(struct globals *globals)
{
	forget_pages(globals);
	for (size_t i = 0; i < globals->known.len; i++) {
		const struct known *known = globals->known.data[i];
		globals->apart.data[i] = !known || !di_reads_are_memory(&known->reads);
		for (size_t j = 0; !globals->apart.data[i] && j < known->reads.list.len; j++) {
			const struct di_read *read = &known->reads.list.data[j];
			for (xs_addr at = read->what & ~(xs_addr)(PAGE - 1);
				at < read->what + read->size; at += PAGE) {
				uint64_t *index = xs_map_at(&globals->page_index, at / PAGE, 0);
				if (!*index) {
					xs_vec_push(
						&globals->pages, ((struct page){.address = at}));
					*index = globals->pages.len;
				}
				struct page *page = &globals->pages.data[*index - 1];
				if (!page->globals.len ||
					page->globals.data[page->globals.len - 1] != i)
					xs_vec_push(&page->globals, i);
			}
		}
	}
	globals->stale = false;
}

/* The function of a frame, counted from the outermost. */
static const void *function_at(const struct di_view *view, size_t call)
{
	const struct di_view_frame *frame = &view->frames.data[view->frames.len - 1 - call];
	return frame->activation ? (const void *)frame->activation->function : frame->scopes;
}

/* Takes the variables of all frames but the innermost for seen, as far out as the functions are
 * those of the update before. */
static void keep_outer(struct ora_facts *facts, const struct di_view *view)
{
	size_t count = view->frames.len, same = 0;
	while (same + 1 < count && same < facts->functions.len &&
		facts->functions.data[same] == function_at(view, same))
		same++;
	facts->functions.len = same;
	for (size_t call = same; call < count; call++)
		xs_vec_push(&facts->functions, function_at(view, call));
	for (size_t i = 0; i < facts->list.len; i++) {
		struct known *known = facts->list.data[i];
		if (known->call && known->call <= same) {
			facts->count++;
			known->seen = facts->update;
		}
	}
}

/* Forgets the variables that this update did not have. */
static void forget(struct ora_facts *facts)
{
	struct globals *globals = &facts->globals;
	size_t kept = 0;
	if (facts->count == facts->list.len)
		return;
	for (size_t i = 0; i < globals->skip.len; i++)
		if (globals->skip.data[i])
			globals->known.data[i]->seen = facts->update;
	for (size_t i = 0; i < facts->list.len; i++) {
		struct known *known = facts->list.data[i];
		uint64_t *index = xs_map_at(&facts->index, (uintptr_t)known->variable, known->call);
		if (known->seen == facts->update) {
			facts->list.data[kept++] = known;
			*index = kept;
			continue;
		}
		for (size_t j = 0; j < known->leaves.len; j++)
			leaf_gone(facts, known, &known->leaves.data[j]);
		*index = 0;
		known_destroy(known);
	}
	facts->list.len = kept;
}

static void tell(const struct ora_fact *list, size_t count,
	void (*on_change)(void *arg, const struct ora_fact *fact), void *arg)
{
	for (size_t i = 0; on_change && i < count; i++)
		on_change(arg, &list[i]);
}

struct xs_error *ora_facts_update(struct ora_facts *facts, struct di_view *view, unsigned which,
	bool inner, uint64_t max_leaves, void (*on_change)(void *arg, const struct ora_fact *fact),
	void *arg)
{
	struct xs_error *err = NULL;
	facts->update++;
	facts->next = facts->count = 0;
	facts->frames_before = facts->frames;
	facts->frames = (unsigned)view->frames.len;
	facts->max_leaves = max_leaves;
	if (which & DI_WHICH_GLOBALS)
		choose_globals(facts, view);
	if (inner)
		keep_outer(facts, view);
	for (unsigned i = 0; !err && i < (inner && view->frames.len ? 1 : view->frames.len); i++)
		err = di_view_each(
			view, i, i ? which & ~(unsigned)DI_WHICH_GLOBALS : which, on_sight, facts);
	view->skip = NULL;
	if (!err)
		forget(facts);
	if (which & DI_WHICH_GLOBALS) {
		const struct di_target *target = view->target;
		facts->globals.mark = target->mark ? target->mark(target->arg) : 0;
		if (err)
			take_globals(&facts->globals, NULL);
		else if (facts->globals.stale)
			note_pages(&facts->globals);
	}
	tell(facts->gone.data, facts->gone.len, err ? NULL : on_change, arg);
	tell(facts->changed.data, facts->changed.len, err ? NULL : on_change, arg);
	for (size_t i = 0; i < facts->texts.len; i++)
		free(facts->texts.data[i]);
	facts->gone.len = facts->changed.len = facts->texts.len = 0;
	return err;
}
