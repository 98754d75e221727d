/* collect.h - the walk over a function that collects the facts of uses.h. For collect*.c, places.c
 * and take.c alone.
 *
 * Rules:
 * 1. The walk goes in the order of execution, and each use is a point of the flow behind the one
 *    before it. Where ways part and meet, collect_statement.c moves `point` about.
 * 2. A function is walked twice if it has pointers that rule 3 of uses.h is about: what they stand
 *    for is known only when all of their uses are. */
#ifndef SRC_COLLECT_H
#define SRC_COLLECT_H

#include "source/pass.h"
#include "source/uses.h"

/* Where a jump leads, or comes from. */
struct src_jump {
	char *label;
	size_t point;
};

struct src_walk {
	const struct src_unit *unit;
	struct src_facts *facts;
	bool lines;                    /* the text has #line */
	XS_VEC(CXCursor) declarations; /* of facts->variables; of a part, that of its base */
	size_t function;               /* the current one */
	size_t first;                  /* of its variables */
	unsigned scope_begin, scope;   /* the block around */
	size_t point;                  /* of the flow; SRC_NOWHERE: nothing leads here */
	size_t on_break, on_continue;  /* points that these lead to */
	size_t on_case;                /* the point that leads to the cases of the switch around */
	bool has_default;              /* of that switch */
	bool discard;                  /* the value of what is walked is not used */
	size_t products;               /* numbers given to products */
	XS_VEC(struct src_jump) labels, gotos;
	XS_VEC(size_t) stands_for; /* by variable from `first`: what *p is; or SRC_NOWHERE */
};

/* --- collect_expr.c: expressions --- */

void src_walk(struct src_walk *at, CXCursor cursor, unsigned access);
/* A place that is written or read: x, x.f, x[i], *p. `from` is what is assigned, or a null cursor.
 */
void src_walk_place(struct src_walk *at, CXCursor cursor, unsigned access, CXCursor from);
/* Declares a variable, and walks its initialiser. */
void src_walk_declaration(struct src_walk *at, CXCursor cursor, bool parameter);

/* --- collect_statement.c: statements --- */

/* Walks a statement; false if the cursor is none that decides where to go. */
bool src_walk_statement(struct src_walk *at, CXCursor cursor);
/* Leads the gotos of a function to their labels. */
void src_walk_jumps(struct src_walk *at);
/* Where ways meet: what leads there may be nowhere. */
size_t src_walk_join(struct src_walk *at, size_t one, size_t other);
/* 1 or 0 if a condition is so whatever the variables, else -1. */
int src_truth(CXCursor cursor);

/* --- places.c: what a cursor stands for --- */

/* Where a cursor begins; false if it is not in the file. */
bool src_where(
	struct src_walk *at, CXCursor cursor, unsigned *file, unsigned *line, unsigned *offset);
/* The local variable, or part of one, that a cursor refers to; SRC_NOWHERE: none. */
size_t src_referenced(struct src_walk *at, CXCursor cursor);
/* The operand of a unary operator that is written so; a null cursor if it is another. */
CXCursor src_operand_of(const struct src_unit *unit, CXCursor cursor, const char *sign);
/* Whether a variable, and no part of one, is of that very type. */
bool src_has_type(const struct src_walk *at, size_t variable, CXType type);
/* The local that is declared by a cursor. */
size_t src_variable_of(const struct src_walk *at, CXCursor declaration);
/* Whether a cursor is, or is a part of, something at file scope: g, g.f, g[i]. */
bool src_is_global(CXCursor cursor);
bool src_is_scalar(CXType type);
/* Its size; 0 if it is none, or volatile. */
unsigned src_scalar_size(CXType type);
/* A literal, an enumerator, or an address of something at file scope; *key tells them apart. */
bool src_is_constant(const struct src_unit *unit, CXCursor cursor, uint64_t *key);
/* The kind of the type of an expression without conversions. */
enum CXTypeKind src_type_kind(CXCursor cursor);

/* --- take.c: calls and stores --- */

void src_take_call(struct src_walk *at, CXCursor cursor);
/* An assignment: right may be a null cursor (++); sign as written, `=` or `+=` or `++`. */
void src_take_store(
	struct src_walk *at, CXCursor cursor, CXCursor left, CXCursor right, const char *sign);

#endif
