/* check_levels.c - one program stepped by line, by instruction and by breakpoints, by one witness
 * (DEVIL).
 *
 * A line is a file, without its folder, and a number, as the witness shows it. Line 0 is none.
 * Where the line table has several rows at a pc, xstep shows the line of the last row. A line step
 * or a breakpoint that stops there also hits the line of the statement that it stopped for.
 *
 * R1  A line is hit by line steps if and only if it is hit by instruction steps. Violations:
 *     line-only         Line steps hit the line, instruction steps do not.
 *     instruction-only  Instruction steps hit the line, line steps do not, although a statement of
 *                       the line began: the address of a row with is_stmt was executed. Two kinds
 *                       of lines are counted apart instead. A line without such a row: the line
 *                       table says not to stop there. An opening line with nothing but a prologue.
 *     break-only        A breakpoint hits the line, instruction steps do not.
 *     no-break          Line steps hit the line, breakpoints do not. It is no violation if the
 *                       line's breakpoint shares its address with one of another line, and that
 *                       one was taken: which line is shown then is anybody's guess.
 *     more-hits         Line steps hit a place more often than it was executed.
 *
 * R2  Lines that both line steps and instruction steps hit are hit first in the same order. Here
 *     instruction steps hit a line where a statement of it begins, after the prologue.
 *
 * R3  At the first line step on a line, the leaves of the innermost frame are what they are when
 *     instruction steps first arrive at that pc. */
#include "dwarf/arrival.h"
#include "base/path.h"
#include "oracle/check/check.h"

static const struct ora_check_rule r1 = {
	"R1", "a line is hit by line steps if and only if it is hit by instruction steps"};
static const struct ora_check_rule r2 = {
	"R2", "lines are hit first in the same order by line steps and by instruction steps"};
static const struct ora_check_rule r3 = {
	"R3", "values are the same at a place, however it was stepped to"};

/* A line, or a leaf of a variable, as it was first. */
struct line {
	char *file, *function;
	uint32_t number;
	uint64_t first, stop;         /* how many lines were hit before; number of the stop */
	struct ora_store_place place; /* texts are the reader's, and not to be used */
	struct ora_store_place prev;
	bool has_prev;
	uint64_t n;
};

struct leaf {
	enum ora_state state;
	char *value;
};

/* What one trace has. */
struct level {
	size_t trace;        /* of check->traces; count if there is none */
	struct xs_map index; /* line -> index, plus 1 */
	struct xs_map ended; /* lines of statements that steps ended for -> number of the first */
	struct xs_map
		began; /* instruction steps: lines -> stop at which a statement first began; */
	struct xs_map begun_at; /* and where that was */
	XS_VEC(struct line) lines;
	struct xs_map places; /* address -> hits */
	struct xs_map leaves; /* (address, leaf) -> index, plus 1: at the first arrival */
	struct xs_map frames; /* address -> frames at the first arrival */
	XS_VEC(struct leaf) first;
};

static uint64_t hash_line(const char *file, uint32_t line)
{
	return xs_mix(xs_hash_text(1, xs_base_name(file)) ^ line);
}

static uint64_t hash_leaf(
	const struct ora_scene_variable *variable, const struct ora_scene_leaf *leaf)
{
	uint64_t hash = xs_hash_text(xs_hash_text(2, variable->variable->scope), leaf->path);
	return xs_mix(xs_hash_text(hash, variable->variable->name) ^ variable->variable->line);
}

static const struct line *find_line(const struct level *level, const struct line *line)
{
	const uint64_t *index = xs_map_find(&level->index, hash_line(line->file, line->number), 0);
	return index && *index ? &level->lines.data[*index - 1] : NULL;
}

/* Whether a level hits a line, shown or not. */
static bool hits(const struct level *level, const struct line *line)
{
	return find_line(level, line) ||
	       xs_map_find(&level->ended, hash_line(line->file, line->number), 0);
}

/* The stop at which a level first hits a line, for the order: where a step ended for a statement of
 * it, if that is known; 0: never. */
static uint64_t first_hit(const struct level *level, const struct line *line)
{
	const uint64_t *ended = xs_map_find(&level->ended, hash_line(line->file, line->number), 0);
	return level->ended.len ? ended ? *ended : 0 : line->stop;
}

