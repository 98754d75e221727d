/* expr_test.c - from the bytes of an expression to a location: places, pieces, the machine's
 * answers, and everything that can be wrong with an expression. Arithmetic is in value_test.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dwarf.h>

#include "dwarf/expr_fake.h"
#include "dwarf/words.h"

#define GONE "optimized-out: the linker threw it away: its address is none"

struct row {
	const uint8_t *bytes;
	size_t size;
	const char *text;
};

#define X(...) (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})

static void check(const struct row *rows, size_t count, bool as_value)
{
	for (size_t i = 0; i < count; i++) {
		char buf[512], op[512];
		fake_eval(rows[i].bytes, rows[i].size, as_value, buf, sizeof buf);
		if (strcmp(buf, rows[i].text) != 0)
			fail_msg("%s\n\tis  %s\n\tnot %s",
				di_op_text_all(
					&fake_unit, rows[i].bytes, rows[i].size, op, sizeof op),
				buf, rows[i].text);
	}
}

#define CHECK_LOCATIONS(rows) check(rows, sizeof rows / sizeof *rows, false)
#define CHECK_VALUES(rows)    check(rows, sizeof rows / sizeof *rows, true)

static void constants(void **state)
{
	(void)state;
	const struct row rows[] = {
		{X(DW_OP_lit0), "value 0x0"},
		{X(DW_OP_lit31), "value 0x1f"},
		{X(DW_OP_const1u, 0xff), "value 0xff"},
		{X(DW_OP_const1s, 0xff), "value 0xffffffffffffffff"},
		{X(DW_OP_const2u, 0, 0x80), "value 0x8000"},
		{X(DW_OP_const2s, 0, 0x80), "value 0xffffffffffff8000"},
		{X(DW_OP_const4u, 0, 0, 0, 0x80), "value 0x80000000"},
		{X(DW_OP_const4s, 0, 0, 0, 0x80), "value 0xffffffff80000000"},
		{X(DW_OP_const8u, 1, 0, 0, 0, 0, 0, 0, 0x80), "value 0x8000000000000001"},
		{X(DW_OP_const8s, 1, 0, 0, 0, 0, 0, 0, 0x80), "value 0x8000000000000001"},
		{X(DW_OP_constu, 0xff, 0x7f), "value 0x3fff"},
		{X(DW_OP_consts, 0xff, 0x7f), "value 0xffffffffffffffff"},
		{X(DW_OP_const_type, FAKE_S32, 4, 0xfe, 0xff, 0xff, 0xff), "value -2 (signed 32)"},
		{X(DW_OP_const_type, FAKE_S72, 9, 0, 0, 0, 0, 0, 0, 0, 0, 1),
			"value 18446744073709551616 (signed 72)"},
		{X(DW_OP_const_type, FAKE_U7, 1, 0xff), "value 127 (unsigned 7)"},
		{X(DW_OP_const_type, FAKE_S32, 2, 1, 2),
			"error: DW_OP_const_type <0x104> 2: 01 02 at +0x0: the type has 4 bytes"},
		{X(DW_OP_GNU_const_type, FAKE_U8, 1, 0xff), "value 255 (unsigned 8)"},
		{X(DW_OP_const_type, 0, 1, 1),
			"error: DW_OP_const_type <generic> 1: 01 at +0x0: a base type is needed"},
	};
	CHECK_VALUES(rows);
}

static void addresses_get_the_load_bias_and_constants_do_not(void **state)
{
	(void)state;
	const struct row rows[] = {
		{X(DW_OP_addr, 0, 0x10, 0x40, 0, 0, 0, 0, 0), "memory 0x411000"},
		{X(DW_OP_addr, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), "memory 0x0"},
		{X(DW_OP_addr, 8, 0, 0, 0, 0, 0, 0, 0, DW_OP_GNU_push_tls_address),
			"memory 0x9008"}, /* an offset in disguise */
		{X(DW_OP_addrx, 0), "memory 0x411000"},
		/* What the linker threw away is no place; but null is a value. */
		{X(DW_OP_addr, 0, 0, 0, 0, 0, 0, 0, 0), GONE},
		{X(DW_OP_addr, 1, 0, 0, 0, 0, 0, 0, 0, DW_OP_plus_uconst, 8), GONE},
		{X(DW_OP_addr, 2, 0, 0, 0, 0, 0, 0, 0), "memory 0x10002"},
		{X(DW_OP_addr, 0, 0, 0, 0, 0, 0, 0, 0, DW_OP_stack_value), "value 0x10000"},
		{X(DW_OP_addr, 0, 0, 0, 0, 0, 0, 0, 0, DW_OP_piece, 4, DW_OP_breg7, 0, DW_OP_piece,
			 4),
			"32 bits optimized out; 32 bits of memory 0x7000"},
		{X(DW_OP_addr, 0, 0, 0, 0, 0, 0, 0, 0, DW_OP_GNU_push_tls_address),
			"memory 0x9000"},
		{X(DW_OP_GNU_addr_index, 0), "memory 0x411000"},
		{X(DW_OP_constx, 1), "memory 0x2a"},
		{X(DW_OP_GNU_const_index, 1), "memory 0x2a"},
		{X(DW_OP_addrx, 7), "error: DW_OP_addrx 7 at +0x0: 2 entries in .debug_addr"},
		{X(DW_OP_GNU_encoded_addr, DW_EH_PE_udata4, 0, 0x10, 0x40, 0), "memory 0x411000"},
		{X(DW_OP_GNU_encoded_addr, DW_EH_PE_pcrel | DW_EH_PE_udata2, 1, 0),
			"error: DW_OP_GNU_encoded_addr 18 0x1 at +0x0: a relative address"},
	};
	CHECK_LOCATIONS(rows);
}

