/* check_levels.c - one program stepped by line, by instruction and by breakpoints, by one witness
 * (DEVIL).
 *
 * What a line is, where a statement of it begins and where it is entered is told in stepped.h.
 * Where the line table has several rows at a pc, xstep shows the line of the last row. A line step
 * or a breakpoint that stops there also hits the line of the statement that it stopped for.
 *
 * R1  A line is hit by line steps if and only if it is hit by instruction steps. Violations:
 *     line-only         Line steps hit the line, instruction steps do not. Not asked where an
 *                       inlined call begins; nor is more-hits.
 *     instruction-only  Instruction steps hit the line, line steps do not, although a statement of
 *                       the line was entered. Other lines are not asked about: a line without a
 *                       row with is_stmt, for the line table says not to stop there; an opening
 *                       line with nothing but a prologue; a line that is only ever reached in its
 *                       midst, for then no debugger stops where its statement begins.
 *     break-only        A breakpoint hits the line, instruction steps do not.
 *     no-break          Line steps hit the line where a breakpoint on it belongs (arrival.h), and
 *                       breakpoints do not hit it. It is not asked if steps hit the line at another
 *                       pc: at a row without is_stmt, or where its code is entered further on. Nor
 *                       if its breakpoint shares the address with one of another line, and that one
 *                       was taken: which line is shown then is anybody's guess. Nor, if steps
 *                       begin later than at main, if the line is arrived at in several places and
 *                       one of them is not executed any more: debuggers break at the first of a
 *                       block only, and steps that begin in a loop come back to another.
 *     more-hits         Line steps hit a place more often than it was executed.
 *     column            At the pc where line steps first hit the line they show another column of
 *                       it than instruction steps do. Steps are by line: a second statement of a
 *                       line, at another column, is none that a step would stop for.
 *
 * R2  Lines are hit in the same order: stepped_order.c.
 * R3  Values are the same: stepped_values.c. */
#include "base/path.h"
#include "dwarf/arrival.h"
#include "oracle/check/stepped.h"

static const struct ora_check_rule r1 = {
	"R1", "a line is hit by line steps if and only if it is hit by instruction steps"};

static const char lines[] = "lines", breaks[] = "breakpoints", places[] = "columns",
		  counts[] = "counts of hits";

/* Says what each level has of it, and why it is one. */
static void explain(const struct ora_stepped_three *three, size_t violation,
	const struct ora_stepped_line *line, const char *by_line, const char *by_instruction,
	const char *by_break, char *sentence)
{
	struct ora_check *check = three->levels->check;
	ora_check_say(check, violation, three->line.trace, ORA_STATE_VALUE, by_line);
	ora_check_say(check, violation, three->instruction.trace, ORA_STATE_VALUE, by_instruction);
	if (three->brk.trace < check->count && by_break)
		ora_check_say(check, violation, three->brk.trace, ORA_STATE_VALUE, by_break);
	uint64_t begun = ora_stepped_first(&three->instruction.begun_at, line);
	struct ora_store_place place = {.address = begun ? begun : line->place.address};
	ora_check_explain(check, violation, sentence, ora_check_row(check, &place));
}

static const char *hit(const struct ora_stepped *stepped, const struct ora_stepped_line *line)
{
	return ora_stepped_hits(stepped, line) ? "hits this line" : "never hits this line";
}

/* Whether a line is first hit where an inlined call begins. */
static bool is_call(const struct ora_stepped_three *three, const struct ora_stepped_line *line)
{
	return ora_stepped_is_call(three->levels->check->verdicts.module, line->place.address);
}

/* Whether a statement of the line begins where it was hit: breakpoints are set on no others. */
static bool begins_there(const struct di_module *module, const struct ora_stepped_line *line)
{
	const struct di_lines *table = &module->lines;
	xs_addr address = line->place.address;
	const struct di_row *row = di_lines_find(table, address);
	for (; row && row >= table->rows.data && row->address == address && !row->end_sequence;
		row--) {
		const char *file = di_lines_file(table, row);
		if (row->is_stmt && row->line == line->number && file &&
			!strcmp(xs_base_name(file), xs_base_name(line->file)))
			return true;
	}
	return false;
}