/* The stop at which a statement of a line first began; 0: none did. */
static uint64_t begins(const struct level *level, const struct line *line)
{
	const uint64_t *began = xs_map_find(&level->began, hash_line(line->file, line->number), 0);
	return began ? *began : 0;
}

/* --- one trace -------------------------------------------------------------------------------- */

static struct line *take_line(
	struct level *level, const struct ora_scene *scene, const char *file, uint32_t number)
{
	const struct ora_told *told = scene->told;
	uint64_t *index = xs_map_at(&level->index, hash_line(file, number), 0);
	if (!*index) {
		struct line line = {.file = xs_strdup(file ? file : "?"),
			.function = scene->function ? xs_strdup(scene->function) : NULL,
			.number = number,
			.first = level->lines.len,
			.stop = told->number,
			.place = *told->place,
			.has_prev = told->prev,
			.n = told->n};
		if (told->prev)
			line.prev = *told->prev;
		xs_vec_push(&level->lines, line);
		*index = level->lines.len;
	}
	return &level->lines.data[*index - 1];
}

static bool is_prologue(struct di_module *module, const struct ora_store_place *place)
{
	if (!place->function || place->offset < 0)
		return false;
	xs_addr entry = place->address - (uint64_t)place->offset;
	xs_addr behind = di_arrival_behind_prologue(module, entry);
	return place->address >= entry && place->address < behind;
}

/* Notes the statement that begins at the stop, if it is one that a step of this witness could end
 * for: for a debugger that of the line it shows, for xstep the last one. */
static void take_statement(
	struct level *level, const struct ora_scene *scene, struct di_module *module, bool own)
{
	const struct ora_store_place *place = scene->told->place;
	const struct di_row *row = module ? di_lines_find(&module->lines, place->address) : NULL;
	const struct di_row *begin = module ? module->lines.rows.data : NULL;
	for (; row && row >= begin && row->address == place->address && !row->end_sequence; row--) {
		const char *file = di_lines_file(&module->lines, row);
		if (!row->is_stmt || !row->line || !file)
			continue;
		if (!own && (row->line != scene->line || !scene->file ||
				    strcmp(xs_base_name(file), xs_base_name(scene->file)) != 0))
			continue;
		uint64_t *began = xs_map_at(&level->began, hash_line(file, row->line), 0);
		if (!*began && !is_prologue(module, place)) {
			*began = scene->told->number;
			*xs_map_at(&level->begun_at, hash_line(file, row->line), 0) =
				place->address;
		}
		return;
	}
}

/* Keeps the leaves at the first arrival at a place. */
static void take_leaves(struct level *level, const struct ora_scene *scene)
{
	const struct ora_scene_variable *variable;
	xs_addr address = scene->told->place->address;
	uint64_t *frames = xs_map_at(&level->frames, address, 0);
	if (*frames)
		return;
	*frames = scene->told->frame_count + 1;
	for (size_t i = 0; (variable = ora_scene_variable(scene, i)); i++)
		for (size_t k = 0; variable->live && k < variable->leaves.len; k++) {
			const struct ora_scene_leaf *leaf = &variable->leaves.data[k];
			if (leaf->state == ORA_STATE_ABSENT || leaf->unstable)
				continue;
			struct leaf kept = {
				leaf->state, leaf->value ? xs_strdup(leaf->value) : NULL};
			xs_vec_push(&level->first, kept);
			*xs_map_at(&level->leaves, address, hash_leaf(variable, leaf)) =
				level->first.len;
		}
}

static void on_transition(void *arg, const struct ora_store_place *prev,
	const struct ora_store_place *place, uint64_t count, uint64_t first)
{
	struct level *level = arg;
	(void)prev, (void)first;
	if (!place->module)
		*xs_map_at(&level->places, place->address, 0) += count;
}

