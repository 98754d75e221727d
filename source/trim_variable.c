/* trim_variable.c - variables with less to them: arrays, initial values, fields, names of types,
 * qualifiers. */
#include <ctype.h>
#include <string.h>

#include "source/trim_walk.h"

/* Looks for uses of one thing that is declared. */
struct search {
	struct src_trim *trim;
	CXCursor wanted;     /* its first declaration */
	const char *instead; /* of its name */
	unsigned number;     /* of a field */
};

static bool is_same(CXCursor cursor, CXCursor wanted)
{
	return !src_clang.Cursor_isNull(cursor) &&
	       src_clang.equalCursors(src_clang.getCanonicalCursor(cursor), wanted);
}

static void visit_all(struct src_trim *trim, CXCursorVisitor visitor, void *data)
{
	for (size_t i = 0; i < trim->top.vec.len; i++) {
		struct src_cut span;
		if (!src_trim_span(trim->unit, trim->top.vec.data[i], &span))
			continue;
		visitor(trim->top.vec.data[i], trim->top.vec.data[i], data);
		src_clang.visitChildren(trim->top.vec.data[i], visitor, data);
	}
}

/* --- initial values and arrays ---------------------------------------------------------------- */

/* A variable's own text: from its name on, and where its initial value's `=` is, if it has one. */
struct declared {
	unsigned name, name_end, equals, end;
};

static bool find_declared(const struct src_unit *unit, CXCursor cursor, struct declared *ret)
{
	struct src_cut span, value;
	CXString name = src_clang.getCursorSpelling(cursor);
	size_t length = strlen(src_clang.getCString(name));
	CXFile file;
	unsigned at;
	src_clang.disposeString(name);
	src_clang.getFileLocation(src_clang.getCursorLocation(cursor), &file, NULL, NULL, &at);
	if (!src_trim_span(unit, cursor, &span) || at < span.begin || at >= span.end)
		return false;
	*ret = (struct declared){at, at + (unsigned)length, span.end, span.end};
	CXCursor initial = src_clang.Cursor_getVarDeclInitializer(cursor);
	if (!src_clang.Cursor_isNull(initial) && src_trim_span(unit, initial, &value)) {
		for (at = value.begin; at > ret->name_end && unit->text[at] != '=';)
			at--;
		ret->equals = at;
	}
	return ret->equals > 0;
}

/* The first value of a list of lists; to be freed. NULL: none. */
static char *first_value(const struct src_unit *unit, unsigned begin, unsigned end)
{
	const char *text = unit->text;
	while (begin < end && (isspace((unsigned char)text[begin]) || strchr("={", text[begin])))
		begin++;
	unsigned at = begin;
	for (int depth = 0; at < end && (depth || !strchr(",}", text[at])); at++) {
		depth += text[at] == '(';
		depth -= text[at] == ')';
	}
	return at > begin ? xs_asprintf(" = %.*s", (int)(at - begin), text + begin) : NULL;
}

/* `g[1][2]` becomes `g`. */
static enum CXChildVisitResult on_element(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct search *search = data;
	struct src_cut whole, name;
	CXCursor base = cursor;
	(void)parent;
	if (src_clang.getCursorKind(cursor) != CXCursor_ArraySubscriptExpr)
		return CXChildVisit_Recurse;
	while (src_clang.getCursorKind(base) == CXCursor_ArraySubscriptExpr) {
		struct src_children children;
		src_children_of(base, &children);
		base = children.vec.len ? src_bare(children.vec.data[0])
					: src_clang.getNullCursor();
		xs_vec_deinit(&children.vec);
	}
	if (src_clang.getCursorKind(base) == CXCursor_DeclRefExpr &&
		is_same(src_clang.getCursorReferenced(base), search->wanted) &&
		src_trim_span(search->trim->unit, cursor, &whole) &&
		src_trim_span(search->trim->unit, base, &name) && name.end <= whole.end)
		src_trim_add(search->trim, name.end, whole.end, "");
	return CXChildVisit_Recurse;
}

