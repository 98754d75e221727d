/* calculation_test.c - which operations calculate with floating values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/check/calculation.h"

static void those_that_calculate(void **state)
{
	static const char *const names[] = {"addsd", "vaddsd", "mulps", "vdivpd", "sqrtss",
		"cvtsi2sd", "vcvttss2si", "ucomisd", "comiss", "cmpsd", "fadd", "fmulp", "fild",
		"fistp", "stmxcsr", "haddpd", "roundsd", "vrsqrtps", "vfmadd132sd", "vfmsub213ps",
		"vfnmadd231ss", "vfnmsub132pd", "vfmaddsub132pd", "vfmadd231sh"};
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_true(ora_calculation_by(names[i]));
}

static void those_that_move_or_calculate_with_integers(void **state)
{
	static const char *const names[] = {"add", "mov", "movsd", "movups", "vmovdqu", "paddd",
		"vpaddd", "pxor", "xorps", "imul", "sub", "cmp", "cmpxchg", "endbr64", "fxsave",
		"lfence", "div", "shufps", "verr"};
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_false(ora_calculation_by(names[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(those_that_calculate),
		cmocka_unit_test(those_that_move_or_calculate_with_integers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
