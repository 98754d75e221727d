/* xstate.h - the x87, SSE and AVX registers of an x86-64 thread, decoded.
 *
 * ptrace and core files both hand out the processor's XSAVE area in its standard form: the 512
 * bytes of FXSAVE, a header that says which components are in use, and the rest at offsets that
 * depend on the processor. A component that is not in use has its initial value, whatever bytes
 * stand in the area. */
#ifndef XS_XSTATE_H
#define XS_XSTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define XS_XSAVE_MAX 16384 /* bytes; the largest known area (with AMX) has 11008 */

struct xs_xstate {
	uint16_t fctrl, fstat;  /* x87 control and status word; bits 11-13 of the second are TOP */
	uint8_t ftag;           /* one bit per physical x87 register: set if it is in use */
	uint16_t fop;           /* last x87 opcode */
	uint64_t fip, fdp;      /* last x87 instruction and operand */
	uint8_t st[8][10];      /* st0 being the top of the stack */
	uint32_t mxcsr;         /* SSE control and status */
	unsigned vectors;       /* how many vector registers there are: 16, with AVX-512 32 */
	unsigned vector_size;   /* bytes in each: 16 (xmm), 32 (ymm) or 64 (zmm) */
	uint8_t vector[32][64]; /* their content, little-endian */
	uint64_t mask[8];       /* k0 to k7; zero without AVX-512 */
};

/* Where the components lie in the area: byte offsets by component number, 0 for none. */
struct xs_xsave_layout {
	uint32_t offset[8]; /* 2: upper halves of ymm, 5: masks, 6: upper halves of zmm0-15, 7:
			       zmm16-31 */
};

/* The layout that this processor uses, as it says itself. */
struct xs_xsave_layout xs_xsave_layout_here(void);
/* The layout of an area from another machine, told by its size as gdb tells it: Intel and AMD
 * differ once AVX-512 is there. */
struct xs_xsave_layout xs_xsave_layout_of_size(size_t size);

/* Decodes an area of `size` bytes; 512 bytes are those of FXSAVE alone. False if it is shorter
 * than that. */
bool xs_xstate_decode(struct xs_xstate *xstate, const void *area, size_t size,
	const struct xs_xsave_layout *layout);

#endif
