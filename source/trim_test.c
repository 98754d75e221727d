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
	/* Assembly is in the program whatever main does. */
	expect("int no;\n__asm__(\"nop\");\nint main(void) { return 0; }\nasm(\"nop\");\n",
		SRC_TRIM_UNUSED, 0,
		"__asm__(\"nop\");\nint main(void) { return 0; }\nasm(\"nop\");\n");
}

static void test_statements(void **state)
{
	static const char text[] = "int main(void) { int a = 1; if (a) { a++; a--; } else a = 2;"
				   " do a--; while (a); for (;;) break; return a; }";
	(void)state;
	expect(text, SRC_TRIM_STATEMENT, 0, "int main(void) {      }");
	/* A function that returns something keeps its last return. */
	expect("int f(int a) { if (a) return 1; a++; return a; } int main(void) { return f(1); }",
		SRC_TRIM_STATEMENT, 0, "int f(int a) {   return a; } int main(void) {  }");
	expect(text, SRC_TRIM_STATEMENT, 1,
		"int main(void) { int a = 1; if (a) {   } else a = 2;"
		" do a--; while (a); for (;;) ; return a; }");
	expect(text, SRC_TRIM_AROUND, 0,
		"int main(void) { int a = 1; { a++; a--; }"
		" a--; break; return a; }");
}

static void test_what_is_left_of_branches(void **state)
{
	(void)state;
	expect("int a; int main(void) { if (a) a = 1; else { a = 2; } if (a) a = 3;"
	       " for (a = 0; a < 3; a++) a++; for (; a;) a--; for (int i = 0; i < 3; i++) ; }",
		SRC_TRIM_OTHERWISE, 0,
		"int a; int main(void) { { a = 2; } if (a) a = 3;"
		" {a = 0; a++;} for (; a;) a--; {int i = 0; ;} }");
	expect("int main(void) { { int a = 1; { a++; } } return 0; }", SRC_TRIM_BLOCK, 0,
		"int main(void) {  int a = 1; { a++; }  return 0; }");
}

static void test_calls(void **state)
{
	(void)state;
	expect("struct s { int a; } r; static int f(int); static struct s g(void) { return r; }\n"
	       "static void h(void) { } static int f(int a) { h(); return a; }\n"
	       "int main(void) { r = g(); h(); return f(f(1)) + f(2); }\n",
		SRC_TRIM_CALL, 0,
		"struct s { int a; } r; static int f(int); static struct s g(void) { return r; }\n"
		"static void h(void) { } static int f(int a) { (void)0; return a; }\n"
		"int main(void) { r = (struct s){0}; (void)0; return 0 + 0; }\n");
	expect("int safe_add_func_int8_t_s_s(int, int); int safe_unary_minus_func_int8_t_s(int);\n"
	       "int safe_house(int); int main(void) { int a = 1; return safe_house(a) +"
	       " safe_add_func_int8_t_s_s(a, safe_unary_minus_func_int8_t_s(a)); }\n",
		SRC_TRIM_CHECKED, 0,
		"int safe_add_func_int8_t_s_s(int, int); int safe_unary_minus_func_int8_t_s(int);\n"
		"int safe_house(int); int main(void) { int a = 1; return safe_house(a) +"
		" ((a) + ((-(a)))); }\n");
}

static void test_parameters(void **state)
{
	static const char text[] = "int g; static int f(int a, int *b); static int one(int a) {"
				   " return a; }\n"
				   "static int f(int a, int *b) { return a + *b; }\n"
				   "int main(void) { int n = 1; return f(n, &g) + one(n); }\n";
	(void)state;
	/* What is passed is kept if it means the same in the function. */
	expect(text, SRC_TRIM_PARAMETER, 1,
		"int g; static int f(int a); static int one(int a) { return a; }\n"
		"static int f(int a) { int *b = &g; return a + *b; }\n"
		"int main(void) { int n = 1; return f(n) + one(n); }\n");
	expect(text, SRC_TRIM_PARAMETER, 0,
		"int g; static int f(int *b); static int one(void) { int a = 0; return a; }\n"
		"static int f(int *b) { int a = 0; return a + *b; }\n"
		"int main(void) { int n = 1; return f(&g) + one(); }\n");
	/* One that is not used leaves nothing. */
	expect("static int f(int a, int b) { return b; } int main(void) { return f(1, 2); }",
		SRC_TRIM_PARAMETER, 0,
		"static int f(int b) { return b; } int main(void) { return f(2); }");
}

