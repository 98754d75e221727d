/* utf8_test.c - bytes that are no text become a character that says so, and nothing else does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/utf8.h"

static void bytes_are_folded(void **state)
{
	static const char *const cases[][2] = {{"", ""}, {"plain", "plain"},
		{"\xc3\xa4\xff", "\xc3\xa4\xef\xbf\xbd"}, {"\xc3", "\xef\xbf\xbd"},
		{"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		XS_AUTO_FREE char *folded = xs_utf8_fold(cases[i][0]);
		assert_string_equal(folded, cases[i][1]);
	}
}

static void only_lone_surrogates_are_folded(void **state)
{
	static const char *const cases[][2] = {
		{"\"a\\udcffb\"", "\"a\\ufffdb\""},
		{"\"\\udcff\\udc80\"", "\"\\ufffd\\ufffd\""},
		/* An escaped backslash, and letters. */
		{"\"\\\\udcff\"", "\"\\\\udcff\""},
		/* An escaped backslash, and a byte. */
		{"\"\\\\\\udcff\"", "\"\\\\\\ufffd\""},
		{"\"\\\\\\\\udcff\"", "\"\\\\\\\\udcff\""},
		/* Characters of Korean begin with d, too. */
		{"\"\\ud000\\ud7a3\\uD7FF\"", "\"\\ud000\\ud7a3\\uD7FF\""},
		{"\"\\ud83d\\ude00\"", "\"\\ud83d\\ude00\""},
		{"\"\\uD83D\\uDE00\\uDE00\"", "\"\\uD83D\\uDE00\\ufffd\""},
		/* A high one before something else. */
		{"\"\\ud83d\\u0041\"", "\"\\ufffd\\u0041\""},
		{"\"\\ud83d\\ud83d\\ude00\"", "\"\\ufffd\\ud83d\\ude00\""},
		{"\"\\ud83d\"", "\"\\ufffd\""},
		/* What is no escape. */
		{"\\udcf", "\\udcf"},
		{"\\udcfg", "\\udcfg"},
		{"\\", "\\"},
		{"", ""},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		XS_AUTO_FREE char *json = xs_strdup(cases[i][0]);
		xs_utf8_fold_json(json, strlen(json));
		assert_string_equal(json, cases[i][1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_are_folded),
		cmocka_unit_test(only_lone_surrogates_are_folded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
