/* probe_test.c - notes and operands of probes, sound and corrupt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/map.h"
#include "dwarf/probe.h"

/* A machine: register n holds 0x1000 * (n + 1) + 0x7654; memory holds its address's low byte; there
 * is none from 0x80000 on. */
static bool fake_reg(void *arg, unsigned reg, uint8_t bytes[DI_REG_BYTES], unsigned *size)
{
	uint64_t value = 0x1000 * ((uint64_t)reg + 1) + 0x7654;
	(void)arg;
	if (reg > DI_REG_XMM0 + 15)
		return false;
	memset(bytes, 0, DI_REG_BYTES);
	memcpy(bytes, &value, sizeof value);
	*size = reg < DI_REG_XMM0 ? 8 : 16;
	return true;
}

static bool fake_memory(void *arg, xs_addr addr, void *ret, size_t size)
{
	(void)arg;
	for (size_t i = 0; i < size; i++)
		((uint8_t *)ret)[i] = (uint8_t)(addr + i);
	return addr < 0x80000;
}

static const struct di_target machine = {.reg = fake_reg, .memory = fake_memory};

static bool fake_symbol(void *arg, const char *name, size_t length, xs_addr *ret)
{
	(void)arg;
	*ret = 0x4010;
	return (length == 5 && !memcmp(name, "table", 5)) ||
	       (length == 9 && !memcmp(name, "counter.0", 9));
}

static const struct di_probe_symbols symbols = {fake_symbol, NULL};

static void operands_say_where_they_are(void **state)
{
	static const struct {
		const char *text;
		uint64_t value;
		unsigned size;
		bool is_signed, is_float;
	} cases[] = {
		{"-4@%eax", 0x8654, 4, true, false},
		{"8@%rcx", 0xa654, 8, false, false},
		{"1@%dil", 0x54, 1, false, false},
		{"-1@%ah", 0x86, 1, true, false},
		{"-2@%r9w", 0x1654, 2, true, false},
		{"1@%r15b", 0x54, 1, false, false},
		{"-2@%r10d", 0x2654, 2, true, false},
		{"4f@%edx", 0x9654, 4, false, true},
		{"8f@%xmm0", 0x19654, 8, false, true},
		{"8@$7", 7, 8, false, false},
		{"-4@$-1", 0xffffffff, 4, true, false},
		{"1@$-56", 200, 1, false, false},
		{"-2@$0x1ffff", 0xffff, 2, true, false},
		{"8@$table+4", 0x44014, 8, false, false},
		{"4@16(%rsp)", 0x67666564, 4, false, false},
		{"1@(%rdi)", 0x54, 1, false, false},
		{"1@-8(%rbp,%rax,4)", (0xe654 + 4 * 0x8654 - 8) & 0xff, 1, false, false},
		{"1@(%rbp,%rax)", (0xe654 + 0x8654) & 0xff, 1, false, false},
		{"1@3(,%rax,8)", (8 * 0x8654 + 3) & 0xff, 1, false, false},
		{"1@table(%rip)", 0x10, 1, false, false},
		{"1@table+8(%rip)", 0x18, 1, false, false},
		{"1@8+table(%rip)", 0x18, 1, false, false},
		{"1@table-1(%rip)", 0x0f, 1, false, false},
		{"1@counter.0(%rip)", 0x10, 1, false, false},
		{"1@table+2(%rdx)", (0x9654 + 0x12) & 0xff, 1, false, false},
		{"%eax", 0x8654, 4, false, false},
		{"%rsi", 0xc654, 8, false, false},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct di_probe_operand operand;
		uint64_t value = 0;
		di_probe_operand_parse(cases[i].text, strlen(cases[i].text), &symbols, &operand);
		const char *why = di_probe_value(&operand, &machine, 0x40000, &value);
		if (why)
			print_error("%s: %s\n", cases[i].text, why);
		assert_null(why);
		if (value != cases[i].value)
			print_error("%s\n", cases[i].text);
		assert_int_equal(value, cases[i].value);
		assert_int_equal(operand.size, cases[i].size);
		assert_int_equal(operand.is_signed, cases[i].is_signed);
		assert_int_equal(operand.is_float, cases[i].is_float);
		assert_string_equal(operand.text, cases[i].text);
		free(operand.text);
	}
}

