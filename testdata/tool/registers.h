/* registers.h - what tool_registers.c has in its registers and memory at stop_here, checked against
 * any machine state that describes it. For cmocka tests. */
#ifndef TESTDATA_REGISTERS_H
#define TESTDATA_REGISTERS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "dwarf/target.h"

static inline uint64_t number_in(const struct di_target *target, unsigned reg, unsigned expected)
{
	uint8_t bytes[DI_REG_BYTES];
	unsigned size = 0;
	uint64_t value = 0;
	assert_true(target->reg(target->arg, reg, bytes, &size));
	assert_int_equal(size, expected);
	memcpy(&value, bytes, size);
	return value;
}

static inline void check_x87(const struct di_target *target, unsigned reg, long double expected)
{
	uint8_t bytes[DI_REG_BYTES];
	unsigned size = 0;
	long double value = 0;
	assert_true(target->reg(target->arg, reg, bytes, &size));
	assert_int_equal(size, 10);
	memcpy(&value, bytes, size);
	assert_true(value == expected);
}

static inline void check_registers(const struct di_target *target)
{
	static const unsigned plain[] = {0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12};
	uint8_t bytes[DI_REG_BYTES];
	unsigned size = 0;
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		assert_int_equal(number_in(target, plain[i], 8), 0x1111111111111100 + plain[i]);
	for (unsigned v = 0; v < 16; v++) {
		unsigned have = __builtin_cpu_supports("avx") ? 32 : 16;
		assert_true(target->reg(target->arg, DI_REG_XMM0 + v, bytes, &size));
		assert_in_range(size, have, 64);
		for (unsigned i = 0; i < have; i++)
			assert_int_equal(bytes[i], (16 * v + i) & 0xff);
	}
	check_x87(target, DI_REG_ST0, 0);
	check_x87(target, DI_REG_ST0 + 1, 0xc.90fdaa22168c235p-2L);
	check_x87(target, DI_REG_ST0 + 2, 1);
	assert_int_equal(number_in(target, DI_REG_MXCSR, 4), 0x1f80);
	assert_int_equal(number_in(target, 65, 2), 0x37f);
	assert_int_equal(number_in(target, 66, 2) >> 11 & 7, 5);
	/* mm7 is the first that was pushed: 1.0, whose significand is 2^63. */
	assert_true(number_in(target, 48, 8) == (uint64_t)1 << 63);
	assert_true(number_in(target, DI_REG_RFLAGS, 8) & 2);
	assert_int_equal(number_in(target, DI_REG_ES + 1, 2), 0x33); /* cs of 64-bit code */
	assert_true(number_in(target, DI_REG_FS_BASE, 8));
	assert_int_equal(number_in(target, DI_REG_GS_BASE, 8), 0);
	assert_false(target->reg(target->arg, 1000, bytes, &size));
	assert_false(target->reg(target->arg, 56, bytes, &size));
}

static inline void check_memory(const struct di_target *target)
{
	static const char text[] = "constants are left out of core files";
	uint8_t bytes[512], zero[512] = {0};
	char read[sizeof text];
	assert_true(
		target->memory(target->arg, number_in(target, DI_REG_RBP, 8), bytes, sizeof bytes));
	for (unsigned i = 0; i < sizeof bytes; i++)
		assert_int_equal(bytes[i], (16 * (i / 32) + i % 32) & 0xff);
	assert_true(target->memory(target->arg, number_in(target, 13, 8), read, sizeof read));
	assert_memory_equal(read, text, sizeof text);
	assert_true(
		target->memory(target->arg, number_in(target, 14, 8) + 50000, bytes, sizeof bytes));
	assert_memory_equal(bytes, zero, sizeof zero);
	/* ud2 at pc: code, which core files leave out. */
	assert_true(target->memory(target->arg, number_in(target, DI_REG_RIP, 8), bytes, 2));
	assert_memory_equal(bytes, "\x0f\x0b", 2);
	assert_true(target->memory(target->arg, number_in(target, DI_REG_RSP, 8), bytes, 8));
	assert_false(target->memory(target->arg, 0, bytes, 1));
	assert_false(target->memory(target->arg, UINT64_MAX - 3, bytes, 16));
}

static inline void check_modules(const struct di_target *target)
{
	xs_addr pc = number_in(target, DI_REG_RIP, 8), cos = number_in(target, 15, 8);
	const struct di_mapping *own = target->find(target->arg, pc);
	const struct di_mapping *libm = target->find(target->arg, cos);
	assert_non_null(own);
	assert_string_equal(own->module->name, "tool_registers");
	assert_string_equal(
		di_functions_find(own->module->functions, pc - own->bias)->name, "stop_here");
	/* .bss and .data belong to the module as its code does. */
	assert_ptr_equal(target->find(target->arg, number_in(target, 14, 8) + 50000), own);
	assert_ptr_equal(target->find(target->arg, number_in(target, DI_REG_RBP, 8)), own);
	assert_non_null(libm);
	assert_string_equal(libm->module->name, "libm.so.6");
	assert_ptr_equal(target->find(target->arg, cos + 16), libm);
	assert_null(target->find(target->arg, 0));
	assert_null(target->find(target->arg, 16));
	assert_null(target->find(target->arg, number_in(target, DI_REG_RSP, 8)));
}

#endif
