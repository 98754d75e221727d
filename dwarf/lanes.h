/* lanes.h - over which code something is said of a variable, for a picture of it.
 *
 * A lane is a set of addresses with a title: each block around the variable, from its function
 * inwards, and then each entry of its location list in the order of the list. A location that is
 * no list is one lane, where its block is.
 *
 * Nothing is evaluated: this is what the DWARF says of the code, whatever the program does. */
#ifndef DI_LANES_H
#define DI_LANES_H

#include "dwarf/scope.h"

enum di_lane_kind {
	DI_LANE_BLOCK, /* a function, an inlined call or a lexical block */
	DI_LANE_ENTRY, /* where one description of the place applies */
};

struct di_lane {
	enum di_lane_kind kind;
	char *title;     /* `main`, `inlined f`, `block`; of an entry its operators */
	uint64_t offset; /* in .debug_info, or in the section of the list */
	XS_VEC(struct xs_range) ranges; /* link-time, as they are written: may be empty */
	bool everywhere;                /* a default entry: wherever no other applies */
	const char *verdict; /* of an entry of a list: why it applies or not; else NULL */
};

struct di_lanes {
	XS_VEC(struct di_lane) vec;
	const char *section; /* of the list; NULL: there is none */
	bool found;          /* the variable is in the function that the pc is in */
};

/* The lanes of the variable whose entry is at offset `die` of .debug_info, as the link-time pc sees
 * it; those of the blocks around the pc, if die is 0 or is not in its function. */
void di_lanes_of(struct di_module *module, xs_addr pc, uint64_t die, struct di_lanes *ret);
void di_lanes_deinit(struct di_lanes *lanes);

#endif
