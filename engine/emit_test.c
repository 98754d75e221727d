/* emit_test.c - the code of the cache, byte by byte, and copies of instructions that refer to
 * rip. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/emit.h"

enum { AT = 0x10000, DATA = 0x20000010 };

/* What the processor would make of the code, in AT&T's syntax, one instruction after the other. */
static void assert_code(const struct eng_emit *emit, const char *const *lines)
{
	size_t at = 0;
	for (; *lines; lines++) {
		char text[96];
		struct eng_insn insn = eng_insn_decode(emit->bytes + at, emit->size - at);
		assert_true(insn.length);
		assert_true(eng_insn_text(
			emit->bytes + at, emit->size - at, emit->at + at, text, sizeof text));
		assert_string_equal(text, *lines);
		at += insn.length;
	}
	assert_int_equal(at, emit->size);
}

static void own_code_is_what_it_says(void **state)
{
	static struct eng_emit emit = {.at = AT};
	(void)state;
	eng_emit_store(&emit, ENG_EMIT_RCX, DATA);
	eng_emit_load(&emit, ENG_EMIT_RDX, DATA);
	eng_emit_store_value(&emit, DATA, 0x12345678);
	eng_emit_load_indexed(&emit, ENG_EMIT_RDX, DATA);
	eng_emit_set(&emit, ENG_EMIT_RAX, UINT64_C(0x1122334455667788));
	eng_emit_decrement(&emit);
	eng_emit_add(&emit, ENG_EMIT_RAX);
	eng_emit_add(&emit, ENG_EMIT_RDX);
	eng_emit_low16(&emit);
	eng_emit_jrcxz(&emit, -2);
	eng_emit_jmp(&emit, AT);
	eng_emit_jmp_through(&emit, DATA);
	eng_emit_push(&emit, DATA);
	eng_emit_top(&emit);
	eng_emit_pop(&emit, 16);
	eng_emit_int3(&emit);
	assert_code(&emit,
		(const char *const[]){"mov %rcx, 0x0000000020000010",
			"mov 0x0000000020000010, %rdx", "movl $0x12345678, 0x0000000020000010",
			"mov 0x20000010(,%rax,8), %rdx", "mov $0x1122334455667788, %rax",
			"lea -0x01(%rcx), %rcx", "lea (%rcx,%rax,1), %rcx",
			"lea (%rcx,%rdx,1), %rcx", "movzx %cx, %eax", "jrcxz 0x000000000001003C",
			"jmp 0x0000000000010000", "jmp *0x0000000020000010",
			"push 0x0000000020000010", "mov (%rsp), %rcx", "lea 0x18(%rsp), %rsp",
			"int3", NULL});
}

static void branches_reach_far(void **state)
{
	static struct eng_emit emit = {.at = AT};
	(void)state;
	eng_emit_branch(&emit, 5, AT + 0x1000, AT + 0x2000);    /* jne */
	eng_emit_branch(&emit, 0xe2, AT + 0x1000, AT + 0x2000); /* loop */
	assert_code(&emit, (const char *const[]){"jnz 0x0000000000011000", "jmp 0x0000000000012000",
				   "loop 0x0000000000010012", "jmp 0x0000000000012000",
				   "jmp 0x0000000000011000", NULL});
}

/* Emits a copy, or the target of a branch, of code at pc; the text that it has then. */
static const char *moved(const char *code, size_t size, xs_addr pc, bool target)
{
	static struct eng_emit emit;
	static char text[96];
	struct eng_insn insn = eng_insn_decode((const uint8_t *)code, size);
	emit.at = AT;
	emit.size = 0;
	assert_int_equal(insn.length, size);
	bool fits = target ? eng_emit_target(&emit, (const uint8_t *)code, &insn, pc)
			   : eng_emit_copy(&emit, (const uint8_t *)code, &insn, pc);
	if (!fits)
		return "too far";
	assert_true(eng_insn_text(emit.bytes, emit.size, emit.at, text, sizeof text));
	assert_int_equal(eng_insn_decode(emit.bytes, emit.size).length, emit.size);
	return text;
}
#define MOVED(code, pc)  moved(code, sizeof code - 1, pc, false)
#define TARGET(code, pc) moved(code, sizeof code - 1, pc, true)

