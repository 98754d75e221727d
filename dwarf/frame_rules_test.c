/* frame_rules_test.c - what each kind of rule makes of a register, on a machine made up for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "dwarf/cfi.h"
#include "dwarf/frame.h"
#include "dwarf/second.h"
#include "dwarf/text.h"
#include "dwarf/words.h"

/* --- the machine ------------------------------------------------------------------------------ */

/* Register r holds 0x100 * r + 1, but for RSP and RIP. The word at address a of the stack holds
 * a + RETURN - STACK: the one at STACK is a return address to the first call of `outer`. */
enum { STACK = 0x7000, STACK_SIZE = 0x100, CODE = 0x1000, OUTER = 0x2000, RETURN = 0x2001 };
enum { BIAS = 0x500000 };

static unsigned missing = UINT32_MAX; /* a register that this machine does not have */

static bool fake_reg(void *arg, unsigned reg, uint8_t bytes[DI_REG_BYTES], unsigned *size)
{
	(void)arg;
	uint64_t value = 0x100 * (uint64_t)reg + 1;
	if (reg == missing || reg > DI_REG_XMM0 + 3)
		return false;
	value = reg == DI_REG_RSP ? STACK : reg == DI_REG_RIP ? CODE + BIAS : value;
	memset(bytes, 0xee, DI_REG_BYTES);
	memcpy(bytes, &value, sizeof value);
	*size = reg < DI_REG_GENERAL ? 8 : 16;
	return true;
}

static bool fake_memory(void *arg, xs_addr addr, void *ret, size_t size)
{
	(void)arg;
	uint8_t *bytes = ret;
	if (addr < STACK || addr > STACK + STACK_SIZE || size > STACK + STACK_SIZE - addr)
		return false;
	for (size_t i = 0; i < size; i++) {
		uint64_t word = ((addr + i) & ~(uint64_t)7) + BIAS + RETURN - STACK;
		bytes[i] = (uint8_t)(word >> (8 * ((addr + i) & 7)));
	}
	return true;
}

static struct di_mapping mapping = {.bias = BIAS};

static const struct di_mapping *fake_find(void *arg, xs_addr addr)
{
	(void)arg;
	return addr >= BIAS && addr < BIAS + 0x10000 ? &mapping : NULL;
}

static const struct di_target machine = {.reg = fake_reg, .memory = fake_memory, .find = fake_find};

/* --- its code --------------------------------------------------------------------------------- */

struct bytes {
	uint8_t data[256];
	size_t size;
};

static void put(struct bytes *bytes, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		bytes->data[bytes->size++] = (uint8_t)(value >> (8 * i));
}

static void put_entry(struct bytes *bytes, const char *body, size_t size)
{
	put(bytes, size, 4);
	memcpy(bytes->data + bytes->size, body, size);
	bytes->size += size;
}

/* A function of 0x100 bytes with the CIE at `cie`. */
static void put_fde(
	struct bytes *bytes, size_t cie, xs_addr lo, const char *program, size_t program_size)
{
	put(bytes, 21 + program_size, 4);
	put(bytes, bytes->size - cie, 4);
	put(bytes, lo, 8);
	put(bytes, 0x100, 8);
	put(bytes, 0, 1);
	memcpy(bytes->data + bytes->size, program, program_size);
	bytes->size += program_size;
}

#define PROGRAM(text) text, sizeof text - 1
/* id, version 1, "zR" or "zRS", factors 1 and -8, RIP, absolute; CFA = RSP+8, RIP at CFA-8 */
#define CIE        "\0\0\0\0\1zR\0\x01\x78\x10\x01\x00\x0c\x07\x08\x90\x01"
#define CIE_SIGNAL "\0\0\0\0\1zRS\0\x01\x78\x10\x01\x00\x0c\x07\x08\x90\x01"

static struct bytes table;

/* The machine stands in a function with this program; its caller is the outermost. */
static struct di_cfi *load(bool signal, const char *program, size_t size)
{
	struct di_cfi_section eh = {.eh = true}, debug = {0};
	table.size = 0;
	put_entry(&table, PROGRAM(CIE));
	size_t other = table.size;
	put_entry(&table, PROGRAM(CIE_SIGNAL));
	put_fde(&table, signal ? other : 0, CODE, program, size);
	put_fde(&table, 0, OUTER, PROGRAM("\x07\x10")); /* RIP undefined */
	eh.bytes = di_cursor_over(".eh_frame", table.data, table.size);
	return di_cfi_create(&eh, &debug);
}

static char module_name[] = "fake";
static struct di_module module = {.name = module_name};

