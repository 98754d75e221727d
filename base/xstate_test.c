/* xstate_test.c - XSAVE areas as processors write them, and what they mean. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/xstate.h"

static uint8_t area[2696];

/* An area with byte i of component c being c * 16 + i mod 16, all in the given use. */
static void fill(uint64_t room, uint64_t used, const struct xs_xsave_layout *layout)
{
	static const size_t sizes[8] = {[2] = 256, [5] = 64, [6] = 512, [7] = 1024};
	memset(area, 0, sizeof area);
	for (size_t i = 0; i < 464; i++)
		area[i] = (uint8_t)(i < 160 ? i : 0x10 + i % 16);
	memcpy(area + 464, &room, 8);
	memcpy(area + 512, &used, 8);
	for (size_t c = 2; c < 8; c++)
		for (size_t i = 0; layout->offset[c] && i < sizes[c]; i++)
			area[layout->offset[c] + i] = (uint8_t)(c * 16 + i % 16);
}

static void what_is_in_use_is_decoded(void **state)
{
	(void)state;
	struct xs_xsave_layout layout = xs_xsave_layout_of_size(832);
	struct xs_xstate x;
	fill(7, 7, &layout);
	assert_true(xs_xstate_decode(&x, area, 832, &layout));
	assert_int_equal(x.vectors, 16);
	assert_int_equal(x.vector_size, 32);
	assert_int_equal(x.fctrl, 0x0100);
	assert_int_equal(x.fstat, 0x0302);
	assert_int_equal(x.mxcsr, 0x1b1a1918);
	for (size_t i = 0; i < 16; i++) {
		assert_int_equal(x.vector[i][3], 0x13);
		assert_int_equal(x.vector[i][16 + 3], 0x23);
		assert_int_equal(x.vector[i][32 + 3], 0);
	}
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(x.st[i][9], 32 + 16 * i + 9);
}

static void what_is_not_in_use_has_its_initial_value(void **state)
{
	(void)state;
	struct xs_xsave_layout layout = xs_xsave_layout_of_size(832);
	struct xs_xstate x;
	static const uint8_t zero[64];
	fill(7, 0, &layout);
	assert_true(xs_xstate_decode(&x, area, 832, &layout));
	assert_int_equal(x.fctrl, 0x37f);
	assert_int_equal(x.mxcsr, 0x1f80);
	assert_int_equal(x.vector_size, 32);
	assert_memory_equal(x.vector[5], zero, 64);
	assert_memory_equal(x.st[5], zero, 10);
	fill(7, 4, &layout);
	assert_true(xs_xstate_decode(&x, area, 832, &layout));
	assert_memory_equal(x.vector[5], zero, 16);
	assert_int_equal(x.vector[5][16], 0x20);
}

static void avx512_of_both_makers(void **state)
{
	(void)state;
	static const size_t sizes[] = {2688, 2696, 2432, 2440};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct xs_xsave_layout layout = xs_xsave_layout_of_size(sizes[i]);
		struct xs_xstate x;
		fill(0xe7, 0xe7, &layout);
		assert_true(xs_xstate_decode(&x, area, sizes[i], &layout));
		assert_int_equal(x.vectors, 32);
		assert_int_equal(x.vector_size, 64);
		assert_int_equal(x.vector[15][15], 0x1f);
		assert_int_equal(x.vector[15][31], 0x2f);
		assert_int_equal(x.vector[15][63], 0x6f);
		assert_int_equal(x.vector[16][0], 0x70);
		assert_int_equal(x.vector[31][63], 0x7f);
		assert_int_equal(x.mask[7] & 0xff, 0x58);
	}
}

static void short_areas(void **state)
{
	(void)state;
	struct xs_xsave_layout layout = xs_xsave_layout_of_size(2696);
	struct xs_xstate x;
	fill(0xe7, 0xe7, &layout);
	assert_false(xs_xstate_decode(&x, area, 511, &layout));
	assert_true(xs_xstate_decode(&x, area, 512, &layout));
	assert_int_equal(x.vector_size, 16);
	assert_int_equal(x.vector[3][3], 0x13);
	/* Cut inside ymm: what is not there is not read. */
	assert_true(xs_xstate_decode(&x, area, 600, &layout));
	assert_int_equal(x.vector[0][16], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_in_use_is_decoded),
		cmocka_unit_test(what_is_not_in_use_has_its_initial_value),
		cmocka_unit_test(avx512_of_both_makers),
		cmocka_unit_test(short_areas),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