static struct xs_error *take_level(
	const struct ora_check *check, struct level *level, bool leaves, bool statements)
{
	struct ora_scene scene = ora_check_scene(check, level->trace, check->verdicts.module);
	bool own = !strcmp(check->verdicts.witnesses[level->trace], "xstep");
	struct xs_error *err;
	while (!(err = ora_scene_next(&scene)) && scene.told) {
		if (scene.told->place->module)
			continue;
		uint64_t *ended =
			scene.statement_line
				? xs_map_at(&level->ended,
					  hash_line(scene.statement_file, scene.statement_line), 0)
				: NULL;
		if (ended && !*ended)
			*ended = scene.told->number;
		if (scene.line)
			take_line(level, &scene, scene.file, scene.line);
		if (scene.line && statements)
			take_statement(level, &scene, check->verdicts.module, own);
		if (leaves)
			take_leaves(level, &scene);
	}
	if (!err)
		err = ora_store_transitions(check->store, scene.trace, on_transition, level);
	ora_scene_deinit(&scene);
	return err;
}

static void level_deinit(struct level *level)
{
	for (size_t i = 0; i < level->lines.len; i++) {
		free(level->lines.data[i].file);
		free(level->lines.data[i].function);
	}
	for (size_t i = 0; i < level->first.len; i++)
		free(level->first.data[i].value);
	xs_vec_deinit(&level->lines);
	xs_vec_deinit(&level->first);
	xs_map_deinit(&level->index);
	xs_map_deinit(&level->ended);
	xs_map_deinit(&level->began);
	xs_map_deinit(&level->begun_at);
	xs_map_deinit(&level->places);
	xs_map_deinit(&level->leaves);
	xs_map_deinit(&level->frames);
}

/* --- the relations ---------------------------------------------------------------------------- */

struct three {
	struct ora_check_levels *levels;
	struct level line, instruction, brk;
};

/* A violation at the first hit of a line. */
static size_t violate(const struct three *three, const struct level *level, const struct line *line,
	const struct ora_check_rule *rule, const char *why, enum ora_kind kind, bool *fresh)
{
	struct ora_store_place place = {.address = line->place.address};
	struct ora_store_place prev = {.address = line->prev.address};
	struct ora_told told = {.number = line->stop,
		.n = line->n,
		.place = &place,
		.prev = line->has_prev ? &prev : NULL};
	return ora_check_violate(three->levels->check, level->trace,
		&(struct ora_violation){.rule = rule,
			.kind = kind,
			.why = why,
			.told = &told,
			.file = line->file,
			.function = line->function,
			.line = line->number},
		fresh);
}

/* Says what each level has of it, and why it is one. */
static void explain(const struct three *three, size_t violation, const struct line *line,
	const char *by_line, const char *by_instruction, const char *by_break, char *sentence)
{
	struct ora_check *check = three->levels->check;
	ora_check_say(check, violation, three->line.trace, ORA_STATE_VALUE, by_line);
	ora_check_say(check, violation, three->instruction.trace, ORA_STATE_VALUE, by_instruction);
	if (three->brk.trace < check->count && by_break)
		ora_check_say(check, violation, three->brk.trace, ORA_STATE_VALUE, by_break);
	const uint64_t *begun =
		xs_map_find(&three->instruction.begun_at, hash_line(line->file, line->number), 0);
	struct ora_store_place place = {.address = begun ? *begun : line->place.address};
	ora_check_explain(check, violation, sentence, ora_check_row(check, &place));
}

static const char *hit(const struct level *level, const struct line *line)
{
	return hits(level, line) ? "hits this line" : "never hits this line";
}

/* Whether the program stopped at one of the addresses that a breakpoint on a line is set at. */
static bool was_taken(const struct three *three, const struct line *line)
{
	struct di_module *module = three->levels->check->verdicts.module;
	bool ret = xs_map_find(&three->brk.places, line->place.address, 0);
	struct di_arrivals arrivals;
	if (ret || !module)
		return ret;
	di_arrivals_find(module, line->file, line->number, &arrivals);
	for (size_t i = 0; !ret && i < arrivals.addresses.vec.len; i++) {
		const struct xs_range *range = &arrivals.addresses.vec.data[i];
		for (xs_addr at = range->lo; !ret && at < range->hi; at++)
			ret = xs_map_find(&three->brk.places, at, 0);
	}
	di_arrivals_deinit(&arrivals);
	return ret;
}

