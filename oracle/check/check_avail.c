/* check_avail.c - whether variables that must be there are: three conjectures on availability, from
 * facts of the source and a trace from one breakpoint on a line to the next.
 *
 * A line is looked at where it is first hit, if a row of it with is_stmt is at that pc and the last
 * row there is of that line, too: what a location list says of a pc is said of the last row.
 * Variables are those of the innermost frame; function, name and declaration line tell them apart.
 * None of the rules says anything of a variable that is written on the line itself.
 *
 * C1  A variable passed as it is to a function that is defined elsewhere has a value at the line of
 *     the call.
 *
 * C2  At an assignment to something at file scope, whose value needs all its operands (sums,
 *     differences, elements, members; products, if no operand is constant), a local operand has a
 *     value if it is only ever assigned one constant, or if it is an index there and used later,
 *     its address never being taken. The code of the line that follows the hit must store
 *     something. Otherwise that code may be a load that was moved away from the line, to before
 *     the operands have their values.
 *
 * C3  After an assignment, a variable's availability does not improve (value > optimized-out,
 *     error > absent) up to the next assignment in the text, or to the loop that contains it. Asked
 *     only of assignments outside of loops, of variables whose address is never taken, between
 *     lines of the same call (the same frames around it), up to the first hit after that text. */
#include "engine/insn.h"
#include "base/path.h"
#include "oracle/check/check.h"
#include "source/uses.h"

static const struct ora_check_rule c1 = {
	"C1", "a variable that is passed to an opaque function has a value at the call"};
static const struct ora_check_rule c2 = {
	"C2", "what is assigned to global storage is made of variables that have a value there"};
static const struct ora_check_rule c3 = {
	"C3", "behind an assignment a variable's availability does not improve"};

struct sight {
	char *name, *scope;
	uint32_t declared;
	enum ora_state state;
	char *value, *message;
};

/* The first hit of a line. */
struct hit {
	uint32_t line;
	char *file, *function; /* as shown */
	struct ora_store_place place, prev;
	bool has_prev;
	uint64_t number, n;
	uint64_t around; /* hash of the frames outside */
	XS_VEC(struct sight) sights;
};

struct hits {
	XS_VEC(struct hit) vec; /* in order */
	struct xs_map index;    /* line -> index, plus 1 */
};

struct view {
	struct ora_check_avail *avail;
	size_t trace;
	struct hits hits;
};

/* --- the trace -------------------------------------------------------------------------------- */

/* Whether the line that is shown is that of a statement, and what comes last at the pc. */
static bool is_clear(const struct di_module *module, const struct ora_scene *scene)
{
	xs_addr pc = scene->told->place->address;
	const struct di_row *row = module ? di_lines_find(&module->lines, pc) : NULL;
	const struct di_row *begin = module ? module->lines.rows.data : NULL;
	if (!row || row->address != pc || row->line != scene->line)
		return false;
	for (; row >= begin && row->address == pc && !row->end_sequence; row--)
		if (row->is_stmt && row->line == scene->line)
			return true;
	return false;
}

static uint64_t hash_around(const struct ora_told *told)
{
	uint64_t hash = told->frame_count;
	for (size_t i = 1; i < told->frames.len; i++)
		hash = xs_mix(xs_hash_text(hash, told->frames.data[i].function) ^
			      told->frames.data[i].address);
	return hash;
}

static void take_hit(struct view *view, const struct ora_scene *scene)
{
	const struct ora_told *told = scene->told;
	const struct ora_scene_variable *variable;
	uint64_t *index = xs_map_at(&view->hits.index, scene->line, 0);
	if (*index)
		return;
	struct hit hit = {.line = scene->line,
		.file = xs_strdup(scene->file),
		.function = ora_bare_function(scene->function),
		.place = {.address = told->place->address},
		.has_prev = told->prev,
		.number = told->number,
		.n = told->n,
		.around = hash_around(told)};
	if (told->prev)
		hit.prev.address = told->prev->address;
	for (size_t i = 0; (variable = ora_scene_variable(scene, i)); i++) {
		if (!variable->live)
			continue;
		enum ora_state state = ora_scene_state(variable);
		size_t k = 0;
		while (variable->leaves.data[k].state != state)
			k++;
		const struct ora_scene_leaf *leaf = &variable->leaves.data[k];
		struct sight sight = {.name = xs_strdup(variable->variable->name),
			.scope = xs_strdup(
				variable->variable->scope ? variable->variable->scope : ""),
			.declared = variable->variable->line,
			.state = state,
			.value = leaf->value ? xs_strdup(leaf->value) : NULL,
			.message = leaf->message ? xs_strdup(leaf->message) : NULL};
		xs_vec_push(&hit.sights, sight);
	}
	xs_vec_push(&view->hits.vec, hit);
	*index = view->hits.vec.len;
}

