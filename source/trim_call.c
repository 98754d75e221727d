/* trim_call.c - calls of functions, and their parameters. */
#include <string.h>

#include "source/trim_walk.h"

/* Looks for uses of one thing that is declared. */
struct search {
	struct src_trim *trim;
	CXCursor wanted;     /* its first declaration */
	const char *instead; /* of a call */
	int argument;        /* that is cut out of calls; -1: calls are */
	bool used;           /* it is referred to */
};

static bool is_same(CXCursor cursor, CXCursor wanted)
{
	return !src_clang.Cursor_isNull(cursor) &&
	       src_clang.equalCursors(src_clang.getCanonicalCursor(cursor), wanted);
}

/* An item of a list with a comma: the one behind it if it is the first, else the one before it. */
static void cut_item(struct src_trim *trim, CXCursor before, CXCursor item, CXCursor after)
{
	struct src_cut one, other;
	if (!src_trim_span(trim->unit, item, &one))
		return;
	if (!src_clang.Cursor_isNull(before) && src_trim_span(trim->unit, before, &other))
		one.begin = other.end;
	else if (!src_clang.Cursor_isNull(after) && src_trim_span(trim->unit, after, &other))
		one.end = other.begin;
	src_trim_add(trim, one.begin, one.end, "");
}

/* The n-th of a function's parameters or a call's arguments. */
static void cut_argument(struct src_trim *trim, CXCursor cursor, int number)
{
	int count = src_clang.Cursor_getNumArguments(cursor);
	CXCursor none = src_clang.getNullCursor();
	struct src_cut span;
	if (number >= count)
		return;
	CXCursor item = src_clang.Cursor_getArgument(cursor, (unsigned)number);
	if (count == 1 && src_clang.getCursorKind(cursor) == CXCursor_FunctionDecl) {
		if (src_trim_span(trim->unit, item, &span))
			src_trim_add(trim, span.begin, span.end, "void");
		return;
	}
	cut_item(trim, number ? src_clang.Cursor_getArgument(cursor, (unsigned)number - 1) : none,
		item,
		number + 1 < count ? src_clang.Cursor_getArgument(cursor, (unsigned)number + 1)
				   : none);
}

static enum CXChildVisitResult on_call(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct search *search = data;
	struct src_cut span;
	(void)parent;
	if (src_clang.getCursorKind(cursor) == CXCursor_CallExpr &&
		is_same(src_clang.getCursorReferenced(cursor), search->wanted)) {
		if (search->argument >= 0)
			cut_argument(search->trim, cursor, search->argument);
		else if (src_trim_span(search->trim->unit, cursor, &span))
			src_trim_add(search->trim, span.begin, span.end, search->instead);
	}
	return CXChildVisit_Recurse;
}

static void find_calls(struct search *search)
{
	const struct src_children *top = &search->trim->top;
	for (size_t i = 0; i < top->vec.len; i++)
		if (src_trim_is_defined(search->trim, top->vec.data[i]))
			src_clang.visitChildren(top->vec.data[i], on_call, search);
}

/* --- csmith's checked arithmetic -------------------------------------------------------------- */

/* The operator of safe_add_func_int8_t_s_s; NULL: it is none. */
static const char *operator_of(const char *name)
{
	static const char *const names[][2] = {{"add", "+"}, {"sub", "-"}, {"mul", "*"},
		{"div", "/"}, {"mod", "%"}, {"lshift", "<<"}, {"rshift", ">>"},
		{"unary_minus", "-"}};
	if (strncmp(name, "safe_", 5) != 0)
		return NULL;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t length = strlen(names[i][0]);
		if (!strncmp(name + 5, names[i][0], length) &&
			!strncmp(name + 5 + length, "_func_", 6))
			return names[i][1];
	}
	return NULL;
}

/* `safe_add_func_int8_t_s_s(a, b)` becomes `((a) + (b))`. */
static enum CXChildVisitResult on_checked(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct src_trim *trim = data;
	int count = src_clang.Cursor_getNumArguments(cursor);
	struct src_cut call, first, last;
	(void)parent;
	if (src_clang.getCursorKind(cursor) != CXCursor_CallExpr || count < 1 || count > 2)
		return CXChildVisit_Recurse;
	CXString name = src_clang.getCursorSpelling(cursor);
	const char *sign = operator_of(src_clang.getCString(name));
	src_clang.disposeString(name);
	if (!sign || !src_trim_span(trim->unit, cursor, &call) ||
		!src_trim_span(trim->unit, src_clang.Cursor_getArgument(cursor, 0), &first) ||
		!src_trim_span(trim->unit,
			src_clang.Cursor_getArgument(cursor, (unsigned)count - 1), &last))
		return CXChildVisit_Recurse;
	src_trim_begin(trim, 0);
	if (count == 1) {
		src_trim_add(trim, call.begin, first.begin, "(-(");
	} else {
		src_trim_add(trim, call.begin, first.begin, "((");
		src_trim_add(trim, first.end, last.begin,
			src_trim_keep(trim, xs_asprintf(") %s (", sign)));
	}
	src_trim_add(trim, last.end, call.end, "))");
	return CXChildVisit_Recurse;
}

