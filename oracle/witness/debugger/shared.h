/* shared.h - one process, several witnesses: debuggers look at the very process that xstep holds.
 *
 * xstep runs the program and records what it has to say itself. Each debugger is connected to xstep
 * by the gdb remote protocol (engine/rsp_server.h) over a unix socket in a folder of its own, and
 * its driver asks at each stop what it asks when the debugger has a process of its own.
 *
 *     ora_shared_create --> debuggers start and read the program's symbols meanwhile
 *        ora_shared_stop   at each stop that is kept: returns when all have looked
 *     ora_shared_end    --> debuggers have ended, and all they said is there
 *     ora_testify       the testimony of each, one after the other, with `shared` set
 *
 * Rules:
 * 1. Lockstep: all see the same stop, and the process moves on when all that are left have asked
 *    for it. "Continue" and "step" both mean: to the next stop that is kept.
 * 2. The process is read-only to them.
 * 3. Which stop it is a driver reads from the page `stop` of its folder: see ora_shared_page.
 * 4. A debugger that dies, hangs, floods or sends garbage is dropped; its trouble is told with its
 *    testimony, and the others go on.
 * 5. What drivers write is kept in a file until it is told: all of it at the end, or in parts while
 *    they look at the next stop (ora_shared_meanwhile), if the sinks can hear several at once.
 * 6. A driver is sent a descriptor of the process's memory, to be read only, and finds its
 *    registers in the page. It looks there for what has changed since it asked its debugger; what
 *    it tells is its debugger's word.
 * 7. A driver whose debugger can forget what it has read of the process need not have it step: it
 *    writes into the page that it has looked, and waits for a byte, which is sent at the next stop
 *    and at the end. */
#ifndef ORA_SHARED_H
#define ORA_SHARED_H

#include "oracle/witness/own/record.h"
#include "oracle/witness/debugger/transcript.h"

/* What a driver reads at each stop; numbers of 64 bits, little-endian. */
struct ora_shared_page {
	uint64_t number, prev, pc, n; /* of the stop; link-time addresses, prev ~0: none */
	uint64_t bias;                /* process address - link-time address */
	uint64_t stops;               /* when it is over: how many there were, */
	uint64_t end;                 /* why: 0 not yet, 1 returned, 2 program, 3 limit, */
	uint64_t status, signal;      /* and how the program ended; ~0: not so */
	uint64_t regs;                /* whether these are the registers, in the order that */
	uint64_t reg[17];             /* drivers have them in: whose debugger need not be asked */
	uint64_t looked; /* by the driver: the number, when it has looked; see rule 7 */
};

struct ora_shared;

/* Starts the debuggers of these testimonies, which are set up as for ora_testify() and outlive it.
 * The run of each must be the recording's. */
XS_MUST_CHECK struct xs_error *ora_shared_create(
	struct ora_testimony *const *testimonies, size_t count, struct ora_shared **ret);
void ora_shared_destroy(struct ora_shared *shared);
XS_DEFINE_CLEANUP(ora_shared);

/* The process is at a stop, live: has all of them look at it. False if the run was interrupted. */
bool ora_shared_stop(
	struct ora_shared *shared, const struct ora_run *run, const struct ora_stop *stop);
/* The recording is over: lets the debuggers end. With `cut` they are ended at once. */
void ora_shared_end(struct ora_shared *shared, const struct ora_recording *recording, bool cut);
/* Whether a debugger has looked at a stop at all. */
bool ora_shared_looked(const struct ora_shared *shared, size_t which);
/* Whether it was a lent one (lent.h). */
bool ora_shared_was_lent(const struct ora_shared *shared, size_t which);
/* Something to be done at each stop while the debuggers look at it. */
void ora_shared_meanwhile(struct ora_shared *shared, void (*call)(void *context), void *context);
/* Passes on what it has said so far, but for its end. */
XS_MUST_CHECK struct xs_error *ora_shared_tell_some(
	struct ora_shared *shared, size_t which, struct ora_transcript *transcript);
/* Passes its lines on, with the transitions that xstep has counted; for debugger.c. */
XS_MUST_CHECK struct xs_error *ora_shared_tell(struct ora_shared *shared, size_t which,
	const struct ora_recording *recording, struct ora_transcript *transcript);

#endif
