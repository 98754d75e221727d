/* uses_test.c - what is worked out of C sources: by types and uses, not by names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "source/opaque.h"
#include "source/reaching.h"

/* Parses a text; the unit and the facts are the caller's. */
static struct src_unit *facts_of(const char *text, struct src_facts *facts)
{
	char path[] = "/tmp/xstep-facts-XXXXXX.c";
	int fd = mkstemps(path, 2);
	struct src_unit *unit = NULL;
	assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	struct xs_error *err = src_unit_open(path, NULL, 0, &unit);
	unlink(path);
	assert_null(err);
	src_facts_collect(unit, facts);
	return unit;
}

static size_t named(const struct src_facts *facts, const char *name)
{
	for (size_t i = 0; i < facts->variables.len; i++)
		if (!strcmp(facts->variables.data[i].name, name))
			return i;
	fail_msg("no variable %s", name);
	return 0;
}

static void test_writes_and_addresses(void **state)
{
	struct src_facts facts;
	(void)state;
	struct src_unit *unit = facts_of("int g, *far;\n"
					 "int f(int p)\n"
					 "{\n"
					 "	int once = 3, twice = 4, seen, *to = far = &seen;\n"
					 "	seen = p == once;\n"
					 "	twice += 1;\n"
					 "	static int kept;\n"
					 "	return twice + kept++ + *to;\n"
					 "}\n",
		&facts);
	assert_int_equal(facts.functions.len, 1);
	assert_int_equal(facts.variables.len, 5); /* kept is a static, g at file scope */
	const struct src_variable *p = &facts.variables.data[named(&facts, "p")];
	assert_true(p->parameter && p->line == 2 && !p->escapes);
	assert_true(facts.variables.data[named(&facts, "seen")].escapes);
	assert_int_equal(facts.variables.data[named(&facts, "twice")].writes, 2);
	assert_int_equal(src_holds_on(&facts, named(&facts, "once"), 0, 5), SRC_HOLDS_CONSTANT);
	assert_int_equal(src_holds_on(&facts, named(&facts, "twice"), 0, 8), SRC_HOLDS_INDUCTION);
	assert_int_equal(src_holds_on(&facts, named(&facts, "seen"), 0, 8), SRC_HOLDS_UNSET);
	src_facts_deinit(&facts);
	src_unit_destroy(unit);
}

static void test_opaque_calls(void **state)
{
	struct src_facts facts;
	(void)state;
	struct src_unit *unit = facts_of("int puts(const char *);\n"
					 "extern void far(int, ...);\n"
					 "static void near(int n) { (void)n; }\n"
					 "void f(int a)\n"
					 "{\n"
					 "	int b = a;\n"
					 "	near(b);\n"
					 "	far(a, b + 1, (char)b);\n"
					 "}\n",
		&facts);
	assert_int_equal(facts.calls.len, 2);
	assert_int_equal(facts.calls.data[0].kind, SRC_CALL_KNOWN);
	const struct src_call *call = &facts.calls.data[1];
	assert_int_equal(call->kind, SRC_CALL_OPAQUE);
	assert_string_equal(call->callee, "far");
	assert_int_equal(call->line, 8);
	/* b + 1 is none; a cast does not matter. */
	assert_int_equal(call->arguments.len, 2);
	assert_int_equal(call->arguments.data[0], 1 + named(&facts, "n"));
	src_facts_deinit(&facts);
	src_unit_destroy(unit);
}

