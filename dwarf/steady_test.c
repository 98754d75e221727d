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

/* Two variables of one name and line: that of the second has a length that is evaluated. */
#define NAMESAKES(length)                                                                          \
	{                                                                                          \
		char fixed[4] = {0};                                                               \
		touch(fixed);                                                                      \
	}                                                                                          \
	{                                                                                          \
		char namesake = 0;                                                                 \
		touch(&namesake);                                                                  \
	}                                                                                          \
	{                                                                                          \
		char namesake[length];                                                             \
		touch(memset(namesake, 0, length));                                                \
	}

/* Not where the sanitizers would have its variables. */
__attribute__((no_sanitize("address", "undefined"))) static int subject(size_t length)
{
	int plain = 1;
	struct part parts[2] = {{0}};
	static int at_address = 1;
	char vla[length];
	touch(memset(vla, 0, length));
	touch(parts);
	touch(&at_address);
	NAMESAKES(length)
	return touch(&plain);
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
	assert_true(find(&list, "plain") && find(&list, "plain")->framed);
	assert_true(find(&list, "parts") && find(&list, "parts")->framed);
	assert_true(find(&list, "length") && find(&list, "length")->framed);
	assert_true(find(&list, "at_address") && !find(&list, "at_address")->framed);
	assert_null(find(&list, "vla"));
	xs_vec_deinit(&list);
}

static void one_that_is_not_speaks_for_all_of_its_name_and_line(void **state)
{
	(void)state;
	XS_AUTO(di_module) module = NULL;
	di_steady_list list = {0};
	assert_null(di_module_open("/proc/self/exe", &module));
	di_steady_find(module, &list);
	assert_non_null(find(&list, "fixed"));
	assert_null(find(&list, "namesake"));
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
