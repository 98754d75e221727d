/* op_test.c - every operator decoded and printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dwarf.h>

#include "dwarf/op.h"
#include "dwarf/words.h"

static const struct di_expr_unit unit5 = {
	.version = 5, .address_size = 8, .offset_size = 4, .die_base = 0x100};

static const struct {
	uint8_t bytes[24];
	size_t size;
	const char *text;
} cases[] = {
	{{DW_OP_addr, 0x10, 0x20, 0x40, 0, 0, 0, 0, 0x80}, 9, "DW_OP_addr 0x8000000000402010"},
	{{DW_OP_deref}, 1, "DW_OP_deref"},
	{{DW_OP_const1u, 0xff}, 2, "DW_OP_const1u 255"},
	{{DW_OP_const1s, 0xff}, 2, "DW_OP_const1s -1"},
	{{DW_OP_const2u, 0xfe, 0xff}, 3, "DW_OP_const2u 65534"},
	{{DW_OP_const2s, 0xfe, 0xff}, 3, "DW_OP_const2s -2"},
	{{DW_OP_const4u, 0xfd, 0xff, 0xff, 0xff}, 5, "DW_OP_const4u 4294967293"},
	{{DW_OP_const4s, 0xfd, 0xff, 0xff, 0xff}, 5, "DW_OP_const4s -3"},
	{{DW_OP_const8u, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 9,
		"DW_OP_const8u 18446744073709551615"},
	{{DW_OP_const8s, 0, 0, 0, 0, 0, 0, 0, 0x80}, 9, "DW_OP_const8s -9223372036854775808"},
	{{DW_OP_constu, 0x80, 0x01}, 3, "DW_OP_constu 128"},
	{{DW_OP_consts, 0x80, 0x7f}, 3, "DW_OP_consts -128"},
	{{DW_OP_dup}, 1, "DW_OP_dup"},
	{{DW_OP_drop}, 1, "DW_OP_drop"},
	{{DW_OP_over}, 1, "DW_OP_over"},
	{{DW_OP_pick, 3}, 2, "DW_OP_pick 3"},
	{{DW_OP_swap}, 1, "DW_OP_swap"},
	{{DW_OP_rot}, 1, "DW_OP_rot"},
	{{DW_OP_xderef}, 1, "DW_OP_xderef"},
	{{DW_OP_abs}, 1, "DW_OP_abs"},
	{{DW_OP_and}, 1, "DW_OP_and"},
	{{DW_OP_div}, 1, "DW_OP_div"},
	{{DW_OP_minus}, 1, "DW_OP_minus"},
	{{DW_OP_mod}, 1, "DW_OP_mod"},
	{{DW_OP_mul}, 1, "DW_OP_mul"},
	{{DW_OP_neg}, 1, "DW_OP_neg"},
	{{DW_OP_not}, 1, "DW_OP_not"},
	{{DW_OP_or}, 1, "DW_OP_or"},
	{{DW_OP_plus}, 1, "DW_OP_plus"},
	{{DW_OP_plus_uconst, 0xff, 0x01}, 3, "DW_OP_plus_uconst 255"},
	{{DW_OP_shl}, 1, "DW_OP_shl"},
	{{DW_OP_shr}, 1, "DW_OP_shr"},
	{{DW_OP_shra}, 1, "DW_OP_shra"},
	{{DW_OP_xor}, 1, "DW_OP_xor"},
	{{DW_OP_bra, 0x05, 0x00}, 3, "DW_OP_bra to +0x8"},
	{{DW_OP_skip, 0xfd, 0xff}, 3, "DW_OP_skip to +0x0"},
	{{DW_OP_skip, 0xfc, 0xff}, 3, "DW_OP_skip to -0x1"},
	{{DW_OP_eq}, 1, "DW_OP_eq"},
	{{DW_OP_ge}, 1, "DW_OP_ge"},
	{{DW_OP_gt}, 1, "DW_OP_gt"},
	{{DW_OP_le}, 1, "DW_OP_le"},
	{{DW_OP_lt}, 1, "DW_OP_lt"},
	{{DW_OP_ne}, 1, "DW_OP_ne"},
	{{DW_OP_lit0}, 1, "DW_OP_lit0"},
	{{DW_OP_lit31}, 1, "DW_OP_lit31"},
	{{DW_OP_reg0}, 1, "DW_OP_reg0 RAX"},
	{{DW_OP_reg31}, 1, "DW_OP_reg31 XMM14"},
	{{DW_OP_breg0, 0}, 2, "DW_OP_breg0 RAX+0"},
	{{DW_OP_breg5, 8}, 2, "DW_OP_breg5 RDI+8"},
	{{DW_OP_breg7, 0x78}, 2, "DW_OP_breg7 RSP-8"},
	{{DW_OP_breg31, 0}, 2, "DW_OP_breg31 XMM14+0"},
	{{DW_OP_regx, 0x21}, 2, "DW_OP_regx ST0"},
	{{DW_OP_regx, 0xe8, 0x07}, 3, "DW_OP_regx r1000"},
	{{DW_OP_fbreg, 0x68}, 2, "DW_OP_fbreg -24"},
	{{DW_OP_bregx, 0x3a, 0x10}, 3, "DW_OP_bregx FS.BASE+16"},
	{{DW_OP_piece, 4}, 2, "DW_OP_piece 4"},
	{{DW_OP_deref_size, 2}, 2, "DW_OP_deref_size 2"},
	{{DW_OP_xderef_size, 2}, 2, "DW_OP_xderef_size 2"},
	{{DW_OP_nop}, 1, "DW_OP_nop"},
	{{DW_OP_push_object_address}, 1, "DW_OP_push_object_address"},
	{{DW_OP_call2, 0x2a, 0}, 3, "DW_OP_call2 <0x12a>"},
	{{DW_OP_call4, 0x2a, 0, 0, 0}, 5, "DW_OP_call4 <0x12a>"},
	{{DW_OP_call_ref, 0x2a, 0, 0, 0}, 5, "DW_OP_call_ref <0x2a>"},
	{{DW_OP_form_tls_address}, 1, "DW_OP_form_tls_address"},
	{{DW_OP_call_frame_cfa}, 1, "DW_OP_call_frame_cfa"},
	{{DW_OP_bit_piece, 3, 5}, 3, "DW_OP_bit_piece 3 5"},
	{{DW_OP_implicit_value, 2, 0xde, 0xad}, 4, "DW_OP_implicit_value 2: de ad"},
	{{DW_OP_implicit_value, 17}, 19,
		"DW_OP_implicit_value 17: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ..."},
	{{DW_OP_stack_value}, 1, "DW_OP_stack_value"},
	{{DW_OP_implicit_pointer, 0x2a, 0, 0, 0, 4}, 6, "DW_OP_implicit_pointer <0x2a>+4"},
	{{DW_OP_addrx, 1}, 2, "DW_OP_addrx 1"},
	{{DW_OP_constx, 1}, 2, "DW_OP_constx 1"},
	{{DW_OP_entry_value, 1, DW_OP_reg5}, 3, "DW_OP_entry_value(DW_OP_reg5 RDI)"},
	{{DW_OP_entry_value, 3, DW_OP_breg5, 0, DW_OP_deref}, 5,
		"DW_OP_entry_value(DW_OP_breg5 RDI+0, DW_OP_deref)"},
	{{DW_OP_const_type, 0x2a, 2, 1, 2}, 5, "DW_OP_const_type <0x12a> 2: 01 02"},
	{{DW_OP_regval_type, 17, 0x2a}, 3, "DW_OP_regval_type XMM0 <0x12a>"},
	{{DW_OP_deref_type, 8, 0x2a}, 3, "DW_OP_deref_type 8 <0x12a>"},
	{{DW_OP_xderef_type, 8, 0x2a}, 3, "DW_OP_xderef_type 8 <0x12a>"},
	{{DW_OP_convert, 0x2a}, 2, "DW_OP_convert <0x12a>"},
	{{DW_OP_convert, 0}, 2, "DW_OP_convert <generic>"},
	{{DW_OP_reinterpret, 0x2a}, 2, "DW_OP_reinterpret <0x12a>"},
	{{DW_OP_GNU_push_tls_address}, 1, "DW_OP_GNU_push_tls_address"},
	{{DW_OP_GNU_uninit}, 1, "DW_OP_GNU_uninit"},
	{{DW_OP_GNU_encoded_addr, DW_EH_PE_udata4, 1, 2, 3, 4}, 6,
		"DW_OP_GNU_encoded_addr 3 0x4030201"},
	{{DW_OP_GNU_encoded_addr, DW_EH_PE_udata2, 1, 2}, 4, "DW_OP_GNU_encoded_addr 2 0x201"},
	{{DW_OP_GNU_encoded_addr, DW_EH_PE_uleb128, 0x80, 1}, 4, "DW_OP_GNU_encoded_addr 1 0x80"},
	{{DW_OP_GNU_encoded_addr, DW_EH_PE_sleb128, 0x7f}, 3,
		"DW_OP_GNU_encoded_addr 9 0xffffffffffffffff"},
	{{DW_OP_GNU_encoded_addr, DW_EH_PE_sdata2, 0xff, 0xff}, 4,
		"DW_OP_GNU_encoded_addr 10 0xffffffffffffffff"},
	{{DW_OP_GNU_encoded_addr, DW_EH_PE_sdata4 | DW_EH_PE_pcrel, 1, 0, 0, 0}, 6,
		"DW_OP_GNU_encoded_addr 27 0x1"},
	{{DW_OP_GNU_encoded_addr, DW_EH_PE_udata8, 1}, 10, "DW_OP_GNU_encoded_addr 4 0x1"},
	{{DW_OP_GNU_encoded_addr, DW_EH_PE_absptr, 1}, 10, "DW_OP_GNU_encoded_addr 0 0x1"},
	{{DW_OP_GNU_implicit_pointer, 0x2a, 0, 0, 0, 0x7f}, 6,
		"DW_OP_GNU_implicit_pointer <0x2a>-1"},
	{{DW_OP_GNU_entry_value, 1, DW_OP_reg5}, 3, "DW_OP_GNU_entry_value(DW_OP_reg5 RDI)"},
	{{DW_OP_GNU_const_type, 0x2a, 1, 9}, 4, "DW_OP_GNU_const_type <0x12a> 1: 09"},
	{{DW_OP_GNU_regval_type, 17, 0x2a}, 3, "DW_OP_GNU_regval_type XMM0 <0x12a>"},
	{{DW_OP_GNU_deref_type, 8, 0x2a}, 3, "DW_OP_GNU_deref_type 8 <0x12a>"},
	{{DW_OP_GNU_convert, 0x2a}, 2, "DW_OP_GNU_convert <0x12a>"},
	{{DW_OP_GNU_reinterpret, 0x2a}, 2, "DW_OP_GNU_reinterpret <0x12a>"},
	{{DW_OP_GNU_parameter_ref, 0x2a, 0, 0, 0}, 5, "DW_OP_GNU_parameter_ref <0x12a>"},
	{{DW_OP_GNU_addr_index, 1}, 2, "DW_OP_GNU_addr_index 1"},
	{{DW_OP_GNU_const_index, 1}, 2, "DW_OP_GNU_const_index 1"},
	{{DW_OP_GNU_variable_value, 0x2a, 0, 0, 0}, 5, "DW_OP_GNU_variable_value <0x2a>"},
};

static void every_operator_prints(void **state)
{
	(void)state;
	bool seen[256] = {false};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct di_op op;
		struct di_answer answer = {0};
		char buf[DI_OP_TEXT];
		if (!di_op_decode(&unit5, cases[i].bytes, cases[i].size, 0, &op, &answer))
			fail_msg("%s: %s", cases[i].text,
				di_answer_text(&answer, (char[DI_WORDS]){0}));
		assert_string_equal(di_op_text(&unit5, &op, buf), cases[i].text);
		assert_int_equal(op.next, cases[i].size);
		seen[op.code] = true;
	}
	for (unsigned code = 0; code < 256; code++)
		if (di_op_table[code].name && !seen[code] && !di_op_table[code].implied)
			fail_msg("%s has no case", di_op_table[code].name);
}

static void the_families_count_to_31(void **state)
{
	(void)state;
	for (unsigned n = 0; n < 32; n++) {
		char name[16];
		snprintf(name, sizeof name, "DW_OP_lit%u", n);
		assert_string_equal(di_op_table[DW_OP_lit0 + n].name, name);
		assert_int_equal(di_op_table[DW_OP_lit0 + n].implied, n);
		snprintf(name, sizeof name, "DW_OP_reg%u", n);
		assert_string_equal(di_op_table[DW_OP_reg0 + n].name, name);
		assert_int_equal(di_op_table[DW_OP_reg0 + n].implied, n);
		snprintf(name, sizeof name, "DW_OP_breg%u", n);
		assert_string_equal(di_op_table[DW_OP_breg0 + n].name, name);
		assert_int_equal(di_op_table[DW_OP_breg0 + n].implied, n);
	}
}

static void operands_that_are_cut_short_are_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (size_t size = 1; size < cases[i].size; size++) {
			struct di_op op;
			struct di_answer answer = {0};
			assert_false(di_op_decode(&unit5, cases[i].bytes, size, 0, &op, &answer));
			assert_int_equal(answer.state, DI_ANSWER_ERROR);
			assert_non_null(strstr(
				di_answer_text(&answer, (char[DI_WORDS]){0}), op.info->name));
			assert_non_null(strstr(di_answer_text(&answer, (char[DI_WORDS]){0}),
				" at +0x0: expected "));
		}
	}
	struct di_op op;
	struct di_answer answer = {0};
	static const uint8_t bytes[] = {DW_OP_nop, DW_OP_const4u, 1, 2};
	assert_false(di_op_decode(&unit5, bytes, sizeof bytes, 1, &op, &answer));
	assert_string_equal(di_answer_text(&answer, (char[DI_WORDS]){0}),
		"DW_OP_const4u at +0x1: expected 4 bytes, have 2");
}

static void codes_that_are_no_operator(void **state)
{
	(void)state;
	unsigned unknown = 0;
	for (unsigned code = 0; code < 256; code++) {
		uint8_t bytes[32] = {(uint8_t)code};
		struct di_op op;
		struct di_answer answer = {0};
		if (di_op_decode(&unit5, bytes, sizeof bytes, 0, &op, &answer))
			continue;
		unknown++;
		assert_non_null(
			strstr(di_answer_text(&answer, (char[DI_WORDS]){0}), " at +0x0: unknown"));
	}
	/* 0-2, 4-5, 7, 0xaa-0xdf, 0xe1-0xef, 0xf8, 0xfe-0xff */
	assert_int_equal(unknown, 6 + 54 + 15 + 1 + 2);
	static const uint8_t omit[] = {DW_OP_GNU_encoded_addr, DW_EH_PE_omit, 0, 0};
	struct di_op op;
	struct di_answer answer = {0};
	assert_false(di_op_decode(&unit5, omit, sizeof omit, 0, &op, &answer));
	assert_string_equal(di_answer_text(&answer, (char[DI_WORDS]){0}),
		"DW_OP_GNU_encoded_addr at +0x0: unknown pointer encoding 0xff");
}

