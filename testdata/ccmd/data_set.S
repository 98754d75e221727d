/* a section that whoever links goes through, from __start_set to __stop_set
 * expect: data */
	.text
	.globl	f
	.type	f, @function
f:
	ret
	.size	f, .-f
	.section set, "a", @progbits
	.type	entry, @object
	.size	entry, 8
entry:
#ifdef WITH_G
	.quad	2
#else
	.quad	1
#endif
	.section .note.GNU-stack,"",@progbits
