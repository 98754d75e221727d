/* detour.h - lets a conditional branch run at full speed one way, and trap the other way.
 *
 * A trap on the branch would cost a stop each time it is executed; one where it leads to does not
 * know who came there. So the code of the branch itself is changed:
 *
 *     redirected  If it is the jump that shall trap, its displacement leads to a *pad* instead, an
 *                 int3 of its own: in memory mapped for that, or, where the displacement has one
 *                 byte, inside of an instruction nearby that was never executed and is all traps.
 *     diverted    Otherwise a jmp stands in its place and leads to a *stub* in memory mapped for
 *                 that: the same branch, followed by a pad.
 *
 * A jmp is longer than most branches. Its last bytes are then those of the code that follows. Where
 * that code is executed, its bytes stay as they are. Where it never was, the bytes are ours, but
 * for int3 where its instructions begin. The bytes of the displacement that are free decide where
 * the stub can be. Where that is nowhere, the instruction before the branch moves into the stub
 * too: its *lead*. Whoever comes to the branch in another way then meets an int3 as before.
 *
 * Rules:
 * 1. A detour is bytes of the program's code that are not its own: eng_traps keeps the original.
 * 2. What a detour rests on may change only after eng_detours_disturb(), and an instruction that
 *    was not executed before needs its bytes back: eng_detours_vacate(). Both remove detours; their
 *    branches are then traps from end to end, as before.
 * 3. A branch changes neither flags nor memory: a thread in a stub is as good as one that has yet
 *    to execute the branch, or its lead. Whoever stops it says so (eng_detours_pc), so that no
 *    pc in a stub is ever seen, by a signal handler or by anybody else. */
#ifndef ENG_DETOUR_H
#define ENG_DETOUR_H

#include "engine/process.h"

struct eng_detour {
	xs_addr pc;        /* of the branch */
	xs_addr at;        /* of what was changed: pc, or that of its lead */
	uint8_t length;    /* of the branch */
	uint8_t extent;    /* how many bytes from `at` on it rests on */
	uint32_t owned;    /* bit i: byte at + i was never executed, and is ours */
	uint8_t condition; /* of the branch */
	bool taken;        /* which way traps */
	xs_addr stub;      /* 0 if redirected */
	xs_addr pad;       /* the int3 of the way that traps */
};

/* Memory of the program that was mapped for stubs and pads. */
struct eng_area {
	xs_addr lo, hi; /* where */
	uint8_t *used;  /* which bytes are taken, a bit each */
};

struct eng_detours {
	/* Set by the caller. */
	struct eng_process *process;
	struct eng_traps *traps;
	const struct xs_map *seen; /* pc -> nonzero if an instruction there was executed */
	xs_addr keep;              /* a trap that must stay what it is */

	struct xs_map index;            /* (address, which of them) -> index into list, plus 1 */
	XS_VEC(struct eng_detour) list; /* all that there were */
	XS_VEC(struct eng_area) areas;  /* where stubs and pads are */
};

/* Makes the conditional branch at pc, whose bytes are all traps, trap only if it jumps (taken) or
 * only if it does not. *ret is false if that cannot be done; *signal is as for eng_inject_mmap().
 */
XS_MUST_CHECK struct xs_error *eng_detours_add(struct eng_detours *detours, xs_addr pc,
	const struct eng_insn *insn, bool taken, int *signal, bool *ret);
bool eng_detours_has(const struct eng_detours *detours, xs_addr pc);
/* Bytes [lo, hi) are about to change. */
XS_MUST_CHECK struct xs_error *eng_detours_disturb(
	struct eng_detours *detours, xs_addr lo, xs_addr hi);
/* An instruction at [lo, hi) is about to be executed for the first time. */
XS_MUST_CHECK struct xs_error *eng_detours_vacate(
	struct eng_detours *detours, xs_addr lo, xs_addr hi);
/* The code at [lo, hi) is no more: forgets what was there, and writes nothing. */
void eng_detours_forget(struct eng_detours *detours, xs_addr lo, xs_addr hi);
/* The pc of the program's own code where a stopped thread is, if its pc is in a stub or, if it has
 * just trapped, behind a pad. XS_ADDR_NONE if it is not. */
xs_addr eng_detours_pc(
	const struct eng_detours *detours, const struct user_regs_struct *regs, bool trapped);
void eng_detours_deinit(struct eng_detours *detours);

#endif
