#include "source/collect.h"

/* What pointers of the current function stand for, by all of their uses (rule 3). */
static bool find_aliases(struct src_walk *at)
{
	struct src_facts *facts = at->facts;
	bool ret = false;
	at->stands_for.len = 0;
	for (size_t i = at->first; i < facts->variables.len; i++)
		xs_vec_push(&at->stands_for, SRC_NOWHERE);
	for (size_t i = facts->uses.len; i-- > 0;) {
		const struct src_use *one = &facts->uses.data[i];
		if (one->variable < at->first)
			break;
		const struct src_variable *variable = &facts->variables.data[one->variable];
		if (!(one->access & SRC_WRITE) || one->target == SRC_NOWHERE ||
			!variable->pointer || variable->base != one->variable ||
			variable->writes != 1 || variable->parameter ||
			one->target == one->variable)
			continue;
		CXType pointer = src_clang.getCursorType(at->declarations.data[one->variable]);
		if (src_has_type(at, one->target,
			    src_clang.getPointeeType(src_clang.getCanonicalType(pointer))))
			at->stands_for.data[one->variable - at->first] = one->target;
	}
	for (size_t i = facts->uses.len; i-- > 0 && facts->uses.data[i].variable >= at->first;) {
		const struct src_use *one = &facts->uses.data[i];
		/* A pointer's own address may be taken by one that stands for it. */
		if (one->access & SRC_READ && !(one->access & (SRC_DEREF | SRC_ADDRESS)))
			at->stands_for.data[one->variable - at->first] = SRC_NOWHERE;
		if (facts->variables.data[one->variable].escapes)
			at->stands_for.data[one->variable - at->first] = SRC_NOWHERE;
	}
	for (size_t i = 0; i < at->stands_for.len; i++)
		ret |= at->stands_for.data[i] != SRC_NOWHERE;
	return ret;
}

static void walk_body(struct src_walk *at, const struct src_children *children)
{
	struct src_facts *facts = at->facts;
	size_t function = at->function, first = facts->flow.points.len;
	at->point = src_flow_add(&facts->flow, 0, 0, SRC_NOWHERE);
	at->on_break = at->on_continue = at->on_case = SRC_NOWHERE;
	at->discard = false;
	facts->functions.data[function].unclear = false;
	for (size_t i = 0; i < children->vec.len; i++) {
		CXCursor child = children->vec.data[i];
		if (src_cursor_is(child, CXCursor_ParmDecl))
			src_walk_declaration(at, child, true);
		else if (src_cursor_is(child, CXCursor_CompoundStmt))
			src_walk(at, child, SRC_READ);
	}
	src_walk_jumps(at);
	src_flow_reach(&facts->flow, first);
	facts->functions.data[function].first = first;
	facts->functions.data[function].count = facts->flow.points.len - first;
}

static void variable_deinit(struct src_variable *variable)
{
	free(variable->name);
	free(variable->path);
}

/* How much there is of everything. */
struct amounts {
	size_t variables, uses, calls, stores, slots, points;
};

static struct amounts amounts_of(const struct src_facts *facts)
{
	return (struct amounts){facts->variables.len, facts->uses.len, facts->calls.len,
		facts->stores.len, facts->slots.len, facts->flow.points.len};
}

/* Forgets what came after. */
static void take_back(struct src_walk *at, const struct amounts *to)
{
	struct src_facts *facts = at->facts;
	while (facts->variables.len > to->variables)
		variable_deinit(&facts->variables.data[--facts->variables.len]);
	while (facts->calls.len > to->calls) {
		struct src_call *last = &facts->calls.data[--facts->calls.len];
		free(last->callee);
		xs_vec_deinit(&last->arguments);
	}
	while (facts->stores.len > to->stores) {
		struct src_store *last = &facts->stores.data[--facts->stores.len];
		xs_vec_deinit(&last->operands);
	}
	facts->uses.len = to->uses;
	facts->slots.len = to->slots;
	src_flow_truncate(&facts->flow, to->points);
	at->declarations.len = to->variables;
}

static void walk_function(struct src_walk *at, CXCursor cursor)
{
	struct src_function function = {0};
	struct src_children children;
	if (!src_begin(at->unit, cursor, &function.begin, NULL) ||
		!src_end(at->unit, cursor, &function.end, NULL))
		return;
	src_clang.getFileLocation(
		src_clang.getCursorLocation(cursor), NULL, &function.line, NULL, NULL);
	function.name = src_name_of(cursor);
	src_children_of(cursor, &children);
	at->function = at->facts->functions.len;
	at->first = at->facts->variables.len;
	at->scope_begin = function.begin;
	at->scope = function.end;
	at->stands_for.len = 0;
	for (size_t i = 0; i < children.vec.len; i++)
		if (src_cursor_is(children.vec.data[i], CXCursor_CompoundStmt))
			src_begin(at->unit, children.vec.data[i], &function.body, NULL);
	xs_vec_push(&at->facts->functions, function);
	struct amounts before = amounts_of(at->facts);
	walk_body(at, &children);
	if (find_aliases(at)) {
		take_back(at, &before);
		walk_body(at, &children);
	}
	xs_vec_deinit(&children.vec);
}

/* Whether a text has lines such as `#line 3 "x.c"` or `# 3 "x.c"`. */
static bool has_line_directives(const struct src_unit *unit)
{
	for (size_t i = 0; i < unit->size; i++) {
		if (unit->text[i] != '#')
			continue;
		size_t next = i + 1;
		while (next < unit->size && (unit->text[next] == ' ' || unit->text[next] == '\t'))
			next++;
		if (next < unit->size &&
			((unit->text[next] >= '0' && unit->text[next] <= '9') ||
				(unit->size - next > 4 && !memcmp(unit->text + next, "line", 4))))
			return true;
	}
	return false;
}

void src_facts_collect(const struct src_unit *unit, struct src_facts *ret)
{
	struct src_walk at = {.unit = unit, .facts = ret, .lines = has_line_directives(unit)};
	struct src_children children;
	*ret = (struct src_facts){0};
	char *path = xs_strdup(unit->path);
	xs_vec_push(&ret->files, path);
	src_children_of(src_clang.getTranslationUnitCursor(unit->unit), &children);
	for (size_t i = 0; i < children.vec.len; i++) {
		CXCursor child = children.vec.data[i];
		if (src_cursor_is(child, CXCursor_FunctionDecl) &&
			src_clang.isCursorDefinition(child))
			walk_function(&at, child);
	}
	xs_vec_deinit(&children.vec);
	xs_vec_deinit(&at.declarations);
	xs_vec_deinit(&at.labels);
	xs_vec_deinit(&at.gotos);
	xs_vec_deinit(&at.stands_for);
}

void src_facts_deinit(struct src_facts *facts)
{
	struct src_walk at = {.facts = facts};
	take_back(&at, &(struct amounts){0});
	for (size_t i = 0; i < facts->functions.len; i++)
		free(facts->functions.data[i].name);
	for (size_t i = 0; i < facts->files.len; i++)
		free(facts->files.data[i]);
	xs_vec_deinit(&facts->files);
	xs_vec_deinit(&facts->functions);
	xs_vec_deinit(&facts->variables);
	xs_vec_deinit(&facts->uses);
	xs_vec_deinit(&facts->calls);
	xs_vec_deinit(&facts->stores);
	xs_vec_deinit(&facts->slots);
	src_flow_deinit(&facts->flow);
}