static void check_reachable(struct three *three)
{
	struct ora_check_levels *levels = three->levels;
	struct ora_check *check = levels->check;
	bool fresh;
	for (size_t i = 0; i < three->line.lines.len; i++) {
		const struct line *line = &three->line.lines.data[i];
		if (find_line(&three->instruction, line))
			continue;
		size_t number = violate(
			three, &three->line, line, &r1, "line-only", ORA_KIND_EXTRA, &fresh);
		explain(three, number, line, "hits this line", "never hits this line",
			hit(&three->brk, line),
			xs_asprintf("line steps stop on line %u, which no executed instruction "
				    "counts as",
				line->number));
	}
	for (size_t i = 0; i < three->instruction.lines.len; i++) {
		const struct line *line = &three->instruction.lines.data[i];
		if (hits(&three->line, line))
			continue;
		bool statement = begins(&three->instruction, line);
		if (!statement && !levels->no_stmt) {
			levels->set_aside++;
			continue;
		}
		size_t number = violate(three, &three->instruction, line, &r1,
			statement ? "instruction-only" : "instruction-only-no-stmt", ORA_KIND_LOSS,
			&fresh);
		explain(three, number, line, "never hits this line", "hits this line",
			hit(&three->brk, line),
			statement ? xs_asprintf("a statement of line %u was executed, a row with "
						"is_stmt, and line steps never stop there",
					    line->number)
				  : xs_asprintf(
					    "line %u was executed, without a row with is_stmt "
					    "behind the prologue, and line steps never stop there",
					    line->number));
	}
	for (size_t i = 0; three->brk.trace < check->count && i < three->brk.lines.len; i++) {
		const struct line *line = &three->brk.lines.data[i];
		if (find_line(&three->instruction, line))
			continue;
		size_t number = violate(
			three, &three->brk, line, &r1, "break-only", ORA_KIND_EXTRA, &fresh);
		explain(three, number, line, hit(&three->line, line), "never hits this line",
			"hits this line",
			xs_asprintf("a breakpoint stops on line %u, which no executed instruction "
				    "counts as",
				line->number));
	}
	/* The first stop is where steps begin. */
	for (size_t i = 1; three->brk.trace < check->count && i < three->line.lines.len; i++) {
		const struct line *line = &three->line.lines.data[i];
		if (hits(&three->brk, line) || was_taken(three, line))
			continue;
		size_t number =
			violate(three, &three->line, line, &r1, "no-break", ORA_KIND_LOSS, &fresh);
		explain(three, number, line, "hits this line", hit(&three->instruction, line),
			"never hits this line",
			xs_asprintf("line steps stop on line %u, and a breakpoint on it never does",
				line->number));
	}
}

