/* mistake_test.c - mistakes made on purpose: what the evaluator and the reading of bits come to
 * with each, and without. Those of scopes, lists, call sites and frames are in cli/replay_test.py,
 * against the debuggers that make them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dwarf.h>

#include "dwarf/expr_fake.h"
#include "dwarf/leaf.h"
#include "dwarf/words.h"

#define M(name) DI_MISTAKE_##name
#define X(...)  (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})

static const struct row {
	enum di_mistake mistake;
	const uint8_t *bytes;
	size_t size;
	const char *right, *wrong; /* without the mistake, and with it */
} rows[] = {
	/* lldb: a literal is signed, a register is not, and two operands are unsigned if one is. */
	{M(LLDB_DIV), X(DW_OP_breg0, 0, DW_OP_lit2, DW_OP_div, DW_OP_stack_value),
		"value 0xffffffffffffffff", "value 9223372036854775807 (unsigned 64)"},
	{M(LLDB_DIV), X(DW_OP_const1s, 0xfa, DW_OP_lit2, DW_OP_div, DW_OP_stack_value),
		"value 0xfffffffffffffffd", "value -3 (signed 64)"},
	{M(LLDB_DEREF_SIZE),
		X(DW_OP_breg5, 0, DW_OP_deref_size, 1, DW_OP_lit2, DW_OP_neg, DW_OP_div,
			DW_OP_stack_value),
		"value 0xffffffffffffff88", "value 0 (unsigned 64)"},
	{M(LLDB_DEREF_SIZE), X(DW_OP_breg5, 0, DW_OP_deref_size, 16, DW_OP_stack_value),
		"error: DW_OP_deref_size 16 at +0x2: the generic type has 8 bytes",
		"value 0 (unsigned 64)"},
	{M(LLDB_ARITHMETIC), X(DW_OP_const1s, 0xf9, DW_OP_lit10, DW_OP_mod, DW_OP_stack_value),
		"value 0x9", "value -7 (signed 64)"},
	{M(LLDB_ARITHMETIC), X(DW_OP_breg0, 0, DW_OP_lit10, DW_OP_mod, DW_OP_stack_value),
		"value 0x4", "value 4 (unsigned 64)"},
	{M(LLDB_ARITHMETIC), X(DW_OP_breg0, 0, DW_OP_lit0, DW_OP_lt, DW_OP_stack_value),
		"value 0x1", "value 0 (signed 32)"},
	{M(LLDB_ARITHMETIC), X(DW_OP_breg0, 0, DW_OP_abs, DW_OP_stack_value), "value 0x2",
		"value 18446744073709551614 (unsigned 64)"},
	{M(LLDB_ARITHMETIC), X(DW_OP_lit1, DW_OP_lit0, DW_OP_mod, DW_OP_stack_value),
		"error: DW_OP_mod at +0x2: division by zero",
		"error: DW_OP_mod at +0x2: lldb does not do that"},
	{M(LLDB_ARITHMETIC),
		X(DW_OP_const1s, 0xff, DW_OP_const1u, 70, DW_OP_shr, DW_OP_stack_value),
		"value 0x0", "value 0 (signed 64)"},
	{M(LLDB_MIXED_TYPES),
		X(DW_OP_breg0, 0, DW_OP_convert, FAKE_U32, DW_OP_lit1, DW_OP_and,
			DW_OP_stack_value),
		"error: DW_OP_and at +0x5: operands are unsigned 32 and generic, not of one type",
		"value 0 (signed 64)"},
	{M(LLDB_MIXED_TYPES),
		X(DW_OP_lit31, DW_OP_neg, DW_OP_convert, FAKE_S32, DW_OP_convert, FAKE_U64,
			DW_OP_stack_value),
		"value 18446744073709551585 (unsigned 64)", "value 4294967265 (unsigned 64)"},

	/* Operators that are not there. */
	{M(LLDB_TYPED), X(DW_OP_const_type, FAKE_U8, 1, 7, DW_OP_stack_value),
		"value 7 (unsigned 8)",
		"error: DW_OP_const_type <0x102> 1: 07 at +0x0: lldb does not do that"},
	{M(LLDB_TYPED), X(DW_OP_lit1, DW_OP_convert, FAKE_U8, DW_OP_stack_value),
		"value 1 (unsigned 8)",
		"error: DW_OP_convert <0x102> at +0x1: lldb does not do that"},
	{M(LLDB_TYPED), X(DW_OP_lit1, DW_OP_convert, 0, DW_OP_stack_value), "value 0x1",
		"value 0x1"},
	{M(LLDB_CALL), X(DW_OP_call2, FAKE_CALL_LIT5, 0, DW_OP_stack_value), "value 0x5",
		"error: DW_OP_call2 <0x140> at +0x0: lldb does not do that"},
	{M(LLDB_GNU_OPERATOR),
		X(DW_OP_GNU_parameter_ref, FAKE_PARAMETER, 0, 0, 0, DW_OP_stack_value),
		"value -7 (signed 32)",
		"error: DW_OP_GNU_parameter_ref <0x148> at +0x0: lldb does not do that"},
	{M(LLDB_INDEXED), X(DW_OP_constx, 1, DW_OP_stack_value), "value 0x2a",
		"error: DW_OP_constx 1 at +0x0: lldb does not do that"},
	{M(LLDB_UNRELOCATED), X(DW_OP_addrx, 1, DW_OP_stack_value), "value 0x1002a", "value 0x2a"},
	{M(LLDB_FILE_ADDRESS), X(DW_OP_addr, 0x2a, 0, 0, 0, 0, 0, 0, 0, DW_OP_stack_value),
		"value 0x1002a", "value 0x2a"},
	{M(LLDB_FILE_ADDRESS),
		X(DW_OP_lit1, DW_OP_addr, 0x2a, 0, 0, 0, 0, 0, 0, 0, DW_OP_plus, DW_OP_stack_value),
		"value 0x1002b", "value 0x2b"},
	{M(LLDB_FILE_ADDRESS), X(DW_OP_addr, 0x2a, 0, 0, 0, 0, 0, 0, 0), "memory 0x1002a",
		"memory 0x1002a"},
	{M(LLDB_OPERATOR), X(DW_OP_constx, 1, DW_OP_stack_value), "value 0x2a",
		"error: DW_OP_constx 1 at +0x0: lldb does not do that"},
	{M(GDB_DISCARDED), X(DW_OP_addr, 0, 0, 0, 0, 0, 0, 0, 0),
		"optimized-out: the linker threw it away: its address is none", "memory 0x10000"},
	{M(LLDB_DISCARDED), X(DW_OP_addr, 0, 0, 0, 0, 0, 0, 0, 0),
		"optimized-out: the linker threw it away: its address is none", "memory 0x10000"},
	{M(LLDB_TLS), X(DW_OP_lit8, DW_OP_form_tls_address), "memory 0x9008",
		"error: DW_OP_form_tls_address at +0x1: lldb does not do that"},
	{M(LLDB_IMPLICIT_POINTER), X(DW_OP_implicit_pointer, 0x42, 0, 0, 0, 0), "pointer <0x42>+0",
		"error: DW_OP_implicit_pointer <0x42>+0 at +0x0: lldb does not do that"},
	{M(GDB_OPERATOR), X(DW_OP_constx, 1, DW_OP_stack_value), "value 0x2a",
		"error: DW_OP_constx 1 at +0x0: gdb does not do that"},

	/* gdb: the generic type is signed. */
	{M(GDB_MIXED_TYPES),
		X(DW_OP_lit1, DW_OP_convert, FAKE_S64, DW_OP_lit2, DW_OP_minus, DW_OP_stack_value),
		"error: DW_OP_minus at +0x4: operands are signed 64 and generic, not of one type",
		"value -1 (signed 64)"},
	{M(GDB_MIXED_TYPES),
		X(DW_OP_lit1, DW_OP_convert, FAKE_U64, DW_OP_lit2, DW_OP_minus, DW_OP_stack_value),
		"error: DW_OP_minus at +0x4: operands are unsigned 64 and generic, not of one type",
		"error: DW_OP_minus at +0x4: operands are unsigned 64 and generic, not of one "
		"type"},
	/* gdb: a number has 64 bits. */
	{M(GDB_WIDE),
		X(DW_OP_lit1, DW_OP_convert, FAKE_U128, DW_OP_lit1, DW_OP_convert, FAKE_U128,
			DW_OP_plus, DW_OP_stack_value),
		"value 2 (unsigned 128)", "error: DW_OP_plus at +0x6: gdb does not do that"},
	{M(GDB_WIDE), X(DW_OP_lit1, DW_OP_convert, FAKE_U64, DW_OP_stack_value),
		"value 1 (unsigned 64)", "value 1 (unsigned 64)"},
	{M(GDB_TYPED), X(DW_OP_lit1, DW_OP_convert, FAKE_S72, DW_OP_neg, DW_OP_stack_value),
		"value -1 (signed 72)", "error: DW_OP_neg at +0x3: gdb does not do that"},

	/* lldb: what DW_OP_bit_piece leaves on the stack becomes an address. */
	{M(LLDB_BIT_PIECE), X(DW_OP_reg5, DW_OP_bit_piece, 8, 8),
		"8 bits from bit 8 of register RDI", "memory 0x50"},
	{M(LLDB_BIT_PIECE), X(DW_OP_breg5, 0, DW_OP_bit_piece, 8, 0), "8 bits of memory 0x5000",
		"error: DW_OP_bit_piece 8 0 at +0x2: lldb does not do that"},
	/* A piece of bytes that are nowhere, and one that is lost. */
	{M(LLDB_PIECE), X(DW_OP_addrx, 0, DW_OP_piece, 1), "8 bits of memory 0x411000",
		"error: DW_OP_piece 1 at +0x2: lldb does not do that"},
	{M(LLDB_PIECE), X(DW_OP_addr, 0, 0x10, 0x40, 0, 0, 0, 0, 0, DW_OP_piece, 1),
		"8 bits of memory 0x411000", "8 bits of memory 0x411000"},
	{M(LLDB_PIECE), X(DW_OP_implicit_value, 1, 7, DW_OP_piece, 1), "8 bits of bytes 07",
		"error: DW_OP_piece 1 at +0x3: lldb does not do that"},
	{M(LLDB_PIECE), X(DW_OP_reg0, DW_OP_piece, 1, DW_OP_reg3, DW_OP_piece, 1),
		"8 bits of register RAX; 8 bits of register RBX",
		"optimized-out: DW_OP_reg3 RBX at +0x3: not saved"},
	{M(LLDB_PIECE), X(DW_OP_breg3, 0, DW_OP_piece, 1, DW_OP_reg0, DW_OP_piece, 1),
		"8 bits optimized out; 8 bits of register RAX",
		"optimized-out: DW_OP_breg3 RBX+0 at +0x0: not saved"},
};

