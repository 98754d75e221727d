/* ranges.h - the code of a DIE: its address ranges and where it is entered.
 *
 * Read here, and not by libdw, which knows neither the skeletons of packages nor what linkers leave
 * behind.
 *
 * Rules:
 * 1. Code that the linker discarded is not there. Its ranges begin at 0, 1, -1 or -2, by linker and
 *    section: outside the module's code. Offsets from such a base lead nowhere either.
 * 2. A range that ends before it begins holds nothing and is left out. Empty ranges are told.
 * 3. A list that cannot be understood ends where that is noticed; `why` says what it is. */
#ifndef DI_RANGES_H
#define DI_RANGES_H

#include "dwarf/unit.h"

enum di_ranges_kind {
	DI_RANGES_NONE,   /* no more */
	DI_RANGES_SINGLE, /* one, without a list */
	DI_RANGES_OLD,    /* a list in .debug_ranges, before DWARF 5 */
	DI_RANGES_NEW,    /* one in .debug_rnglists */
};

/* The ranges of a DIE while they are read. */
struct di_ranges {
	const struct di_unit *unit; /* whose */
	struct di_cursor at;        /* next entry of a list */
	xs_addr base;               /* added to offsets */
	struct xs_range single;     /* the only one, without a list */
	enum di_ranges_kind kind;   /* where they come from */
	bool told;                  /* there was a range, be it discarded */
	struct di_why why;          /* what is wrong; its code is NONE if nothing is */
};

/* Begins to read the ranges of a DIE of the unit: DW_AT_low_pc and DW_AT_high_pc, or DW_AT_ranges.
 */
void di_ranges_open(struct di_ranges *ranges, const struct di_unit *unit, Dwarf_Die *die);
/* The next one; false behind the last. */
bool di_ranges_next(struct di_ranges *ranges, struct xs_range *ret);

/* Where the code of a DIE is entered: DW_AT_entry_pc, DW_AT_low_pc, or the first range. False if it
 * has no code. */
bool di_ranges_entry(const struct di_unit *unit, Dwarf_Die *die, xs_addr *ret);

#endif