static struct xs_error *take_trace(struct view *view)
{
	struct ora_check *check = view->avail->check;
	struct ora_scene scene = {.store = check->store, .trace = check->traces[view->trace]->id};
	struct xs_error *err;
	while (!(err = ora_scene_next(&scene)) && scene.told)
		if (scene.file && !scene.told->place->module &&
			!strcmp(xs_base_name(scene.file), xs_base_name(view->avail->file)) &&
			is_clear(check->verdicts.module, &scene))
			take_hit(view, &scene);
	ora_scene_deinit(&scene);
	view->avail->hits += view->hits.vec.len;
	return err;
}

static void hits_deinit(struct hits *hits)
{
	for (size_t i = 0; i < hits->vec.len; i++) {
		struct hit *hit = &hits->vec.data[i];
		for (size_t k = 0; k < hit->sights.len; k++) {
			free(hit->sights.data[k].name);
			free(hit->sights.data[k].scope);
			free(hit->sights.data[k].value);
			free(hit->sights.data[k].message);
		}
		xs_vec_deinit(&hit->sights);
		free(hit->file);
		free(hit->function);
	}
	xs_vec_deinit(&hits->vec);
	xs_map_deinit(&hits->index);
}

/* --- what must be there ----------------------------------------------------------------------- */

/* The first hit of a line, if it is shown in that function; NULL: none. */
static const struct hit *find_hit(const struct view *view, unsigned line, size_t function)
{
	const uint64_t *index = xs_map_find(&view->hits.index, line, 0);
	const struct hit *hit = index && *index ? &view->hits.vec.data[*index - 1] : NULL;
	const char *name = view->avail->facts->functions.data[function].name;
	return hit && hit->function && !strcmp(hit->function, name) ? hit : NULL;
}

static const struct sight *find_sight(const struct hit *hit, const struct src_variable *variable)
{
	for (size_t i = 0; i < hit->sights.len; i++)
		if (hit->sights.data[i].declared == variable->line &&
			!strcmp(hit->sights.data[i].name, variable->name))
			return &hit->sights.data[i];
	return NULL;
}

/* How available it is: 2 a value, 1 listed, 0 absent. */
static unsigned rank(const struct sight *sight)
{
	return !sight || sight->state == ORA_STATE_ABSENT ? 0
	       : sight->state == ORA_STATE_VALUE          ? 2
							  : 1;
}

static bool is_written_on(const struct src_facts *facts, size_t variable, unsigned line)
{
	for (size_t i = 0; i < facts->uses.len; i++)
		if (facts->uses.data[i].variable == variable && facts->uses.data[i].line == line &&
			facts->uses.data[i].access & SRC_WRITE)
			return true;
	return false;
}

static bool is_written_before(const struct src_facts *facts, size_t variable, unsigned offset)
{
	for (size_t i = 0; i < facts->uses.len; i++)
		if (facts->uses.data[i].variable == variable &&
			facts->uses.data[i].offset < offset &&
			facts->uses.data[i].access & SRC_WRITE)
			return true;
	return false;
}

