/* dwarf_const_value.S - DW_AT_const_value in (almost) every form.
 *
 * data1 .. data8 have no sign of their own: the type says it. A block is the object's bytes in
 * memory order; a string stands for an array of characters. data16 is in dwarf_const_data16.S.
 *
 * expect: here data1 value -1
 * expect: here udata1 value 255
 * expect: here data2 value -2
 * expect: here data4 value -3
 * expect: here data4_float value 1.5
 * expect: here data8 value -4
 * expect: here data8_double value -0.25
 * expect: here sdata value -5
 * expect: here sdata_long value -6
 * expect: here udata value 4000000000
 * expect: here implicit value -7
 * expect: here block.low value 3
 * expect: here block.high value 4
 * expect: here block_int value 16909060
 * expect: here text[0] value 104
 * expect: here text[1] value 105
 * expect: here text[2] value 0
 * expect: here data1_short value 200
 * expect: here global value 42
 *
 * Not so in gdb 13.1 and lldb 15.0.6, which say:
 * lldb: here implicit: <empty constant data>
 */
#include "dwarf_asm.h"

FUNCTION(main)
STOP(here)
	xor %eax, %eax
	end_function main

	unit 5
t_two:	parent DW_TAG_structure_type
	string DW_AT_name, "two"
	data1 DW_AT_byte_size, 16
	end
	member low, t_long, 0
	member high, t_long, 8
	end_children
t_text:	parent DW_TAG_array_type
	ref DW_AT_type, t_char
	end
	die DW_TAG_subrange_type
	ref DW_AT_type, t_ulong
	data1 DW_AT_count, 3
	end
	end_children
	variable global, t_int
	flag DW_AT_external
	data1 DW_AT_const_value, 42
	end
	plain_subprogram main
	variable data1, t_char
	data1 DW_AT_const_value, 0xff
	end
	variable udata1, t_uchar
	data1 DW_AT_const_value, 0xff
	end
	variable data2, t_short
	data2 DW_AT_const_value, 0xfffe
	end
	variable data4, t_int
	data4 DW_AT_const_value, 0xfffffffd
	end
	variable data4_float, t_float
	data4 DW_AT_const_value, 0x3fc00000
	end
	variable data8, t_long
	data8 DW_AT_const_value, -4
	end
	variable data8_double, t_double
	data8 DW_AT_const_value, 0xbfd0000000000000
	end
	variable sdata, t_int
	sdata DW_AT_const_value, -5
	end
	variable sdata_long, t_long
	sdata DW_AT_const_value, -6
	end
	variable udata, t_uint
	udata DW_AT_const_value, 4000000000
	end
	variable implicit, t_int
	.pushsection .debug_abbrev
	.uleb128 DW_AT_const_value
	.uleb128 DW_FORM_implicit_const
	.sleb128 -7
	.popsection
	end
	variable block, t_two
	block1 DW_AT_const_value, 3, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0
	end
	variable block_int, t_int
	block1 DW_AT_const_value, 4, 3, 2, 1
	end
	variable text, t_text
	string DW_AT_const_value, "hi"
	end
	/* A short form for a wider type: no sign bit of the type is in it. */
	variable data1_short, t_ushort
	data1 DW_AT_const_value, 200
	end
	end_children
	end_unit
