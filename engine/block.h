/* block.h - stretches of code that run from their first instruction to their last.
 *
 * A block follows direct jumps and calls as long as they stay in the ranges of interest. It ends
 * with the first instruction after which control may go elsewhere (conditional and indirect
 * branches, returns), leaves the ranges, enters the kernel, or cannot be foreseen; where its next
 * address is already part of it; and where a trap is already, since it would not get past that.
 *
 * A block is decoded once, from the original bytes. Code that changes afterwards is noticed by its
 * last instruction not being where it was (see exact.c). */
#ifndef ENG_BLOCK_H
#define ENG_BLOCK_H

#include "engine/traps.h"
#include "engine/insn.h"

#define ENG_BLOCK_MAX 256u /* instructions; a longer one is cut */

struct eng_block_insn {
	xs_addr pc;     /* where it is */
	size_t counter; /* of the transition from the instruction before it in the block */
};

struct eng_block {
	xs_addr entry;                /* its first pc */
	struct eng_block_insn *insns; /* all of them, in the order they are executed */
	unsigned count;               /* how many; at least one */
	struct eng_insn last;         /* the last one, decoded */
	bool certain;  /* none of it begins one byte behind its last: a thread there has trapped */
	bool overlaps; /* an instruction of it covers a trap of another: step it */
};

struct eng_blocks {
	struct xs_map index; /* (entry, whether a trap is on it) -> index into list, plus 1 */
	XS_VEC(struct eng_block *) list;
};

/* The block that begins at pc, decoded if it is new. counter_of gives transitions their counters.
 */
XS_MUST_CHECK struct xs_error *eng_blocks_at(struct eng_blocks *blocks, struct eng_tracee *tracee,
	const struct eng_traps *traps, const struct xs_ranges *ranges, xs_addr pc,
	size_t (*counter_of)(void *arg, xs_addr prev, xs_addr pc), void *arg,
	struct eng_block **ret);
/* The block that begins at pc, or NULL if it was not decoded yet. */
struct eng_block *eng_blocks_find(
	const struct eng_blocks *blocks, const struct eng_traps *traps, xs_addr pc);
void eng_blocks_deinit(struct eng_blocks *blocks);

#endif
