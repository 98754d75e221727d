#include "base/map.h"
#include "source/collect.h"

/* The number of a file, new if need be. */
static unsigned file_of(struct src_facts *facts, const char *name)
{
	for (size_t i = 0; i < facts->files.len; i++)
		if (!strcmp(facts->files.data[i], name))
			return (unsigned)i;
	char *copy = xs_strdup(name);
	xs_vec_push(&facts->files, copy);
	return (unsigned)facts->files.len - 1;
}

bool src_where(
	struct src_walk *at, CXCursor cursor, unsigned *file, unsigned *line, unsigned *offset)
{
	unsigned somewhere;
	*file = 0;
	if (!src_begin(at->unit, cursor, offset ? offset : &somewhere, line))
		return false;
	if (at->lines) {
		char *name;
		*line = src_presumed(
			src_clang.getRangeStart(src_clang.getCursorExtent(cursor)), &name);
		*file = file_of(at->facts, name);
		free(name);
	}
	return true;
}

enum CXTypeKind src_type_kind(CXCursor cursor)
{
	return src_clang.getCanonicalType(src_clang.getCursorType(src_bare(cursor))).kind;
}

bool src_is_scalar(CXType type)
{
	enum CXTypeKind kind = src_clang.getCanonicalType(type).kind;
	return (kind >= CXType_Bool && kind <= CXType_LongDouble) || kind == CXType_Pointer ||
	       kind == CXType_Enum;
}

unsigned src_scalar_size(CXType type)
{
	long long size = src_clang.Type_getSizeOf(type);
	bool still = !src_clang.isVolatileQualifiedType(type) &&
		     !src_clang.isVolatileQualifiedType(src_clang.getCanonicalType(type));
	return src_is_scalar(type) && still && size > 0 && size < 256 ? (unsigned)size : 0;
}

/* --- variables -------------------------------------------------------------------------------- */

size_t src_variable_of(const struct src_walk *at, CXCursor declaration)
{
	size_t i = at->declarations.len;
	while (i-- > at->first)
		if (at->facts->variables.data[i].base == i &&
			src_clang.equalCursors(at->declarations.data[i], declaration))
			return i;
	return SRC_NOWHERE;
}

CXCursor src_operand_of(const struct src_unit *unit, CXCursor cursor, const char *sign)
{
	struct src_children children;
	char written[4];
	CXCursor ret = src_clang.getNullCursor();
	if (src_clang.getCursorKind(cursor) != CXCursor_UnaryOperator)
		return ret;
	src_children_of(cursor, &children);
	src_unary_operator(unit, cursor, written);
	if (children.vec.len == 1 && !strcmp(written, sign))
		ret = src_bare(children.vec.data[0]);
	xs_vec_deinit(&children.vec);
	return ret;
}

bool src_has_type(const struct src_walk *at, size_t variable, CXType type)
{
	CXType declared = src_clang.getCursorType(at->declarations.data[variable]);
	return at->facts->variables.data[variable].base == variable &&
	       src_clang.equalTypes(
		       src_clang.getCanonicalType(declared), src_clang.getCanonicalType(type));
}

/* The value of an integer literal as it is written in decimals; false if it is anything else. */
static bool read_number(const struct src_unit *unit, CXCursor cursor, unsigned *ret)
{
	unsigned begin, end;
	if (src_clang.getCursorKind(cursor) != CXCursor_IntegerLiteral ||
		!src_begin(unit, cursor, &begin, NULL) || !src_end(unit, cursor, &end, NULL) ||
		end <= begin || end - begin > 6 || (unit->text[begin] == '0' && end - begin > 1))
		return false;
	*ret = 0;
	for (unsigned i = begin; i < end; i++) {
		if (unit->text[i] < '0' || unit->text[i] > '9')
			return false;
		*ret = *ret * 10 + (unsigned)(unit->text[i] - '0');
	}
	return true;
}

static bool is_union(CXCursor cursor)
{
	CXType type = src_clang.getCanonicalType(src_clang.getCursorType(src_bare(cursor)));
	return src_clang.getCursorKind(src_clang.getTypeDeclaration(type)) == CXCursor_UnionDecl;
}

/* The local that a path of members and numbered elements begins with, and its text, to be freed;
 * SRC_NOWHERE: it is none. */
