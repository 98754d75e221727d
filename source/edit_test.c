/* edit_test.c - tokens of sources and edits of texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "source/edit.h"
#include "source/lex.h"

static void expect(struct src_edits *edits, const char *text, const char *expected)
{
	size_t size;
	char *made = src_edits_apply(edits, text, strlen(text), &size);
	assert_string_equal(made, expected);
	assert_int_equal(size, strlen(expected));
	free(made);
	src_edits_deinit(edits);
}

static void test_nested_edits_nest(void **state)
{
	struct src_edits edits = {0};
	(void)state;
	/* From the inside out: [b] in [ab]. */
	src_edit_before(&edits, 1, "(");
	src_edit_behind(&edits, 2, ")");
	src_edit_before(&edits, 1, "{");
	src_edit_behind(&edits, 2, "}");
	src_edit_replace(&edits, 2, 3, "-");
	src_edit_before(&edits, 2, "<");
	expect(&edits, "+.,*", "+{(.)}<-*");
}

static void test_words_do_not_grow_together(void **state)
{
	struct src_edits edits = {0};
	(void)state;
	src_edit_replace(&edits, 6, 8, "t1");
	src_edit_behind(&edits, 10, "goto");
	expect(&edits, "return-x; else", "return t1; goto else");
}

static void test_no_edit_is_the_text(void **state)
{
	struct src_edits edits = {0};
	(void)state;
	expect(&edits, "", "");
	expect(&edits, "int x;\n", "int x;\n");
}

static void expect_tokens(const char *text, const char *expected)
{
	struct src_tokens tokens;
	XS_VEC(char) all = {0};
	src_tokens_read(text, strlen(text), &tokens);
	for (size_t i = 0; i < tokens.vec.len; i++) {
		const struct src_token *token = &tokens.vec.data[i];
		xs_vec_push(&all, "wnlpcd"[token->kind]);
		xs_vec_push(&all, '[');
		for (unsigned at = token->begin; at < token->end; at++)
			xs_vec_push(&all, text[at]);
		xs_vec_push(&all, ']');
		assert_int_equal(src_token_from(&tokens, token->begin), i);
	}
	xs_vec_push(&all, 0);
	assert_string_equal(all.data, expected);
	xs_vec_deinit(&all);
	src_tokens_deinit(&tokens);
}

static void test_tokens(void **state)
{
	(void)state;
	expect_tokens("x+++y>>=1.5e-3f", "w[x]p[++]p[+]w[y]p[>>=]n[1.5e-3f]");
	expect_tokens("L\"a\\\"b\" u8'\\'' L", "l[L\"a\\\"b\"]l[u8'\\'']w[L]");
	expect_tokens("a/*\"*/b//'\nc", "w[a]c[/*\"*/]w[b]c[//']w[c]");
	expect_tokens("a # b\n # define X /*\n*/ y \\\n z\nc",
		"w[a]p[#]w[b]d[# define X /*\n*/ y \\\n z]w[c]");
	expect_tokens("/**/#if 0\n.5...", "c[/**/]d[#if 0]n[.5...]");
}

static void test_splices_are_told(void **state)
{
	struct src_tokens tokens;
	(void)state;
	src_tokens_read("in\\\nt x;", 9, &tokens);
	assert_true(tokens.spliced);
	src_tokens_deinit(&tokens);
	src_tokens_read("#define A \\\n 1\n", 15, &tokens);
	assert_false(tokens.spliced);
	src_tokens_deinit(&tokens);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nested_edits_nest),
		cmocka_unit_test(test_words_do_not_grow_together),
		cmocka_unit_test(test_no_edit_is_the_text),
		cmocka_unit_test(test_tokens),
		cmocka_unit_test(test_splices_are_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
