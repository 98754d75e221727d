/* dwarf_asm.h - words for writing DWARF by hand in assembly, one abbreviation per DIE.
 *
 * For testdata/dwarf/dwarf_*.S and oracle/judge/fake_program.S. A subject is code with places to
 * stop (FUNCTION and STOP make labels at_entry_NAME and at_NAME), then `unit VERSION`, DIEs, `end_unit`. A DIE is `die TAG` or `parent TAG`, attributes named for their
 * forms (`string DW_AT_name, "x"`), then `end`; the children of a parent end with `end_children`.
 * A reference is to a label in front of the DIE. Every unit begins with the base types t_*.
 * Variables have no DW_AT_decl_line unless scope is the subject: they are declared everywhere. */
#define DW_UT_compile 0x01
#define DW_TAG_array_type 0x01
#define DW_TAG_formal_parameter 0x05
#define DW_TAG_lexical_block 0x0b
#define DW_TAG_member 0x0d
#define DW_TAG_pointer_type 0x0f
#define DW_TAG_compile_unit 0x11
#define DW_TAG_string_type 0x12
#define DW_TAG_structure_type 0x13
#define DW_TAG_variant 0x19
#define DW_TAG_common_block 0x1a
#define DW_TAG_inlined_subroutine 0x1d
#define DW_TAG_set_type 0x20
#define DW_TAG_subrange_type 0x21
#define DW_TAG_base_type 0x24
#define DW_TAG_file_type 0x29
#define DW_TAG_subprogram 0x2e
#define DW_TAG_variant_part 0x33
#define DW_TAG_variable 0x34
#define DW_TAG_dwarf_procedure 0x36
#define DW_TAG_template_alias 0x43
#define DW_TAG_coarray_type 0x44
#define DW_TAG_generic_subrange 0x45
#define DW_TAG_dynamic_type 0x46
#define DW_TAG_call_site 0x48
#define DW_TAG_call_site_parameter 0x49
#define DW_TAG_GNU_call_site 0x4109
#define DW_TAG_GNU_call_site_parameter 0x410a
#define DW_AT_location 0x02
#define DW_AT_name 0x03
#define DW_AT_ordering 0x09
#define DW_AT_byte_size 0x0b
#define DW_AT_bit_offset 0x0c
#define DW_AT_bit_size 0x0d
#define DW_AT_stmt_list 0x10
#define DW_AT_low_pc 0x11
#define DW_AT_high_pc 0x12
#define DW_AT_language 0x13
#define DW_AT_discr 0x15
#define DW_AT_discr_value 0x16
#define DW_AT_comp_dir 0x1b
#define DW_AT_const_value 0x1c
#define DW_AT_inline 0x20
#define DW_AT_lower_bound 0x22
#define DW_AT_producer 0x25
#define DW_AT_prototyped 0x27
#define DW_AT_start_scope 0x2c
#define DW_AT_upper_bound 0x2f
#define DW_AT_abstract_origin 0x31
#define DW_AT_artificial 0x34
#define DW_AT_count 0x37
#define DW_AT_data_member_location 0x38
#define DW_AT_decl_file 0x3a
#define DW_AT_decl_line 0x3b
#define DW_AT_declaration 0x3c
#define DW_AT_encoding 0x3e
#define DW_AT_external 0x3f
#define DW_AT_frame_base 0x40
#define DW_AT_static_link 0x48
#define DW_AT_specification 0x47
#define DW_AT_type 0x49
#define DW_AT_allocated 0x4e
#define DW_AT_associated 0x4f
#define DW_AT_data_location 0x50
#define DW_AT_byte_stride 0x51
#define DW_AT_ranges 0x55
#define DW_AT_call_file 0x58
#define DW_AT_call_line 0x59
#define DW_AT_binary_scale 0x5b
#define DW_AT_endianity 0x65
#define DW_AT_data_bit_offset 0x6b
#define DW_AT_rank 0x71
#define DW_AT_addr_base 0x73
#define DW_AT_call_all_calls 0x7a
#define DW_AT_call_return_pc 0x7d
#define DW_AT_call_value 0x7e
#define DW_AT_call_origin 0x7f
#define DW_AT_call_tail_call 0x82
#define DW_AT_call_target 0x83
#define DW_AT_call_pc 0x81
#define DW_AT_call_data_value 0x86
#define DW_AT_loclists_base 0x8c
#define DW_AT_GNU_call_site_value 0x2111
#define DW_AT_GNU_all_call_sites 0x2117
#define DW_AT_GNU_bias 0x2305
#define DW_FORM_addr 0x01
#define DW_FORM_data2 0x05
#define DW_FORM_data4 0x06
#define DW_FORM_data8 0x07
#define DW_FORM_string 0x08
#define DW_FORM_block1 0x0a
#define DW_FORM_data1 0x0b
#define DW_FORM_sdata 0x0d
#define DW_FORM_udata 0x0f
#define DW_FORM_ref4 0x13
#define DW_FORM_sec_offset 0x17
#define DW_FORM_exprloc 0x18
#define DW_FORM_flag_present 0x19
#define DW_FORM_data16 0x1e
#define DW_FORM_implicit_const 0x21
#define DW_FORM_loclistx 0x22
#define DW_ATE_float 0x4
#define DW_ATE_signed 0x5
#define DW_ATE_signed_char 0x6
#define DW_ATE_unsigned 0x7
#define DW_ATE_unsigned_char 0x8
#define DW_ATE_signed_fixed 0xd
#define DW_LANG_C99 0x000c
#define DW_OP_addr 0x03
#define DW_OP_deref 0x06
#define DW_OP_const1u 0x08
#define DW_OP_const1s 0x09
#define DW_OP_const2u 0x0a
#define DW_OP_const4u 0x0c
#define DW_OP_const8u 0x0e
#define DW_OP_dup 0x12
#define DW_OP_drop 0x13
#define DW_OP_over 0x14
#define DW_OP_pick 0x15
#define DW_OP_swap 0x16
#define DW_OP_rot 0x17
#define DW_OP_abs 0x19
#define DW_OP_div 0x1b
#define DW_OP_minus 0x1c
#define DW_OP_mod 0x1d
#define DW_OP_mul 0x1e
#define DW_OP_neg 0x1f
#define DW_OP_not 0x20
#define DW_OP_plus 0x22
#define DW_OP_plus_uconst 0x23
#define DW_OP_shl 0x24
#define DW_OP_shr 0x25
#define DW_OP_shra 0x26
#define DW_OP_bra 0x28
#define DW_OP_gt 0x2b
#define DW_OP_lt 0x2d
#define DW_OP_skip 0x2f
#define DW_OP_lit0 0x30
#define DW_OP_lit1 0x31
#define DW_OP_lit2 0x32
#define DW_OP_lit3 0x33
#define DW_OP_lit4 0x34
#define DW_OP_lit5 0x35
#define DW_OP_lit6 0x36
#define DW_OP_lit7 0x37
#define DW_OP_lit8 0x38
#define DW_OP_lit9 0x39
#define DW_OP_lit10 0x3a
#define DW_OP_lit11 0x3b
#define DW_OP_lit12 0x3c
#define DW_OP_lit13 0x3d
#define DW_OP_lit14 0x3e
#define DW_OP_lit15 0x3f
#define DW_OP_lit16 0x40
#define DW_OP_lit17 0x41
#define DW_OP_lit20 0x44
#define DW_OP_lit23 0x47
#define DW_OP_lit31 0x4f
#define DW_OP_reg0 0x50
#define DW_OP_reg1 0x51
#define DW_OP_reg3 0x53
#define DW_OP_reg4 0x54
#define DW_OP_reg5 0x55
#define DW_OP_reg6 0x56
#define DW_OP_reg8 0x58
#define DW_OP_reg10 0x5a
#define DW_OP_reg12 0x5c
#define DW_OP_reg18 0x62
#define DW_OP_reg20 0x64
#define DW_OP_breg0 0x70
#define DW_OP_breg3 0x73
#define DW_OP_breg4 0x74
#define DW_OP_breg5 0x75
#define DW_OP_breg7 0x77
#define DW_OP_breg9 0x79
#define DW_OP_breg10 0x7a
#define DW_OP_breg11 0x7b
#define DW_OP_breg13 0x7d
#define DW_OP_regx 0x90
#define DW_OP_bregx 0x92
#define DW_OP_fbreg 0x91
#define DW_OP_piece 0x93
#define DW_OP_deref_size 0x94
#define DW_OP_nop 0x96
#define DW_OP_push_object_address 0x97
#define DW_OP_call2 0x98
#define DW_OP_call4 0x99
#define DW_OP_call_ref 0x9a
#define DW_OP_form_tls_address 0x9b
#define DW_OP_call_frame_cfa 0x9c
#define DW_OP_bit_piece 0x9d
#define DW_OP_implicit_value 0x9e
#define DW_OP_stack_value 0x9f
#define DW_OP_implicit_pointer 0xa0
#define DW_OP_addrx 0xa1
#define DW_OP_constx 0xa2
#define DW_OP_entry_value 0xa3
#define DW_OP_const_type 0xa4
#define DW_OP_regval_type 0xa5
#define DW_OP_deref_type 0xa6
#define DW_OP_convert 0xa8
#define DW_OP_reinterpret 0xa9
#define DW_OP_GNU_push_tls_address 0xe0
#define DW_OP_GNU_entry_value 0xf3
#define DW_OP_GNU_parameter_ref 0xfa
#define DW_OP_GNU_variable_value 0xfd
#define DW_LLE_end_of_list 0x0
#define DW_LLE_base_addressx 0x1
#define DW_LLE_startx_endx 0x2
#define DW_LLE_startx_length 0x3
#define DW_LLE_offset_pair 0x4
#define DW_LLE_default_location 0x5
#define DW_LLE_base_address 0x6
#define DW_LLE_start_end 0x7
#define DW_LLE_start_length 0x8
#define DW_RLE_end_of_list 0x0
#define DW_RLE_offset_pair 0x4
#define DW_RLE_base_address 0x5
#define DW_RLE_start_length 0x7
#define DW_CFA_undefined 0x07
#define DW_CFA_register 0x09
#define DW_CFA_def_cfa_expression 0x0f
#define DW_CFA_expression 0x10
#define DW_CFA_val_offset 0x14
#define DW_CFA_val_expression 0x16

