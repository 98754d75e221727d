/* check_avail.c - whether variables that must be there are: three conjectures on availability, from
 * facts of the source and a trace from one breakpoint on a line to the next.
 *
 * A line is looked at where it is first hit, if a row of it with is_stmt is at that pc and the last
 * row there is of that line, too: what a location list says of a pc is said of the last row.
 * Variables are those of the innermost frame; function, name and declaration line tell them apart.
 * What a variable holds on a line is known by the writes that reach it (source/reaching.h). No rule
 * says anything of a variable that is written on the line itself.
 *
 * C1  A variable passed as it is to a function that nobody can look into has a value at the line of
 *     the call. Such functions are those defined elsewhere. Those of a library and those called
 *     through a pointer are asked about if this is the only call on the line: a compiler may know
 *     what the function does. The code of the line that follows the hit must have a call of that
 *     very function: without it, nobody needs the argument.
 *
 * C2  At an assignment to something at file scope (=, +=, ++, ...) a local operand has a value
 *     - if it holds one constant, whatever becomes of the expression; or
 *     - if it is a loop's variable, stepped on from a constant by constants, or an index of
 *       something at file scope, and is read later. The value must need it: in sums and
 *       differences, as an index, in products without a constant.
 *     The line's code that follows the hit must store something before it branches; of an index
 *     that is computed, before code of another line. Otherwise that code may be a load that was
 *     moved away from the line, to before the operands have their values.
 *
 * C3  After an assignment, and up to the next one, a variable's availability does not improve
 *     (value > optimized-out, error, absent). Asked between two lines that only this assignment
 *     reaches, the second of which can follow the first without passing an assignment; the hits
 *     have the same frames around them. That the value was there all the time is known if it is a
 *     constant, or if what it is made of later (registers, memory) is not written on any way from
 *     the first to the second. Otherwise it may not have been computed yet. */
#include "oracle/check/avail.h"

static const struct ora_check_rule c1 = {
	"C1", "a variable that is passed to an opaque function has a value at the call"};
static const struct ora_check_rule c2 = {
	"C2", "what is assigned to global storage is made of variables that have a value there"};
static const struct ora_check_rule c3 = {
	"C3", "behind an assignment a variable's availability does not improve"};

struct view {
	struct ora_check *check;
	const struct src_facts *facts;
	size_t trace;
	struct ora_hits hits;
};

/* Why a rule does not ask about something; the text follows a number. */
static const char not_hit[] = "not hit";
static const char rewritten[] = "written on the line itself";
static const char no_store[] = "without a store instruction at the hit";
static const char unset[] = "perhaps not assigned yet, or by a pointer";

/* A variable without the value that it must have. Both texts are taken. */
static void violate(const struct view *view, const struct ora_check_rule *rule, const char *why,
	const struct ora_hit *hit, size_t number, char *expected, char *sentence)
{
	struct ora_check *check = view->check;
	const struct src_facts *facts = view->facts;
	const struct src_variable *variable = &facts->variables.data[number];
	const struct ora_sight *sight = ora_hit_sight(hit, variable);
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
			.variable = &identity,
			.path = variable->path},
		&fresh);
	ora_check_say(check, at, view->trace, sight ? sight->state : ORA_STATE_ABSENT, NULL);
	if (sight && sight->message &&
		!check->comparison.differences.data[at]->said[view->trace].message)
		check->comparison.differences.data[at]->said[view->trace].message =
			xs_strdup(sight->message);
	if (fresh) {
		ora_check_explain(check, at, sentence, expected);
		return;
	}
	free(sentence);
	free(expected);
}

static const char *text_of(const struct src_variable *variable)
{
	return variable->path ? variable->path : variable->name;
}

/* --- C1 --------------------------------------------------------------------------------------- */

/* Whether a variable, known or not, is written somewhere before an offset. */
static bool is_written_before(const struct src_facts *facts, size_t variable, unsigned offset)
{
	size_t base = facts->variables.data[variable].base;
	for (size_t i = 0; i < facts->uses.len; i++)
		if ((facts->uses.data[i].variable == variable ||
			    facts->uses.data[i].variable == base) &&
			facts->uses.data[i].offset < offset &&
			facts->uses.data[i].access & SRC_WRITE)
			return true;
	return false;
}

/* Whether a variable has a value on a line, as far as one can tell. */
static bool is_set(const struct src_facts *facts, size_t variable, unsigned file, unsigned line,
	unsigned offset)
{
	const struct src_variable *one = &facts->variables.data[variable];
	if (one->escapes || facts->variables.data[one->base].escapes ||
		facts->functions.data[one->function].unclear)
		return is_written_before(facts, variable, offset);
	return src_holds_on(facts, variable, file, line) != SRC_HOLDS_UNSET;
}

