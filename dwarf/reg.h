/* reg.h - the registers of x86-64 by their DWARF numbers. */
#ifndef DI_REG_H
#define DI_REG_H

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

#endif
