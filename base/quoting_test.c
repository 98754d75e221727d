/* quoting_test.c - words as shells and debuggers read them, and what cannot be said to them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/quoting.h"

struct row {
	const char *word, *quoted;
};

static void compare(char *(*quote)(const char *), const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		XS_AUTO_FREE char *quoted = quote(rows[i].word);
		assert_string_equal(quoted, rows[i].quoted);
	}
}

static void words_are_quoted_only_if_need_be(void **state)
{
	static const struct row rows[] = {{"a-b_c.d/e", "a-b_c.d/e"}, {"", "''"}, {"a b", "'a b'"},
		{"$x", "'$x'"}, {"it's", "'it'\\''s'"}, {"a\nb", "'a\nb'"}, {"*", "'*'"},
		{"a\\b", "'a\\b'"}, {"=ls", "'=ls'"}, {"a=b", "a=b"}, {"`id`", "'`id`'"}};
	(void)state;
	compare(xs_quote_shell, rows, sizeof rows / sizeof *rows);
}

static void what_is_pasted_has_no_control_bytes(void **state)
{
	static const struct row rows[] = {{"a-b", "a-b"}, {"it's", "'it'\\''s'"},
		{"b\xc3\xb6s", "'b\xc3\xb6s'"}, {"\xc3\xb6\n", "$'\xc3\xb6\\012'"},
		{"a\nb", "$'a\\012b'"}, {"\033[2J", "$'\\033[2J'"}, {"\x9b", "$'\\233'"},
		{"a\t'\\!", "$'a\\011\\047\\\\\\041'"}, {"\xc2\x9bK", "$'\\302\\233K'"},
		{"\xe2\x80\x8b", "$'\\342\\200\\213'"}, {"\x7f", "$'\\177'"},
		{"x\xff", "$'x\\377'"}};
	(void)state;
	compare(xs_quote_paste, rows, sizeof rows / sizeof *rows);
}

static void a_debugger_has_quotes_of_its_own(void **state)
{
	static const struct row gdb[] = {{"/tmp/p", "/tmp/p"}, {"a b", "\"a b\""}, {"", "\"\""},
		{"x'\"\\", "\"x'\\\"\\\\\""}, {"`id`", "\"`id`\""}};
	static const struct row lldb[] = {{"/tmp/p", "/tmp/p"}, {"a b", "\"a b\""}, {"", "\"\""},
		{"x'\"\\", "\"x'\\\"\\\\\""}, {"`id`", "\"\\`id\\`\""}};
	(void)state;
	compare(xs_quote_gdb, gdb, sizeof gdb / sizeof *gdb);
	compare(xs_quote_lldb, lldb, sizeof lldb / sizeof *lldb);
}

/* A real shell gets back all bytes that there are. */
static void a_shell_reads_the_same_word(void **state)
{
	char word[256];
	(void)state;
	for (int i = 0; i < 255; i++)
		word[i] = (char)(i + 1);
	word[255] = 0;
	XS_AUTO_FREE char *quoted = xs_quote_shell(word);
	XS_AUTO_FREE char *command = xs_asprintf("LC_ALL=C; printf %%s %s", quoted);
	FILE *shell = popen(command, "r");
	char said[512] = "";
	assert_non_null(shell);
	assert_int_equal(fread(said, 1, sizeof said - 1, shell), 255);
	pclose(shell);
	assert_string_equal(said, word);
}

static void a_line_is_one_command(void **state)
{
	(void)state;
	assert_true(xs_quote_is_line(""));
	assert_true(xs_quote_is_line("print x\ty"));
	assert_false(xs_quote_is_line("a\nshell id"));
	assert_false(xs_quote_is_line("a\rb"));
	assert_false(xs_quote_is_line("a\033b"));
	assert_false(xs_quote_is_line("a\x7f"));
	assert_false(xs_quote_is_line("a\xc2\x9b"
				      "b\t"));
	assert_false(xs_quote_is_line("a\xe2\x80\xae\xe2\x80\xac"));
	assert_true(xs_quote_is_line("b\xc3\xb6s\t"));
	assert_false(xs_quote_is_line("set args a\\"));
	assert_true(xs_quote_is_line("a\\b"));
}

static void a_name_is_no_expression(void **state)
{
	static const char *const variables[] = {
		"x", "_a1", "s.f[2].g", "a[-1]", "n::x", "a$b", "b\xc3\xb6s", "a[0][1]"};
	static const char *const others[] = {"", "system(\"id\")", "x=5", "x++", "*p", "a b",
		"x[i]", "x[", "x[]", "x[1", "x.", ".x", "x..y", "$rip", "1", "x::", "`id`", "x\ny",
		"x`", "-r", "x[1]y", "x\x9b", "x\033", "a->b", "x:y", "x[1].", "x[--1]"};
	(void)state;
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
		assert_true(xs_quote_is_variable(variables[i]));
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		assert_false(xs_quote_is_variable(others[i]));
	assert_true(xs_quote_is_name("x"));
	assert_false(xs_quote_is_name("s.f"));
	assert_false(xs_quote_is_name(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_quoted_only_if_need_be),
		cmocka_unit_test(what_is_pasted_has_no_control_bytes),
		cmocka_unit_test(a_debugger_has_quotes_of_its_own),
		cmocka_unit_test(a_shell_reads_the_same_word),
		cmocka_unit_test(a_line_is_one_command),
		cmocka_unit_test(a_name_is_no_expression),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
