/* dwarf_pieces.S - objects in pieces: registers, memory, constants, nothing, odd bits.
 *
 * rbx holds 0x1122334455667788, r12 0xfff5, `memory` the bytes 01 02 .. 08. `pair` has its first
 * int in rbx and its second in memory. `gap` has its middle optimised out: an empty location
 * before DW_OP_piece. `tail` describes only the first of its two ints: the rest is gone. `bits` is
 * one int of four bit pieces, 5 + 11 + 3 + 13 bits: the low 5 bits of r12 (21), the bits 8..18 of
 * memory (0x302: 11 bits from bit 8 of 0x04030201 -> 0x302), the constant 6, and nothing: so it is
 * gone as a whole. `odd` is the same with 13 bits of r12 at bit 4 at the end. `small` is one byte
 * of rbx in an object of 1 byte.
 *
 * expect: here pair.a value 1432778632
 * expect: here pair.b value 67305985
 * expect: here gap.a value 7
 * expect: here gap.b optimized-out
 * expect: here gap.c value 67305985
 * expect: here tail.a value 9
 * expect: here tail.b optimized-out
 * expect: here bits optimized-out
 * expect: here odd value 2147377237
 * expect: here small value -120
 * expect: here whole value 1234605616436508552
 * expect: here high value 287454020
 * expect: here empty optimized-out
 *
 * Not so in gdb 13.1 and lldb 15.0.6, which say:
 * gdb: here tail.b: <synthetic pointer>
 * lldb: here gap.b: 0
 * lldb: here tail.b: 0
 * (and of `bits` and `odd` lldb: unable to extract DW_OP_bit_piece from an address value)
 * lldb: here high: <read memory from 0x11223344 failed (0 of 4 bytes read)>
 * lldb: here empty: 0
 */
#include "dwarf_asm.h"

FUNCTION(main)
	push %rbx
	push %r12
	movabs $0x1122334455667788, %rbx
	mov $0xfff5, %r12d
STOP(here)
	pop %r12
	pop %rbx
	xor %eax, %eax
	end_function main

	.data
memory:	.byte 1, 2, 3, 4, 5, 6, 7, 8

	.macro in_memory
	.byte DW_OP_addr
	.quad memory
	.endm

	unit 5
t_pair:	parent DW_TAG_structure_type
	string DW_AT_name, "pair"
	data1 DW_AT_byte_size, 8
	end
	member a, t_int, 0
	member b, t_int, 4
	end_children
t_triple: parent DW_TAG_structure_type
	string DW_AT_name, "triple"
	data1 DW_AT_byte_size, 12
	end
	member a, t_int, 0
	member b, t_int, 4
	member c, t_int, 8
	end_children
	plain_subprogram main
	variable pair, t_pair
	begin_expr DW_AT_location
	.byte DW_OP_reg3, DW_OP_piece, 4
	in_memory
	.byte DW_OP_piece, 4
	end_expr
	end
	variable gap, t_triple
	begin_expr DW_AT_location
	.byte DW_OP_lit7, DW_OP_stack_value, DW_OP_piece, 4, DW_OP_piece, 4
	in_memory
	.byte DW_OP_piece, 4
	end_expr
	end
	variable tail, t_pair
	expr DW_AT_location, DW_OP_lit9, DW_OP_stack_value, DW_OP_piece, 4
	end
	variable bits, t_int
	begin_expr DW_AT_location
	.byte DW_OP_reg12, DW_OP_bit_piece, 5, 0
	in_memory
	.byte DW_OP_bit_piece, 11, 8
	.byte DW_OP_lit6, DW_OP_stack_value, DW_OP_bit_piece, 3, 0
	.byte DW_OP_bit_piece, 13, 0
	end_expr
	end
	variable odd, t_int
	begin_expr DW_AT_location
	.byte DW_OP_reg12, DW_OP_bit_piece, 5, 0
	in_memory
	.byte DW_OP_bit_piece, 11, 8
	.byte DW_OP_lit6, DW_OP_stack_value, DW_OP_bit_piece, 3, 0
	.byte DW_OP_reg12, DW_OP_bit_piece, 13, 4
	end_expr
	end
	variable small, t_char
	expr DW_AT_location, DW_OP_reg3, DW_OP_piece, 1
	end
	variable whole, t_long
	expr DW_AT_location, DW_OP_reg3, DW_OP_piece, 8
	end
	/* Bits 32..63 of rbx. */
	variable high, t_int
	expr DW_AT_location, DW_OP_reg3, DW_OP_bit_piece, 32, 32
	end
	variable empty, t_int
	expr DW_AT_location, DW_OP_piece, 4
	end
	end_children
	end_unit
