/* traps.h - int3 bytes planted in the program's code, each with the byte it covers.
 *
 * Rules:
 * 1. Whoever reads code through eng_traps_read() sees the original bytes.
 * 2. A trap stays until it is lifted; the fence may come and go over it.
 * 3. Traps are in memory only while the followed thread is the only one: `planted` tells.
 * 4. Where nearly every byte is trapped, a cover does: it keeps an image of the code with its
 *    traps, so that planting is one write. Single traps stand outside of covers.
 * 5. Code of a cover can also be written over with other code (eng_traps_patch). Such bytes come
 *    and go with the traps, and rule 1 holds for them too. */
#ifndef ENG_TRAPS_H
#define ENG_TRAPS_H

#include "base/map.h"
#include "engine/tracee.h"

struct eng_trap {
	xs_addr address;  /* where */
	uint8_t original; /* what it covers */
};

/* A stretch of code of which any number of bytes may be trapped. */
struct eng_cover {
	xs_addr lo, hi;    /* where */
	uint8_t *original; /* its bytes */
	uint8_t *image;    /* the same with its traps and patches */
	bool *trapped;     /* which bytes are traps */
};

struct eng_traps {
	struct xs_map index;             /* address -> index into list, plus 1; 0: lifted */
	XS_VEC(struct eng_trap) list;    /* all that are wanted */
	XS_VEC(struct eng_cover) covers; /* sorted, apart from each other */
	struct xs_ranges areas;          /* memory of ours that patches lead to (rule 5) */
	bool planted;                    /* whether they are in memory */
};

/* Wants a trap at an address, and plants it if the others are planted. */
XS_MUST_CHECK struct xs_error *eng_traps_add(
	struct eng_traps *traps, struct eng_tracee *tracee, xs_addr address);
/* Takes one out for good. */
XS_MUST_CHECK struct xs_error *eng_traps_lift(
	struct eng_traps *traps, struct eng_tracee *tracee, xs_addr address);
/* Traps every byte of the ranges that can be read; they meet no cover yet. */
XS_MUST_CHECK struct xs_error *eng_traps_cover(
	struct eng_traps *traps, struct eng_tracee *tracee, const struct xs_ranges *ranges);
/* Where an int3 cannot be: no instruction at all. Who comes there gets a SIGILL, pc being on it. */
enum { ENG_TRAP_INVALID = 0x06, ENG_TRAP_INVALID_HIGH = 0x60 };

/* Writes other code over [lo, lo + size), which is all in one cover. An int3 in it is a trap, and
 * so is ENG_TRAP_INVALID (or _HIGH). */
XS_MUST_CHECK struct xs_error *eng_traps_patch(struct eng_traps *traps, struct eng_tracee *tracee,
	xs_addr lo, const uint8_t *bytes, size_t size);
bool eng_traps_has(const struct eng_traps *traps, xs_addr address);
/* Whether the byte there, planted, is not the program's own. */
bool eng_traps_covers(const struct eng_traps *traps, xs_addr address);
/* The bytes [lo, lo + size) as they are when planted; NULL if they are not all in one cover. */
const uint8_t *eng_traps_image(const struct eng_traps *traps, xs_addr lo, size_t size);
/* Puts all of them into memory, or takes them out. Changes nothing if that is so already. */
XS_MUST_CHECK struct xs_error *eng_traps_plant(struct eng_traps *traps, struct eng_tracee *tracee);
void eng_traps_clear(struct eng_traps *traps, struct eng_tracee *tracee);
/* Shows (or hides for a moment) what is planted in the size bytes at address: an instruction that
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