static void violate(const struct view *view, const struct ora_check_rule *rule, const char *why,
	const struct hit *hit, size_t number, const char *expected, char *sentence)
{
	struct ora_check *check = view->avail->check;
	const struct src_facts *facts = view->avail->facts;
	const struct src_variable *variable = &facts->variables.data[number];
	const struct sight *sight = find_sight(hit, variable);
	struct ora_told told = {.number = hit->number,
		.n = hit->n,
		.place = &hit->place,
		.prev = hit->has_prev ? &hit->prev : NULL};
	struct ora_store_variable identity = {
		.scope = sight ? sight->scope : facts->functions.data[variable->function].name,
		.name = variable->name,
		.file = hit->file,
		.line = variable->line};
	bool fresh;
	size_t at = ora_check_violate(check, view->trace,
		&(struct ora_violation){.rule = rule,
			.kind = ORA_KIND_LOSS,
			.why = why,
			.told = &told,
			.file = hit->file,
			.function = hit->function,
			.line = hit->line,
			.variable = &identity},
		&fresh);
	ora_check_say(check, at, view->trace, sight ? sight->state : ORA_STATE_ABSENT, NULL);
	if (sight && sight->message &&
		!check->comparison.differences.data[at]->said[view->trace].message)
		check->comparison.differences.data[at]->said[view->trace].message =
			xs_strdup(sight->message);
	if (fresh)
		ora_check_explain(check, at, sentence, xs_strdup(expected));
	else
		free(sentence);
}

static void check_calls(const struct view *view)
{
	const struct src_facts *facts = view->avail->facts;
	for (size_t i = 0; i < facts->calls.len; i++) {
		const struct src_call *call = &facts->calls.data[i];
		const struct hit *hit = find_hit(view, call->line, call->function);
		for (size_t k = 0; hit && k < call->arguments.len; k++) {
			size_t variable = call->arguments.data[k];
			const struct src_variable *one = &facts->variables.data[variable];
			if (is_written_on(facts, variable, call->line) ||
				!is_written_before(facts, variable, call->offset))
				continue;
			view->avail->asked[0]++;
			if (rank(find_sight(hit, one)) == 2)
				continue;
			XS_AUTO_FREE char *expected = xs_asprintf(
				"source: %s is an argument of %s(), which is defined elsewhere",
				one->name, call->callee);
			violate(view, &c1, "argument", hit, variable, expected,
				xs_asprintf(
					"%s is passed to %s() on line %u, and has no value there",
					one->name, call->callee, call->line));
		}
	}
}

/* Whether the code at a hit, up to the next line's, stores something. */
static bool is_storing(const struct ora_check *check, const struct hit *hit)
{
	const struct di_module *module = check->verdicts.module;
	xs_addr at = hit->place.address;
	const struct di_row *row = module ? di_lines_find(&module->lines, at) : NULL;
	while (row && row->line == hit->line && !row->end_sequence) {
		size_t size;
		const uint8_t *bytes = di_module_bytes(module, at, &size);
		size = size < ENG_INSN_MAX ? size : ENG_INSN_MAX;
		struct eng_insn insn = bytes ? eng_insn_decode(bytes, size) : (struct eng_insn){0};
		if (!insn.length)
			return false;
		if (eng_insn_stores(bytes, size))
			return true;
		at += insn.length;
		row = di_lines_find(&module->lines, at);
	}
	return false;
}

static bool has_constant(const struct src_facts *facts, const struct src_store *store)
{
	for (size_t i = 0; i < store->operands.len; i++)
		if (src_is_constant(facts, store->operands.data[i]))
			return true;
	return false;
}

static void check_stores(const struct view *view)
{
	const struct src_facts *facts = view->avail->facts;
	for (size_t i = 0; i < facts->stores.len; i++) {
		const struct src_store *store = &facts->stores.data[i];
		const struct hit *hit = find_hit(view, store->line, store->function);
		if (store->may_fold && has_constant(facts, store))
			continue;
		if (hit && !is_storing(view->avail->check, hit)) {
			view->avail->moved++;
			continue;
		}
		for (size_t k = 0; hit && k < store->operands.len; k++) {
			size_t variable = store->operands.data[k];
			const struct src_variable *one = &facts->variables.data[variable];
			bool constant = src_is_constant(facts, variable);
			bool index = store->index.data[k] && !one->escapes &&
				     src_is_used_later(facts, variable, store->end);
			if (!one->scalar || !(constant || index) ||
				is_written_on(facts, variable, store->line) ||
				!is_written_before(facts, variable, store->offset))
				continue;
			view->avail->asked[1]++;
			if (rank(find_sight(hit, one)) == 2)
				continue;
			XS_AUTO_FREE char *expected = xs_asprintf("source: %s is %s", one->name,
				constant ? "only ever assigned one constant"
					 : "an index into global storage, and used later");
			violate(view, &c2, constant ? "constant" : "index", hit, variable, expected,
				xs_asprintf(
					"%s takes part in what line %u assigns to global storage, "
					"and has no value there",
					one->name, store->line));
		}
	}
}

