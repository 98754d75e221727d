#include "source/trim.h"

#include <ctype.h>
#include <string.h>

#include "source/clang.h"

enum { SHORT = 2 }; /* an expression of so many characters is not worth a try */

struct walk {
	const struct src_unit *unit;
	enum src_trim_kind kind;
	struct src_parts *ret;
};

static bool is_kind(CXCursor cursor, enum CXCursorKind kind)
{
	return src_clang.getCursorKind(cursor) == kind;
}

/* Where a cursor's text lies; false if it is not in the file. */
static bool span_of(const struct src_unit *unit, CXCursor cursor, struct src_cut *ret)
{
	*ret = (struct src_cut){.instead = ""};
	return src_begin(unit, cursor, &ret->begin, NULL) &&
	       src_end(unit, cursor, &ret->end, NULL) && ret->begin < ret->end;
}

/* Behind the semicolon that follows an offset, if one does. */
static unsigned behind_semicolon(const struct src_unit *unit, unsigned from)
{
	unsigned at = from;
	while (at < unit->size && isspace((unsigned char)unit->text[at]))
		at++;
	return at < unit->size && unit->text[at] == ';' ? at + 1 : from;
}

static void add(struct walk *walk, unsigned depth, struct src_cut first, struct src_cut second)
{
	xs_vec_push(&walk->ret->vec, ((struct src_part){{first, second}, depth}));
}

/* --- what is not needed at file scope --------------------------------------------------------- */

/* What stands at file scope from one semicolon or brace to the next. */
struct item {
	unsigned begin, end;
	bool wanted; /* main reaches it */
	bool done;   /* what it refers to is wanted, too */
};

struct items {
	const struct src_unit *unit;
	XS_VEC(struct item) vec;
};

/* The item that an offset is in; NULL: none. */
static struct item *item_at(struct items *items, unsigned offset)
{
	size_t from = 0, to = items->vec.len;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		struct item *one = &items->vec.data[middle];
		if (offset < one->begin)
			to = middle;
		else if (offset >= one->end)
			from = middle + 1;
		else
			return one;
	}
	return NULL;
}

static void want(struct items *items, CXCursor cursor)
{
	unsigned offset;
	struct item *item =
		!src_clang.Cursor_isNull(cursor) && src_begin(items->unit, cursor, &offset, NULL)
			? item_at(items, offset)
			: NULL;
	if (item)
		item->wanted = true;
}

/* A function may be declared before it is defined: all of it is wanted. */
static enum CXChildVisitResult on_reference(CXCursor cursor, CXCursor parent, CXClientData data)
{
	CXCursor other = src_clang.getCursorReferenced(cursor);
	(void)parent;
	if (!src_clang.Cursor_isNull(other)) {
		want(data, other);
		want(data, src_clang.getCanonicalCursor(other));
		want(data, src_clang.getCursorDefinition(other));
	}
	return CXChildVisit_Recurse;
}

/* Where a declaration ends: attributes may stand between what libclang says and the semicolon. */
static unsigned end_of(const struct src_unit *unit, CXCursor cursor, unsigned end)
{
	if (is_kind(cursor, CXCursor_FunctionDecl) && src_clang.isCursorDefinition(cursor))
		return end;
	while (end < unit->size && unit->text[end - 1] != ';')
		end++;
	return end;
}

/* Declarations of one semicolon lie over each other: `typedef struct s { int a; } b, *c;`. What
 * stands before one, such as __extension__, belongs to it. */
static void find_items(struct items *items, const struct src_children *top)
{
	unsigned behind = 0;
	for (size_t i = 0; i < top->vec.len; i++) {
		struct src_cut span;
		if (!span_of(items->unit, top->vec.data[i], &span))
			continue;
		unsigned end = end_of(items->unit, top->vec.data[i], span.end);
		struct item *last = items->vec.len ? &items->vec.data[items->vec.len - 1] : NULL;
		if (!last || span.begin >= last->end)
			xs_vec_push(&items->vec, ((struct item){.begin = behind, .end = end}));
		else if (end > last->end)
			last->end = end;
		behind = items->vec.data[items->vec.len - 1].end;
	}
}

