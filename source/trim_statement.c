/* trim_statement.c - statements, what is around them, and their braces. */
#include <ctype.h>
#include <string.h>

#include "source/trim_walk.h"

static bool is_around(enum CXCursorKind kind)
{
	return kind == CXCursor_IfStmt || kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt ||
	       kind == CXCursor_DoStmt || kind == CXCursor_SwitchStmt;
}

/* Behind the semicolon that follows an offset, if one does. */
static unsigned behind_semicolon(const struct src_unit *unit, unsigned from)
{
	unsigned at = from;
	while (at < unit->size && isspace((unsigned char)unit->text[at]))
		at++;
	return at < unit->size && unit->text[at] == ';' ? at + 1 : from;
}

/* Up to the end of its semicolon, which libclang leaves out of most. */
static bool span_of(const struct src_unit *unit, CXCursor cursor, struct src_cut *ret)
{
	if (!src_trim_span(unit, cursor, ret))
		return false;
	char last = unit->text[ret->end - 1];
	if (last != ';' && last != '}')
		ret->end = behind_semicolon(unit, ret->end);
	return true;
}

/* What is around a body: `if (x) BODY else OTHER`, `do BODY while (x);`. */
static void add_around(struct src_trim *trim, CXCursor cursor, CXCursor body, unsigned depth)
{
	struct src_cut whole, inner;
	if (!span_of(trim->unit, cursor, &whole) || !span_of(trim->unit, body, &inner) ||
		inner.begin <= whole.begin || inner.end > whole.end)
		return;
	src_trim_begin(trim, depth);
	src_trim_add(trim, whole.begin, inner.begin, "");
	src_trim_add(trim, inner.end, whole.end, "");
}

/* `for (FIRST; x; y) BODY` becomes `{ FIRST; BODY }`. */
static void add_first(
	struct src_trim *trim, CXCursor cursor, const struct src_children *children, unsigned depth)
{
	struct src_cut whole, first, body;
	const char *text = trim->unit->text;
	if (children->vec.len < 2 || !span_of(trim->unit, cursor, &whole) ||
		!src_trim_span(trim->unit, children->vec.data[0], &first) ||
		!span_of(trim->unit, children->vec.data[children->vec.len - 1], &body) ||
		first.begin <= whole.begin || body.end > whole.end || body.begin <= first.end)
		return;
	/* There may be none: libclang leaves out what is not there. */
	for (unsigned at = whole.begin; at < first.begin; at++)
		if (text[at] == ';')
			return;
	src_trim_begin(trim, depth);
	src_trim_add(trim, whole.begin, first.begin, "{");
	src_trim_add(trim, first.end, body.begin, text[first.end - 1] == ';' ? " " : "; ");
	src_trim_add(trim, body.end, whole.end, "");
	src_trim_add(trim, whole.end, whole.end, "}");
}

/* What of a statement, which is around others, can go. */
static void walk_around(
	struct src_trim *trim, CXCursor cursor, const struct src_children *children, unsigned depth)
{
	enum CXCursorKind kind = src_clang.getCursorKind(cursor);
	bool branch = kind == CXCursor_IfStmt;
	size_t body = branch ? 1 : kind == CXCursor_DoStmt ? 0 : children->vec.len - 1;
	if (!is_around(kind) || children->vec.len <= branch)
		return;
	if (trim->kind == SRC_TRIM_AROUND)
		add_around(trim, cursor, children->vec.data[body], depth);
	else if (trim->kind == SRC_TRIM_OTHERWISE && branch && children->vec.len > 2)
		add_around(trim, cursor, children->vec.data[2], depth);
	else if (trim->kind == SRC_TRIM_OTHERWISE && kind == CXCursor_ForStmt)
		add_first(trim, cursor, children, depth);
}

/* The braces of a block that stands in another. */
static void walk_block(struct src_trim *trim, CXCursor block, unsigned depth)
{
	struct src_cut span;
	if (trim->kind != SRC_TRIM_BLOCK || !src_trim_span(trim->unit, block, &span) ||
		trim->unit->text[span.begin] != '{' || trim->unit->text[span.end - 1] != '}')
		return;
	src_trim_begin(trim, depth);
	src_trim_add(trim, span.begin, span.begin + 1, "");
	src_trim_add(trim, span.end - 1, span.end, "");
}

/* Children of a statement: those of a block may go without a trace, a branch leaves its semicolon.
 * `last` is one that has to stay: a function without a return is another function. */
static void walk(struct src_trim *trim, CXCursor cursor, unsigned depth, const CXCursor *last)
{
	struct src_children children;
	bool block = src_clang.getCursorKind(cursor) == CXCursor_CompoundStmt;
	src_children_of(cursor, &children);
	walk_around(trim, cursor, &children, depth ? depth - 1 : 0);
	for (size_t i = 0; i < children.vec.len; i++) {
		CXCursor child = children.vec.data[i];
		enum CXCursorKind is = src_clang.getCursorKind(child);
		struct src_cut span;
		/* Without a block around it, an expression may be a condition. */
		bool whole = block || (src_clang.isStatement(is) && is != CXCursor_CompoundStmt &&
					      is != CXCursor_DeclStmt);
		if (block && is == CXCursor_CompoundStmt)
			walk_block(trim, child, depth);
		if (trim->kind == SRC_TRIM_STATEMENT && whole &&
			(block || is != CXCursor_NullStmt) &&
			!(last && src_clang.equalCursors(child, *last)) &&
			span_of(trim->unit, child, &span)) {
			span.instead = block ? "" : ";";
			src_trim_add_one(trim, depth, span);
		}
		walk(trim, child, depth + whole, NULL);
	}
	xs_vec_deinit(&children.vec);
}

/* The body of a function that returns something: its last return stays. */
static void walk_body(struct src_trim *trim, CXCursor function, CXCursor body)
{
	struct src_children children;
	CXType type = src_clang.getCanonicalType(src_clang.getCursorResultType(function));
	src_children_of(body, &children);
	CXCursor *last = children.vec.len ? &children.vec.data[children.vec.len - 1] : NULL;
	CXString name = src_clang.getCursorSpelling(function);
	bool stays = last && type.kind != CXType_Void &&
		     src_clang.getCursorKind(*last) == CXCursor_ReturnStmt &&
		     strcmp(src_clang.getCString(name), "main") != 0; /* that returns 0 then */
	src_clang.disposeString(name);
	walk(trim, body, 0, stays ? last : NULL);
	xs_vec_deinit(&children.vec);
}

void src_trim_statements(struct src_trim *trim)
{
	for (size_t i = 0; i < trim->top.vec.len; i++) {
		struct src_children parts;
		if (!src_trim_is_defined(trim, trim->top.vec.data[i]))
			continue;
		src_children_of(trim->top.vec.data[i], &parts);
		for (size_t k = 0; k < parts.vec.len; k++)
			if (src_clang.getCursorKind(parts.vec.data[k]) == CXCursor_CompoundStmt)
				walk_body(trim, trim->top.vec.data[i], parts.vec.data[k]);
		xs_vec_deinit(&parts.vec);
	}
}
