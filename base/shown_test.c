/* shown_test.c - what others wrote reaches neither a terminal nor a page of Markdown as it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>

#include "base/alloc.h"
#include "base/markdown.h"
#include "base/quoting.h"
#include "base/shown.h"

struct case_of {
	const char *text, *shown;
};

static void what_a_terminal_obeys_is_escaped(void **state)
{
	(void)state;
	static const struct case_of cases[] = {
		{"", ""},
		{"plain, with \\ and \"quotes\"", "plain, with \\ and \"quotes\""},
		{"\033[31mred\033[m", "\\x1b[31mred\\x1b[m"},
		{"\033]0;title\a", "\\x1b]0;title\\x07"},
		{"a\nb\rc\td\be\x7f", "a\\nb\\rc\\td\\x08e\\x7f"},
		{"\x9b"
		 "31m",
			"\\x9b31m"}, /* CSI as one byte */
		{"\xc2\x9b"
		 "31m",
			"\\u009b31m"}, /* CSI as a character */
		{"\xc2\x80 \xc2\x9f \xc2\xa0", "\\u0080 \\u009f \xc2\xa0"},
		{"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80",
			"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80"},
		{"\xff\xfe", "\\xff\\xfe"},
		{"\xc3", "\\xc3"},
		{"\xe2\x82", "\\xe2\\x82"},
		{"\xc0\x9b", "\\xc0\\x9b"}, /* longer than need be */
		{"\xe0\x82\x9b", "\\xe0\\x82\\x9b"},
		{"\xed\xa0\x80", "\\xed\\xa0\\x80"}, /* half of a pair */
		{"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
		{"a\xe2\x80\xae"
		 "b\xe2\x80\xac",
			"a\\u202eb\\u202c"},
		{"\xe2\x81\xa6x\xe2\x81\xa9", "\\u2066x\\u2069"},
		{"\xe2\x80\x8e\xe2\x80\x8f\xd8\x9c", "\\u200e\\u200f\\u061c"},
		{"\xe2\x80\xa8\xe2\x80\xa9", "\\u2028\\u2029"},
		{"\xef\xbb\xbf\xef\xbf\xbf", "\\ufeff\\uffff"},
		{"\xf3\xa0\x80\x81", "\\U000e0001"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		XS_AUTO_FREE char *once = xs_shown_text(cases[i].text);
		XS_AUTO_FREE char *twice = xs_shown_text(once);
		assert_string_equal(once, cases[i].shown);
		assert_string_equal(twice, once);
	}
}

/* What a function prints, to be freed. */
static char *printed(void (*put)(FILE *, const char *), const char *text)
{
	char *ret = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&ret, &size);
	assert_non_null(out);
	put(out, text);
	fclose(out);
	return ret;
}

XS_PRINTF(1, 2) static char *formatted(const char *format, ...)
{
	char *ret = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&ret, &size);
	va_list args;
	assert_non_null(out);
	va_start(args, format);
	xs_vprint(out, format, args);
	va_end(args);
	fclose(out);
	return ret;
}

#define EXPECT(expected, ...)                                                                      \
	do {                                                                                       \
		XS_AUTO_FREE char *have = formatted(__VA_ARGS__);                                  \
		assert_string_equal(have, expected);                                               \
	} while (0)

static void formats_are_ours_and_strings_are_not(void **state)
{
	(void)state;
	EXPECT("\033[1mx\\n\\x1b\033[m\n", "\033[1m%s\033[m\n", "x\n\033");
	EXPECT("[\\x1b   ]", "[%-7s]", "\033");
	EXPECT("[   \\x1b]", "[%7s]", "\033");
	EXPECT("[\\x1bab]", "[%2s]", "\033ab");
	EXPECT("[ab]", "[%.2s]", "abc");
	EXPECT("[ab  ]", "[%-*.*s]", 4, 2, "abc");
	EXPECT("\\xc3", "%.1s", "\xc3\xbc"); /* cut within a character */
	EXPECT("x\\x07", "x%c", 7);
	const char *volatile none = NULL; /* a compiler that knows warns */
	EXPECT("(null)", "%s", none);
}

