/* stepped_order.c - R2: lines are hit in the same order by line steps and by instruction steps.
 *
 * First hits (order): lines that both hit are hit first in the same order. Here both hit a line
 * where a statement of it begins: a debugger that stops elsewhere, at code that was moved, is not
 * asked about that line.
 *
 * All hits (order-later): every stop of the line steps is found again in the order of all executed
 * instructions, and between two of them no statement of another line begins: line steps would have
 * gone from line to line in another order than the program. That order is xstep's own, for it is
 * that of the program whoever looks on.
 *
 * The row with prologue_end that is late (late-prologue-end): stepped.h, rule 4.
 *
 * A step is asked about if
 * 1. both ends are sure: line steps stop at these addresses as often as they are executed, so that
 *    it is known which execution of them is meant, and no inlined call begins there;
 * 2. it stays in one function and one inlined call: what a step does at calls and returns is a
 *    matter of its own;
 * 3. and both runs go the same way.
 * Code in the midst of a line makes that line the one being stepped, as in rule 2 of stepped.h. */
#include "base/path.h"
#include "dwarf/scope.h"
#include "oracle/check/stepped.h"

static const struct ora_check_rule r2 = {
	"R2", "lines are hit in the same order by line steps and by instruction steps"};

/* --- first hits ------------------------------------------------------------------------------- */

struct hit {
	uint64_t stop;
	const struct ora_stepped_line *line;
};

static int by_stop(const void *a, const void *b)
{
	const struct hit *left = a, *right = b;
	return left->stop < right->stop ? -1 : left->stop > right->stop;
}

/* The stop at which line steps first hit a line, for the order: where a step ended for a statement
 * of it, if that is known; 0: never. */
static uint64_t first_hit(const struct ora_stepped *stepped, const struct ora_stepped_line *line)
{
	return stepped->ended.len ? ora_stepped_first(&stepped->ended, line) : line->stop;
}

static void note_order(struct ora_stepped_three *three, const struct ora_stepped_line *line,
	const struct ora_stepped_line *latest)
{
	struct ora_check *check = three->levels->check;
	bool fresh;
	size_t number =
		ora_stepped_violate(three, &three->line, line, &r2, "order", ORA_KIND_LIE, &fresh);
	XS_AUTO_FREE char *late =
		xs_asprintf("hits line %u first behind line %u", line->number, latest->number);
	XS_AUTO_FREE char *early =
		xs_asprintf("hits line %u first before line %u", line->number, latest->number);
	ora_check_say(check, number, three->line.trace, ORA_STATE_VALUE, late);
	ora_check_say(check, number, three->instruction.trace, ORA_STATE_VALUE, early);
	struct ora_store_place place = {
		.address = ora_stepped_first(&three->instruction.begun_at, line)};
	ora_check_explain(check, number,
		xs_asprintf("line steps reach line %u after line %u, and a statement of it was "
			    "executed before",
			line->number, latest->number),
		ora_check_row(check, &place));
}

/* Why the first hit of a line has no place in the order; NULL: it has. */
static const char *excuse(
	const struct ora_stepped_three *three, const struct ora_stepped_line *line, uint64_t stop)
{
	const struct ora_check *check = three->levels->check;
	struct di_module *module = check->verdicts.module;
	xs_addr address = line->place.address;
	/* The first stop is where steps begin, and none itself: its line is being stepped. */
	if (stop <= 1 || line->stop <= 1)
		return "at the start";
	if (!ora_stepped_first(&three->instruction.began, line))
		return "of lines no statement of which begins";
	if (ora_stepped_is_own(check, three->line.trace))
		return NULL;
	if (ora_stepped_is_call(module, address))
		return ORA_STEPPED_CALL;
	if (ora_stepped_is_late(&three->instruction, &line->place))
		return ORA_STEPPED_LATE;
	return ora_stepped_statement(module, address, ora_stepped_hash(line->file, line->number))
		       ? NULL
		       : "where no statement of the line begins";
}