static void test_stores(void **state)
{
	struct src_facts facts;
	(void)state;
	struct src_unit *unit = facts_of("int g, table[4];\n"
					 "void f(int *p)\n"
					 "{\n"
					 "	int one = 1, i, local;\n"
					 "	for (i = 0; i < 4; i++)\n"
					 "		g = table[i] + one;\n"
					 "	g = one * 0;\n"
					 "	g = one - one;\n"
					 "	*p = one;\n"
					 "	local = one;\n"
					 "	g = -local;\n"
					 "	g = i - local;\n"
					 "	g = local * i;\n"
					 "}\n",
		&facts);
	/* Left out: *p and local, not at file scope. */
	assert_int_equal(facts.stores.len, 6);
	const struct src_store *store = &facts.stores.data[0];
	assert_int_equal(store->line, 6);
	assert_int_equal(store->operands.len, 2);
	assert_int_equal(store->operands.data[0].variable, named(&facts, "i"));
	assert_true(store->operands.data[0].index && !store->operands.data[1].index);
	assert_true(src_is_live(&facts, named(&facts, "i"), store->point)); /* by the loop */
	/* What may not be needed, whatever the variable is. */
	assert_true(facts.stores.data[1].operands.data[0].folds);
	assert_true(facts.stores.data[2].operands.data[0].folds);
	store = &facts.stores.data[3];
	assert_int_equal(store->line, 11);
	assert_false(src_is_live(&facts, named(&facts, "one"), store->point));
	assert_int_equal(facts.stores.data[4].operands.len, 2);
	assert_int_equal(facts.stores.data[4].operands.data[0].product, 0);
	/* Both of one product. */
	store = &facts.stores.data[5];
	assert_true(store->operands.data[0].product);
	assert_int_equal(store->operands.data[0].product, store->operands.data[1].product);
	src_facts_deinit(&facts);
	src_unit_destroy(unit);
}

/* =, +=, ++ and chains of them; what is not understood of an expression is left out of it. */
static void test_kinds_of_stores(void **state)
{
	struct src_facts facts;
	(void)state;
	struct src_unit *unit = facts_of("int g, h, table[4];\n"
					 "int f(int a, int b, int c)\n"
					 "{\n"
					 "	g = h = a;\n"
					 "	g += b;\n"
					 "	table[c]++;\n"
					 "	g = a + f(b, b, b);\n"
					 "	g = 1;\n"
					 "	g = f(a, b, c);\n"
					 "	return 0;\n"
					 "}\n",
		&facts);
	static const struct {
		unsigned line;
		const char *name;
		bool local;
	} expected[] = {{4, "a", true}, {4, "a", true}, {5, "b", true}, {6, "c", true},
		{7, "a", true}, {8, NULL, false}, {9, NULL, true}};
	assert_int_equal(facts.stores.len, sizeof expected / sizeof *expected);
	for (size_t i = 0; i < facts.stores.len; i++) {
		const struct src_store *store = &facts.stores.data[i];
		assert_int_equal(store->line, expected[i].line);
		assert_int_equal(store->local, expected[i].local);
		assert_int_equal(store->operands.len, expected[i].name != NULL);
		if (expected[i].name)
			assert_int_equal(
				store->operands.data[0].variable, named(&facts, expected[i].name));
	}
	src_facts_deinit(&facts);
	src_unit_destroy(unit);
}

static void test_injection(void **state)
{
	struct src_facts facts;
	(void)state;
	struct src_unit *unit = facts_of("int f(int a)\n"
					 "{\n"
					 "	int b = a, unset;\n"
					 "	return b;\n"
					 "}\n",
		&facts);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	assert_int_equal(src_inject_opaque(unit, &facts, 0, out), 1);
	fclose(out);
	assert_non_null(strstr(text, "\txstep_opaque(2, a, b);\nreturn b;"));
	free(text);
	src_facts_deinit(&facts);
	src_unit_destroy(unit);
}

static void test_errors(void **state)
{
	(void)state;
	struct src_unit *unit = NULL;
	struct xs_error *err = src_unit_open("/nowhere.c", NULL, 0, &unit);
	assert_non_null(err);
	xs_error_destroy(err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_writes_and_addresses),
		cmocka_unit_test(test_opaque_calls),
		cmocka_unit_test(test_stores),
		cmocka_unit_test(test_kinds_of_stores),
		cmocka_unit_test(test_injection),
		cmocka_unit_test(test_errors),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