#define FUNCTION(name) function name, __LINE__
#define JUMPER(name) jumper name, __LINE__
#define LINE(name) .set line_##name, __LINE__
#define STOP(name) stop name, __LINE__

	.file 1 __BASE_FILE__
	.section .debug_line, "", @progbits
line_start:
	.section .note.GNU-stack, "", @progbits
	.text
text_start:
	.set abbrev_code, 0

/* --- code ------------------------------------------------------------------------------------- */
	.macro function name, line
	.globl \name
	.type \name, @function
\name:
	.cfi_startproc
	.loc 1 \line
at_entry_\name:
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	mov %rsp, %rbp
	.cfi_def_cfa_register %rbp
	.endm

	.macro end_function name
	leave
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
end_\name:
	.size \name, . - \name
	.endm

	/* A function that has no frame of its own: it only jumps on. */
	.macro jumper name, line
	.globl \name
	.type \name, @function
\name:
	.cfi_startproc
	.loc 1 \line
	.endm

	.macro end_jumper name
	.cfi_endproc
end_\name:
	.size \name, . - \name
	.endm

	/* A place with a line of its own, and one instruction. */
	.macro stop name, line
	.loc 1 \line
at_\name:
	nop
	.endm

/* --- DIEs ------------------------------------------------------------------------------------- */
	.macro abbrev tag, children
	.set abbrev_code, abbrev_code + 1
	.uleb128 abbrev_code
	.pushsection .debug_abbrev
	.uleb128 abbrev_code
	.uleb128 \tag
	.byte \children
	.popsection
	.endm

	.macro die tag
	abbrev \tag, 0
	.endm

	.macro parent tag
	abbrev \tag, 1
	.endm

	.macro end
	.pushsection .debug_abbrev
	.byte 0, 0
	.popsection
	.endm

	.macro end_children
	.byte 0
	.endm

	.macro attribute at, form
	.pushsection .debug_abbrev
	.uleb128 \at
	.uleb128 \form
	.popsection
	.endm

	.macro string at, text
	attribute \at, DW_FORM_string
	.asciz "\text"
	.endm

	.macro addr at, value
	attribute \at, DW_FORM_addr
	.quad \value
	.endm

	.macro data1 at, value
	attribute \at, DW_FORM_data1
	.byte \value
	.endm

	.macro data2 at, value
	attribute \at, DW_FORM_data2
	.short \value
	.endm

	.macro data4 at, value
	attribute \at, DW_FORM_data4
	.long \value
	.endm

	.macro data8 at, value
	attribute \at, DW_FORM_data8
	.quad \value
	.endm

	.macro data16 at, low, high
	attribute \at, DW_FORM_data16
	.quad \low, \high
	.endm

	.macro sdata at, value
	attribute \at, DW_FORM_sdata
	.sleb128 \value
	.endm

	.macro udata at, value
	attribute \at, DW_FORM_udata
	.uleb128 \value
	.endm

	.macro flag at
	attribute \at, DW_FORM_flag_present
	.endm

	.macro ref at, label
	attribute \at, DW_FORM_ref4
	.long \label - unit_start
	.endm

	.macro sec_offset at, label
	attribute \at, DW_FORM_sec_offset
	.long \label
	.endm

	.macro block1 at, bytes:vararg
	attribute \at, DW_FORM_block1
	.byte 7f - 6f
