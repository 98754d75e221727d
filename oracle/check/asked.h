/* asked.h - what a check asked, and what it could not ask, by reason: no silence passes for an
 * answer.
 *
 * Rules:
 * 1. Each rule counts in a unit of its own (`what`: lines, stores, values, ...), and every unit
 *    that it came across counts once: as asked, or as left with the first reason that kept it back.
 * 2. Texts are literals: they are kept as they are. A reason reads behind a number: `9 without a
 *    store instruction at the hit`. */
#ifndef ORA_ASKED_H
#define ORA_ASKED_H

#include <stdint.h>

#include "base/vec.h"

struct ora_asked_rule {
	const char *rule, *what;
	uint64_t asked;
	XS_VEC(struct ora_asked_left {
		const char *reason;
		uint64_t count;
	})
	left;
};

struct ora_asked {
	XS_VEC(struct ora_asked_rule) rules; /* in the order in which they first counted */
};

/* Counts what was asked; with 0 the rule is named all the same. */
void ora_asked_add(struct ora_asked *asked, const char *rule, const char *what, uint64_t count);
/* Counts what was not. */
void ora_asked_leave(struct ora_asked *asked, const char *rule, const char *what,
	const char *reason, uint64_t count);
/* How much was asked by all rules. */
uint64_t ora_asked_total(const struct ora_asked *asked);
void ora_asked_deinit(struct ora_asked *asked);

#endif
