/* collect_statement.c - statements: where ways part, meet, and come back. */
#include "source/collect.h"

size_t src_walk_join(struct src_walk *at, size_t one, size_t other)
{
	if (one == other || other == SRC_NOWHERE)
		return one;
	if (one == SRC_NOWHERE)
		return other;
	size_t ret = src_flow_add(&at->facts->flow, 0, 0, SRC_NOWHERE);
	src_flow_edge(&at->facts->flow, one, ret);
	src_flow_edge(&at->facts->flow, other, ret);
	return ret;
}

/* A point that jumps may lead to. */
static size_t make_target(struct src_walk *at)
{
	return src_flow_add(&at->facts->flow, 0, 0, SRC_NOWHERE);
}

/* Goes on to a point, and from there if anything leads there. */
static void enter(struct src_walk *at, size_t target)
{
	src_flow_edge(&at->facts->flow, at->point, target);
	at->point = target;
}

static void leave_for(struct src_walk *at, size_t target)
{
	if (target == SRC_NOWHERE)
		at->facts->functions.data[at->function].unclear = true;
	else
		src_flow_edge(&at->facts->flow, at->point, target);
	at->point = SRC_NOWHERE;
}

/* Where nothing leads nothing goes on. */
static size_t arrived(const struct src_walk *at, size_t target)
{
	return at->facts->flow.points.data[target].before.len ? target : SRC_NOWHERE;
}

int src_truth(CXCursor cursor)
{
	if (!src_is_fixed(cursor))
		return -1;
	CXEvalResult result = src_clang.Cursor_Evaluate(cursor);
	if (!result)
		return -1;
	int ret = src_clang.EvalResult_getKind(result) == CXEval_Int
			  ? src_clang.EvalResult_getAsInt(result) != 0
			  : -1;
	src_clang.EvalResult_dispose(result);
	return ret;
}

/* A condition: where it leads if it holds, and if it does not. */
static void walk_condition(struct src_walk *at, CXCursor cursor, size_t *holds, size_t *fails)
{
	src_walk(at, cursor, SRC_READ);
	int truth = src_truth(cursor);
	*holds = truth == 0 ? SRC_NOWHERE : at->point;
	*fails = truth == 1 ? SRC_NOWHERE : at->point;
}

/* A statement whose value, if it has one, is not used. */
static void walk_discarded(struct src_walk *at, CXCursor cursor)
{
	bool outer = at->discard;
	at->discard = true;
	src_walk(at, cursor, SRC_READ);
	at->discard = outer;
}

static void walk_if(struct src_walk *at, const struct src_children *children)
{
	size_t fails;
	walk_condition(at, children->vec.data[0], &at->point, &fails);
	walk_discarded(at, children->vec.data[1]);
	size_t held = at->point;
	at->point = fails;
	if (children->vec.len > 2)
		walk_discarded(at, children->vec.data[2]);
	at->point = src_walk_join(at, held, at->point);
}

/* --- loops ------------------------------------------------------------------------------------ */

struct loop {
	CXCursor init, condition, step, body; /* null: there is none */
	bool body_first;                      /* do */
};

/* The next `;` of a for, with so many parentheses open at `from`; 0 if it is not found. */
static unsigned find_semicolon(const struct src_unit *unit, unsigned from, unsigned to, int depth)
{
	for (unsigned i = from; i < to; i++) {
		char c = unit->text[i];
		bool comment = c == '/' && i + 1 < to && strchr("*/", unit->text[i + 1]);
		if (c == '"' || c == '\'' || comment)
			return 0; /* rare: better not understood than misunderstood */
		depth += c == '(' || c == '{' || c == '[';
		depth -= c == ')' || c == '}' || c == ']';
		if (c == ';' && depth == 1)
			return i;
	}
	return 0;
}