static void what_is_not_understood_has_a_reason(void **state)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{"", "no operand as gas writes it"},
		{"4@", "no operand as gas writes it"},
		{"4@%", "a register that is not known"},
		{"4@%eex", "a register that is not known"},
		{"4@%r16d", "a register that is not known"},
		{"4@%r7", "a register that is not known"},
		{"8@%xmm99", "a register that is not known"},
		{"4@%eax,", "no operand as gas writes it"},
		{"8@%eax", "in a register that is narrower than it"},
		{"4@%fs:8(%rax)", "relative to a segment register"},
		{"4@other(%rip)", "by a symbol that is not there, or not the only one of its name"},
		{"4@table@GOTPCREL(%rip)", "by a relocation, such as a slot of the GOT"},
		{"4@8(%rip)", "relative to the pc without a symbol"},
		{"4@8(%eax)", "by an address of fewer than 64 bits"},
		{"4@8(%rax,%rbx,3)", "no operand as gas writes it"},
		{"4@8(%rax", "no operand as gas writes it"},
		{"4@8(%rax)x", "no operand as gas writes it"},
		{"4@$", "no operand as gas writes it"},
		{"8@$99999999999999999999", "no operand as gas writes it"},
		{"4@$1x", "no operand as gas writes it"},
		{"4@$table-table", "no operand as gas writes it"},
		{"16@(%rax)", "of another size than 1, 2, 4 or 8 bytes"},
		{"(%rax)", "of another size than 1, 2, 4 or 8 bytes"},
		{"$7", "of another size than 1, 2, 4 or 8 bytes"},
		{"4@99999999999999999999999999999999999999(%rax)", "no operand as gas writes it"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct di_probe_operand operand;
		uint64_t value;
		di_probe_operand_parse(cases[i].text, strlen(cases[i].text), &symbols, &operand);
		if (operand.where != DI_PROBE_UNREAD)
			print_error("%s\n", cases[i].text);
		assert_int_equal(operand.where, DI_PROBE_UNREAD);
		assert_string_equal(operand.why, cases[i].why);
		assert_string_equal(di_probe_value(&operand, &machine, 0, &value), cases[i].why);
		free(operand.text);
	}
}

static void memory_and_registers_may_not_be_there(void **state)
{
	struct di_probe_operand operand;
	uint64_t value;
	(void)state;
	di_probe_operand_parse("4@0x80000(%rax)", 15, &symbols, &operand);
	assert_string_equal(
		di_probe_value(&operand, &machine, 0, &value), "in memory that is not there");
	free(operand.text);
	di_probe_operand_parse("8@%xmm31", 8, &symbols, &operand);
	assert_string_equal(
		di_probe_value(&operand, &machine, 0, &value), "in a register that is not there");
	free(operand.text);
}

/* A note of a probe at pc, written by hand. */
static size_t note(uint8_t *to, xs_addr pc, xs_addr base, const char *texts, size_t size)
{
	uint32_t head[3] = {8, (uint32_t)(24 + size), 3};
	uint64_t addresses[3] = {pc, base, 0x9000};
	memcpy(to, head, 12);
	memcpy(to + 12, "stapsdt", 8);
	memcpy(to + 20, addresses, 24);
	memcpy(to + 44, texts, size);
	return (44 + size + 3) / 4 * 4;
}

#define TEXTS(t) t, sizeof(t)

