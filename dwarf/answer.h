/* answer.h - whether a question about the program has an answer, and if not, why.
 *
 * That a register was not saved, or that an expression is malformed, is a fact about the program's
 * debug information: data, to be stored and compared, and not an xs_error. The two ways of having
 * no answer are different facts and are never merged.
 *
 * The reason is a value (why.h). What was being done when it was met stands around it: an operator
 * of an expression, a bound of an array, a call. Answers are large and mostly known: copy them by
 * di_answer_copy(), and set them up by di_answer_known() instead of clearing them. */
#ifndef DI_ANSWER_H
#define DI_ANSWER_H

#include <stddef.h>

#include "base/cleanup.h"
#include "dwarf/why.h"

enum di_answer_state {
	DI_ANSWER_KNOWN,         /* there is one; it stands beside the di_answer */
	DI_ANSWER_OPTIMIZED_OUT, /* the program no longer holds it */
	DI_ANSWER_ERROR,         /* the debug information asks for what cannot be done */
};

enum di_within_kind {
	DI_WITHIN_SECTION,  /* at `offset` of the section `name` */
	DI_WITHIN_OPERATOR, /* at operator `at` of an expression, there if name is not NULL */
	DI_WITHIN_END,      /* at the end of an expression, likewise */
	DI_WITHIN_PART,     /* in working out `name`: `the array's bound` */
	DI_WITHIN_TYPE,     /* in what is of the type `name` */
	DI_WITHIN_CALL, /* in finding out how a call of `name` (NULL: of what is at `offset`) led to
			     * the function `other` */
};

/* What was being done when a reason was met. */
struct di_within {
	enum di_within_kind kind;
	uint8_t version, address_size, offset_size; /* expressions: those of the unit */
	const char *name;                           /* by kind */
	const char *other;                          /* by kind */
	uint64_t offset;                            /* by kind; of an expression: in its section */
	const uint8_t *data;                        /* expressions: the bytes */
	size_t size;                                /* how many those are */
	size_t at;                                  /* OPERATOR: where it begins in them */
	uint64_t die_base;                          /* expressions: that of the unit */
};

#define DI_WITHIN_MAX 6 /* more are not kept: the innermost go, which the words have no room for */

struct di_answer {
	enum di_answer_state state;
	unsigned depth;    /* how many of `within` hold */
	struct di_why why; /* its code is NONE while known, if nothing else is said */
	struct di_within within[DI_WITHIN_MAX]; /* the innermost first */
};

static inline void di_answer_known(struct di_answer *ret)
{
	ret->state = DI_ANSWER_KNOWN;
	ret->depth = 0;
	ret->why.code = DI_WHY_NONE;
}

/* There is none, for this reason. Returns false, for `return di_answer_error(answer, ...);` in
 * functions that answer or not. */
bool di_answer_none(struct di_answer *ret, enum di_answer_state state, const struct di_why *why);
/* The same, with the reason written out: a code, then the operands by their names,
 * `di_answer_error(answer, DI_WHY_ADDRESS_SPACE, .number = {space})`. */
#define di_answer_gone(ret, ...)                                                                   \
	di_answer_none(ret, DI_ANSWER_OPTIMIZED_OUT, &(const struct di_why){.code = __VA_ARGS__})
#define di_answer_error(ret, ...)                                                                  \
	di_answer_none(ret, DI_ANSWER_ERROR, &(const struct di_why){.code = __VA_ARGS__})

/* Says what was being done when the reason was met. Returns false. */
bool di_answer_within(struct di_answer *ret, const struct di_within *within);

void di_answer_copy(struct di_answer *ret, const struct di_answer *from);

/* A number for all that is said. Equal answers have equal numbers as long as their operands live.
 * */
uint64_t di_answer_hash(const struct di_answer *answer);

#endif