static bool is_in_loop(const struct src_facts *facts, unsigned offset)
{
	for (size_t i = 0; i < facts->loops.len; i++)
		if (offset > facts->loops.data[i].begin && offset < facts->loops.data[i].end)
			return true;
	return false;
}

/* Looks at the lines behind a write, up to the line `until`. */
static void check_decay(const struct view *view, const struct src_use *write, unsigned until)
{
	const struct src_facts *facts = view->avail->facts;
	const struct src_variable *variable = &facts->variables.data[write->variable];
	const char *function = facts->functions.data[variable->function].name;
	const uint64_t *index = xs_map_find(&view->hits.index, write->line, 0);
	size_t first = index && *index ? *index : 0; /* behind the hit of the write itself */
	const struct hit *least = NULL, *begin = first ? &view->hits.vec.data[first - 1] : NULL;
	/* One that is not stepped on was executed all the same if nothing decides about it. */
	if (!begin && !write->certain)
		return;
	for (size_t i = first; i < view->hits.vec.len; i++) {
		const struct hit *hit = &view->hits.vec.data[i];
		if (hit->line <= write->line || !hit->function ||
			strcmp(hit->function, function) != 0)
			continue;
		if (hit->line >= until) {
			/* The next assignment may be behind us, whatever comes. */
			if (begin && hit->around == begin->around)
				return;
			continue;
		}
		begin = begin ? begin : hit;
		if (hit->around != begin->around)
			continue;
		unsigned now = rank(find_sight(hit, variable));
		view->avail->asked[2]++;
		if (least && now > rank(find_sight(least, variable))) {
			XS_AUTO_FREE char *expected = xs_asprintf(
				"source: %s is assigned on line %u, and not again before line %u",
				variable->name, write->line, hit->line);
			violate(view, &c3, "decay", least, write->variable, expected,
				xs_asprintf("%s, assigned on line %u, is less available on line %u "
					    "than "
					    "on line %u, which comes later",
					variable->name, write->line, least->line, hit->line));
			return;
		}
		if (!least || now < rank(find_sight(least, variable)))
			least = hit;
	}
}

/* The line that an offset is on. */
static unsigned line_of(const struct ora_check_avail *avail, unsigned offset)
{
	unsigned line = 1;
	for (unsigned i = 0; i < offset; i++)
		line += avail->text[i] == '\n';
	return line;
}

/* The line behind which a later assignment may have been executed: its own, or that of the
 * outermost loop around it. */
static unsigned line_before(const struct ora_check_avail *avail, const struct src_use *write)
{
	unsigned offset = write->offset;
	for (size_t i = 0; i < avail->facts->loops.len; i++) {
		const struct src_loop *loop = &avail->facts->loops.data[i];
		if (write->offset > loop->begin && write->offset < loop->end &&
			loop->begin < offset)
			offset = loop->begin;
	}
	return line_of(avail, offset);
}

static void check_writes(const struct view *view)
{
	const struct src_facts *facts = view->avail->facts;
	for (size_t i = 0; i < facts->uses.len; i++) {
		const struct src_use *write = &facts->uses.data[i];
		const struct src_variable *variable = &facts->variables.data[write->variable];
		if (!(write->access & SRC_WRITE) || !variable->scalar || variable->escapes ||
			is_in_loop(facts, write->offset))
			continue;
		unsigned until = line_of(view->avail, variable->scope);
		for (size_t k = i + 1; k < facts->uses.len; k++)
			if (facts->uses.data[k].variable == write->variable &&
				facts->uses.data[k].access & SRC_WRITE) {
				unsigned line = line_before(view->avail, &facts->uses.data[k]);
				until = line < until ? line : until;
			}
		check_decay(view, write, until);
	}
}

struct xs_error *ora_check_avail(struct ora_check_avail *avail)
{
	struct ora_check *check = avail->check;
	struct xs_error *err = NULL;
	for (size_t i = 0; !err && i < check->count; i++) {
		struct view view = {.avail = avail, .trace = i};
		if (!(err = take_trace(&view))) {
			check_calls(&view);
			check_stores(&view);
			check_writes(&view);
		}
		hits_deinit(&view.hits);
	}
	return err;
}
