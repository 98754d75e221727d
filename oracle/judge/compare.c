#include "oracle/judge/compare.h"

#include "dwarf/feature.h"
#include "dwarf/language.h"
#include "dwarf/name_text.h"
#include "dwarf/split.h"
#include "oracle/store/ending.h"
#include "oracle/judge/walk.h"
#include "oracle/witness/question.h"
#include "oracle/witness/witness.h"

const char *ora_aspect_text(enum ora_aspect aspect)
{
	static const char *const texts[] = {"variable", "lookup", "register", "line table",
		"functions", "calls", "column", "presentation", "frames", "stops", "crash",
		"builds", "violation"};
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
		"not asked: xstep's driver could not",
		"of languages that are not read in full",
		"of constructs that xstep does not read",
	};
	return texts[aside];
}

/* --- keys and differences ------------------------------------------------------------------- */

static uint64_t identity(const struct ora_told *told)
{
	return ora_walk_hash(
		ora_walk_hash_place(ora_walk_hash_place(1, told->prev), told->place), told->n);
}

char *ora_walk_bare_name(const char *name)
{
	return name ? di_name_plain(di_name_in_scope(name)) : NULL;
}

size_t ora_walk_differ(struct walk *walk, enum ora_aspect aspect, uint64_t a, uint64_t b)
{
	const struct ora_told *told = walk->by[0].told;
	uint64_t *index = xs_map_at(&walk->known, ora_walk_hash(a, aspect), b);
	if (!*index) {
		struct ora_difference *one = xs_calloc(1, sizeof *one);
		one->aspect = aspect;
		one->number = told->number;
		one->n = told->n;
		one->prev = told->prev ? told->prev->address : XS_ADDR_NONE;
		one->pc = one->frame_pc = told->place->address;
		one->caller_pc = XS_ADDR_NONE;
		one->level = DI_LEVEL_ANY;
		one->module = ora_walk_copy(told->place->module);
		one->frame_module = ora_walk_copy(told->place->module);
		one->function = ora_walk_copy(told->place->function);
		one->file = ora_walk_copy(told->place->file);
		one->line = told->place->line;
		xs_vec_push(&walk->out->differences, one);
		*index = walk->out->differences.len;
	}
	walk->out->differences.data[*index - 1]->times++;
	return *index - 1;
}

void ora_walk_close(struct walk *walk, size_t *open, uint64_t since)
{
	if (*open)
		ora_walk_last(walk->out->differences.data[*open - 1], since, walk->now);
	*open = 0;
}

void ora_walk_last(struct ora_difference *difference, uint64_t from, uint64_t to)
{
	struct ora_span *last =
		difference->spans.len ? &difference->spans.data[difference->spans.len - 1] : NULL;
	difference->stops += to - from;
	if (last && last->to == from)
		last->to = to;
	else
		xs_vec_push(&difference->spans, ((struct ora_span){from, to}));
}

/* --- the walk ------------------------------------------------------------------------------- */

static struct xs_error *advance(struct walk *walk, size_t w)
{
	return ora_reader_next(walk->by[w].reader, &walk->by[w].told);
}

static void take_stop(struct walk *walk, size_t w)
{
	const struct ora_told *told = walk->by[w].told;
	ora_walk_take_frames(walk, w);
	for (size_t i = 0; i < told->facts.len; i++)
		ora_walk_take_fact(walk, w, &told->facts.data[i]);
	ora_walk_place_unitless(walk, w);
	for (size_t i = 0; i < told->regs.len; i++)
		ora_walk_take_register(walk, w, &told->regs.data[i]);
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
		ora_walk_note_stop(walk, w, false);
		if ((err = advance(walk, w)))
			return err;
	}
	/* One whose trace is over has not gone astray: that it is incomplete is known. */
	if (!witness->here && witness->told)
		ora_walk_note_stop(walk, w, true);
	walk->out->missed[w] += !witness->here;
	return err;
}

/* Whether what it said of a place cannot be read. */
static bool is_unread(const struct ora_store_place *place)
{
	return place->inlined && !strcmp(place->inlined, ORA_INLINED_UNREAD);
}

