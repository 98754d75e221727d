/* words_test.c - the words that people read for each reason, and the names that stores keep.
 * Whoever changes one of them changes what commands print, or what a store of an older xstep says.
 * */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dwarf.h>
#include <string.h>

#include "dwarf/value.h"
#include "dwarf/words.h"

#define SIGNED(width)   ((uint64_t)DI_BASE_SIGNED << 32 | (width))
#define UNSIGNED(width) ((uint64_t)DI_BASE_UNSIGNED << 32 | (width))

struct row {
	struct di_why why;
	const char *text;
};

/* One row to each form of operand, and those that the judge decides by. */
static const struct row rows[] = {
	{{.code = DI_WHY_NONE}, ""},
	{{.code = DI_WHY_OTHER, .text = {"as it is"}}, "as it is"},
	{{.code = DI_WHY_NO_LOCATION}, "it has no location"},
	{{.code = DI_WHY_NOT_LIVE}, "no entry of its location list covers this pc"},
	{{.code = DI_WHY_REGISTER_NOT_SAVED, .number = {5}}, "RDI was not saved by the callee"},
	{{.code = DI_WHY_REGISTER_NOT_SAVED, .number = {200}},
		"register was not saved by the callee"},
	{{.code = DI_WHY_NO_REGISTER, .number = {200}}, "no register 200 in this machine state"},
	{{.code = DI_WHY_MEMORY_UNREADABLE, .number = {0x10}}, "cannot read memory at 0x10"},
	{{.code = DI_WHY_NO_TLS, .text = {"libc.so.6"}}, "libc.so.6 has no thread-local storage"},
	{{.code = DI_WHY_NO_CALL_SITE, .number = {0x1154}},
		"no call site for the return to 0x1154"},
	{{.code = DI_WHY_CALL_SITE_SILENT}, "the call site does not tell"},
	{{.code = DI_WHY_ENDED_REGISTER}, "a register of a function that a tail call ended"},
	{{.code = DI_WHY_ENDED_FRAME_BASE}, "the frame base of a function that a tail call ended"},
	{{.code = DI_WHY_STATIC_LINK_MISSING, .text = {"f", "g"}},
		"f has no DW_AT_static_link: nobody knows which call of g is around it"},
	{{.code = DI_WHY_STATIC_LINK_NOWHERE, .text = {"f", "g"}, .number = {0x30}},
		"the static link of f leads to 0x30, which is the frame base of no call of g"},
	{{.code = DI_WHY_NOBODY_KNOWS, .text = {"memory"}}, "memory cannot be had here"},
	{{.code = DI_WHY_NO_DIE, .number = {0x2a}}, "no DIE at .debug_info+0x2a"},
	{{.code = DI_WHY_TYPE_TAG, .number = {0x33}}, "DW_TAG_variant_part is not read"},
	{{.code = DI_WHY_TYPE_TAG, .number = {0x4321}}, "DW_TAG_0x4321 is not read"},
	{{.code = DI_WHY_LANGUAGE, .number = {0x8}}, "of Fortran only plain base types are read"},
	{{.code = DI_WHY_LANGUAGE, .number = {0x8765}},
		"of language 0x8765 only plain base types are read"},
	{{.code = DI_WHY_TYPE_ATTRIBUTE, .number = {0x65}}, "DW_AT_endianity is not read"},
	{{.code = DI_WHY_TYPE_ENCODING, .number = {0xd}},
		"values of encoding DW_ATE_signed_fixed are not read"},
	{{.code = DI_WHY_STACK_UNDERFLOW, .number = {0}}, "0 values on the stack"},
	{{.code = DI_WHY_STACK_UNDERFLOW, .number = {1}}, "1 value on the stack"},
	{{.code = DI_WHY_NOT_AN_INTEGER, .number = {(uint64_t)DI_BASE_FLOAT << 32 | 64}},
		"operand is float 64, not an integer"},
	{{.code = DI_WHY_TYPES_DIFFER, .number = {UNSIGNED(64), 0}},
		"operands are unsigned 64 and generic, not of one type"},
	{{.code = DI_WHY_DIVISION_BY_ZERO}, "division by zero"},
	{{.code = DI_WHY_NEGATIVE_SHIFT,
		 .wide = {{UINT64_MAX - 2, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX,
			 UINT64_MAX, UINT64_MAX, UINT64_MAX}}},
		"shift by -3"},
	{{.code = DI_WHY_DOES_NOT_FIT,
		 .number = {DI_FP_DOUBLE, SIGNED(8)},
		 .wide = {{0x407f400000000000}}},
		"5e+02 does not fit into signed 8"},
	{{.code = DI_WHY_BASE_TYPE_SIZE, .number = {0x31, 600, 75, 512}},
		"base type <0x31> has 600 bits in 75 bytes, not 1 to 512"},
	{{.code = DI_WHY_OPERATOR_UNKNOWN, .number = {0x2, 0x1f}},
		"operator 0x02 at +0x1f: unknown"},
	{{.code = DI_WHY_OPERATOR_ENCODING, .number = {DW_OP_GNU_encoded_addr, 0, 0xff}},
		"DW_OP_GNU_encoded_addr at +0x0: unknown pointer encoding 0xff"},
	{{.code = DI_WHY_OPERATOR_SHORT, .number = {DW_OP_const4u, 1, 4, 2}},
		"DW_OP_const4u at +0x1: expected 4 bytes, have 2"},
	{{.code = DI_WHY_OPERATOR_SHORT, .number = {DW_OP_const1u, 0, 1, 0}},
		"DW_OP_const1u at +0x0: expected 1 byte, have 0"},
	{{.code = DI_WHY_SECTION_SHORT, .text = {".debug_loc"}, .number = {0x4c, 4, 2}},
		".debug_loc+0x4c: expected 4 bytes, have 2"},
	{{.code = DI_WHY_LIST_ENTRY_KIND, .text = {".debug_loclists"}, .number = {0x4c, 0x77}},
		".debug_loclists+0x4c: 0x77 is no kind of entry"},
	{{.code = DI_WHY_CONSTANT_FORM, .number = {0x1e}, .text = {"no block data"}},
		"constant of form 0x1e: no block data"},
	{{.code = DI_WHY_TYPE_WIDE_INTEGER}, "integers of over 512 bits are not read"},
	{{.code = DI_WHY_TYPE_DECIMAL_FLOAT}, "decimal floats are not read"},
	{{.code = DI_WHY_REGISTER_BITS, .number = {0, 64, 64, 95}},
		"register RAX has 64 bits, bits 64 to 95 of it are asked for"},
	{{.code = DI_WHY_REGISTER_BITS, .number = {200, 64, 64, 95}},
		"register 200 has 64 bits, bits 64 to 95 of it are asked for"},
	{{.code = DI_WHY_PATH_INDEX, .number = {(uint64_t)-1}, .text = {"int[4]"}},
		"index -1 is outside of int[4]"},
	{{.code = DI_WHY_PATH_NEAR_MEMBER, .number = {2}, .text = {"xy.z", "struct s", "xx"}},
		"no member 'xy' in struct s: is 'xx' meant?"},
	{{.code = DI_WHY_FRAME_REGISTER, .number = {3}}, "RBX was not saved"},
	{{.code = DI_WHY_FRAME_REGISTER, .number = {17}}, "register 17 was not saved"},
	{{.code = DI_WHY_CFI_AUGMENTATION, .text = {"armcc+and much more that nobody reads"}},
		"unknown augmentation \"armcc+and much m\""},
	{{.code = DI_WHY_CFI_FDE_SIZE, .number = {0x10, 0x1000}}, "FDE of 0x10 bytes at 0x1000"},
};

