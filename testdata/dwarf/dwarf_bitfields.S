/* dwarf_bitfields.S - bit-fields as DWARF 2/3 and DWARF 4/5 describe them, packed and straddling.
 *
 * `old` (DW_AT_bit_offset: from the most significant bit of a storage unit of DW_AT_byte_size
 * bytes at DW_AT_data_member_location) and `new` (DW_AT_data_bit_offset: from the start) describe
 * the same bits of the same 8 bytes, read as the number 0xfedcba9876543210:
 *   a  3 bits at  0, unsigned           c  9 bits at 27, signed: crosses the 4-byte unit
 *   b 24 bits at  3, signed             d 28 bits at 36, unsigned
 * In `old`, c lies in an 8-byte unit. `packed` has an int bit-field of 7 bits whose 4-byte unit
 * would end beyond its 2-byte struct: DW_AT_bit_offset is then negative (clang writes 4-byte
 * units).
 *
 * expect: here old.a value 0
 * expect: here old.b value -3504574
 * expect: here old.c value -242
 * expect: here old.d value 267242409
 * expect: here new.a value 0
 * expect: here new.b value -3504574
 * expect: here new.c value -242
 * expect: here new.d value 267242409
 * expect: here packed.a value 16
 * expect: here packed.b value 16
 * expect: here packed.c value 0
 * expect: here in_register.a value 5
 * expect: here in_register.b value -2
 */
#include "dwarf_asm.h"

FUNCTION(main)
	push %rbx
	push %rax
	mov $0x1e5, %ebx
STOP(here)
	pop %rax
	pop %rbx
	xor %eax, %eax
	end_function main

	.data
eight:	.quad 0xfedcba9876543210
	.globl two
two:	.short 0x3210
	.byte 0xff, 0xff, 0xff, 0xff

	.macro old_field name, type, size, unit, bit_offset
	die DW_TAG_member
	string DW_AT_name, "\name"
	ref DW_AT_type, \type
	data1 DW_AT_byte_size, \unit
	sdata DW_AT_bit_offset, \bit_offset
	data1 DW_AT_bit_size, \size
	data1 DW_AT_data_member_location, 0
	end
	.endm

	.macro new_field name, type, size, at
	die DW_TAG_member
	string DW_AT_name, "\name"
	ref DW_AT_type, \type
	data1 DW_AT_bit_size, \size
	data1 DW_AT_data_bit_offset, \at
	end
	.endm

	unit 4
t_old:	parent DW_TAG_structure_type
	string DW_AT_name, "old"
	data1 DW_AT_byte_size, 8
	end
	old_field a, t_uint, 3, 4, 29
	old_field b, t_int, 24, 4, 5
	old_field c, t_long, 9, 8, 28
	old_field d, t_ulong, 28, 8, 0
	end_children
t_new:	parent DW_TAG_structure_type
	string DW_AT_name, "new"
	data1 DW_AT_byte_size, 8
	end
	new_field a, t_uint, 3, 0
	new_field b, t_int, 24, 3
	new_field c, t_long, 9, 27
	new_field d, t_ulong, 28, 36
	end_children
	/* 5 bits at 0, 7 bits at 5, 3 bits at 12 of two bytes; c in a unit that begins at byte 1. */
t_packed: parent DW_TAG_structure_type
	string DW_AT_name, "packed"
	data1 DW_AT_byte_size, 2
	end
	old_field a, t_uint, 5, 4, 27
	old_field b, t_uint, 7, 1, -4
	die DW_TAG_member
	string DW_AT_name, "c"
	ref DW_AT_type, t_uint
	data1 DW_AT_byte_size, 4
	data1 DW_AT_bit_offset, 24
	data1 DW_AT_bit_size, 2
	data1 DW_AT_data_member_location, 1
	end
	end_children
t_byte:	parent DW_TAG_structure_type
	string DW_AT_name, "byte"
	data1 DW_AT_byte_size, 4
	end
	new_field a, t_uint, 4, 0
	new_field b, t_int, 5, 4
	end_children
	plain_subprogram main
	variable old, t_old
	begin_expr DW_AT_location
	.byte DW_OP_addr
	.quad eight
	end_expr
	end
	variable new, t_new
	begin_expr DW_AT_location
	.byte DW_OP_addr
	.quad eight
	end_expr
	end
	variable packed, t_packed
	begin_expr DW_AT_location
	.byte DW_OP_addr
	.quad two
	end_expr
	end
	variable in_register, t_byte
	expr DW_AT_location, DW_OP_reg3
	end
	end_children
	end_unit
