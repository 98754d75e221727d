/* cursor_test.c - reading numbers from bytes that may end too early. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "dwarf/cursor.h"

static void numbers_are_little_endian(void **state)
{
	(void)state;
	static const uint8_t bytes[] = {
		0x01, 0x34, 0x12, 0xff, 0xfe, 0xff, 1, 2, 3, 4, 5, 6, 7, 0x88};
	struct di_cursor cursor = di_cursor_over(".x", bytes, sizeof bytes);
	assert_int_equal(di_cursor_u(&cursor, 1), 1);
	assert_int_equal(di_cursor_u(&cursor, 2), 0x1234);
	assert_int_equal(di_cursor_s(&cursor, 1), -1);
	assert_int_equal(di_cursor_s(&cursor, 2), -2);
	assert_true(di_cursor_u(&cursor, 8) == 0x8807060504030201u);
	assert_null(di_cursor_error(&cursor));
}

static void leb128_in_every_length(void **state)
{
	(void)state;
	static const struct {
		uint8_t bytes[12];
		uint8_t size;
		uint64_t u;
		int64_t s;
	} cases[] = {
		{{0x00}, 1, 0, 0},
		{{0x3f}, 1, 63, 63},
		{{0x40}, 1, 64, -64},
		{{0x7f}, 1, 127, -1},
		{{0x80, 0x01}, 2, 128, 128},
		{{0xff, 0x7e}, 2, 0x3f7f, -129},
		{{0x80, 0x80, 0x00}, 3, 0, 0}, /* padded: same value */
		{{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, 10, UINT64_MAX, -1},
		{{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f}, 10,
			UINT64_C(1) << 63, INT64_MIN},
		{{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00}, 11, 0, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct di_cursor cursor = di_cursor_over(".x", cases[i].bytes, cases[i].size);
		assert_true(di_cursor_uleb(&cursor) == cases[i].u);
		assert_int_equal(di_cursor_left(&cursor), 0);
		cursor = di_cursor_over(".x", cases[i].bytes, cases[i].size);
		assert_true(di_cursor_sleb(&cursor) == cases[i].s);
	}
}

static void a_read_past_the_end_is_refused_and_named(void **state)
{
	(void)state;
	static const uint8_t bytes[] = {1, 2, 3, 0x80};
	struct di_cursor cursor = di_cursor_over(".debug_line", bytes, sizeof bytes);
	assert_int_equal(di_cursor_u(&cursor, 2), 0x0201);
	assert_int_equal(di_cursor_u(&cursor, 4), 0);
	assert_int_equal(di_cursor_offset(&cursor), 2);
	assert_int_equal(di_cursor_u(&cursor, 1), 0); /* failed once, failed for good */
	XS_AUTO(xs_error) err = di_cursor_error(&cursor);
	assert_string_equal(err->message, ".debug_line+0x2: expected 4 bytes, have 2");

	cursor = di_cursor_over(".x", bytes + 3, 1); /* a LEB128 that never ends */
	assert_int_equal(di_cursor_uleb(&cursor), 0);
	assert_true(cursor.failed);
	cursor = di_cursor_over(".x", bytes, 3); /* a string that never ends */
	assert_string_equal(di_cursor_string(&cursor), "");
	assert_true(cursor.failed);
	cursor = di_cursor_over(".x", NULL, 0); /* a section that is not there */
	di_cursor_bytes(&cursor, 0);
	assert_false(cursor.failed);
	assert_string_equal(di_cursor_string(&cursor), "");
	assert_true(cursor.failed);
	cursor = di_cursor_over(".x", bytes, 4);
	assert_null(di_cursor_bytes(&cursor, UINT64_MAX));
	assert_true(cursor.failed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_little_endian),
		cmocka_unit_test(leb128_in_every_length),
		cmocka_unit_test(a_read_past_the_end_is_refused_and_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
