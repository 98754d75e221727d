/* trim.h - what can be cut out of a C source in one piece, or made simpler: declarations that
 * nobody needs, calls, statements, what is around a statement, expressions, parameters, types.
 *
 * Nothing here knows whether a source without a part will do. Somebody else tries that
 * (oracle/cause/cut.h).
 *
 * Rules:
 * 1. A part is some cuts that belong together: a parameter and all its arguments. Parts of one kind
 *    and depth are apart, or one lies within the other, and counts for nothing then: any set of
 *    them can be applied together.
 * 2. Only what stands in the file itself is a part. The text should be preprocessed: a part that
 *    begins or ends in a macro is cut where the macro is used, and what is left may not parse.
 * 3. `depth` counts from 0, and is counted anew for each kind.
 * 4. What a part leaves behind need not mean the same, nor parse. */
#ifndef SRC_TRIM_H
#define SRC_TRIM_H

#include "source/trim_part.h"

/* The parts of a kind; *ret is to be deinited. */
void src_trim_parts(const struct src_unit *unit, enum src_trim_kind kind, struct src_parts *ret);
void src_parts_deinit(struct src_parts *parts);
/* The text without those parts that are chosen (by index), and without empty lines; to be freed. */
char *src_trim_apply(const char *text, size_t size, const struct src_parts *parts,
	const bool *chosen, size_t *ret_size);
/* What a kind is called, for who follows a reduction. */
const char *src_trim_word(enum src_trim_kind kind);

#endif
