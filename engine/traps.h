/* traps.h - int3 bytes planted in the program's code, each with the byte it covers.
 *
 * Rules:
 * 1. Whoever reads code through eng_traps_read() sees the original bytes.
 * 2. A trap stays until it is lifted; the fence may come and go over it.
 * 3. Traps are in memory only while the followed thread is the only one: `planted` tells. */
#ifndef ENG_TRAPS_H
#define ENG_TRAPS_H

#include "base/map.h"
#include "engine/tracee.h"

struct eng_trap {
	xs_addr address;  /* where */
	uint8_t original; /* what it covers */
};

struct eng_traps {
	struct xs_map index;          /* address -> index into list, plus 1; 0: lifted */
	XS_VEC(struct eng_trap) list; /* all that are wanted */
	bool planted;                 /* whether they are in memory */
};

/* Wants a trap at an address, and plants it if the others are planted. */
XS_MUST_CHECK struct xs_error *eng_traps_add(
	struct eng_traps *traps, struct eng_tracee *tracee, xs_addr address);
/* Takes one out for good. */
XS_MUST_CHECK struct xs_error *eng_traps_lift(
	struct eng_traps *traps, struct eng_tracee *tracee, xs_addr address);
bool eng_traps_has(const struct eng_traps *traps, xs_addr address);
/* Puts all of them into memory, or takes them out. Changes nothing if that is so already. */
XS_MUST_CHECK struct xs_error *eng_traps_plant(struct eng_traps *traps, struct eng_tracee *tracee);
void eng_traps_clear(struct eng_traps *traps, struct eng_tracee *tracee);
/* Shows (or hides for a moment) the planted traps in the size bytes at address: an instruction that
 * must really be executed. */
XS_MUST_CHECK struct xs_error *eng_traps_show(const struct eng_traps *traps,
	struct eng_tracee *tracee, xs_addr address, unsigned size, bool show);
/* Takes the copies of planted traps out of a forked child's memory. */
void eng_traps_heal(const struct eng_traps *traps, pid_t child);
/* Code without traps: as many of the size bytes as can be read, counted in *ret. */
XS_MUST_CHECK struct xs_error *eng_traps_read(const struct eng_traps *traps,
	struct eng_tracee *tracee, xs_addr address, uint8_t *buffer, size_t size, size_t *ret);
void eng_traps_deinit(struct eng_traps *traps);

#endif
