/* branch_test.c - conditions against the processor: every jcc on every combination of flags. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/branch.h"

/* What the processor makes of condition number n on these flags: setcc has the same numbers. */
static bool processor_says(uint8_t n, uint64_t flags)
{
	uint8_t result = 0;
#define CASE(number, letters)                                                                      \
	case number:                                                                               \
		__asm__ volatile("sub $128, %%rsp\n\tpush %1\n\tpopf\n\tset" letters               \
				 " %0\n\tadd $128, %%rsp"                                          \
				 : "=r"(result)                                                    \
				 : "r"(flags)                                                      \
				 : "cc", "memory");                                                \
		break
	switch (n) {
		CASE(0, "o");
		CASE(1, "no");
		CASE(2, "b");
		CASE(3, "ae");
		CASE(4, "e");
		CASE(5, "ne");
		CASE(6, "be");
		CASE(7, "a");
		CASE(8, "s");
		CASE(9, "ns");
		CASE(10, "p");
		CASE(11, "np");
		CASE(12, "l");
		CASE(13, "ge");
		CASE(14, "le");
		CASE(15, "g");
	}
#undef CASE
	return result;
}

static void conditions_are_the_processors(void **state)
{
	(void)state;
	for (unsigned bits = 0; bits < 32; bits++) {
		struct user_regs_struct regs = {0};
		regs.eflags = (bits & 1) | (bits & 2 ? 4u : 0) | (bits & 4 ? 0x40u : 0) |
			      (bits & 8 ? 0x80u : 0) | (bits & 16 ? 0x800u : 0) | 0x202u;
		for (uint8_t n = 0; n < 16; n++)
			assert_int_equal(
				eng_branch_taken(n, &regs), processor_says(n, regs.eflags));
	}
}

static void loops_count_down(void **state)
{
	(void)state;
	struct user_regs_struct regs = {.rcx = 1};
	assert_false(eng_branch_taken(0xe2, &regs));
	assert_int_equal(regs.rcx, 0);
	assert_true(eng_branch_taken(0xe3, &regs)); /* jrcxz counts not */
	assert_true(eng_branch_taken(0xe2, &regs)); /* from 0 it wraps */
	assert_true(regs.rcx == UINT64_MAX);
	regs = (struct user_regs_struct){.rcx = 5, .eflags = 0x40};
	assert_true(eng_branch_taken(0xe1, &regs));
	assert_false(eng_branch_taken(0xe0, &regs));
	assert_int_equal(regs.rcx, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditions_are_the_processors),
		cmocka_unit_test(loops_count_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
