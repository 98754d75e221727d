/* waiting.h - what a variable depends on in a frame that waits for a call to return.
 *
 * The pc of such a frame stays as it is, and so does the description of where a variable is. If
 * that reads no memory, then all that may be said of the variable follows from registers, as the
 * frame has them, and the variable's own bytes. Whoever has heard a debugger once may then look at
 * what the debugger takes these registers for, and at the bytes, and ask again when they change.
 * What is said is the debugger's alone.
 *
 * Rules:
 * 1. Variables are known by name and line of declaration: where several share these, all of them
 *    count, in whatever block they are. A debugger may take another one than it should.
 * 2. All entries of a location list that hold an address count, not only the first, and a frame is
 *    looked up by the address that its call returns to as well as by the one before it.
 * 3. What is in pieces or read from memory is unknown. So is all that has a type of which something
 *    is evaluated.
 * 4. The frame base is the CFA or rbp. Both are in what a frame is known by, and not told here.
 * 5. What a function was entered with is told by the frames further out (DI_WAITING_OUTWARD): by
 *    the registers that calls preserve, as the caller has them, if its call site reads no memory.
 *    Call sites of which more is to be known are told apart: see di_waiting_call. */
#ifndef DI_WAITING_H
#define DI_WAITING_H

#include "dwarf/module.h"

#define DI_WAITING_UNKNOWN UINT32_MAX
#define DI_WAITING_OUTWARD (1U << 16) /* and all that follows from the frames further out */

/* An entry of a location list. */
struct di_waiting_entry {
	xs_addr lo, hi; /* link-time; of an expression for all of the scope, everything */
	uint32_t needs; /* bit r: general register r, by its DWARF number; OUTWARD; or UNKNOWN */
};

struct di_waiting {
	const char *name;                        /* the module's */
	uint32_t line;                           /* of its declaration */
	bool unknown;                            /* everywhere; it has no entries then */
	XS_VEC(struct di_waiting_entry) entries; /* in no order; elsewhere it has no place */
};

typedef XS_VEC(struct di_waiting) di_waiting_list;

/* A call site whose parameters do not follow from preserved registers alone. */
struct di_waiting_call {
	xs_addr behind; /* link-time: where the call returns to */
	uint32_t needs; /* OUTWARD: what its own function was entered with has a part; or UNKNOWN */
};

typedef XS_VEC(struct di_waiting_call) di_waiting_calls;

/* The variables of the module's functions, each once. More entries than `most`: none at all. */
void di_waiting_find(struct di_module *module, size_t most, di_waiting_list *ret);
void di_waiting_deinit(di_waiting_list *list);

/* The call sites of the module's functions of which more is to be known, in no order. */
void di_waiting_find_calls(struct di_module *module, di_waiting_calls *ret);

#endif