static void cut_array(struct src_trim *trim, CXCursor cursor, const struct declared *at)
{
	struct search search = {.trim = trim, .wanted = src_clang.getCanonicalCursor(cursor)};
	CXType type = src_clang.getCanonicalType(src_clang.getCursorType(cursor));
	if (type.kind != CXType_ConstantArray || trim->unit->text[at->name_end] != '[')
		return;
	char *value = at->equals < at->end ? first_value(trim->unit, at->equals, at->end) : NULL;
	src_trim_begin(trim, 0);
	src_trim_add(trim, at->name_end, at->end, value ? src_trim_keep(trim, value) : "");
	visit_all(trim, on_element, &search);
}

static enum CXChildVisitResult on_variable(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct src_trim *trim = data;
	struct declared at;
	struct src_cut list;
	(void)parent;
	if (src_clang.getCursorKind(cursor) != CXCursor_VarDecl ||
		!find_declared(trim->unit, cursor, &at))
		return CXChildVisit_Recurse;
	if (trim->kind == SRC_TRIM_ARRAY) {
		cut_array(trim, cursor, &at);
	} else if (trim->kind == SRC_TRIM_INITIAL && at.equals < at.end) {
		src_trim_add_one(trim, 0, (struct src_cut){at.equals, at.end, ""});
	} else if (trim->kind == SRC_TRIM_ZERO && at.equals < at.end) {
		CXCursor initial = src_clang.Cursor_getVarDeclInitializer(cursor);
		if (src_clang.getCursorKind(initial) == CXCursor_InitListExpr &&
			src_trim_span(trim->unit, initial, &list) && list.end - list.begin > 3)
			src_trim_add_one(trim, 0, (struct src_cut){list.begin, list.end, "{0}"});
	}
	return CXChildVisit_Recurse;
}

void src_trim_variables(struct src_trim *trim)
{
	visit_all(trim, on_variable, trim);
}

/* --- one of several variables ----------------------------------------------------------------- */

/* `int a = 1, b, c;`. At file scope these are three declarations that begin at one place; in a
 * function they are those of one statement. */
static void cut_declarators(struct src_trim *trim, const struct src_children *all, bool together)
{
	struct src_cut before = {0}, span, next;
	for (size_t i = 0, number = 0; i < all->vec.len; i++, before = span) {
		struct declared at;
		if (src_clang.getCursorKind(all->vec.data[i]) != CXCursor_VarDecl ||
			!src_trim_span(trim->unit, all->vec.data[i], &span)) {
			span = (struct src_cut){0};
			continue;
		}
		bool after = i + 1 < all->vec.len &&
			     src_trim_span(trim->unit, all->vec.data[i + 1], &next) &&
			     (together || next.begin == span.begin);
		bool first = !before.end || (!together && before.begin != span.begin);
		number = first ? 0 : number + 1;
		if (!first) {
			src_trim_begin(trim, (unsigned)number);
			src_trim_add(trim, before.end, span.end, "");
		} else if (after && find_declared(trim->unit, all->vec.data[i], &at)) {
			unsigned comma = span.end;
			while (comma < trim->unit->size && trim->unit->text[comma] != ',')
				comma++;
			src_trim_begin(trim, 0);
			src_trim_add(trim, at.name, comma + 1, "");
		}
	}
}

static enum CXChildVisitResult on_declarations(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct src_children children;
	(void)parent;
	if (src_clang.getCursorKind(cursor) != CXCursor_DeclStmt)
		return CXChildVisit_Recurse;
	src_children_of(cursor, &children);
	cut_declarators(data, &children, true);
	xs_vec_deinit(&children.vec);
	return CXChildVisit_Recurse;
}

void src_trim_declarators(struct src_trim *trim)
{
	cut_declarators(trim, &trim->top, false);
	visit_all(trim, on_declarations, trim);
}

/* --- fields ----------------------------------------------------------------------------------- */

