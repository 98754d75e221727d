/* code_pair.h - two object files, compared: what a report of the difference needs.
 *
 * The bytes are compared first. Only where they differ are both objects taken apart, which costs
 * more. Texts that are handed out are the caller's to free. */
#ifndef ORA_CODE_PAIR_H
#define ORA_CODE_PAIR_H

#include "oracle/code/code_compare.h"

struct ora_code_pair {
	struct ora_code *sides[2];             /* owned */
	bool taken_apart;                      /* the bytes differ, so that instructions counted */
	struct ora_code_comparison comparison; /* with that; without differences if they are none */
};

/* Reads and compares two object files. */
XS_MUST_CHECK struct xs_error *ora_code_pair_open(
	const char *first, const char *second, struct ora_code_pair *ret);
void ora_code_pair_deinit(struct ora_code_pair *pair);
/* The difference that stands for all of them; NULL: there is none. */
const struct ora_code_difference *ora_code_pair_worst(const struct ora_code_pair *pair);

/* The code around a difference: `-` the first, `+` the second. */
char *ora_code_pair_context(
	const struct ora_code_pair *pair, const struct ora_code_difference *one);
/* The instruction of a side at which it first differs; NULL if it has none there. */
char *ora_code_pair_instruction(
	const struct ora_code_pair *pair, const struct ora_code_difference *one, unsigned side);
/* The operations that differ first, `mov/lea`. */
char *ora_code_pair_words(const struct ora_code_pair *pair, const struct ora_code_difference *one);
/* How many functions differ, of how many that either has. */
void ora_code_pair_count(const struct ora_code_pair *pair, size_t *differ, size_t *all);
/* The source line of where the second differs, by the debug information of that file, whose path is
 * `second`. False: it is not code, or nothing says it. */
bool ora_code_pair_line(const struct ora_code_pair *pair, const struct ora_code_difference *one,
	const char *second, char **file, uint32_t *line);

#endif
