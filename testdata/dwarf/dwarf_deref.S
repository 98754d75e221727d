/* dwarf_deref.S - what DW_OP_deref_size gives: a value of the generic type, zero-extended (DWARF 5,
 * 2.5.1.3), with which arithmetic goes on in 64 bits.
 *
 * DTD bug 14: lldb 15 takes it for unsigned, where the operator that follows takes it for signed: DW_OP_abs,
 * and DW_OP_div, which is a bug of its own.
 *
 * expect: here plain value 249
 * expect: here minus value -1
 * expect: here neg value -249
 * expect: here not value -250
 * expect: here half value -65529
 * expect: here word value -4294967289
 * expect: here scaled value 17179869156
 * expect: here shl value 68719476624
 * expect: here abs value 4294967289
 * expect: here div value 2147483644
 * expect: here shra value -4
 * expect: here abs_all value 7
 * expect: here less value 1
 * expect: here div_all value -3
 * expect: here single value -7
 * expect: here shra_int value 2147483644
 *
 * Not so in gdb 13.1 and lldb 15.0.6, which say:
 * lldb: here abs_all: -7
 * lldb: here less: <extracting data from value failed>
 * lldb: here div_all: 9223372036854775804
 */
#include "dwarf_asm.h"

FUNCTION(main)
	push %rax
STOP(here)
	pop %rax
	xor %eax, %eax
	end_function main

	.data
seven:	.quad -7
zero:	.quad 0

	.macro from label, size, more:vararg
	begin_expr DW_AT_location
	.byte DW_OP_addr
	.quad \label
	.byte DW_OP_deref_size, \size, \more
	.byte DW_OP_stack_value
	end_expr
	end
	.endm

	unit 5
	plain_subprogram main
	variable plain, t_long
	from seven, 1, DW_OP_nop
	variable minus, t_long
	from zero, 1, DW_OP_lit1, DW_OP_minus
	variable neg, t_long
	from seven, 1, DW_OP_neg
	variable not, t_long
	from seven, 1, DW_OP_not
	variable half, t_long
	from seven, 2, DW_OP_neg
	variable word, t_long
	from seven, 4, DW_OP_neg
	variable scaled, t_long
	from seven, 4, DW_OP_lit4, DW_OP_mul
	variable shl, t_long
	from seven, 4, DW_OP_lit4, DW_OP_shl
	variable abs, t_long
	from seven, 4, DW_OP_abs
	variable div, t_long
	from seven, 4, DW_OP_lit2, DW_OP_div
	variable shra, t_long
	from seven, 8, DW_OP_lit1, DW_OP_shra
	variable abs_all, t_long
	from seven, 8, DW_OP_abs
	variable less, t_long
	from seven, 8, DW_OP_lit0, DW_OP_lt
	variable div_all, t_long
	from seven, 8, DW_OP_lit2, DW_OP_div
	variable single, t_int
	from seven, 4, DW_OP_nop
	variable shra_int, t_int
	from seven, 4, DW_OP_lit1, DW_OP_shra
	end_children
	end_unit