static void registers(void **state)
{
	(void)state;
	const struct row rows[] = {
		{X(DW_OP_reg0), "register RAX"},
		{X(DW_OP_reg31), "register XMM14"},
		{X(DW_OP_reg3),
			"register RBX"}, /* not saved: for the reader of the place to find out */
		{X(DW_OP_regx, 0x90, 0x01), "register r144"},
		{X(DW_OP_breg5, 0x10), "memory 0x5010"},
		{X(DW_OP_breg5, 0x70), "memory 0x4ff0"},
		{X(DW_OP_breg0, 0x04), "memory 0x2"}, /* wraps */
		{X(DW_OP_breg3, 0), "optimized-out: DW_OP_breg3 RBX+0 at +0x0: not saved"},
		{X(DW_OP_breg1, 0),
			"error: DW_OP_breg1 RDX+0 at +0x0: no register 1 in this machine state"},
		{X(DW_OP_bregx, 7, 0x08), "memory 0x7008"},
		{X(DW_OP_bregx, 51, 0x00), "memory 0x33"},
		{X(DW_OP_fbreg, 0x68), "memory 0x5fe8"},
		{X(DW_OP_call_frame_cfa), "memory 0x7010"},
		{X(DW_OP_push_object_address), "memory 0x8000"},
		{X(DW_OP_const1u, 0x18, DW_OP_form_tls_address), "memory 0x9018"},
		{X(DW_OP_const1u, 0x18, DW_OP_GNU_push_tls_address), "memory 0x9018"},
	};
	CHECK_LOCATIONS(rows);
	const struct row values[] = {
		{X(DW_OP_regval_type, 17, FAKE_DOUBLE), "value 1.5 (float 64)"},
		{X(DW_OP_GNU_regval_type, 17, FAKE_DOUBLE), "value 1.5 (float 64)"},
		{X(DW_OP_regval_type, 33, FAKE_LONG_DOUBLE), "value 1.5 (float 128)"},
		{X(DW_OP_regval_type, 33, FAKE_FLOAT128), "error: DW_OP_regval_type ST0 <0x113> at "
							  "+0x0: the register has 80 bits, the "
							  "type 128"},
		{X(DW_OP_regval_type, 0, FAKE_S32), "value -2 (signed 32)"},
		{X(DW_OP_regval_type, 0, FAKE_U128), "error: DW_OP_regval_type RAX <0x10a> at "
						     "+0x0: the register has 64 bits, the "
						     "type 128"},
		{X(DW_OP_regval_type, 17, FAKE_U128),
			"value 340282366920938463449537297576672362496 (unsigned 128)"},
		{X(DW_OP_regval_type, 3, FAKE_S32),
			"optimized-out: DW_OP_regval_type RBX <0x104> at +0x0: not saved"},
		{X(DW_OP_regval_type, 5, 0),
			"error: DW_OP_regval_type RDI <generic> at +0x0: a base type is needed"},
	};
	CHECK_VALUES(values);
}

static void the_stack_is_moved_about(void **state)
{
	(void)state;
#define ABC DW_OP_lit1, DW_OP_lit2, DW_OP_lit3
#define GATHER                                                                                     \
	DW_OP_lit8, DW_OP_shl, DW_OP_plus, DW_OP_lit8, DW_OP_shl, DW_OP_plus /* below + 256 top */
	const struct row rows[] = {
		{X(ABC, GATHER), "value 0x30201"}, {X(ABC, DW_OP_swap, GATHER), "value 0x20301"},
		{X(ABC, DW_OP_rot, GATHER), "value 0x20103"},
		{X(ABC, DW_OP_rot, DW_OP_rot, DW_OP_rot, GATHER), "value 0x30201"},
		{X(ABC, DW_OP_drop), "value 0x2"}, {X(ABC, DW_OP_over, GATHER), "value 0x20302"},
		{X(ABC, DW_OP_dup, GATHER), "value 0x30302"}, {X(ABC, DW_OP_pick, 0), "value 0x3"},
		{X(ABC, DW_OP_pick, 2), "value 0x1"},
		{X(DW_OP_lit1, DW_OP_lit2, DW_OP_nop, DW_OP_nop, DW_OP_pick, 3),
			"error: DW_OP_pick 3 at +0x4: 2 values on the stack"},
		{X(DW_OP_pick, 0), "error: DW_OP_pick 0 at +0x0: 0 values on the stack"},
		{X(DW_OP_lit1, DW_OP_swap), "error: DW_OP_swap at +0x1: 1 value on the stack"},
		{X(DW_OP_const1s, 0xff, DW_OP_convert, FAKE_S8, DW_OP_lit1, DW_OP_swap),
			"value -1 (signed 8)"}, /* types move with their values */
	};
	CHECK_VALUES(rows);
}

