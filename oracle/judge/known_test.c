/* known_test.c - which signatures are of bugs that are reported already. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/judge/known.h"

/* The references of a signature, or "" if it is not known. */
static void expect(const struct ora_known *known, const char *signature, const char *references)
{
	XS_AUTO_FREE char *found = ora_known_find(known, signature);
	assert_string_equal(found ? found : "", references);
}

static void shipped_bugs_are_known(void **state)
{
	struct ora_known known = {0};
	(void)state;
	ora_known_shipped(&known);
	expect(&known, "G3 loss lldb:entry-value", "DTD 8");
	expect(&known, "G1 loss gdb:wide", "DTD 3");
	expect(&known, "G5 lie lookup gdb:print:future-scope", "DTD 4");
	expect(&known, "G1+G3 loss gdb:wide,lldb:entry-value [typed]", "DTD 3; DTD 8");
	expect(&known, "G4 extra gdb:behind-pieces,producer:pieces-short", "");
	/* One that is not known is enough. */
	expect(&known, "G1+G3 loss gdb:?optimized-out,lldb:entry-value", "");
	expect(&known, "G5 lie undecided", "");
	/* The right word for the wrong debugger. */
	expect(&known, "G1 loss gdb:entry-value", "");
	ora_known_deinit(&known);
}

/* Writes a file of the user's and loads it. */
static struct xs_error *load(struct ora_known *known, const char *text)
{
	char path[] = "/tmp/xstep-known-XXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	struct xs_error *err = ora_known_load(known, path);
	unlink(path);
	return err;
}

static void a_users_file_is_added(void **state)
{
	struct ora_known known = {0};
	(void)state;
	assert_null(
		load(&known, "# mine\n\n  gdb:?* | bug 7 | a note\nG6 lie line-table * | bug 8\n"));
	assert_int_equal(known.vec.len, 2);
	assert_string_equal(known.vec.data[0].note, "a note");
	assert_null(known.vec.data[1].note);
	expect(&known, "G5 lie gdb:?value", "bug 7");
	/* The whole of a signature. */
	expect(&known, "G6 lie line-table lldb:is-stmt-row", "bug 8");
	ora_known_deinit(&known);
}

static void a_line_that_makes_no_sense_is_named(void **state)
{
	static const char *const texts[] = {
		"gdb:x | a\nnonsense\n", "gdb:x | a\n | b\n", "gdb:x | a\ngdb:y |\n"};
	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct ora_known known = {0};
		XS_AUTO(xs_error) err = load(&known, texts[i]);
		assert_non_null(err);
		assert_non_null(strstr(err->message, ":2: expected PATTERN | REFERENCE | NOTE"));
		ora_known_deinit(&known);
	}
}

static void a_file_that_is_not_there_is_an_error(void **state)
{
	struct ora_known known = {0};
	(void)state;
	XS_AUTO(xs_error) err = ora_known_load(&known, "/nowhere/known.txt");
	assert_non_null(err);
	assert_non_null(strstr(err->message, "--known /nowhere/known.txt"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shipped_bugs_are_known),
		cmocka_unit_test(a_users_file_is_added),
		cmocka_unit_test(a_line_that_makes_no_sense_is_named),
		cmocka_unit_test(a_file_that_is_not_there_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
