/* rsp_registers.h - the registers of a thread as the gdb remote serial protocol has them.
 *
 * One numbering for all clients: gdb's order of org.gnu.gdb.i386.core, .sse, .linux, .segments and,
 * where the processor has it, .avx. The description says so in gdb's words, and adds what lldb asks
 * for: the numbers that DWARF and .eh_frame use, and which register is the pc, sp, fp and flags. */
#ifndef ENG_RSP_REGISTERS_H
#define ENG_RSP_REGISTERS_H

#include "engine/rsp_packet.h"
#include "engine/tracee.h"

enum {
	ENG_RSP_REG_PC = 16,      /* rip */
	ENG_RSP_REG_GENERAL = 24, /* rax to gs: what every stop is told with */
	ENG_RSP_REG_MOST = 16,    /* bytes of the widest one */
};

/* How many there are. */
unsigned eng_rsp_registers(void);
/* The description of all of them, target.xml; belongs to the module. */
const char *eng_rsp_registers_xml(void);

/* The bytes of a register, ENG_RSP_REG_MOST at most; how many in *size. False if there is no such
 * register. */
XS_MUST_CHECK struct xs_error *eng_rsp_register_read(
	struct eng_tracee *tracee, unsigned number, uint8_t *ret, unsigned *size, bool *known);
/* The other way round. *known: there is such a register, and `size` is its size. */
XS_MUST_CHECK struct xs_error *eng_rsp_register_write(struct eng_tracee *tracee, unsigned number,
	const uint8_t *bytes, unsigned size, bool *known);
/* The size of a register; 0 if there is none of that number. */
unsigned eng_rsp_register_size(unsigned number);

#endif