static void too_few_values_for_any_operator(void **state)
{
	(void)state;
	for (unsigned code = 0; code < 256; code++) {
		const struct di_op_info *info = &di_op_table[code];
		for (uint8_t have = 0; have < info->pops; have++) {
			uint8_t bytes[24];
			memset(bytes, DW_OP_lit1, sizeof bytes);
			bytes[have] = (uint8_t)code;
			char buf[512], want[64];
			snprintf(want, sizeof want, "at +0x%x: %u value%s on the stack", have, have,
				have == 1 ? "" : "s");
			fake_eval(bytes, sizeof bytes, true, buf, sizeof buf);
			assert_non_null(strstr(buf, info->name));
			assert_non_null(strstr(buf, want));
		}
	}
}

static void memory_reads(void **state)
{
	(void)state;
	const struct row rows[] = {
		{X(DW_OP_breg5, 0, DW_OP_deref), "value 0xf7f6f5f4f3f2f1f0"},
		{X(DW_OP_breg5, 0, DW_OP_deref_size, 1),
			"value 0xf0"}, /* zeros above, never signs */
		{X(DW_OP_breg5, 0, DW_OP_deref_size, 2), "value 0xf1f0"},
		{X(DW_OP_breg5, 0, DW_OP_deref_size, 3), "value 0xf2f1f0"},
		{X(DW_OP_breg5, 0, DW_OP_deref_size, 8), "value 0xf7f6f5f4f3f2f1f0"},
		{X(DW_OP_breg5, 0, DW_OP_deref_size, 9),
			"error: DW_OP_deref_size 9 at +0x2: the generic type has 8 bytes"},
		{X(DW_OP_breg5, 0, DW_OP_deref_size, 0),
			"error: DW_OP_deref_size 0 at +0x2: no bytes to read"},
		/* what it gives is as wide as an address, and as signed as the operators after it
		 */
		{X(DW_OP_breg5, 0, DW_OP_deref_size, 1, DW_OP_lit2, DW_OP_div), "value 0x78"},
		{X(DW_OP_breg5, 0, DW_OP_deref_size, 8, DW_OP_const1u, 16, DW_OP_div),
			"value 0xff7f6f5f4f3f2f1f"},
		{X(DW_OP_breg5, 0, DW_OP_deref_size, 1, DW_OP_const1u, 56, DW_OP_shl, DW_OP_const1u,
			 56, DW_OP_shra),
			"value 0xfffffffffffffff0"},
		{X(DW_OP_breg5, 0, DW_OP_deref_size, 4, DW_OP_lit0, DW_OP_lt), "value 0x0"},
		{X(DW_OP_breg5, 0, DW_OP_deref_type, 1, FAKE_S8), "value -16 (signed 8)"},
		{X(DW_OP_breg5, 0, DW_OP_deref_type, 1, FAKE_U8), "value 240 (unsigned 8)"},
		{X(DW_OP_breg5, 0, DW_OP_deref_type, 1, FAKE_U7), "value 112 (unsigned 7)"},
		{X(DW_OP_breg5, 0, DW_OP_GNU_deref_type, 2, FAKE_S16), "value -3600 (signed 16)"},
		{X(DW_OP_breg5, 0x10, DW_OP_deref_type, 9, FAKE_S72),
			"value 148080050112590643456 (signed 72)"},
		{X(DW_OP_breg5, 0, DW_OP_deref_type, 8, FAKE_S32),
			"error: DW_OP_deref_type 8 <0x104> at +0x2: the type has 4 bytes"},
		{X(DW_OP_lit1, DW_OP_deref),
			"error: DW_OP_deref at +0x1: cannot read 8 bytes at 0x1"},
		{X(DW_OP_const2u, 0xad, 0xde, DW_OP_deref), "trouble: the process is gone"},
		{X(DW_OP_breg5, 0, DW_OP_deref_type, 8, 0),
			"error: DW_OP_deref_type 8 <generic> at +0x2: a base type is needed"},
		/* the space lies below the address */
		{X(DW_OP_const2u, 1, 1, DW_OP_breg5, 0, DW_OP_xderef), "value 0x1111111111111111"},
		{X(DW_OP_const2u, 1, 1, DW_OP_breg5, 0, DW_OP_xderef_size, 2), "value 0x1111"},
		{X(DW_OP_const2u, 1, 1, DW_OP_breg5, 0, DW_OP_xderef_type, 1, FAKE_S8),
			"value 17 (signed 8)"},
		/* an address of another integral type will do */
		{X(DW_OP_breg5, 0, DW_OP_convert, FAKE_U32, DW_OP_deref_size, 1), "value 0xf0"},
		{X(DW_OP_const1s, 0xff, DW_OP_convert, FAKE_S8, DW_OP_deref),
			"error: DW_OP_deref at +0x4: cannot read 8 bytes at 0xffffffffffffffff"},
	};
	CHECK_VALUES(rows);
}