static void a_reason_has_its_words(void **state)
{
	(void)state;
	char buf[DI_WORDS];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(di_why_text(&rows[i].why, buf), rows[i].text);
}

/* No words ask for more operands than there are: the text of every code can be made. */
static void every_code_has_words_and_a_name_of_its_own(void **state)
{
	(void)state;
	char buf[DI_WORDS];
	for (unsigned i = 0; i < DI_WHY_COUNT; i++) {
		enum di_why_code code = (enum di_why_code)i;
		struct di_why why = {.code = code, .text = {"a", "b", "c"}};
		if (why.code == DI_WHY_OPERATOR_ENCODING || why.code == DI_WHY_OPERATOR_SHORT)
			why.number[0] = DW_OP_addr;
		if (why.code == DI_WHY_DOES_NOT_FIT)
			why.number[0] = DI_FP_DOUBLE;
		assert_true(code == DI_WHY_NONE || *di_why_text(&why, buf));
		assert_null(strchr(buf, '%'));
		assert_int_equal(di_why_named(di_why_name(code)), code);
		assert_int_equal(strspn(di_why_name(code), "abcdefghijklmnopqrstuvwxyz-"),
			strlen(di_why_name(code)));
	}
	assert_int_equal(di_why_named(NULL), DI_WHY_NONE);
	assert_int_equal(di_why_named("of a later xstep"), DI_WHY_NONE);
}

