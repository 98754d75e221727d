/* steady_test.c - which of this test's own variables stay where they are. It is compiled without
 * optimisation, with debug information. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "dwarf/steady.h"

static int touch(void *what)
{
	return *(volatile char *)what;
}

struct part {
	int number;
	char text[3];
};

/* Names begin with own_: where all of xstep has debug information, others may be found first. */

/* Two variables of one name and line: that of the second has a length that is evaluated. */
#define NAMESAKES(own_length)                                                                      \
	{                                                                                          \
		char own_fixed[4] = {0};                                                           \
		touch(own_fixed);                                                                  \
	}                                                                                          \
	{                                                                                          \
		char own_namesake = 0;                                                             \
		touch(&own_namesake);                                                              \
	}                                                                                          \
	{                                                                                          \
		char own_namesake[own_length];                                                     \
		touch(memset(own_namesake, 0, own_length));                                        \
	}

/* Not where the sanitizers would have its variables. */
__attribute__((no_sanitize("address", "undefined"))) static int subject(size_t own_length)
{
	int own_plain = 1;
	struct part own_parts[2] = {{0}};
	static int own_at_address = 1;
	char own_vla[own_length];
	touch(memset(own_vla, 0, own_length));
	touch(own_parts);
	touch(&own_at_address);
	NAMESAKES(own_length)
	return touch(&own_plain);
}

static const struct di_steady *find(const di_steady_list *list, const char *name)
{
	for (size_t i = 0; i < list->len; i++)
		if (!strcmp(list->data[i].name, name))
			return &list->data[i];
	return NULL;
}

static void what_moves_with_the_frame_or_not_at_all_is_steady(void **state)
{
	(void)state;
	XS_AUTO(di_module) module = NULL;
	di_steady_list list = {0};
	assert_int_equal(subject(5), 1);
	assert_null(di_module_open("/proc/self/exe", &module));
	di_steady_find(module, &list);
	assert_true(find(&list, "own_plain") && find(&list, "own_plain")->framed);
	assert_true(find(&list, "own_parts") && find(&list, "own_parts")->framed);
	assert_true(find(&list, "own_length") && find(&list, "own_length")->framed);
	assert_true(find(&list, "own_at_address") && !find(&list, "own_at_address")->framed);
	assert_null(find(&list, "own_vla"));
	xs_vec_deinit(&list);
}

static void one_that_is_not_speaks_for_all_of_its_name_and_line(void **state)
{
	(void)state;
	XS_AUTO(di_module) module = NULL;
	di_steady_list list = {0};
	assert_null(di_module_open("/proc/self/exe", &module));
	di_steady_find(module, &list);
	assert_non_null(find(&list, "own_fixed"));
	assert_null(find(&list, "own_namesake"));
	xs_vec_deinit(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_moves_with_the_frame_or_not_at_all_is_steady),
		cmocka_unit_test(one_that_is_not_speaks_for_all_of_its_name_and_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
