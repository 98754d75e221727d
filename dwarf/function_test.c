/* function_test.c - functions are found unit by unit, and it does not show. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "dwarf/module.h"

static struct di_module *open_self(void)
{
	struct di_module *module;
	struct xs_error *err = di_module_open("/proc/self/exe", &module);
	if (err)
		fail_msg("%s", err->message);
	return module;
}

/* The link-time entry of one of our own functions, by its symbol. */
static xs_addr entry_of(const struct di_module *module, const char *name)
{
	size_t count;
	const struct di_function_range *symbols = di_functions_symbols(module->functions, &count);
	for (size_t i = 0; i < count; i++)
		if (!strcmp(symbols[i].function->name, name))
			return symbols[i].lo;
	fail_msg("no symbol %s", name);
	return 0;
}

static size_t units_read(const struct di_functions *functions)
{
	size_t count = 0;
	for (size_t i = 0; i < functions->units.len; i++)
		count += functions->units.data[i].read;
	return count;
}

/* What nobody looks at costs nothing. */
static void only_the_unit_that_was_asked_for_is_read(void **state)
{
	(void)state;
	XS_AUTO(di_module) module = open_self();
	struct di_functions *functions = module->functions;
	assert_true(functions->units.len >= 2);
	assert_int_equal(units_read(functions), 0);
	const struct di_function *main = di_functions_named(functions, "main");
	assert_non_null(main);
	assert_false(main->symbol);
	assert_int_equal(units_read(functions), 1);
	assert_non_null(di_functions_find_debug(functions, main->entry + 1));
	assert_int_equal(units_read(functions), 1);
}

/* Rule 4: whatever was asked before, an address has the same function, and a name, too. */
static void the_order_of_questions_does_not_matter(void **state)
{
	(void)state;
	XS_AUTO(di_module) whole = open_self();
	const struct di_function_list *all = di_functions_all(whole->functions);
	assert_true(all->vec.len > 10);
	for (size_t i = 1; i < all->vec.len; i++)
		assert_true(all->vec.data[i - 1]->order < all->vec.data[i]->order);
	XS_AUTO(di_module) module = open_self();
	for (size_t i = all->vec.len; i-- > 0;) {
		const struct di_function *one = all->vec.data[i];
		const struct di_function *same = di_functions_find(module->functions, one->entry);
		const struct di_function *meant = di_functions_find(whole->functions, one->entry);
		assert_string_equal(same->name, meant->name);
		assert_int_equal(same->order, meant->order);
		same = di_functions_named(module->functions, one->name);
		meant = di_functions_named(whole->functions, one->name);
		assert_int_equal(same->order, meant->order);
	}
}

/* Takes away what the unit of an address says about where its code is. */
static void displace(struct di_functions *functions, xs_addr address, bool placed)
{
	struct di_unit_range *ranges = functions->unit_ranges.data;
	size_t unit = SIZE_MAX, kept = 0;
	for (size_t i = 0; i < functions->unit_ranges.len; i++)
		if (ranges[i].lo <= address && address < ranges[i].hi)
			unit = ranges[i].unit;
	assert_int_not_equal(unit, SIZE_MAX);
	for (size_t i = 0; i < functions->unit_ranges.len; i++)
		if (ranges[i].unit != unit)
			ranges[kept++] = ranges[i];
	functions->unit_ranges.len = kept;
	functions->units.data[unit].placed = placed;
}

/* Rule 2. */
static void a_unit_that_does_not_say_where_it_is_is_found(void **state)
{
	(void)state;
	XS_AUTO(di_module) module = open_self();
	xs_addr entry = entry_of(module, "main");
	displace(module->functions, entry, false);
	const struct di_function *function = di_functions_find_debug(module->functions, entry);
	assert_non_null(function);
	assert_string_equal(function->name, "main");
	assert_false(module->functions->all_read);
}

/* Rule 3. */
static void a_unit_that_says_too_little_is_found_by_its_lines(void **state)
{
	(void)state;
	XS_AUTO(di_module) module = open_self();
	xs_addr entry = entry_of(module, "main");
	displace(module->functions, entry, true);
	const struct di_function *function = di_functions_find_debug(module->functions, entry);
	assert_non_null(function);
	assert_string_equal(function->name, "main");
	assert_true(module->functions->all_read);
}

/* Code without lines and units, such as the C library's startup, is no reason to read them all. */
static void code_of_no_unit_costs_nothing(void **state)
{
	(void)state;
	XS_AUTO(di_module) module = open_self();
	const struct di_function *function = di_functions_find(module->functions, module->entry);
	assert_string_equal(function->name, "_start");
	assert_true(function->symbol);
	assert_false(module->functions->all_read);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_the_unit_that_was_asked_for_is_read),
		cmocka_unit_test(the_order_of_questions_does_not_matter),
		cmocka_unit_test(a_unit_that_does_not_say_where_it_is_is_found),
		cmocka_unit_test(a_unit_that_says_too_little_is_found_by_its_lines),
		cmocka_unit_test(code_of_no_unit_costs_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
