/* line_program_test.c - line number programs, byte by byte, and which row a pc gets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dwarf.h>

#include "dwarf/line_program.h"

/* --- building tables -------------------------------------------------------------------------- */

struct bytes {
	uint8_t data[512];
	size_t size;
};

static void put(struct bytes *bytes, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		bytes->data[bytes->size++] = (uint8_t)(value >> (8 * i));
}

static void put_text(struct bytes *bytes, const char *text)
{
	memcpy(bytes->data + bytes->size, text, strlen(text) + 1);
	bytes->size += strlen(text) + 1;
}

static void patch4(struct bytes *bytes, size_t at, uint64_t value)
{
	for (unsigned i = 0; i < 4; i++)
		bytes->data[at + i] = (uint8_t)(value >> (8 * i));
}

enum { LINE_BASE = -5, LINE_RANGE = 14, OPCODE_BASE = 13 };

/* The fixed part of a header; returns where header_length has to go. */
static size_t put_header(struct bytes *bytes, unsigned version, uint8_t max_ops)
{
	static const uint8_t counts[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
	put(bytes, 0, 4); /* unit_length, patched at the end */
	put(bytes, version, 2);
	if (version >= 5)
		put(bytes, 8, 2); /* address size, no segments */
	size_t at = bytes->size;
	put(bytes, 0, 4);
	put(bytes, 1, 1); /* minimum_instruction_length */
	if (version >= 4)
		put(bytes, max_ops, 1);
	put(bytes, 1, 1); /* default_is_stmt */
	put(bytes, (uint8_t)LINE_BASE, 1);
	put(bytes, LINE_RANGE, 1);
	put(bytes, OPCODE_BASE, 1);
	memcpy(bytes->data + bytes->size, counts, sizeof counts);
	bytes->size += sizeof counts;
	return at;
}

/* A DWARF 4 header with the files a.c (of the unit) and inc/b.h. */
static size_t begin(struct bytes *bytes, unsigned version, uint8_t max_ops)
{
	*bytes = (struct bytes){0};
	size_t at = put_header(bytes, version, max_ops);
	put_text(bytes, "inc");
	put(bytes, 0, 1);
	put_text(bytes, "a.c");
	put(bytes, 0, 3);
	put_text(bytes, "b.h");
	put(bytes, 1, 1);
	put(bytes, 0, 2);
	put(bytes, 0, 1);
	patch4(bytes, at, bytes->size - at - 4);
	return at;
}

static void set_address(struct bytes *bytes, uint64_t address)
{
	put(bytes, 0, 1);
	put(bytes, 9, 1);
	put(bytes, DW_LNE_set_address, 1);
	put(bytes, address, 8);
}

static void end_sequence(struct bytes *bytes)
{
	put(bytes, 0, 1);
	put(bytes, 1, 1);
	put(bytes, DW_LNE_end_sequence, 1);
}

/* The special opcode that advances both and appends a row. */
static void special(struct bytes *bytes, unsigned addresses, int lines)
{
	put(bytes, (unsigned)(lines - LINE_BASE) + LINE_RANGE * addresses + OPCODE_BASE, 1);
}

/* Runs the table; code is [0x1000, 0x2000). */
static struct xs_error *run_with(struct bytes *bytes, struct di_cursor line_str,
	const char *directory, struct di_lines *lines)
{
	struct xs_ranges code = {0};
	xs_ranges_add(&code, 0x1000, 0x2000);
	patch4(bytes, 0, bytes->size - 4);
	struct di_line_source source = {
		.line = di_cursor_over(".debug_line", bytes->data, bytes->size),
		.line_str = line_str,
		.str = di_cursor_over(".debug_str", NULL, 0),
		.code = &code};
	*lines = (struct di_lines){0};
	struct xs_error *err = di_line_program_run(&source, 0, directory, lines);
	xs_ranges_deinit(&code);
	for (size_t i = 0; i < lines->sequences.len; i++)
		lines->sequences.data[i].reach = UINT64_MAX; /* di_lines_load() computes it */
	return err;
}

static struct xs_error *run(struct bytes *bytes, struct di_lines *lines)
{
	return run_with(bytes, di_cursor_over(".debug_line_str", NULL, 0), "/src", lines);
}

static uint32_t line_at(const struct di_lines *lines, xs_addr pc)
{
	const struct di_row *row = di_lines_find(lines, pc);
	assert_non_null(row);
	return row->line;
}

/* --- tests ------------------------------------------------------------------------------------ */

static void the_last_row_of_an_address_wins(void **state)
{
	(void)state;
	struct bytes bytes;
	struct di_lines lines;
	begin(&bytes, 4, 1);
	set_address(&bytes, 0x1000);
	special(&bytes, 0, 4); /* 0x1000: line 5, is_stmt */
	special(&bytes, 0, 2); /* 0x1000: line 7, is_stmt */
	put(&bytes, DW_LNS_negate_stmt, 1);
	special(&bytes, 0, -1); /* 0x1000: line 6, not is_stmt: still the last */
	special(&bytes, 4, 3);  /* 0x1004: line 9 */
	put(&bytes, DW_LNS_advance_line, 1);
	put(&bytes, 0x77, 1);  /* -9: line 0 */
	special(&bytes, 4, 0); /* 0x1008: line 0 is a row like any other */
	put(&bytes, DW_LNS_advance_pc, 1);
	put(&bytes, 8, 1);
	end_sequence(&bytes); /* 0x1010 */
	assert_null(run(&bytes, &lines));
	assert_int_equal(lines.rows.len, 6); /* all kept */
	assert_null(di_lines_find(&lines, 0xfff));
	assert_int_equal(line_at(&lines, 0x1000), 6);
	assert_false(di_lines_find(&lines, 0x1000)->is_stmt);
	assert_int_equal(line_at(&lines, 0x1003), 6);
	assert_int_equal(line_at(&lines, 0x1004), 9);
	assert_int_equal(line_at(&lines, 0x100f), 0);
	assert_null(di_lines_find(&lines, 0x1010));
	di_lines_deinit(&lines);
}

static void rows_at_the_end_of_a_sequence_do_not_reach_into_the_next(void **state)
{
	(void)state;
	struct bytes bytes;
	struct di_lines lines;
	begin(&bytes, 3, 1);
	set_address(&bytes, 0x1000);
	special(&bytes, 0, 4); /* 0x1000: line 5 */
	special(&bytes, 8, 1); /* 0x1008: line 6, of no length */
	end_sequence(&bytes);  /* 0x1008 */
	set_address(&bytes, 0x1100);
	special(&bytes, 0, 0); /* 0x1100: line 1 again: the registers were reset */
	put(&bytes, DW_LNS_advance_pc, 1);
	put(&bytes, 1, 1);
	end_sequence(&bytes);
	assert_null(run(&bytes, &lines));
	assert_int_equal(line_at(&lines, 0x1007), 5);
	assert_null(di_lines_find(&lines, 0x1008));
	assert_null(di_lines_find(&lines, 0x10ff));
	assert_int_equal(line_at(&lines, 0x1100), 1);
	di_lines_deinit(&lines);
}

static void discarded_and_empty_sequences_are_dropped(void **state)
{
	(void)state;
	static const uint64_t starts[] = {0, UINT64_MAX, 0x1200};
	struct bytes bytes;
	struct di_lines lines;
	begin(&bytes, 2, 1);
	for (size_t i = 0; i < 3; i++) {
		set_address(&bytes, starts[i]);
		special(&bytes, 0, 1);
		if (starts[i] != 0x1200) { /* the last one is empty */
			put(&bytes, DW_LNS_advance_pc, 1);
			put(&bytes, 16, 1);
		}
		end_sequence(&bytes);
	}
	assert_null(run(&bytes, &lines));
	assert_int_equal(lines.sequences.len, 0);
	assert_int_equal(lines.rows.len, 0);
	assert_null(di_lines_find(&lines, 0x1200));
	di_lines_deinit(&lines);
}

static void every_standard_opcode(void **state)
{
	(void)state;
	struct bytes bytes;
	struct di_lines lines;
	begin(&bytes, 4, 1);
	set_address(&bytes, 0x1000);
	put(&bytes, DW_LNS_set_file, 1);
	put(&bytes, 2, 1);
	put(&bytes, DW_LNS_set_column, 1);
	put(&bytes, 7, 1);
	put(&bytes, DW_LNS_set_basic_block, 1);
	put(&bytes, DW_LNS_set_prologue_end, 1);
	put(&bytes, DW_LNS_set_epilogue_begin, 1);
	put(&bytes, DW_LNS_set_isa, 1);
	put(&bytes, 3, 1);
	put(&bytes, 0, 1);
	put(&bytes, 2, 1);
	put(&bytes, DW_LNE_set_discriminator, 1);
	put(&bytes, 3, 1);
	put(&bytes, DW_LNS_copy, 1);
	put(&bytes, DW_LNS_const_add_pc, 1); /* + (255 - 13) / 14 = 17 */
	put(&bytes, DW_LNS_copy, 1);
	put(&bytes, DW_LNS_fixed_advance_pc, 1);
	put(&bytes, 0x0100, 2);
	put(&bytes, 0, 1); /* a vendor's opcode of three bytes: stepped over */
	put(&bytes, 3, 1);
	put(&bytes, 0xfffffe, 3);
	end_sequence(&bytes);
	assert_null(run(&bytes, &lines));
	assert_int_equal(lines.rows.len, 3);
	const struct di_row *first = &lines.rows.data[0], *second = &lines.rows.data[1];
	assert_string_equal(di_lines_file(&lines, first), "/src/inc/b.h");
	assert_int_equal(first->column, 7);
	assert_int_equal(first->discriminator, 3);
	assert_true(first->basic_block && first->prologue_end && first->epilogue_begin);
	assert_int_equal(second->address, 0x1011);
	assert_int_equal(second->discriminator, 0);
	assert_false(second->basic_block || second->prologue_end || second->epilogue_begin);
	assert_int_equal(second->column, 7);
	assert_int_equal(lines.rows.data[2].address, 0x1111);
	assert_true(lines.rows.data[2].end_sequence);
	di_lines_deinit(&lines);
}

static void several_operations_an_instruction(void **state)
{
	(void)state;
	struct bytes bytes;
	struct di_lines lines;
	begin(&bytes, 4, 3);
	set_address(&bytes, 0x1000);
	special(&bytes, 2, 1); /* op_index 2: the same instruction */
	special(&bytes, 2, 1); /* 4 operations: one instruction on, op_index 1 */
	special(&bytes, 5, 1); /* 6 operations: two more */
	put(&bytes, DW_LNS_advance_pc, 1);
	put(&bytes, 3, 1);
	end_sequence(&bytes);
	assert_null(run(&bytes, &lines));
	assert_int_equal(lines.rows.data[0].address, 0x1000);
	assert_int_equal(lines.rows.data[1].address, 0x1001);
	assert_int_equal(lines.rows.data[2].address, 0x1003);
	assert_int_equal(lines.rows.data[3].address, 0x1004);
	di_lines_deinit(&lines);
}

static void version_5_counts_from_0_and_names_its_directory(void **state)
{
	(void)state;
	static const char strings[] = "/home/me\0sub\0x.c";
	struct bytes bytes = {0};
	struct di_lines lines;
	size_t at = put_header(&bytes, 5, 1);
	put(&bytes, 1, 1); /* directories: a path */
	put(&bytes, DW_LNCT_path, 1);
	put(&bytes, DW_FORM_line_strp, 1);
	put(&bytes, 2, 1);
	put(&bytes, 0, 4);
	put(&bytes, 9, 4);
	put(&bytes, 3, 1); /* files: a path, a directory, an MD5 */
	put(&bytes, DW_LNCT_path, 1);
	put(&bytes, DW_FORM_string, 1);
	put(&bytes, DW_LNCT_directory_index, 1);
	put(&bytes, DW_FORM_udata, 1);
	put(&bytes, DW_LNCT_MD5, 1);
	put(&bytes, DW_FORM_data16, 1);
	put(&bytes, 2, 1);
	for (unsigned dir = 0; dir < 2; dir++) {
		put_text(&bytes, dir ? "y.h" : "x.c");
		put(&bytes, dir, 1);
		put(&bytes, 0, 8);
		put(&bytes, 0, 8);
	}
	patch4(&bytes, at, bytes.size - at - 4);
	set_address(&bytes, 0x1000);
	special(&bytes, 0, 0); /* file 1, the machine's initial one */
	put(&bytes, DW_LNS_set_file, 1);
	put(&bytes, 0, 1);
	special(&bytes, 1, 0);
	put(&bytes, DW_LNS_set_file, 1);
	put(&bytes, 9, 1); /* there is none */
	special(&bytes, 1, 0);
	put(&bytes, DW_LNS_advance_pc, 1);
	put(&bytes, 1, 1);
	end_sequence(&bytes);
	struct di_cursor line_str = di_cursor_over(".debug_line_str", strings, sizeof strings);
	assert_null(run_with(&bytes, line_str, "/ignored", &lines));
	assert_string_equal(di_lines_file(&lines, &lines.rows.data[0]), "/home/me/sub/y.h");
	assert_string_equal(di_lines_file(&lines, &lines.rows.data[1]), "/home/me/x.c");
	assert_null(di_lines_file(&lines, &lines.rows.data[2]));
	di_lines_deinit(&lines);
}

static void addresses_that_go_back_are_put_in_order(void **state)
{
	(void)state;
	struct bytes bytes;
	struct di_lines lines;
	begin(&bytes, 4, 1);
	set_address(&bytes, 0x1008);
	special(&bytes, 0, 1); /* 0x1008: line 2 */
	set_address(&bytes, 0x1000);
	special(&bytes, 0, 1); /* 0x1000: line 3 */
	special(&bytes, 0, 1); /* 0x1000: line 4 */
	set_address(&bytes, 0x1010);
	end_sequence(&bytes);
	assert_null(run(&bytes, &lines));
	assert_int_equal(line_at(&lines, 0x1000), 4);
	assert_int_equal(line_at(&lines, 0x1008), 2);
	di_lines_deinit(&lines);
}

static void overlapping_sequences_the_one_that_begins_last_wins(void **state)
{
	(void)state;
	struct bytes bytes;
	struct di_lines lines;
	begin(&bytes, 4, 1);
	set_address(&bytes, 0x1000);
	special(&bytes, 0, 1); /* line 2: [0x1000, 0x1100) */
	set_address(&bytes, 0x1100);
	end_sequence(&bytes);
	set_address(&bytes, 0x1040);
	special(&bytes, 0, 2); /* line 3: [0x1040, 0x1050) */
	set_address(&bytes, 0x1050);
	end_sequence(&bytes);
	assert_null(run(&bytes, &lines));
	assert_int_equal(line_at(&lines, 0x1045), 3);
	assert_int_equal(line_at(&lines, 0x1050), 2);
	di_lines_deinit(&lines);
}

static void expect_error(struct bytes *bytes, const char *message)
{
	struct di_lines lines;
	XS_AUTO(xs_error) err = run(bytes, &lines);
	assert_non_null(err);
	assert_string_equal(err->message, message);
	di_lines_deinit(&lines);
}

static void what_makes_no_sense_is_refused_and_named(void **state)
{
	(void)state;
	struct bytes bytes;
	begin(&bytes, 4, 1);
	put(&bytes, DW_LNS_advance_pc, 1);
	put(&bytes, 0x80, 1); /* a LEB128 that does not end */
	expect_error(&bytes, ".debug_line+0x32: expected 1 byte, have 0");

	begin(&bytes, 4, 1);
	put(&bytes, 0, 1); /* an extended opcode longer than the table */
	put(&bytes, 40, 1);
	put(&bytes, DW_LNE_end_sequence, 1);
	expect_error(&bytes, ".debug_line+0x32: expected 40 bytes, have 1");

	begin(&bytes, 4, 1);
	put(&bytes, 0, 1);
	put(&bytes, 17, 1); /* an address of 16 bytes */
	put(&bytes, DW_LNE_set_address, 1);
	bytes.size += 16;
	expect_error(&bytes, ".debug_line+0x32: an address of 16 bytes");

	begin(&bytes, 9, 1);
	expect_error(&bytes, ".debug_line+0x0: version 9, not 2 to 5");

	bytes = (struct bytes){0};
	put_header(&bytes, 5, 1);
	put(&bytes, 0, 1);
	put(&bytes, 5, 1); /* five directories of no field */
	patch4(&bytes, 8, bytes.size - 12);
	expect_error(&bytes, ".debug_line+0x20: 5 entries without a field");

	bytes = (struct bytes){0};
	put_header(&bytes, 5, 1);
	put(&bytes, 1, 1);
	put(&bytes, DW_LNCT_path, 1);
	put(&bytes, DW_FORM_flag_present, 1);
	put(&bytes, 1, 1);
	patch4(&bytes, 8, bytes.size - 12);
	expect_error(&bytes, ".debug_line+0x22: form 0x19 is not one for directories and files");
}

static void any_prefix_of_a_table_is_refused_or_read(void **state)
{
	(void)state;
	struct bytes whole;
	begin(&whole, 4, 1);
	set_address(&whole, 0x1000);
	special(&whole, 4, 4);
	end_sequence(&whole);
	for (size_t size = 8; size < whole.size; size++) {
		struct bytes part = whole;
		struct di_lines lines;
		part.size = size;
		XS_AUTO(xs_error) err = run(&part, &lines);
		(void)err;
		di_lines_deinit(&lines);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_row_of_an_address_wins),
		cmocka_unit_test(rows_at_the_end_of_a_sequence_do_not_reach_into_the_next),
		cmocka_unit_test(discarded_and_empty_sequences_are_dropped),
		cmocka_unit_test(every_standard_opcode),
		cmocka_unit_test(several_operations_an_instruction),
		cmocka_unit_test(version_5_counts_from_0_and_names_its_directory),
		cmocka_unit_test(addresses_that_go_back_are_put_in_order),
		cmocka_unit_test(overlapping_sequences_the_one_that_begins_last_wins),
		cmocka_unit_test(what_makes_no_sense_is_refused_and_named),
		cmocka_unit_test(any_prefix_of_a_table_is_refused_or_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
