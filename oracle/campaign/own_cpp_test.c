/* own_cpp_test.c - programs of C++ that xstep makes: the same for the same seed, and whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "oracle/campaign/own_cpp.h"

static void seed_decides(void **state)
{
	(void)state;
	char *one = ora_own_cpp(7), *again = ora_own_cpp(7), *other = ora_own_cpp(8);
	assert_string_equal(one, again);
	assert_string_not_equal(one, other);
	free(one);
	free(again);
	free(other);
}

/* No mark is left, braces match, and each kind of piece is used by some seed. */
static void programs_are_whole(void **state)
{
	(void)state;
	bool used[64] = {false};
	for (unsigned seed = 0; seed < 200; seed++) {
		char *text = ora_own_cpp(seed);
		int depth = 0;
		for (const char *at = text; *at; at++)
			depth += (*at == '{') - (*at == '}');
		assert_int_equal(depth, 0);
		assert_null(strchr(text, '$'));
		assert_non_null(strstr(text, "int main()"));
		for (size_t i = 0; ora_own_pieces[i].name; i++)
			used[i] |= strstr(text, ora_own_pieces[i].name) != NULL;
		free(text);
	}
	for (size_t i = 0; ora_own_pieces[i].name; i++)
		assert_true(used[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seed_decides), cmocka_unit_test(programs_are_whole)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
