/* fake_program.S - a program whose code, lines and DWARF are known to the byte, for the tests of the
 * judge and of the checks. Nobody runs it. Linked with .text at 0x401000; each function begins at a
 * multiple of 0x100, each instruction but calls and jumps is a nop of one byte.
 *
 * Lines are those of a.c (file 2), whose text is in the tests where it matters. */
#include "testdata/dwarf/dwarf_asm.h"

#define AT(line, ...) row line, __VA_ARGS__; nop
#define BEGIN(name, at) .org at; .globl name; .type name, @function; name: .cfi_startproc
#define END(name) .cfi_endproc; end_##name: .size name, . - name

/* Assemblers differ in what they make of .loc, and not all of them know line 0. */
	.set row_line, 1
	.set row_stmt, 1
	.macro row line, stmt=1, prologue_end=0
.Lrow\@:
	.pushsection .debug_line
	.byte 0, 9, 2 /* DW_LNE_set_address */
	.quad .Lrow\@
	.byte 3 /* DW_LNS_advance_line */
	.sleb128 \line - row_line
	.set row_line, \line
	.if \stmt - row_stmt
	.byte 6 /* DW_LNS_negate_stmt */
	.set row_stmt, \stmt
	.endif
	.if \prologue_end
	.byte 10 /* DW_LNS_set_prologue_end */
	.endif
	.byte 1 /* DW_LNS_copy */
	.popsection
	.endm

	.section .debug_line, "", @progbits
	.long lines_end - lines_version
lines_version:
	.short 5
	.byte 8, 0
	.long lines_program - lines_header
lines_header:
	.byte 1, 1, 1, -5, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1
	.byte 1, 1, DW_FORM_string, 1 /* folders: one, by path */
	.asciz "/"
	.byte 2, 1, DW_FORM_string, 2, DW_FORM_udata, 3 /* files: three, by path and folder */
	.asciz "fake_program.S"
	.byte 0
	.asciz "fake_program.S"
	.byte 0
	.asciz "a.c"
	.byte 0
lines_program:
	.byte 4, 2 /* DW_LNS_set_file */
	.text

/* 0x401000: lines. */
BEGIN(main, 0)
	AT(10, 1)                  /* 401000: the first instruction */
	AT(11, 1, 1)               /* 401001 */
	AT(12, 1)                  /* 401002 */
	AT(13, 0)                  /* 401003: no statement */
	row 14, 1
	row 15, 0
	nop                        /* 401004: a statement's row, and another one after it */
	AT(0, 1)                   /* 401005: line 0 */
	row 16, 0
	row 17, 0
	nop                        /* 401006: two rows, neither of a statement */
	row 18
	row 0
	nop                        /* 401007: line 0, after a statement's row */
	AT(19, 1)                  /* 401008 */
	mov %eax, 4(%r8)           /* 401009: stores something */
	AT(20, 1)                  /* 40100d */
	call jump                  /* 40100e */
after_jump:
	AT(21, 1)                  /* 401013 */
	call either                /* 401014 */
after_either:
	AT(22, 1)                  /* 401019 */
	call wrap                  /* 40101a */
after_wrap:
	AT(23, 1)                  /* 40101f */
	ret
	END(main)

/* 0x401100: variables. */
BEGIN(vars, 0x100)
	AT(30, 1)                  /* 401100 */
	AT(31, 1, 1)               /* 401101 */
	AT(32, 1)                  /* 401102 */
	AT(33, 1)                  /* 401103 */
	call last                  /* 401104 */
	END(vars)

/* 0x401200: an inlined call at 401202 to 401204. */
BEGIN(host, 0x200)
	AT(40, 1)                  /* 401200 */
	AT(41, 1, 1)               /* 401201 */
inl_begin:
	AT(45, 1)                  /* 401202 */
	AT(46, 1)                  /* 401203 */
inl_end:
	AT(42, 1)                  /* 401204 */
	END(host)

/* 0x401300: a function in two stretches. */
BEGIN(split, 0x300)
	AT(50, 1)                  /* 401300 */
	AT(51, 1, 1)               /* 401301 */
	END(split)
	.org 0x380
split_cold:
	AT(52, 1)                  /* 401380 */
end_split_cold:

/* 0x401400: an inlined call with an empty range beside that of 401401 to 401403. */
BEGIN(empty, 0x400)
	AT(55, 1)                  /* 401400 */
empty_block:
	AT(56, 1, 1)               /* 401401 */
	AT(57, 1)                  /* 401402 */
	END(empty)

/* 0x401500: tail calls: main calls jump, which goes to last; main calls either, which goes to last
 * by middle or at once; main calls wrap, which goes to last in an inlined call of middle. */
BEGIN(last, 0x500)
	AT(60, 1)                  /* 401500 */
	AT(61, 1, 1)               /* 401501 */
	END(last)
BEGIN(jump, 0x600)
	row 65
	jmp last           /* 401600 */
after_jump_tail:
	END(jump)
BEGIN(middle, 0x700)
	row 66
	jmp last           /* 401700 */
after_middle_tail:
	END(middle)
BEGIN(either, 0x800)
	row 67
	jmp last           /* 401800 */
after_either_last:
	jmp middle                 /* 401805 */
after_either_middle:
	END(either)
BEGIN(wrap, 0x900)
	row 68
	jmp last           /* 401900 */
after_wrap_tail:
	END(wrap)

	.pushsection .debug_line
	.byte 0, 9, 2
	.quad end_wrap
	.byte 0, 1, 1 /* DW_LNE_end_sequence */