static void compare_stop(struct walk *walk)
{
	unsigned lookers = 1;
	walk->here = 1;
	for (size_t w = 1; w < walk->count; w++) {
		const struct witness *witness = &walk->by[w];
		bool read = witness->here && !is_unread(witness->told->place);
		walk->here |= (unsigned)read << w;
		walk->out->aside[ORA_ASIDE_UNASKED] += witness->here && !read;
		lookers |= (unsigned)(read && !witness->symboliser) << w;
	}
	if (walk->here == 1)
		return;
	ora_walk_compare_line(walk);
	ora_walk_compare_symbols(walk);
	if ((walk->here = lookers) == 1)
		return;
	ora_walk_compare_frames(walk);
	ora_walk_compare_variables(walk);
	ora_walk_compare_registers(walk);
}

/* Which stops the leader has, and where. */
static struct xs_error *note_order(struct walk *walk)
{
	XS_AUTO(ora_reader) reader = NULL;
	const struct ora_told *told = NULL;
	struct xs_error *err = ora_reader_create(walk->out->store, walk->out->traces[0], &reader);
	while (!err && !(err = ora_reader_next(reader, &told)) && told)
		*xs_map_at(&walk->order, identity(told), 0) = ++walk->out->stops;
	return err;
}

/* Whether the walk goes on; the clock is looked at once in a while. */
static bool goes_on(const struct walk *walk)
{
	const struct ora_comparison *out = walk->out;
	return walk->now % 64 || !out->go_on || out->go_on(out->context, walk->now, out->stops);
}

/* Which units are of languages that are not read in full. */
static void note_languages(struct walk *walk)
{
	struct di_module *module = walk->out->module;
	Dwarf_CU *cu = NULL;
	while (module && module->dwarf &&
		!dwarf_get_units(module->dwarf, cu, &cu, NULL, NULL, NULL, NULL)) {
		Dwarf_Die die = di_unit_die(module, cu);
		const struct di_unit *unit = di_unit_of(module, &die);
		walk->rust |= di_language_of(unit) == DI_LANGUAGE_RUST;
		if (!di_language_is_read(di_language_of(unit)))
			*xs_map_at(&walk->foreign, xs_hash_text(16, unit->name), 0) = 1;
	}
}

static struct xs_error *go(struct walk *walk)
{
	struct xs_error *err = note_order(walk);
	note_languages(walk);
	for (size_t w = 0; !err && w < walk->count; w++)
		if (!(err = ora_reader_create(
			      walk->out->store, walk->out->traces[w], &walk->by[w].reader)))
			err = advance(walk, w);
	while (!err && walk->by[0].told) {
		if (!goes_on(walk)) {
			walk->out->cut = true;
			walk->out->stops = walk->now++;
			return NULL;
		}
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
		ora_walk_close(walk, &slot->lookup, slot->lookup_since);
		for (size_t k = 0; k < slot->leaves.len; k++) {
			struct leaf *leaf = &slot->leaves.data[k];
			if (leaf->aside)
				walk->out->aside[leaf->aside - 1] += walk->now - leaf->since;
			ora_walk_close(walk, &leaf->open, leaf->since);
		}
	}
	for (size_t i = 0; i < walk->regs.len; i++)
		ora_walk_close(walk, &walk->regs.data[i].open, walk->regs.data[i].since);
}

static void walk_deinit(struct walk *walk)
{
	for (size_t w = 0; w < walk->count; w++) {
		struct witness *witness = &walk->by[w];
		ora_reader_destroy(witness->reader);
		for (size_t i = 0; i < witness->levels.len; i++)
			free(witness->levels.data[i].function);
		for (size_t i = 0; i < witness->views.len; i++)
			xs_vec_deinit(&witness->views.data[i].leaves);
		xs_vec_deinit(&witness->levels);
		xs_vec_deinit(&witness->views);
		xs_vec_deinit(&witness->unitless);
		xs_map_deinit(&witness->index);
	}
	for (size_t i = 0; i < walk->slots.len; i++)
		ora_walk_slot_destroy(walk->slots.data[i]);
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
	xs_map_deinit(&walk->globals);
	xs_map_deinit(&walk->foreign);
	xs_map_deinit(&walk->stacks);
	xs_vec_deinit(&walk->units);
	xs_map_deinit(&walk->symbols);
}

static const struct ora_trace_info *find_trace(const struct ora_trace_list *list, uint64_t id)
{
	for (size_t i = 0; i < list->vec.len; i++)
		if (list->vec.data[i].id == id)
			return &list->vec.data[i];
	return NULL;
}

