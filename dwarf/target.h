/* target.h - a machine state: registers and memory, wherever they come from.
 *
 * All that dwarf/ knows of a process. A live tracee, a core file and a test's byte array each
 * provide one. It describes the innermost frame of one thread, stopped; nothing in it changes while
 * it is being looked at. */
#ifndef DI_TARGET_H
#define DI_TARGET_H

#include "base/addr.h"
#include "dwarf/module.h"

/* A module and where it was loaded. */
struct di_mapping {
	struct di_module *module;
	uint64_t bias; /* process address - link-time address */
};

/* DWARF numbers of x86-64 registers (psABI, figure 3.36). */
enum di_reg {
	DI_REG_RAX = 0,
	DI_REG_RDX = 1,
	DI_REG_RCX = 2,
	DI_REG_RBX = 3,
	DI_REG_RSI = 4,
	DI_REG_RDI = 5,
	DI_REG_RBP = 6,
	DI_REG_RSP = 7,
	DI_REG_R8 = 8,
	DI_REG_R15 = 15,
	DI_REG_RIP = 16,     /* the return address column; the pc in a frame */
	DI_REG_GENERAL = 17, /* how many of those there are */
	DI_REG_XMM0 = 17,    /* to 32: as wide as the processor has them (xmm, ymm) */
	DI_REG_ST0 = 33,     /* to 40: 10 bytes each */
	DI_REG_RFLAGS = 49,
	DI_REG_ES = 50, /* es cs ss ds fs gs */
	DI_REG_FS_BASE = 58,
	DI_REG_GS_BASE = 59,
	DI_REG_MXCSR = 64,
	DI_REG_XMM16 = 67, /* to 82 */
};

#define DI_REG_BYTES 64 /* of the widest register */

struct di_target {
	void *arg; /* first argument of every callback */
	/* The content of a register, little-endian, and its size in bytes; false if this machine
	 * state does not have it. */
	bool (*reg)(void *arg, unsigned reg, uint8_t bytes[DI_REG_BYTES], unsigned *size);
	/* All size bytes at addr; false if any of them cannot be read. */
	bool (*memory)(void *arg, xs_addr addr, void *ret, size_t size);
	/* Optional, both: a mark of now, and whether the bytes are certainly those that they were
	 * at such a mark. */
	uint64_t (*mark)(void *arg);
	bool (*is_same)(void *arg, xs_addr addr, size_t size, uint64_t mark);
	/* The module whose code or data holds a process address; NULL if none does. */
	const struct di_mapping *(*find)(void *arg, xs_addr addr);
};

#endif
