/* culprit_test.c - what compilers say of their passes and options. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/cause/culprit.h"

static void options_are_those_that_are_on_and_have_an_opposite(void **state)
{
	(void)state;
	struct ora_command found = {0};
	ora_culprit_options("The following options control optimizations:\n"
			    "  -O<number>                  \t\t\n"
			    "  -falign-functions           \t\t[enabled]\n"
			    "  -falign-functions=          \t\t16\n"
			    "  -ffast-math                 \t\t[disabled]\n"
			    "  -ftree-dce                  \t\t[enabled]\n",
		&found);
	assert_int_equal(found.vec.len, 2);
	assert_string_equal(found.vec.data[0], "-falign-functions");
	assert_string_equal(found.vec.data[1], "-ftree-dce");
	ora_command_deinit(&found);
}

static void counters_and_passes_are_read(void **state)
{
	(void)state;
	struct ora_command counters = {0}, passes = {0};
	ora_culprit_counters("  counter name      counter value     closed intervals\n"
			     "-----------------------------------------------------\n"
			     "  dce                   0                 unset\n"
			     "  vect_loop             0                 unset\n",
		&counters);
	assert_int_equal(counters.vec.len, 2);
	assert_string_equal(counters.vec.data[1], "vect_loop");
	ora_culprit_passes("BISECT: running pass (1) SROAPass on main\n"
			   "warning: something else\n"
			   "BISECT: running pass (2) X86 LEA Fixup on function (note)\n",
		&passes);
	assert_int_equal(passes.vec.len, 2);
	assert_string_equal(passes.vec.data[1], "X86 LEA Fixup on function (note)");
	ora_command_deinit(&counters);
	ora_command_deinit(&passes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_are_those_that_are_on_and_have_an_opposite),
		cmocka_unit_test(counters_and_passes_are_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
