/* waiting_test.c - what this test's own variables depend on in a frame that waits. It is compiled
 * with optimisation and debug information. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "dwarf/reg.h"
#include "dwarf/waiting.h"

enum { MOST = 1000000 };

static int own_touch(void *what)
{
	return *(volatile char *)what;
}

/* Not to be seen through. */
static int (*volatile own_call)(void *) = own_touch;

/* One variable in a register that calls preserve, one in memory, one that is passed in a register
 * that they do not, and one of which the length is evaluated. */
__attribute__((no_sanitize("address", "undefined"))) static int own_subject(
	int own_passed, size_t own_length)
{
	char own_memory[4] = {1, 2, 3, 4}, own_vla[own_length];
	int own_kept = own_passed * 7 + 1;
	__asm__ volatile("" : "+r"(own_kept));
	int ret = own_call(own_memory) + own_call(memset(own_vla, 0, own_length));
	__asm__ volatile("" : "+r"(own_kept));
	return own_kept + ret;
}

static int (*volatile own_start)(int, size_t) = own_subject;

static const struct di_waiting *find(const di_waiting_list *list, const char *name)
{
	for (size_t i = 0; i < list->len; i++)
		if (!strcmp(list->data[i].name, name))
			return &list->data[i];
	return NULL;
}

/* Whether one of its entries needs a register; UINT32_MAX: nobody knows what one of them needs. */
static bool needs(const struct di_waiting *one, uint32_t mask)
{
	for (size_t i = 0; i < one->entries.len; i++)
		if (mask == DI_WAITING_UNKNOWN ? one->entries.data[i].needs == mask
					       : one->entries.data[i].needs != DI_WAITING_UNKNOWN &&
							 (one->entries.data[i].needs & mask))
			return true;
	return false;
}

static void registers_are_told_and_what_is_evaluated_is_unknown(void **state)
{
	(void)state;
	const uint32_t preserved = 1U << DI_REG_RBX | 1U << DI_REG_RBP | 0xf000;
	struct di_module *module = NULL;
	di_waiting_list list = {0};
	assert_int_equal(own_start(1, 5), 9);
	assert_null(di_module_open("/proc/self/exe", &module));
	di_waiting_find(module, MOST, &list);
	const struct di_waiting *kept = find(&list, "own_kept");
	const struct di_waiting *memory = find(&list, "own_memory");
	const struct di_waiting *passed = find(&list, "own_passed");
	const struct di_waiting *vla = find(&list, "own_vla");
	assert_true(kept && memory && passed && vla);
	assert_false(kept->unknown);
	assert_true(needs(kept, preserved));
	assert_false(memory->unknown);
	/* In rdi, and once that is overwritten by the word of the call site. */
	assert_true(needs(passed, 1U << DI_REG_RDI));
	assert_true(needs(passed, DI_WAITING_OUTWARD));
	assert_false(needs(passed, DI_WAITING_UNKNOWN));
	assert_true(vla->unknown);
	di_waiting_deinit(&list);
	di_module_destroy(module);
}

/* Called directly: a compiler may have the target of other calls in a register that they do not
 * preserve, and nothing is known of such a call site. */
__attribute__((no_sanitize("address", "undefined"), noinline)) static int own_taking(int own_taken)
{
	__asm__ volatile("" : "+r"(own_taken) : : "rdi");
	return own_taken;
}

/* What it passes on it was entered with, and keeps nowhere. */
__attribute__((no_sanitize("address", "undefined"), noinline)) static int own_passing(int own_first)
{
	return own_taking(own_first) + 1;
}

static int (*volatile own_pass)(int) = own_passing;

/* What it passes is the same as long as the call takes, and nobody is to be asked. */
__attribute__((no_sanitize("address", "undefined"), noinline)) static int own_constant(void)
{
	return own_taking(3) + 1;
}

/* What is to be known of a call by a function; 0: nothing more. */
static uint32_t call_by(struct di_module *module, const di_waiting_calls *calls, const char *name)
{
	uint32_t ret = 0;
	for (size_t i = 0; i < calls->len; i++) {
		const struct di_function *function =
			di_functions_find(module->functions, calls->data[i].behind - 1);
		if (function && !strcmp(function->name, name))
			ret |= calls->data[i].needs;
	}
	return ret;
}

static void call_sites_that_ask_further_out_are_told(void **state)
{
	(void)state;
	struct di_module *module = NULL;
	di_waiting_calls calls = {0};
	assert_int_equal(own_pass(1) + own_constant(), 2 + 4);
	assert_null(di_module_open("/proc/self/exe", &module));
	di_waiting_find_calls(module, &calls);
	assert_int_equal(call_by(module, &calls, "own_passing"), DI_WAITING_OUTWARD);
	assert_int_equal(call_by(module, &calls, "own_constant"), 0);
	xs_vec_deinit(&calls);
	di_module_destroy(module);
}

static void if_there_are_too_many_none_is_told(void **state)
{
	(void)state;
	struct di_module *module = NULL;
	di_waiting_list list = {0};
	assert_null(di_module_open("/proc/self/exe", &module));
	di_waiting_find(module, 2, &list);
	assert_int_equal(list.len, 0);
	di_module_destroy(module);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_are_told_and_what_is_evaluated_is_unknown),
		cmocka_unit_test(call_sites_that_ask_further_out_are_told),
		cmocka_unit_test(if_there_are_too_many_none_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
