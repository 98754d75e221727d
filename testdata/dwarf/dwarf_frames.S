/* dwarf_frames.S - frames that debuggers do not show, or that nobody has to.
 *
 * `split` has two stretches of code, the cold one in front and another function between them: lldb 15
 * knows nothing of such a function but its symbol, neither its variables nor what is inlined into it.
 * `holder` has `blk` inlined, with an empty range among others, and so has the block in that: lldb
 * adds the block's ranges to those of the call, finds none of them any more, and leaves out the
 * function around it. In `around` the empty range is that of `sub`, which is over where we stop: lldb has
 * added it to the calls around it, too, and leaves out all of them but the innermost. `step` jumps to `leaf`: a debugger may show it between leaf and main, as its
 * call sites prove that it was there.
 *
 * expect: hot a value 3
 * expect: in_leaf:1 b value 4
 * expect: in_leaf:2 a value 3
 * expect: in_blk d value 6
 * expect: in_blk:1 c value 5
 * expect: in_inner e value 7
 *
 * Not so in gdb 13.1 and lldb 15.0.6, which say:
 * lldb: hot a: error: no variable named 'a' found in this frame
 */
#include "dwarf_asm.h"

split_cold:
	.cfi_startproc
	.cfi_def_cfa %rbp, 16
	.cfi_offset %rbp, -16
STOP(cold)
	jmp split_back
	.cfi_endproc
end_split_cold:

FUNCTION(deepest)
STOP(in_leaf)
	end_function deepest

FUNCTION(split)
STOP(hot)
	jmp split_cold
split_back:
	nop
mid_start:
	nop
	call deepest
after_deepest:
	nop
mid_end:
	nop
	end_function split

FUNCTION(holder)
	nop
blk_none:
	nop
blk_start:
	nop
	nop
blk_end:
	nop
blk_start2:
	nop
	nop
blk_end2:
	nop
blk_start3:
	nop
STOP(in_blk)
	nop
blk_end3:
	nop
blk_start4:
	nop
	nop
blk_end4:
	nop
	end_function holder

FUNCTION(around)
	nop
nest_start:
	nop
	nop
nest_end:
	nop
inner_start:
	nop
	nop
inner_end:
	nop
	nop
sub_start:
	nop
	nop
sub_end:
	nop
STOP(in_inner)
	nop
inner_end2:
	nop
	end_function around

FUNCTION(leaf)
STOP(jumped)
	end_function leaf

JUMPER(step)
	mov $1, %edi
	jmp leaf
after_step:
	end_jumper step

FUNCTION(main)
	call split
after_split:
	call holder
after_holder:
	call around
after_around:
	call step
after_main_step:
	xor %eax, %eax
	end_function main

	.section .debug_rnglists, "", @progbits
	.long rnglists_end - rnglists_version
rnglists_version:
	.short 5
	.byte 8, 0
	.long 0
	.macro stretch low, high
	.byte DW_RLE_start_length
	.quad \low
	.uleb128 \high - \low
	.endm
split_ranges:
	stretch split, end_split
	stretch split_cold, end_split_cold
	.byte DW_RLE_end_of_list
blk_ranges:
	.byte DW_RLE_start_length
	.quad blk_none
	.uleb128 0
	stretch blk_start, blk_end
	stretch blk_start2, blk_end2
	stretch blk_start3, blk_end3
	stretch blk_start4, blk_end4
	.byte DW_RLE_end_of_list
nest_ranges:
	stretch nest_start, nest_end
inner_ranges:
	stretch inner_start, inner_end
	stretch sub_start, inner_end2
	.byte DW_RLE_end_of_list
sub_ranges:
	.byte DW_RLE_start_length
	.quad inner_end
	.uleb128 0
	stretch sub_start, sub_end
	.byte DW_RLE_end_of_list
rnglists_end:

	.macro constant name, value
	variable \name, t_int
	data1 DW_AT_const_value, \value
	end
	.endm
	.macro described name
v_\name:
	subprogram \name
	expr DW_AT_frame_base, DW_OP_call_frame_cfa
	flag DW_AT_call_all_calls
	end
	.endm
	.macro site behind, whom
	die DW_TAG_call_site
	addr DW_AT_call_return_pc, \behind
	ref DW_AT_call_origin, \whom
	end
	.endm

	unit 5
o_mid:	parent DW_TAG_subprogram
	string DW_AT_name, "mid"
	data1 DW_AT_inline, 1
	end
o_b:	variable b, t_int
	end
	end_children
o_blk:	parent DW_TAG_subprogram
	string DW_AT_name, "blk"
	data1 DW_AT_inline, 1
	end
o_d:	variable d, t_int
	end
	end_children
o_nest:	parent DW_TAG_subprogram
	string DW_AT_name, "nest"
	data1 DW_AT_inline, 1
	end
	end_children
o_inner: parent DW_TAG_subprogram
	string DW_AT_name, "inner"
	data1 DW_AT_inline, 1
	end
o_e:	variable e, t_int
	end
	end_children
o_sub:	parent DW_TAG_subprogram
	string DW_AT_name, "sub"
	data1 DW_AT_inline, 1
	end
	end_children
	described deepest
	end_children
v_split: parent DW_TAG_subprogram
	string DW_AT_name, "split"
	flag DW_AT_external
	ref DW_AT_type, t_int
	sec_offset DW_AT_ranges, split_ranges
	expr DW_AT_frame_base, DW_OP_call_frame_cfa
	flag DW_AT_call_all_calls
	end
	constant a, 3
	parent DW_TAG_inlined_subroutine
	ref DW_AT_abstract_origin, o_mid
	code_range mid_start, mid_end
	data1 DW_AT_call_file, 1
	data1 DW_AT_call_line, 1
	end
	die DW_TAG_variable
	ref DW_AT_abstract_origin, o_b
	data1 DW_AT_const_value, 4
	end
	site after_deepest, v_deepest
	end_children
	end_children
	described holder
	constant c, 5
	parent DW_TAG_inlined_subroutine
	ref DW_AT_abstract_origin, o_blk
	sec_offset DW_AT_ranges, blk_ranges
	data1 DW_AT_call_file, 1
	data1 DW_AT_call_line, 1
	end
	parent DW_TAG_lexical_block
	sec_offset DW_AT_ranges, blk_ranges
	end
	die DW_TAG_variable
	ref DW_AT_abstract_origin, o_d
	data1 DW_AT_const_value, 6
	end
	end_children
	end_children
	end_children
	.macro inlined origin, ranges
	parent DW_TAG_inlined_subroutine
	ref DW_AT_abstract_origin, \origin
	sec_offset DW_AT_ranges, \ranges
	data1 DW_AT_call_file, 1
	data1 DW_AT_call_line, 1
	end
	.endm
	described around
	inlined o_nest, nest_ranges
	inlined o_inner, inner_ranges
	die DW_TAG_variable
	ref DW_AT_abstract_origin, o_e
	data1 DW_AT_const_value, 7
	end
	inlined o_sub, sub_ranges
	end_children
	end_children
	end_children
	end_children
	described leaf
	end_children
	described step
	die DW_TAG_call_site
	addr DW_AT_call_return_pc, after_step
	flag DW_AT_call_tail_call
	ref DW_AT_call_origin, v_leaf
	end
	end_children
	described main
	site after_split, v_split
	site after_holder, v_holder
	site after_around, v_around
	site after_main_step, v_step
	end_children
	end_unit