/* The value of a field in a list of initial values. */
static enum CXChildVisitResult on_list(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct search *search = data;
	struct src_children children;
	struct src_cut one, other;
	CXType type = src_clang.getCanonicalType(src_clang.getCursorType(cursor));
	(void)parent;
	if (src_clang.getCursorKind(cursor) != CXCursor_InitListExpr ||
		!is_same(src_clang.getTypeDeclaration(type), search->wanted))
		return CXChildVisit_Recurse;
	src_children_of(cursor, &children);
	size_t n = search->number, count = children.vec.len;
	if (n < count && src_trim_span(search->trim->unit, children.vec.data[n], &one)) {
		if (n && src_trim_span(search->trim->unit, children.vec.data[n - 1], &other))
			one.begin = other.end;
		else if (n + 1 < count &&
			 src_trim_span(search->trim->unit, children.vec.data[n + 1], &other))
			one.end = other.begin;
		src_trim_add(search->trim, one.begin, one.end, count == 1 ? "0" : "");
	}
	xs_vec_deinit(&children.vec);
	return CXChildVisit_Recurse;
}

static enum CXChildVisitResult on_record(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct src_trim *trim = data;
	enum CXCursorKind kind = src_clang.getCursorKind(cursor);
	struct src_children fields;
	(void)parent;
	if ((kind != CXCursor_StructDecl && kind != CXCursor_UnionDecl) ||
		!src_clang.isCursorDefinition(cursor))
		return CXChildVisit_Recurse;
	src_children_of(cursor, &fields);
	struct search search = {.trim = trim, .wanted = src_clang.getCanonicalCursor(cursor)};
	for (size_t i = 0; i < fields.vec.len; i++) {
		struct src_cut span;
		if (src_clang.getCursorKind(fields.vec.data[i]) != CXCursor_FieldDecl)
			continue;
		if (src_trim_span(trim->unit, fields.vec.data[i], &span)) {
			src_trim_begin(trim, search.number);
			while (span.end < trim->unit->size && trim->unit->text[span.end - 1] != ';')
				span.end++;
			src_trim_add(trim, span.begin, span.end, "");
			if (kind == CXCursor_StructDecl)
				visit_all(trim, on_list, &search);
		}
		search.number++;
	}
	xs_vec_deinit(&fields.vec);
	return CXChildVisit_Recurse;
}

void src_trim_fields(struct src_trim *trim)
{
	visit_all(trim, on_record, trim);
}

/* --- names of types --------------------------------------------------------------------------- */

static enum CXChildVisitResult on_name(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct search *search = data;
	struct src_cut span;
	(void)parent;
	if (src_clang.getCursorKind(cursor) == CXCursor_TypeRef &&
		is_same(src_clang.getCursorReferenced(cursor), search->wanted) &&
		src_trim_span(search->trim->unit, cursor, &span))
		src_trim_add(search->trim, span.begin, span.end, search->instead);
	return CXChildVisit_Recurse;
}

void src_trim_typedefs(struct src_trim *trim)
{
	for (size_t i = 0; i < trim->top.vec.len; i++) {
		CXCursor cursor = trim->top.vec.data[i];
		CXType type = src_clang.getCanonicalType(src_clang.getCursorType(cursor));
		if (src_clang.getCursorKind(cursor) != CXCursor_TypedefDecl ||
			type.kind < CXType_Bool || type.kind > CXType_LongDouble)
			continue;
		CXString name = src_clang.getTypeSpelling(type);
		struct search search = {.trim = trim,
			.wanted = src_clang.getCanonicalCursor(cursor),
			.instead = src_trim_keep(trim, xs_strdup(src_clang.getCString(name)))};
		src_clang.disposeString(name);
		src_trim_begin(trim, 0);
		visit_all(trim, on_name, &search);
	}
}

/* --- qualifiers ------------------------------------------------------------------------------- */

static bool is_of_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

void src_trim_words(struct src_trim *trim)
{
	static const char *const words[] = {
		"static", "inline", "const", "volatile", "register", "restrict"};
	const char *text = trim->unit->text;
	size_t size = trim->unit->size;
	for (size_t at = 0, end; at < size; at = end) {
		for (end = at; end < size && is_of_word(text[end]);)
			end++;
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			if (end - at == strlen(words[i]) && !strncmp(text + at, words[i], end - at))
				src_trim_add_one(trim, 0,
					(struct src_cut){(unsigned)at,
						(unsigned)end + (text[end] == ' '), ""});
		end += end == at;
	}
}
