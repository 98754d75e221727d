/* bits_test.c - bits of an object, out of hand-made locations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "dwarf/leaf.h"
#include "dwarf/words.h"

/* --- a machine -------------------------------------------------------------------------------- */

/* Memory at 0x1000: byte n holds n, 128 of them. */
static struct xs_error *memory(
	void *arg, xs_addr address, void *ret, size_t size, struct di_answer *answer)
{
	uint8_t *bytes = ret;
	(void)arg;
	if (address == 0xdead)
		return xs_error_create("the process is gone");
	if (address < 0x1000 || address + size > 0x1080)
		di_answer_error(answer, DI_WHY_OTHER, .text = {"some reason"});
	else
		for (size_t i = 0; i < size; i++)
			bytes[i] = (uint8_t)(address - 0x1000 + i);
	return NULL;
}

/* RAX is 0x8877665544332211, RBX was not saved, XMM0 has 128 bits. */
static struct xs_error *reg(
	void *arg, uint64_t number, struct di_wide *ret, unsigned *bits, struct di_answer *answer)
{
	(void)arg;
	*bits = number == 17 ? 128 : 64;
	if (number == 3)
		di_answer_gone(answer, DI_WHY_OTHER, .text = {"not saved"});
	else if (number == 99)
		di_answer_error(answer, DI_WHY_OTHER, .text = {"no such register"});
	else
		*ret = (struct di_wide){.limb = {0x8877665544332211, number == 17 ? 5 : 0}};
	return NULL;
}

static const struct di_leaf_host host = {.reg = reg, .memory = memory};

static const uint8_t bytes[] = {1, 2, 3, 4};

static struct di_piece in_memory(uint64_t bits, uint64_t offset, xs_addr address)
{
	return (struct di_piece){.kind = DI_PIECE_MEMORY,
		.bit_size = bits,
		.bit_offset = offset,
		.address = address};
}

static struct di_piece in_register(uint64_t bits, uint64_t offset, uint64_t number)
{
	return (struct di_piece){
		.kind = DI_PIECE_REGISTER, .bit_size = bits, .bit_offset = offset, .reg = number};
}

static struct di_piece in_bytes(uint64_t bits, uint64_t offset)
{
	return (struct di_piece){.kind = DI_PIECE_BYTES,
		.bit_size = bits,
		.bit_offset = offset,
		.bytes = {.data = bytes, .size = sizeof bytes}};
}

static struct di_piece of_value(uint64_t bits, uint64_t value, unsigned width)
{
	struct di_base type = di_base_generic(8);
	if (width != 64)
		type = (struct di_base){
			.kind = DI_BASE_SIGNED, .bits = width, .bytes = (width + 7) / 8};
	return (struct di_piece){.kind = DI_PIECE_VALUE,
		.bit_size = bits,
		.value = di_value_make(&type, di_wide_from_u(value))};
}

static struct di_piece empty(uint64_t bits)
{
	return (struct di_piece){.kind = DI_PIECE_EMPTY, .bit_size = bits};
}

/* --- asking ----------------------------------------------------------------------------------- */

static struct di_location location;
static struct di_wide result;
static struct di_answer answer;

static void single(struct di_piece piece)
{
	di_location_memory(0, &location);
	location.piece[0] = piece;
}

static void composite(size_t count, const struct di_piece *pieces)
{
	di_location_memory(0, &location);
	location.composite = true;
	location.count = count;
	memcpy(location.piece, pieces, count * sizeof *pieces);
}

static void ask(uint64_t offset, unsigned size)
{
	assert_null(di_location_bits(&host, &location, offset, size, &result, &answer));
}

static void expect(uint64_t offset, unsigned size, uint64_t low)
{
	ask(offset, size);
	assert_string_equal(di_answer_text(&answer, (char[DI_WORDS]){0}), "");
	assert_int_equal(answer.state, DI_ANSWER_KNOWN);
	assert_true(di_wide_equal(result, di_wide_from_u(low)));
}

static void expect_none(
	uint64_t offset, unsigned size, enum di_answer_state state, const char *reason)
{
	ask(offset, size);
	assert_int_equal(answer.state, state);
	assert_string_equal(di_answer_text(&answer, (char[DI_WORDS]){0}), reason);
}

/* --- tests ------------------------------------------------------------------------------------ */