/* Lines that are told are put into `told`. */
static void check_first(struct ora_stepped_three *three, struct xs_map *told)
{
	struct ora_asked *asked = &three->levels->check->asked;
	const struct xs_map *began = &three->instruction.began;
	const struct ora_stepped_line *latest = NULL; /* by instruction steps, of those before */
	XS_VEC(struct hit) hits = {0};
	for (size_t i = 0; i < three->line.lines.len; i++) {
		const struct ora_stepped_line *line = &three->line.lines.data[i];
		uint64_t stop = first_hit(&three->line, line);
		const char *why_not = excuse(three, line, stop);
		if (why_not)
			ora_asked_leave(asked, "R2", "first hits", why_not, 1);
		else
			xs_vec_push(&hits, ((struct hit){stop, line}));
	}
	if (hits.len)
		qsort(hits.data, hits.len, sizeof *hits.data, by_stop);
	ora_asked_add(asked, "R2", "first hits", hits.len);
	for (size_t i = 0; i < hits.len; i++) {
		const struct ora_stepped_line *line = hits.data[i].line;
		if (!latest || ora_stepped_first(began, line) >= ora_stepped_first(began, latest)) {
			latest = line;
			continue;
		}
		note_order(three, line, latest);
		*xs_map_at(told, ora_stepped_hash(line->file, line->number), 0) = 1;
	}
	xs_vec_deinit(&hits);
}

/* --- all hits --------------------------------------------------------------------------------- */

/* A walk through all executed instructions along the line steps. */
struct along {
	struct ora_stepped_three *three;
	struct di_module *module;
	const struct xs_map *told; /* lines that first hits have told */
	bool own;

	struct xs_map executed, stopped; /* address -> how often */
	struct xs_map recursive;         /* functions (hash) that call themselves */
	uint64_t before;                 /* function of the instruction before; hash */
	size_t next;                     /* of the line steps: the next one that is sure */
	bool lost;                       /* the runs went different ways */

	/* The step that is being made. */
	const struct ora_stepped_stop *from; /* NULL: none that could be asked about */
	const char *why_not;                 /* why it cannot be asked about, if so */
	uint64_t function;                   /* hash */
	const void *call;
	uint64_t line;             /* that is being stepped */
	const struct di_row *prev; /* row of the instruction before */
	const struct di_row *over; /* a statement that began, and is of another line; or NULL */
};

static const char steps[] = "later steps";

static bool is_sure(const struct along *along, xs_addr address)
{
	const uint64_t *executed = xs_map_find(&along->executed, address, 0);
	const uint64_t *stopped = xs_map_find(&along->stopped, address, 0);
	return executed && stopped && *executed == *stopped &&
	       !ora_stepped_is_call(along->module, address);
}

static const void *call_at(struct di_module *module, xs_addr address)
{
	const struct di_scopes *scopes = di_scopes_at(module, address);
	return scopes->activations.len > 1 ? scopes->activations.data[0].function : NULL;
}

static uint64_t row_hash(const struct along *along, const struct di_row *row)
{
	return ora_stepped_hash(di_lines_file(&along->module->lines, row), row->line);
}