/* Which parts of a for are there: libclang tells only those. */
static bool find_parts(
	struct src_walk *at, CXCursor cursor, const struct src_children *children, struct loop *ret)
{
	unsigned begin, end, offset;
	size_t last = children->vec.len - 1;
	ret->body = children->vec.data[last];
	if (last == 3) {
		ret->init = children->vec.data[0];
		ret->condition = children->vec.data[1];
		ret->step = children->vec.data[2];
		return true;
	}
	if (!src_begin(at->unit, cursor, &begin, NULL) ||
		!src_begin(at->unit, ret->body, &end, NULL))
		return false;
	unsigned first = find_semicolon(at->unit, begin, end, 0);
	unsigned second = first ? find_semicolon(at->unit, first + 1, end, 1) : 0;
	if (!first || !second)
		return false;
	for (size_t i = 0; i < last; i++) {
		if (!src_begin(at->unit, children->vec.data[i], &offset, NULL))
			return false;
		*(offset < first          ? &ret->init
			: offset < second ? &ret->condition
					  : &ret->step) = children->vec.data[i];
	}
	return true;
}

static void walk_loop(struct src_walk *at, const struct loop *loop)
{
	size_t outer_break = at->on_break, outer_continue = at->on_continue;
	size_t head = make_target(at), next = make_target(at), after = make_target(at);
	size_t holds, fails = SRC_NOWHERE;
	if (!src_clang.Cursor_isNull(loop->init))
		walk_discarded(at, loop->init);
	enter(at, head);
	at->on_break = after;
	at->on_continue = next;
	if (!loop->body_first && !src_clang.Cursor_isNull(loop->condition)) {
		walk_condition(at, loop->condition, &holds, &fails);
		at->point = holds;
	}
	walk_discarded(at, loop->body);
	enter(at, next);
	at->point = arrived(at, next);
	if (!src_clang.Cursor_isNull(loop->step))
		walk_discarded(at, loop->step);
	if (loop->body_first) {
		walk_condition(at, loop->condition, &holds, &fails);
		at->point = holds;
	}
	src_flow_edge(&at->facts->flow, at->point, head);
	src_flow_edge(&at->facts->flow, fails, after);
	at->point = arrived(at, after);
	at->on_break = outer_break;
	at->on_continue = outer_continue;
}

static void walk_for(struct src_walk *at, CXCursor cursor, const struct src_children *children)
{
	CXCursor null = src_clang.getNullCursor();
	struct loop loop = {.init = null, .condition = null, .step = null};
	unsigned outer_begin = at->scope_begin, outer = at->scope, begin, end;
	if (src_begin(at->unit, cursor, &begin, NULL) && src_end(at->unit, cursor, &end, NULL)) {
		at->scope_begin = begin;
		at->scope = end;
	}
	if (!find_parts(at, cursor, children, &loop)) {
		at->facts->functions.data[at->function].unclear = true;
		for (size_t i = 0; i + 1 < children->vec.len; i++)
			src_walk(at, children->vec.data[i], SRC_READ);
	}
	walk_loop(at, &loop);
	at->scope_begin = outer_begin;
	at->scope = outer;
}

/* --- switch ----------------------------------------------------------------------------------- */

static void walk_switch(struct src_walk *at, const struct src_children *children)
{
	size_t outer_break = at->on_break, outer_case = at->on_case, after = make_target(at);
	bool outer_default = at->has_default;
	src_walk(at, children->vec.data[0], SRC_READ);
	at->on_case = at->point;
	at->has_default = false;
	at->on_break = after;
	at->point = SRC_NOWHERE;
	walk_discarded(at, children->vec.data[children->vec.len - 1]);
	src_flow_edge(&at->facts->flow, at->point, after);
	if (!at->has_default)
		src_flow_edge(&at->facts->flow, at->on_case, after);
	at->point = arrived(at, after);
	at->on_break = outer_break;
	at->on_case = outer_case;
	at->has_default = outer_default;
}

/* --- the rest --------------------------------------------------------------------------------- */

static void walk_label(struct src_walk *at, CXCursor cursor, const struct src_children *children)
{
	struct src_jump label = {.label = src_name_of(cursor), .point = make_target(at)};
	enter(at, label.point);
	xs_vec_push(&at->labels, label);
	for (size_t i = 0; i < children->vec.len; i++)
		walk_discarded(at, children->vec.data[i]);
}

static void walk_goto(struct src_walk *at, const struct src_children *children)
{
	struct src_jump jump = {.point = at->point};
	if (children->vec.len == 1 && src_cursor_is(children->vec.data[0], CXCursor_LabelRef))
		jump.label = src_name_of(children->vec.data[0]);
	else
		jump.label = xs_strdup("");
	xs_vec_push(&at->gotos, jump);
	at->point = SRC_NOWHERE;
}