6:	.byte \bytes
7:
	.endm

	/* An expression of single bytes. */
	.macro expr at, bytes:vararg
	attribute \at, DW_FORM_exprloc
	.uleb128 7f - 6f
6:	.byte \bytes
7:
	.endm

	/* An expression of anything, up to end_expr. */
	.macro begin_expr at
	attribute \at, DW_FORM_exprloc
	.uleb128 9f - 8f
8:
	.endm

	.macro end_expr
9:
	.endm

	/* The same in a location list: a counted block. */
	.macro ops bytes:vararg
	.uleb128 7f - 6f
6:	.byte \bytes
7:
	.endm

	/* The same in .debug_loc: the count has two bytes. */
	.macro ops2 bytes:vararg
	.short 7f - 6f
6:	.byte \bytes
7:
	.endm

	.macro code_range low, high
	addr DW_AT_low_pc, \low
	attribute DW_AT_high_pc, DW_FORM_data8
	.quad \high - \low
	.endm

	.macro base_type name, size, encoding
	die DW_TAG_base_type
	string DW_AT_name, "\name"
	data1 DW_AT_byte_size, \size
	data1 DW_AT_encoding, \encoding
	end
	.endm

	.macro pointer_type target
	die DW_TAG_pointer_type
	data1 DW_AT_byte_size, 8
	ref DW_AT_type, \target
	end
	.endm

	/* Opens a variable: its place and `end` follow. */
	.macro variable name, type
	die DW_TAG_variable
	string DW_AT_name, "\name"
	ref DW_AT_type, \type
	.endm

	.macro parameter name, type
	die DW_TAG_formal_parameter
	string DW_AT_name, "\name"
	ref DW_AT_type, \type
	.endm

	.macro member name, type, at
	die DW_TAG_member
	string DW_AT_name, "\name"
	ref DW_AT_type, \type
	data1 DW_AT_data_member_location, \at
	end
	.endm

	/* Opens a function: more attributes, `end`, children, end_children follow. */
	.macro subprogram name
	parent DW_TAG_subprogram
	string DW_AT_name, "\name"
	flag DW_AT_external
	flag DW_AT_prototyped
	ref DW_AT_type, t_int
	code_range \name, end_\name
	.endm

	/* The same, with the frame base that compilers give it, and ended. */
	.macro plain_subprogram name
	subprogram \name
	expr DW_AT_frame_base, DW_OP_call_frame_cfa
	end
	.endm

