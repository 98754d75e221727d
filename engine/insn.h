/* insn.h - what must be known about an instruction before it is executed.
 *
 * Where control can go after it, and what a tracer has to take care of. Everything else is the
 * processor's business. */
#ifndef ENG_INSN_H
#define ENG_INSN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/addr.h"

#define ENG_INSN_MAX 15u /* bytes in the longest one */

enum eng_insn_kind {
	ENG_INSN_PLAIN,         /* goes on to the next one */
	ENG_INSN_REP,           /* repeated string instruction: stays at its pc until it is done */
	ENG_INSN_PUSHF,         /* stores the flags, and with them the trap flag of a step */
	ENG_INSN_SYSCALL,       /* enters the kernel; leaves the flags, as PUSHF does, in r11 */
	ENG_INSN_JUMP,          /* to a fixed target */
	ENG_INSN_CALL,          /* of a fixed target */
	ENG_INSN_CONDITIONAL,   /* to a fixed target, or on to the next one */
	ENG_INSN_INDIRECT_JUMP, /* to what a register or memory holds */
	ENG_INSN_INDIRECT_CALL, /* of what a register or memory holds */
	ENG_INSN_RETURN,        /* to what the stack holds */
	ENG_INSN_OTHER, /* int3, far branches, no instruction at all: must really be executed */
};

/* Registers as instructions number them. */
enum eng_insn_reg { ENG_INSN_RSP = 4, ENG_INSN_RIP = 16, ENG_INSN_NO_REG = 17 };

struct eng_insn {
	uint8_t kind;      /* enum eng_insn_kind */
	uint8_t length;    /* in bytes; 0 if the bytes are no instruction */
	uint8_t condition; /* CONDITIONAL: 0 to 15 as jcc numbers them, 0xe0 loopne, 0xe1 loope,
			    * 0xe2 loop, 0xe3 jrcxz */
	bool memory;       /* INDIRECT: the target is in memory, else in `base` */
	uint8_t base, index, scale; /* INDIRECT: of the address, or the register itself */
	uint8_t relative; /* where its displacement to rip is, four bytes; 0: it has none */
	bool pops_flags;  /* may set the trap flag */
	uint16_t pops;    /* RETURN: bytes of arguments that it takes from the stack */
	int64_t offset;   /* JUMP, CALL, CONDITIONAL: target - next; INDIRECT: displacement */
};

/* Looks at the size bytes of code at bytes. */
struct eng_insn eng_insn_decode(const uint8_t *bytes, size_t size);
/* Where a direct branch at pc goes. */
static inline xs_addr eng_insn_target(const struct eng_insn *insn, xs_addr pc)
{
	return pc + insn->length + (uint64_t)insn->offset;
}
/* Where control certainly goes after insn at pc; XS_ADDR_NONE if that is not certain. */
xs_addr eng_insn_next(const struct eng_insn *insn, xs_addr pc);
/* Whether it writes memory other than the stack's top: one of its operands is there, and its
 * address is not made of rsp. */
bool eng_insn_stores(const uint8_t *bytes, size_t size);
/* Whether it writes memory by way of rsp or rbp, pushes and calls included. */
bool eng_insn_writes_frame(const uint8_t *bytes, size_t size);
/* Whether a copy of it elsewhere may do something else, beyond what its operands relative to rip
 * tell: it may set the trap flag, or store the address of an instruction of the x87. */
bool eng_insn_is_delicate(const uint8_t *bytes, size_t size);
/* Whether it reads or writes memory by an operand, and not only works out an address. */
bool eng_insn_reads(const uint8_t *bytes, size_t size);
/* The registers that it writes, as bits: 0 to 15 as instructions number them, 16 to 31 xmm0 to
 * xmm15. All if the bytes are no instruction. A call writes what it writes itself. */
uint32_t eng_insn_writes(const uint8_t *bytes, size_t size);
/* The instruction at pc in AT&T's syntax; false if the bytes are none. */
bool eng_insn_text(const uint8_t *bytes, size_t size, xs_addr pc, char *text, size_t text_size);
/* The version of the decoder library, as text. */
const char *eng_insn_library(void);

#endif