/* `n frames, END: reason` and what frame 1 knows, apart from what it always does. */
static const char *walk_text(bool signal, const char *program, size_t size)
{
	static const char *const ends[] = {[DI_STACK_OUTERMOST] = "outermost",
		[DI_STACK_ASKED] = "asked",
		[DI_STACK_NO_CFI] = "no CFI",
		[DI_STACK_ERROR] = "error",
		[DI_STACK_LIMIT] = "limit"};
	static const char *const names[DI_REG_GENERAL] = {"rax", "rdx", "rcx", "rbx", "rsi", "rdi",
		"rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rip"};
	static char buf[512];
	struct di_text text = {.buf = buf, .size = sizeof buf};
	struct di_stack stack = {0};
	XS_AUTO(di_cfi) cfi = load(signal, program, size);
	module.cfi = cfi;
	mapping.module = &module;
	struct xs_error *err = di_stack_walk(&machine, &stack);
	if (err) {
		snprintf(buf, sizeof buf, "%s", err->message);
		xs_error_destroy(err);
		return buf;
	}
	di_text_put(&text, "%zu, %s", stack.frames.len, ends[stack.end]);
	if (stack.reason.state != DI_ANSWER_KNOWN)
		di_text_put(&text, ": %s", di_answer_text(&stack.reason, (char[DI_WORDS]){0}));
	for (unsigned reg = 0; stack.frames.len > 1 && reg < DI_REG_GENERAL; reg++) {
		const struct di_frame *frame = &stack.frames.data[1];
		bool preserved = reg == 3 || reg == 6 || (reg >= 12 && reg < 16);
		bool known = frame->known >> reg & 1;
		uint64_t usual = reg == DI_REG_RSP ? STACK + 8 : 0x100 * (uint64_t)reg + 1;
		if (reg == DI_REG_RIP)
			usual = RETURN + BIAS;
		bool as_usual = known && frame->value[reg] == usual;
		if (known && !(as_usual && (preserved || reg == DI_REG_RSP || reg == DI_REG_RIP)))
			di_text_put(&text, "; %s %" PRIx64, names[reg], frame->value[reg]);
		else if (!known && preserved)
			di_text_put(&text, "; %s gone", names[reg]);
	}
	di_stack_deinit(&stack);
	return buf;
}

/* --- the rules -------------------------------------------------------------------------------- */

static const struct {
	const char *program;
	size_t size;
	const char *expected;
} cases[] = {
	/* Preserved registers stay, others are gone. */
	{PROGRAM(""), "2, outermost"},
	{PROGRAM("\x08\x03\x08\x00"), "2, outermost; rax 1"},              /* same_value */
	{PROGRAM("\x07\x03\x07\x06"), "2, outermost; rbx gone; rbp gone"}, /* undefined */
	/* offset 0: the word at the CFA */
	{PROGRAM("\x83\x00"), "2, outermost; rbx 502009"},
	/* offset: RBX at CFA-16 is not on this stack, RBX at CFA+16 is */
	{PROGRAM("\x83\x02"), "2, outermost; rbx gone"},
	{PROGRAM("\x11\x03\x7e"), "2, outermost; rbx 502019"},
	{PROGRAM("\x11\x03\x7e\x11\x0c\x7d\x11\x00\x7c"),
		"2, outermost; rax 502029; rbx 502019; r12 502021"},
	/* val_offset, register, wide register in frame 0 */
	{PROGRAM("\x15\x03\x7e"), "2, outermost; rbx 7018"},
	{PROGRAM("\x09\x03\x05"), "2, outermost; rbx 501"},
	{PROGRAM("\x09\x03\x11"), "2, outermost; rbx 1101"},
	{PROGRAM("\x09\x03\x20"), "2, outermost; rbx gone"},
	/* expression: plus_uconst 8 onto the CFA, then memory; val_expression: without */
	{PROGRAM("\x10\x03\x02\x23\x08"), "2, outermost; rbx 502011"},
	{PROGRAM("\x16\x03\x02\x23\x08"), "2, outermost; rbx 7010"},
	{PROGRAM("\x16\x03\x02\x75\x02"), "2, outermost; rbx 503"},
	{PROGRAM("\x16\x03\x01\x23"), "2, outermost; rbx gone"},
	/* an endless one takes what the walk may spend on expressions: RBX, behind it, gets none */
	{PROGRAM("\x16\x00\x03\x2f\xfd\xff\x16\x03\x01\x31"), "2, outermost; rbx gone"},
	/* the stack pointer, if something is said of it */
	{PROGRAM("\x15\x07\x7e"), "2, outermost; rsp 7018"},
	/* the CFA as an expression has an empty stack: breg7 8; and one that fails */
	{PROGRAM("\x0f\x02\x77\x08"), "2, outermost"},
	{PROGRAM("\x0f\x02\x23\x08"),
		"1, error: .eh_frame+0x48: DW_OP_plus_uconst 8 at +0x0: 0 values on the stack"},
	{PROGRAM("\x0c\x64\x08"), "1, error: register 100 is not there"},
	/* the return address: in a register, nowhere, 0, undefined, unchanged */
	{PROGRAM("\x09\x10\x03"), "2, no CFI: 0x301 is in no module; rip 301"},
	{PROGRAM("\x90\x20"), "1, error: cannot read 8 bytes at 0x6f08"},
	{PROGRAM("\x16\x10\x02\x08\x00"), "1, outermost"},
	{PROGRAM("\x07\x10"), "1, outermost"},
	{PROGRAM("\x08\x10"), "1, error: .eh_frame+0x2d: no rule for the return address at 0x1000"},
	/* into a place without CFI: 0x3000 */
	{PROGRAM("\x16\x10\x05\x0c\x00\x30\x50\x00"),
		"2, no CFI: fake: no call frame information for 0x2fff; rip 503000"},
};

