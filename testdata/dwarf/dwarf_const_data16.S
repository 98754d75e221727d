/* dwarf_const_data16.S - DW_FORM_data16: a constant of 16 bytes.
 *
 * lldb 15 does not know the form and then knows nothing of the whole unit: no line, no function, no
 * variable.
 *
 * expect: here data16.low value 1
 * expect: here data16.high value -2
 * expect: here huge value -18446744073709551615
 * expect: here other value 5
 */
#include "dwarf_asm.h"

FUNCTION(main)
STOP(here)
	xor %eax, %eax
	end_function main

	unit 5
t_int128: base_type "__int128", 16, DW_ATE_signed
t_two:	parent DW_TAG_structure_type
	string DW_AT_name, "two"
	data1 DW_AT_byte_size, 16
	end
	member low, t_long, 0
	member high, t_long, 8
	end_children
	plain_subprogram main
	variable data16, t_two
	data16 DW_AT_const_value, 1, -2
	end
	variable huge, t_int128
	data16 DW_AT_const_value, 1, -1
	end
	variable other, t_int
	data1 DW_AT_const_value, 5
	end
	end_children
	end_unit
