/* trim_part.h - a part of a source that can go (trim.h): which kinds there are, and the cuts that
 * make one. */
#ifndef SRC_TRIM_PART_H
#define SRC_TRIM_PART_H

#include "source/parse.h"

enum src_trim_kind {
	SRC_TRIM_UNUSED,     /* what main does not reach at file scope; depth 0 */
	SRC_TRIM_LEFTOVER,   /* a directive; a declaration of a function that is defined; depth 0 */
	SRC_TRIM_CALL,       /* all calls of a function become 0; depth 0 */
	SRC_TRIM_CHECKED,    /* csmith's checked arithmetic becomes the operator; depth 0 */
	SRC_TRIM_STATEMENT,  /* a statement; depth: how many are around it */
	SRC_TRIM_AROUND,     /* if, for, while, do, switch, so that the body is left; likewise */
	SRC_TRIM_OTHERWISE,  /* if, so that its else is left; for, so that how it begins is, too */
	SRC_TRIM_BLOCK,      /* the braces of a block in a block; likewise */
	SRC_TRIM_VALUE,      /* an expression becomes 0; depth: how many are around it */
	SRC_TRIM_ONLY_FIRST, /* an expression becomes its first operand or argument; likewise */
	SRC_TRIM_ONLY_LAST,  /* its last; likewise */
	SRC_TRIM_PARAMETER,  /* a parameter becomes a variable of the function; depth: its number */
	SRC_TRIM_ARRAY,      /* an array becomes one of its elements; depth 0 */
	SRC_TRIM_DECLARATOR, /* one of several variables of a declaration; depth: its number */
	SRC_TRIM_INITIAL,    /* a variable begins with nothing; depth 0 */
	SRC_TRIM_ZERO,       /* a list of initial values becomes {0}; depth 0 */
	SRC_TRIM_FIELD,      /* a field of a struct, and its initial values; depth: its number */
	SRC_TRIM_TYPEDEF,    /* a name of a plain type becomes that type; depth 0 */
	SRC_TRIM_WORD,       /* static, inline, const, volatile, register; depth 0 */
	SRC_TRIM_COUNT
};

struct src_cut {
	unsigned begin, end; /* offsets: [begin, end) */
	const char *instead; /* static, or the parts' own */
};

struct src_part {
	size_t first, count; /* cuts of it: [first, first + count) of all */
	unsigned depth;
};

struct src_parts {
	XS_VEC(struct src_part) vec; /* in the order of the text, by their first cut */
	XS_VEC(struct src_cut) cuts; /* of all parts */
	XS_VEC(char *) texts;        /* that cuts refer to */
};

#endif