static void evaluate(const struct row *row, enum di_mistake mistake, char *buf, size_t size)
{
	static struct di_location location;
	struct di_expr_request request = {
		.source = {.data = row->bytes, .size = row->size, .unit = &fake_unit},
		.host = &fake_host,
		.mistake = mistake};
	assert_null(di_expr_eval(&request, &location));
	di_location_text(&location, buf, size);
}

static void an_operator_with_and_without(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char right[300], wrong[300], op[300];
		const struct row *row = &rows[i];
		evaluate(row, DI_MISTAKE_NONE, right, sizeof right);
		evaluate(row, row->mistake, wrong, sizeof wrong);
		if (strcmp(right, row->right) != 0 || strcmp(wrong, row->wrong) != 0)
			fail_msg("%s\n\t%s: is %s, not %s\n\twithout: is %s, not %s",
				di_op_text_all(&fake_unit, row->bytes, row->size, op, sizeof op),
				di_mistake_text(row->mistake), wrong, row->wrong, right,
				row->right);
	}
}

/* Memory from 0x1000 on: 01 02 03 04 ... */
static struct xs_error *counting_memory(
	void *arg, xs_addr address, void *ret, size_t size, struct di_answer *answer)
{
	(void)arg, (void)answer;
	for (size_t i = 0; i < size; i++)
		((uint8_t *)ret)[i] = (uint8_t)(address - 0x1000 + i + 1);
	return NULL;
}

