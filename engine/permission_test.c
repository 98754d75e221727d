/* permission_test.c - a refused ptrace names its cause. Yama is not on every machine, so the texts
 * of /proc are given. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/permission.h"

static void expect(const char *yama, const char *own, const char *child, const char *part)
{
	char text[256];
	eng_permission_reason(yama, own, child, text, sizeof text);
	assert_non_null(strstr(text, part));
}

static void each_cause_has_its_words(void **state)
{
	(void)state;
	expect("1\n", "Name:\txstep\nSeccomp:\t0\n", "TracerPid:\t0\n", "security module");
	expect("3\n", "Seccomp:\t0\n", "TracerPid:\t0\n", "kernel.yama.ptrace_scope is 3");
	expect("", "Name:\txstep\nSeccomp:\t2\n", "", "a seccomp filter");
	expect("", "Seccomp:\t2\n", "Name:\tx\nTracerPid:\t42\n", "already traced by process 42");
	expect("", "", "", "security module");
	/* A name that merely begins like the key is not the key. */
	expect("", "Seccomp_filters:\t2\nSeccomp:\t0\n", "", "security module");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(each_cause_has_its_words)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
