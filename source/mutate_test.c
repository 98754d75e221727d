/* mutate_test.c - what mutators may touch, and in which order. That mutants behave like their seeds
 * is for cli/mutate_test.py, which runs them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "source/mutate.h"

/* The mutant of a text, to be freed. */
static char *mutate(const char *text, struct src_mutate how)
{
	char path[] = "/tmp/xstep-mutate-XXXXXX.c";
	int fd = mkstemps(path, 2);
	struct src_mutant mutant;
	assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	struct xs_error *err = src_mutate(path, &how, &mutant);
	unlink(path);
	assert_null(err);
	for (size_t i = 0; i < SRC_MUTATORS; i++)
		assert_false(mutant.dropped[i]);
	assert_int_equal(mutant.size, strlen(mutant.text));
	return mutant.text;
}

/* The mutant by one mutator, everywhere. */
static char *all_of(enum src_mutator mutator, const char *text, uint64_t seed)
{
	struct src_mutate how = {.seed = seed};
	how.chance[mutator] = 1;
	return mutate(text, how);
}

static void expect_kept(enum src_mutator mutator, const char *text, const char *part)
{
	for (uint64_t seed = 0; seed < 8; seed++) {
		char *made = all_of(mutator, text, seed);
		if (!strstr(made, part))
			fail_msg("no %s in:\n%s", part, made);
		free(made);
	}
}

static const char program[] = "int f(int), g(int);\n"
			      "struct s { unsigned long huge : 40; int x; };\n"
			      "int main(int argc, char **argv)\n"
			      "{\n"
			      "	int total = 0;\n"
			      "	for (int i = 0; i < argc; i++)\n"
			      "		if (argv[i] && f(i) > 2)\n"
			      "			total += g(i);\n"
			      "	return total;\n"
			      "}\n";

/* To look at a variable without a value is undefined. */
static void test_nothing_is_read_before_it_is_written(void **state)
{
	static const char text[] =
		"int f(int);\nint g(int a)\n{\n\treturn f(a) ? f(1) : f(2);\n}\n";
	(void)state;
	for (uint64_t seed = 0; seed < 32; seed++) {
		char *made = all_of(SRC_MUTATE_RCL, text, seed), *last = NULL;
		for (char *at = strtok_r(made, ";{}", &last); at;
			at = strtok_r(NULL, ";{}", &last)) {
			at += strspn(at, " \t\n");
			if (!strncmp(at, "rcl_t", 5) && !strchr(at, '='))
				fail_msg("%s;", at);
		}
		free(made);
	}
}

static void test_a_seed_is_a_mutant(void **state)
{
	struct src_mutate how = {.chance = {0.5, 0.5, 0.5, 0.5}, .seed = 7};
	(void)state;
	char *first = mutate(program, how), *again = mutate(program, how);
	how.seed++;
	char *other = mutate(program, how);
	assert_string_equal(first, again);
	assert_string_not_equal(first, other);
	free(first);
	free(again);
	free(other);
}

static void test_without_chance_nothing_changes(void **state)
{
	(void)state;
	char *made = mutate(program, (struct src_mutate){.seed = 3});
	assert_string_equal(made, program);
	free(made);
}

static void test_each_mutator_does_its_work(void **state)
{
	static const char *const signs[SRC_MUTATORS] = {
		"goto", "__attribute__", "__asm__", "#line", "DTRACE_PROBE"};
	(void)state;
	for (size_t i = 0; i < SRC_MUTATORS; i++) {
		char *made = all_of((enum src_mutator)i, program, 1);
		assert_non_null(strstr(made, signs[i]));
		free(made);
	}
}

static void test_operands_keep_their_order(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 20; seed++) {
		/* Sometimes only one of them is chosen: then those before it must come, too. */
		struct src_mutate how = {.seed = seed, .chance = {0.4, 0, 0, 0}};
		char *made = mutate("int f(void), g(void), x, y, z;\n"
				    "void t(void) { y = x + f() * (z + g()); }\n",
			how);
		const char *body = strstr(made, "void t"), *name = strstr(body, "f()");
		assert_non_null(name);
		const char *later = strstr(body, "g()");
		assert_true(later && name < later);
		const char *x = strstr(body, "= x;"), *address = strstr(body, "&x");
		/* If the call was taken out, x was read before. */
		if (strstr(body, "= f();"))
			assert_true((x && x < name) || (address && address < name));
		free(made);
	}
}

