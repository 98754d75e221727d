/* dwarf_typed.S - the typed stack: floats, x87, integers of odd and of great width.
 *
 * xmm1 holds 2.5 (double), rbx -3. `wide` makes -3 a 72-bit integer and multiplies it by 2^64
 * (in 72 bits: no loss) and divides it by that again. `low` keeps the bits above 64 in sight: 2^65
 * shifted right by 60. `ld` is the x87 number 1.25 in memory; `quarter` is computed in that type.
 *
 * llvm-dwarfdump 15 cannot decode DW_OP_const_type; readelf can.
 *
 * expect: here sum value 4
 * expect: here to_int value -2
 * expect: here from_int value -1.5
 * expect: here single value 0.5
 * expect: here ld value 1.25
 * expect: here quarter value 0.25
 * expect: here wide value -3
 * expect: here low value 32
 * expect: here reinterpret value 4611686018427387904
 * expect: here typed_register value 2.5
 * expect: here narrow value 253
 * expect: here signed_narrow value -3
 * expect: here unsigned_div value 9223372036854775806
 * expect: here less value 1
 * expect: here deref_type value -7
 * expect: here untyped value -3
 * expect: here mismatch error
 *
 * Not so in gdb 13.1 and lldb 15.0.6, which say:
 * gdb: here wide: That operation is not available on integers of more than 8 bytes.
 * gdb: here low: no unsigned variant found for type, while evaluating DWARF expression
 * lldb: here sum: <Unhandled opcode DW_OP_regval_type in DWARFExpression>
 * lldb: here to_int: <Unhandled opcode DW_OP_regval_type in DWARFExpression>
 * lldb: here quarter: <Unhandled opcode DW_OP_deref_type in DWARFExpression>
 * lldb: here low: <Unhandled opcode DW_OP_const_type in DWARFExpression>
 * lldb: here reinterpret: <Unhandled opcode DW_OP_const_type in DWARFExpression>
 * lldb: here deref_type: <Unhandled opcode DW_OP_deref_type in DWARFExpression>
 */
#include "dwarf_asm.h"

FUNCTION(main)
	push %rbx
	push %rax
	mov $-3, %rbx
	movsd two_and_a_half(%rip), %xmm1
STOP(here)
	pop %rax
	pop %rbx
	xor %eax, %eax
	end_function main

	.data
	.balign 16
x87:	.quad 0xa000000000000000
	.short 0x3fff, 0, 0, 0
two_and_a_half:
	.quad 0x4004000000000000
seven:	.short -7

	.macro type_operand label /* ULEB of fixed width, so that the offset may be forward */
	.byte ((\label - unit_start) & 0x7f) | 0x80, (\label - unit_start) >> 7
	.endm
	.macro const_double high
	.byte DW_OP_const_type
	type_operand t_double
	.byte 8
	.quad \high
	.endm
	.macro convert label
	.byte DW_OP_convert
	type_operand \label
	.endm

	unit 5