static bool is_only_call(const struct src_facts *facts, const struct src_call *call)
{
	for (size_t i = 0; i < facts->calls.len; i++)
		if (&facts->calls.data[i] != call && facts->calls.data[i].line == call->line &&
			facts->calls.data[i].file == call->file)
			return false;
	return true;
}

static xs_addr code_of_call(
	const struct view *view, const struct src_call *call, const struct ora_hit *hit)
{
	return ora_code_call(
		view->check, hit, call->kind == SRC_CALL_INDIRECT ? NULL : call->callee);
}

static bool passes(const struct src_call *call, size_t variable)
{
	for (size_t i = 0; i < call->arguments.len; i++)
		if (call->arguments.data[i] == variable)
			return true;
	return false;
}

/* Whether all that a call in the code can be on its line passes the variable. Functions with the
 * same code may have become one. */
static bool is_always_passed(const struct view *view, const struct src_call *call,
	const struct ora_hit *hit, xs_addr at, size_t variable)
{
	const struct src_facts *facts = view->facts;
	for (size_t i = 0; i < facts->calls.len; i++) {
		const struct src_call *other = &facts->calls.data[i];
		if (other->line == call->line && other->file == call->file &&
			!passes(other, variable) && code_of_call(view, other, hit) == at)
			return false;
	}
	return true;
}

/* Why an argument is not asked about; NULL: it is. */
static const char *left_of_argument(const struct view *view, const struct src_call *call,
	const struct ora_hit *hit, size_t variable)
{
	const struct src_facts *facts = view->facts;
	if (!hit)
		return not_hit;
	if (src_is_written_on(facts, variable, call->file, call->line))
		return rewritten;
	if (!is_set(facts, variable, call->file, call->line, call->offset))
		return unset;
	if (call->kind != SRC_CALL_OPAQUE && !is_only_call(facts, call))
		return "of a library or pointer, with other calls on the line";
	xs_addr at = code_of_call(view, call, hit);
	if (at == XS_ADDR_NONE)
		return "without a call of it at the hit";
	return is_always_passed(view, call, hit, at, variable)
		       ? NULL
		       : "of one of several calls of a function on the line";
}

static void check_calls(const struct view *view)
{
	static const char what[] = "arguments";
	static const char *const who[] = {[SRC_CALL_OPAQUE] = "defined elsewhere",
		[SRC_CALL_LIBRARY] = "of a library",
		[SRC_CALL_INDIRECT] = "called through a pointer"};
	const struct src_facts *facts = view->facts;
	for (size_t i = 0; i < facts->calls.len; i++) {
		const struct src_call *call = &facts->calls.data[i];
		if (call->kind == SRC_CALL_KNOWN)
			continue;
		const struct ora_hit *hit =
			ora_hits_find(&view->hits, facts, call->file, call->line, call->function);
		for (size_t k = 0; k < call->arguments.len; k++) {
			size_t variable = call->arguments.data[k];
			const struct src_variable *one = &facts->variables.data[variable];
			const char *left = left_of_argument(view, call, hit, variable);
			if (left) {
				ora_asked_leave(&view->check->asked, c1.name, what, left, 1);
				continue;
			}
			ora_asked_add(&view->check->asked, c1.name, what, 1);
			if (ora_hit_rank(hit, one) == 2)
				continue;
			violate(view, &c1, "argument", hit, variable,
				xs_asprintf("source: %s is an argument of %s(), which is %s",
					text_of(one), call->callee, who[call->kind]),
				xs_asprintf(
					"%s is passed to %s() on line %u, and has no value there",
					text_of(one), call->callee, call->line));
		}
	}
}

/* --- C2 --------------------------------------------------------------------------------------- */

/* Whether another operand of the same product is constant: x * 0 does not need x. */
static bool has_constant_factor(
	const struct src_facts *facts, const struct src_store *store, size_t operand)
{
	const struct src_operand *one = &store->operands.data[operand];
	for (size_t i = 0; one->product && i < store->operands.len; i++)
		if (i != operand && store->operands.data[i].product == one->product &&
			src_holds_on(facts, store->operands.data[i].variable, store->file,
				store->line) == SRC_HOLDS_CONSTANT)
			return true;
	return false;
}

