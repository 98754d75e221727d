/* trim.h - what can be cut out of a C source in one piece: declarations that nobody needs,
 * statements, what is around a statement, expressions.
 *
 * Nothing here knows whether a source without a part will do. Somebody else tries that
 * (oracle/cause/cut.h).
 *
 * Rules:
 * 1. A part is one or two cuts. Parts of one kind and depth are apart: any set of them can be
 *    applied together.
 * 2. Only what stands in the file itself is a part. The text should be preprocessed: a part that
 *    begins or ends in a macro is cut where the macro is used, and what is left may not parse.
 * 3. `depth` counts from 0, and is counted anew for each kind. */
#ifndef SRC_TRIM_H
#define SRC_TRIM_H

#include "source/parse.h"

enum src_trim_kind {
	SRC_TRIM_UNUSED,     /* what main does not reach at file scope; depth 0 */
	SRC_TRIM_STATEMENT,  /* a statement; depth: how many are around it */
	SRC_TRIM_AROUND,     /* if, for, while, do, switch, so that the body is left; likewise */
	SRC_TRIM_VALUE,      /* an expression becomes 0; depth: how many are around it */
	SRC_TRIM_ONLY_FIRST, /* an expression becomes its first operand or argument; likewise */
	SRC_TRIM_ONLY_LAST,  /* its last; likewise */
	SRC_TRIM_COUNT
};

struct src_cut {
	unsigned begin, end; /* offsets: [begin, end) */
	const char *instead; /* static */
};

struct src_part {
	struct src_cut cuts[2]; /* the second may be empty */
	unsigned depth;
};

struct src_parts {
	XS_VEC(struct src_part) vec; /* in the order of the text */
};

/* The parts of a kind; *ret is to be deinited. */
void src_trim_parts(const struct src_unit *unit, enum src_trim_kind kind, struct src_parts *ret);
void src_parts_deinit(struct src_parts *parts);
/* The text without those parts that are chosen (by index), and without empty lines; to be freed. */
char *src_trim_apply(const char *text, size_t size, const struct src_parts *parts,
	const bool *chosen, size_t *ret_size);

#endif
