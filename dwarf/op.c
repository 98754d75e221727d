#include "dwarf/op.h"

#include <dwarf.h>

#include "dwarf/cursor.h"

/* One row: name, class, operands, values taken and left. */
#define OP(op_name, op_class, first, second, takes, leaves)                                        \
	[DW_OP_##op_name] = {.name = "DW_OP_" #op_name,                                            \
		.class = DI_OP_##op_class,                                                         \
		.form = {DI_OPERAND_##first, DI_OPERAND_##second},                                 \
		.pops = (takes),                                                                   \
		.pushes = (leaves)},

/* The three families whose number is part of the name. */
#define LIT(n)                                                                                     \
	[DW_OP_lit0 + (n)] = {                                                                     \
		.name = "DW_OP_lit" #n, .class = DI_OP_CONSTANT, .implied = (n), .pushes = 1},
#define REG(n)                                                                                     \
	[DW_OP_reg0 + (n)] = {.name = "DW_OP_reg" #n, .class = DI_OP_REGISTER, .implied = (n)},
#define BREG(n)                                                                                    \
	[DW_OP_breg0 + (n)] = {.name = "DW_OP_breg" #n,                                            \
		.class = DI_OP_BASED,                                                              \
		.implied = (n),                                                                    \
		.form = {DI_OPERAND_SLEB},                                                         \
		.pushes = 1},
#define EACH_OF_32(row)                                                                            \
	row(0) row(1) row(2) row(3) row(4) row(5) row(6) row(7) row(8) row(9) row(10) row(11)      \
		row(12) row(13) row(14) row(15) row(16) row(17) row(18) row(19) row(20) row(21)    \
			row(22) row(23) row(24) row(25) row(26) row(27) row(28) row(29) row(30)    \
				row(31)

/* One operator to a line, in columns. */
/* clang-format off */
const struct di_op_info di_op_table[256] = {
	/* name                  class     operands           takes, leaves */
	OP(addr,                 ADDRESS,  ADDRESS, NONE,     0, 1)
	OP(deref,                DEREF,    NONE,    NONE,     1, 1)
	OP(const1u,              CONSTANT, U1,      NONE,     0, 1)
	OP(const1s,              CONSTANT, S1,      NONE,     0, 1)
	OP(const2u,              CONSTANT, U2,      NONE,     0, 1)
	OP(const2s,              CONSTANT, S2,      NONE,     0, 1)
	OP(const4u,              CONSTANT, U4,      NONE,     0, 1)
	OP(const4s,              CONSTANT, S4,      NONE,     0, 1)
	OP(const8u,              CONSTANT, U8,      NONE,     0, 1)
	OP(const8s,              CONSTANT, S8,      NONE,     0, 1)
	OP(constu,               CONSTANT, ULEB,    NONE,     0, 1)
	OP(consts,               CONSTANT, SLEB,    NONE,     0, 1)
	OP(dup,                  STACK,    NONE,    NONE,     1, 2)
	OP(drop,                 STACK,    NONE,    NONE,     1, 0)
	OP(over,                 STACK,    NONE,    NONE,     2, 3)
	OP(pick,                 STACK,    U1,      NONE,     0, 1)
	OP(swap,                 STACK,    NONE,    NONE,     2, 2)
	OP(rot,                  STACK,    NONE,    NONE,     3, 3)
	OP(xderef,               DEREF,    NONE,    NONE,     2, 1)
	OP(abs,                  UNARY,    NONE,    NONE,     1, 1)
	OP(and,                  BINARY,   NONE,    NONE,     2, 1)
	OP(div,                  BINARY,   NONE,    NONE,     2, 1)
	OP(minus,                BINARY,   NONE,    NONE,     2, 1)
	OP(mod,                  BINARY,   NONE,    NONE,     2, 1)
	OP(mul,                  BINARY,   NONE,    NONE,     2, 1)
	OP(neg,                  UNARY,    NONE,    NONE,     1, 1)
	OP(not,                  UNARY,    NONE,    NONE,     1, 1)
	OP(or,                   BINARY,   NONE,    NONE,     2, 1)
	OP(plus,                 BINARY,   NONE,    NONE,     2, 1)
	OP(plus_uconst,          UNARY,    ULEB,    NONE,     1, 1)
	OP(shl,                  BINARY,   NONE,    NONE,     2, 1)
	OP(shr,                  BINARY,   NONE,    NONE,     2, 1)
	OP(shra,                 BINARY,   NONE,    NONE,     2, 1)
	OP(xor,                  BINARY,   NONE,    NONE,     2, 1)
	OP(bra,                  JUMP,     BRANCH,  NONE,     1, 0)
	OP(eq,                   BINARY,   NONE,    NONE,     2, 1)
	OP(ge,                   BINARY,   NONE,    NONE,     2, 1)
	OP(gt,                   BINARY,   NONE,    NONE,     2, 1)
	OP(le,                   BINARY,   NONE,    NONE,     2, 1)
	OP(lt,                   BINARY,   NONE,    NONE,     2, 1)
	OP(ne,                   BINARY,   NONE,    NONE,     2, 1)
	OP(skip,                 JUMP,     BRANCH,  NONE,     0, 0)
	EACH_OF_32(LIT)
	EACH_OF_32(REG)
	EACH_OF_32(BREG)
	OP(regx,                 REGISTER, REG,     NONE,     0, 0)
	OP(fbreg,                CONTEXT,  SLEB,    NONE,     0, 1)
	OP(bregx,                BASED,    REG,     SLEB,     0, 1)
	OP(piece,                PIECE,    ULEB,    NONE,     0, 0)
	OP(deref_size,           DEREF,    U1,      NONE,     1, 1)
	OP(xderef_size,          DEREF,    U1,      NONE,     2, 1)
	OP(nop,                  MARK,     NONE,    NONE,     0, 0)
	/* DWARF 3 */
	OP(push_object_address,  CONTEXT,  NONE,    NONE,     0, 1)
	OP(call2,                CALL,     DIE2,    NONE,     0, 0)
	OP(call4,                CALL,     DIE4,    NONE,     0, 0)
	OP(call_ref,             CALL,     DIE_REF, NONE,     0, 0)
	OP(form_tls_address,     CONTEXT,  NONE,    NONE,     1, 1)
	OP(call_frame_cfa,       CONTEXT,  NONE,    NONE,     0, 1)
	OP(bit_piece,            PIECE,    ULEB,    ULEB,     0, 0)
	/* DWARF 4 */
	OP(implicit_value,       IMPLICIT, BLOCK,   NONE,     0, 0)
	OP(stack_value,          IMPLICIT, NONE,    NONE,     1, 0)
	/* DWARF 5 */
	OP(implicit_pointer,     IMPLICIT, DIE_REF, SLEB,     0, 0)
	OP(addrx,                ADDRESS,  ULEB,    NONE,     0, 1)
	OP(constx,               ADDRESS,  ULEB,    NONE,     0, 1)
	OP(entry_value,          ASK,      EXPR,    NONE,     0, 1)
	OP(const_type,           TYPED,    TYPE,    BLOCK1,   0, 1)
	OP(regval_type,          TYPED,    REG,     TYPE,     0, 1)
	OP(deref_type,           DEREF,    U1,      TYPE,     1, 1)
	OP(xderef_type,          DEREF,    U1,      TYPE,     2, 1)
	OP(convert,              TYPED,    TYPE,    NONE,     1, 1)
	OP(reinterpret,          TYPED,    TYPE,    NONE,     1, 1)
	/* GNU: DWARF 5's before it was there, and some of their own */
	OP(GNU_push_tls_address, CONTEXT,  NONE,    NONE,     1, 1)
	OP(GNU_uninit,           MARK,     NONE,    NONE,     0, 0)
	OP(GNU_encoded_addr,     ADDRESS,  U1,      ENCODED,  0, 1)
	OP(GNU_implicit_pointer, IMPLICIT, DIE_REF, SLEB,     0, 0)
	OP(GNU_entry_value,      ASK,      EXPR,    NONE,     0, 1)
	OP(GNU_const_type,       TYPED,    TYPE,    BLOCK1,   0, 1)
	OP(GNU_regval_type,      TYPED,    REG,     TYPE,     0, 1)
	OP(GNU_deref_type,       DEREF,    U1,      TYPE,     1, 1)
	OP(GNU_convert,          TYPED,    TYPE,    NONE,     1, 1)
	OP(GNU_reinterpret,      TYPED,    TYPE,    NONE,     1, 1)
	OP(GNU_parameter_ref,    ASK,      DIE4,    NONE,     0, 1)
	OP(GNU_addr_index,       ADDRESS,  ULEB,    NONE,     0, 1)
	OP(GNU_const_index,      ADDRESS,  ULEB,    NONE,     0, 1)
	OP(GNU_variable_value,   ASK,      DIE_REF, NONE,     0, 1)
};
/* clang-format on */

/* A pointer in one of .eh_frame's encodings; false if the encoding's format is not one of them.
 * What it is relative to (the upper bits) does not change its size. */
static bool read_encoded(
	struct di_cursor *cursor, const struct di_expr_unit *unit, uint64_t encoding, uint64_t *ret)
{
	switch (encoding == DW_EH_PE_omit ? DW_EH_PE_omit : encoding & 0xf) {
	case DW_EH_PE_absptr:
		*ret = di_cursor_u(cursor, unit->address_size);
		return true;
	case DW_EH_PE_uleb128:
		*ret = di_cursor_uleb(cursor);
		return true;
	case DW_EH_PE_udata2:
		*ret = di_cursor_u(cursor, 2);
		return true;
	case DW_EH_PE_udata4:
		*ret = di_cursor_u(cursor, 4);
		return true;
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		*ret = di_cursor_u(cursor, 8);
		return true;
	case DW_EH_PE_sleb128:
		*ret = (uint64_t)di_cursor_sleb(cursor);
		return true;
	case DW_EH_PE_sdata2:
		*ret = (uint64_t)di_cursor_s(cursor, 2);
		return true;
	case DW_EH_PE_sdata4:
		*ret = (uint64_t)di_cursor_s(cursor, 4);
		return true;
	default:
		return false;
	}
}

/* Reads operand i. False if it cannot be told where it ends; what is not there fails the cursor. */
static bool read_operand(
	struct di_cursor *cursor, const struct di_expr_unit *unit, struct di_op *op, unsigned i)
{
	uint64_t *ret = &op->operand[i];
	switch ((enum di_operand)op->info->form[i]) {
	case DI_OPERAND_NONE:
		break;
	case DI_OPERAND_U1:
		*ret = di_cursor_u(cursor, 1);
		break;
	case DI_OPERAND_U2:
	case DI_OPERAND_DIE2:
		*ret = di_cursor_u(cursor, 2);
		break;
	case DI_OPERAND_U4:
	case DI_OPERAND_DIE4:
		*ret = di_cursor_u(cursor, 4);
		break;
	case DI_OPERAND_U8:
	case DI_OPERAND_S8:
		*ret = di_cursor_u(cursor, 8);
		break;
	case DI_OPERAND_S1:
		*ret = (uint64_t)di_cursor_s(cursor, 1);
		break;
	case DI_OPERAND_S2:
	case DI_OPERAND_BRANCH:
		*ret = (uint64_t)di_cursor_s(cursor, 2);
		break;
	case DI_OPERAND_S4:
		*ret = (uint64_t)di_cursor_s(cursor, 4);
		break;
	case DI_OPERAND_ULEB:
	case DI_OPERAND_REG:
	case DI_OPERAND_TYPE:
		*ret = di_cursor_uleb(cursor);
		break;
	case DI_OPERAND_SLEB:
		*ret = (uint64_t)di_cursor_sleb(cursor);
		break;
	case DI_OPERAND_ADDRESS:
		*ret = di_cursor_u(cursor, unit->address_size);
		break;
	case DI_OPERAND_DIE_REF:
		*ret = di_cursor_u(
			cursor, unit->version == 2 ? unit->address_size : unit->offset_size);
		break;
	case DI_OPERAND_ENCODED:
		return read_encoded(cursor, unit, op->operand[0], ret);
	case DI_OPERAND_BLOCK:
	case DI_OPERAND_EXPR:
		*ret = di_cursor_uleb(cursor);
		op->block = di_cursor_bytes(cursor, *ret);
		break;
	case DI_OPERAND_BLOCK1:
		*ret = di_cursor_u(cursor, 1);
		op->block = di_cursor_bytes(cursor, *ret);
		break;
	}
	return true;
}

bool di_op_decode(const struct di_expr_unit *unit, const uint8_t *data, size_t size, size_t offset,
	struct di_op *ret, struct di_answer *answer)
{
	if (!di_expr_unit_valid(unit))
		return di_answer_error(answer, DI_WHY_UNIT_SIZES,
			.number = {unit->address_size, unit->offset_size});
	struct di_cursor cursor = di_cursor_over(NULL, data, size);
	cursor.at += offset;
	*ret = (struct di_op){.offset = offset, .code = (uint8_t)di_cursor_u(&cursor, 1)};
	ret->info = &di_op_table[ret->code];
	if (!ret->info->name)
		return di_answer_error(
			answer, DI_WHY_OPERATOR_UNKNOWN, .number = {ret->code, offset});
	for (unsigned i = 0; i < 2 && ret->info->form[i] != DI_OPERAND_NONE; i++)
		if (!read_operand(&cursor, unit, ret, i))
			return di_answer_error(answer, DI_WHY_OPERATOR_ENCODING,
				.number = {ret->code, offset, (unsigned)ret->operand[0]});
	if (cursor.failed)
		return di_answer_error(answer, DI_WHY_OPERATOR_SHORT,
			.number = {ret->code, offset, cursor.failed_need, size - cursor.failed_at});
	ret->next = di_cursor_offset(&cursor);
	return true;
}