static void note_witness(struct witness *witness, const char *label)
{
	witness->by_name = ora_witness_is_by_name(label);
	witness->symboliser = ora_witness_is_of_symboliser(label);
}

/* Whether the traces can be compared at all. */
static struct xs_error *refuse(struct walk *walk)
{
	const struct ora_comparison *comparison = walk->out;
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
		else if (strcmp(one->trace.level, first->trace.level) != 0)
			err = xs_error_create("traces %" PRIu64 " and %" PRIu64
					      " are stepped differently: by %s and by %s",
				first->id, one->id, first->trace.level, one->trace.level);
		else if (strcmp(one->trace.sample, first->trace.sample) != 0 ||
			 one->trace.seed != first->trace.seed)
			err = xs_error_create("traces %" PRIu64 " and %" PRIu64
					      " keep different stops: --sample %s and %s",
				first->id, one->id, first->trace.sample, one->trace.sample);
		else if (ora_mode_is(one->trace.mode, "unique"))
			err = xs_error_create("trace %" PRIu64 " was made by an older xstep, in a "
					      "mode that did not count what is executed: "
					      "record it again",
				one->id);
		else
			note_witness(&walk->by[i], one->trace.witness);
	}
	ora_trace_list_deinit(&list);
	return err;
}

/* Those that did not survive, at the stop where they were asked last. */
static struct xs_error *note_crashes(struct walk *walk)
{
	struct ora_comparison *out = walk->out;
	struct ora_trace_list list = {0};
	struct xs_error *err = ora_store_traces(out->store, &list);
	for (size_t w = 0; !err && w < walk->count; w++) {
		const struct ora_trace_info *trace = find_trace(&list, out->traces[w]);
		if (!w || !ora_ending_is_crash(trace->end.how))
			continue;
		ora_reader_destroy(xs_take(&walk->by[0].reader));
		err = ora_reader_create(out->store, out->traces[0], &walk->by[0].reader);
		for (uint64_t i = 0; !err && i <= trace->sampled; i++) {
			const struct ora_told *last = walk->by[0].told;
			if (!(err = advance(walk, 0)) && !walk->by[0].told) {
				walk->by[0].told = last;
				break;
			}
		}
		if (err || !walk->by[0].told)
			continue;
		size_t at = ora_walk_differ(walk, ORA_ASPECT_CRASH, ora_walk_hash(13, w), 0);
		struct ora_difference *one = out->differences.data[at];
		one->said[0].heard = one->said[w].heard = true;
		one->said[0].value = xs_strdup("goes on");
		one->said[w].value = xs_strdup(trace->end.trouble ? trace->end.trouble : "died");
		ora_walk_last(one, 0, 1);
	}
	ora_trace_list_deinit(&list);
	return err;
}

struct xs_error *ora_compare(struct ora_comparison *comparison)
{
	struct walk walk = {.out = comparison, .count = comparison->count};
	xs_assert(comparison->count >= 1 && comparison->count <= ORA_COMPARE_MAX);
	struct xs_error *err = refuse(&walk);
	if (!err && !(err = go(&walk))) {
		close_all(&walk);
		err = note_crashes(&walk);
	}
	walk_deinit(&walk);
	return err;
}

static void difference_destroy(struct ora_difference *one)
{
	for (size_t w = 0; w < ORA_COMPARE_MAX; w++) {
		free(one->said[w].value);
		free(one->said[w].message);
	}
	for (size_t i = 0; i < one->frames.len; i++)
		free(one->frames.data[i].function);
	for (size_t i = 0; i < one->added.len; i++)
		free(one->added.data[i].function);
	xs_vec_deinit(&one->spans);
	xs_vec_deinit(&one->frames);
	xs_vec_deinit(&one->added);
	free(one->module);
	free(one->frame_module);
	free(one->function);
	free(one->file);
	free(one->scope);
	free(one->var);
	free(one->path);
	free(one->decl_file);
	free(one->type);
	free(one->other);
	free(one);
}

void ora_comparison_deinit(struct ora_comparison *comparison)
{
	for (size_t i = 0; i < comparison->differences.len; i++)
		difference_destroy(comparison->differences.data[i]);
	xs_vec_deinit(&comparison->differences);
}
