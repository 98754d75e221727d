#include "oracle/witness/own/level.h"

#include "base/search.h"
#include "dwarf/arrival.h"
#include "dwarf/scope.h"

/* --- by line ---------------------------------------------------------------------------------- */

/* The row of the statement that begins at a pc (rule 2); NULL if none does. The row of a pc is the
 * last one at its address: others of that address come before it. */
static const struct di_row *statement_at(const struct ora_place *place)
{
	const struct di_row *row = place->row, *first = place->module->lines.rows.data;
	for (; row && row >= first && row->address == place->pc && !row->end_sequence; row--)
		if (row->is_stmt && row->line)
			return row;
	return NULL;
}

/* Whether a row is of another line than the one being stepped. Files are compared by name: each
 * unit has its own table of them. */
static bool is_other_line(const struct ora_level_frame *frame, const struct ora_place *place,
	const struct di_row *row)
{
	const char *file = di_lines_file(&place->module->lines, row);
	return row->line != frame->line || !file || !frame->file || strcmp(file, frame->file) != 0;
}

static void step_from(
	struct ora_level_frame *frame, const struct ora_place *place, const struct di_row *row)
{
	frame->file = row ? di_lines_file(&place->module->lines, row) : NULL;
	frame->line = row ? row->line : 0;
}

/* How many inlined calls a place is in, and which the innermost is. */
static size_t inlined_at(const struct ora_place *place, const void **call)
{
	const struct di_scopes *scopes = di_scopes_at(place->module, place->pc);
	size_t count = scopes->activations.len;
	*call = count > 1 ? scopes->activations.data[0].function : NULL;
	return count ? count - 1 : 0;
}