static void branches(void **state)
{
	(void)state;
	const struct row rows[] = {
		{X(DW_OP_skip, 1, 0, DW_OP_lit1, DW_OP_lit2), "value 0x2"},
		{X(DW_OP_lit7, DW_OP_lit0, DW_OP_bra, 1, 0, DW_OP_lit1), "value 0x1"},
		{X(DW_OP_lit7, DW_OP_lit1, DW_OP_bra, 1, 0, DW_OP_lit1),
			"value 0x7"}, /* to the end */
		{X(DW_OP_lit7, DW_OP_skip, 0, 0), "value 0x7"},
		/* sum of 5 + 4 + 3 + 2 + 1: backwards, over and over */
		{X(DW_OP_lit0, DW_OP_lit5, /* +2 */ DW_OP_dup, DW_OP_rot, DW_OP_plus, DW_OP_swap,
			 DW_OP_lit1, DW_OP_minus, DW_OP_dup, DW_OP_bra, 0xf6, 0xff, DW_OP_drop),
			"value 0xf"},
		{X(DW_OP_lit7, DW_OP_skip, 1, 0),
			"error: DW_OP_skip to +0x5 at +0x1: outside of the expression's 4 bytes"},
		{X(DW_OP_lit7, DW_OP_skip, 0xfb, 0xff),
			"error: DW_OP_skip to -0x1 at +0x1: outside of the expression's 4 bytes"},
		{X(DW_OP_lit7, DW_OP_lit0, DW_OP_bra, 0, 0x80), /* not taken, wrong all the same */
			"error: DW_OP_bra to -0x7ffb at +0x2: outside of the expression's 5 bytes"},
		{X(DW_OP_skip, 0xfd, 0xff),
			"error: DW_OP_skip to +0x0 at +0x0: too many operators"},
		{X(DW_OP_lit1, DW_OP_skip, 0xfc, 0xff),
			"error: DW_OP_lit1 at +0x0: more than 128 values on the stack"},
		{X(DW_OP_lit0, DW_OP_convert, FAKE_U512, DW_OP_not, DW_OP_bra, 1, 0, DW_OP_lit1),
			"error: end at +0x8: 0 values on the stack"},
	};
	CHECK_VALUES(rows);
}

static void other_dies(void **state)
{
	(void)state;
	const struct row rows[] = {
		{X(DW_OP_lit2, DW_OP_call2, FAKE_CALL_LIT5, 0, DW_OP_plus), "value 0x7"},
		{X(DW_OP_call4, FAKE_CALL_LIT5, 0, 0, 0), "value 0x5"},
		{X(DW_OP_call_ref, FAKE_CALL_LIT5, 1, 0, 0), "value 0x5"},
		{X(DW_OP_lit2, DW_OP_call2, FAKE_CALL_NOTHING, 0), "value 0x2"},
		{X(DW_OP_call2, FAKE_CALL_NOTHING, 0), "optimized-out: empty expression"},
		{X(DW_OP_call2, FAKE_CALL_REG5, 0), "register RDI"},
		{X(DW_OP_call2, FAKE_CALL_REG5, 0, DW_OP_deref),
			"error: DW_OP_deref at +0x3: only a piece may follow the operator before "
			"it"},
		{X(DW_OP_call2, FAKE_CALL_PIECE, 0, DW_OP_reg1, DW_OP_piece, 2),
			"32 bits of register RAX; 16 bits of register RDX"},
		{X(DW_OP_call2, FAKE_CALL_LOST, 0, DW_OP_lit1, DW_OP_plus),
			"optimized-out: DW_OP_breg3 RBX+0 at +0x0: not saved"},
		{X(DW_OP_call2, FAKE_CALL_LOST, 0, DW_OP_piece, 4, DW_OP_reg0, DW_OP_piece, 4),
			"32 bits optimized out; 32 bits of register RAX"},
		{X(DW_OP_call2, FAKE_CALL_BAD, 0),
			"error: .debug_loc+0x77: DW_OP_plus at +0x1: 1 value on the stack"},
		{X(DW_OP_call2, FAKE_CALL_BAD_UNIT, 0),
			"error: the unit's sizes of addresses and offsets make no sense"},
		{X(DW_OP_call2, FAKE_CALL_SELF, 0),
			"error: DW_OP_call2 <0x143> at +0x0: expressions are nested too deeply"},
		{X(DW_OP_call2, 0xff, 0xff),
			"error: DW_OP_call2 <0x100ff> at +0x0: no DIE at .debug_info+0x100ff"},
		{X(DW_OP_call2, FAKE_TROUBLE, 0), "trouble: the file is gone"},
		{X(DW_OP_entry_value, 1, DW_OP_reg5),
			"value 0xe7"}, /* told where the block begins */
		{X(DW_OP_lit1, DW_OP_GNU_entry_value, 1, DW_OP_reg5, DW_OP_plus), "value 0xe9"},
		{X(DW_OP_entry_value, 1, DW_OP_reg4),
			"optimized-out: DW_OP_entry_value(DW_OP_reg4 RSI) at +0x0: no call site"},
		{X(DW_OP_GNU_parameter_ref, FAKE_PARAMETER, 0, 0, 0), "value -7 (signed 32)"},
		{X(DW_OP_GNU_parameter_ref, 1, 0, 0, 0),
			"optimized-out: DW_OP_GNU_parameter_ref <0x101> at +0x0: no call site "
			"parameter"},
		{X(DW_OP_GNU_variable_value, FAKE_VARIABLE, 1, 0, 0), "value 2.5 (float 64)"},
		{X(DW_OP_GNU_variable_value, 1, 1, 0, 0), "error: DW_OP_GNU_variable_value <0x101> "
							  "at +0x0: no DIE at .debug_info+0x101"},
		{X(DW_OP_GNU_variable_value, FAKE_TROUBLE, 1, 0, 0), "trouble: the file is gone"},
	};
	CHECK_VALUES(rows);
	/* Recursion through the host ends as well. */
	static const uint8_t recursive[] = {
		DW_OP_GNU_variable_value, FAKE_VARIABLE_RECURSIVE, 1, 0, 0};
	char buf[512];
	fake_eval(recursive, sizeof recursive, true, buf, sizeof buf);
	assert_ptr_equal(strstr(buf, "error: DW_OP_GNU_variable_value <0x14a> at +0x0: "), buf);
}

