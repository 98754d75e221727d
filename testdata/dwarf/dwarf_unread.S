/* dwarf_unread.S - tags and attributes that change which values a type has, and are not read.
 *
 * Each must be said by its name, and must take nothing away from what is beside it. A variant part
 * is read: its discriminant is 5 and chooses the variant. An array that DW_AT_allocated or
 * DW_AT_associated may say is not there is read where it is. A value is the number 5 everywhere.
 *
 * expect: here variant.before value 5
 * expect: here variant.inside value 5
 * expect: here variant.after value 5
 * expect: here unknown.before value 5
 * expect: here unknown.DW_TAG_0x4321 error DW_TAG_0x4321 is not read
 * expect: here alias value 5
 * expect: here set error types of the kind DW_TAG_set_type are not read
 * expect: here string error types of the kind DW_TAG_string_type are not read
 * expect: here file error types of the kind DW_TAG_file_type are not read
 * expect: here coarray error types of the kind DW_TAG_coarray_type are not read
 * expect: here dynamic error types of the kind DW_TAG_dynamic_type are not read
 * expect: here vendor error types of the kind DW_TAG_0x4321 are not read
 * expect: here any_rank error DW_AT_rank is not read
 * expect: here generic error DW_TAG_generic_subrange is not read
 * expect: here by_columns error DW_AT_ordering is not read
 * expect: here lower error DW_AT_lower_bound is not read
 * expect: here strided[1] value 6
 * expect: here allocated[1] value 5
 * expect: here missing optimized-out
 * expect: here missing[0] optimized-out
 * expect: here swapped error DW_AT_endianity is not read
 * expect: here swapped_itself error DW_AT_endianity is not read
 * expect: here half_swapped.there error DW_AT_endianity is not read
 * expect: here half_swapped.beside value 5
 * expect: here elsewhere error DW_AT_data_location is not read
 * expect: here bits.low error DW_AT_bit_size is not read
 * expect: here bits.beside value 5
 * expect: here scaled error DW_AT_binary_scale is not read
 * expect: here fixed error values of encoding DW_ATE_signed_fixed are not read
 * expect: here biased error DW_AT_GNU_bias is not read
 * expect: here shifted error DW_AT_bit_offset is not read
 * expect: here unsized error a base type without a size
 */
#include "dwarf_asm.h"

FUNCTION(main)
STOP(here)
	xor %eax, %eax
	end_function main

	.data
	.balign 8
fives:	.long 5, 5, 5, 6, 5, 5, 5, 5

	.macro at_fives
	begin_expr DW_AT_location
	.byte DW_OP_addr
	.quad fives
	end_expr
	.endm

	.macro five name, type
	variable \name, \type
	at_fives
	end
	.endm

	.macro unread_type tag
	die \tag
	data1 DW_AT_byte_size, 4
	ref DW_AT_type, t_int
	end
	.endm

	.macro two_elements
	die DW_TAG_subrange_type
	data1 DW_AT_count, 2
	end
	end_children
	.endm

	.macro base_with name, encoding
	die DW_TAG_base_type
	string DW_AT_name, "\name"
	data1 DW_AT_encoding, \encoding
	.endm

	unit 5
t_variant: parent DW_TAG_structure_type
	string DW_AT_name, "variant"
	data1 DW_AT_byte_size, 12
	end
	member before, t_int, 0
	parent DW_TAG_variant_part
	ref DW_AT_discr, m_discriminant
	end
m_discriminant: member discriminant, t_int, 4
	parent DW_TAG_variant
	data1 DW_AT_discr_value, 5
	end
	member inside, t_int, 4
	end_children
	end_children
	member after, t_int, 8
	end_children
t_unknown: parent DW_TAG_structure_type
	string DW_AT_name, "unknown"
	data1 DW_AT_byte_size, 8
	end
	member before, t_int, 0
	unread_type 0x4321
	end_children
t_alias: die DW_TAG_template_alias
	string DW_AT_name, "alias"
	ref DW_AT_type, t_int
	end
t_set:	unread_type DW_TAG_set_type
t_string: unread_type DW_TAG_string_type
t_file:	unread_type DW_TAG_file_type
t_coarray: unread_type DW_TAG_coarray_type
t_dynamic: unread_type DW_TAG_dynamic_type
t_vendor: unread_type 0x4321
t_any_rank: parent DW_TAG_array_type
	ref DW_AT_type, t_int
	expr DW_AT_rank, DW_OP_lit1
	end
	two_elements
