/* extent_test.c - which lines are one statement, by a text's look alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source/extent.h"

/* Each text with the first lines of the groups of its lines, a character each. */
static const struct {
	const char *what, *text, *groups;
} cases[] = {
	{"an expression on several lines", "x = a\n + b;\ny = 1;\n", "113"},
	{"a condition and its arms", "return\n#ifndef U\n (a || b) ?\n u :\n#endif\n v;\nn();\n",
		"1111117"},
	{"a loop's body is its own", "for (i = 0; i < 3; i++)\n  g = i;\n", "12"},
	{"the parts of a loop", "for (i = 0;\n  i < 3;\n  i++)\n  g = i;\n", "1234"},
	{"a condition on two lines", "if (a &&\n  b)\n  c();\nelse\n  d();\n", "11345"},
	{"blocks", "int f(int a,\n  int b)\n{\n  return a;\n}\n", "11145"},
	{"braces of an initialiser", "int a[] = {1,\n  2,\n  {3}\n};\nint b;\n", "11115"},
	{"a literal of a structure", "s = (struct t){\n  f(a),\n  b};\nx;\n", "1114"},
	{"a statement as an expression", "x = ({ a();\n  b(); });\n", "12"},
	{"labels", "case 1:\n  x = a ? b :\n    c;\nout:\n  y;\n", "12245"},
	{"comments and literals", "f(\"; {\\\"\", /* ;\n */ ';', // }\n  b);\nc;\n", "1114"},
	{"a macro without a semicolon", "LOG\n  return a\n  ;\nb;\n", "1114"},
	{"a definition is no statement", "#define A \\\n  x; \\\n  y\nb\n;\n", "12344"},
	{"do, while", "do\n  x();\nwhile (a ||\n  b);\n", "1233"},
};

static void test_groups(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct src_extent_file file = {0};
		src_extent_read(cases[i].text, strlen(cases[i].text), &file);
		for (size_t k = 0; k < strlen(cases[i].groups); k++)
			if (file.lines.data[k].first + 1 != (uint32_t)(cases[i].groups[k] - '0'))
				fail_msg("%s: line %zu is of the group of %u", cases[i].what, k + 1,
					file.lines.data[k].first + 1);
		xs_vec_deinit(&file.lines);
	}
}

static void test_what_is_executed_with_the_statement(void **state)
{
	static const char text[] =
		"x =\n (a ||\n b) ?\n c :\n d\n;\nf(a && b,\n c);\nif (a\n || b\n "
		"&& (c)) {\n} return g\n (e);\n";
	static const char certain[] = "1100001110011";
	struct src_extent_file file = {0};
	(void)state;
	src_extent_read(text, strlen(text), &file);
	for (size_t i = 0; certain[i]; i++)
		if (file.lines.data[i].certain != (certain[i] == '1'))
			fail_msg("line %zu", i + 1);
	xs_vec_deinit(&file.lines);
}

/* The head of an endless loop may have code only at its end. */
static void test_heads_of_loops(void **state)
{
	static const char text[] =
		"x = 1;\nwhile (1) {\nfor (;;)\nif (dot)\ndo\n f();\nwhile (a);\n}\n";
	static const char loops[] = "01101010";
	struct src_extent_file file = {0};
	(void)state;
	src_extent_read(text, strlen(text), &file);
	for (size_t i = 0; loops[i]; i++)
		if (file.lines.data[i].loop != (loops[i] == '1'))
			fail_msg("line %zu", i + 1);
	xs_vec_deinit(&file.lines);
}

/* What a statement writes it may show with any value. */
static void test_what_may_be_written(void **state)
{
	static const char text[] = "for (i = 0; i < 9; i++) a[i] = j;\nif (i == k) f(&m, n);\nx += "
				   "i;\ns.f->g[i] =\n  (y)--;\n"
				   "ii = 0; (z) <<= 1; --w; q != 2; r >= 3; t - 1;\n";
	static const struct {
		uint32_t line;
		const char *name;
		bool written;
	} writes[] = {{1, "i", true}, {1, "a", true}, {1, "j", false}, {2, "i", false},
		{2, "m", true}, {2, "n", false}, {2, "k", false}, {3, "x", true}, {3, "i", false},
		{4, "s", true}, {5, "s", true}, {5, "y", true}, {4, "i", false}, {6, "i", false},
		{6, "z", true}, {6, "w", true}, {6, "q", false}, {6, "r", false}, {6, "t", false}};
	char path[] = "/tmp/extent_test.XXXXXX";
	int fd = mkstemp(path);
	struct src_extents extents = {0};
	(void)state;
	assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	for (size_t i = 0; i < sizeof writes / sizeof *writes; i++)
		if (src_extent_may_write(&extents, path, writes[i].line, writes[i].name) !=
			writes[i].written)
			fail_msg("%s on line %u", writes[i].name, writes[i].line);
	assert_false(src_extent_may_write(&extents, "/nowhere.c", 1, "i"));
	src_extents_deinit(&extents);
	close(fd);
	unlink(path);
}

/* What a loop on one line writes has values that are seen at no line. */
static void test_what_may_pass_through_values(void **state)
{
	static const char text[] = "for (i = 0; i < 9; i++)\n  x += i;\nwhile (n-- > 0) s += n;\n"
				   "do {\n  k--;\n} while (k > 0 && m--);\nx = 1; x = 2; y = 3;\n"
				   "for (j = 0; j < 9; j++) {\n}\ndo z++; while (z < 9);\n"
				   "if (x) y = 1;\nwhile (p--) ;\nwhile (w--)\n  ;\n";
	static const struct {
		uint32_t line;
		const char *name;
		bool passes;
	} all[] = {{1, "i", false}, {2, "x", false}, {3, "n", true}, {3, "s", true},
		{5, "k", false}, {6, "m", false}, {7, "x", true}, {7, "y", false}, {8, "j", false},
		{10, "z", true}, {11, "y", false}, {12, "p", true}, {13, "w", false}};
	char path[] = "/tmp/extent_test.XXXXXX";
	int fd = mkstemp(path);
	struct src_extents extents = {0};
	(void)state;
	assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (src_extent_may_pass(&extents, path, all[i].line, all[i].name) != all[i].passes)
			fail_msg("%s on line %u", all[i].name, all[i].line);
	assert_int_equal(src_extent_lines(&extents, path), 15);
	assert_int_equal(src_extent_lines(&extents, "/nowhere.c"), 0);
	src_extents_deinit(&extents);
	close(fd);
	unlink(path);
}

static void test_a_file_that_is_not_there(void **state)
{
	struct src_extents extents = {0};
	(void)state;
	assert_int_equal(src_extent_first(&extents, "/nowhere.c", 7), 7);
	assert_int_equal(src_extent_first(&extents, NULL, 7), 7);
	src_extents_deinit(&extents);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_what_is_executed_with_the_statement),
		cmocka_unit_test(test_heads_of_loops),
		cmocka_unit_test(test_what_may_be_written),
		cmocka_unit_test(test_what_may_pass_through_values),
		cmocka_unit_test(test_a_file_that_is_not_there),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