static bool is_function(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Whether the instruction at a stop is a return, with a prefix or without. The file has it, too,
 * which saves a look into memory at stops where nothing else is looked at. */
static bool is_return(const struct ora_place *place, const struct di_target *target, xs_addr pc)
{
	uint8_t code[2] = {0};
	size_t size = 0;
	const uint8_t *bytes = di_module_bytes(place->module, place->pc, &size);
	if (bytes && size >= sizeof code)
		memcpy(code, bytes, sizeof code);
	else if (!target->memory(target->arg, pc, code, sizeof code))
		return false;
	uint8_t opcode = code[0] == 0xf3 || code[0] == 0xf2 ? code[1] : code[0];
	return opcode == 0xc3 || opcode == 0xc2;
}

/* The frame of the stop, found among those stepped in or added to them; *called if it is new, by a
 * call. */
static struct ora_level_frame *find_frame(
	struct ora_sieve *sieve, const struct ora_place *place, xs_addr cfa, bool *called)
{
	struct ora_level_frame frame = {.cfa = cfa, .function = place->function};
	struct ora_level_frame *last = &sieve->frames.data[sieve->frames.len - 1];
	bool same = cfa == last->cfa && is_function(place->function, last->function);
	/* Behind a return, other code has called it: the same function again and again, maybe, from
	 * the same place or from further out. */
	*called = !place->offset && (sieve->returns || (!same && cfa <= last->cfa));
	if (same && !*called)
		return last;
	if (same)
		sieve->frames.len--; /* that one is over */
	while (sieve->frames.len && sieve->frames.data[sieve->frames.len - 1].cfa < cfa)
		sieve->frames.len--;
	last = sieve->frames.len ? &sieve->frames.data[sieve->frames.len - 1] : NULL;
	if (!*called && last && last->cfa == cfa && is_function(place->function, last->function))
		return last;
	frame.inlined = inlined_at(place, &frame.call);
	step_from(&frame, place, place->row && place->row->is_stmt ? place->row : NULL);
	xs_vec_push(&sieve->frames, frame);
	return &sieve->frames.data[sieve->frames.len - 1];
}

static bool passes_line(struct ora_sieve *sieve, const struct ora_place *place, xs_addr cfa)
{
	const struct di_row *statement = statement_at(place);
	const void *call;
	size_t inlined = inlined_at(place, &call), depth = sieve->frames.len;
	bool called, pass;
	struct ora_level_frame *frame = find_frame(sieve, place, cfa, &called);
	if (called) { /* rule 4 */
		sieve->entry = place->pc;
		sieve->behind = di_arrival_behind_prologue(place->module, place->pc);
	} else if (sieve->frames.len != depth) {
		sieve->entry = sieve->behind = 0; /* it was left before its prologue was over */
	}
	if (sieve->behind && place->pc >= sieve->entry && place->pc < sieve->behind)
		return false;
	/* Rule 5: a call that has not begun a statement yet is still to be told of. */
	bool deeper = inlined && (inlined > frame->inlined ||
					 (inlined == frame->inlined && call != frame->call));
	pass = sieve->behind || (statement && (deeper || is_other_line(frame, place, statement)));
	sieve->entry = sieve->behind = 0;
	if (pass)
		step_from(frame, place, statement ? statement : place->row);
	else if (place->row && place->row->line && place->row->is_stmt &&
		 place->row->address != place->pc)
		step_from(frame, place, place->row); /* rule 3 */
	if (pass || !deeper) {
		frame->inlined = inlined;
		frame->call = call;
	}
	return pass;
}

/* --- by breakpoints --------------------------------------------------------------------------- */

static int by_address(const void *a, const void *b)
{
	xs_addr left = ((const struct ora_level_mark *)a)->address;
	xs_addr right = ((const struct ora_level_mark *)b)->address;
	return left < right ? -1 : left > right;
}

static void set_marks(struct ora_sieve *sieve)
{
	const struct di_lines *lines = &sieve->module->lines;
	struct xs_map seen = {0};
	di_lines_keep_all(lines);
	for (size_t i = 0; i < lines->rows.len; i++) {
		const struct di_row *row = &lines->rows.data[i];
		const char *file = di_lines_file(lines, row);
		if (!row->is_stmt || row->end_sequence || !row->line || !file)
			continue;
		uint64_t *known = xs_map_at(&seen, row->file, row->line);
		if (*known)
			continue;
		*known = 1;
		struct di_arrivals arrivals;
		di_arrivals_find(sieve->module, file, row->line, &arrivals);
		for (size_t k = 0; k < arrivals.addresses.vec.len; k++) {
			/* Neighbours are one range; each byte is an address. */
			const struct xs_range *range = &arrivals.addresses.vec.data[k];
			for (xs_addr address = range->lo; address < range->hi; address++)
				xs_vec_push(&sieve->marks,
					((struct ora_level_mark){address, sieve->taken.len}));
		}
		di_arrivals_deinit(&arrivals);
		xs_vec_push(&sieve->taken, false);
	}
	xs_map_deinit(&seen);
	if (sieve->marks.len)
		qsort(sieve->marks.data, sieve->marks.len, sizeof *sieve->marks.data, by_address);
}

/* The first mark at or behind an address. */
static size_t find_mark(const struct ora_sieve *sieve, xs_addr pc)
{
	size_t i;
	xs_search(i, 0, sieve->marks.len, sieve->marks.data[i].address < pc);
	return i;
}

/* Whether a breakpoint that is still there is at pc. */
static bool is_marked(const struct ora_sieve *sieve, xs_addr pc)
{
	for (size_t i = find_mark(sieve, pc);
		i < sieve->marks.len && sieve->marks.data[i].address == pc; i++)
		if (!sieve->taken.data[sieve->marks.data[i].line])
			return true;
	return false;
}

static bool passes_break(struct ora_sieve *sieve, xs_addr pc)
{
	bool pass = is_marked(sieve, pc);
	for (size_t i = find_mark(sieve, pc);
		i < sieve->marks.len && sieve->marks.data[i].address == pc; i++)
		sieve->taken.data[sieve->marks.data[i].line] = true;
	return pass;
}

/* --- both ------------------------------------------------------------------------------------- */

/* Whether the statement at a place is of the line that was being stepped in the frame when the
 * instruction before it was executed: the next column of it. It does not pass then. */
static bool goes_on(const struct ora_place *prev, const struct ora_place *place)
{
	const struct di_row *statement = statement_at(place), *before = statement_at(prev);
	const void *call, *call_before;
	size_t inlined = inlined_at(place, &call);
	/* In the midst of a line: rule 3. Of an inlined call: it may not have begun, rule 5. */
	if (!before && !inlined && prev->row && prev->row->is_stmt &&
		prev->row->address != prev->pc)
		before = prev->row;
	if (!before || !before->line || before->line != statement->line ||
		before->line != prev->row->line || prev->module != place->module)
		return false;
	const char *file = di_lines_file(&place->module->lines, statement);
	const char *file_before = di_lines_file(&place->module->lines, before);
	return file && file_before && !strcmp(file, file_before) &&
	       inlined_at(prev, &call_before) == inlined && call == call_before;
}

bool ora_sieve_wants(
	const struct ora_sieve *sieve, const struct ora_place *prev, const struct ora_place *place)
{
	if (!sieve->begun)
		return true;
	if (sieve->level == ORA_LEVEL_BREAK)
		return place->main && is_marked(sieve, place->pc);
	if (sieve->behind || !place->offset || !prev || prev->function != place->function)
		return true;
	return statement_at(place) && !goes_on(prev, place);
}

struct xs_error *ora_sieve_passes(struct ora_sieve *sieve, const struct ora_place *place,
	const struct di_target *target, bool *ret)
{
	bool first = !sieve->begun;
	sieve->begun = true;
	if (sieve->level == ORA_LEVEL_BREAK) {
		if (first)
			set_marks(sieve);
		*ret = place->main && passes_break(sieve, place->pc);
		return NULL;
	}
	if (!target) {
		*ret = passes_line(sieve, place, sieve->frames.data[sieve->frames.len - 1].cfa);
		sieve->returns = false;
		return NULL;
	}
	struct xs_error *err = di_stack_top(target, &sieve->stack);
	if (err)
		return err;
	const struct di_frame *top = &sieve->stack.frames.data[0];
	/* Without CFI functions alone tell frames apart. */
	xs_addr cfa = top->cfa_known ? top->cfa : 0;
	if (first) {
		struct ora_level_frame frame = {.cfa = cfa, .function = place->function};
		frame.inlined = inlined_at(place, &frame.call);
		step_from(&frame, place, place->row);
		xs_vec_push(&sieve->frames, frame);
	}
	*ret = first || passes_line(sieve, place, cfa);
	sieve->returns = is_return(place, target, top->pc);
	return NULL;
}

void ora_sieve_deinit(struct ora_sieve *sieve)
{
	di_stack_deinit(&sieve->stack);
	xs_vec_deinit(&sieve->frames);
	xs_vec_deinit(&sieve->marks);
	xs_vec_deinit(&sieve->taken);
}
