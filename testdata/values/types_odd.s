# Types that no compiler at hand writes, and types that make no sense. Hand-written DWARF 5:
# variables without a location; dwarf/leaf_test.c gives them one. Build: gcc-12 -g0 types_odd.s
	.set TAG_array, 0x01
	.set TAG_enumeration, 0x04
	.set TAG_member, 0x0d
	.set TAG_compile_unit, 0x11
	.set TAG_structure, 0x13
	.set TAG_typedef, 0x16
	.set TAG_set, 0x20
	.set TAG_subrange, 0x21
	.set TAG_base, 0x24
	.set TAG_enumerator, 0x28
	.set TAG_variable, 0x34
	.set AT_sibling, 0x01
	.set AT_name, 0x03
	.set AT_byte_size, 0x0b
	.set AT_bit_size, 0x0d
	.set AT_language, 0x13
	.set AT_const_value, 0x1c
	.set AT_lower_bound, 0x22
	.set AT_bit_stride, 0x2e
	.set AT_upper_bound, 0x2f
	.set AT_data_member_location, 0x38
	.set AT_declaration, 0x3c
	.set AT_encoding, 0x3e
	.set AT_type, 0x49
	.set AT_data_bit_offset, 0x6b
	.set FORM_string, 0x08
	.set FORM_data1, 0x0b
	.set FORM_sdata, 0x0d
	.set FORM_ref4, 0x13
	.set FORM_exprloc, 0x18
	.set FORM_flag_present, 0x19
	.set FORM_data8, 0x07

	.macro abbrev number, tag, children
	.uleb128 \number, \tag
	.byte \children
	.endm
	.macro pair at, form
	.uleb128 \at, \form
	.endm
	.macro done
	.byte 0, 0
	.endm

	.section .debug_abbrev, "", @progbits
abbrevs:
	abbrev 1, TAG_compile_unit, 1
	pair AT_language, FORM_data1
	pair AT_name, FORM_string
	done
	abbrev 2, TAG_variable, 0
	pair AT_name, FORM_string
	pair AT_type, FORM_ref4
	done
	abbrev 3, TAG_typedef, 0
	pair AT_name, FORM_string
	pair AT_type, FORM_ref4
	done
	abbrev 4, TAG_structure, 1
	pair AT_name, FORM_string
	pair AT_byte_size, FORM_data1
	done
	abbrev 5, TAG_member, 0
	pair AT_name, FORM_string
	pair AT_type, FORM_ref4
	pair AT_data_member_location, FORM_data1
	done
	abbrev 6, TAG_base, 0
	pair AT_name, FORM_string
	pair AT_byte_size, FORM_data1
	pair AT_encoding, FORM_data1
	done
	abbrev 7, TAG_base, 0
	pair AT_name, FORM_string
	pair AT_byte_size, FORM_data1
	pair AT_encoding, FORM_data1
	pair AT_bit_size, FORM_data1
	done
	abbrev 8, TAG_array, 1
	pair AT_type, FORM_ref4
	done
	abbrev 9, TAG_subrange, 0
	pair AT_lower_bound, FORM_sdata
	pair AT_upper_bound, FORM_sdata
	done
	abbrev 10, TAG_array, 1
	pair AT_type, FORM_ref4
	pair AT_bit_stride, FORM_data1
	done
	abbrev 11, TAG_enumeration, 1
	pair AT_name, FORM_string
	pair AT_byte_size, FORM_data1
	done
	abbrev 12, TAG_enumerator, 0
	pair AT_name, FORM_string
	pair AT_const_value, FORM_sdata
	done
	abbrev 13, TAG_subrange, 0
	pair AT_name, FORM_string
	pair AT_type, FORM_ref4
	pair AT_byte_size, FORM_data1
	done
	abbrev 14, TAG_member, 0
	pair AT_name, FORM_string
	pair AT_type, FORM_ref4
	pair AT_data_member_location, FORM_exprloc
	done
	abbrev 15, TAG_structure, 0
	pair AT_name, FORM_string
	pair AT_declaration, FORM_flag_present
	done
	abbrev 16, TAG_array, 0
	pair AT_type, FORM_ref4
	done
	abbrev 17, TAG_member, 0
	pair AT_name, FORM_string
	pair AT_type, FORM_ref4
	pair AT_bit_size, FORM_data1
	pair AT_data_bit_offset, FORM_data1
	done
	abbrev 18, TAG_subrange, 0
	pair AT_upper_bound, FORM_data8
	done
	abbrev 19, TAG_set, 0
	pair AT_name, FORM_string
	done
	.byte 0

	.macro ref target
	.long \target - cu
	.endm
	.macro variable name, type
	.uleb128 2
	.string "\name"
	ref \type
	.endm
	.macro typedef name, type
	.uleb128 3
	.string "\name"
	ref \type
	.endm
	.macro struct name, size
	.uleb128 4
	.string "\name"
	.byte \size
	.endm
	.macro member name, type, offset
	.uleb128 5
	.string "\name"
	ref \type
	.byte \offset
	.endm
	.macro base name, size, encoding
	.uleb128 6
	.string "\name"
	.byte \size, \encoding
	.endm
	.macro base_bits name, size, encoding, bits
	.uleb128 7
	.string "\name"
	.byte \size, \encoding, \bits
	.endm
	.macro array type
	.uleb128 8
	ref \type
	.endm
	.macro range lower, upper
	.uleb128 9
	.sleb128 \lower
	.sleb128 \upper
	.endm

	.section .debug_info, "", @progbits
