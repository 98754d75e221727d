/* dwarf_call_sites.S - which call site tells an entry value: tail calls, copies of a function, inlined
 * calls. DWARF 5.
 *
 * A function that was come to by a tail call is not the one that its caller called. The call sites of
 * the functions on the way tell what it was entered with, if there is one way only:
 *   one    main calls step (17), which jumps to b_one: x is one more, y 5. z is said to be rbx, which
 *          functions preserve: at the jump it is main's again, and compilers mean what it held
 *          before. So nobody knows; nor u, said to be r10, which is gone.
 *   way    main calls first (40), that jumps to second (one more), that to b_way (two more).
 *   fork   two tail calls of split lead there, with other values.
 *   pick   another tail call of picker goes through a pointer, and may have led there.
 *   silent of mute nobody says that all its tail calls are described.
 *   back   it has a tail call to itself.
 *   whole  jumps to a copy of itself, whole.part, which is another function. Its caller names the
 *          abstract instance that both come from; the call itself goes to whole.
 *   part   by whole's tail call.
 *   inl    an inlined call in host: the call site in main says that its v is rbx, which is 30 in main
 *          and -1 by now in host.
 *
 * expect: one x value 18
 * expect: one y value 5
 * expect: one z optimized-out
 * expect: one u optimized-out
 * expect: way x value 43
 * expect: fork x optimized-out
 * expect: pick x optimized-out
 * expect: silent x optimized-out
 * expect: back x optimized-out
 * expect: whole n value 9
 * expect: part n value 10
 * expect: inl v value 30
 * expect: inl:1 w value 30
 *
 * Not so in gdb 13.1 and lldb 15.0.6, which say:
 * gdb: whole n: <optimized out>
 * gdb: part n: <optimized out>
 * gdb: inl v: -1
 * lldb: pick x: 1
 * lldb: back x: 3
 * lldb: part n: <Could not evaluate DW_OP_entry_value.>
 * lldb: inl v: <Could not evaluate DW_OP_entry_value.>
 */
#include "dwarf_asm.h"

/* All that was passed is overwritten where it stops. */
#define CALLEE(name, place) \
	FUNCTION(name); mov $-1, %edi; mov $-1, %esi; mov $-1, %edx; STOP(place); end_function name

CALLEE(b_one, one)
CALLEE(b_way, way)
CALLEE(b_fork, fork)
CALLEE(b_pick, pick)
CALLEE(b_silent, silent)

JUMPER(step)
	add $1, %edi
	mov $5, %esi
	mov %ebx, %edx
	jmp b_one
after_step:
	end_jumper step

JUMPER(second)
	add $2, %edi
	jmp b_way
after_second:
	end_jumper second

JUMPER(first)
	add $1, %edi
	jmp second
after_first:
	end_jumper first

JUMPER(split)
	test %edi, %edi
	js 1f
	add $1, %edi
	jmp b_fork
after_split:
1:	mov $3, %edi
	jmp b_fork
after_split2:
	end_jumper split

JUMPER(picker)
	lea b_pick(%rip), %rax
	test %edi, %edi
	js 1f
	jmp b_pick
after_picker:
1:	jmp *%rax
after_picker2:
	end_jumper picker

JUMPER(mute)
	jmp b_silent
after_mute:
	end_jumper mute

FUNCTION(again)
	mov %edi, %eax
	mov $-1, %edi
STOP(back)
	leave
	.cfi_def_cfa %rsp, 8
	cmp $1, %eax
	je 1f
	ret
1:	mov $2, %edi
	jmp again
after_again:
	.cfi_endproc
end_again:
	.size again, . - again

FUNCTION(whole.part)
	mov $-1, %edi
STOP(part)
	end_function whole.part

FUNCTION(whole)
	lea 1(%rdi), %eax
	mov $-1, %edi
STOP(whole)
	mov %eax, %edi
	leave
	.cfi_def_cfa %rsp, 8
	jmp whole.part
after_whole:
	.cfi_endproc
end_whole:
	.size whole, . - whole

FUNCTION(host)
	push %rbx
	.cfi_offset %rbx, -24
	push %rax
	mov $-1, %edi
	mov $-1, %rbx
inl_start:
	nop
STOP(inl)
inl_end:
	mov -8(%rbp), %rbx
	end_function host

FUNCTION(main)
	push %rbx
	push %rax
	mov $30, %rbx
	mov $17, %edi
	call step
after_one:
	mov $40, %edi
	call first
after_way:
	mov $1, %edi
	call split
after_fork:
	mov $1, %edi
	call picker
after_pick:
	mov $1, %edi
	call mute
after_silent:
	mov $3, %edi
	call again
after_back:
	mov $9, %edi
	call whole
after_main_whole:
	mov %ebx, %edi
	call host
after_inl:
	xor %eax, %eax
	mov -8(%rbp), %rbx
	end_function main

	/* A function whose x is what it was entered with. */
	.macro callee name
v_\name:
	plain_subprogram \name
	.endm
	.macro entered name
	parameter \name, t_int
	expr DW_AT_location, DW_OP_entry_value, 1, DW_OP_reg5, DW_OP_stack_value
	end
	.endm
	/* One that says that all its tail calls are here. */
	.macro described name