static void one_place_holds_everything(void **state)
{
	(void)state;
	single(in_memory(0, 0, 0x1010));
	expect(0, 32, 0x13121110);
	expect(8, 16, 0x1211);
	expect(4, 8, 0x11);
	expect(3, 5, 0x02);
	expect(0, 0, 0);
	single(in_register(0, 0, 0));
	expect(0, 64, 0x8877665544332211);
	expect(8, 8, 0x22);
	single(in_register(0, 0, 17));
	expect(64, 64, 5);
	single(in_bytes(0, 0));
	expect(0, 32, 0x04030201);
	expect(12, 8, 0x30);
	expect(31, 1, 0);
}

static void wide_objects_need_not_begin_with_a_byte(void **state)
{
	(void)state;
	single(in_memory(0, 0, 0x1000));
	ask(4, 512); /* 65 bytes */
	assert_int_equal(answer.state, DI_ANSWER_KNOWN);
	assert_int_equal(result.limb[0], 0x8070605040302010);
	assert_int_equal(result.limb[7] >> 60, 0); /* low half of byte 64 = 0x40 */
	ask(1, 512);
	assert_int_equal(result.limb[7] >> 56, 0x3f >> 1);
	ask(8, 512);
	assert_int_equal(result.limb[7] >> 56, 0x40);
}

static void a_stack_value_gives_its_low_bits(void **state)
{
	(void)state;
	single(of_value(0, 0xfffffffffffffffe, 64));
	expect(0, 8, 0xfe);
	expect(0, 64, 0xfffffffffffffffe);
	expect(32, 32, 0xffffffff);
	expect_none(0, 128, DI_ANSWER_ERROR,
		"the value has 64 bits, bits 0 to 127 of it are asked for");
	single(of_value(0, 0x1ff, 9));
	expect(0, 9, 0x1ff);
	expect_none(
		0, 16, DI_ANSWER_ERROR, "the value has 9 bits, bits 0 to 15 of it are asked for");
}

static void what_is_too_small_is_an_error(void **state)
{
	(void)state;
	single(in_register(0, 0, 0));
	expect_none(0, 128, DI_ANSWER_ERROR,
		"register RAX has 64 bits, bits 0 to 127 of it are asked for");
	expect_none(64, 8, DI_ANSWER_ERROR,
		"register RAX has 64 bits, bits 64 to 71 of it are asked for");
	single(in_bytes(0, 0));
	expect_none(0, 64, DI_ANSWER_ERROR,
		"the implicit value has 4 bytes, bits 0 to 63 of it are asked for");
	expect_none(32, 8, DI_ANSWER_ERROR,
		"the implicit value has 4 bytes, bits 32 to 39 of it are asked for");
}

static void what_cannot_be_had_says_why(void **state)
{
	struct xs_error *err;
	(void)state;
	single(in_memory(0, 0, 0x2000));
	expect_none(0, 32, DI_ANSWER_ERROR, "cannot read memory at 0x2000");
	single(in_memory(0, 0, 0x1070));
	expect_none(64, 128, DI_ANSWER_ERROR, "cannot read memory at 0x1078");
	single(in_memory(0, 0, 0xdead));
	err = di_location_bits(&host, &location, 0, 8, &result, &answer);
	assert_non_null(err);
	xs_error_destroy(err);
	single(in_register(0, 0, 3));
	expect_none(0, 8, DI_ANSWER_OPTIMIZED_OUT, "not saved");
	single(in_register(0, 0, 99));
	expect_none(0, 8, DI_ANSWER_ERROR, "no such register");
	single((struct di_piece){.kind = DI_PIECE_POINTER});
	expect_none(0, 64, DI_ANSWER_ERROR, "an implicit pointer has no bits");
	single(empty(0));
	expect_none(0, 8, DI_ANSWER_OPTIMIZED_OUT, "an empty piece");
	di_answer_error(&location.answer, DI_WHY_OTHER, .text = {"malformed"});
	expect_none(0, 8, DI_ANSWER_ERROR, "malformed");
}

static void pieces_are_put_together(void **state)
{
	const struct di_piece pieces[] = {in_memory(16, 0, 0x1010), in_register(16, 0, 0),
		in_bytes(8, 0), of_value(24, 0xabcdef, 64)};
	(void)state;
	composite(4, pieces);
	expect(0, 64, 0xabcdef0122111110);
	expect(8, 16, 0x1111);
	expect(12, 8, 0x11);
	expect(36, 8, 0xf0);
	expect(40, 24, 0xabcdef);
	ask(0, 65);
	assert_int_equal(answer.state, DI_ANSWER_OPTIMIZED_OUT);
}

