/* dwarf_loclists.S - .debug_loclists: every kind of entry, empty ranges, indexes.
 *
 * `kinds` is 10 .. 16 at the stops s0 .. s6, each by another kind of entry; at s2 and `last` 31 by
 * the default entry. `startx_endx` has a list of its own (gdb 13 does not know that kind). `first`
 * has an empty entry at the first pc of callee, where it is therefore gone. `twice` has two
 * entries for s1: the first of them that covers the pc is as good as the other (both say 5).
 * `indexed` is found through DW_FORM_loclistx. `nolist` has an empty list. readelf 2.40 -wo loses
 * its way in these lists; llvm-dwarfdump 15 --verify has no complaint.
 *
 * expect: s0 kinds value 10
 * expect: s1 kinds value 11
 * expect: s2 startx_endx value 12
 * expect: s2 kinds value 31
 * expect: s3 startx_endx optimized-out
 * expect: s3 kinds value 13
 * expect: s4 kinds value 14
 * expect: s5 kinds value 15
 * expect: s6 kinds value 16
 * expect: last kinds value 31
 * expect: s1 indexed value 6
 * expect: s2 indexed optimized-out
 * expect: s3 nolist optimized-out
 * expect: s1 twice value 5
 * expect: s2 empty_inside value 8
 * expect: entry_callee first optimized-out
 * expect: inside first value 9
 *
 * Not so in gdb 13.1 and lldb 15.0.6, which say:
 * gdb: s2 startx_endx: dwarf2_find_location_expression: Corrupted DWARF expression.
 * gdb: s2 kinds: dwarf2_find_location_expression: Corrupted DWARF expression.
 * gdb: entry_callee first: 66
 * lldb: s2 kinds: <variable not available>
 * lldb: last kinds: <variable not available>
 */
#include "dwarf_asm.h"

FUNCTION(callee)
	mov $77, %edi
STOP(inside)
	end_function callee

FUNCTION(main)
	mov $66, %edi
	call callee
STOP(s0)
STOP(s1)
STOP(s2)
STOP(s3)
STOP(s4)
STOP(s5)
STOP(s6)
STOP(last)
	xor %eax, %eax
	end_function main

	.section .debug_addr, "", @progbits
	.long addr_end - addr_version
addr_version:
	.short 5
	.byte 8, 0
addr_base:
	.quad at_s2 /* 0 */
	.quad at_s3 /* 1 */
	.quad at_s4 /* 2 */
	.quad main  /* 3 */
addr_end:

	.section .debug_loclists, "", @progbits
	.long loclists_end - loclists_version
loclists_version:
	.short 5
	.byte 8, 0
	.long 1
loclists_base:
	.long list_indexed - loclists_base
list_kinds:
	/* Without a base entry the unit's low_pc is the base. */
	.byte DW_LLE_offset_pair
	.uleb128 at_s0 - text_start
	.uleb128 at_s1 - text_start
	ops DW_OP_lit10, DW_OP_stack_value
	.byte DW_LLE_start_length
	.quad at_s1
	.uleb128 at_s2 - at_s1
	ops DW_OP_lit11, DW_OP_stack_value
	.byte DW_LLE_startx_length
	.uleb128 1
	.uleb128 at_s4 - at_s3
	ops DW_OP_lit13, DW_OP_stack_value
	.byte DW_LLE_start_end
	.quad at_s4
	.quad at_s5
	ops DW_OP_lit14, DW_OP_stack_value
	.byte DW_LLE_base_address
	.quad at_s4
	.byte DW_LLE_offset_pair
	.uleb128 at_s5 - at_s4
	.uleb128 at_s6 - at_s4
	ops DW_OP_lit15, DW_OP_stack_value
	.byte DW_LLE_base_addressx
	.uleb128 3
	.byte DW_LLE_offset_pair
	.uleb128 at_s6 - main
	.uleb128 at_last - main
	ops DW_OP_lit16, DW_OP_stack_value
	.byte DW_LLE_default_location
	ops DW_OP_lit31, DW_OP_stack_value
	.byte DW_LLE_end_of_list
list_startx_endx:
	.byte DW_LLE_startx_endx
	.uleb128 0
	.uleb128 1
	ops DW_OP_lit12, DW_OP_stack_value
	.byte DW_LLE_end_of_list
list_indexed:
	.byte DW_LLE_start_length
	.quad at_s1
	.uleb128 at_s2 - at_s1
	ops DW_OP_lit6, DW_OP_stack_value
	.byte DW_LLE_end_of_list
list_none:
	.byte DW_LLE_end_of_list
list_twice:
	.byte DW_LLE_start_end
	.quad at_s0, at_s2
	ops DW_OP_lit5, DW_OP_stack_value
	.byte DW_LLE_start_end
	.quad at_s1, at_s3
	ops DW_OP_lit5, DW_OP_stack_value
	.byte DW_LLE_end_of_list
list_empty_inside:
	.byte DW_LLE_start_length
	.quad at_s2
	.uleb128 0
	ops DW_OP_lit7, DW_OP_stack_value
	.byte DW_LLE_start_end
	.quad at_s0, at_s4
	ops DW_OP_lit8, DW_OP_stack_value
	.byte DW_LLE_end_of_list
list_first:
	.byte DW_LLE_start_length
	.quad callee
	.uleb128 0
	ops DW_OP_reg5
	.byte DW_LLE_start_end
	.quad at_inside, end_callee
	ops DW_OP_lit9, DW_OP_stack_value
	.byte DW_LLE_end_of_list
loclists_end:

	unit_open 5
	sec_offset DW_AT_addr_base, addr_base
	sec_offset DW_AT_loclists_base, loclists_base
	unit_types
	plain_subprogram callee
	parameter first, t_int
	sec_offset DW_AT_location, list_first
	end
	end_children
	plain_subprogram main
	variable kinds, t_int
	sec_offset DW_AT_location, list_kinds
	end
	variable startx_endx, t_int
	sec_offset DW_AT_location, list_startx_endx
	end
	variable indexed, t_int
	attribute DW_AT_location, DW_FORM_loclistx
	.uleb128 0
	end
	variable nolist, t_int
	sec_offset DW_AT_location, list_none
	end
	variable twice, t_int
	sec_offset DW_AT_location, list_twice
	end
	variable empty_inside, t_int
	sec_offset DW_AT_location, list_empty_inside
	end
	end_children
	end_unit