static void rules(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(
			walk_text(false, cases[i].program, cases[i].size), cases[i].expected);
}

static void signal_frame_keeps_nothing_by_itself(void **state)
{
	(void)state;
	/* The return address is the exact pc of what was interrupted. */
	assert_string_equal(walk_text(true, PROGRAM("")),
		"2, outermost; rbx gone; rbp gone; r12 gone; r13 gone; r14 gone; r15 gone");
	assert_string_equal(walk_text(true, PROGRAM("\x11\x03\x7e\x11\x00\x7d\x08\x06")),
		"2, outermost; rax 502021; rbx 502019; r12 gone; r13 gone; r14 gone; r15 gone");
	/* Just at the beginning of a function: no call can have been there. */
	static const char at_start[] = "\x16\x10\x05\x0c\x00\x20\x50\x00";
	assert_non_null(strstr(walk_text(false, PROGRAM(at_start)),
		"2, no CFI: fake: no call frame information for 0x1fff"));
	assert_non_null(strstr(walk_text(true, PROGRAM(at_start)), "2, outermost"));
}

static void machine_without_registers(void **state)
{
	(void)state;
	missing = DI_REG_RIP;
	assert_string_equal(walk_text(false, PROGRAM("")), "machine state without RIP");
	missing = DI_REG_RSP;
	assert_string_equal(walk_text(false, PROGRAM("")), "1, error: RSP was not saved");
	missing = DI_REG_RBX;
	assert_string_equal(walk_text(false, PROGRAM("")), "2, outermost; rbx gone");
	missing = UINT32_MAX;
}

/* The module of this machine is no ELF file: nothing leads libunwind to its table. */
static void libunwind_has_no_opinion_without_its_table(void **state)
{
	(void)state;
	struct di_opinion opinion = {0};
	struct di_stack stack = {0};
	char text[128];
	size_t frame;
	XS_AUTO(di_second) second = NULL;
	XS_AUTO(di_cfi) cfi = load(false, PROGRAM(""));
	module.cfi = cfi;
	mapping.module = &module;
	assert_null(di_second_create(&second));
	assert_null(di_stack_walk(&machine, &stack));
	di_second_walk(second, &machine, &opinion);
	assert_int_equal(opinion.sure, 0);
	assert_true(opinion.blind);
	assert_string_equal(opinion.reason, "libunwind: no .eh_frame_hdr");
	assert_int_equal(stack.frames.len, 2);
	assert_true(di_opinion_agrees(&opinion, &stack, &frame, text, sizeof text));
	di_opinion_deinit(&opinion);
	di_stack_deinit(&stack);
}

static void explanation(void **state)
{
	(void)state;
	struct di_stack stack = {0};
	char text[1024], tiny[16];
	XS_AUTO(di_cfi) cfi = load(false, PROGRAM("\x41\x0f\x03\x77\x08\x06"));
	module.cfi = cfi;
	mapping.module = &module;
	assert_null(di_stack_top(&machine, &stack));
	assert_string_equal(di_frame_explain(&machine, &stack.frames.data[0], text, sizeof text),
		"fake: .eh_frame+0x2d: FDE of [0x1000, 0x1100), CIE at +0x0\n"
		"row of [0x1000, 0x1001), looked up by 0x1000\n"
		"CFA = RSP+8 = 0x7008\n"
		"RIP at CFA-8 (the return address)");
	stack.frames.data[0].pc++;
	stack.frames.data[0].lookup++;
	assert_string_equal(di_frame_explain(&machine, &stack.frames.data[0], text, sizeof text),
		"fake: .eh_frame+0x2d: FDE of [0x1000, 0x1100), CIE at +0x0\n"
		"row of [0x1001, 0x1100), looked up by 0x1001\n"
		"CFA = {DW_OP_breg7 RSP+8, DW_OP_deref}\n"
		"  DW_OP_breg7 RSP+8 -> 0x7008\n"
		"  DW_OP_deref -> 0x502009\n"
		"  = 0x502009\n"
		"RIP at CFA-8 (the return address)");
	assert_string_equal(di_frame_explain(&machine, &stack.frames.data[0], tiny, sizeof tiny),
		"fake: .eh_fr...");
	di_stack_deinit(&stack);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules),
		cmocka_unit_test(signal_frame_keeps_nothing_by_itself),
		cmocka_unit_test(machine_without_registers),
		cmocka_unit_test(libunwind_has_no_opinion_without_its_table),
		cmocka_unit_test(explanation),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
