/* trim_walk.h - what those who find parts of a source (trim.h) share. */
#ifndef SRC_TRIM_WALK_H
#define SRC_TRIM_WALK_H

#include "source/clang.h"
#include "source/trim_part.h"

struct src_trim {
	const struct src_unit *unit;
	enum src_trim_kind kind;
	struct src_children top; /* what stands at file scope, headers included */
	struct src_parts *ret;
};

/* Where a cursor's text lies; false if it is not in the file. `instead` is "". */
bool src_trim_span(const struct src_unit *unit, CXCursor cursor, struct src_cut *ret);
/* Begins a part; cuts that are added then are of it. One without cuts is none. */
void src_trim_begin(struct src_trim *trim, unsigned depth);
void src_trim_add(struct src_trim *trim, unsigned begin, unsigned end, const char *instead);
/* A text that lives as long as the parts; takes it. */
const char *src_trim_keep(struct src_trim *trim, char *text);
/* A part of a single cut. */
void src_trim_add_one(struct src_trim *trim, unsigned depth, struct src_cut cut);

/* Whether something is a function that has a body in the file. */
bool src_trim_is_defined(const struct src_trim *trim, CXCursor cursor);
bool src_trim_is_scalar(CXCursor cursor);
/* What can stand for a value of a type: `0`, `(struct s){0}`; "" if it has none. */
const char *src_trim_nothing(struct src_trim *trim, CXType type);

/* By kind. */
void src_trim_unused(struct src_trim *trim);
void src_trim_leftovers(struct src_trim *trim);
void src_trim_statements(struct src_trim *trim);
void src_trim_expressions(struct src_trim *trim);
void src_trim_calls(struct src_trim *trim);
void src_trim_parameters(struct src_trim *trim);
void src_trim_variables(struct src_trim *trim); /* arrays and initial values */
void src_trim_declarators(struct src_trim *trim);
void src_trim_fields(struct src_trim *trim);
void src_trim_typedefs(struct src_trim *trim);
void src_trim_words(struct src_trim *trim);

#endif
