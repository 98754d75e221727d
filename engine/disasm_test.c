/* disasm_test.c - what two instructions have in common, told by their bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "engine/disasm.h"

#define TAKE_APART(is_64, ...)                                                                     \
	eng_disasm((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}), is_64)

static void what_fills_space_is_a_nop(void **state)
{
	(void)state;
	assert_true(TAKE_APART(true, 0x90).nop);
	assert_true(TAKE_APART(true, 0x66, 0x90).nop);  /* xchg %ax, %ax */
	assert_false(TAKE_APART(true, 0x49, 0x90).nop); /* xchg %r8, %rax */
	assert_false(TAKE_APART(true, 0x41, 0x90).nop); /* xchg %r8d, %eax */
	assert_true(TAKE_APART(true, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0)
			    .nop);                                        /* nopw %cs:... */
	assert_true(TAKE_APART(false, 0x8d, 0x76, 0x00).nop);             /* lea 0(%esi), %esi */
	assert_true(TAKE_APART(false, 0x8d, 0xb4, 0x26, 0, 0, 0, 0).nop); /* the same, longer */
	assert_true(TAKE_APART(false, 0x89, 0xf6).nop);                   /* mov %esi, %esi */
	assert_false(TAKE_APART(true, 0x89, 0xf6).nop); /* clears the upper half of rsi */
	assert_false(TAKE_APART(true, 0xf3, 0x90).nop); /* pause */
	assert_false(TAKE_APART(true, 0xf3, 0x0f, 0x1e, 0xfa).nop); /* endbr64 */
	assert_false(TAKE_APART(false, 0x8d, 0x76, 0x04).nop);      /* lea 4(%esi), %esi */
}

static void registers_and_numbers_are_no_part_of_the_shape(void **state)
{
	(void)state;
	struct eng_disasm eax = TAKE_APART(true, 0x01, 0xf8), ecx = TAKE_APART(true, 0x01, 0xf9);
	assert_int_equal(eax.shape, ecx.shape); /* add %edi, %eax or %ecx */
	assert_int_not_equal(eax.registers, ecx.registers);
	struct eng_disasm one = TAKE_APART(true, 0x83, 0xc0, 1),
			  two = TAKE_APART(true, 0x83, 0xc0, 2);
	assert_int_equal(one.shape, two.shape); /* add $1 or $2, %eax */
	assert_int_equal(one.registers, two.registers);
	assert_int_not_equal(one.shape, eax.shape);
	struct eng_disasm wide = TAKE_APART(true, 0x48, 0x01, 0xf8);
	assert_int_not_equal(wide.shape, eax.shape); /* add %rdi, %rax */
	struct eng_disasm memory = TAKE_APART(true, 0x01, 0x38);
	assert_int_not_equal(memory.shape, eax.shape); /* add %edi, (%rax) */
}

static void fields_are_found(void **state)
{
	(void)state;
	/* movl $5, 0x10(%rip): the displacement counts from the end, behind the immediate. */
	struct eng_disasm store = TAKE_APART(true, 0xc7, 0x05, 0x10, 0, 0, 0, 5, 0, 0, 0);
	assert_true(store.relative);
	assert_int_equal(store.length, 10);
	assert_int_equal(store.disp.at, 2);
	assert_int_equal(store.disp.size, 4);
	assert_int_equal(store.disp_value, 0x10);
	assert_int_equal(store.imm[0].at, 6);
	struct eng_disasm jump = TAKE_APART(true, 0x74, 0xfe); /* je to itself */
	assert_true(jump.branch && jump.conditional && !jump.jump);
	assert_int_equal(jump.distance, -2);
	assert_true(TAKE_APART(true, 0xe8, 0, 0, 0, 0).branch);
	assert_true(TAKE_APART(true, 0xc3).jump);
	assert_false(TAKE_APART(false, 0xa1, 0x10, 0, 0, 0).relative); /* 32-bit: an address */
}

static void bytes_that_are_no_instruction(void **state)
{
	(void)state;
	char text[ENG_DISASM_TEXT];
	struct eng_disasm none = TAKE_APART(true, 0x06);
	assert_false(none.valid);
	assert_int_equal(none.length, 1);
	assert_true(TAKE_APART(false, 0x06).valid); /* push %es */
	eng_disasm_text((const uint8_t[]){0x06}, 1, true, 0, text);
	assert_string_equal(text, "(bad)");
	assert_string_equal(eng_disasm_mnemonic(none.mnemonic), "(bad)");
}

static void text_counts_from_where_it_is_told(void **state)
{
	(void)state;
	char text[ENG_DISASM_TEXT];
	eng_disasm_text((const uint8_t[]){0x74, 0x0e}, 2, true, 0x10, text);
	assert_string_equal(text, "jz 0x20");
	eng_disasm_text((const uint8_t[]){0x8b, 0x05, 4, 0, 0, 0}, 6, true, XS_ADDR_NONE, text);
	assert_non_null(strstr(text, "(%rip)"));
	eng_disasm_text((const uint8_t[]){0x8b, 0x45, 0xfc}, 3, false, 0, text);
	assert_string_equal(text, "mov -0x04(%ebp), %eax");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_fills_space_is_a_nop),
		cmocka_unit_test(registers_and_numbers_are_no_part_of_the_shape),
		cmocka_unit_test(fields_are_found),
		cmocka_unit_test(bytes_that_are_no_instruction),
		cmocka_unit_test(text_counts_from_where_it_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