static size_t path_of(struct src_walk *at, CXCursor cursor, char **path)
{
	cursor = src_bare(cursor);
	enum CXCursorKind kind = src_clang.getCursorKind(cursor);
	struct src_children children;
	unsigned number;
	size_t ret = SRC_NOWHERE;
	char *outer = NULL;
	*path = NULL;
	if (kind == CXCursor_DeclRefExpr) {
		ret = src_variable_of(at, src_clang.getCursorReferenced(cursor));
		if (ret != SRC_NOWHERE)
			*path = xs_strdup(at->facts->variables.data[ret].name);
		return ret;
	}
	src_children_of(cursor, &children);
	const CXCursor *parts = children.vec.data;
	if (kind == CXCursor_MemberRefExpr && children.vec.len == 1 &&
		src_type_kind(parts[0]) == CXType_Record && !is_union(parts[0]) &&
		!src_clang.Cursor_isBitField(src_clang.getCursorReferenced(cursor))) {
		XS_AUTO_FREE char *name = src_name_of(cursor);
		if ((ret = path_of(at, parts[0], &outer)) != SRC_NOWHERE)
			*path = xs_asprintf("%s.%s", outer, name);
	} else if (kind == CXCursor_ArraySubscriptExpr && children.vec.len == 2 &&
		   src_type_kind(parts[0]) == CXType_ConstantArray &&
		   read_number(at->unit, src_bare(parts[1]), &number)) {
		if ((ret = path_of(at, parts[0], &outer)) != SRC_NOWHERE)
			*path = xs_asprintf("%s[%u]", outer, number);
	}
	free(outer);
	xs_vec_deinit(&children.vec);
	return ret;
}

/* The variable that is a part of another, new if need be. */
static size_t part_of(struct src_walk *at, size_t base, char *path, CXType type)
{
	struct src_facts *facts = at->facts;
	for (size_t i = at->first; i < facts->variables.len; i++)
		if (facts->variables.data[i].path && facts->variables.data[i].base == base &&
			!strcmp(facts->variables.data[i].path, path))
			return i;
	struct src_variable one = facts->variables.data[base];
	one.name = xs_strdup(one.name);
	one.path = xs_strdup(path);
	one.base = base;
	CXCursor declaration = at->declarations.data[base];
	CXType whole = src_clang.getCursorType(declaration);
	one.scalar = true;
	one.bytes =
		src_clang.isVolatileQualifiedType(whole) ||
				src_clang.isVolatileQualifiedType(src_clang.getCanonicalType(whole))
			? 0
			: src_scalar_size(type);
	one.pointer = false;
	one.writes = 0;
	xs_vec_push(&facts->variables, one);
	xs_vec_push(&at->declarations, declaration);
	return facts->variables.len - 1;
}

size_t src_referenced(struct src_walk *at, CXCursor cursor)
{
	cursor = src_bare(cursor);
	enum CXCursorKind kind = src_clang.getCursorKind(cursor);
	if (kind == CXCursor_DeclRefExpr)
		return src_variable_of(at, src_clang.getCursorReferenced(cursor));
	CXCursor pointer = src_operand_of(at->unit, cursor, "*");
	if (!src_clang.Cursor_isNull(pointer)) {
		CXCursor place = src_operand_of(at->unit, pointer, "&");
		size_t through = SRC_NOWHERE, ret = SRC_NOWHERE;
		if (!src_clang.Cursor_isNull(place))
			ret = src_referenced(at, place);
		else
			through = src_referenced(at, pointer);
		if (through != SRC_NOWHERE && through - at->first < at->stands_for.len)
			ret = at->stands_for.data[through - at->first];
		/* Through a cast it may be a part of it. */
		return ret != SRC_NOWHERE && src_has_type(at, ret, src_clang.getCursorType(cursor))
			       ? ret
			       : SRC_NOWHERE;
	}
	if ((kind != CXCursor_MemberRefExpr && kind != CXCursor_ArraySubscriptExpr) ||
		!src_is_scalar(src_clang.getCursorType(cursor)))
		return SRC_NOWHERE;
	XS_AUTO_FREE char *path = NULL;
	size_t base = path_of(at, cursor, &path);
	return base == SRC_NOWHERE ? base
				   : part_of(at, base, path, src_clang.getCursorType(cursor));
}

