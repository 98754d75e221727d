/* campaign_language_test.c - the languages of a campaign: endings, and levels as compilers take
 * them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "oracle/campaign/campaign_language.h"

static void endings_say_what_a_source_is(void **state)
{
	(void)state;
	static const struct {
		const char *language, *file;
		bool is;
	} cases[] = {{"c", "a.c", true}, {"c", "a.C", false}, {"c", "a.cpp", false},
		{"c++", "a.cc", true}, {"c++", "a.cpp", true}, {"c++", "a.cxx", true},
		{"c++", "a.C", true}, {"c++", "a.c", false}, {"c++", "a.h", false},
		{"rust", "a.rs", true}, {"rust", "rs", false}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(
			ora_language_has(ora_language_find(cases[i].language), cases[i].file),
			cases[i].is);
	assert_null(ora_language_find("fortran"));
	char *endings = ora_language_endings(ora_language_find("c++"));
	assert_string_equal(endings, ".cc, .cpp, .cxx or .C");
	free(endings);
}

static void levels_are_what_compilers_take(void **state)
{
	(void)state;
	static const struct {
		const char *language, *level, *words;
	} cases[] = {{"c", "-O2 -fno-inline", "-O2 -fno-inline"}, {"c++", "-Os", "-Os"},
		{"rust", "-O2", "-C opt-level=2"}, {"rust", "-Os", "-C opt-level=s"},
		{"rust", "-O1 -C lto=off", "-C opt-level=1 -C lto=off"}, {"rust", "-O", "-O"}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ora_command line = {0};
		ora_language_level(ora_language_find(cases[i].language), cases[i].level, &line);
		char *text = ora_command_text(&line);
		assert_string_equal(text, cases[i].words);
		free(text);
		ora_command_deinit(&line);
	}
}

/* Files of campaigns that were begun before there were languages do not say one. */
static void no_language_is_c(void **state)
{
	(void)state;
	struct ora_settings settings = {0};
	assert_string_equal(ora_language_of(&settings)->name, "c");
	settings.value[ORA_SET_LANGUAGE] = (char[]){"rust"};
	assert_string_equal(ora_language_of(&settings)->title, "Rust");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(endings_say_what_a_source_is),
		cmocka_unit_test(levels_are_what_compilers_take),
		cmocka_unit_test(no_language_is_c)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