static struct di_wide bits_with(enum di_mistake mistake, const struct di_leaf_place *place,
	enum di_answer_state *state, enum di_why_code *why)
{
	struct di_leaf_host host = {.memory = counting_memory, .mistake = mistake};
	struct di_answer answer;
	struct di_wide ret;
	assert_null(di_leaf_mistaken(&host, place, &ret, &answer));
	*state = answer.state;
	*why = answer.why.code;
	return ret;
}

static void what_no_piece_describes(void **state)
{
	(void)state;
	enum di_answer_state known;
	enum di_why_code why;
	static struct di_location location = {.composite = true,
		.count = 2,
		.piece = {{.kind = DI_PIECE_MEMORY, .bit_size = 8, .address = 0x1000},
			{.kind = DI_PIECE_EMPTY, .bit_size = 8}}};
	struct di_type type = {
		.size = 1, .base = {.kind = DI_BASE_UNSIGNED, .bits = 8, .bytes = 1}};
	struct di_leaf_place gap = {&location, &type, 8, 8, UINT64_MAX, NULL};
	struct di_leaf_place behind = {&location, &type, 16, 8, UINT64_MAX, NULL};
	struct di_leaf_place half = {&location, &type, 8, 16, UINT64_MAX, NULL};
	bits_with(DI_MISTAKE_NONE, &gap, &known, &why);
	assert_int_equal(known, DI_ANSWER_OPTIMIZED_OUT);
	bits_with(DI_MISTAKE_LLDB_GAP_AS_0, &gap, &known, &why);
	assert_int_equal(known, DI_ANSWER_KNOWN);
	bits_with(DI_MISTAKE_GDB_BEHIND_PIECES, &gap, &known, &why);
	assert_int_equal(known, DI_ANSWER_OPTIMIZED_OUT);
	bits_with(DI_MISTAKE_GDB_BEHIND_PIECES, &behind, &known, &why);
	assert_int_equal(known, DI_ANSWER_KNOWN);
	bits_with(DI_MISTAKE_GDB_SYNTHETIC_POINTER, &gap, &known, &why);
	assert_int_equal(known, DI_ANSWER_OPTIMIZED_OUT);
	bits_with(DI_MISTAKE_GDB_SYNTHETIC_POINTER, &half, &known, &why);
	assert_int_equal(known, DI_ANSWER_OPTIMIZED_OUT);
	bits_with(DI_MISTAKE_GDB_SYNTHETIC_POINTER, &behind, &known, &why);
	assert_int_equal(known, DI_ANSWER_KNOWN);
	assert_int_equal(why, DI_WHY_MISTAKE);
}