static void test_uses_of_macros_stay(void **state)
{
	(void)state;
	for (size_t i = 0; i < SRC_MUTATORS; i++)
		expect_kept((enum src_mutator)i,
			"#define TEXT(x) #x\n"
			"#define EACH(i, n) for (int i = 0; i < n; i++)\n"
			"const char *f(int n) { EACH(j, n  +  1) n--; return TEXT(a   +b); }\n",
			"TEXT(a   +b)");
	expect_kept(SRC_MUTATE_RCL,
		"#define SUM 1 + 2\n"
		"int f(int n) { return n * SUM; }\n",
		"n * SUM");
}

static void test_what_is_left_alone(void **state)
{
	(void)state;
	expect_kept(SRC_MUTATE_RCL, "void never(void); void f(void) { if (0) never(); }\n",
		"if (0) never();");
	expect_kept(SRC_MUTATE_RCL,
		"int setjmp(void *); void *b; int f(int n) { if (setjmp(b)) n++; return n + 1; }\n",
		"{ if (setjmp(b)) n++; return n + 1; }");
	/* gcc has types of 40 bits, and no name for them. */
	expect_kept(SRC_MUTATE_RCL,
		"struct s { unsigned long huge : 40; } s; int f(void) { return s.huge - 1 > 0; }\n",
		"s.huge - 1 > 0");
	expect_kept(SRC_MUTATE_RCL, "int f(int n) { return ({ int t = n; t + 1; }); }\n",
		"({ int t = n; t + 1; })");
	expect_kept(SRC_MUTATE_OCP, "int f(void) { return __LINE__; }\n",
		"int f(void) { return __LINE__; }\n");
	expect_kept(SRC_MUTATE_RCL,
		"#define LAST break\n"
		"int f(int n) { while (n) { if (n > 3) LAST; n--; } return 0; }\n",
		"while (n) {");
	/* always_inline would be an error in gcc. */
	for (uint64_t seed = 0; seed < 20; seed++) {
		char *made = all_of(SRC_MUTATE_FCO,
			"static int g(int); static int f(int n) { return n ? g(n - 1) : 0; }\n"
			"static int g(int n) { return f(n); } int h(void) { return f(3); }\n",
			seed);
		assert_null(strstr(made, "always_inline"));
		free(made);
	}
}

/* All that probes of a text name, over some seeds: `p1__a f 3:a`, a line each; to be freed. */
static char *probes_of(const char *text)
{
	size_t size;
	char *all = NULL;
	FILE *out = open_memstream(&all, &size);
	assert_non_null(out);
	for (uint64_t seed = 0; seed < 24; seed++) {
		char *made = all_of(SRC_MUTATE_PROBES, text, seed);
		for (const char *at = made; (at = strstr(at, ".ascii \\\"")); at++)
			fprintf(out, "%.*s\n", (int)strcspn(at + 9, "\\"), at + 9);
		free(made);
	}
	assert_int_equal(fclose(out), 0);
	return all;
}

/* Whether some probe of the text has that operand, LINE:PATH. */
static void expect_probed(const char *text, const char *operand, bool probed)
{
	XS_AUTO_FREE char *all = probes_of(text);
	XS_AUTO_FREE char *spaced = xs_asprintf(" %s ", operand);
	XS_AUTO_FREE char *last = xs_asprintf(" %s\n", operand);
	if ((strstr(all, spaced) || strstr(all, last)) != probed)
		fail_msg("%s is %sprobed in:\n%s\n%s", operand, probed ? "not " : "", text, all);
}

#define FAR "int far(), g; "

