/* rounding.h - whether a floating value may be another one that was rounded otherwise.
 *
 * Optimised code may come to other last digits than unoptimised code of the same source, by the
 * book: a product and a sum are one operation (FMA), intermediate results are wider (x87), sums are
 * made in another order (-ffast-math), and what the compiler calculates itself is not what the
 * library comes to.
 *
 * Rules:
 * 1. Numbers of a floating type are near if they differ by less than 2^-16 of the larger, of a
 *    type of half the width 2^-6: some digits were lost, and others are left.
 * 2. So are numbers that are both smaller than the smallest normal one: they may be flushed to
 *    zero. Zeros of either sign are the same.
 * 3. One NaN is as good as another: neither its sign nor its payload is the program's choice.
 * 4. What is of a floating type shows in the name of the type, or else, as names may be anything,
 *    in the text of a value: `0.5`, `1e+20`, `nan`, `inf`. */
#ifndef ORA_ROUNDING_H
#define ORA_ROUNDING_H

#include <stdbool.h>

#include "base/vec.h"

/* The numbers that a leaf has. */
struct ora_rounding {
	XS_VEC(long double) numbers; /* each once, as the caller tells them */
	bool nan;                    /* a NaN is among them, and not in `numbers` */
	bool floating;               /* some text was that of no integer */
};

/* Adds a value that was not added before; what is no number is not. */
void ora_rounding_add(struct ora_rounding *rounding, const char *type, const char *value);
/* Whether a value is near one of them. */
bool ora_rounding_is_near(const struct ora_rounding *rounding, const char *type, const char *value);
void ora_rounding_deinit(struct ora_rounding *rounding);

#endif