v_\name:
	subprogram \name
	expr DW_AT_frame_base, DW_OP_call_frame_cfa
	flag DW_AT_call_all_calls
	end
	.endm
	/* A call of `whom` before `behind`, and what is in edi. */
	.macro called behind, whom, edi:vararg
	parent DW_TAG_call_site
	addr DW_AT_call_return_pc, \behind
	ref DW_AT_call_origin, \whom
	end
	passes DW_OP_reg5, \edi
	end_children
	.endm
	.macro jumps behind, whom
	parent DW_TAG_call_site
	addr DW_AT_call_return_pc, \behind
	flag DW_AT_call_tail_call
	ref DW_AT_call_origin, \whom
	end
	.endm
	.macro passes where, what:vararg
	die DW_TAG_call_site_parameter
	expr DW_AT_location, \where
	expr DW_AT_call_value, \what
	end
	.endm

	unit 5
	callee b_one
	entered x
	parameter y, t_int
	expr DW_AT_location, DW_OP_entry_value, 1, DW_OP_reg4, DW_OP_stack_value
	end
	parameter z, t_int
	expr DW_AT_location, DW_OP_entry_value, 1, DW_OP_reg1, DW_OP_stack_value
	end
	parameter u, t_int
	expr DW_AT_location, DW_OP_entry_value, 1, DW_OP_reg8, DW_OP_stack_value
	end
	end_children
	callee b_way
	entered x
	end_children
	callee b_fork
	entered x
	end_children
	callee b_pick
	entered x
	end_children
	callee b_silent
	entered x
	end_children
	described step
	jumps after_step, v_b_one
	passes DW_OP_reg5, DW_OP_entry_value, 1, DW_OP_reg5, DW_OP_plus_uconst, 1
	passes DW_OP_reg4, DW_OP_lit5
	passes DW_OP_reg1, DW_OP_breg3, 0
	passes DW_OP_reg8, DW_OP_breg10, 0
	end_children
	end_children
	described second
	jumps after_second, v_b_way
	passes DW_OP_reg5, DW_OP_entry_value, 1, DW_OP_reg5, DW_OP_plus_uconst, 2
	end_children
	end_children
	described first
	jumps after_first, v_second
	passes DW_OP_reg5, DW_OP_entry_value, 1, DW_OP_reg5, DW_OP_plus_uconst, 1
	end_children
	end_children
	described split
	jumps after_split, v_b_fork
	passes DW_OP_reg5, DW_OP_entry_value, 1, DW_OP_reg5, DW_OP_plus_uconst, 1
	end_children
	jumps after_split2, v_b_fork
	passes DW_OP_reg5, DW_OP_lit3
	end_children
	end_children
	described picker
	jumps after_picker, v_b_pick
	passes DW_OP_reg5, DW_OP_entry_value, 1, DW_OP_reg5
	end_children
	die DW_TAG_call_site
	addr DW_AT_call_return_pc, after_picker2
	flag DW_AT_call_tail_call
	end
	end_children
	callee mute
	jumps after_mute, v_b_silent
	passes DW_OP_reg5, DW_OP_entry_value, 1, DW_OP_reg5
	end_children
	end_children
	described again
	entered x
	jumps after_again, v_again
	passes DW_OP_reg5, DW_OP_lit2
	end_children
	end_children
o_whole: parent DW_TAG_subprogram
	string DW_AT_name, "whole"
	flag DW_AT_external
	ref DW_AT_type, t_int
	data1 DW_AT_inline, 1
	end
o_n:	parameter n, t_int
	end
	end_children
v_part:	parent DW_TAG_subprogram
	ref DW_AT_abstract_origin, o_whole
	code_range whole.part, end_whole.part
	expr DW_AT_frame_base, DW_OP_call_frame_cfa
	flag DW_AT_call_all_calls
	end
	die DW_TAG_formal_parameter
	ref DW_AT_abstract_origin, o_n
	expr DW_AT_location, DW_OP_entry_value, 1, DW_OP_reg5, DW_OP_stack_value
	end
	end_children
	parent DW_TAG_subprogram
	ref DW_AT_abstract_origin, o_whole
	code_range whole, end_whole
	expr DW_AT_frame_base, DW_OP_call_frame_cfa
	flag DW_AT_call_all_calls
	end
	die DW_TAG_formal_parameter
	ref DW_AT_abstract_origin, o_n
	expr DW_AT_location, DW_OP_entry_value, 1, DW_OP_reg5, DW_OP_stack_value
	end
	jumps after_whole, v_part
	passes DW_OP_reg5, DW_OP_entry_value, 1, DW_OP_reg5, DW_OP_plus_uconst, 1
	end_children
	end_children
o_inl:	parent DW_TAG_subprogram
	string DW_AT_name, "inl"
	data1 DW_AT_inline, 1
	end
o_v:	parameter v, t_int
	end
	end_children
	described host
	entered w
	parent DW_TAG_inlined_subroutine
	ref DW_AT_abstract_origin, o_inl
	code_range inl_start, inl_end
	data1 DW_AT_call_file, 1
	data1 DW_AT_call_line, 1
	end
	die DW_TAG_formal_parameter
	ref DW_AT_abstract_origin, o_v
	expr DW_AT_location, DW_OP_entry_value, 1, DW_OP_reg5, DW_OP_stack_value
	end
	end_children
	end_children
	described main
	called after_one, v_step, DW_OP_lit17
	called after_way, v_first, DW_OP_const1u, 40
	called after_fork, v_split, DW_OP_lit1
	called after_pick, v_picker, DW_OP_lit1
	called after_silent, v_mute, DW_OP_lit1
	called after_back, v_again, DW_OP_lit3
	called after_main_whole, o_whole, DW_OP_lit9
	called after_inl, v_host, DW_OP_breg3, 0
	end_children
	end_unit
