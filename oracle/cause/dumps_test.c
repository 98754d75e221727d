/* dumps_test.c - the code before and after a pass of clang's, out of all that it says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/cause/dumps.h"

static const char told[] = "BISECT: running pass (1) SROAPass on main\n"
			   "*** IR Dump After SROAPass on main ***\n"
			   "one\n"
			   "# *** IR Dump After Frame (prologepilog) ***:\n"
			   "two\n"
			   "more of two\n"
			   "BISECT: running pass (2) Control Flow Optimizer on function (main)\n"
			   "# *** IR Dump After Control Flow Optimizer (branch-folder) ***:\n"
			   "three\n"
			   "BISECT: NOT running pass (3) Tail Duplication on function (main)\n";

static void a_pass_stands_between_two_dumps(void **state)
{
	static const struct {
		uint64_t number;
		const char *before, *after;
	} cases[] = {{1, NULL, "one\n"}, {2, "two\nmore of two\n", "three\n"}, {3, NULL, NULL}};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *before, *after;
		ora_dump_split(told, cases[i].number, &before, &after);
		if (cases[i].before)
			assert_string_equal(before, cases[i].before);
		else
			assert_null(before);
		if (cases[i].after)
			assert_string_equal(after, cases[i].after);
		else
			assert_null(after);
		free(before);
		free(after);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_pass_stands_between_two_dumps)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