/* --- units ------------------------------------------------------------------------------------ */
	.macro unit_header version
	.section .debug_abbrev, "", @progbits
abbrev_start:
	.section .debug_info, "", @progbits
unit_start:
	.long unit_end - unit_version
unit_version:
	.short \version
	.if \version >= 5
	.byte DW_UT_compile, 8
	.long abbrev_start
	.else
	.long abbrev_start
	.byte 8
	.endif
	.endm

	/* Begins a unit; the attributes of the unit itself may go on until `unit_types`. */
	.macro unit_open version
	.text
text_end:
	unit_header \version
	parent DW_TAG_compile_unit
	string DW_AT_producer, "by hand"
	data1 DW_AT_language, DW_LANG_C99
	string DW_AT_name, __BASE_FILE__
	string DW_AT_comp_dir, "/"
	code_range text_start, text_end
	sec_offset DW_AT_stmt_list, line_start
	.endm

	.macro unit_types
	end
t_int:	base_type "int", 4, DW_ATE_signed
t_uint:	base_type "unsigned int", 4, DW_ATE_unsigned
t_char:	base_type "char", 1, DW_ATE_signed_char
t_uchar: base_type "unsigned char", 1, DW_ATE_unsigned_char
t_short: base_type "short", 2, DW_ATE_signed
t_ushort: base_type "unsigned short", 2, DW_ATE_unsigned
t_long:	base_type "long", 8, DW_ATE_signed
t_ulong: base_type "unsigned long", 8, DW_ATE_unsigned
t_float: base_type "float", 4, DW_ATE_float
t_double: base_type "double", 8, DW_ATE_float
t_int_pointer: pointer_type t_int
	.endm

	.macro unit version
	unit_open \version
	unit_types
	.endm

	.macro end_unit
	end_children
unit_end:
	.pushsection .debug_abbrev
	.byte 0
	.popsection
	.endm