static void simple_locations(void **state)
{
	(void)state;
	const struct row rows[] = {
		{X(DW_OP_lit5), "memory 0x5"},
		{X(DW_OP_lit4, DW_OP_lit5), "memory 0x5"},
		{X(DW_OP_lit5, DW_OP_stack_value), "value 0x5"},
		{X(DW_OP_lit5, DW_OP_convert, FAKE_S32, DW_OP_stack_value), "value 5 (signed 32)"},
		{X(DW_OP_const1s, 0xff, DW_OP_convert, FAKE_S32), "memory 0xffffffffffffffff"},
		{X(DW_OP_implicit_value, 3, 1, 2, 3), "bytes 01 02 03"},
		{X(DW_OP_implicit_value, 0), "bytes"},
		{X(DW_OP_implicit_value, 17, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
			 16),
			"bytes 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f ..."},
		{X(DW_OP_implicit_pointer, 0x34, 0x12, 0, 0, 0x7c), "pointer <0x1234>-4"},
		{X(DW_OP_GNU_implicit_pointer, 0x34, 0x12, 0, 0, 4), "pointer <0x1234>+4"},
		{X(DW_OP_nop), "optimized-out: empty expression"},
		{X(DW_OP_nop, DW_OP_lit5, DW_OP_nop), "memory 0x5"},
		{X(DW_OP_reg5, DW_OP_GNU_uninit), "register RDI (uninitialized)"},
		{X(DW_OP_fbreg, 0, DW_OP_GNU_uninit), "memory 0x6000 (uninitialized)"},
		{X(DW_OP_lit5, DW_OP_drop), "error: end at +0x2: 0 values on the stack"},
		{X(DW_OP_lit1, DW_OP_convert, FAKE_DOUBLE),
			"error: end at +0x3: operand is float 64, not an integer"},
		{X(DW_OP_lit1, DW_OP_convert, FAKE_DOUBLE, DW_OP_stack_value),
			"value 1 (float 64)"},
		{X(DW_OP_stack_value), "error: DW_OP_stack_value at +0x0: 0 values on the stack"},
	};
	CHECK_LOCATIONS(rows);
	char buf[64];
	assert_string_equal(
		fake_eval(NULL, 0, false, buf, sizeof buf), "optimized-out: empty expression");
}

static void only_a_piece_may_follow_a_place(void **state)
{
	(void)state;
	static const struct {
		uint8_t bytes[8], size;
	} places[] = {
		{{DW_OP_reg5}, 1},
		{{DW_OP_regx, 5}, 2},
		{{DW_OP_lit1, DW_OP_stack_value}, 2},
		{{DW_OP_implicit_value, 1, 0}, 3},
		{{DW_OP_implicit_pointer, 1, 0, 0, 0, 0}, 6},
		{{DW_OP_GNU_implicit_pointer, 1, 0, 0, 0, 0}, 6},
	};
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		uint8_t bytes[16], size = places[i].size;
		char buf[512], want[128];
		memcpy(bytes, places[i].bytes, size);
		static const uint8_t followers[] = {DW_OP_lit1, DW_OP_reg1, DW_OP_nop, DW_OP_dup,
			DW_OP_stack_value, DW_OP_deref};
		for (size_t f = 0; f < sizeof followers; f++) {
			bytes[size] = followers[f];
			snprintf(want, sizeof want,
				"at +0x%x: only a piece may follow the operator before it", size);
			fake_eval(bytes, size + 1u, false, buf, sizeof buf);
			assert_non_null(strstr(buf, want));
			assert_non_null(strstr(buf, di_op_table[followers[f]].name));
		}
		bytes[size] = DW_OP_piece;
		bytes[size + 1] = 1;
		fake_eval(bytes, size + 2u, false, buf, sizeof buf);
		assert_ptr_equal(strstr(buf, "8 bits of "), buf);
	}
	const struct row rows[] = {
		{X(DW_OP_lit1, DW_OP_reg5),
			"error: DW_OP_reg5 RDI at +0x1: follows other operators of its location"},
		{X(DW_OP_lit1, DW_OP_implicit_value, 1, 0),
			"error: DW_OP_implicit_value 1: 00 at +0x1: follows other operators of its "
			"location"},
		{X(DW_OP_nop, DW_OP_reg5), "register RDI"},
	};
	CHECK_LOCATIONS(rows);
}

