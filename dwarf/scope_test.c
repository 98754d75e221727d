/* scope_test.c - scopes with a mistake are kept, and where it makes no difference they are those
 * without. The subject is this test itself, compiled without optimisation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "dwarf/scope.h"

static int own_sum;

static void own_add(int number)
{
	own_sum += number;
}

/* On its first line the inner own_twice is declared further down. */
__attribute__((no_sanitize("address", "undefined"))) static void own_subject(int own_twice)
{
	{
		own_add(own_twice);
		int own_twice = 2;
		own_add(own_twice);
	}
	own_add(own_twice);
}

struct fixture {
	struct di_module *module;
	xs_addr lo, hi; /* the code of own_subject() */
};

static struct fixture open_self(void)
{
	struct fixture ret = {0};
	assert_null(di_module_open("/proc/self/exe", &ret.module));
	const struct di_function *function =
		di_functions_named(ret.module->functions, "own_subject");
	assert_non_null(function);
	const struct di_function_range *stretch =
		di_functions_stretch(ret.module->functions, function->entry);
	ret.lo = stretch->lo;
	ret.hi = stretch->hi;
	return ret;
}

/* The visible variables as text: entry, state, shadowed. */
static void text_of(const struct di_scopes *scopes, char *buf, size_t size)
{
	FILE *out = fmemopen(buf, size, "w");
	assert_non_null(out);
	for (size_t i = 0; i < scopes->locals.len; i++) {
		const struct di_visible *one = &scopes->locals.data[i];
		fprintf(out, "%s:%u %d %d; ", one->variable->name, one->variable->line,
			one->shadowed, one->declared);
	}
	assert_false(fclose(out));
}

static void a_mistake_that_makes_no_difference_has_the_scopes_without_it(void **state)
{
	(void)state;
	struct fixture self = open_self();
	own_subject(1);
	const struct di_scopes *plain = di_scopes_at(self.module, self.lo);
	assert_ptr_equal(di_scopes_mistaken(self.module, self.lo, DI_MISTAKE_NONE), plain);
	assert_ptr_equal(di_scopes_mistaken(self.module, self.lo, DI_MISTAKE_LLDB_DIV), plain);
	assert_ptr_equal(
		di_scopes_mistaken(self.module, self.lo, DI_MISTAKE_GDB_BLOCK_WITHOUT_CODE), plain);
	di_module_destroy(self.module);
}

static void where_it_makes_one_it_is_the_same_whenever_it_is_asked_for(void **state)
{
	(void)state;
	struct fixture self = open_self();
	unsigned others = 0;
	for (xs_addr pc = self.lo; pc < self.hi; pc++) {
		char plain[400], first[400], again[400];
		text_of(di_scopes_at(self.module, pc), plain, sizeof plain);
		const struct di_scopes *scopes =
			di_scopes_mistaken(self.module, pc, DI_MISTAKE_GDB_FUTURE_SCOPE);
		text_of(scopes, first, sizeof first);
		others += strcmp(plain, first) != 0;
		/* A later one of the block makes its name mean it, and hides the parameter. */
		assert_true(scopes == di_scopes_at(self.module, pc) || strstr(plain, " 0 1; "));
		assert_ptr_equal(
			di_scopes_mistaken(self.module, pc, DI_MISTAKE_LLDB_FUTURE_SCOPE), scopes);
		di_scopes_mistaken(self.module, pc, DI_MISTAKE_GDB_ABSTRACT_HIDES);
		text_of(di_scopes_mistaken(self.module, pc, DI_MISTAKE_GDB_FUTURE_SCOPE), again,
			sizeof again);
		assert_string_equal(first, again);
		text_of(di_scopes_at(self.module, pc), again, sizeof again);
		assert_string_equal(plain, again);
	}
	assert_true(others > 0);
	di_module_destroy(self.module);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mistake_that_makes_no_difference_has_the_scopes_without_it),
		cmocka_unit_test(where_it_makes_one_it_is_the_same_whenever_it_is_asked_for),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