static void what_was_being_done_comes_before_the_reason(void **state)
{
	(void)state;
	static const uint8_t bytes[] = {DW_OP_lit1, DW_OP_breg5, 8};
	struct di_within within = {.kind = DI_WITHIN_OPERATOR,
		.version = 5,
		.address_size = 8,
		.offset_size = 4,
		.name = ".debug_info",
		.offset = 0x4c,
		.data = bytes,
		.size = sizeof bytes,
		.at = 1};
	struct di_answer answer;
	char buf[DI_WORDS];
	di_answer_gone(&answer, DI_WHY_REGISTER_NOT_SAVED, .number = {5});
	di_answer_within(&answer, &within);
	assert_string_equal(di_answer_text(&answer, buf),
		".debug_info+0x4c: DW_OP_breg5 RDI+8 at +0x1: RDI was not saved by the callee");
	within.name = NULL;
	within.kind = DI_WITHIN_END;
	di_answer_error(&answer, DI_WHY_STACK_UNDERFLOW);
	di_answer_within(&answer, &within);
	di_answer_within(&answer, &(struct di_within){.kind = DI_WITHIN_PART, .name = "the bound"});
	assert_string_equal(
		di_answer_text(&answer, buf), "the bound: end at +0x3: 0 values on the stack");
	di_answer_gone(&answer, DI_WHY_TAIL_BACK);
	di_answer_within(&answer,
		&(struct di_within){.kind = DI_WITHIN_CALL, .offset = 0x1154, .other = "g"});
	assert_string_equal(di_answer_text(&answer, buf),
		"the caller called 0x1154, and g runs: a tail call may have led back to it");
	di_answer_error(&answer, DI_WHY_TYPE_INCOMPLETE);
	di_answer_within(&answer, &(struct di_within){.kind = DI_WITHIN_TYPE, .name = "struct s"});
	assert_string_equal(di_answer_text(&answer, buf), "struct s: incomplete type");
	assert_int_equal(answer.why.code, DI_WHY_TYPE_INCOMPLETE);
}

/* However much is nested: the outermost is told, the reason itself is kept. */
static void words_are_cut_and_reasons_are_not(void **state)
{
	(void)state;
	struct di_answer answer, copy;
	char buf[DI_WORDS];
	di_answer_error(&answer, DI_WHY_MEMORY_UNREADABLE, .number = {0x10});
	for (unsigned i = 0; i < 40; i++)
		di_answer_within(
			&answer, &(struct di_within){.kind = DI_WITHIN_TYPE,
					 .name = i == 39 ? "outermost"
							 : "0123456789 123456789 123456789 "
							   "123456789 123456789 123456789"});
	di_answer_text(&answer, buf);
	assert_int_equal(strlen(buf), DI_WORDS - 1);
	assert_memory_equal(buf, "outermost: 0123456789 ", 22);
	di_answer_copy(&copy, &answer);
	assert_int_equal(copy.why.code, DI_WHY_MEMORY_UNREADABLE);
	assert_string_equal(di_answer_text(&copy, (char[DI_WORDS]){0}), buf);
	assert_int_equal(di_answer_hash(&copy), di_answer_hash(&answer));
	copy.why.number[0]++;
	assert_int_not_equal(di_answer_hash(&copy), di_answer_hash(&answer));
}

/* Whatever else is in it, and wherever it was loaded. */
static void entries_of_a_list_have_numbers_of_their_own(void **state)
{
	(void)state;
	static const uint8_t list[256];
	for (uint64_t start = 0; start < 4096; start++) {
		uint64_t hash[2];
		for (size_t i = 0; i < 2; i++) {
			struct di_answer answer;
			di_answer_gone(&answer, DI_WHY_NO_CALL_SITE, .number = {start});
			di_answer_within(&answer, &(struct di_within){.kind = DI_WITHIN_OPERATOR,
							  .offset = start + 72 * i,
							  .data = list + 72 * i,
							  .size = 4});
			hash[i] = di_answer_hash(&answer);
		}
		assert_int_not_equal(hash[0], hash[1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_reason_has_its_words),
		cmocka_unit_test(every_code_has_words_and_a_name_of_its_own),
		cmocka_unit_test(what_was_being_done_comes_before_the_reason),
		cmocka_unit_test(words_are_cut_and_reasons_are_not),
		cmocka_unit_test(entries_of_a_list_have_numbers_of_their_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
