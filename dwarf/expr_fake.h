/* expr_fake.h - a machine made up for tests of the expression evaluator.
 *
 *     registers    RAX -2, RBX not saved, RDI 0x5000, RSP 0x7000, XMM0 1.5 as a double with ones
 *                  above, ST0 1.5 as long double, CS 16 bits of 0x33; no others
 *     memory       0x5000 to 0x503f hold 0xf0, 0xf1 ... 0xff, 0, 1 ...; reading 0xdead is trouble
 *     space 257    the address space in which 0x5000 to 0x503f hold 0x11 everywhere
 *     places       frame base 0x6000, CFA 0x7010, object 0x8000, thread-local storage at 0x9000
 *     .debug_addr  0x401000 and 42
 *     DIEs         see expr_fake.c; the unit begins at 0x100 and the load bias is 0x10000 */
#ifndef DI_EXPR_FAKE_H
#define DI_EXPR_FAKE_H

#include "dwarf/expr.h"

/* Base types, as operands: offsets in the unit. */
enum fake_type {
	FAKE_S8 = 1,
	FAKE_U8,
	FAKE_S16,
	FAKE_S32,
	FAKE_U32,
	FAKE_S64,
	FAKE_U64,
	FAKE_S72,
	FAKE_S128,
	FAKE_U128,
	FAKE_U512,
	FAKE_U7, /* 7 bits in 1 byte */
	FAKE_BOOL,
	FAKE_ADDRESS,
	FAKE_HALF,
	FAKE_FLOAT,
	FAKE_DOUBLE,
	FAKE_LONG_DOUBLE,
	FAKE_FLOAT128,
	FAKE_U1024,     /* too wide */
	FAKE_FLOAT24,   /* of no known format */
	FAKE_TYPES_END, /* from here on, no base type */
};

/* Other DIEs, in the same way. */
enum fake_die {
	FAKE_CALL_LIT5 = 0x40,   /* location: DW_OP_lit5 */
	FAKE_CALL_REG5,          /* DW_OP_reg5 */
	FAKE_CALL_NOTHING,       /* no location */
	FAKE_CALL_SELF,          /* calls itself */
	FAKE_CALL_LOST,          /* DW_OP_breg3, which is not saved */
	FAKE_CALL_PIECE,         /* DW_OP_reg0, DW_OP_piece 4 */
	FAKE_CALL_BAD,           /* DW_OP_lit1, DW_OP_plus, in .debug_loc+0x77 */
	FAKE_CALL_BAD_UNIT,      /* DW_OP_lit1, in a unit without sizes */
	FAKE_PARAMETER,          /* a parameter whose value is -7, signed 32 */
	FAKE_VARIABLE,           /* a variable whose value is 2.5, double */
	FAKE_VARIABLE_RECURSIVE, /* a variable whose value is its own */
	FAKE_TROUBLE,            /* asking for it is trouble */
};

extern const struct di_expr_unit fake_unit;
extern const struct di_expr_host fake_host;
/* A host that answers nothing. */
extern const struct di_expr_host fake_empty_host;

/* Evaluates bytes in fake_unit on fake_host and puts the location's text, or `trouble: <message>`,
 * in the size bytes of buf, which is also returned. */
const char *fake_eval(const uint8_t *bytes, size_t count, bool as_value, char *buf, size_t size);

#endif
