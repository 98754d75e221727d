/* dwarf_tls.S - thread-local variables: DW_OP_form_tls_address and its GNU ancestor.
 *
 * expect: here standard value 1111
 * expect: here gnu value 2222
 * expect: here zero value 0
 *
 * Not so in gdb 13.1 and lldb 15.0.6, which say:
 * lldb: here standard: <No TLS data currently exists for this thread.>
 * lldb: here gnu: <No TLS data currently exists for this thread.>
 */
#include "dwarf_asm.h"

FUNCTION(main)
STOP(here)
	xor %eax, %eax
	end_function main

	.section .tdata, "awT", @progbits
	.balign 4
standard: .long 1111
gnu:	.long 2222
	.section .tbss, "awT", @nobits
	.balign 4
zero:	.zero 4

	unit 5
	plain_subprogram main
	end_children
	variable standard, t_int
	begin_expr DW_AT_location
	.byte DW_OP_const8u
	.long standard@dtpoff, 0
	.byte DW_OP_form_tls_address
	end_expr
	end
	variable gnu, t_int
	begin_expr DW_AT_location
	.byte DW_OP_const8u
	.long gnu@dtpoff, 0
	.byte DW_OP_GNU_push_tls_address
	end_expr
	end
	variable zero, t_int
	begin_expr DW_AT_location
	.byte DW_OP_const4u
	.long zero@dtpoff
	.byte DW_OP_form_tls_address
	end_expr
	end
	end_unit
