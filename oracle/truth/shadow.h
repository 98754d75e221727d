/* shadow.h - the true call stack, kept while the program runs.
 *
 * An activation is one call of a function: it has a slot, the address of the word that holds its
 * return address, and its true CFA is slot + 8. What the registers held when it was called is what
 * its caller must get back, and what the running function was entered with are its entry values.
 * Nothing here is read from the DWARF. Whoever steps the program tells of each stop that may change
 * the stack (ora_shadow_step()); all else stays in the activation that runs.
 *
 * Rules:
 * 1. An activation is known only if its first instruction was seen: there rsp is the slot, by the
 *    psABI, however control came there (call, callback out of library code, signal, a new stack).
 * 2. A call is one if the instruction before is a call and the word at rsp is the address behind
 *    it. `call next; pop` is a push, unless a function begins there: one that does not return may
 *    be called by the last instruction of the function before it. A call to what is no function
 *    leaves the activation *odd* until rsp is above that word again: nobody knows what it means.
 * 3. A return is one if it leads to the return address and rsp is behind the slot. Any other way to
 *    leave (longjmp, exceptions, the end of a signal handler, other stacks) is told by where
 *    control comes back: the activation that waits at this very pc and rsp, else one of this
 *    function whose part of the stack rsp is in. Where there is none the stack is *lost* until
 *    control comes back to one that is known.
 * 4. A tail call is a jump to a function's first instruction with rsp at the slot. The activation
 *    stays, with its caller's registers; its entry values are new. Where the jump may have led to
 *    code that nobody steps, and such code called the activation, that may have called once more
 *    (exit() calls handlers that end with puts()): the activation is a new one. Such a jump to
 *    another function with rsp elsewhere is assembly's, that has pushed a return address or what
 *    an interrupt leaves: the activation is odd, as in rule 2.
 * 5. Code that nobody steps lies between some activations and those below: `joined` then says that
 *    the way to the one below leads through such code, not that there is none. */
#ifndef ORA_SHADOW_H
#define ORA_SHADOW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/addr.h"
#include "base/vec.h"
#include "dwarf/reg.h"

/* How an activation came about. */
enum ora_came {
	ORA_CAME_START,   /* it was there first */
	ORA_CAME_CALL,    /* the activation below called it */
	ORA_CAME_OUTSIDE, /* code that nobody steps called it: a callback, a new stack */
	ORA_CAME_SIGNAL,  /* the kernel did, for a signal */
};

struct ora_activation {
	enum ora_came came;
	bool joined;  /* the one below is where it leads back to: as its caller, or (OUTSIDE,
			* SIGNAL) behind code that nobody steps */
	xs_addr slot; /* where its return address is */
	xs_addr back; /* that, as it was when it was called */
	uint64_t caller[DI_REG_GENERAL];  /* registers when it was called, by DWARF number */
	uint64_t entered[DI_REG_GENERAL]; /* when the function that runs now was entered */
	bool entered_known; /* whether that holds: rule 4, or it came in by the middle */
	uint64_t
		ended[DI_REG_GENERAL]; /* the same of the function that ended with that tail call */
	bool ended_known;              /* whether that holds */
	xs_addr tail;      /* the jump by which that function was entered; XS_ADDR_NONE: a call */
	uint64_t function; /* which function runs now: any number that tells functions apart */
	xs_addr held_at;   /* where it waits: the call, or the instruction before a signal; */
	xs_addr held_pc;   /* the pc that it goes on at; */
	xs_addr held_sp;   /* rsp then. All are XS_ADDR_NONE if it never waited */
	xs_addr odd;       /* rsp after a call (rule 2) or a jump (rule 4) that is none, or NONE */
	uint64_t serial;   /* tells it from all others */
};

struct ora_shadow {
	XS_VEC(struct ora_activation) stack; /* outermost first */
	bool lost;                           /* what runs now is not the last of them (rule 3) */
	uint64_t serial;                     /* how many activations there were */
};

/* What the instruction before did. */
enum ora_way {
	ORA_WAY_FIRST,    /* there is none */
	ORA_WAY_DIRECT,   /* went on, or jumped to a fixed address: this one */
	ORA_WAY_CALL,     /* called a fixed address: this one */
	ORA_WAY_CALL_OUT, /* called something; control may have been anywhere since */
	ORA_WAY_JUMP_OUT, /* jumped to what a register or memory holds, or out of what is stepped;
			   * likewise */
	ORA_WAY_RETURN,   /* returned; likewise */
	ORA_WAY_OTHER,    /* none of these leads here: control came from elsewhere */
};

/* The state that a signal interrupted, as the kernel saved it. */
struct ora_interrupted {
	xs_addr pc, sp;
	uint64_t function; /* that pc is in, if it is stepped; else 0 */
};

/* A stop that may change the stack. */
struct ora_shadow_step {
	enum ora_way way;
	xs_addr prev;        /* the instruction before; XS_ADDR_NONE: none */
	xs_addr next;        /* the address behind it */
	unsigned pops;       /* of RETURN: bytes of arguments that it takes from the stack */
	xs_addr pc;          /* where the thread is */
	bool entry;          /* the first instruction of a function */
	uint64_t function;   /* that it is in */
	const uint64_t *reg; /* DI_REG_GENERAL registers by DWARF number */
	bool top_known;      /* whether the next could be read */
	uint64_t top;        /* the word at rsp */
	const struct ora_interrupted *interrupted; /* top is a signal's return address; or NULL */
	xs_addr waits; /* the instruction at pc is a call that may lead out: the address behind it;
			* else XS_ADDR_NONE */
};

void ora_shadow_step(struct ora_shadow *shadow, const struct ora_shadow_step *step);
/* What runs now; NULL: it is not known. */
const struct ora_activation *ora_shadow_top(const struct ora_shadow *shadow);
void ora_shadow_deinit(struct ora_shadow *shadow);

#endif