void src_trim_calls(struct src_trim *trim)
{
	for (size_t i = 0; i < trim->top.vec.len; i++) {
		CXCursor cursor = trim->top.vec.data[i];
		if (!src_trim_is_defined(trim, cursor))
			continue;
		if (trim->kind == SRC_TRIM_CHECKED) {
			src_clang.visitChildren(cursor, on_checked, trim);
			continue;
		}
		struct search search = {.trim = trim,
			.wanted = src_clang.getCanonicalCursor(cursor),
			.instead = src_trim_nothing(trim, src_clang.getCursorResultType(cursor)),
			.argument = -1};
		src_trim_begin(trim, 0);
		if (*search.instead)
			find_calls(&search);
	}
}

/* --- parameters ------------------------------------------------------------------------------- */

/* What an argument refers to; `used` is set if that is something of a function's own. */
static enum CXChildVisitResult on_local(CXCursor cursor, CXCursor parent, CXClientData data)
{
	CXCursor other = src_clang.getCursorReferenced(cursor);
	struct search *search = data;
	(void)parent;
	if (src_clang.getCursorKind(cursor) == CXCursor_CallExpr ||
		(src_clang.getCursorKind(cursor) == CXCursor_DeclRefExpr &&
			!src_clang.Cursor_isNull(other) &&
			src_clang.getCursorKind(src_clang.getCursorSemanticParent(other)) !=
				CXCursor_TranslationUnit))
		search->used = true;
	return CXChildVisit_Recurse;
}

/* The first argument that is passed for a parameter, if it means the same everywhere. */
struct passed {
	struct search search;
	const struct src_unit *unit;
	struct src_cut span; /* of it; empty: none */
};

static enum CXChildVisitResult on_passed(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct passed *passed = data;
	int number = passed->search.argument;
	(void)parent;
	if (src_clang.getCursorKind(cursor) != CXCursor_CallExpr ||
		!is_same(src_clang.getCursorReferenced(cursor), passed->search.wanted) ||
		number >= src_clang.Cursor_getNumArguments(cursor))
		return CXChildVisit_Recurse;
	CXCursor argument = src_clang.Cursor_getArgument(cursor, (unsigned)number);
	passed->search.used = false;
	on_local(argument, argument, &passed->search);
	src_clang.visitChildren(argument, on_local, &passed->search);
	if (passed->search.used || !src_trim_span(passed->unit, argument, &passed->span))
		return CXChildVisit_Recurse;
	return CXChildVisit_Break;
}

static enum CXChildVisitResult on_use(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct search *search = data;
	(void)parent;
	if (src_clang.getCursorKind(cursor) == CXCursor_DeclRefExpr &&
		is_same(src_clang.getCursorReferenced(cursor), search->wanted))
		search->used = true;
	return CXChildVisit_Recurse;
}

/* A variable instead of the parameter, where the body begins. */
static void declare(struct src_trim *trim, CXCursor function, CXCursor parameter, int number)
{
	struct search use = {.wanted = src_clang.getCanonicalCursor(parameter)};
	struct passed passed = {.unit = trim->unit,
		.search = {.wanted = src_clang.getCanonicalCursor(function), .argument = number}};
	struct src_children parts;
	struct src_cut span, body;
	src_clang.visitChildren(function, on_use, &use);
	if (!use.used || !src_trim_span(trim->unit, parameter, &span))
		return;
	for (size_t i = 0; i < trim->top.vec.len && passed.span.begin == passed.span.end; i++)
		if (src_trim_is_defined(trim, trim->top.vec.data[i]))
			src_clang.visitChildren(trim->top.vec.data[i], on_passed, &passed);
	const char *value =
		passed.span.begin < passed.span.end
			? src_trim_keep(trim,
				  xs_asprintf("%.*s", (int)(passed.span.end - passed.span.begin),
					  trim->unit->text + passed.span.begin))
			: src_trim_nothing(trim, src_clang.getCursorType(parameter));
	src_children_of(function, &parts);
	for (size_t i = 0; i < parts.vec.len; i++)
		if (src_clang.getCursorKind(parts.vec.data[i]) == CXCursor_CompoundStmt &&
			src_trim_span(trim->unit, parts.vec.data[i], &body))
			src_trim_add(trim, body.begin, body.begin + 1,
				src_trim_keep(trim,
					xs_asprintf("{ %.*s = %s;", (int)(span.end - span.begin),
						trim->unit->text + span.begin, value)));
	xs_vec_deinit(&parts.vec);
}

void src_trim_parameters(struct src_trim *trim)
{
	for (size_t i = 0; i < trim->top.vec.len; i++) {
		CXCursor function = trim->top.vec.data[i];
		CXCursor wanted = src_clang.getCanonicalCursor(function);
		if (!src_trim_is_defined(trim, function))
			continue;
		for (int n = src_clang.Cursor_getNumArguments(function) - 1; n >= 0; n--) {
			struct search search = {.trim = trim, .wanted = wanted, .argument = n};
			src_trim_begin(trim, (unsigned)n);
			for (size_t k = 0; k < trim->top.vec.len; k++)
				if (src_clang.getCursorKind(trim->top.vec.data[k]) ==
						CXCursor_FunctionDecl &&
					is_same(trim->top.vec.data[k], wanted))
					cut_argument(trim, trim->top.vec.data[k], n);
			find_calls(&search);
			declare(trim, function, src_clang.Cursor_getArgument(function, (unsigned)n),
				n);
		}
	}
}