static void test_probes_have_what_is_set_and_used_later(void **state)
{
	static const struct {
		const char *text, *operand;
		bool probed;
	} cases[] = {
		{"void f(int a) { far(); far(a); }", "2:a", true},
		{"void f(int a) { far(); far(g); }", "2:a", false}, /* nobody reads it */
		{"void f(int a) { far(a); a = 1; far(); }", "2:a", true},
		{"void f(int c) { int x; if (c) x = 1; far(); far(x); }", "2:x", false},
		{"void f(int c) { int x; if (c) x = 1; else x = 2; far(); far(x); }", "2:x", true},
		{"void f(int c) { int x; far(&x); far(); far(x); }", "2:x", false},
		{"void f(int c) { int x = 1; far(&x); far(); far(x); }", "2:x", true},
		{"void f(int c) { goto in; { int x = 1; in: far(); far(x); } }", "2:x", false},
		{"void f(int c) { switch (c) { int x; case 1: x = 1; break; case 2: far(x); } }",
			"2:x", false},
		/* A probe before a label is where no jump leads. */
		{"void f(int c) { switch (c) { int x; case 1: x = 1; case 2: far(x); } }", "2:x",
			true},
		{"void f(int c) { volatile int x = 1; far(); far(x); }", "2:x", false},
		{"void f(int c) { long double x = 1; far(); far(x); }", "2:x", false},
		{"void f(int c) { double x = 1; far(); far(x); }", "2:x", true},
		{"void f(int c) { static int x = 1; far(); far(x); }", "2:x", false},
		{"void f(char *p) { far(); far(*p); }", "2:p", true},
		{"void f(char *p) { far(); far(*p); }", "2:*p", false},
		{"struct s { int a, b : 3; }; void f(void) { struct s x = {1}; far(); far(x.a, "
		 "x.b); }",
			"2:x.a", true},
		{"struct s { int a, b : 3; }; void f(void) { struct s x = {1}; far(); far(x.a, "
		 "x.b); }",
			"2:x.b", false},
		{"void f(void) { int x[3] = {1}; far(); far(x[2]); }", "2:x[2]", true},
		{"void f(void) { volatile struct { int a; } x = {1}; far(); far(x.a); }", "2:x.a",
			false},
		/* Which one is meant is not left to chance. */
		{"void f(int x) { { int x = 1; far(); far(x); } far(x); }", "2:x", true},
		{"\n#define x y\nvoid f(int y) { far(); far(y); }", "4:y", true},
		{"\n#define y y\nvoid f(int y) { far(); far(y); }", "4:y", false},
		{"int setjmp(void *); void f(int a) { setjmp(0); far(); far(a); }", "2:a", false},
		{"void f(int a) { void *p = &&l; goto *p; l: far(); far(a); }", "2:a", false},
		/* Lines are those that the DWARF will have. */
		{"\nvoid f(int a,\nint b) { far(); far(b); }", "4:b", true},
		{"\n#line 70\nvoid f(int a,\nint b) { far(); far(b); }", "71:b", true},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		XS_AUTO_FREE char *text = xs_asprintf(FAR "%s\n", cases[i].text);
		expect_probed(text, cases[i].operand, cases[i].probed);
	}
}

static void test_probes_stay_out_of_macros_and_lines(void **state)
{
	static const char text[] = FAR "\n#define BOTH(a, b) a; b\nvoid f(int n)\n{\n"
				       "	BOTH(far(n), far(n + 1));\n	far(n);\n}\n";
	(void)state;
	for (uint64_t seed = 0; seed < 8; seed++) {
		char *made = all_of(SRC_MUTATE_PROBES, text, seed);
		assert_int_equal(strncmp(made, "#include <sys/sdt.h>\n" FAR, 30), 0);
		assert_non_null(strstr(made, "	BOTH(far(n), far(n + 1));\n"));
		assert_non_null(strstr(made, "__n, n); far(n);\n}\n"));
		free(made);
	}
}

static void test_errors_name_the_file(void **state)
{
	struct src_mutant mutant;
	struct src_mutate how = {.seed = 1};
	(void)state;
	XS_AUTO(xs_error) none = src_mutate("/nowhere/x.c", &how, &mutant);
	assert_non_null(none);
	assert_non_null(strstr(none->message, "/nowhere/x.c"));
	assert_null(mutant.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_seed_is_a_mutant),
		cmocka_unit_test(test_nothing_is_read_before_it_is_written),
		cmocka_unit_test(test_without_chance_nothing_changes),
		cmocka_unit_test(test_each_mutator_does_its_work),
		cmocka_unit_test(test_operands_keep_their_order),
		cmocka_unit_test(test_uses_of_macros_stay),
		cmocka_unit_test(test_what_is_left_alone),
		cmocka_unit_test(test_probes_have_what_is_set_and_used_later),
		cmocka_unit_test(test_probes_stay_out_of_macros_and_lines),
		cmocka_unit_test(test_errors_name_the_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