static void notes_are_read_by_pc(void **state)
{
	uint8_t bytes[400] = {0};
	size_t size = note(bytes, 0x1200, 0x2000, TEXTS("libc\0setjmp\0008@%rdi -4@%esi 8@%rax"));
	size += note(bytes + size, 0x1100, 0x2000, TEXTS("xstep\0p1__a\0-4@%eax"));
	size += note(bytes + size, 0x1300, 0x2000, TEXTS("xstep\0p2\0"));
	struct di_cursor cursor = di_cursor_over(".note.stapsdt", bytes, size);
	struct di_probes probes = {0};
	(void)state;
	/* The file was moved by 0x10 after it was linked. */
	di_probes_parse(&cursor, 0x2010, &symbols, &probes);
	assert_int_equal(probes.list.len, 3);
	assert_int_equal(probes.unread, 0);
	assert_int_equal(probes.list.data[0].pc, 0x1110);
	assert_string_equal(probes.list.data[0].name, "p1__a");
	assert_int_equal(probes.list.data[1].pc, 0x1210);
	assert_int_equal(probes.list.data[1].semaphore, 0x9010);
	assert_string_equal(probes.list.data[1].provider, "libc");
	assert_int_equal(probes.list.data[1].operands.len, 3);
	assert_string_equal(probes.list.data[1].operands.data[2].text, "8@%rax");
	assert_int_equal(probes.list.data[2].operands.len, 0);
	di_probes_deinit(&probes);
}

static void intel_syntax_is_left_whole(void **state)
{
	uint8_t bytes[200] = {0};
	size_t size = note(bytes, 1, 0, TEXTS("xstep\0p1__a__b\0-4@DWORD PTR [rbp-4] 8@rax"));
	struct di_cursor cursor = di_cursor_over(".note.stapsdt", bytes, size);
	struct di_probes probes = {0};
	(void)state;
	di_probes_parse(&cursor, 0, &symbols, &probes);
	assert_int_equal(probes.list.len, 1);
	for (size_t i = 0; i < probes.list.data[0].operands.len; i++)
		assert_int_equal(probes.list.data[0].operands.data[i].where, DI_PROBE_UNREAD);
	di_probes_deinit(&probes);
}

/* Every cut and every changed byte: counted or read, and never past the end. */
static void corrupt_notes_are_counted(void **state)
{
	uint8_t bytes[200] = {0};
	size_t size = note(bytes, 0x1200, 0x2000, TEXTS("xstep\0p1__a\0-4@%eax 8@8(%rsp)"));
	size += note(bytes + size, 0x1300, 0x2000, TEXTS("xstep\0p2__b\0-4@table(%rip)"));
	(void)state;
	for (size_t cut = 1; cut < size; cut++) {
		uint8_t *copy = malloc(cut);
		struct di_probes probes = {0};
		memcpy(copy, bytes, cut);
		struct di_cursor cursor = di_cursor_over(".note.stapsdt", copy, cut);
		di_probes_parse(&cursor, 0, &symbols, &probes);
		assert_true(probes.list.len + probes.unread >= 1);
		assert_true(probes.list.len <= 2);
		di_probes_deinit(&probes);
		free(copy);
	}
	for (size_t i = 0; i < size * 8; i++) {
		uint8_t *copy = malloc(size);
		struct di_probes probes = {0};
		memcpy(copy, bytes, size);
		copy[i / 8] ^= (uint8_t)(1 << i % 8);
		struct di_cursor cursor = di_cursor_over(".note.stapsdt", copy, size);
		di_probes_parse(&cursor, 0, &symbols, &probes);
		assert_true(probes.list.len <= 2);
		di_probes_deinit(&probes);
		free(copy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operands_say_where_they_are),
		cmocka_unit_test(what_is_not_understood_has_a_reason),
		cmocka_unit_test(memory_and_registers_may_not_be_there),
		cmocka_unit_test(notes_are_read_by_pc),
		cmocka_unit_test(intel_syntax_is_left_whole),
		cmocka_unit_test(corrupt_notes_are_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