static void find_unused(struct walk *walk, const struct src_children *top)
{
	struct items items = {.unit = walk->unit};
	bool more = true;
	find_items(&items, top);
	for (size_t i = 0; i < top->vec.len; i++) {
		CXString name = src_clang.getCursorSpelling(top->vec.data[i]);
		if (is_kind(top->vec.data[i], CXCursor_FunctionDecl) &&
			!strcmp(src_clang.getCString(name), "main"))
			want(&items, top->vec.data[i]);
		src_clang.disposeString(name);
	}
	while (more) {
		more = false;
		for (size_t i = 0; i < items.vec.len; i++) {
			struct item *one = &items.vec.data[i];
			if (!one->wanted || one->done)
				continue;
			one->done = more = true;
			for (size_t k = 0; k < top->vec.len; k++) {
				unsigned offset;
				if (src_begin(walk->unit, top->vec.data[k], &offset, NULL) &&
					offset >= one->begin && offset < one->end) {
					on_reference(top->vec.data[k], top->vec.data[k], &items);
					src_clang.visitChildren(
						top->vec.data[k], on_reference, &items);
				}
			}
		}
	}
	for (size_t i = 0; i < items.vec.len; i++)
		if (!items.vec.data[i].wanted)
			add(walk, 0,
				(struct src_cut){
					items.vec.data[i].begin, items.vec.data[i].end, ""},
				(struct src_cut){.instead = ""});
	xs_vec_deinit(&items.vec);
}

/* --- statements ------------------------------------------------------------------------------- */

static bool is_around(enum CXCursorKind kind)
{
	return kind == CXCursor_IfStmt || kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt ||
	       kind == CXCursor_DoStmt || kind == CXCursor_SwitchStmt;
}

/* Up to the end of its semicolon, which libclang leaves out of most. */
static bool statement_span(const struct src_unit *unit, CXCursor cursor, struct src_cut *ret)
{
	if (!span_of(unit, cursor, ret))
		return false;
	char last = unit->text[ret->end - 1];
	if (last != ';' && last != '}')
		ret->end = behind_semicolon(unit, ret->end);
	return true;
}

/* What is around a body: `if (x) BODY else OTHER`, `do BODY while (x);`. */
static void add_around(struct walk *walk, CXCursor cursor, CXCursor body, unsigned depth)
{
	struct src_cut whole, inner;
	if (!statement_span(walk->unit, cursor, &whole) ||
		!statement_span(walk->unit, body, &inner) || inner.begin <= whole.begin ||
		inner.end > whole.end)
		return;
	add(walk, depth, (struct src_cut){whole.begin, inner.begin, ""},
		(struct src_cut){inner.end, whole.end, ""});
}

/* Children of a statement: those of a block may go without a trace, a branch leaves its semicolon.
 */
static void walk_statement(struct walk *walk, CXCursor cursor, unsigned depth)
{
	struct src_children children;
	enum CXCursorKind kind = src_clang.getCursorKind(cursor);
	bool block = kind == CXCursor_CompoundStmt;
	src_children_of(cursor, &children);
	if (walk->kind == SRC_TRIM_AROUND && is_around(kind) &&
		children.vec.len > (kind == CXCursor_IfStmt))
		add_around(walk, cursor,
			children.vec.data[kind == CXCursor_IfStmt   ? 1
					  : kind == CXCursor_DoStmt ? 0
								    : children.vec.len - 1],
			depth ? depth - 1 : 0);
	for (size_t i = 0; i < children.vec.len; i++) {
		CXCursor child = children.vec.data[i];
		enum CXCursorKind is = src_clang.getCursorKind(child);
		struct src_cut span;
		/* Without a block around it, an expression may be a condition. */
		bool whole = block || (src_clang.isStatement(is) && is != CXCursor_CompoundStmt &&
					      is != CXCursor_DeclStmt);
		if (walk->kind == SRC_TRIM_STATEMENT && whole && is != CXCursor_NullStmt &&
			statement_span(walk->unit, child, &span)) {
			span.instead = block ? "" : ";";
			add(walk, depth, span, (struct src_cut){.instead = ""});
		}
		walk_statement(walk, child, depth + whole);
	}
	xs_vec_deinit(&children.vec);
}

/* --- expressions ------------------------------------------------------------------------------ */

static bool is_scalar(CXCursor cursor)
{
	CXType type = src_clang.getCanonicalType(src_clang.getCursorType(cursor));
	return (type.kind >= CXType_Bool && type.kind <= CXType_LongDouble) ||
	       type.kind == CXType_Pointer || type.kind == CXType_Enum;
}

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
	const struct walk *walk, const struct src_children *all, enum CXCursorKind kind)
{
	size_t first = kind == CXCursor_CallExpr || kind == CXCursor_ConditionalOperator;
	if (all->vec.len < first + 1 || (all->vec.len < 2 && kind != CXCursor_UnaryOperator))
		return NULL;
	return walk->kind == SRC_TRIM_ONLY_FIRST ? &all->vec.data[first]
						 : &all->vec.data[all->vec.len - 1];
}

