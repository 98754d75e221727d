/* trim_expression.c - expressions that become 0, or one of their operands. */
#include <string.h>

#include "source/trim_walk.h"

enum { SHORT = 2 }; /* an expression of so many characters is not worth a try */

/* Whether a child of an expression stands for a place, a function or a type, so that a constant
 * will not do there. */
static bool is_place(
	const struct src_unit *unit, CXCursor cursor, const struct src_children *all, size_t which)
{
	enum CXCursorKind kind = src_clang.getCursorKind(cursor);
	char sign[4] = "";
	switch ((int)kind) {
	case CXCursor_CompoundAssignOperator:
	case CXCursor_ArraySubscriptExpr:
	case CXCursor_CallExpr:
		return !which;
	case CXCursor_MemberRefExpr:
		return true;
	case CXCursor_BinaryOperator:
		if (!which && all->vec.len == 2)
			src_binary_operator(unit, all->vec.data[0], all->vec.data[1], sign);
		return !strcmp(sign, "=");
	case CXCursor_UnaryOperator:
		src_unary_operator(unit, cursor, sign);
		return *sign == '&' || *sign == '*' || !strcmp(sign, "++") || !strcmp(sign, "--");
	default:
		return false;
	}
}

/* The operands of an expression that can stand in its place; NULL: none. */
static const CXCursor *operand_of(
	const struct src_trim *trim, const struct src_children *all, enum CXCursorKind kind)
{
	size_t first = kind == CXCursor_CallExpr || kind == CXCursor_ConditionalOperator;
	bool one = kind == CXCursor_UnaryOperator || kind == CXCursor_CStyleCastExpr;
	if (all->vec.len < first + 1 || (all->vec.len < 2 && !one))
		return NULL;
	if (trim->kind == SRC_TRIM_ONLY_FIRST && kind != CXCursor_CStyleCastExpr)
		return &all->vec.data[first];
	return &all->vec.data[all->vec.len - 1];
}

static bool has_operands(enum CXCursorKind kind)
{
	return kind == CXCursor_BinaryOperator || kind == CXCursor_UnaryOperator ||
	       kind == CXCursor_ConditionalOperator || kind == CXCursor_CallExpr ||
	       kind == CXCursor_CompoundAssignOperator || kind == CXCursor_CStyleCastExpr;
}

/* Whether a text needs no parentheses, wherever it stands. */
static bool is_tight(const char *text, unsigned begin, unsigned end)
{
	int depth = 0;
	if (text[begin] == '(') {
		for (unsigned at = begin; at < end; at++) {
			depth += text[at] == '(';
			depth -= text[at] == ')';
			if (!depth)
				return at + 1 == end;
		}
		return false;
	}
	for (unsigned at = begin; at < end; at++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_",
			    text[at]))
			return false;
	return true;
}

static void add_only(struct src_trim *trim, unsigned depth, struct src_cut span, CXCursor only)
{
	struct src_cut inner;
	if (!src_trim_is_scalar(only) || !src_trim_span(trim->unit, only, &inner) ||
		inner.begin < span.begin || inner.end > span.end)
		return;
	/* All of a macro is its arguments, too: there is nothing to be taken away. */
	if (inner.begin == span.begin && inner.end == span.end)
		return;
	bool tight = is_tight(trim->unit->text, inner.begin, inner.end);
	src_trim_begin(trim, depth);
	src_trim_add(trim, span.begin, inner.begin, tight ? "" : "(");
	src_trim_add(trim, inner.end, span.end, tight ? "" : ")");
}

static void walk(struct src_trim *trim, CXCursor cursor, unsigned depth, bool place)
{
	struct src_children children;
	struct src_cut span;
	enum CXCursorKind kind = src_clang.getCursorKind(cursor);
	bool value = src_clang.isExpression(kind) && kind != CXCursor_InitListExpr && !place &&
		     kind != CXCursor_UnexposedExpr && src_trim_is_scalar(cursor) &&
		     src_trim_span(trim->unit, cursor, &span) && span.end - span.begin > SHORT;
	src_children_of(cursor, &children);
	if (value && trim->kind == SRC_TRIM_VALUE && kind != CXCursor_IntegerLiteral &&
		kind != CXCursor_FloatingLiteral) {
		span.instead = "0";
		src_trim_add_one(trim, depth, span);
	} else if (value && trim->kind != SRC_TRIM_VALUE && has_operands(kind)) {
		const CXCursor *only = operand_of(trim, &children, kind);
		if (only)
			add_only(trim, depth, span, *only);
	}
	/* One that is a statement by itself may as well go: that is tried elsewhere. */
	bool whole = trim->kind == SRC_TRIM_VALUE && kind == CXCursor_CompoundStmt;
	for (size_t i = 0; i < children.vec.len; i++)
		walk(trim, children.vec.data[i], depth + value,
			whole || is_place(trim->unit, cursor, &children, i) ||
				(place && (kind == CXCursor_ParenExpr ||
						  kind == CXCursor_UnexposedExpr)));
	xs_vec_deinit(&children.vec);
}

void src_trim_expressions(struct src_trim *trim)
{
	for (size_t i = 0; i < trim->top.vec.len; i++)
		if (src_trim_is_defined(trim, trim->top.vec.data[i]))
			walk(trim, trim->top.vec.data[i], 0, false);
}