static void operand_sizes_follow_the_unit(void **state)
{
	(void)state;
	static const struct {
		struct di_expr_unit unit;
		uint8_t code;
		size_t size;
	} rows[] = {
		{{.version = 5, .address_size = 8, .offset_size = 4}, DW_OP_addr, 9},
		{{.version = 5, .address_size = 4, .offset_size = 4}, DW_OP_addr, 5},
		{{.version = 5, .address_size = 2, .offset_size = 4}, DW_OP_addr, 3},
		{{.version = 5, .address_size = 8, .offset_size = 4}, DW_OP_call_ref, 5},
		{{.version = 5, .address_size = 8, .offset_size = 8}, DW_OP_call_ref, 9},
		{{.version = 2, .address_size = 8, .offset_size = 4}, DW_OP_call_ref, 9},
		{{.version = 2, .address_size = 4, .offset_size = 4}, DW_OP_call_ref, 5},
		{{.version = 4, .address_size = 8, .offset_size = 4}, DW_OP_GNU_implicit_pointer,
			6},
		{{.version = 4, .address_size = 4, .offset_size = 8}, DW_OP_GNU_implicit_pointer,
			10},
		{{.version = 2, .address_size = 8, .offset_size = 4}, DW_OP_GNU_implicit_pointer,
			10},
		{{.version = 5, .address_size = 8, .offset_size = 8}, DW_OP_GNU_variable_value, 9},
		{{.version = 5, .address_size = 8, .offset_size = 8}, DW_OP_GNU_parameter_ref, 5},
		{{.version = 5, .address_size = 8, .offset_size = 8}, DW_OP_call4, 5},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint8_t bytes[16] = {rows[i].code};
		struct di_op op;
		struct di_answer answer = {0};
		assert_true(di_op_decode(&rows[i].unit, bytes, sizeof bytes, 0, &op, &answer));
		assert_int_equal(op.next, rows[i].size);
	}
}