/* As printf() prints them. */
#define ALIKE(...)                                                                                 \
	do {                                                                                       \
		XS_AUTO_FREE char *expected = xs_asprintf(__VA_ARGS__);                            \
		EXPECT(expected, __VA_ARGS__);                                                     \
	} while (0)

static void all_else_is_as_printf_has_it(void **state)
{
	(void)state;
	ALIKE("100 %%");
	ALIKE("%d %i %5d %-5d| %05d %+d", -1, INT32_MIN, 42, 42, -42, 42);
	ALIKE("%u %7u %-7u| %07u", 0U, 42U, 42U, UINT32_MAX);
	ALIKE("%x %#x %8x %02x %X", 255U, 255U, 255U, 5U, 255U);
	ALIKE("%" PRIu64 " %7" PRIu64 " %" PRIx64 " %016" PRIx64, UINT64_MAX, (uint64_t)7,
		UINT64_MAX, (uint64_t)0xabc);
	ALIKE("%" PRId64 " %ld %lld %zu %zd %ju %td", INT64_MIN, -5L, -6LL, (size_t)7, (ssize_t)-8,
		(uintmax_t)9, (ptrdiff_t)-10);
	ALIKE("%hu %hhu %hx", (unsigned short)65535, (unsigned char)255, (unsigned short)7);
	ALIKE("%f %.3f %9.3f %.0f %g", 1.5, 2.0 / 3, 1.0, 0.5, 1e100);
	ALIKE("%c%c %5c|%-5c|", 'a', 'b', 'c', 'd');
	ALIKE("%*d %-*d|", 5, 1, 5, 2);
	ALIKE("%p", (void *)0x1234);
	ALIKE("%s and %s", "one", "two");
}

static void long_texts_are_whole(void **state)
{
	(void)state;
	char text[10001];
	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = 0;
	XS_AUTO_FREE char *all = formatted("<%s|%-10010s>", text, text);
	assert_int_equal(strlen(all), 3 + 10000 + 10010);
	memset(text, 1, sizeof text - 1);
	XS_AUTO_FREE char *escaped = xs_shown_text(text);
	assert_int_equal(strlen(escaped), 4 * 10000);
}

static void a_line_of_source_keeps_its_tabs(void **state)
{
	(void)state;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	xs_shown_lines(out, "| ", "\tif\033 (x)\r\n\nend");
	fclose(out);
	assert_string_equal(text, "| \tif\\x1b (x)\\r\n| \n| end\n");
	free(text);
}

/* Whether no byte of it is one that a terminal obeys; `kept` may stay. */
static bool is_clean(const char *text, const char *kept)
{
	size_t size = strlen(text);
	for (size_t at = 0; at < size; at++) {
		at += xs_shown_plain(text + at, size - at);
		if (at < size && !strchr(kept, text[at]))
			return false;
	}
	return true;
}

static void whatever_the_bytes_are_nothing_gets_through(void **state)
{
	(void)state;
	static const char *const parts[] = {"\033[2J", "\x9b", "\xc2\x9b",
		"\xe2\x80\xae\xe2\x80\xac", "\n", "\xe2", "\x80", "a", "`", "```", "<", "|",
		"\xf0\x9f\x98\x80", "\\", "\t", "\xed\xa0"};
	uint64_t seed = 1;
	for (unsigned round = 0; round < 20000; round++) {
		char text[200] = "";
		for (unsigned i = 0; i < 12; i++) {
			seed = seed * 6364136223846793005U + 1442695040888963407U;
			unsigned what = (unsigned)(seed >> 40) & 31;
			char byte[2] = {(char)((seed >> 50 & 255) | 1), 0};
			strcat(text, what < 16 ? parts[what] : byte);
		}
		XS_AUTO_FREE char *shown = xs_shown_text(text);
		XS_AUTO_FREE char *words = printed(xs_markdown_text, text);
		XS_AUTO_FREE char *code = printed(xs_markdown_code, text);
		XS_AUTO_FREE char *block = printed(xs_markdown_block, text);
		XS_AUTO_FREE char *word = xs_quote_paste(text);
		assert_true(is_clean(word, "")); /* printed, it is still the word to paste */
		assert_true(is_clean(shown, ""));
		assert_true(is_clean(words, "") && !strpbrk(words, "<>"));
		assert_true(is_clean(code, ""));
		assert_true(is_clean(block, "\n\t"));
	}
}

