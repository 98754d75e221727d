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
		"fistp", "stmxcsr", "haddpd", "roundsd", "vrsqrtps"};
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_int_equal(ora_calculation_by(names[i]), ORA_CALCULATION_FLOATS);
}

static void those_that_do_two_at_once(void **state)
{
	static const char *const names[] = {"vfmadd132sd", "vfmsub213ps", "vfnmadd231ss",
		"vfnmsub132pd", "vfmaddsub132pd", "vfmadd231sh"};
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_int_equal(ora_calculation_by(names[i]),
			ORA_CALCULATION_FLOATS | ORA_CALCULATION_FUSED);
}

static void those_that_move_or_calculate_with_integers(void **state)
{
	static const char *const names[] = {"add", "mov", "movsd", "movups", "vmovdqu", "paddd",
		"vpaddd", "pxor", "xorps", "imul", "sub", "cmp", "cmpxchg", "endbr64", "fxsave",
		"lfence", "div", "shufps", "verr"};
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_int_equal(ora_calculation_by(names[i]), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(those_that_calculate),
		cmocka_unit_test(those_that_do_two_at_once),
		cmocka_unit_test(those_that_move_or_calculate_with_integers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
