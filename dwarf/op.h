/* op.h - the operators of DWARF expressions: what they are called, what follows them in the bytes,
 * how many values they take and leave.
 *
 * One table says all that, for DWARF 2 to 5 and the GNU operators that gcc and clang emit.
 * Decoding, evaluation (expr.h) and printing are driven by it, so they cannot disagree. */
#ifndef DI_OP_H
#define DI_OP_H

#include "base/addr.h"
#include "dwarf/answer.h"

/* What an expression must know of the unit it belongs to. */
struct di_expr_unit {
	unsigned version;      /* DWARF version, 2 to 5 */
	unsigned address_size; /* 1 to 8 bytes */
	unsigned offset_size;  /* 4 or 8: 32-bit or 64-bit DWARF */
	uint64_t die_base;     /* offset of the unit in .debug_info; DIE references count from it */
	xs_addr bias;          /* run time minus link time, added to DW_OP_addr and the like */
	void *owner;           /* the caller's own, handed back in callbacks */
};

/* Whether the sizes are such that operands can be read; a unit's header may say anything. */
static inline bool di_expr_unit_valid(const struct di_expr_unit *unit)
{
	return unit->address_size >= 1 && unit->address_size <= 8 &&
	       (unit->offset_size == 4 || unit->offset_size == 8);
}

/* The form of an operand. */
enum di_operand {
	DI_OPERAND_NONE,
	DI_OPERAND_U1,
	DI_OPERAND_U2,
	DI_OPERAND_U4,
	DI_OPERAND_U8,
	DI_OPERAND_S1,
	DI_OPERAND_S2,
	DI_OPERAND_S4,
	DI_OPERAND_S8,
	DI_OPERAND_ULEB,
	DI_OPERAND_SLEB,
	DI_OPERAND_ADDRESS, /* of the unit's address size */
	DI_OPERAND_ENCODED, /* in the pointer encoding that the operand before it names */
	DI_OPERAND_REG,     /* ULEB: a register */
	DI_OPERAND_BRANCH,  /* 2 bytes, signed, from the next operator */
	DI_OPERAND_TYPE,    /* ULEB: a base type's DIE in the unit, 0 for the generic type */
	DI_OPERAND_DIE2,    /* 2 bytes: a DIE in the unit */
	DI_OPERAND_DIE4,    /* 4 bytes: the same */
	DI_OPERAND_DIE_REF, /* a DIE in .debug_info: offset size, but address size in DWARF 2 */
	DI_OPERAND_BLOCK,   /* ULEB length, then data */
	DI_OPERAND_BLOCK1,  /* 1 byte length, then data */
	DI_OPERAND_EXPR,    /* ULEB length, then an expression */
};

/* What an operator does, as far as the evaluator has one function for it. */
enum di_op_class {
	DI_OP_UNKNOWN,  /* no operator */
	DI_OP_CONSTANT, /* pushes its operand or what its name says */
	DI_OP_ADDRESS,  /* pushes an address or a number from .debug_addr */
	DI_OP_REGISTER, /* names a register as the place */
	DI_OP_BASED,    /* pushes register plus offset */
	DI_OP_STACK,    /* moves values about */
	DI_OP_DEREF,    /* reads memory */
	DI_OP_UNARY,    /* one value in, one out */
	DI_OP_BINARY,   /* two values in, one out; comparisons too */
	DI_OP_JUMP,     /* skip and bra */
	DI_OP_CONTEXT,  /* pushes what only the caller knows: frame base, CFA, object, TLS */
	DI_OP_TYPED,    /* makes a typed value */
	DI_OP_CALL,     /* evaluates another DIE's location */
	DI_OP_ASK, /* pushes the value of something elsewhere: entry value, parameter, variable */
	DI_OP_IMPLICIT, /* says that there is no place but a value or a pointer */
	DI_OP_PIECE,    /* ends one piece of a composite location */
	DI_OP_MARK,     /* nop and GNU_uninit: leave the stack alone */
};

struct di_op_info {
	const char *name; /* "DW_OP_breg5"; NULL if no operator has this code */
	uint8_t class;    /* enum di_op_class */
	uint8_t implied;  /* number that is part of the name: 5 in DW_OP_breg5 */
	uint8_t form[2];  /* enum di_operand of each operand */
	uint8_t pops;     /* how many values must be on the stack, and are taken */
	uint8_t pushes;   /* how many are put there */
};

/* By code, all 256 of them. */
extern const struct di_op_info di_op_table[256];

/* One operator, decoded. */
struct di_op {
	const struct di_op_info *info; /* its row of the table */
	uint8_t code;                  /* its byte, DW_OP_x */
	size_t offset;                 /* where it begins in the expression */
	size_t next;                   /* where the one after it begins */
	uint64_t operand[2];           /* sign-extended if signed; of a block: its length */
	const uint8_t *block;          /* data of a block, inside the expression; else NULL */
};

/* The operator at offset, which is below size. If there is none, or its operands do not fit, false;
 * the answer then holds a whole message, `DW_OP_const4u at +0x2: expected 4 bytes, have 1`. */
bool di_op_decode(const struct di_expr_unit *unit, const uint8_t *data, size_t size, size_t offset,
	struct di_op *ret, struct di_answer *answer);

/* The name of an x86-64 register by DWARF number, "RDI"; NULL if it has none. */
const char *di_register_name(uint64_t reg);

#define DI_OP_TEXT 512 /* room for any operator's text; longer ones are cut and end in "..." */

/* The operator with its operands, `DW_OP_breg5 RDI+8`. DIEs are offsets in .debug_info, a branch
 * shows where it goes. In buf, which is also returned. */
const char *di_op_text(
	const struct di_expr_unit *unit, const struct di_op *op, char buf[static DI_OP_TEXT]);
/* A whole expression, operators joined by ", "; what cannot be decoded is named at the end. In the
 * size bytes of buf, cut if need be; buf is also returned. */
const char *di_op_text_all(const struct di_expr_unit *unit, const uint8_t *data, size_t data_size,
	char *buf, size_t size);

#endif
