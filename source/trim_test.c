/* trim_test.c - what can be cut out of a source. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source/trim.h"

/* All parts of a kind and depth cut out of a text. */
static void expect(const char *text, enum src_trim_kind kind, unsigned depth, const char *expected)
{
	char path[] = "/tmp/trim_test-XXXXXX.c";
	int fd = mkstemps(path, 2);
	struct src_parts parts;
	size_t size;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	XS_AUTO(src_unit) unit = NULL;
	struct xs_error *err = src_unit_open(path, NULL, 0, &unit);
	unlink(path);
	if (err)
		fail_msg("%s", err->message);
	src_trim_parts(unit, kind, &parts);
	bool *chosen = xs_calloc(parts.vec.len + 1, sizeof *chosen);
	for (size_t i = 0; i < parts.vec.len; i++)
		chosen[i] = parts.vec.data[i].depth == depth;
	char *made = src_trim_apply(unit->text, unit->size, &parts, chosen, &size);
	assert_string_equal(made, expected);
	assert_int_equal(size, strlen(expected));
	free(made);
	free(chosen);
	src_parts_deinit(&parts);
}

static void test_what_main_does_not_reach(void **state)
{
	(void)state;
	expect("typedef int t; typedef t u; struct s { u a; } g, *h; int none, more;\n"
	       "int also;\n"
	       "__extension__ typedef struct { int a; } v;\n"
	       "extern int w(void) __attribute__((const));\n"
	       "void f(void); enum { A, B }; int i = B; int puts(const char *); int abs(int);\n"
	       "void f(void) { g.a = abs(i); } static int no(void) { return puts(\"\"); }\n"
	       "int main(void) { f(); return 0; }\n",
		SRC_TRIM_UNUSED, 0,
		"typedef int t; typedef t u; struct s { u a; } g, *h;\n"
		"void f(void); enum { A, B }; int i = B; int abs(int);\n"
		"void f(void) { g.a = abs(i); }\n"
		"int main(void) { f(); return 0; }\n");
}

static void test_statements(void **state)
{
	static const char text[] = "int main(void) { int a = 1; if (a) { a++; a--; } else a = 2;"
				   " do a--; while (a); for (;;) break; return a; }";
	(void)state;
	expect(text, SRC_TRIM_STATEMENT, 0, "int main(void) {      }");
	expect(text, SRC_TRIM_STATEMENT, 1,
		"int main(void) { int a = 1; if (a) {   } else a = 2;"
		" do a--; while (a); for (;;) ; return a; }");
	expect(text, SRC_TRIM_AROUND, 0,
		"int main(void) { int a = 1; { a++; a--; }"
		" a--; break; return a; }");
}

static void test_expressions(void **state)
{
	static const char text[] = "int f(int, int); int g[9]; int main(void) { int b = 4;"
				   " g[b + 1] = f(b * b, 7) + (b << 2); return b ? f(1, b) : 70; }";
	(void)state;
	expect(text, SRC_TRIM_VALUE, 0,
		"int f(int, int); int g[9]; int main(void) { int b = 4; 0; return 0; }");
	expect(text, SRC_TRIM_VALUE, 1,
		"int f(int, int); int g[9]; int main(void) { int b = 4;"
		" g[0] = 0; return b ? 0 : 70; }");
	expect(text, SRC_TRIM_ONLY_LAST, 1,
		"int f(int, int); int g[9]; int main(void) { int b = 4;"
		" g[(1)] = ((b << 2)); return b ? (b) : 70; }");
	expect(text, SRC_TRIM_ONLY_FIRST, 1,
		"int f(int, int); int g[9]; int main(void) { int b = 4;"
		" g[(b)] = (f(b * b, 7)); return b ? (1) : 70; }");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_main_does_not_reach),
		cmocka_unit_test(test_statements),
		cmocka_unit_test(test_expressions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
