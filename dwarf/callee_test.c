/* callee_test.c - what calls go to, in this program itself: none of these is ever made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/auxv.h>

#include "dwarf/callee.h"

/* A call by the PLT, one by a slot, one of code that has two names, and one by a variable. */
__asm__(".pushsection .text\n"
	"call_plt: call puts@PLT\n"
	"call_slot: call *getenv@GOTPCREL(%rip)\n"
	"call_code: call its_name\n"
	"call_variable: call *its_variable(%rip)\n"
	"its_name:\nits_alias: ret\n"
	".popsection\n"
	".pushsection .data.rel, \"aw\", @progbits\n"
	".balign 8\nits_variable: .quad its_name\n"
	".popsection");

static struct di_module *open_self(void)
{
	struct di_module *module;
	struct xs_error *err = di_module_open("/proc/self/exe", &module);
	if (err)
		fail_msg("%s", err->message);
	return module;
}

/* What a call of ours refers to by its last four bytes: code, or a slot. */
static xs_addr referred_by(const struct di_module *module, xs_addr call, size_t length)
{
	size_t size;
	int32_t offset;
	const uint8_t *bytes = di_module_bytes(module, call, &size);
	assert_non_null(bytes);
	memcpy(&offset, bytes + length - sizeof offset, sizeof offset);
	return call + length + (xs_addr)(int64_t)offset;
}

extern const char call_plt[], call_slot[], call_code[], call_variable[];

/* Our code's address less that at link time is the same for all of it. */
static xs_addr linked(const struct di_module *module, const char *label)
{
	return module->entry + (uintptr_t)label - getauxval(AT_ENTRY);
}

static void a_call_by_the_plt(void **state)
{
	(void)state;
	XS_AUTO(di_module) module = open_self();
	xs_addr entry = referred_by(module, linked(module, call_plt), 5);
	assert_true(di_callee_is(module, entry, "puts"));
	assert_false(di_callee_is(module, entry, "put"));
	assert_false(di_callee_is(module, entry, "getenv"));
	assert_false(di_callee_is(module, entry + 1, "puts"));
}

static void a_call_by_a_slot(void **state)
{
	(void)state;
	XS_AUTO(di_module) module = open_self();
	xs_addr slot = referred_by(module, linked(module, call_slot), 6);
	assert_true(di_callee_slot_is(module, slot, "getenv"));
	assert_false(di_callee_slot_is(module, slot, "puts"));
	assert_true(di_callee_is_linked(module, slot));
	assert_false(di_callee_slot_is(module, slot + 1, "getenv"));
}

static void a_call_of_the_modules_own_code(void **state)
{
	(void)state;
	XS_AUTO(di_module) module = open_self();
	xs_addr entry = referred_by(module, linked(module, call_code), 5);
	assert_true(di_callee_is(module, entry, "its_name"));
	assert_true(di_callee_is(module, entry, "its_alias"));
	assert_false(di_callee_is(module, entry, "call_code"));
	assert_false(di_callee_is(module, entry + 1, "its_name"));
}

/* What a variable holds at first it need not hold later. */
static void a_variable_is_not_linked(void **state)
{
	(void)state;
	XS_AUTO(di_module) module = open_self();
	assert_false(
		di_callee_is_linked(module, referred_by(module, linked(module, call_variable), 6)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_by_the_plt),
		cmocka_unit_test(a_call_by_a_slot),
		cmocka_unit_test(a_call_of_the_modules_own_code),
		cmocka_unit_test(a_variable_is_not_linked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