static void copies_refer_to_the_same(void **state)
{
	(void)state;
	assert_string_equal(MOVED("\x90", 0x500000), "nop");
	/* lea 0x100(%rip), %rax at 0x500000 */
	assert_string_equal(
		MOVED("\x48\x8d\x05\0\x01\0\0", 0x500000), "lea 0x0000000000500107, %rax");
	/* cmpl $7, 0x100(%rip): bytes follow the displacement */
	assert_string_equal(
		MOVED("\x83\x3d\0\x01\0\0\x07", 0x500000), "cmpl $0x07, 0x0000000000500107");
	/* movaps -16(%rip), %xmm9 */
	assert_string_equal(MOVED("\x44\x0f\x28\x0d\xf0\xff\xff\xff", 0x500000),
		"movaps 0x00000000004FFFF8, %xmm9");
	assert_string_equal(MOVED("\x48\x8d\x05\0\x01\0\0", UINT64_C(0x555555554000)), "too far");
}

static void targets_are_read_into_rcx(void **state)
{
	(void)state;
	assert_string_equal(TARGET("\xff\xe0", 0x500000), "mov %rax, %rcx");
	assert_string_equal(TARGET("\x41\xff\xd7", 0x500000), "mov %r15, %rcx");
	assert_string_equal(TARGET("\x3e\xff\xe2", 0x500000), "mov %rdx, %rcx"); /* notrack */
	assert_string_equal(TARGET("\xf2\xff\xe1", 0x500000), "mov %rcx, %rcx"); /* bnd */
	assert_string_equal(TARGET("\xff\x64\x24\x08", 0x500000), "mov 0x08(%rsp), %rcx");
	assert_string_equal(
		TARGET("\x42\xff\x24\xe5\0\0\x40\0", 0x500000), "mov 0x400000(,%r12,8), %rcx");
	assert_string_equal(
		TARGET("\x43\xff\x54\xfd\x10", 0x500000), "mov 0x10(%r13,%r15,8), %rcx");
	assert_string_equal(TARGET("\xff\x15\0\x01\0\0", 0x500000), "mov 0x0000000000500106, %rcx");
}

static void what_a_copy_cannot_do_is_told(void **state)
{
	static const struct {
		const char *code;
		size_t size;
		bool delicate, reads;
	} cases[] = {
		{"\x9d", 1, true, true},                   /* popf */
		{"\x8e\xd0", 2, true, false},              /* mov %eax, %ss */
		{"\xd9\x30", 2, true, true},               /* fnstenv (%rax) */
		{"\x0f\xae\x00", 3, true, true},           /* fxsave (%rax) */
		{"\x0f\xae\x20", 3, true, true},           /* xsave (%rax) */
		{"\xde\xc1", 2, false, false},             /* faddp */
		{"\x48\x8d\x05\0\0\0\0", 7, false, false}, /* lea (%rip), %rax */
		{"\x48\x8b\x05\0\0\0\0", 7, false, true},  /* mov (%rip), %rax */
		{"\x67\x8d\x05\0\0\0\0", 7, true, false},  /* lea (%eip), %eax */
		{"\x01\xc8", 2, false, false},             /* add %ecx, %eax */
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const uint8_t *code = (const uint8_t *)cases[i].code;
		assert_int_equal(eng_insn_is_delicate(code, cases[i].size), cases[i].delicate);
		assert_int_equal(eng_insn_reads(code, cases[i].size), cases[i].reads);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_code_is_what_it_says),
		cmocka_unit_test(branches_reach_far),
		cmocka_unit_test(copies_refer_to_the_same),
		cmocka_unit_test(targets_are_read_into_rcx),
		cmocka_unit_test(what_a_copy_cannot_do_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
