/* disasm.h - an instruction taken apart for those who compare code: 64-bit and 32-bit.
 *
 * insn.h says where control goes; this says what two instructions have in common: the operation,
 * the shape of the operands, the registers, the numbers. Fields that a linker or an assembler fills
 * in (displacements, immediates) are named by their place, so that the caller can leave them out.
 */
#ifndef ENG_DISASM_H
#define ENG_DISASM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/addr.h"

#define ENG_DISASM_TEXT 128 /* bytes that hold the text of any instruction */

/* A field of the instruction, in bytes; size 0: there is none. */
struct eng_field {
	uint8_t at, size;
};

struct eng_disasm {
	uint8_t length;    /* in bytes; 1 if these bytes are no instruction */
	bool valid;        /* they are one */
	bool nop;          /* does nothing, and may be there to fill space */
	bool branch;       /* goes to a place that the instruction names: `distance` */
	bool conditional;  /* a branch that may not be taken */
	bool jump;         /* control does not go on behind it: a jump, a return, ud2 */
	bool relative;     /* `disp` counts from the end of the instruction */
	uint16_t mnemonic; /* the operation */
	struct eng_field disp, imm[2];
	int64_t distance;   /* BRANCH: target - next */
	int64_t disp_value; /* of `disp` */
	uint64_t shape;     /* hash of operation and operands without registers and numbers */
	uint64_t registers; /* hash of the registers in the operands */
};

/* Takes apart the first instruction of the bytes. */
struct eng_disasm eng_disasm(const uint8_t *bytes, size_t size, bool is_64);
/* Its text in AT&T's syntax, `pc` being its address (XS_ADDR_NONE: unknown, what counts from it is
 * told so); `(bad)` if it is none. */
void eng_disasm_text(
	const uint8_t *bytes, size_t size, bool is_64, xs_addr pc, char text[ENG_DISASM_TEXT]);
/* The name of an operation. */
const char *eng_disasm_mnemonic(uint16_t mnemonic);

#endif
