/* bisection.h - searches among answers of which some are no answers.
 *
 * A question may be unfit: the build fails, the time is up. That is neither `found` nor `gone`, and
 * decides nothing. Rules:
 * 1. What is named rests on two answers: found with it, gone without it. Both were given.
 * 2. Where an answer is unfit, the nearest questions are asked instead. After a few of these the
 *    search ends, and says that nobody can tell. */
#ifndef ORA_BISECTION_H
#define ORA_BISECTION_H

#include <stdint.h>

#include "base/error.h"
#include "oracle/cause/case.h"

/* Asks about limits, several at a time: is the finding there with so many of something? */
struct ora_search {
	struct xs_error *(*ask)(
		void *context, const uint64_t *limits, size_t count, enum ora_case_end *ends);
	void *context;
	uint64_t jobs; /* questions at a time; at least 1 */
};

/* The least number with which the finding is there: it was gone with `low`, and found with `high`.
 * *end: FOUND, or UNFIT if answers between the two are missing; *number is the best so far then. */
XS_MUST_CHECK struct xs_error *ora_search_least(const struct ora_search *search, uint64_t low,
	uint64_t high, uint64_t *number, enum ora_case_end *end);

/* Asks about a set: is the finding there without these? */
struct ora_search_set {
	struct xs_error *(*ask)(void *context, const bool *without, enum ora_case_end *end);
	void *context;
	size_t count; /* of things in all */
	size_t most;  /* a larger set says little */
};

/* A smallest set without which the finding is gone; set[i]: i belongs to it. *end: GONE, and that
 * was asked; FOUND: it is there without all of them; UNFIT: there is no such set, or nobody can
 * tell. */
XS_MUST_CHECK struct xs_error *ora_search_find_set(
	const struct ora_search_set *search, bool *set, enum ora_case_end *end);

#endif
