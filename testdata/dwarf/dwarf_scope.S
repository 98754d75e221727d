/* dwarf_scope.S - which of several variables of one name is meant, and which are nowhere.
 *
 * `x` is 1 in the function and 2 in the inner block, declared there after the stop `early`: until
 * its declaration it hides nothing. `late` is 1 outside and 2 in the block, which
 * DW_AT_start_scope lets begin at `late` only. `w` is 3, and 4 in a block whose high_pc is its
 * low_pc, and 5 in a block whose range list holds but an empty range: neither has any code.
 * `nowhere` is in a block without pc attributes, which has none either. The frame base, rbp, says
 * that the code is not optimised, so that lines tell.
 *
 * In the block `named` the name `w` means the global, 9, that is declared there from `named` on.
 *
 * expect: outer x value 1
 * expect: early x value 1
 * expect: late x value 2
 * expect: after x value 1
 * expect: early late value 1
 * expect: late late value 2
 * expect: empty w value 3
 * expect: outer w value 3
 * expect: after w value 3
 * expect: early only value 7
 * expect: outer only absent
 * expect: outer nowhere absent
 * expect: early nowhere absent
 * expect: unnamed w value 3
 * expect: named w value 9
 * expect: inside w value 10
 * expect: in_two split value 8
 * expect: between split absent
 * expect: in_three split value 8
 *
 * Not so in gdb 13.1 and lldb 15.0.6, which say:
 * gdb: outer nowhere: 6
 * gdb: early x: 2
 * gdb: early late: 2
 * gdb: early nowhere: 6
 * lldb: early x: 2
 * lldb: early late: 2
 * gdb: unnamed w: 9
 * lldb: unnamed w: <no location, value may have been optimized out>
 * lldb: named w: <no location, value may have been optimized out>
 */
#include "dwarf_asm.h"

FUNCTION(main)
LINE(first)
STOP(outer)
STOP(empty)
block_start:
STOP(early)
LINE(second)
STOP(late)
block_end:
STOP(after)
named_start:
STOP(unnamed)
LINE(named)
STOP(named)
inside_start:
LINE(inside)
STOP(inside)
named_end:
STOP(in_two)
STOP(between)
STOP(in_three)
STOP(last)
	xor %eax, %eax
	end_function main

	.section .debug_rnglists, "", @progbits
	.long rnglists_end - rnglists_version
rnglists_version:
	.short 5
	.byte 8, 0
	.long 0
ranges_empty:
	.byte DW_RLE_start_length
	.quad at_empty
	.uleb128 0
	.byte DW_RLE_end_of_list
ranges_split:
	.byte DW_RLE_start_length
	.quad at_in_two
	.uleb128 at_between - at_in_two
	.byte DW_RLE_base_address
	.quad main
	.byte DW_RLE_offset_pair
	.uleb128 at_in_three - main
	.uleb128 at_last - main
	.byte DW_RLE_end_of_list
rnglists_end:

	.macro declared name, value, line
	variable \name, t_int
	data1 DW_AT_decl_file, 1
	data2 DW_AT_decl_line, \line
	data1 DW_AT_const_value, \value
	end
	.endm

	unit 5
	variable w, t_int
	data1 DW_AT_decl_file, 1
	data2 DW_AT_decl_line, 1
	flag DW_AT_external
	data1 DW_AT_const_value, 9
	end
	subprogram main
	expr DW_AT_frame_base, DW_OP_reg6
	end
	declared x, 1, line_first
	declared late, 1, line_first
	declared w, 3, line_first
	parent DW_TAG_lexical_block
	code_range at_empty, at_empty
	end
	declared w, 4, line_first
	end_children
	parent DW_TAG_lexical_block
	sec_offset DW_AT_ranges, ranges_empty
	end
	declared w, 5, line_first
	end_children
	parent DW_TAG_lexical_block
	end
	declared nowhere, 6, line_first
	end_children
	parent DW_TAG_lexical_block
	code_range block_start, block_end
	end
	declared only, 7, line_first
	declared x, 2, line_second
	variable late, t_int
	data1 DW_AT_decl_file, 1
	data2 DW_AT_decl_line, line_first
	data1 DW_AT_start_scope, at_late-block_start
	data1 DW_AT_const_value, 2
	end
	end_children
	parent DW_TAG_lexical_block
	code_range named_start, named_end
	end
	variable w, t_int
	data1 DW_AT_decl_file, 1
	data2 DW_AT_decl_line, line_named
	flag DW_AT_external
	flag DW_AT_declaration
	end
	parent DW_TAG_lexical_block
	code_range inside_start, named_end
	end
	declared w, 10, line_inside
	end_children
	end_children
	parent DW_TAG_lexical_block
	sec_offset DW_AT_ranges, ranges_split
	end
	declared split, 8, line_first
	end_children
	end_children
	end_unit