static void a_sentence_makes_no_markup(void **state)
{
	(void)state;
	static const struct case_of cases[] = {
		{"x is 5 (not 6), at f.c:3", "x is 5 (not 6), at f.c:3"},
		{"<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"},
		{"&lt;", "&amp;lt;"},
		{"![x](y)", "![x\\](y)"},
		{"a|b", "a\\|b"},
		{"`a` *b* _c_ ~d~", "\\`a\\` \\*b\\* \\_c\\_ \\~d\\~"},
		{"\\<b>", "\\\\&lt;b&gt;"},
		{"# head", "\\# head"},
		{"    code", "code"},
		{"12. item", "12\\. item"},
		{"- item", "\\- item"},
		{"---", "\\---"},
		{"0.1.0", "0.1.0"},
		{"-5", "-5"},
		{"a@b.c @d x@entry", "a`@`b.c `@`d x@entry"},
		{"http://a.b", "http&#58;//a.b"},
		{"WWW.a.b", "&#87;WW.a.b"},
		{"a\n\n<b>", "a\\n\\n&lt;b&gt;"},
		{"\033[m", "\\x1b[m"},
		{"DW_OP_entry_value of x_ and a[0]", "DW_OP_entry_value of x\\_ and a[0\\]"},
		{"[x][y]: a[0] \\", "[x\\][y\\]: a[0] \\\\"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		XS_AUTO_FREE char *have = printed(xs_markdown_text, cases[i].text);
		assert_string_equal(have, cases[i].shown);
	}
}

static void nothing_ends_the_code_that_it_is_in(void **state)
{
	(void)state;
	static const struct case_of spans[] = {
		{"", ""},
		{"a", "`a`"},
		{"a`b", "``a`b``"},
		{"`", "`` ` ``"},
		{"a``b```", "```` a``b``` ````"},
		{" a ", "`  a  `"},
		{"  ", "`  `"},
		{"a\n\nb", "`a\\n\\nb`"},
		{"<i>|", "`<i>|`"},
	};
	for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
		XS_AUTO_FREE char *have = printed(xs_markdown_code, spans[i].text);
		assert_string_equal(have, spans[i].shown);
	}
	XS_AUTO_FREE char *cell = printed(xs_markdown_cell, "a|b");
	assert_string_equal(cell, "`a\\|b`");
	XS_AUTO_FREE char *block = printed(xs_markdown_block, "a\n```\n<b>\n````x\033");
	assert_string_equal(block, "`````\na\n```\n<b>\n````x\\x1b\n`````\n");
	XS_AUTO_FREE char *empty = printed(xs_markdown_block, "");
	assert_string_equal(empty, "```\n```\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_terminal_obeys_is_escaped),
		cmocka_unit_test(formats_are_ours_and_strings_are_not),
		cmocka_unit_test(all_else_is_as_printf_has_it),
		cmocka_unit_test(long_texts_are_whole),
		cmocka_unit_test(a_line_of_source_keeps_its_tabs),
		cmocka_unit_test(whatever_the_bytes_are_nothing_gets_through),
		cmocka_unit_test(a_sentence_makes_no_markup),
		cmocka_unit_test(nothing_ends_the_code_that_it_is_in),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