cu:
	.long cu_end - cu_begin
cu_begin:
	.value 5
	.byte 1, 8
	.long abbrevs
	.uleb128 1
	.byte 0x0c
	.string "types_odd.s"

	# What no compiler at hand writes.
t_int:	base "int", 4, 5
t_bit:	base_bits "_BitInt(1)", 1, 7, 1
t_bits17:
	base_bits "_BitInt(17)", 4, 5, 17
t_brain:
	base "__bf16", 2, 4
t_address:
	base "address", 8, 1
t_utf:	base "char8_t", 1, 0x10
t_huge:	base "_BitInt(1024)", 128, 5
t_fixed:
	base "fixed", 4, 0x0d
t_lower:
	array t_int
	range -1, 1
	.byte 0
t_bitmap:
	.uleb128 10
	ref t_bit
	.byte 1
	range 0, 9
	.byte 0
t_signed_enum:
	.uleb128 11
	.string "by_values"
	.byte 2
	.uleb128 12
	.string "MINUS"
	.sleb128 -2
	.byte 0
t_plain_enum:
	.uleb128 11
	.string "no_sign"
	.byte 1
	.uleb128 12
	.string "HIGH"
	.sleb128 200
	.byte 0
t_range:
	.uleb128 13
	.string "small_int"
	ref t_int
	.byte 1
t_moving:
	struct "moving", 8
	member "fixed", t_int, 0
	.uleb128 14
	.string "moves"
	ref t_int
	.uleb128 2
	.byte 0x23, 4 # DW_OP_plus_uconst: a constant after all
	.uleb128 14
	.string "virtual"
	ref t_int
	.uleb128 3
	.byte 0x12, 0x06, 0x22 # DW_OP_dup, deref, plus: not one
	.byte 0
	variable "v_bits17", t_bits17
	variable "v_brain", t_brain
	variable "v_address", t_address
	variable "v_utf", t_utf
	variable "v_huge", t_huge
	variable "v_fixed", t_fixed
	variable "v_lower", t_lower
	variable "v_bitmap", t_bitmap
	variable "v_signed_enum", t_signed_enum
	variable "v_plain_enum", t_plain_enum
	variable "v_range", t_range
	variable "v_moving", t_moving

	# What makes no sense.
t_self:	typedef "self", t_self
t_ping:	typedef "ping", t_pong
t_pong:	typedef "pong", t_ping
t_inside:
	struct "inside", 8
	member "value", t_int, 0
	member "again", t_inside, 4
	.byte 0
t_deep_inside:
	struct "deep_inside", 8
	member "some", t_inside_array, 0
	.byte 0
t_inside_array:
	array t_inside_name
	range 0, 1
	.byte 0
t_inside_name:
	typedef "inside_name", t_deep_inside
t_nothing:
	base "nothing", 0, 5
t_overfull:
	base_bits "overfull", 1, 5, 9
t_declared:
	.uleb128 15
	.string "declared"
t_array_of_declared:
	array t_declared
	range 0, 1
	.byte 0
t_no_dimension:
	.uleb128 16
	ref t_int
t_bad_bits:
	struct "bad_bits", 4
	.uleb128 17
	.string "wide"
	ref t_int
	.byte 40, 0
	member "fine", t_int, 0
	.byte 0
t_endless:
	array t_int
	.uleb128 18
	.quad 0x3fffffffffffffff
	.byte 0
t_set:
	.uleb128 19
	.string "set"
	variable "v_self", t_self
	variable "v_ping", t_ping
	variable "v_inside", t_inside
	variable "v_deep_inside", t_deep_inside
	variable "v_nothing", t_nothing
	variable "v_overfull", t_overfull
	variable "v_declared", t_declared
	variable "v_array_of_declared", t_array_of_declared
	variable "v_no_dimension", t_no_dimension
	variable "v_bad_bits", t_bad_bits
	variable "v_endless", t_endless
	variable "v_set", t_set
	variable "v_nowhere", cu+0x7fffffff

	# Two of each in the next, sixty deep: 2^60 leaves, and the same without any.
t_twice_0:
	struct "one", 4
	member "x", t_int, 0
	.byte 0
t_none_0:
	struct "none", 0
	.byte 0
	.set twice_before, t_twice_0
	.set none_before, t_none_0
	.rept 60
	.set twice_here, .
	struct "twice", 4
	member "a", twice_before, 0
	member "b", twice_before, 0
	.byte 0
	.set twice_before, twice_here
	.set none_here, .
	struct "none", 0
	member "a", none_before, 0
	member "b", none_before, 0
	.byte 0
	.set none_before, none_here
	.endr
	variable "v_twice", twice_before
	variable "v_none", none_before

	# Two hundred names for an int: too deep, but no loop.
	.set alias_before, t_int
	.macro aliases count
	.rept \count
	.set alias_here, .
	typedef "alias", alias_before
	.set alias_before, alias_here
	.endr
	.endm
	aliases 100
	variable "v_alias", alias_before
	aliases 100
	variable "v_alias_deep", alias_before
	.byte 0
cu_end:

	.text
	.globl main
main:
	xorl %eax, %eax
	ret
	.section .note.GNU-stack, "", @progbits