static void check_counts(struct three *three)
{
	struct ora_check *check = three->levels->check;
	bool fresh;
	for (size_t i = 0; i < three->line.lines.len; i++) {
		const struct line *line = &three->line.lines.data[i];
		const uint64_t *by_line = xs_map_find(&three->line.places, line->place.address, 0);
		const uint64_t *executed =
			xs_map_find(&three->instruction.places, line->place.address, 0);
		uint64_t times = by_line ? *by_line : 0, most = executed ? *executed : 0;
		if (times <= most)
			continue;
		size_t number = violate(
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

struct hit {
	uint64_t stop;
	const struct line *line;
};

static int by_stop(const void *a, const void *b)
{
	const struct hit *left = a, *right = b;
	return left->stop < right->stop ? -1 : left->stop > right->stop;
}

static void check_order(struct three *three)
{
	const struct line *latest = NULL; /* by instruction steps, of those that came before */
	XS_VEC(struct hit) hits_by_line = {0};
	bool fresh;
	/* The first stop is where steps begin, and none itself. */
	for (size_t i = 0; i < three->line.lines.len; i++) {
		const struct line *line = &three->line.lines.data[i];
		uint64_t stop = first_hit(&three->line, line);
		if (stop > 1)
			xs_vec_push(&hits_by_line, ((struct hit){stop, line}));
	}
	if (hits_by_line.len)
		qsort(hits_by_line.data, hits_by_line.len, sizeof *hits_by_line.data, by_stop);
	for (size_t i = 0; i < hits_by_line.len; i++) {
		const struct line *line = hits_by_line.data[i].line;
		uint64_t began = begins(&three->instruction, line);
		if (!began)
			continue;
		if (!latest || began >= begins(&three->instruction, latest)) {
			latest = line;
			continue;
		}
		size_t number =
			violate(three, &three->line, line, &r2, "order", ORA_KIND_LIE, &fresh);
		XS_AUTO_FREE char *late = xs_asprintf(
			"hits line %u first behind line %u", line->number, latest->number);
		XS_AUTO_FREE char *early = xs_asprintf(
			"hits line %u first before line %u", line->number, latest->number);
		explain(three, number, line, late, early, NULL,
			xs_asprintf(
				"line steps reach line %u after line %u, and a statement of it was "
				"executed before",
				line->number, latest->number));
	}
	xs_vec_deinit(&hits_by_line);
}

/* Values at the first line step of each line. */
static struct xs_error *check_values(struct three *three)
{
	struct ora_check *check = three->levels->check;
	struct ora_scene scene = {
		.store = check->store, .trace = check->traces[three->line.trace]->id};
	const struct level *instruction = &three->instruction;
	struct xs_map seen = {0};
	struct xs_error *err;
	bool fresh;
	while (!(err = ora_scene_next(&scene)) && scene.told) {
		uint64_t *known = xs_map_at(&seen, hash_line(scene.file, scene.line), 0);
		xs_addr address = scene.told->place->address;
		const uint64_t *frames = xs_map_find(&instruction->frames, address, 0);
		bool first = scene.line && !*known && !scene.told->place->module;
		*known = 1;
		if (!first || !frames)
			continue;
		/* Another activation: nothing that could be compared. */
		bool same = *frames == (uint64_t)scene.told->frame_count + 1;
		const struct ora_scene_variable *variable;
		for (size_t i = 0; same && (variable = ora_scene_variable(&scene, i)); i++)
			for (size_t k = 0; variable->live && k < variable->leaves.len; k++) {
				const struct ora_scene_leaf *leaf = &variable->leaves.data[k];
				const uint64_t *index = xs_map_find(
					&instruction->leaves, address, hash_leaf(variable, leaf));
				const struct leaf *other =
					index ? &instruction->first.data[*index - 1] : NULL;
				if (!other || leaf->state == ORA_STATE_ABSENT || leaf->unstable ||
					(leaf->state == other->state &&
						(leaf->state != ORA_STATE_VALUE ||
							!strcmp(leaf->value, other->value))))
					continue;
				size_t number = ora_check_violate(check, three->line.trace,
					&(struct ora_violation){.rule = &r3,
						.kind = ORA_KIND_LIE,
						.why = "value",
						.told = scene.told,
						.file = scene.file,
						.function = scene.function,
						.line = scene.line,
						.variable = variable->variable,
						.path = leaf->path,
						.type = leaf->type},
					&fresh);
				ora_check_say(
					check, number, three->line.trace, leaf->state, leaf->value);
				ora_check_say(check, number, instruction->trace, other->state,
					other->value);
				if (fresh)
					ora_check_explain(check, number,
						xs_asprintf("where line steps first stop on line "
							    "%u, %s is "
							    "not what it is when 0x%" PRIx64
							    " is first executed",
							scene.line, leaf->path, address),
						NULL);
			}
	}
	xs_map_deinit(&seen);
	ora_scene_deinit(&scene);
	return err;
}

static struct xs_error *check_witness(struct ora_check_levels *levels, size_t trace)
{
	struct ora_check *check = levels->check;
	struct three three = {.levels = levels,
		.line = {.trace = trace},
		.instruction = {.trace = ora_check_role(check, trace, "instruction")},
		.brk = {.trace = ora_check_role(check, trace, "break")}};
	struct xs_error *err;
	if (!(err = take_level(check, &three.line, false, false)) &&
		!(err = take_level(check, &three.instruction, true, true)) &&
		(three.brk.trace == check->count ||
			!(err = take_level(check, &three.brk, false, false)))) {
		levels->steps += three.line.lines.len;
		check_reachable(&three);
		check_counts(&three);
		check_order(&three);
		err = check_values(&three);
	}
	level_deinit(&three.line);
	level_deinit(&three.instruction);
	level_deinit(&three.brk);
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
