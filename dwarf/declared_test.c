/* declared_test.c - which locals functions of this test declare. It is compiled with debug
 * information, and without optimisation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "dwarf/declared.h"

static inline __attribute__((always_inline)) int own_inner(int own_value)
{
	int own_inlined = own_value * 3;
	return own_inlined + 1;
}

enum { FIRST_LINE = __LINE__ + 4 }; /* of own_outer(): its second line */

static int own_outer(int own_value)
{
	int own_once = own_value;
	extern int own_elsewhere;
	if (own_once > 1) {
		int own_twice = own_once;
		own_once = own_twice;
	} else {
		int own_twice = own_value;
		own_once += own_twice;
	}
	return own_once + own_inner(own_value) + own_elsewhere;
}

int own_elsewhere = 1;

static void tell(const char *name, uint32_t line, unsigned lines, bool there)
{
	XS_AUTO(di_module) module = NULL;
	assert_null(di_module_open("/proc/self/exe", &module));
	const struct di_function *outer = di_functions_named(module->functions, "own_outer");
	assert_non_null(outer);
	const struct di_scopes *scopes = di_scopes_at(module, outer->entry);
	assert_int_equal(scopes->activations.len, 1);
	struct di_declarations told =
		di_declared_in(scopes->activations.data[0].function, name, line);
	assert_int_equal(told.lines, lines);
	assert_int_equal(told.there, there);
}

static void a_local_is_known_by_its_line(void **state)
{
	(void)state;
	assert_int_equal(own_outer(0), 2);
	tell("own_value", FIRST_LINE - 2, 1, true);
	tell("own_once", FIRST_LINE, 1, true);
	tell("own_once", FIRST_LINE + 1, 1, false);
	tell("own_once", 0, 1, false);
}

static void blocks_are_looked_into(void **state)
{
	(void)state;
	tell("own_twice", FIRST_LINE + 3, 2, true);
	tell("own_twice", FIRST_LINE + 6, 2, true);
	tell("own_twice", FIRST_LINE, 2, false);
}

static void what_is_inlined_or_only_declared_is_none(void **state)
{
	(void)state;
	tell("own_inlined", 0, 0, false);
	tell("own_elsewhere", 0, 0, false);
	tell("own_never", 0, 0, false);
}

/* The entry of a call that is inlined refers to what the function itself declares. */
static void an_instance_and_its_origin_count_once(void **state)
{
	(void)state;
	XS_AUTO(di_module) module = NULL;
	assert_null(di_module_open("/proc/self/exe", &module));
	const struct di_function *outer = di_functions_named(module->functions, "own_outer");
	const struct di_function_range *stretch =
		di_functions_stretch(module->functions, outer->entry);
	unsigned seen = 0;
	for (xs_addr pc = stretch->lo; pc < stretch->hi; pc++) {
		const struct di_scopes *scopes = di_scopes_at(module, pc);
		if (scopes->activations.len < 2)
			continue;
		const struct di_block *inner = scopes->activations.data[0].function;
		seen++;
		assert_int_equal(di_declared_in(inner, "own_inlined", 0).lines, 1);
		assert_int_equal(di_declared_in(inner, "own_value", 0).lines, 1);
		assert_int_equal(di_declared_in(inner, "own_once", 0).lines, 0);
	}
	assert_int_not_equal(seen, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_local_is_known_by_its_line),
		cmocka_unit_test(blocks_are_looked_into),
		cmocka_unit_test(what_is_inlined_or_only_declared_is_none),
		cmocka_unit_test(an_instance_and_its_origin_count_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