static void composite_locations(void **state)
{
	(void)state;
	const struct row rows[] = {
		{X(DW_OP_reg0, DW_OP_piece, 4, DW_OP_fbreg, 0, DW_OP_piece, 8, DW_OP_lit7,
			 DW_OP_stack_value, DW_OP_piece, 2, DW_OP_implicit_value, 1, 0xaa,
			 DW_OP_piece, 1),
			"32 bits of register RAX; 64 bits of memory 0x6000; 16 bits of value 0x7; "
			"8 "
			"bits of bytes aa"},
		{X(DW_OP_piece, 4, DW_OP_reg0, DW_OP_piece, 4),
			"32 bits optimized out; 32 bits of register RAX"},
		{X(DW_OP_reg0, DW_OP_piece, 4, DW_OP_piece, 4),
			"32 bits of register RAX; 32 bits optimized out"},
		{X(DW_OP_nop, DW_OP_piece, 4), "32 bits optimized out"},
		/* what an earlier piece left on the stack is not the next one's place */
		{X(DW_OP_lit1, DW_OP_lit2, DW_OP_piece, 4, DW_OP_piece, 4),
			"32 bits of memory 0x2; 32 bits optimized out"},
		{X(DW_OP_lit1, DW_OP_lit2, DW_OP_piece, 4, DW_OP_plus_uconst, 1, DW_OP_piece, 4),
			"32 bits of memory 0x2; 32 bits of memory 0x2"},
		{X(DW_OP_reg0, DW_OP_bit_piece, 3, 5), "3 bits from bit 5 of register RAX"},
		{X(DW_OP_reg0, DW_OP_bit_piece, 1, 0, DW_OP_fbreg, 0, DW_OP_bit_piece, 31, 9),
			"1 bit of register RAX; 31 bits from bit 9 of memory 0x6000"},
		{X(DW_OP_lit7, DW_OP_stack_value, DW_OP_bit_piece, 2, 1, DW_OP_bit_piece, 6, 0),
			"2 bits from bit 1 of value 0x7; 6 bits optimized out"},
		{X(DW_OP_reg0, DW_OP_piece, 0, DW_OP_reg1, DW_OP_piece, 8),
			"0 bits of register RAX; 64 bits of register RDX"},
		{X(DW_OP_implicit_pointer, 1, 0, 0, 0, 0, DW_OP_piece, 8, DW_OP_reg1, DW_OP_piece,
			 8),
			"64 bits of pointer <0x1>+0; 64 bits of register RDX"},
		{X(DW_OP_reg0, DW_OP_GNU_uninit, DW_OP_piece, 8),
			"64 bits of register RAX (uninitialized)"},
		{X(DW_OP_reg0, DW_OP_piece, 4, DW_OP_reg1),
			"error: end at +0x4: the last location is not followed by a piece"},
		{X(DW_OP_reg0, DW_OP_piece, 4, DW_OP_fbreg, 0),
			"error: end at +0x5: the last location is not followed by a piece"},
		{X(DW_OP_lit1, DW_OP_drop, DW_OP_piece, 4),
			"error: DW_OP_piece 4 at +0x2: 0 values on the stack"},
		{X(DW_OP_lit1, DW_OP_convert, FAKE_DOUBLE, DW_OP_piece, 8),
			"error: DW_OP_piece 8 at +0x3: operand is float 64, not an integer"},
		{X(DW_OP_reg0, DW_OP_piece, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
			 1),
			"error: DW_OP_piece 9223372036854775808 at +0x1: larger than can be"},
		{X(DW_OP_piece, 1, DW_OP_skip, 0xfb, 0xff),
			"error: DW_OP_piece 1 at +0x0: more than 256 pieces"},
	};
	CHECK_LOCATIONS(rows);
}

static void a_lost_piece_leaves_the_others_alone(void **state)
{
	(void)state;
	const struct row rows[] = {
		{X(DW_OP_breg3, 0, DW_OP_piece, 4, DW_OP_reg0, DW_OP_piece, 4),
			"32 bits optimized out; 32 bits of register RAX"},
		{X(DW_OP_reg0, DW_OP_piece, 4, DW_OP_breg3, 0, DW_OP_lit1, DW_OP_plus,
			 DW_OP_stack_value, DW_OP_piece, 4, DW_OP_lit9, DW_OP_piece, 1),
			"32 bits of register RAX; 32 bits optimized out; 8 bits of memory 0x9"},
		/* what the lost one would have left behind is lost too, and not an error */
		{X(DW_OP_breg3, 0, DW_OP_dup, DW_OP_piece, 4, DW_OP_plus_uconst, 4, DW_OP_piece, 4),
			"32 bits optimized out; 32 bits optimized out"},
		{X(DW_OP_lit1, DW_OP_breg3, 0, DW_OP_piece, 4, DW_OP_dup, DW_OP_piece, 4),
			"32 bits optimized out; 32 bits optimized out"},
		{X(DW_OP_breg3, 0, DW_OP_piece, 4, DW_OP_lit1, DW_OP_drop, DW_OP_piece, 4),
			"32 bits optimized out; 32 bits optimized out"},
		/* where a branch goes cannot be told */
		{X(DW_OP_breg3, 0, DW_OP_bra, 2, 0, DW_OP_reg0, DW_OP_piece, 4),
			"optimized-out: DW_OP_breg3 RBX+0 at +0x0: not saved"},
		{X(DW_OP_reg0, DW_OP_piece, 4, DW_OP_breg3, 0),
			"optimized-out: DW_OP_breg3 RBX+0 at +0x3: not saved"},
		/* what follows must still be an expression */
		{X(DW_OP_breg3, 0, 0xff), "error: operator 0xff at +0x2: unknown"},
	};
	CHECK_LOCATIONS(rows);

	static struct di_location location;
	static const uint8_t bytes[] = {DW_OP_breg3, 0, DW_OP_piece, 4, DW_OP_reg0, DW_OP_piece, 4};
	struct di_expr_request request = {
		.source = {bytes, sizeof bytes, &fake_unit, ".debug_loclists", 0x4c},
		.host = &fake_host};
	assert_null(di_expr_eval(&request, &location));
	assert_int_equal(location.answer.state, DI_ANSWER_KNOWN);
	assert_string_equal(di_answer_text(&location.answer, (char[DI_WORDS]){0}),
		".debug_loclists+0x4c: DW_OP_breg3 RBX+0 at +0x0: not saved");
}