/* Why an operand must have a value, as the word in a signature; NULL: it need not, and why. */
static const char *promise_of(const struct view *view, const struct src_store *store,
	const struct ora_hit *hit, size_t operand, const char **left)
{
	const struct src_facts *facts = view->facts;
	const struct src_operand *one = &store->operands.data[operand];
	const struct src_variable *variable = &facts->variables.data[one->variable];
	if (!variable->scalar ||
		src_is_written_on(facts, one->variable, store->file, store->line)) {
		*left = rewritten;
		return NULL;
	}
	enum src_holds holds = src_holds_on(facts, one->variable, store->file, store->line);
	if (holds == SRC_HOLDS_UNSET) {
		*left = "whose operands may not be assigned yet, or by a pointer";
		return NULL;
	}
	if (holds == SRC_HOLDS_CONSTANT)
		return "constant";
	if (holds != SRC_HOLDS_INDUCTION && !one->index) {
		*left = "without a constant, an index or a loop's variable";
		return NULL;
	}
	if (one->folds || has_constant_factor(facts, store, operand)) {
		*left = "that may be simplified";
		return NULL;
	}
	if (!src_is_live(facts, one->variable, store->point)) {
		*left = "whose operands are not used later";
		return NULL;
	}
	if (holds != SRC_HOLDS_INDUCTION && !ora_code_stores(view->check, hit, false)) {
		*left = no_store;
		return NULL;
	}
	return one->index ? "index" : "induction";
}

static void check_operand(const struct view *view, const struct src_store *store,
	const struct ora_hit *hit, size_t variable, const char *why)
{
	const struct src_variable *one = &view->facts->variables.data[variable];
	if (ora_hit_rank(hit, one) == 2)
		return;
	violate(view, &c2, why, hit, variable,
		xs_asprintf("source: %s is %s", text_of(one),
			!strcmp(why, "constant") ? "a constant there"
			: !strcmp(why, "index")  ? "an index into global storage, and used later"
						 : "stepped on by a loop, and used later"),
		xs_asprintf("%s takes part in what line %u assigns to global storage, and has no "
			    "value there",
			text_of(one), store->line));
}

static void check_stores(const struct view *view)
{
	static const char what[] = "stores";
	const struct src_facts *facts = view->facts;
	struct ora_asked *asked = &view->check->asked;
	for (size_t i = 0; i < facts->stores.len; i++) {
		const struct src_store *store = &facts->stores.data[i];
		const struct ora_hit *hit = ora_hits_find(
			&view->hits, facts, store->file, store->line, store->function);
		const char *left = store->operands.len ? NULL
				   : store->local      ? "of expressions that are not understood"
						       : "without a local variable";
		if (!left && !hit)
			left = not_hit;
		if (!left && !ora_code_stores(view->check, hit, true))
			left = no_store;
		bool any = false;
		const char *first = NULL;
		for (size_t k = 0; !left && k < store->operands.len; k++) {
			const char *reason, *why = promise_of(view, store, hit, k, &reason);
			if (why)
				check_operand(
					view, store, hit, store->operands.data[k].variable, why);
			any |= why != NULL;
			first = first || why ? first : reason;
		}
		if (any)
			ora_asked_add(asked, c2.name, what, 1);
		else
			ora_asked_leave(asked, c2.name, what, left ? left : first, 1);
	}
}

/* --- C3 --------------------------------------------------------------------------------------- */

/* The only write that reaches a line, wherever on it; SRC_NOWHERE: there is none such. */
static size_t write_before(const struct src_facts *facts, const struct src_function *function,
	const size_t *only, unsigned file, unsigned line)
{
	size_t ret = SRC_NOWHERE;
	bool any = false;
	for (size_t i = 0; i < function->count; i++) {
		const struct src_point *point = &facts->flow.points.data[function->first + i];
		if (point->line != line || point->file != file || !point->reached)
			continue;
		if (any && only[i] != ret)
			return SRC_NOWHERE;
		ret = only[i];
		any = true;
	}
	return ret;
}

/* A hit that only one write of a variable reaches. */
struct reached {
	const struct ora_hit *hit;
	size_t write;
};

struct reached_list {
	XS_VEC(struct reached) vec;
};

/* Collects the hits of a variable's function that one write of it reaches, in the order hit. */
static void collect(const struct view *view, size_t variable, struct reached_list *ret)
{
	const struct src_facts *facts = view->facts;
	const struct src_variable *one = &facts->variables.data[variable];
	const struct src_function *function = &facts->functions.data[one->function];
	size_t *only = src_reaching_only(facts, variable);
	for (size_t i = 0; only && i < view->hits.vec.len; i++) {
		const struct ora_hit *hit = &view->hits.vec.data[i];
		if (!hit->function || strcmp(hit->function, function->name) != 0)
			continue;
		size_t write = write_before(facts, function, only, hit->source, hit->line);
		if (write == SRC_NOWHERE ||
			src_is_written_on(facts, variable, hit->source, hit->line))
			continue;
		struct reached reached = {hit, write};
		xs_vec_push(&ret->vec, reached);
	}
	free(only);
}

