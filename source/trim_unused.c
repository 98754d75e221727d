/* trim_unused.c - what main does not reach at file scope, and what is said twice there. */
#include <string.h>

#include "source/trim_walk.h"

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
	if (src_clang.getCursorKind(cursor) == CXCursor_FunctionDecl &&
		src_clang.isCursorDefinition(cursor))
		return end;
	while (end < unit->size && unit->text[end - 1] != ';')
		end++;
	return end;
}

/* Where the text behind an offset begins that is no directive: what stands before a declaration
 * belongs to it, but for #include. */
static unsigned behind_directives(const struct src_unit *unit, unsigned from, unsigned to)
{
	unsigned behind = from;
	for (unsigned at = from; at < to; at++) {
		unsigned end = at;
		while (end < to && unit->text[end] != '\n')
			end++;
		unsigned first = at;
		while (first < end && (unit->text[first] == ' ' || unit->text[first] == '\t'))
			first++;
		if (first < end && unit->text[first] == '#')
			behind = end;
		at = end;
	}
	return behind;
}

/* Declarations of one semicolon lie over each other: `typedef struct s { int a; } b, *c;`. What
 * stands before one, such as __extension__, belongs to it. */
static void find_items(struct items *items, const struct src_children *top)
{
	unsigned behind = 0;
	for (size_t i = 0; i < top->vec.len; i++) {
		struct src_cut span;
		if (!src_trim_span(items->unit, top->vec.data[i], &span))
			continue;
		unsigned end = end_of(items->unit, top->vec.data[i], span.end);
		struct item *last = items->vec.len ? &items->vec.data[items->vec.len - 1] : NULL;
		if (!last || span.begin >= last->end)
			xs_vec_push(&items->vec,
				((struct item){
					.begin = behind_directives(items->unit, behind, span.begin),
					.end = end}));
		else if (end > last->end)
			last->end = end;
		behind = items->vec.data[items->vec.len - 1].end;
	}
}

/* Assembly at file scope: nobody calls it, and it is in the program all the same. */
static bool is_assembly(const struct src_unit *unit, CXCursor cursor)
{
	static const char word[] = "__asm";
	unsigned begin;
	if (!src_begin(unit, cursor, &begin, NULL) || begin + sizeof word > unit->size)
		return false;
	const char *text = unit->text + begin;
	return !strncmp(text, word, strlen(word)) || !strncmp(text, word + 2, strlen(word) - 2);
}

static void want_main(struct items *items, const struct src_children *top)
{
	for (size_t i = 0; i < top->vec.len; i++) {
		if (is_assembly(items->unit, top->vec.data[i]))
			want(items, top->vec.data[i]);
		CXString name = src_clang.getCursorSpelling(top->vec.data[i]);
		if (src_clang.getCursorKind(top->vec.data[i]) == CXCursor_FunctionDecl &&
			!strcmp(src_clang.getCString(name), "main"))
			want(items, top->vec.data[i]);
		src_clang.disposeString(name);
	}
}

/* What a wanted item refers to is wanted. False: nothing more was. */
static bool want_more(struct items *items, const struct src_children *top)
{
	bool more = false;
	for (size_t i = 0; i < items->vec.len; i++) {
		struct item *one = &items->vec.data[i];
		if (!one->wanted || one->done)
			continue;
		one->done = more = true;
		for (size_t k = 0; k < top->vec.len; k++) {
			unsigned offset;
			if (src_begin(items->unit, top->vec.data[k], &offset, NULL) &&
				offset >= one->begin && offset < one->end) {
				on_reference(top->vec.data[k], top->vec.data[k], items);
				src_clang.visitChildren(top->vec.data[k], on_reference, items);
			}
		}
	}
	return more;
}

void src_trim_unused(struct src_trim *trim)
{
	struct items items = {.unit = trim->unit};
	find_items(&items, &trim->top);
	want_main(&items, &trim->top);
	while (want_more(&items, &trim->top))
		continue;
	for (size_t i = 0; i < items.vec.len; i++)
		if (!items.vec.data[i].wanted)
			src_trim_add_one(trim, 0,
				(struct src_cut){
					items.vec.data[i].begin, items.vec.data[i].end, ""});
	xs_vec_deinit(&items.vec);
}

/* --- what is left besides --------------------------------------------------------------------- */

/* Lines that begin with `#`: after preprocessing, pragmas about declarations that may be gone. */
static void find_directives(struct src_trim *trim)
{
	const char *text = trim->unit->text;
	unsigned size = (unsigned)trim->unit->size;
	for (unsigned at = 0, end; at < size; at = end + 1) {
		for (end = at; end < size && text[end] != '\n';)
			end++;
		if (text[at] == '#')
			src_trim_add_one(trim, 0, (struct src_cut){at, end, ""});
	}
}

void src_trim_leftovers(struct src_trim *trim)
{
	find_directives(trim);
	for (size_t i = 0; i < trim->top.vec.len; i++) {
		CXCursor cursor = trim->top.vec.data[i];
		struct src_cut span;
		if (src_clang.getCursorKind(cursor) != CXCursor_FunctionDecl ||
			src_clang.isCursorDefinition(cursor) ||
			src_clang.Cursor_isNull(src_clang.getCursorDefinition(cursor)) ||
			!src_trim_span(trim->unit, cursor, &span))
			continue;
		span.end = end_of(trim->unit, cursor, span.end);
		src_trim_add_one(trim, 0, span);
	}
}