static void messages_name_the_section(void **state)
{
	(void)state;
	static struct di_location location;
	static const uint8_t bytes[] = {DW_OP_lit1, DW_OP_plus};
	struct di_expr_request request = {
		.source = {bytes, sizeof bytes, &fake_unit, ".debug_loclists", 0x4c},
		.host = &fake_host};
	assert_null(di_expr_eval(&request, &location));
	assert_int_equal(location.answer.state, DI_ANSWER_ERROR);
	assert_int_equal(location.count, 0);
	assert_string_equal(di_answer_text(&location.answer, (char[DI_WORDS]){0}),
		".debug_loclists+0x4c: DW_OP_plus at +0x1: 1 value on the stack");
	request.source.size = 0;
	assert_null(di_expr_eval(&request, &location));
	assert_int_equal(location.answer.state, DI_ANSWER_OPTIMIZED_OUT);
}

static void a_host_that_knows_nothing(void **state)
{
	(void)state;
	const struct row rows[] = {
		{X(DW_OP_breg5, 0), "DW_OP_breg5 RDI+0 at +0x0: a register cannot be had here"},
		{X(DW_OP_fbreg, 0), "DW_OP_fbreg 0 at +0x0: the frame base cannot be had here"},
		{X(DW_OP_call_frame_cfa),
			"DW_OP_call_frame_cfa at +0x0: the CFA cannot be had here"},
		{X(DW_OP_push_object_address),
			"DW_OP_push_object_address at +0x0: the object cannot be had here"},
		{X(DW_OP_lit0, DW_OP_form_tls_address),
			"DW_OP_form_tls_address at +0x1: thread-local storage cannot be had here"},
		{X(DW_OP_lit0, DW_OP_deref), "DW_OP_deref at +0x1: memory cannot be had here"},
		{X(DW_OP_addrx, 0), "DW_OP_addrx 0 at +0x0: .debug_addr cannot be had here"},
		{X(DW_OP_lit0, DW_OP_convert, 1),
			"DW_OP_convert <0x101> at +0x1: a base type cannot be had here"},
		{X(DW_OP_call2, 1, 0),
			"DW_OP_call2 <0x101> at +0x0: another DIE's location cannot be had here"},
		{X(DW_OP_entry_value, 1, DW_OP_reg5), "DW_OP_entry_value(DW_OP_reg5 RDI) at +0x0: "
						      "the value on entry cannot be had "
						      "here"},
		{X(DW_OP_GNU_parameter_ref, 1, 0, 0, 0),
			"DW_OP_GNU_parameter_ref <0x101> at +0x0: the caller's parameter cannot be "
			"had here"},
		{X(DW_OP_GNU_variable_value, 1, 0, 0, 0), "DW_OP_GNU_variable_value <0x1> at +0x0: "
							  "another variable cannot be had here"},
	};
	static struct di_location location;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct di_expr_request request = {
			.source = {rows[i].bytes, rows[i].size, &fake_unit, NULL, 0},
			.host = &fake_empty_host};
		assert_null(di_expr_eval(&request, &location));
		assert_int_equal(location.answer.state, DI_ANSWER_ERROR);
		assert_string_equal(
			di_answer_text(&location.answer, (char[DI_WORDS]){0}), rows[i].text);
	}
}

/* As the rules of call frame information are: the CFA is on the stack when they begin. */
static void an_initial_stack(void **state)
{
	(void)state;
	static struct di_location location;
	char buf[128];
	struct di_base generic = di_base_generic(8);
	struct di_value cfa = di_value_make(&generic, di_wide_from_u(0x7010));
	static const uint8_t bytes[] = {DW_OP_const1s, 0xf0, DW_OP_plus};
	struct di_expr_request request = {.source = {bytes, sizeof bytes, &fake_unit, NULL, 0},
		.host = &fake_host,
		.initial = &cfa,
		.initial_count = 1};
	assert_null(di_expr_eval(&request, &location));
	assert_string_equal(di_location_text(&location, buf, sizeof buf), "memory 0x7000");
	request.as_value = true;
	assert_null(di_expr_eval(&request, &location));
	assert_string_equal(di_location_text(&location, buf, sizeof buf), "value 0x7000");
	request.source.size = 0;
	assert_null(di_expr_eval(&request, &location));
	assert_string_equal(di_location_text(&location, buf, sizeof buf), "value 0x7010");
}