static void note_over(const struct along *along, const struct ora_stepped_stop *to)
{
	struct ora_stepped_three *three = along->three;
	struct ora_check *check = three->levels->check;
	const struct ora_stepped_stop *from = along->from;
	const struct ora_stepped_line *line = &three->line.lines.data[from->line];
	const struct ora_stepped_line *end =
		to->line != SIZE_MAX ? &three->line.lines.data[to->line] : NULL;
	uint32_t over = along->over->line;
	struct ora_store_place at = {.address = from->address},
			       there = {.address = along->over->address};
	struct ora_told told = {.number = from->number, .n = from->n, .place = &at};
	XS_AUTO_FREE char *key = xs_asprintf("over %u", over);
	XS_AUTO_FREE char *skips =
		xs_asprintf("goes from line %u to line %u", line->number, end ? end->number : 0);
	XS_AUTO_FREE char *meets = xs_asprintf("goes from line %u to line %u", line->number, over);
	bool fresh;
	size_t number = ora_check_violate(check, three->line.trace,
		&(struct ora_violation){.rule = &r2,
			.kind = ORA_KIND_LIE,
			.why = "order-later",
			.key = key,
			.told = &told,
			.file = line->file,
			.function = line->function,
			.line = line->number},
		&fresh);
	ora_check_say(check, number, three->line.trace, ORA_STATE_VALUE, skips);
	ora_check_say(check, number, three->instruction.trace, ORA_STATE_VALUE, meets);
	ora_check_explain(check, number,
		xs_asprintf("a line step from line %u runs over line %u, a statement of which "
			    "begins on the way; other line steps stop on that line",
			line->number, over),
		ora_check_row(check, &there));
}

/* The step is over, at the next stop that is sure. */
static void end_step(struct along *along, const struct ora_stepped_stop *to)
{
	struct ora_asked *asked = &along->three->levels->check->asked;
	if (along->why_not)
		ora_asked_leave(asked, "R2", steps, along->why_not, 1);
	else if (along->from)
		ora_asked_add(asked, "R2", steps, 1);
	if (!along->why_not && along->from && along->over)
		note_over(along, to);
}

static void begin_step(struct along *along, const struct ora_stepped_stop *from,
	const struct ora_store_place *place)
{
	const struct ora_stepped_line *line =
		from->line == SIZE_MAX ? NULL : &along->three->line.lines.data[from->line];
	along->from = from;
	along->function = xs_hash_text(4, place->function);
	along->why_not = !line ? "from where there is no line"
			 : xs_map_find(&along->recursive, along->function, 0)
				 ? "in functions that call themselves"
			 : ora_stepped_is_late(&along->three->instruction, place) ? ORA_STEPPED_LATE
										  : NULL;
	along->call = call_at(along->module, place->address);
	along->line = from->statement ? from->statement
		      : line          ? ora_stepped_hash(line->file, line->number)
				      : 0;
	along->over = NULL;
}

/* An instruction between two stops. */
static void go_on(
	struct along *along, const struct ora_store_place *place, const struct di_row *row)
{
	if (along->why_not || along->over || !row || !row->line)
		return; /* without a line: a stub of the linker */
	if (xs_hash_text(4, place->function) != along->function) {
		along->why_not = "with a call or a return";
		return;
	}
	if (call_at(along->module, place->address) != along->call) {
		along->why_not = "into or out of an inlined call";
		return;
	}
	if (row->address != place->address) {
		if (row != along->prev)
			along->line = row_hash(along, row);
		return;
	}
	const struct ora_stepped_shown *shown =
		ora_stepped_shown(&along->three->instruction, place->address);
	if (!shown || !shown->line)
		return;
	const struct di_row *statement =
		ora_stepped_statement(along->module, place->address, along->own ? 0 : shown->line);
	if (!statement || row_hash(along, statement) == along->line ||
		ora_stepped_is_prologue(along->module, place))
		return;
	uint64_t hash = row_hash(along, statement);
	/* It was shown before the statement began, for code of it was moved there: no new line. */
	const struct ora_stepped_line *shown_first =
		&along->three->line.lines.data[along->from->line];
	if (hash == ora_stepped_hash(shown_first->file, shown_first->number)) {
		along->why_not = "to the line that they begin on";
		return;
	}
	/* A line that line steps never hit is R1's, one that is hit late may be told already. */
	bool hit = xs_map_find(&along->three->line.index, hash, 0) ||
		   xs_map_find(&along->three->line.ended, hash, 0);
	if (hit && !xs_map_find(along->told, hash, 0))
		along->over = statement;
	else
		along->why_not = "over a line that is another rule's";
}