/* Why two hits are not compared though the later one knows more; NULL: they are. */
static const char *left_of_pair(const struct view *view, size_t variable,
	const struct src_use *write, const struct ora_hit *earlier, const struct ora_hit *later)
{
	const struct src_facts *facts = view->facts;
	if (ora_hit_rank(later, &facts->variables.data[variable]) != 2)
		return "never shown with a value";
	if (earlier->around != later->around)
		return "seen in other calls";
	if (!src_can_follow(
		    facts, variable, earlier->source, earlier->line, later->source, later->line))
		return "seen on other ways";
	bool constant = write->constant || (write->target != SRC_NOWHERE &&
						   facts->variables.data[write->target].escapes);
	if (constant ||
		ora_code_keeps(view->check, earlier, later, &facts->variables.data[variable]))
		return NULL;
	return "perhaps computed only later";
}

/* Looks at one write: the hits from `first` on that it reaches. */
static void check_write(
	const struct view *view, size_t variable, const struct reached_list *list, size_t first)
{
	static const char what[] = "assignments";
	struct ora_asked *asked = &view->check->asked;
	const struct src_variable *one = &view->facts->variables.data[variable];
	size_t write = list->vec.data[first].write;
	const struct src_use *use = &view->facts->uses.data[write];
	const char *left = NULL;
	size_t compared = 0;
	for (size_t i = first; i < list->vec.len; i++) {
		if (list->vec.data[i].write != write)
			continue;
		const struct ora_hit *later = list->vec.data[i].hit;
		unsigned now = ora_hit_rank(later, one);
		for (size_t k = first; k < i; k++) {
			const struct ora_hit *earlier = list->vec.data[k].hit;
			if (list->vec.data[k].write != write)
				continue;
			compared++;
			if (ora_hit_rank(earlier, one) >= now)
				continue;
			const char *why = left_of_pair(view, variable, use, earlier, later);
			left = left ? left : why;
			if (why)
				continue;
			violate(view, &c3, "decay", earlier, variable,
				xs_asprintf("source: %s is assigned on line %u, and not again "
					    "before line %u",
					text_of(one), use->line, later->line),
				xs_asprintf("%s, assigned on line %u, is less available on line %u "
					    "than on line %u, which comes later",
					text_of(one), use->line, earlier->line, later->line));
			ora_asked_add(asked, c3.name, what, 1);
			return;
		}
	}
	if (left)
		ora_asked_leave(asked, c3.name, what, left, 1);
	else if (!compared)
		ora_asked_leave(asked, c3.name, what, "that reach fewer than two lines hit", 1);
	else
		ora_asked_add(asked, c3.name, what, 1);
}

static void check_writes(const struct view *view)
{
	const struct src_facts *facts = view->facts;
	for (size_t i = 0; i < facts->variables.len; i++) {
		struct reached_list list = {0};
		if (!facts->variables.data[i].scalar)
			continue;
		if (facts->variables.data[i].escapes ||
			facts->variables.data[facts->variables.data[i].base].escapes) {
			ora_asked_leave(&view->check->asked, c3.name, "assignments",
				"by a pointer, maybe", facts->variables.data[i].writes);
			continue;
		}
		collect(view, i, &list);
		for (size_t k = 0; k < list.vec.len; k++) {
			size_t before = 0;
			while (before < k && list.vec.data[before].write != list.vec.data[k].write)
				before++;
			if (before == k)
				check_write(view, i, &list, k);
		}
		xs_vec_deinit(&list.vec);
	}
}

struct xs_error *ora_check_avail(struct ora_check_avail *avail)
{
	struct ora_check *check = avail->check;
	struct xs_error *err = NULL;
	ora_asked_add(&check->asked, c1.name, "arguments", 0);
	ora_asked_add(&check->asked, c2.name, "stores", 0);
	ora_asked_add(&check->asked, c3.name, "assignments", 0);
	for (size_t i = 0; !err && i < check->count; i++) {
		struct view view = {.check = check, .facts = avail->facts, .trace = i};
		if (!(err = ora_hits_read(check, i, avail->facts, &view.hits))) {
			avail->hits += view.hits.vec.len;
			avail->stops += view.hits.stops;
			check_calls(&view);
			check_stores(&view);
			check_writes(&view);
		}
		ora_hits_deinit(&view.hits);
	}
	return err;
}