static void bit_pieces_begin_anywhere(void **state)
{
	/* 3 bits from bit 4 of RAX (0x11 -> 001), 7 from bit 5 of 0x1011 (0x1211 -> 0010000),
	 * 6 from bit 12 of the bytes (0x0201.. -> 110000). */
	const struct di_piece pieces[] = {
		in_register(3, 4, 0), in_memory(7, 5, 0x1011), in_bytes(6, 12)};
	(void)state;
	composite(3, pieces);
	expect(0, 3, 1);
	expect(3, 7, 0x1211 >> 5 & 0x7f);
	expect(10, 6, 0x030201 >> 12 & 0x3f);
	expect(0, 16, 1 | (0x1211 >> 5 & 0x7f) << 3 | (0x030201 >> 12 & 0x3f) << 10);
	expect(2, 4, (1 >> 2) | (0x1211 >> 5 & 0x7) << 1);
}

static void gaps_take_only_what_lies_in_them(void **state)
{
	const struct di_piece pieces[] = {
		in_register(32, 0, 0), empty(32), in_register(32, 0, 3), in_register(32, 32, 0)};
	(void)state;
	composite(4, pieces);
	expect(0, 32, 0x44332211);
	expect_none(32, 32, DI_ANSWER_OPTIMIZED_OUT, "an empty piece");
	expect_none(0, 33, DI_ANSWER_OPTIMIZED_OUT, "an empty piece");
	expect_none(64, 8, DI_ANSWER_OPTIMIZED_OUT, "not saved");
	expect(96, 32, 0x88776655);
	expect_none(128, 8, DI_ANSWER_OPTIMIZED_OUT, "no piece describes it");
	expect_none(120, 16, DI_ANSWER_OPTIMIZED_OUT, "no piece describes it");
	/* The reason that the evaluator left is better than ours. */
	location.answer.why = (struct di_why){.code = DI_WHY_OTHER, .text = {"no call site"}};
	expect_none(40, 8, DI_ANSWER_OPTIMIZED_OUT, "no call site");
}

static void sizes_past_all_sense_do_no_harm(void **state)
{
	const struct di_piece pieces[] = {
		in_memory(UINT64_MAX, UINT64_MAX, 0x1000), in_register(8, UINT64_MAX, 0)};
	(void)state;
	composite(2, pieces);
	ask(0, 512);
	assert_int_not_equal(answer.state, DI_ANSWER_KNOWN);
	ask(UINT64_MAX, 8);
	assert_int_not_equal(answer.state, DI_ANSWER_KNOWN);
	composite(1, &pieces[1]);
	ask(0, 8);
	assert_int_equal(answer.state, DI_ANSWER_ERROR);
	single(in_bytes(0, UINT64_MAX));
	ask(0, 8);
	assert_int_equal(answer.state, DI_ANSWER_ERROR);
}

static void a_pointer_is_found_only_whole(void **state)
{
	const struct di_piece pieces[] = {in_register(64, 0, 0),
		{.kind = DI_PIECE_POINTER, .bit_size = 64, .pointer = {.die = 7, .offset = 4}},
		{.kind = DI_PIECE_POINTER, .bit_size = 32}};
	(void)state;
	composite(3, pieces);
	assert_null(di_location_pointer(&location, 0, 64));
	assert_ptr_equal(di_location_pointer(&location, 64, 64), &location.piece[1]);
	assert_null(di_location_pointer(&location, 72, 8));
	assert_null(di_location_pointer(&location, 128, 64));
	assert_null(di_location_pointer(&location, 160, 64));
	expect_none(64, 64, DI_ANSWER_ERROR, "an implicit pointer has no bits");
}

static void addresses_are_those_of_memory(void **state)
{
	const struct di_piece pieces[] = {in_register(64, 0, 0), in_memory(64, 4, 0x1000)};
	xs_addr address = 0;
	(void)state;
	composite(2, pieces);
	assert_false(di_location_address(&location, 0, &address));
	assert_true(di_location_address(&location, 64 + 12, &address));
	assert_int_equal(address, 0x1002);
	assert_false(di_location_address(&location, 128, &address));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_place_holds_everything),
		cmocka_unit_test(wide_objects_need_not_begin_with_a_byte),
		cmocka_unit_test(a_stack_value_gives_its_low_bits),
		cmocka_unit_test(what_is_too_small_is_an_error),
		cmocka_unit_test(what_cannot_be_had_says_why),
		cmocka_unit_test(pieces_are_put_together),
		cmocka_unit_test(bit_pieces_begin_anywhere),
		cmocka_unit_test(gaps_take_only_what_lies_in_them),
		cmocka_unit_test(sizes_past_all_sense_do_no_harm),
		cmocka_unit_test(a_pointer_is_found_only_whole),
		cmocka_unit_test(addresses_are_those_of_memory),
	};
	return cmocka_run_group_tests_name("bits", tests, NULL, NULL);
}