static void units_that_make_no_sense_are_refused(void **state)
{
	(void)state;
	static const struct di_expr_unit units[] = {
		{.version = 5},
		{.version = 5, .address_size = 8},
		{.version = 5, .address_size = 9, .offset_size = 4},
		{.version = 5, .address_size = 8, .offset_size = 5},
	};
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		static const uint8_t bytes[] = {DW_OP_lit1};
		struct di_op op;
		struct di_answer answer = {0};
		assert_false(di_op_decode(&units[i], bytes, sizeof bytes, 0, &op, &answer));
		assert_int_equal(answer.state, DI_ANSWER_ERROR);
	}
}

static void register_names(void **state)
{
	(void)state;
	assert_string_equal(di_register_name(7), "RSP");
	assert_string_equal(di_register_name(16), "RIP");
	assert_string_equal(di_register_name(32), "XMM15");
	assert_string_equal(di_register_name(40), "ST7");
	assert_string_equal(di_register_name(49), "RFLAGS");
	assert_string_equal(di_register_name(59), "GS.BASE");
	assert_string_equal(di_register_name(64), "MXCSR");
	assert_string_equal(di_register_name(67), "XMM16");
	assert_string_equal(di_register_name(82), "XMM31");
	assert_string_equal(di_register_name(125), "K7");
	assert_null(di_register_name(56));
	assert_null(di_register_name(100));
	assert_null(di_register_name(130));
	assert_null(di_register_name(UINT64_MAX));
}

