/* dwarf_ranges.S - a block whose ranges hold an empty one, in the midst of another: it covers nothing (DWARF 5,
 * 2.17.3), and the block is where its other range says.
 *
 * DTD bug 11: lldb 15 looks for the last range that begins before the pc, finds the empty one, and the block
 * with its variables is gone.
 *
 * expect: before inner value 5
 * expect: before outer value 3
 * expect: behind inner value 5
 * expect: behind outer value 3
 *
 * Not so in gdb 13.1 and lldb 15.0.6, which say:
 * lldb: behind inner: error: no variable named 'inner' found in this frame
 */
#include "dwarf_asm.h"

FUNCTION(main)
LINE(first)
STOP(before)
STOP(empty)
STOP(behind)
STOP(after)
	xor %eax, %eax
	end_function main

	.section .debug_rnglists, "", @progbits
	.long rnglists_end - rnglists_version
rnglists_version:
	.short 5
	.byte 8, 0
	.long 0
ranges:
	.byte DW_RLE_start_length
	.quad at_before
	.uleb128 at_after - at_before
	.byte DW_RLE_start_length
	.quad at_empty
	.uleb128 0
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
	plain_subprogram main
	declared outer, 3, line_first
	parent DW_TAG_lexical_block
	sec_offset DW_AT_ranges, ranges
	end
	declared inner, 5, line_first
	end_children
	end_children
	end_unit
