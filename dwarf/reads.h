/* reads.h - what looking at a variable asked of the machine, and what it was told.
 *
 * What is said of a variable follows from its place and from these answers alone. As long as both
 * are the same, nothing need be evaluated, decoded or put into words again: between two stops most
 * variables do not change. */
#ifndef DI_READS_H
#define DI_READS_H

#include "dwarf/place.h"
#include "dwarf/target.h"

enum di_read_kind {
	DI_READ_MEMORY,     /* what: address */
	DI_READ_REGISTER,   /* what: number; no bytes: nobody saved it from the call */
	DI_READ_FRAME_BASE, /* stands for all that was asked to find it */
	DI_READ_CFA,
	DI_READ_PC,       /* of a caller: by which call it was entered */
	DI_READ_FUNCTION, /* what was entered: its first address, 0: unknown */
};

struct di_read {
	enum di_read_kind kind;
	unsigned outward; /* of a caller's frame: so many frames further out; 0: its own */
	uint64_t what;    /* see the kinds */
	size_t at, size;  /* the answer, in di_reads.bytes */
};

struct di_reads {
	bool whole;                       /* nothing else mattered; else one has to look again */
	const struct di_mapping *mapping; /* the module of the frame */
	enum di_place_kind place;         /* what was evaluated: with the next two, which place */
	const void *expression;           /* its bytes */
	uint64_t entry;                   /* of the list that it was chosen from */
	xs_addr lookup;                   /* the only pc that this holds for; XS_ADDR_NONE: any */
	uint64_t mark;                    /* when they were last found to hold (di_target.mark) */
	XS_VEC(struct di_read) list;      /* in the order they were asked */
	XS_VEC(uint8_t) bytes;            /* the answers */
};

void di_reads_deinit(struct di_reads *reads);

/* Notes an answer. */
void di_reads_note(struct di_reads *reads, enum di_read_kind kind, unsigned outward, uint64_t what,
	const void *answer, size_t size);

/* Whether nothing but memory mattered, so that as long as that is what it was the answers hold: for
 * the same place seen from the same mapping. */
bool di_reads_are_memory(const struct di_reads *reads);

#endif
