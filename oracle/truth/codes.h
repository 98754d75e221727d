/* codes.h - what the instructions of a program do to its call stack, by link-time pc.
 *
 * Instructions are decoded from the file, once each: this is asked at every executed step, and what
 * a tracer has planted in memory is nobody's business. */
#ifndef ORA_CODES_H
#define ORA_CODES_H

#include "base/map.h"
#include "base/vec.h"
#include "dwarf/module.h"
#include "dwarf/target.h"
#include "engine/insn.h"
#include "oracle/truth/shadow.h"

struct ora_code {
	xs_addr pc;           /* link-time */
	struct eng_insn insn; /* length 0: it cannot be decoded */
	xs_addr next;         /* the address behind it */
	xs_addr target;       /* of a direct branch, else XS_ADDR_NONE */
	bool inside;          /* whether the target is stepped */
	uint64_t function;    /* entry of the function that it is in; XS_ADDR_NONE: unknown */
	bool entry;           /* whether it is that */
	bool begins;          /* whether call frame information begins there */
};

/* Zero-initialised but for the module. */
struct ora_codes {
	struct di_module *module;
	struct xs_map index; /* pc -> index into list, plus 1 */
	XS_VEC(struct ora_code *) list;
	const struct ora_code *last[2]; /* what was asked for last */
};

/* The instruction at a pc. Lives as long as the codes do. */
const struct ora_code *ora_codes_at(struct ora_codes *codes, xs_addr pc);
void ora_codes_deinit(struct ora_codes *codes);

/* How control came from prev, which may be NULL, to pc. */
enum ora_way ora_codes_way(const struct ora_code *prev, const struct ora_code *pc);
/* Whether the shadow stack must be told of that stop. */
bool ora_codes_matter(const struct ora_code *prev, const struct ora_code *pc);
/* Whether the instruction is a call that may lead out of what is stepped. */
bool ora_code_leads_out(const struct ora_code *code);
/* Where an indirect branch at code leads with these registers, by DWARF number, in the process;
 * XS_ADDR_NONE: it is none, or that cannot be read. */
xs_addr ora_code_goal(const struct ora_code *code, const uint64_t *reg, xs_addr bias,
	const struct di_target *target);

#endif
