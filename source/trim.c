#include "source/trim.h"

#include <stdlib.h>

#include "source/trim_walk.h"

/* --- parts ------------------------------------------------------------------------------------ */

void src_trim_parts(const struct src_unit *unit, enum src_trim_kind kind, struct src_parts *ret)
{
	static void (*const finders[])(struct src_trim *) = {
		[SRC_TRIM_UNUSED] = src_trim_unused,
		[SRC_TRIM_LEFTOVER] = src_trim_leftovers,
		[SRC_TRIM_CALL] = src_trim_calls,
		[SRC_TRIM_CHECKED] = src_trim_calls,
		[SRC_TRIM_STATEMENT] = src_trim_statements,
		[SRC_TRIM_AROUND] = src_trim_statements,
		[SRC_TRIM_OTHERWISE] = src_trim_statements,
		[SRC_TRIM_BLOCK] = src_trim_statements,
		[SRC_TRIM_VALUE] = src_trim_expressions,
		[SRC_TRIM_ONLY_FIRST] = src_trim_expressions,
		[SRC_TRIM_ONLY_LAST] = src_trim_expressions,
		[SRC_TRIM_PARAMETER] = src_trim_parameters,
		[SRC_TRIM_ARRAY] = src_trim_variables,
		[SRC_TRIM_DECLARATOR] = src_trim_declarators,
		[SRC_TRIM_INITIAL] = src_trim_variables,
		[SRC_TRIM_ZERO] = src_trim_variables,
		[SRC_TRIM_FIELD] = src_trim_fields,
		[SRC_TRIM_TYPEDEF] = src_trim_typedefs,
		[SRC_TRIM_WORD] = src_trim_words,
	};
	struct src_trim trim = {.unit = unit, .kind = kind, .ret = ret};
	*ret = (struct src_parts){0};
	src_children_of(src_clang.getTranslationUnitCursor(unit->unit), &trim.top);
	finders[kind](&trim);
	if (ret->vec.len && !ret->vec.data[ret->vec.len - 1].count)
		ret->vec.len--;
	xs_vec_deinit(&trim.top.vec);
}

void src_parts_deinit(struct src_parts *parts)
{
	for (size_t i = 0; i < parts->texts.len; i++)
		free(parts->texts.data[i]);
	xs_vec_deinit(&parts->texts);
	xs_vec_deinit(&parts->cuts);
	xs_vec_deinit(&parts->vec);
}

const char *src_trim_word(enum src_trim_kind kind)
{
	static const char *const words[] = {
		[SRC_TRIM_UNUSED] = "unused declarations",
		[SRC_TRIM_LEFTOVER] = "directives and declarations",
		[SRC_TRIM_CALL] = "calls",
		[SRC_TRIM_CHECKED] = "checked arithmetic",
		[SRC_TRIM_STATEMENT] = "statements",
		[SRC_TRIM_AROUND] = "what is around a body",
		[SRC_TRIM_OTHERWISE] = "what is before an else",
		[SRC_TRIM_BLOCK] = "braces",
		[SRC_TRIM_VALUE] = "values",
		[SRC_TRIM_ONLY_FIRST] = "all but the first operand",
		[SRC_TRIM_ONLY_LAST] = "all but the last operand",
		[SRC_TRIM_PARAMETER] = "parameters",
		[SRC_TRIM_ARRAY] = "arrays",
		[SRC_TRIM_DECLARATOR] = "one of several variables",
		[SRC_TRIM_INITIAL] = "initial values",
		[SRC_TRIM_ZERO] = "lists of initial values",
		[SRC_TRIM_FIELD] = "fields",
		[SRC_TRIM_TYPEDEF] = "names of types",
		[SRC_TRIM_WORD] = "qualifiers",
	};
	return words[kind];
}

/* --- the text without them -------------------------------------------------------------------- */

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
		for (size_t k = 0; chosen[i] && k < parts->vec.data[i].count; k++)
			xs_vec_push(&cuts, parts->cuts.data[parts->vec.data[i].first + k]);
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
