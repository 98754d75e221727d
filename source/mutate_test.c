/* mutate_test.c - what mutators may touch, and in which order. That mutants behave like their seeds
 * is for cli/mutate_test.py, which runs them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

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
		"goto", "__attribute__", "__asm__", "#line"};
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
		cmocka_unit_test(test_errors_name_the_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