/* Why a line that breakpoints do not hit is not asked about; NULL: it is. */
static const char *excuse_break(
	const struct ora_stepped_three *three, const struct ora_stepped_line *line)
{
	static const char taken[] = "whose breakpoint was taken with another line's";
	struct di_module *module = three->levels->check->verdicts.module;
	struct di_arrivals arrivals;
	bool was_taken = xs_map_find(&three->brk.places, line->place.address, 0);
	if (was_taken || !module)
		return was_taken ? taken : NULL;
	if (!begins_there(module, line))
		return "without a row with is_stmt where they are hit";
	di_arrivals_find(module, line->file, line->number, &arrivals);
	bool has_one = xs_ranges_find(&arrivals.addresses, line->place.address), before = false;
	const char *from = three->levels->check->traces[three->line.trace]->trace.from;
	bool later = from && strcmp(from, "main") != 0;
	for (size_t i = 0; !was_taken && i < arrivals.addresses.vec.len; i++) {
		const struct xs_range *range = &arrivals.addresses.vec.data[i];
		for (xs_addr at = range->lo; !was_taken && at < range->hi; at++) {
			was_taken = xs_map_find(&three->brk.places, at, 0);
			before |= later && !xs_map_find(&three->instruction.places, at, 0);
		}
	}
	di_arrivals_deinit(&arrivals);
	return was_taken  ? taken
	       : !has_one ? "hit where a breakpoint on them is not set"
	       : before   ? "whose breakpoint may be where the program was before the start"
			  : NULL;
}

static void check_line_only(struct ora_stepped_three *three)
{
	struct ora_asked *asked = &three->levels->check->asked;
	bool fresh;
	for (size_t i = 0; i < three->line.lines.len; i++) {
		const struct ora_stepped_line *line = &three->line.lines.data[i];
		bool is_hit = ora_stepped_find(&three->instruction, line);
		if (!is_hit && is_call(three, line)) {
			ora_asked_leave(asked, "R1", lines, ORA_STEPPED_CALL, 1);
			continue;
		}
		ora_asked_add(asked, "R1", lines, 1);
		if (is_hit)
			continue;
		size_t number = ora_stepped_violate(
			three, &three->line, line, &r1, "line-only", ORA_KIND_EXTRA, &fresh);
		explain(three, number, line, "hits this line", "never hits this line",
			hit(&three->brk, line),
			xs_asprintf("line steps stop on line %u, which no executed instruction "
				    "counts as",
				line->number));
	}
}

/* Why a line that instruction steps alone hit is not asked about; NULL: it is. */
static const char *excuse(
	const struct ora_stepped_three *three, const struct ora_stepped_line *line)
{
	const struct ora_stepped *instruction = &three->instruction;
	bool own = ora_stepped_is_own(three->levels->check, three->line.trace);
	if (!own && ora_stepped_is_late(instruction, &line->place))
		return ORA_STEPPED_LATE;
	if (ora_stepped_first(&instruction->entered, line))
		return NULL;
	return ora_stepped_first(&instruction->began, line)    ? "reached in their midst"
	       : ora_stepped_first(&instruction->opened, line) ? "with nothing but a prologue"
							       : "without a row with is_stmt";
}

static void check_instruction_only(struct ora_stepped_three *three)
{
	struct ora_asked *asked = &three->levels->check->asked;
	bool fresh;
	for (size_t i = 0; i < three->instruction.lines.len; i++) {
		const struct ora_stepped_line *line = &three->instruction.lines.data[i];
		if (ora_stepped_hits(&three->line, line))
			continue;
		const char *why_not = excuse(three, line);
		bool began = ora_stepped_first(&three->instruction.began, line);
		if (why_not && (began || !three->levels->no_stmt)) {
			ora_asked_leave(asked, "R1", lines, why_not, 1);
			continue;
		}
		ora_asked_add(asked, "R1", lines, 1);
		size_t number = ora_stepped_violate(three, &three->instruction, line, &r1,
			began ? "instruction-only" : "instruction-only-no-stmt", ORA_KIND_LOSS,
			&fresh);
		explain(three, number, line, "never hits this line", "hits this line",
			hit(&three->brk, line),
			began ? xs_asprintf("a statement of line %u was executed, a row with "
					    "is_stmt, and line steps never stop there",
					line->number)
			      : xs_asprintf("line %u was executed, without a row with is_stmt "
					    "behind the prologue, and line steps never stop there",
					line->number));
	}
}

static void check_break_only(struct ora_stepped_three *three)
{
	bool fresh;
	for (size_t i = 0; i < three->brk.lines.len; i++) {
		const struct ora_stepped_line *line = &three->brk.lines.data[i];
		if (ora_stepped_find(&three->instruction, line) || is_call(three, line))
			continue;
		size_t number = ora_stepped_violate(
			three, &three->brk, line, &r1, "break-only", ORA_KIND_EXTRA, &fresh);
		explain(three, number, line, hit(&three->line, line), "never hits this line",
			"hits this line",
			xs_asprintf("a breakpoint stops on line %u, which no executed instruction "
				    "counts as",
				line->number));
	}
}

