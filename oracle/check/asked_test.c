/* asked_test.c - what was asked and what was not is counted by rule, unit and reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/check/asked.h"

static void counts_by_rule_and_reason(void **state)
{
	struct ora_asked asked = {0};
	(void)state;
	ora_asked_add(&asked, "C1", "arguments", 0);
	assert_int_equal(ora_asked_total(&asked), 0);
	ora_asked_add(&asked, "C2", "stores", 2);
	ora_asked_add(&asked, "C2", "stores", 1);
	ora_asked_leave(&asked, "C2", "stores", "that may alias", 4);
	ora_asked_leave(&asked, "C2", "stores", "without a row", 1);
	ora_asked_leave(&asked, "C2", "stores", "that may alias", 1);
	assert_int_equal(ora_asked_total(&asked), 3);
	assert_int_equal(asked.rules.len, 2);
	assert_string_equal(asked.rules.data[0].rule, "C1");
	assert_int_equal(asked.rules.data[0].left.len, 0);
	assert_int_equal(asked.rules.data[1].left.len, 2);
	assert_int_equal(asked.rules.data[1].left.data[0].count, 5);
	ora_asked_deinit(&asked);
}

/* A reason that held nothing back is not worth a word. */
static void nothing_left_is_not_kept(void **state)
{
	struct ora_asked asked = {0};
	(void)state;
	ora_asked_leave(&asked, "LI", "lines", "without code", 0);
	assert_int_equal(asked.rules.len, 1);
	assert_int_equal(asked.rules.data[0].left.len, 0);
	ora_asked_deinit(&asked);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_by_rule_and_reason),
		cmocka_unit_test(nothing_left_is_not_kept),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
