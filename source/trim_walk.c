#include "source/trim_walk.h"

#include <string.h>

bool src_trim_span(const struct src_unit *unit, CXCursor cursor, struct src_cut *ret)
{
	*ret = (struct src_cut){.instead = ""};
	return src_begin(unit, cursor, &ret->begin, NULL) &&
	       src_end(unit, cursor, &ret->end, NULL) && ret->begin < ret->end;
}

void src_trim_begin(struct src_trim *trim, unsigned depth)
{
	struct src_parts *all = trim->ret;
	if (all->vec.len && !all->vec.data[all->vec.len - 1].count)
		all->vec.len--;
	xs_vec_push(&all->vec, ((struct src_part){.first = all->cuts.len, .depth = depth}));
}

void src_trim_add(struct src_trim *trim, unsigned begin, unsigned end, const char *instead)
{
	if (begin == end && !*instead)
		return;
	xs_vec_push(&trim->ret->cuts, ((struct src_cut){begin, end, instead}));
	trim->ret->vec.data[trim->ret->vec.len - 1].count++;
}

const char *src_trim_keep(struct src_trim *trim, char *text)
{
	xs_vec_push(&trim->ret->texts, text);
	return text;
}

void src_trim_add_one(struct src_trim *trim, unsigned depth, struct src_cut cut)
{
	src_trim_begin(trim, depth);
	src_trim_add(trim, cut.begin, cut.end, cut.instead);
}

bool src_trim_is_defined(const struct src_trim *trim, CXCursor cursor)
{
	struct src_cut span;
	return src_clang.getCursorKind(cursor) == CXCursor_FunctionDecl &&
	       src_clang.isCursorDefinition(cursor) && src_trim_span(trim->unit, cursor, &span);
}

static bool is_scalar(CXType type)
{
	return (type.kind >= CXType_Bool && type.kind <= CXType_LongDouble) ||
	       type.kind == CXType_Pointer || type.kind == CXType_Enum;
}

bool src_trim_is_scalar(CXCursor cursor)
{
	return is_scalar(src_clang.getCanonicalType(src_clang.getCursorType(cursor)));
}

const char *src_trim_nothing(struct src_trim *trim, CXType type)
{
	CXType plain = src_clang.getCanonicalType(type);
	const char *text = "";
	if (is_scalar(plain))
		return "0";
	if (plain.kind == CXType_Void)
		return "(void)0";
	CXString name = src_clang.getTypeSpelling(plain);
	const char *spelt = src_clang.getCString(name);
	/* One without a name is spelt with its place in parentheses. */
	if (plain.kind == CXType_Record && !strpbrk(spelt, "(<"))
		text = src_trim_keep(trim, xs_asprintf("(%s){0}", spelt));
	src_clang.disposeString(name);
	return text;
}