static void check_no_break(struct ora_stepped_three *three)
{
	struct ora_asked *asked = &three->levels->check->asked;
	bool fresh;
	/* The first stop is where steps begin. */
	for (size_t i = 1; i < three->line.lines.len; i++) {
		const struct ora_stepped_line *line = &three->line.lines.data[i];
		bool is_hit = ora_stepped_hits(&three->brk, line);
		const char *why_not = is_hit ? NULL : excuse_break(three, line);
		if (why_not) {
			ora_asked_leave(asked, "R1", breaks, why_not, 1);
			continue;
		}
		ora_asked_add(asked, "R1", breaks, 1);
		if (is_hit)
			continue;
		size_t number = ora_stepped_violate(
			three, &three->line, line, &r1, "no-break", ORA_KIND_LOSS, &fresh);
		explain(three, number, line, "hits this line", hit(&three->instruction, line),
			"never hits this line",
			xs_asprintf("line steps stop on line %u, and a breakpoint on it never does",
				line->number));
	}
}

static void check_counts(struct ora_stepped_three *three)
{
	struct ora_check *check = three->levels->check;
	bool fresh;
	for (size_t i = 0; i < three->line.lines.len; i++) {
		const struct ora_stepped_line *line = &three->line.lines.data[i];
		const uint64_t *by_line = xs_map_find(&three->line.places, line->place.address, 0);
		const uint64_t *executed =
			xs_map_find(&three->instruction.places, line->place.address, 0);
		uint64_t times = by_line ? *by_line : 0, most = executed ? *executed : 0;
		bool call = times > most && is_call(three, line);
		if (call)
			ora_asked_leave(&check->asked, "R1", counts, ORA_STEPPED_CALL, 1);
		else
			ora_asked_add(&check->asked, "R1", counts, 1);
		if (call || times <= most)
			continue;
		size_t number = ora_stepped_violate(
			three, &three->line, line, &r1, "more-hits", ORA_KIND_EXTRA, &fresh);
		XS_AUTO_FREE char *more = xs_asprintf("hits this place %" PRIu64 " times", times);
		XS_AUTO_FREE char *less = xs_asprintf("hits this place %" PRIu64 " times", most);
		ora_check_say(check, number, three->line.trace, ORA_STATE_VALUE, more);
		ora_check_say(check, number, three->instruction.trace, ORA_STATE_VALUE, less);
		if (fresh)
			ora_check_explain(check, number,
				xs_strdup("line steps stop more often at a place than it is "
					  "executed"),
				NULL);
	}
}

static void check_columns(struct ora_stepped_three *three)
{
	struct ora_check *check = three->levels->check;
	bool fresh;
	for (size_t i = 0; i < three->line.lines.len; i++) {
		const struct ora_stepped_line *line = &three->line.lines.data[i];
		const struct ora_stepped_shown *shown =
			ora_stepped_shown(&three->instruction, line->place.address);
		uint64_t hash = ora_stepped_hash(line->file, line->number);
		if (!line->column || !shown || !shown->column || shown->line != hash ||
			shown->function != xs_hash_text(3, line->function)) {
			ora_asked_leave(&check->asked, "R1", places,
				!line->column ? "that the witness does not show"
					      : "where the levels show another line or function",
				1);
			continue;
		}
		ora_asked_add(&check->asked, "R1", places, 1);
		if (line->column == shown->column)
			continue;
		size_t number = ora_stepped_violate(
			three, &three->line, line, &r1, "column", ORA_KIND_LIE, &fresh);
		XS_AUTO_FREE char *one = xs_asprintf("shows column %u", line->column);
		XS_AUTO_FREE char *other = xs_asprintf("shows column %u", shown->column);
		explain(three, number, line, one, other, NULL,
			xs_asprintf("a line step that stops here shows another column of line %u "
				    "than an instruction step does",
				line->number));
	}
}

static struct xs_error *check_witness(struct ora_check_levels *levels, size_t trace)
{
	struct ora_check *check = levels->check;
	struct ora_stepped_three three = {.levels = levels,
		.line = {.trace = trace},
		.instruction = {.trace = ora_check_role(check, trace, "instruction")},
		.brk = {.trace = ora_check_role(check, trace, "break")}};
	bool has_breaks = three.brk.trace < check->count;
	struct xs_error *err;
	if (!(err = ora_stepped_take(check, &three.line)) &&
		!(err = ora_stepped_take(check, &three.instruction)) &&
		!(err = has_breaks ? ora_stepped_take(check, &three.brk) : NULL)) {
		levels->steps += three.line.lines.len;
		check_line_only(&three);
		check_instruction_only(&three);
		if (has_breaks) {
			check_break_only(&three);
			check_no_break(&three);
		}
		check_counts(&three);
		check_columns(&three);
		if (!(err = ora_stepped_order(&three)))
			err = ora_stepped_values(&three);
	}
	ora_stepped_deinit(&three.line);
	ora_stepped_deinit(&three.instruction);
	ora_stepped_deinit(&three.brk);
	return err;
}

struct xs_error *ora_check_levels(struct ora_check_levels *levels)
{
	const struct ora_check *check = levels->check;
	struct xs_error *err = NULL;
	for (size_t i = 0; !err && i < check->count; i++)
		if (!strcmp(check->roles[i], "line"))
			err = check_witness(levels, i);
	return err;
}
