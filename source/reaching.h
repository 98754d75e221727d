/* reaching.h - which writes of a variable may be the last ones before a point of its function.
 *
 * Rules:
 * 1. A write of a part of a variable (`a[i] = 1`) may be the last one, as may those before it.
 * 2. Nothing is known of a variable whose address goes somewhere, nor of a function whose flow
 *    could not be made out: the answer is that anything may reach. */
#ifndef SRC_REACHING_H
#define SRC_REACHING_H

#include "source/uses.h"

struct src_reaching {
	XS_VEC(size_t) writes; /* indices of uses */
	bool unset;            /* also what was there before any of them, or something unknown */
};

/* The writes that may reach any point of a line of a function; `unset` if it has none. */
void src_reaching_line(const struct src_facts *facts, size_t variable, unsigned file, unsigned line,
	struct src_reaching *ret);
void src_reaching_deinit(struct src_reaching *reaching);

/* Whether a variable is written on a line. */
bool src_is_written_on(
	const struct src_facts *facts, size_t variable, unsigned file, unsigned line);
/* Whether a value that a variable has behind a point may be read: not only to step it on. */
bool src_is_live(const struct src_facts *facts, size_t variable, size_t point);

/* Whether a variable was written as a whole on every way that leads behind a point; false if the
 * flow of its function is not known. That its address goes somewhere does not matter: what is
 * written is not unwritten. */
bool src_is_set(const struct src_facts *facts, size_t variable, size_t point);
/* Whether the source itself reads it later, by its name: as src_is_live(), but that its address
 * goes somewhere does not matter. */
bool src_is_read_later(const struct src_facts *facts, size_t variable, size_t point);

/* For each point of the variable's function, from its first: the one write that reaches it, or
 * SRC_NOWHERE: none or several do, or nothing does. To be freed; NULL if nothing is known. */
size_t *src_reaching_only(const struct src_facts *facts, size_t variable);
/* Whether the function may go from some point of one line to some point of the other, without a
 * write of the variable on the way. */
bool src_can_follow(const struct src_facts *facts, size_t variable, unsigned file, unsigned line,
	unsigned later_file, unsigned later_line);

/* What a variable holds on a line, by the writes that reach it. */
enum src_holds {
	SRC_HOLDS_ANYTHING,
	SRC_HOLDS_CONSTANT,  /* one constant */
	SRC_HOLDS_INDUCTION, /* a constant, stepped on by constants */
	SRC_HOLDS_UNSET,     /* perhaps nothing: it was not written on every way */
};
enum src_holds src_holds_on(
	const struct src_facts *facts, size_t variable, unsigned file, unsigned line);

#endif
