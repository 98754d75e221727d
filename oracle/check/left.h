/* left.h - what check_opt.c comes across: asked about, or left for a reason.
 *
 * A unit (a line, a variable at a line, a leaf) that was asked about once counts as asked, and else
 * with the first reason that kept it back. */
#ifndef ORA_LEFT_H
#define ORA_LEFT_H

#include "base/map.h"
#include "oracle/check/asked.h"

/* Why something was not asked. */
enum ora_left {
	ORA_LEFT_NO_CODE,
	ORA_LEFT_PART,
	ORA_LEFT_NOT_STEPPED,
	ORA_LEFT_FIRST,
	ORA_LEFT_OPENING,
	ORA_LEFT_DECLARED,
	ORA_LEFT_ENTRY,
	ORA_LEFT_UNKNOWN,
	ORA_LEFT_POINTER,
	ORA_LEFT_CHANGES,
	ORA_LEFT_ARRAY,
	ORA_LEFT_UNION,
	ORA_LEFT_UNSETTLED,
	ORA_LEFT_MERGED,
	ORA_LEFT_ROUNDED,
	ORA_LEFT_TWICE,
	ORA_LEFT_PASSES,
	ORA_LEFT_COUNT,
};

struct ora_tally {
	struct xs_map units; /* -> 1: asked; else 2 + enum ora_left */
};

void ora_tally_ask(struct ora_tally *tally, uint64_t unit);
void ora_tally_leave(struct ora_tally *tally, uint64_t unit, enum ora_left why);
/* Tells what there was of each, and lets go of it. */
void ora_tally_end(
	struct ora_tally *tally, struct ora_asked *asked, const char *rule, const char *what);

#endif
