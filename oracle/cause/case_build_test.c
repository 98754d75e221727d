/* case_build_test.c - how a program was built, out of a command and out of a producer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "oracle/cause/case_build.h"

/* `compiler|level|flags`, or `no`; to be freed. */
static char *read_build(const char *text, bool (*read)(const char *, struct ora_case_build *))
{
	struct ora_case_build build;
	if (!read(text, &build))
		return xs_strdup("no");
	char *flags = ora_command_text(&build.flags);
	char *all = xs_asprintf("%s|%s|%s", build.compiler, build.level ? build.level : "?", flags);
	free(flags);
	ora_case_build_deinit(&build);
	return all;
}

static void a_command_of_plain_words_is_read(void **state)
{
	static const struct {
		const char *command, *expected;
	} cases[] = {
		{"gcc-12 -g -O2 testdata/diff_demo.c", "gcc-12|-O2|"},
		{"/usr/bin/clang-15 -O1 -g -Iinclude -o t t.c -lm",
			"/usr/bin/clang-15|-O1|-Iinclude"},
		{"gcc -g -fno-inline t.c", "gcc|-O0|-fno-inline"},
		{"cd src && gcc -g t.c", "no"},
		{"gcc -DNAME='a b' t.c", "no"},
		{"make", "no"},
		{"", "no"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *found = read_build(cases[i].command, ora_case_build_of_command);
		assert_string_equal(found, cases[i].expected);
		free(found);
	}
}

static void a_producer_says_what_it_says(void **state)
{
	static const struct {
		const char *producer, *expected;
	} cases[] = {
		{"GNU C17 12.2.0 -mtune=generic -march=x86-64 -g -O2 -fno-inline "
		 "-fasynchronous-unwind-tables",
			"gcc-12|-O2|-fno-inline"},
		{"GNU C17 12.2.0", "gcc-12|?|"},
		{"Debian clang version 15.0.6", "clang-15|?|"},
		{"GNU C++17 12.2.0 -O2", "no"},
		{"GNU AS 2.40", "no"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *found = read_build(cases[i].producer, ora_case_build_of_producer);
		assert_string_equal(found, cases[i].expected);
		free(found);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_of_plain_words_is_read),
		cmocka_unit_test(a_producer_says_what_it_says),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