void src_walk_jumps(struct src_walk *at)
{
	for (size_t i = 0; i < at->gotos.len; i++) {
		size_t found = 0;
		for (size_t k = 0; k < at->labels.len; k++)
			if (!strcmp(at->labels.data[k].label, at->gotos.data[i].label)) {
				found++;
				src_flow_edge(&at->facts->flow, at->gotos.data[i].point,
					at->labels.data[k].point);
			}
		at->facts->functions.data[at->function].unclear |= found != 1;
		free(at->gotos.data[i].label);
	}
	for (size_t k = 0; k < at->labels.len; k++)
		free(at->labels.data[k].label);
	at->gotos.len = at->labels.len = 0;
}

/* A block: its statements, and the places before them. */
static void walk_block(struct src_walk *at, CXCursor cursor, const struct src_children *children)
{
	unsigned outer_begin = at->scope_begin, outer = at->scope, begin, end;
	if (src_begin(at->unit, cursor, &begin, NULL) && src_end(at->unit, cursor, &end, NULL)) {
		at->scope_begin = begin;
		at->scope = end;
	}
	for (size_t i = 0; i < children->vec.len; i++) {
		struct src_slot slot = {.function = at->function, .point = at->point};
		if (!src_cursor_is(children->vec.data[i], CXCursor_DeclStmt) &&
			src_begin(at->unit, children->vec.data[i], &slot.offset, NULL))
			xs_vec_push(&at->facts->slots, slot);
		walk_discarded(at, children->vec.data[i]);
	}
	at->scope_begin = outer_begin;
	at->scope = outer;
}

static bool walk_kind(struct src_walk *at, CXCursor cursor, const struct src_children *children)
{
	CXCursor null = src_clang.getNullCursor();
	size_t count = children->vec.len;
	switch (src_clang.getCursorKind(cursor)) {
	case CXCursor_CompoundStmt:
		walk_block(at, cursor, children);
		return true;
	case CXCursor_IfStmt:
		if (count < 2)
			return false;
		walk_if(at, children);
		return true;
	case CXCursor_WhileStmt:
	case CXCursor_DoStmt: {
		bool body_first = src_cursor_is(cursor, CXCursor_DoStmt);
		if (count != 2)
			return false;
		walk_loop(at, &(struct loop){.init = null,
				      .step = null,
				      .condition = children->vec.data[body_first],
				      .body = children->vec.data[!body_first],
				      .body_first = body_first});
		return true;
	}
	case CXCursor_ForStmt:
		if (!count)
			return false;
		walk_for(at, cursor, children);
		return true;
	case CXCursor_SwitchStmt:
		if (count < 2)
			return false;
		walk_switch(at, children);
		return true;
	case CXCursor_CaseStmt:
	case CXCursor_DefaultStmt:
		at->has_default |= src_cursor_is(cursor, CXCursor_DefaultStmt);
		at->point = src_walk_join(at, at->point, at->on_case);
		if (count)
			walk_discarded(at, children->vec.data[count - 1]);
		return true;
	case CXCursor_BreakStmt:
		leave_for(at, at->on_break);
		return true;
	case CXCursor_ContinueStmt:
		leave_for(at, at->on_continue);
		return true;
	case CXCursor_GotoStmt:
		walk_goto(at, children);
		return true;
	case CXCursor_LabelStmt:
		walk_label(at, cursor, children);
		return true;
	case CXCursor_ReturnStmt:
		if (count)
			src_walk(at, children->vec.data[0], SRC_READ);
		at->point = SRC_NOWHERE;
		return true;
	default:
		return false;
	}
}

bool src_walk_statement(struct src_walk *at, CXCursor cursor)
{
	struct src_children children;
	bool discard = at->discard;
	src_children_of(cursor, &children);
	if (src_clang.isStatement(src_clang.getCursorKind(cursor)))
		at->discard = false;
	bool ret = walk_kind(at, cursor, &children);
	at->discard = discard;
	xs_vec_deinit(&children.vec);
	return ret;
}