t_ldouble: base_type "long double", 16, DW_ATE_float
t_s72:	base_type "int72", 9, DW_ATE_signed
	plain_subprogram main
	/* 2.5 + 1.5 */
	variable sum, t_double
	begin_expr DW_AT_location
	.byte DW_OP_regval_type, 18
	type_operand t_double
	const_double 0x3ff8000000000000
	.byte DW_OP_plus, DW_OP_stack_value
	end_expr
	end
	/* (int)-2.5: towards zero */
	variable to_int, t_int
	begin_expr DW_AT_location
	.byte DW_OP_regval_type, 18
	type_operand t_double
	.byte DW_OP_neg
	convert t_int
	.byte DW_OP_stack_value
	end_expr
	end
	/* (double)rbx / 2.0 */
	variable from_int, t_double
	begin_expr DW_AT_location
	.byte DW_OP_regval_type, 3
	type_operand t_long
	convert t_double
	const_double 0x4000000000000000
	.byte DW_OP_div, DW_OP_stack_value
	end_expr
	end
	/* (float)2.5 - 2.0f */
	variable single, t_float
	begin_expr DW_AT_location
	.byte DW_OP_regval_type, 18
	type_operand t_double
	convert t_float
	.byte DW_OP_const_type
	type_operand t_float
	.byte 4
	.long 0x40000000
	.byte DW_OP_minus, DW_OP_stack_value
	end_expr
	end
	variable ld, t_ldouble
	begin_expr DW_AT_location
	.byte DW_OP_addr
	.quad x87
	end_expr
	end
	variable quarter, t_ldouble
	begin_expr DW_AT_location
	.byte DW_OP_addr
	.quad x87
	.byte DW_OP_deref_type, 16
	type_operand t_ldouble
	const_double 0x3ff0000000000000
	convert t_ldouble
	.byte DW_OP_minus, DW_OP_stack_value
	end_expr
	end
	variable wide, t_long
	begin_expr DW_AT_location
	.byte DW_OP_regval_type, 3
	type_operand t_long
	convert t_s72
	.byte DW_OP_const_type
	type_operand t_s72
	.byte 9, 0, 0, 0, 0, 0, 0, 0, 0, 1
	.byte DW_OP_mul
	.byte DW_OP_const_type
	type_operand t_s72
	.byte 9, 0, 0, 0, 0, 0, 0, 0, 0, 1
	.byte DW_OP_div
	convert t_long
	.byte DW_OP_stack_value
	end_expr
	end
	/* 2^65 >> 60 */
	variable low, t_long
	begin_expr DW_AT_location
	.byte DW_OP_const_type
	type_operand t_s72
	.byte 9, 0, 0, 0, 0, 0, 0, 0, 0, 2
	.byte DW_OP_const_type
	type_operand t_s72
	.byte 9, 60, 0, 0, 0, 0, 0, 0, 0, 0
	.byte DW_OP_shr
	convert t_long
	.byte DW_OP_stack_value
	end_expr
	end
	/* The bits of 2.0. */
	variable reinterpret, t_long
	begin_expr DW_AT_location
	const_double 0x4000000000000000
	.byte DW_OP_reinterpret
	type_operand t_long
	.byte DW_OP_stack_value
	end_expr
	end
	variable typed_register, t_double
	expr DW_AT_location, DW_OP_reg18
	end
	variable narrow, t_long
	begin_expr DW_AT_location
	.byte DW_OP_regval_type, 3
	type_operand t_long
	convert t_uchar
	convert t_long
	.byte DW_OP_stack_value
	end_expr
	end
	variable signed_narrow, t_long
	begin_expr DW_AT_location
	.byte DW_OP_regval_type, 3
	type_operand t_ulong
	convert t_char
	convert t_long
	.byte DW_OP_stack_value
	end_expr
	end
	/* -3 as an unsigned long, halved: DW_OP_div follows the type. */
	variable unsigned_div, t_long
	begin_expr DW_AT_location
	.byte DW_OP_regval_type, 3
	type_operand t_ulong
	.byte DW_OP_lit2
	convert t_ulong
	.byte DW_OP_div, DW_OP_stack_value
	end_expr
	end
	/* 1.5 < 2.5 is a generic 1. */
	variable less, t_int
	begin_expr DW_AT_location
	const_double 0x3ff8000000000000
	.byte DW_OP_regval_type, 18
	type_operand t_double
	.byte DW_OP_lt, DW_OP_stack_value
	end_expr
	end
	variable deref_type, t_long
	begin_expr DW_AT_location
	.byte DW_OP_addr
	.quad seven
	.byte DW_OP_deref_type, 2
	type_operand t_short
	convert t_long
	.byte DW_OP_stack_value
	end_expr
	end
	/* Type 0: back to the generic type. */
	variable untyped, t_long
	begin_expr DW_AT_location
	.byte DW_OP_regval_type, 3
	type_operand t_long
	.byte DW_OP_convert, 0, DW_OP_lit0, DW_OP_plus, DW_OP_stack_value
	end_expr
	end
	/* A double and a generic: the types of the operands must be one. */
	variable mismatch, t_double
	begin_expr DW_AT_location
	.byte DW_OP_regval_type, 18
	type_operand t_double
	.byte DW_OP_lit1, DW_OP_plus, DW_OP_stack_value
	end_expr
	end
	end_children
	end_unit