t_generic: parent DW_TAG_array_type
	ref DW_AT_type, t_int
	end
	die DW_TAG_generic_subrange
	expr DW_AT_upper_bound, DW_OP_lit1
	end
	end_children
t_by_columns: parent DW_TAG_array_type
	ref DW_AT_type, t_int
	data1 DW_AT_ordering, 1
	end
	die DW_TAG_subrange_type
	data1 DW_AT_count, 2
	end
	two_elements
t_lower: parent DW_TAG_array_type
	ref DW_AT_type, t_int
	end
	die DW_TAG_subrange_type
	expr DW_AT_lower_bound, DW_OP_lit2
	data1 DW_AT_upper_bound, 3
	end
	end_children
t_strided: parent DW_TAG_array_type
	ref DW_AT_type, t_int
	end
	die DW_TAG_subrange_type
	data1 DW_AT_count, 2
	expr DW_AT_byte_stride, DW_OP_lit12
	end
	end_children
t_allocated: parent DW_TAG_array_type
	ref DW_AT_type, t_int
	expr DW_AT_allocated, DW_OP_push_object_address, DW_OP_deref
	expr DW_AT_associated, DW_OP_lit1
	end
	two_elements
t_missing: parent DW_TAG_array_type
	ref DW_AT_type, t_int
	expr DW_AT_allocated, DW_OP_lit0
	end
	two_elements
t_swapped: base_with "swapped", DW_ATE_signed
	data1 DW_AT_byte_size, 4
	data1 DW_AT_endianity, 1
	end
t_half_swapped: parent DW_TAG_structure_type
	string DW_AT_name, "half_swapped"
	data1 DW_AT_byte_size, 8
	end
	die DW_TAG_member
	string DW_AT_name, "there"
	ref DW_AT_type, t_int
	data1 DW_AT_data_member_location, 0
	data1 DW_AT_endianity, 1
	end
	member beside, t_int, 4
	end_children
t_elsewhere: parent DW_TAG_structure_type
	string DW_AT_name, "elsewhere"
	data1 DW_AT_byte_size, 4
	expr DW_AT_data_location, DW_OP_push_object_address
	end
	member inside, t_int, 0
	end_children
t_bits:	parent DW_TAG_structure_type
	string DW_AT_name, "bits"
	data1 DW_AT_byte_size, 8
	end
	die DW_TAG_member
	string DW_AT_name, "low"
	ref DW_AT_type, t_int
	expr DW_AT_bit_size, DW_OP_lit3
	data1 DW_AT_data_bit_offset, 0
	end
	member beside, t_int, 4
	end_children
t_scaled: base_with "scaled", DW_ATE_signed
	data1 DW_AT_byte_size, 4
	sdata DW_AT_binary_scale, -2
	end
t_fixed: base_with "fixed", DW_ATE_signed_fixed
	data1 DW_AT_byte_size, 4
	end
t_biased: die DW_TAG_subrange_type
	string DW_AT_name, "biased"
	ref DW_AT_type, t_int
	data1 DW_AT_GNU_bias, 3
	end
t_shifted: base_with "shifted", DW_ATE_signed
	data1 DW_AT_byte_size, 4
	data1 DW_AT_bit_size, 8
	data1 DW_AT_bit_offset, 0
	end
t_unsized: base_with "unsized", DW_ATE_signed
	end
	plain_subprogram main
	five variant, t_variant
	five unknown, t_unknown
	five alias, t_alias
	five set, t_set
	five string, t_string
	five file, t_file
	five coarray, t_coarray
	five dynamic, t_dynamic
	five vendor, t_vendor
	five any_rank, t_any_rank
	five generic, t_generic
	five by_columns, t_by_columns
	five lower, t_lower
	five strided, t_strided
	five allocated, t_allocated
	five missing, t_missing
	five swapped, t_swapped
	variable swapped_itself, t_int
	data1 DW_AT_endianity, 1
	at_fives
	end
	five half_swapped, t_half_swapped
	five elsewhere, t_elsewhere
	five bits, t_bits
	five scaled, t_scaled
	five fixed, t_fixed
	five biased, t_biased
	five shifted, t_shifted
	five unsized, t_unsized
	end_children
	end_unit
