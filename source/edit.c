#include "source/edit.h"

#include "base/error.h"
#include "source/lex.h"

static void add(struct src_edits *edits, enum src_edit_kind kind, unsigned begin, unsigned end,
	const char *format, va_list args)
{
	struct src_edit edit = {kind, begin, end, edits->vec.len, xs_vasprintf(format, args)};
	xs_vec_push(&edits->vec, edit);
}

void src_edit_behind(struct src_edits *edits, unsigned offset, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	add(edits, SRC_EDIT_BEHIND, offset, offset, format, args);
	va_end(args);
}

void src_edit_before(struct src_edits *edits, unsigned offset, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	add(edits, SRC_EDIT_BEFORE, offset, offset, format, args);
	va_end(args);
}

void src_edit_replace(
	struct src_edits *edits, unsigned begin, unsigned end, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	add(edits, SRC_EDIT_REPLACE, begin, end, format, args);
	va_end(args);
}

static int compare(const void *a, const void *b)
{
	const struct src_edit *left = a, *right = b;
	if (left->begin != right->begin)
		return left->begin < right->begin ? -1 : 1;
	if (left->kind != right->kind)
		return left->kind < right->kind ? -1 : 1;
	int order = left->order < right->order ? -1 : left->order > right->order;
	return left->kind == SRC_EDIT_BEFORE ? -order : order;
}

struct output {
	XS_VEC(char) vec;
};

static void put(struct output *out, const char *text, size_t size, bool seam)
{
	if (seam && size && out->vec.len && src_is_word(out->vec.data[out->vec.len - 1]) &&
		src_is_word(*text))
		xs_vec_push(&out->vec, ' ');
	out->vec.data = xs_vec_grow(out->vec.data, &out->vec.cap, out->vec.len + size + 1, 1);
	memcpy(out->vec.data + out->vec.len, text, size);
	out->vec.len += size;
}

char *src_edits_apply(struct src_edits *edits, const char *text, size_t size, size_t *ret_size)
{
	struct output out = {0};
	size_t at = 0;
	if (edits->vec.len)
		qsort(edits->vec.data, edits->vec.len, sizeof *edits->vec.data, compare);
	for (size_t i = 0; i < edits->vec.len; i++) {
		const struct src_edit *edit = &edits->vec.data[i];
		xs_assert(edit->begin >= at && edit->end >= edit->begin && edit->end <= size);
		put(&out, text + at, edit->begin - at, i > 0);
		put(&out, edit->text, strlen(edit->text), true);
		at = edit->end;
	}
	put(&out, text + at, size - at, edits->vec.len > 0);
	xs_vec_push(&out.vec, 0);
	*ret_size = out.vec.len - 1;
	return out.vec.data;
}

void src_edits_deinit(struct src_edits *edits)
{
	for (size_t i = 0; i < edits->vec.len; i++)
		free(edits->vec.data[i].text);
	xs_vec_deinit(&edits->vec);
}