static uint64_t field_with(
	enum di_mistake mistake, enum di_base_kind kind, uint64_t offset, unsigned size)
{
	enum di_answer_state known;
	enum di_why_code why;
	static struct di_location location;
	struct di_type type = {.size = 4, .base = {.kind = kind, .bits = 32, .bytes = 4}};
	di_location_memory(0x1000, &location);
	struct di_leaf_place place = {&location, &type, offset, size, offset, NULL};
	struct di_wide bits = bits_with(mistake, &place, &known, &why);
	return known == DI_ANSWER_KNOWN ? bits.limb[0] : UINT64_MAX;
}

static void bit_fields_over_a_border(void **state)
{
	(void)state;
	/* Inside of four bytes lldb is right; over the border it is if the field does not begin in
	 * the first of them. */
	assert_int_equal(field_with(DI_MISTAKE_LLDB_BIT_FIELD, DI_BASE_UNSIGNED, 4, 20),
		0x30201 >> 4 & 0xfffff);
	assert_int_equal(field_with(DI_MISTAKE_NONE, DI_BASE_UNSIGNED, 20, 20), 0x0504030201 >> 20);
	assert_int_equal(field_with(DI_MISTAKE_LLDB_BIT_FIELD, DI_BASE_UNSIGNED, 20, 20),
		0x0504030201 >> 20);
	assert_int_equal(field_with(DI_MISTAKE_NONE, DI_BASE_UNSIGNED, 5, 30),
		0x0504030201 >> 5 & 0x3fffffff);
	assert_int_equal(field_with(DI_MISTAKE_LLDB_BIT_FIELD, DI_BASE_UNSIGNED, 5, 30), 0);
	/* gdb reads eight bytes at most. */
	assert_int_equal(field_with(DI_MISTAKE_GDB_WIDE_BIT_FIELD, DI_BASE_UNSIGNED, 7, 57),
		field_with(DI_MISTAKE_NONE, DI_BASE_UNSIGNED, 7, 57));
	assert_int_equal(
		field_with(DI_MISTAKE_GDB_WIDE_BIT_FIELD, DI_BASE_UNSIGNED, 7, 58), UINT64_MAX);
}

static void names(void **state)
{
	(void)state;
	assert_string_equal(
		di_mistake_text(DI_MISTAKE_GDB_EMPTY_FIRST_ENTRY), "gdb:empty-first-entry");
	assert_string_equal(di_mistake_text(DI_MISTAKE_NONE), "none");
	for (unsigned i = 1; i < DI_MISTAKE_COUNT; i++) {
		enum di_mistake mistake = (enum di_mistake)i;
		const char *text = di_mistake_text(mistake),
			   *debugger = di_mistake_debugger(mistake);
		assert_memory_equal(text, debugger, strlen(debugger));
		assert_int_equal(text[strlen(debugger)], ':');
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_operator_with_and_without),
		cmocka_unit_test(what_no_piece_describes),
		cmocka_unit_test(bit_fields_over_a_border),
		cmocka_unit_test(names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
