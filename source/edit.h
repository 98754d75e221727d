/* edit.h - changes to a text, collected in any order and applied at once.
 *
 * Offsets are those of the original text. What is put in at one offset comes out like this: first
 * what was put behind something that ends there (in the order in which it was added), then what was
 * put before something that begins there (last added first), then the replacement of what begins
 * there. So whoever goes through nested things from the inside out gets properly nested text.
 * Replacements do not overlap, and nothing is put inside of one. */
#ifndef SRC_EDIT_H
#define SRC_EDIT_H

#include "base/vec.h"

enum src_edit_kind {
	SRC_EDIT_BEHIND,
	SRC_EDIT_BEFORE,
	SRC_EDIT_REPLACE,
};

struct src_edit {
	enum src_edit_kind kind;
	unsigned begin, end; /* what is replaced; equal if nothing is */
	size_t order;        /* in which it was added */
	char *text;
};

/* Zero-initialised is empty and usable. */
struct src_edits {
	XS_VEC(struct src_edit) vec;
};

void src_edit_behind(struct src_edits *edits, unsigned offset, const char *format, ...)
	XS_PRINTF(3, 4);
void src_edit_before(struct src_edits *edits, unsigned offset, const char *format, ...)
	XS_PRINTF(3, 4);
void src_edit_replace(struct src_edits *edits, unsigned begin, unsigned end, const char *format,
	...) XS_PRINTF(4, 5);

/* The text with all of them, to be freed, with a NUL behind it. Where two words would grow
 * together, a blank is put between them. */
char *src_edits_apply(struct src_edits *edits, const char *text, size_t size, size_t *ret_size);
void src_edits_deinit(struct src_edits *edits);

#endif
