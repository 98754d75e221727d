/* dwp_test.c - indexes of packages, byte by byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "dwarf/dwp.h"

struct bytes {
	uint8_t data[512];
	size_t size;
};

static void put(struct bytes *bytes, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		bytes->data[bytes->size++] = (uint8_t)(value >> (8 * i));
}

/* Two units, four slots, three columns: INFO, ABBREV, LOC. */
static struct bytes make(unsigned version)
{
	static const uint64_t header[] = {3, 2, 4};
	static const uint64_t ids[] = {0, UINT64_C(0x1122334455667701), 0xab02, 0};
	static const uint64_t rows[] = {0, 2, 1, 0};
	static const uint64_t table[] = {1, 3, 5, /* offsets: */ 0, 0, 0, 100, 20, 7,
		/* sizes: */ 100, 20, 7, 50, 30, 0};
	struct bytes bytes = {.size = 0};
	put(&bytes, version, 4);
	for (size_t i = 0; i < 3; i++)
		put(&bytes, header[i], 4);
	for (size_t i = 0; i < 4; i++)
		put(&bytes, ids[i], 8);
	for (size_t i = 0; i < 4; i++)
		put(&bytes, rows[i], 4);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		put(&bytes, table[i], 4);
	return bytes;
}

static struct xs_error *read_all(const struct bytes *bytes, size_t size, struct di_dwp_index *ret)
{
	return di_dwp_index_read(di_cursor_over(".debug_cu_index", bytes->data, size), ret);
}

static void expect_part(const struct di_dwp_index *index, uint64_t id, unsigned section,
	uint64_t wanted_offset, uint64_t wanted_size)
{
	uint64_t offset, size;
	assert_true(di_dwp_part(index, id, section, &offset, &size));
	assert_int_equal(offset, wanted_offset);
	assert_int_equal(size, wanted_size);
}

static void test_parts(void **state)
{
	(void)state;
	for (unsigned version = 2; version <= 5; version += 3) {
		struct bytes bytes = make(version);
		struct di_dwp_index index;
		uint64_t offset, size;
		assert_null(read_all(&bytes, bytes.size, &index));
		assert_int_equal(index.version, version);
		expect_part(&index, 0xab02, 1, 0, 100);
		expect_part(&index, 0xab02, 5, 0, 7);
		expect_part(&index, UINT64_C(0x1122334455667701), 1, 100, 50);
		expect_part(&index, UINT64_C(0x1122334455667701), 3, 20, 30);
		expect_part(&index, UINT64_C(0x1122334455667701), 5, 7, 0);
		assert_false(di_dwp_part(&index, 0xab02, 4, &offset, &size));
		assert_false(di_dwp_part(&index, 0xab03, 1, &offset, &size));
		assert_false(di_dwp_part(&index, 0, 1, &offset, &size));
		di_dwp_index_deinit(&index);
	}
}

static void test_cut_short(void **state)
{
	struct bytes bytes = make(5);
	(void)state;
	for (size_t size = 1; size < bytes.size; size++) {
		struct di_dwp_index index;
		XS_AUTO(xs_error) err = read_all(&bytes, size, &index);
		assert_non_null(err);
		assert_non_null(strstr(err->message, ".debug_cu_index+0x"));
		di_dwp_index_deinit(&index);
	}
}

static void expect_refused(const struct bytes *bytes, const char *says)
{
	struct di_dwp_index index;
	XS_AUTO(xs_error) err = read_all(bytes, bytes->size, &index);
	assert_non_null(err);
	assert_non_null(strstr(err->message, says));
	di_dwp_index_deinit(&index);
}

static void test_nonsense(void **state)
{
	struct bytes bytes = make(3);
	struct di_dwp_index index;
	(void)state;
	expect_refused(&bytes, "version 3 of the index is not known");
	bytes = make(5);
	bytes.data[4] = 9;
	expect_refused(&bytes, "9 columns");
	bytes = make(5);
	memset(bytes.data + 12, 0xff, 4); /* slots */
	expect_refused(&bytes, "expected");
	bytes = make(5);
	memset(bytes.data + 8, 0xff, 4); /* rows */
	expect_refused(&bytes, "expected");
	/* A row that there is not: the slot is empty. */
	bytes = make(5);
	bytes.data[16 + 4 * 8 + 4] = 3;
	uint64_t offset, size;
	assert_null(read_all(&bytes, bytes.size, &index));
	assert_false(di_dwp_part(&index, UINT64_C(0x1122334455667701), 1, &offset, &size));
	di_dwp_index_deinit(&index);
}

static void test_none(void **state)
{
	struct bytes bytes = {.size = 0};
	struct di_dwp_index index;
	(void)state;
	assert_null(read_all(&bytes, 0, &index));
	assert_int_equal(index.version, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_cut_short),
		cmocka_unit_test(test_nonsense),
		cmocka_unit_test(test_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