static void test_variables(void **state)
{
	static const char text[] =
		"int a[2][3] = {{7, 8}, {9}}, b = 3; int c[2];\n"
		"int main(void) { int d[3] = {1, 2}; return a[1][b] + c[0] + d[b]"
		" + *&a[0][1]; }\n";
	(void)state;
	expect(text, SRC_TRIM_ARRAY, 0,
		"int a = 7, b = 3; int c;\n"
		"int main(void) { int d = 1; return a + c + d + *&a; }\n");
	expect("int a = 1, b, *c = &a; int d; int main(void) { int e, f = 2; return f; }",
		SRC_TRIM_DECLARATOR, 0,
		"int  b, *c = &a; int d; int main(void) { int  f = 2; return f; }");
	expect("int a = 1, b, *c = &a; int d; int main(void) { int e, f = 2; return e; }",
		SRC_TRIM_DECLARATOR, 1,
		"int a = 1, *c = &a; int d; int main(void) { int e; return e; }");
	expect(text, SRC_TRIM_INITIAL, 0,
		"int a[2][3] , b ; int c[2];\n"
		"int main(void) { int d[3] ; return a[1][b] + c[0] + d[b] + *&a[0][1]; }\n");
	expect(text, SRC_TRIM_ZERO, 0,
		"int a[2][3] = {0}, b = 3; int c[2];\n"
		"int main(void) { int d[3] = {0}; return a[1][b] + c[0] + d[b] + *&a[0][1]; }\n");
}

static void test_types(void **state)
{
	static const char text[] = "typedef signed char t; typedef t u; struct s { u a; int b; };\n"
				   "static const struct s g = {1, 2}, h[2] = {{3, 4}, {5, 6}};\n"
				   "int main(void) { volatile u n = (u)g.b; return n + h[1].b; }\n";
	(void)state;
	expect(text, SRC_TRIM_FIELD, 0,
		"typedef signed char t; typedef t u; struct s {  int b; };\n"
		"static const struct s g = {2}, h[2] = {{4}, {6}};\n"
		"int main(void) { volatile u n = (u)g.b; return n + h[1].b; }\n");
	expect(text, SRC_TRIM_TYPEDEF, 0,
		"typedef signed char t; typedef signed char u; struct s { signed char a; int b; "
		"};\n"
		"static const struct s g = {1, 2}, h[2] = {{3, 4}, {5, 6}};\n"
		"int main(void) { volatile signed char n = (signed char)g.b; return n + h[1].b; }"
		"\n");
	expect(text, SRC_TRIM_WORD, 0,
		"typedef signed char t; typedef t u; struct s { u a; int b; };\n"
		"struct s g = {1, 2}, h[2] = {{3, 4}, {5, 6}};\n"
		"int main(void) { u n = (u)g.b; return n + h[1].b; }\n");
}

static void test_directives(void **state)
{
	(void)state;
	expect("#include <stddef.h>\nint none;\nsize_t n;\nint main(void) { return (int)n; }\n",
		SRC_TRIM_UNUSED, 0,
		"#include <stddef.h>\nsize_t n;\nint main(void) { return (int)n; }\n");
	expect("#pragma pack(1)\nint f(void); int g(void);\nint f(void) { return g(); }\n"
	       "#pragma pack()\nint main(void) { return f(); }\n",
		SRC_TRIM_LEFTOVER, 0,
		" int g(void);\nint f(void) { return g(); }\nint main(void) { return f(); }\n");
}

static void test_expressions(void **state)
{
	static const char text[] = "int f(int, int); int g[9]; int main(void) { int b = 4;"
				   " g[b + 1] = f(b * b, 7) + (b << 2); return b ? f(1, b) : 70; }";
	(void)state;
	expect(text, SRC_TRIM_VALUE, 0,
		"int f(int, int); int g[9]; int main(void) { int b = 4; g[0] = 0; return 0; }");
	expect(text, SRC_TRIM_VALUE, 1,
		"int f(int, int); int g[9]; int main(void) { int b = 4;"
		" g[b + 1] = 0 + 0; return b ? 0 : 70; }");
	expect(text, SRC_TRIM_ONLY_LAST, 1,
		"int f(int, int); int g[9]; int main(void) { int b = 4;"
		" g[1] = (b << 2); return b ? b : 70; }");
	/* What a macro is made of stands where the macro does: nothing becomes less. */
	expect("#define F(x) f(x, 1)\nint f(int, int); int main(void) { F(2); return 0; }",
		SRC_TRIM_ONLY_LAST, 0,
		"#define F(x) f(x, 1)\nint f(int, int); int main(void) { F(2); return 0; }");
	expect(text, SRC_TRIM_ONLY_FIRST, 1,
		"int f(int, int); int g[9]; int main(void) { int b = 4;"
		" g[b] = (f(b * b, 7)); return b ? 1 : 70; }");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_main_does_not_reach),
		cmocka_unit_test(test_statements),
		cmocka_unit_test(test_directives),
		cmocka_unit_test(test_what_is_left_of_branches),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_parameters),
		cmocka_unit_test(test_variables),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_expressions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
