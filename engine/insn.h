/* insn.h - what must be known about an instruction before it is stepped. */
#ifndef ENG_INSN_H
#define ENG_INSN_H

#include <stddef.h>
#include <stdint.h>

#define ENG_INSN_MAX 15u /* bytes in the longest one */

enum eng_insn_kind {
	ENG_INSN_PLAIN,   /* nothing special, or not an instruction at all: the processor decides */
	ENG_INSN_REP,     /* repeated string instruction: stays at its pc until it is done */
	ENG_INSN_PUSHF,   /* stores the flags, and with them the trap flag of a step */
	ENG_INSN_SYSCALL, /* leaves the flags in r11, likewise */
	ENG_INSN_CALL,    /* pushes a return address */
};

struct eng_insn {
	enum eng_insn_kind kind; /* what it is */
	uint8_t length;          /* in bytes; 0 if the bytes are no instruction */
};

/* Looks at the size bytes of code at bytes. */
struct eng_insn eng_insn_decode(const uint8_t *bytes, size_t size);
/* The version of the decoder library, as text. */
const char *eng_insn_library(void);

#endif
