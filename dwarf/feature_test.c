/* feature_test.c - which features the bytes of an expression have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dwarf.h>

#include "dwarf/feature.h"
#include "dwarf/op.h"

static const struct di_expr_unit unit = {.version = 5, .address_size = 8, .offset_size = 4};

#define F(feature) (1ULL << DI_FEATURE_##feature)

static const struct {
	const char *name;
	uint8_t bytes[16];
	size_t size;
	uint64_t object_bits;
	uint64_t expected;
} cases[] = {
	{"a place in memory", {DW_OP_fbreg, 0x10}, 2, 32, 0},
	{"nothing", {0}, 0, 32, F(NO_LOCATION)},
	{"a register that calls clobber", {DW_OP_reg5}, 1, 32, F(REGISTER)},
	{"one that they preserve", {DW_OP_reg3}, 1, 32, 0},
	{"signed division", {DW_OP_lit8, DW_OP_lit2, DW_OP_div, DW_OP_stack_value}, 4, 32,
		F(DIV) | F(STACK_VALUE)},
	{"deref_size", {DW_OP_breg3, 0, DW_OP_deref_size, 4, DW_OP_stack_value}, 5, 32,
		F(DEREF_SIZE) | F(STACK_VALUE)},
	{"an entry value", {DW_OP_entry_value, 1, DW_OP_reg5, DW_OP_stack_value}, 4, 32,
		F(ENTRY_VALUE) | F(STACK_VALUE) | F(REGISTER)},
	{"pieces with a gap", {DW_OP_reg3, DW_OP_piece, 4, DW_OP_piece, 4}, 5, 64,
		F(PIECE) | F(PIECE_GAP)},
	{"pieces that end too soon", {DW_OP_reg3, DW_OP_piece, 4}, 3, 64,
		F(PIECE) | F(PIECES_SHORT)},
	{"a value that ends too soon", {DW_OP_breg3, 0, DW_OP_deref, DW_OP_stack_value}, 4, 192,
		F(STACK_VALUE) | F(VALUE_SHORT)},
	{"bits", {DW_OP_reg3, DW_OP_bit_piece, 3, 0, DW_OP_bit_piece, 29, 0}, 7, 32,
		F(BIT_PIECE) | F(PIECE_GAP)},
	{"an implicit pointer", {DW_OP_implicit_pointer, 1, 0, 0, 0, 0}, 6, 64,
		F(IMPLICIT_POINTER)},
	{"a constant in place", {DW_OP_implicit_value, 2, 1, 0}, 4, 16, F(IMPLICIT_VALUE)},
	{"an operator cut short", {DW_OP_const4u, 1}, 2, 32, F(BAD)},
	{"a call", {DW_OP_call4, 0, 0, 0, 0}, 5, 32, F(CALL)},
};

static void features_of_expressions(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint64_t set = di_features_of_expr(
			&unit, cases[i].bytes, cases[i].size, cases[i].object_bits, NULL, NULL);
		if (set != cases[i].expected)
			fail_msg("%s: %llx and not %llx", cases[i].name, (unsigned long long)set,
				(unsigned long long)cases[i].expected);
	}
}

static void every_feature_has_a_name(void **state)
{
	(void)state;
	for (unsigned i = 0; i < DI_FEATURE_COUNT; i++) {
		assert_non_null(di_feature_text(i));
		for (unsigned k = 0; k < i; k++)
			assert_string_not_equal(di_feature_text(i), di_feature_text(k));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(features_of_expressions),
		cmocka_unit_test(every_feature_has_a_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
