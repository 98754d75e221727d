/* parse.h - a C source, parsed by libclang: one translation unit and what its text says at which
 * offset.
 *
 * Offsets are bytes of the file itself, where it is written: what comes out of a macro is at the
 * macro's use. Nothing here interprets; facts.h does. */
#ifndef SRC_PARSE_H
#define SRC_PARSE_H

#include <clang-c/Index.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"

struct src_unit {
	char *path; /* as it was given */
	CXIndex index;
	CXTranslationUnit unit;
	CXFile file;      /* the source itself, not what it includes */
	const char *text; /* of it; belongs to libclang */
	size_t size;      /* of the text */
};

/* Parses a file with the compiler's flags (-I, -D, -std). Errors in the source are an error. */
XS_MUST_CHECK struct xs_error *src_unit_open(
	const char *path, const char *const *flags, size_t count, struct src_unit **ret);
/* Parses a text as if the file held it, with a record of the uses of macros. The text must outlive
 * the unit. */
XS_MUST_CHECK struct xs_error *src_unit_open_text(const char *path, const char *text, size_t size,
	const char *const *flags, size_t count, struct src_unit **ret);
void src_unit_destroy(struct src_unit *unit);
XS_DEFINE_CLEANUP(src_unit);

/* Where a cursor begins or ends in the file itself; false if it is elsewhere. line may be NULL. */
bool src_begin(const struct src_unit *unit, CXCursor cursor, unsigned *offset, unsigned *line);
bool src_end(const struct src_unit *unit, CXCursor cursor, unsigned *offset, unsigned *line);

/* The line of a location, and the file, to be freed, as #line has them. */
unsigned src_presumed(CXSourceLocation at, char **file);

/* The children of a cursor, in order. */
struct src_children {
	XS_VEC(CXCursor) vec;
};
void src_children_of(
	CXCursor cursor, struct src_children *ret); /* deinit: xs_vec_deinit(&ret->vec) */

/* A binary operator as it is written between its operands, "" if that is not in the file: `=`, `+`.
 */
void src_binary_operator(const struct src_unit *unit, CXCursor left, CXCursor right, char ret[4]);
/* A unary operator, "" if it is not in the file: `++` and `--` on either side, `&`, `*`, `-`. */
void src_unary_operator(const struct src_unit *unit, CXCursor cursor, char ret[4]);
/* The expression inside parentheses, implicit and explicit casts. */
CXCursor src_bare(CXCursor cursor);

#endif
