/* insn_test.c - the instructions that a step must treat with care, told by their bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/insn.h"

static void kinds_and_lengths(void **state)
{
	(void)state;
	static const struct {
		uint8_t bytes[ENG_INSN_MAX];
		enum eng_insn_kind kind;
		uint8_t length;
	} cases[] = {
		{{0x90}, ENG_INSN_PLAIN, 1}, {{0xf3, 0xa4}, ENG_INSN_REP, 2}, /* rep movsb */
		{{0xf3, 0x48, 0xab}, ENG_INSN_REP, 3},                        /* rep stosq */
		{{0x66, 0xf3, 0xa5}, ENG_INSN_REP, 3},                        /* rep movsw */
		{{0xf2, 0xae}, ENG_INSN_REP, 2},                              /* repne scasb */
		{{0xf3, 0xa6}, ENG_INSN_REP, 2},                              /* repe cmpsb */
		{{0xf2, 0xa6}, ENG_INSN_REP, 2},                              /* repne cmpsb */
		{{0xf3, 0xac}, ENG_INSN_REP, 2},                              /* rep lodsb */
		{{0xf3, 0x6e}, ENG_INSN_REP, 2},                              /* rep outsb */
		{{0xa4}, ENG_INSN_PLAIN, 1},                                  /* movsb, once */
		{{0xf3, 0xc3}, ENG_INSN_RETURN, 2},                           /* rep ret */
		{{0xf3, 0x90}, ENG_INSN_PLAIN, 2},                            /* pause */
		{{0xf3, 0x0f, 0x1e, 0xfa}, ENG_INSN_PLAIN, 4},                /* endbr64 */
		{{0xf3, 0x0f, 0x10, 0x00}, ENG_INSN_PLAIN, 4},                /* movss */
		{{0xf2, 0xff, 0xe0}, ENG_INSN_INDIRECT_JUMP, 3},              /* bnd jmp */
		{{0x9c}, ENG_INSN_PUSHF, 1}, {{0x66, 0x9c}, ENG_INSN_PUSHF, 2},
		{{0x0f, 0x05}, ENG_INSN_SYSCALL, 2}, {{0xe8, 0, 0, 0, 0}, ENG_INSN_CALL, 5},
		{{0xff, 0x15, 0, 0, 0, 0}, ENG_INSN_INDIRECT_CALL, 6}, /* call *(%rip) */
		{{0xeb, 0xfe}, ENG_INSN_JUMP, 2},                      /* jmp to itself */
		{{0x06}, ENG_INSN_OTHER, 0},                           /* no instruction */
		{{0x74, 0x10}, ENG_INSN_CONDITIONAL, 2},               /* je */
		{{0x0f, 0x8f, 1, 0, 0, 0}, ENG_INSN_CONDITIONAL, 6},   /* jg */
		{{0xe2, 0xfe}, ENG_INSN_CONDITIONAL, 2},               /* loop */
		{{0x67, 0xe3, 0x00}, ENG_INSN_OTHER, 3},               /* jecxz: counts in ecx */
		{{0xc2, 0x10, 0x00}, ENG_INSN_RETURN, 3},              /* ret 16 */
		{{0xcb}, ENG_INSN_OTHER, 1},                           /* retf */
		{{0xff, 0xd0}, ENG_INSN_INDIRECT_CALL, 2},             /* call *%rax */
		{{0xff, 0x24, 0xc5, 0, 0, 0, 0}, ENG_INSN_INDIRECT_JUMP, 7}, /* jmp *(,%rax,8) */
		{{0x3e, 0xff, 0xe2}, ENG_INSN_INDIRECT_JUMP, 3},             /* notrack jmp *%rdx */
		{{0x65, 0xff, 0x25, 0, 0, 0, 0}, ENG_INSN_OTHER, 7},         /* jmp *%gs:(%rip) */
		{{0xff, 0x2f}, ENG_INSN_OTHER, 2},                           /* far jmp *(%rdi) */
		{{0xcc}, ENG_INSN_OTHER, 1},                                 /* int3 */
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct eng_insn insn = eng_insn_decode(cases[i].bytes, sizeof cases[i].bytes);
		assert_int_equal(insn.kind, cases[i].kind);
		assert_int_equal(insn.length, cases[i].length);
	}
}

static void targets_and_operands(void **state)
{
	(void)state;
	struct eng_insn insn = eng_insn_decode((const uint8_t[]){0x75, 0xfc}, 2);
	assert_true(eng_insn_target(&insn, 0x1000) == 0xffe);
	assert_int_equal(insn.condition, 5);
	insn = eng_insn_decode(
		(const uint8_t[]){0xff, 0x64, 0xcb, 0xf8}, 4); /* jmp *-8(%rbx,%rcx,8) */
	assert_true(insn.memory);
	assert_int_equal(insn.base, 3);
	assert_int_equal(insn.index, 1);
	assert_int_equal(insn.scale, 8);
	assert_int_equal(insn.offset, -8);
	insn = eng_insn_decode((const uint8_t[]){0x41, 0xff, 0xd7}, 3); /* call *%r15 */
	assert_false(insn.memory);
	assert_int_equal(insn.base, 15);
	insn = eng_insn_decode((const uint8_t[]){0xc2, 0x10, 0x00}, 3);
	assert_int_equal(insn.pops, 16);
	insn = eng_insn_decode(
		(const uint8_t[]){0x83, 0x3d, 4, 0, 0, 0, 1}, 7); /* cmpl $1, 4(%rip) */
	assert_int_equal(insn.relative, 2);
	insn = eng_insn_decode((const uint8_t[]){0x83, 0x7d, 4, 1}, 4); /* cmpl $1, 4(%rbp) */
	assert_int_equal(insn.relative, 0);
	assert_int_equal(eng_insn_decode((const uint8_t[]){0x75, 0xfc}, 2).relative, 0);
}

static void bytes_that_end_too_early_are_no_instruction(void **state)
{
	(void)state;
	assert_int_equal(eng_insn_decode((const uint8_t[]){0xe8, 0}, 2).length, 0);
	assert_int_equal(eng_insn_decode((const uint8_t[]){0}, 0).length, 0);
}

static void texts(void **state)
{
	static const uint8_t call[] = {0xe8, 0x10, 0, 0, 0}, load[] = {0x8b, 0x17};
	char text[64];
	(void)state;
	assert_true(eng_insn_text(load, sizeof load, 0x1000, text, sizeof text));
	assert_string_equal(text, "mov (%rdi), %edx");
	assert_true(eng_insn_text(call, sizeof call, 0x1000, text, sizeof text));
	assert_non_null(strstr(text, "1015"));
	assert_false(eng_insn_text(call, 2, 0x1000, text, sizeof text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_and_lengths),
		cmocka_unit_test(targets_and_operands),
		cmocka_unit_test(bytes_that_end_too_early_are_no_instruction),
		cmocka_unit_test(texts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
