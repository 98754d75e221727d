/* sections that must differ: debug information, .comment, notes
 * expect: same */
	.text
	.globl	f
	.type	f, @function
f:
	movl	value(%rip), %eax
	call	g
	ret
	.size	f, .-f
	.type	g, @function
g:
	ret
	.size	g, .-g
	.local	value
	.comm	value,4,4
	.section .comment,"MS",@progbits,1
#ifdef WITH_G
	.string	"with"
	.section .debug_str,"MS",@progbits,1
	.string	"debug information"
	.section .note.gnu.build-id,"a",@note
	.long	4, 4, 3, 0x554e47, 0x12345678
#else
	.string	"none"
	.section .note.gnu.build-id,"a",@note
	.long	4, 4, 3, 0x554e47, 0x87654321
#endif
	.section .note.GNU-stack,"",@progbits