static void walk_expression(struct walk *walk, CXCursor cursor, unsigned depth, bool place)
{
	struct src_children children;
	struct src_cut span, inner;
	enum CXCursorKind kind = src_clang.getCursorKind(cursor);
	bool value = src_clang.isExpression(kind) && kind != CXCursor_InitListExpr && !place &&
		     kind != CXCursor_UnexposedExpr && is_scalar(cursor) &&
		     span_of(walk->unit, cursor, &span) && span.end - span.begin > SHORT;
	src_children_of(cursor, &children);
	if (value && walk->kind == SRC_TRIM_VALUE && kind != CXCursor_IntegerLiteral &&
		kind != CXCursor_FloatingLiteral) {
		span.instead = "0";
		add(walk, depth, span, (struct src_cut){.instead = ""});
	} else if (value && walk->kind != SRC_TRIM_VALUE) {
		const CXCursor *only = operand_of(walk, &children, kind);
		bool same = kind == CXCursor_BinaryOperator || kind == CXCursor_UnaryOperator ||
			    kind == CXCursor_ConditionalOperator || kind == CXCursor_CallExpr;
		if (same && only && is_scalar(*only) && span_of(walk->unit, *only, &inner) &&
			inner.begin >= span.begin && inner.end <= span.end)
			add(walk, depth, (struct src_cut){span.begin, inner.begin, "("},
				(struct src_cut){inner.end, span.end, ")"});
	}
	for (size_t i = 0; i < children.vec.len; i++)
		walk_expression(walk, children.vec.data[i], depth + value,
			is_place(walk->unit, cursor, &children, i) ||
				(place && (kind == CXCursor_ParenExpr ||
						  kind == CXCursor_UnexposedExpr)));
	xs_vec_deinit(&children.vec);
}

/* --- all of it -------------------------------------------------------------------------------- */

void src_trim_parts(const struct src_unit *unit, enum src_trim_kind kind, struct src_parts *ret)
{
	struct walk walk = {.unit = unit, .kind = kind, .ret = ret};
	struct src_children top;
	*ret = (struct src_parts){0};
	src_children_of(src_clang.getTranslationUnitCursor(unit->unit), &top);
	if (kind == SRC_TRIM_UNUSED)
		find_unused(&walk, &top);
	for (size_t i = 0; kind != SRC_TRIM_UNUSED && i < top.vec.len; i++) {
		CXCursor cursor = top.vec.data[i];
		if (!is_kind(cursor, CXCursor_FunctionDecl) ||
			!src_clang.isCursorDefinition(cursor))
			continue;
		if (kind == SRC_TRIM_STATEMENT || kind == SRC_TRIM_AROUND) {
			struct src_children parts;
			src_children_of(cursor, &parts);
			for (size_t k = 0; k < parts.vec.len; k++)
				if (is_kind(parts.vec.data[k], CXCursor_CompoundStmt))
					walk_statement(&walk, parts.vec.data[k], 0);
			xs_vec_deinit(&parts.vec);
		} else {
			walk_expression(&walk, cursor, 0, false);
		}
	}
	xs_vec_deinit(&top.vec);
}

void src_parts_deinit(struct src_parts *parts)
{
	xs_vec_deinit(&parts->vec);
}

static int by_place(const void *left, const void *right)
{
	const struct src_cut *one = left, *other = right;
	if (one->begin != other->begin)
		return one->begin < other->begin ? -1 : 1;
	return (one->end < other->end) - (one->end > other->end); /* the longer one first */
}

struct text {
	XS_VEC(char) vec;
};

/* Lines that become empty go. */
static void put(struct text *all, char c)
{
	if (c == '\n') {
		while (all->vec.len && (all->vec.data[all->vec.len - 1] == ' ' ||
					       all->vec.data[all->vec.len - 1] == '\t'))
			all->vec.len--;
		if (!all->vec.len || all->vec.data[all->vec.len - 1] == '\n')
			return;
	}
	xs_vec_push(&all->vec, c);
}

char *src_trim_apply(const char *text, size_t size, const struct src_parts *parts,
	const bool *chosen, size_t *ret_size)
{
	XS_VEC(struct src_cut) cuts = {0};
	struct text all = {0};
	size_t at = 0;
	for (size_t i = 0; i < parts->vec.len; i++)
		for (size_t k = 0; chosen[i] && k < 2; k++)
			if (parts->vec.data[i].cuts[k].begin < parts->vec.data[i].cuts[k].end ||
				*parts->vec.data[i].cuts[k].instead)
				xs_vec_push(&cuts, parts->vec.data[i].cuts[k]);
	if (cuts.len)
		qsort(cuts.data, cuts.len, sizeof *cuts.data, by_place);
	for (size_t i = 0; i < cuts.len; i++) {
		if (cuts.data[i].begin < at)
			continue; /* it lies within one that is cut */
		while (at < cuts.data[i].begin)
			put(&all, text[at++]);
		for (const char *c = cuts.data[i].instead; *c; c++)
			put(&all, *c);
		at = cuts.data[i].end;
	}
	while (at < size)
		put(&all, text[at++]);
	*ret_size = all.vec.len;
	xs_vec_push(&all.vec, '\0');
	xs_vec_deinit(&cuts);
	return all.vec.data;
}