/* --- the rest --------------------------------------------------------------------------------- */

bool src_is_global(CXCursor cursor)
{
	for (;;) {
		cursor = src_bare(cursor);
		enum CXCursorKind kind = src_clang.getCursorKind(cursor);
		if (kind == CXCursor_DeclRefExpr) {
			CXCursor declaration = src_clang.getCursorReferenced(cursor);
			return src_clang.getCursorKind(declaration) == CXCursor_VarDecl &&
			       src_clang.getCursorKind(src_clang.getCursorSemanticParent(
				       declaration)) == CXCursor_TranslationUnit;
		}
		if (kind != CXCursor_ArraySubscriptExpr && kind != CXCursor_MemberRefExpr)
			return false;
		/* Through a pointer it is somewhere else. */
		struct src_children children;
		src_children_of(cursor, &children);
		CXCursor base = children.vec.len ? children.vec.data[0] : src_clang.getNullCursor();
		xs_vec_deinit(&children.vec);
		if (src_clang.Cursor_isNull(base) || src_type_kind(base) == CXType_Pointer)
			return false;
		cursor = base;
	}
}

/* Whether the address of a place at file scope is known when the program is linked. */
static bool is_fixed_place(CXCursor cursor)
{
	cursor = src_bare(cursor);
	struct src_children children;
	bool ret = src_clang.getCursorKind(cursor) == CXCursor_DeclRefExpr;
	if (!ret) {
		src_children_of(cursor, &children);
		ret = children.vec.len && is_fixed_place(children.vec.data[0]);
		for (size_t i = 1; ret && i < children.vec.len; i++)
			ret = src_is_fixed(children.vec.data[i]);
		xs_vec_deinit(&children.vec);
	}
	return ret;
}

/* A number for a cursor's text. */
static uint64_t key_of(const struct src_unit *unit, CXCursor cursor)
{
	unsigned begin, end;
	if (!src_begin(unit, cursor, &begin, NULL) || !src_end(unit, cursor, &end, NULL))
		return 1;
	uint64_t ret = 2;
	for (unsigned i = begin; i < end; i++)
		ret = xs_mix(ret ^ (unsigned char)unit->text[i]);
	return ret;
}

bool src_is_constant(const struct src_unit *unit, CXCursor cursor, uint64_t *key)
{
	cursor = src_bare(cursor);
	*key = key_of(unit, cursor);
	switch (src_clang.getCursorKind(cursor)) {
	case CXCursor_IntegerLiteral:
	case CXCursor_FloatingLiteral:
	case CXCursor_CharacterLiteral:
	case CXCursor_StringLiteral:
		return true;
	case CXCursor_DeclRefExpr: {
		CXCursor declaration = src_clang.getCursorReferenced(cursor);
		enum CXTypeKind type = src_type_kind(cursor);
		return src_clang.getCursorKind(declaration) == CXCursor_EnumConstantDecl ||
		       (src_is_global(cursor) && type == CXType_ConstantArray);
	}
	case CXCursor_UnaryOperator: {
		struct src_children children;
		char sign[4];
		uint64_t inner;
		src_children_of(cursor, &children);
		src_unary_operator(unit, cursor, sign);
		CXCursor part = children.vec.len ? children.vec.data[0] : cursor;
		bool ret = children.vec.len &&
			   (!strcmp(sign, "-") || !strcmp(sign, "+") || !strcmp(sign, "~")) &&
			   src_is_constant(unit, part, &inner);
		/* That of a local is nowhere, maybe. */
		ret |= children.vec.len && !strcmp(sign, "&") && src_is_global(part) &&
		       is_fixed_place(part);
		xs_vec_deinit(&children.vec);
		return ret;
	}
	case CXCursor_BinaryOperator: {
		/* a = b = 3 */
		struct src_children children;
		char sign[4] = "";
		src_children_of(cursor, &children);
		if (children.vec.len == 2)
			src_binary_operator(unit, children.vec.data[0], children.vec.data[1], sign);
		bool ret = !strcmp(sign, "=") && src_is_constant(unit, children.vec.data[1], key);
		xs_vec_deinit(&children.vec);
		return ret;
	}
	default:
		return false;
	}
}