lines_end:
	.popsection

	.section .debug_loclists, "", @progbits
	.long loclists_end - loclists_version
loclists_version:
	.short 5
	.byte 8, 0
	.long 0
/* Two entries that differ cover 0x401102. */
list_overlap:
	.byte DW_LLE_start_end
	.quad vars, vars + 3
	ops DW_OP_reg3
	.byte DW_LLE_start_end
	.quad vars + 2, vars + 4
	ops DW_OP_reg6
	.byte DW_LLE_end_of_list
/* Nothing covers 0x401103. */
list_short:
	.byte DW_LLE_start_end
	.quad vars, vars + 3
	ops DW_OP_reg3
	.byte DW_LLE_end_of_list
loclists_end:

	.section .debug_rnglists, "", @progbits
	.long rnglists_end - rnglists_version
rnglists_version:
	.short 5
	.byte 8, 0
	.long 0
ranges_split:
	.byte DW_RLE_start_length
	.quad split
	.uleb128 end_split - split
	.byte DW_RLE_start_length
	.quad split_cold
	.uleb128 end_split_cold - split_cold
	.byte DW_RLE_end_of_list
ranges_empty:
	.byte DW_RLE_start_length
	.quad empty_block
	.uleb128 0
	.byte DW_RLE_start_length
	.quad empty_block
	.uleb128 2
	.byte DW_RLE_end_of_list
rnglists_end:

	.macro declared line
	data1 DW_AT_decl_file, 2
	data1 DW_AT_decl_line, \line
	.endm
	/* A variable of a function, declared on a line, whose place follows. */
	.macro local name, line
	variable \name, t_int
	declared \line
	.endm
	.macro described name
v_\name:
	subprogram \name
	declared 1
	expr DW_AT_frame_base, DW_OP_call_frame_cfa
	flag DW_AT_call_all_calls
	end
	.endm
	.macro called behind, whom
	die DW_TAG_call_site
	addr DW_AT_call_return_pc, \behind
	ref DW_AT_call_origin, \whom
	end
	.endm
	.macro jumps behind, whom
	die DW_TAG_call_site
	addr DW_AT_call_return_pc, \behind
	flag DW_AT_call_tail_call
	ref DW_AT_call_origin, \whom
	end
	.endm

	unit 5
	described last
	end_children
	described jump
	jumps after_jump_tail, v_last
	end_children
	described middle
	jumps after_middle_tail, v_last
	end_children
	described either
	jumps after_either_last, v_last
	jumps after_either_middle, v_middle
	end_children
	described wrap
	parent DW_TAG_inlined_subroutine
	ref DW_AT_abstract_origin, v_middle
	code_range wrap, end_wrap
	data1 DW_AT_call_file, 2
	data1 DW_AT_call_line, 68
	end
	jumps after_wrap_tail, v_last
	end_children
	end_children
	described vars
	parameter p, t_int
	declared 30
	expr DW_AT_location, DW_OP_reg5
	end
	parameter entered, t_int
	declared 30
	expr DW_AT_location, DW_OP_entry_value, 1, DW_OP_reg5, DW_OP_stack_value
	end
	parameter pointer, t_int_pointer
	declared 30
	expr DW_AT_location, DW_OP_reg4
	end
	local memory, 31
	expr DW_AT_location, DW_OP_fbreg, 0x70
	end
	local register, 31
	expr DW_AT_location, DW_OP_reg3
	end
	local overlap, 31
	sec_offset DW_AT_location, list_overlap
	end
	local covered, 31
	sec_offset DW_AT_location, list_short
	end
	local hollow, 31
	end
	local bad, 31
	expr DW_AT_location, 0xdf
	end
	local made, 31
	flag DW_AT_artificial
	expr DW_AT_location, DW_OP_reg3
	end
	local divided, 31
	expr DW_AT_location, DW_OP_breg3, 0, DW_OP_lit2, DW_OP_div, DW_OP_stack_value
	end
	end_children
o_inl:	parent DW_TAG_subprogram
	string DW_AT_name, "inl"
	data1 DW_AT_inline, 1
	end
	end_children
	described host
	parent DW_TAG_inlined_subroutine
	ref DW_AT_abstract_origin, o_inl
	code_range inl_begin, inl_end
	data1 DW_AT_call_file, 2
	data1 DW_AT_call_line, 41
	end
	end_children
	end_children
	parent DW_TAG_subprogram
	string DW_AT_name, "split"
	flag DW_AT_external
	ref DW_AT_type, t_int
	sec_offset DW_AT_ranges, ranges_split
	expr DW_AT_frame_base, DW_OP_call_frame_cfa
	end
	local cold, 50
	expr DW_AT_location, DW_OP_fbreg, 0x70
	end
	end_children
	described empty
	parent DW_TAG_inlined_subroutine
	ref DW_AT_abstract_origin, o_inl
	sec_offset DW_AT_ranges, ranges_empty
	data1 DW_AT_call_file, 2
	data1 DW_AT_call_line, 55
	end
	end_children
	end_children
	described main
	local x, 11
	expr DW_AT_location, DW_OP_reg3
	end
	called after_jump, v_jump
	called after_either, v_either
	called after_wrap, v_wrap
	end_children
	variable short_pieces, t_long
	declared 2
	flag DW_AT_external
	expr DW_AT_location, DW_OP_lit1, DW_OP_stack_value, DW_OP_piece, 4
	end
	end_unit