static void whole_expressions_and_their_end(void **state)
{
	(void)state;
	char buf[DI_OP_TEXT];
	static const uint8_t sum[] = {DW_OP_breg5, 0, DW_OP_lit1, DW_OP_plus, DW_OP_stack_value};
	assert_string_equal(di_op_text_all(&unit5, sum, sizeof sum, buf, sizeof buf),
		"DW_OP_breg5 RDI+0, DW_OP_lit1, DW_OP_plus, DW_OP_stack_value");
	assert_string_equal(di_op_text_all(&unit5, sum, 0, buf, sizeof buf), "");
	static const uint8_t bad[] = {DW_OP_lit1, 0xff};
	assert_string_equal(di_op_text_all(&unit5, bad, sizeof bad, buf, sizeof buf),
		"DW_OP_lit1, operator 0xff at +0x1: unknown");
	assert_string_equal(di_op_text_all(&unit5, sum, sizeof sum, buf, 16), "DW_OP_breg5 ...");
	/* Expressions inside expressions: deep enough is enough. */
	static const uint8_t deep[] = {DW_OP_entry_value, 12, DW_OP_entry_value, 10,
		DW_OP_entry_value, 8, DW_OP_entry_value, 6, DW_OP_entry_value, 4, DW_OP_entry_value,
		2, DW_OP_entry_value, 0};
	assert_string_equal(di_op_text_all(&unit5, deep, sizeof deep, buf, sizeof buf),
		"DW_OP_entry_value(DW_OP_entry_value(DW_OP_entry_value(DW_OP_entry_value("
		"DW_OP_entry_value(...)))))");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_operator_prints),
		cmocka_unit_test(the_families_count_to_31),
		cmocka_unit_test(operands_that_are_cut_short_are_named),
		cmocka_unit_test(codes_that_are_no_operator),
		cmocka_unit_test(operand_sizes_follow_the_unit),
		cmocka_unit_test(units_that_make_no_sense_are_refused),
		cmocka_unit_test(register_names),
		cmocka_unit_test(whole_expressions_and_their_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