static void addresses_of_four_bytes(void **state)
{
	(void)state;
	static const struct di_expr_unit unit = {.version = 4, .address_size = 4, .offset_size = 4};
	const struct row rows[] = {
		{X(DW_OP_const8u, 1, 0, 0, 0x80, 1, 0, 0, 0), "value 0x80000001"},
		{X(DW_OP_const1s, 0xff, DW_OP_plus_uconst, 2), "value 0x1"},
		{X(DW_OP_const1s, 0xf6, DW_OP_lit3, DW_OP_div), "value 0xfffffffd"},
		{X(DW_OP_const1s, 0xff, DW_OP_lit10, DW_OP_mod), "value 0x5"},
		{X(DW_OP_const1s, 0xff, DW_OP_lit1, DW_OP_lt), "value 0x1"},
		{X(DW_OP_const1s, 0xf8, DW_OP_lit1, DW_OP_shra), "value 0xfffffffc"},
		{X(DW_OP_lit1, DW_OP_const1u, 32, DW_OP_shl), "value 0x0"},
		{X(DW_OP_breg5, 0, DW_OP_deref), "value 0xf3f2f1f0"},
		{X(DW_OP_addr, 1, 2, 3, 4), "value 0x4030201"},
		{X(DW_OP_breg5, 0, DW_OP_deref_size, 5),
			"error: DW_OP_deref_size 5 at +0x2: the generic type has 4 bytes"},
	};
	static struct di_location location;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char buf[128];
		struct di_expr_request request = {
			.source = {rows[i].bytes, rows[i].size, &unit, NULL, 0},
			.host = &fake_host,
			.as_value = true};
		assert_null(di_expr_eval(&request, &location));
		assert_string_equal(di_location_text(&location, buf, sizeof buf), rows[i].text);
	}
}

static void a_budget_is_shared_and_given_back(void **state)
{
	(void)state;
	static struct di_location location;
	static const uint8_t bytes[] = {DW_OP_lit1, DW_OP_lit2, DW_OP_plus};
	struct di_expr_budget budget = {.operators = 5, .depth = 1};
	struct di_expr_request request = {.source = {bytes, sizeof bytes, &fake_unit, NULL, 0},
		.host = &fake_host,
		.budget = &budget};
	assert_null(di_expr_eval(&request, &location));
	assert_int_equal(location.answer.state, DI_ANSWER_KNOWN);
	assert_int_equal(budget.operators, 2);
	assert_int_equal(budget.depth, 1);
	assert_null(di_expr_eval(&request, &location));
	assert_string_equal(di_answer_text(&location.answer, (char[DI_WORDS]){0}),
		"DW_OP_plus at +0x2: too many operators");
	assert_int_equal(budget.depth, 1);
	budget = (struct di_expr_budget){.operators = 5, .depth = 0};
	assert_null(di_expr_eval(&request, &location));
	assert_string_equal(di_answer_text(&location.answer, (char[DI_WORDS]){0}),
		"expressions are nested too deeply");
}

static void note_step(void *arg, const struct di_expr_step *step)
{
	char *log = arg, buf[DI_VALUE_TEXT];
	size_t len = strlen(log);
	len += (size_t)sprintf(log + len, "%u +%zu %s |", step->depth, step->offset, step->text);
	for (size_t i = 0; i < step->count; i++)
		len += (size_t)sprintf(log + len, " %s", di_value_text(&step->stack[i], buf));
	sprintf(log + len, " | %zu%s\n", step->pieces, step->place ? " placed" : "");
}

static void every_step_can_be_watched(void **state)
{
	(void)state;
	static struct di_location location;
	static const uint8_t bytes[] = {DW_OP_breg5, 8, DW_OP_call2, FAKE_CALL_LIT5, 0, DW_OP_plus,
		DW_OP_stack_value, DW_OP_piece, 8, DW_OP_lit0, DW_OP_deref};
	char log[1024] = "";
	struct di_expr_request request = {.source = {bytes, sizeof bytes, &fake_unit, NULL, 0},
		.host = &fake_host,
		.trace = note_step,
		.trace_arg = log};
	assert_null(di_expr_eval(&request, &location));
	assert_string_equal(log, "0 +0 DW_OP_breg5 RDI+8 | 0x5008 | 0\n"
				 "1 +0 DW_OP_lit5 | 0x5008 0x5 | 0\n"
				 "0 +2 DW_OP_call2 <0x140> | 0x5008 0x5 | 0\n"
				 "0 +5 DW_OP_plus | 0x500d | 0\n"
				 "0 +6 DW_OP_stack_value | | 0 placed\n"
				 "0 +7 DW_OP_piece 8 | | 1\n"
				 "0 +9 DW_OP_lit0 | 0x0 | 1\n");
	assert_int_equal(location.answer.state, DI_ANSWER_ERROR); /* the last one failed */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(constants),
		cmocka_unit_test(addresses_get_the_load_bias_and_constants_do_not),
		cmocka_unit_test(registers),
		cmocka_unit_test(the_stack_is_moved_about),
		cmocka_unit_test(too_few_values_for_any_operator),
		cmocka_unit_test(memory_reads),
		cmocka_unit_test(branches),
		cmocka_unit_test(other_dies),
		cmocka_unit_test(simple_locations),
		cmocka_unit_test(only_a_piece_may_follow_a_place),
		cmocka_unit_test(composite_locations),
		cmocka_unit_test(a_lost_piece_leaves_the_others_alone),
		cmocka_unit_test(messages_name_the_section),
		cmocka_unit_test(a_host_that_knows_nothing),
		cmocka_unit_test(an_initial_stack),
		cmocka_unit_test(addresses_of_four_bytes),
		cmocka_unit_test(a_budget_is_shared_and_given_back),
		cmocka_unit_test(every_step_can_be_watched),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