static void count_step(void *arg, const struct ora_store_place *place)
{
	struct along *along = arg;
	uint64_t function = place->module ? 0 : xs_hash_text(4, place->function);
	if (!place->module)
		++*xs_map_at(&along->executed, place->address, 0);
	/* A loop back to its first instruction looks the same. */
	if (!place->module && !place->offset && along->before == function)
		*xs_map_at(&along->recursive, function, 0) = 1;
	along->before = function;
}

static void on_step(void *arg, const struct ora_store_place *place)
{
	struct along *along = arg;
	if (place->module || along->lost)
		return;
	const struct ora_stepped *line = &along->three->line;
	const struct di_row *row = di_lines_find(&along->module->lines, place->address);
	if (!is_sure(along, place->address)) {
		if (along->from)
			go_on(along, place, row);
		along->prev = row;
		return;
	}
	size_t unsure = 0; /* stops before this one of which it is not known when they were */
	while (along->next < line->stops.len &&
		!is_sure(along, line->stops.data[along->next].address)) {
		along->next++;
		unsure++;
	}
	if (along->next == line->stops.len ||
		line->stops.data[along->next].address != place->address) {
		along->lost = true;
		return;
	}
	const struct ora_stepped_stop *stop = &line->stops.data[along->next++];
	struct ora_asked *asked = &along->three->levels->check->asked;
	if (unsure)
		ora_asked_leave(asked, "R2", steps,
			"at places that line steps do not always stop at", unsure + 1);
	else
		end_step(along, stop);
	begin_step(along, stop, place);
	along->prev = row;
}

static struct xs_error *check_later(struct ora_stepped_three *three, const struct xs_map *told)
{
	struct ora_check *check = three->levels->check;
	struct ora_stepped *line = &three->line;
	struct along along = {.three = three,
		.module = check->verdicts.module,
		.told = told,
		.own = ora_stepped_is_own(check, line->trace)};
	uint64_t order = three->levels->order;
	struct xs_error *err = NULL;
	for (size_t i = 0; i < line->stops.len; i++)
		++*xs_map_at(&along.stopped, line->stops.data[i].address, 0);
	if (order && along.module &&
		!(err = ora_store_order(check->store, order, count_step, &along)))
		err = ora_store_order(check->store, order, on_step, &along);
	size_t count = line->stops.len ? line->stops.len - 1 : 0;
	if (!along.executed.len)
		ora_asked_leave(&check->asked, "R2", steps,
			"without the order of all executed instructions", count);
	else if (along.lost)
		ora_asked_leave(&check->asked, "R2", steps, "where the runs went different ways",
			line->stops.len - along.next);
	xs_map_deinit(&along.executed);
	xs_map_deinit(&along.stopped);
	xs_map_deinit(&along.recursive);
	return err;
}

/* --- the prologue ----------------------------------------------------------------------------- */

static void check_late(struct ora_stepped_three *three)
{
	struct ora_check *check = three->levels->check;
	bool fresh;
	for (size_t i = 0; i < three->instruction.late_lines.len; i++) {
		const struct ora_stepped_line *line = &three->instruction.late_lines.data[i];
		struct ora_store_place place = {.address = line->place.address};
		size_t number = ora_stepped_violate(three, &three->instruction, line, &r2,
			"late-prologue-end", ORA_KIND_LIE, &fresh);
		ora_check_say(check, number, three->instruction.trace, ORA_STATE_VALUE,
			"is here after statements of the function");
		ora_check_explain(check, number,
			xs_asprintf("the row with prologue_end is executed after statements of the "
				    "function: a step into it, or a breakpoint on it, that stops "
				    "there runs over them"),
			ora_check_row(check, &place));
	}
}

struct xs_error *ora_stepped_order(struct ora_stepped_three *three)
{
	struct xs_map told = {0};
	check_late(three);
	check_first(three, &told);
	struct xs_error *err = check_later(three, &told);
	xs_map_deinit(&told);
	return err;
}
