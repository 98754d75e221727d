#include "oracle/check/left.h"

static const char *const reasons[ORA_LEFT_COUNT] = {
	[ORA_LEFT_NO_CODE] = "without code in the unoptimised program",
	[ORA_LEFT_PART] = "part of a statement that it executes",
	[ORA_LEFT_NOT_STEPPED] = "where the unoptimised program never stops",
	[ORA_LEFT_FIRST] = "at the first stop, before its statement begins",
	[ORA_LEFT_OPENING] = "where a function opens",
	[ORA_LEFT_DECLARED] = "at the line of their declaration",
	[ORA_LEFT_ENTRY] = "at a first instruction only",
	[ORA_LEFT_UNKNOWN] = "without a value in the unoptimised program",
	[ORA_LEFT_POINTER] = "pointers to something without a name",
	[ORA_LEFT_CHANGES] = "where they are being changed",
	[ORA_LEFT_MERGED] = "of generic functions of Rust, which may be merged",
	[ORA_LEFT_ARRAY] = "elements of local arrays",
	[ORA_LEFT_UNION] = "parts of local unions",
	[ORA_LEFT_ROUNDED] = "floating values that may be rounded otherwise",
	[ORA_LEFT_TWICE] = "of functions that call setjmp() or the like",
	[ORA_LEFT_PASSES] = "that have several values within a line",
	[ORA_LEFT_UNSETTLED] = "not known to be written before",
};

void ora_tally_ask(struct ora_tally *tally, uint64_t unit)
{
	*xs_map_at(&tally->units, unit, 0) = 1;
}

void ora_tally_leave(struct ora_tally *tally, uint64_t unit, enum ora_left why)
{
	uint64_t *known = xs_map_at(&tally->units, unit, 0);
	if (!*known)
		*known = 2 + (uint64_t)why;
}

void ora_tally_end(
	struct ora_tally *tally, struct ora_asked *asked, const char *rule, const char *what)
{
	uint64_t counts[2 + ORA_LEFT_COUNT] = {0};
	for (size_t i = 0; i < tally->units.cap; i++)
		if (tally->units.slots[i].used)
			counts[tally->units.slots[i].value]++;
	ora_asked_add(asked, rule, what, counts[1]);
	for (size_t i = 0; i < ORA_LEFT_COUNT; i++)
		ora_asked_leave(asked, rule, what, reasons[i], counts[2 + i]);
	xs_map_deinit(&tally->units);
}
