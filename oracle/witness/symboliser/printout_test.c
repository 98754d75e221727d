/* printout_test.c - what symbolisers print, understood or not. */
#include "oracle/witness/symboliser/printout.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>

#include <cmocka.h>

static const xs_addr two[] = {0x1139, 0x1150};

/* As text: `f a.c:7:3 < main a.c:9` for each address, `not read` for what is not; freed by the next
 * call. */
static const char *read_all(enum ora_dialect dialect, const char *text, size_t count)
{
	static char out[1024];
	struct ora_answers answers = {0};
	bool good = ora_answers_read(dialect, text, two, count, &answers);
	char *at = out;
	*at = 0;
	assert_int_equal(answers.vec.len, good ? count : 0);
	for (size_t i = 0; i < answers.vec.len; i++) {
		const struct ora_answer *one = &answers.vec.data[i];
		at = stpcpy(at, i ? "; " : "");
		if (!one->read)
			at = stpcpy(at, "not read");
		for (size_t k = 0; one->read && k < one->frames.len; k++) {
			const struct ora_answer_frame *frame = &one->frames.data[k];
			at += sprintf(at, "%s%s %s:%u:%u", k ? " < " : "",
				frame->function ? frame->function : "-",
				frame->file ? frame->file : "-", frame->line, frame->column);
		}
	}
	ora_answers_deinit(&answers);
	return good ? out : "not understood";
}

static void addr2line_prints_pairs_of_lines(void **state)
{
	(void)state;
	assert_string_equal(read_all(ORA_DIALECT_ADDR2LINE,
				    "0x0000000000001139\nf\n/a b/x.c:7 (discriminator 2)\nmain\n"
				    "/a b/x.c:9\n0x0000000000001150\nmain\n/a b/x.c:?\n",
				    2),
		"f /a b/x.c:7:0 < main /a b/x.c:9:0; main /a b/x.c:0:0");
	assert_string_equal(
		read_all(ORA_DIALECT_ADDR2LINE, "0x0000000000001139\n??\n??:0\n", 1), "- -:0:0");
}

static void eu_addr2line_adds_columns_and_remarks(void **state)
{
	(void)state;
	assert_string_equal(read_all(ORA_DIALECT_EU,
				    "0x0000000000001139\nf inlined at /x.c:9:5 in main.cold\n"
				    "/x.c:7:3\nmain\n/x.c:9:5\n0x0000000000001150\nmain\n??:0\n",
				    2),
		"f /x.c:7:3 < main /x.c:9:5; main -:0:0");
	assert_string_equal(
		read_all(ORA_DIALECT_EU, "0x0000000000001139\nf\n/x.c:7\n", 1), "f /x.c:7:0");
	/* It lists nothing around f, but has said what there is. */
	assert_string_equal(
		read_all(ORA_DIALECT_EU,
			"0x0000000000001139\nf inlined at /x.c:9:5 in main\n/x.c:7:3\n", 1),
		"f /x.c:7:3 < main /x.c:9:5");
}

static void llvm_symbolizer_prints_json(void **state)
{
	(void)state;
	assert_string_equal(
		read_all(ORA_DIALECT_JSON,
			"[{\"Address\":\"0x1139\",\"Symbol\":[{\"Column\":3,\"FileName\":\"a\\nb."
			"c\","
			"\"FunctionName\":\"f\",\"Line\":7},{\"Column\":0,\"FileName\":\"\","
			"\"FunctionName\":\"\",\"Line\":0}]}]",
			1),
		"f a\nb.c:7:3 < - -:0:0");
}

/* The next address is found all the same. */
static void a_line_break_in_a_name_makes_one_answer_unreadable(void **state)
{
	(void)state;
	assert_string_equal(read_all(ORA_DIALECT_ADDR2LINE,
				    "0x0000000000001139\nf\n/a\nb/x.c:7\n0x0000000000001150\n"
				    "main\nx.c:9\n",
				    2),
		"not read; main x.c:9:0");
}

static void what_is_something_else_is_not_understood(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"",
		"hello\n",
		"0x0000000000001150\nf\nx.c:1\n",
		"0x0000000000001139\n",
		"0x0000000000001139\nf\nx.c:1\n0x0000000000001150\n",
		"[]",
		"{}",
		"[1]",
		"[{\"Address\":\"0x1\",\"Symbol\":[]}]",
		"[{\"Error\":{\"Message\":\"no\"}}]",
		"[{\"Address\":7}",
		"0x1139\nf\nx.c:1\n",
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		for (int dialect = ORA_DIALECT_ADDR2LINE; dialect <= ORA_DIALECT_JSON; dialect++) {
			const char *got = read_all((enum ora_dialect)dialect, texts[i], 1);
			if (strcmp(got, "not understood") != 0)
				assert_string_equal(got, "not read");
		}
	/* An answer is missing. */
	assert_string_equal(read_all(ORA_DIALECT_ADDR2LINE, "0x0000000000001139\nf\nx.c:1\n", 2),
		"not understood");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addr2line_prints_pairs_of_lines),
		cmocka_unit_test(eu_addr2line_adds_columns_and_remarks),
		cmocka_unit_test(llvm_symbolizer_prints_json),
		cmocka_unit_test(a_line_break_in_a_name_makes_one_answer_unreadable),
		cmocka_unit_test(what_is_something_else_is_not_understood),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
