/* baseline_test.c - which findings an earlier run had: by id, signature and place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "oracle/judge/baseline.h"

/* Reads a baseline of that text. */
static struct xs_error *load(struct ora_baseline *baseline, const char *text)
{
	char path[] = "/tmp/xstep-baseline.XXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	*baseline = (struct ora_baseline){0};
	struct xs_error *err = ora_baseline_load(baseline, path);
	unlink(path);
	return err;
}

static void expect_old(const char *text)
{
	struct ora_baseline baseline;
	assert_null(load(&baseline, text));
	assert_true(ora_baseline_has(&baseline, "aaa", "G9 other", "f: y"));
	assert_true(ora_baseline_has(&baseline, "new", "G3 loss lldb:entry-value", "g: z"));
	assert_false(ora_baseline_has(&baseline, "new", "G3 loss gdb:entry-value", "main: x"));
	/* Nobody knows whether that is the same mistake. */
	assert_true(ora_baseline_has(&baseline, "new", "G5 lie gdb:?value", "main: x"));
	assert_false(ora_baseline_has(&baseline, "new", "G5 lie gdb:?value", "main: y"));
	assert_false(ora_baseline_has(&baseline, "new", "G5 lie gdb:?value", NULL));
	ora_baseline_deinit(&baseline);
}

static void json_and_sarif_say_the_same(void **state)
{
	(void)state;
	expect_old("{\"discrepancies\":["
		   "{\"id\":\"aaa\",\"signature\":\"G3 loss lldb:entry-value\",\"scope\":\"main\"},"
		   "{\"id\":\"bbb\",\"signature\":\"G5 lie gdb:?value\",\"scope\":\"main\","
		   "\"path\":\"x\"}]}");
	expect_old(
		"{\"runs\":[{\"results\":[{\"ruleId\":\"G3 loss lldb:entry-value\","
		"\"partialFingerprints\":{\"xstep/v1\":\"aaa\"}},"
		"{\"ruleId\":\"G5 lie gdb:?value\",\"partialFingerprints\":{\"xstep/v1\":\"bbb\","
		"\"xstep/place/v1\":\"main: x\"}}]}]}");
}

/* A name of bytes that are not UTF-8, as xstep writes it; there are backslashes before one. */
static void bytes_that_are_no_text_are_the_same_again(void **state)
{
	struct ora_baseline baseline;
	(void)state;
	assert_null(load(&baseline,
		"{\"discrepancies\":[{\"id\":\"bbb\",\"signature\":\"G5 lie "
		"gdb:?value\",\"scope\":\"f\\udcff\",\"path\":\"x\\\\\\udc80\"}]}"));
	assert_true(ora_baseline_has(&baseline, "new", "G5 lie gdb:?value", "f\xff: x\\\x80"));
	assert_false(ora_baseline_has(&baseline, "new", "G5 lie gdb:?value", "f\xff: x"));
	ora_baseline_deinit(&baseline);
}

static void a_list_has_ids_and_signatures(void **state)
{
	struct ora_baseline baseline;
	(void)state;
	assert_null(load(&baseline, "# ours\n  aaa  # filed\r\n\nG3 loss lldb:entry-value\n"));
	assert_true(ora_baseline_has(&baseline, "aaa", "G9 other", NULL));
	assert_true(ora_baseline_has(&baseline, "new", "G3 loss lldb:entry-value", NULL));
	assert_false(ora_baseline_has(&baseline, "ours", "G9 other", NULL));
	assert_false(ora_baseline_has(&baseline, "", "G9 other", NULL));
	ora_baseline_deinit(&baseline);
}

static void nothing_found_is_a_baseline_too(void **state)
{
	struct ora_baseline baseline;
	(void)state;
	assert_null(load(&baseline, "{\"violations\":[]}"));
	assert_false(ora_baseline_has(&baseline, "aaa", "G9 other", "f: y"));
	ora_baseline_deinit(&baseline);
}

static void what_is_none_is_refused(void **state)
{
	static const char *const bad[] = {"{", "{\"x\":[]}", "{\"runs\":5}"};
	struct ora_baseline baseline = {0};
	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct xs_error *err = load(&baseline, bad[i]);
		assert_non_null(err);
		xs_error_destroy(err);
		ora_baseline_deinit(&baseline);
	}
	struct xs_error *err = ora_baseline_load(&baseline, "/nowhere/at/all");
	assert_non_null(err);
	xs_error_destroy(err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json_and_sarif_say_the_same),
		cmocka_unit_test(bytes_that_are_no_text_are_the_same_again),
		cmocka_unit_test(a_list_has_ids_and_signatures),
		cmocka_unit_test(nothing_found_is_a_baseline_too),
		cmocka_unit_test(what_is_none_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
