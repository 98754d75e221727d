/* cfi_test.c - call frame tables, byte by byte: instructions, encodings, what is wrong with them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <dwarf.h>

#include "dwarf/cfi.h"
#include "dwarf/op.h"
#include "dwarf/words.h"

/* --- building tables -------------------------------------------------------------------------- */

struct bytes {
	uint8_t data[1024];
	size_t size;
};

enum { ADDR = 0x402000, TEXT = 0x400000, DATA = 0x404000, LO = 0x401000, SIZE = 0x100 };

static void put(struct bytes *bytes, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		bytes->data[bytes->size++] = (uint8_t)(value >> (8 * i));
}

static void put_all(struct bytes *bytes, const void *data, size_t size)
{
	memcpy(bytes->data + bytes->size, data, size);
	bytes->size += size;
}

/* What a table may look like; zero is .eh_frame of version 1 with absolute pointers. */
struct shape {
	bool debug;               /* .debug_frame */
	bool wide;                /* 64-bit format */
	uint8_t version;          /* 0: 1 */
	const char *augmentation; /* NULL: "" */
	const char *data;         /* augmentation data of the CIE, as text */
	size_t data_size;
	uint8_t code_factor; /* 0: 1 */
	uint8_t ra;          /* 0: 16 */
	const char *initial; /* instructions of the CIE; NULL: CFA = RSP+8, RIP at CFA-8 */
	size_t initial_size;
};

#define STANDARD "\x0c\x07\x08\x90\x01" /* def_cfa RSP 8; offset RIP 1 */

static size_t begin_entry(struct bytes *bytes, bool wide)
{
	if (wide)
		put(bytes, UINT32_MAX, 4);
	put(bytes, 0, wide ? 8 : 4);
	return bytes->size;
}

static void end_entry(struct bytes *bytes, size_t start, bool wide)
{
	uint64_t length = bytes->size - start;
	for (unsigned i = 0, size = wide ? 8 : 4; i < size; i++)
		bytes->data[start - size + i] = (uint8_t)(length >> (8 * i));
}

static void put_cie(struct bytes *bytes, const struct shape *shape)
{
	const char *letters = shape->augmentation ? shape->augmentation : "";
	size_t start = begin_entry(bytes, shape->wide);
	put(bytes, shape->debug ? UINT64_MAX : 0, shape->wide && shape->debug ? 8 : 4);
	put(bytes, shape->version ? shape->version : 1, 1);
	put_all(bytes, letters, strlen(letters) + 1);
	if (shape->version == 4)
		put(bytes, 0x0008, 2); /* address size, no segments */
	if (!strncmp(letters, "eh", 2))
		put(bytes, 0x1234, 8);
	put(bytes, shape->code_factor ? shape->code_factor : 1, 1);
	put(bytes, 0x78, 1); /* -8 */
	put(bytes, shape->ra ? shape->ra : 16, 1);
	if (*letters == 'z') {
		put(bytes, shape->data_size, 1);
		put_all(bytes, shape->data, shape->data_size);
	}
	if (shape->initial)
		put_all(bytes, shape->initial, shape->initial_size);
	else
		put_all(bytes, STANDARD, 5);
	end_entry(bytes, start, shape->wide);
}

/* Begins an FDE of the CIE at offset 0, up to its addresses. */
static size_t begin_fde(struct bytes *bytes, const struct shape *shape)
{
	size_t start = begin_entry(bytes, shape->wide);
	put(bytes, shape->debug ? 0 : bytes->size, shape->wide && shape->debug ? 8 : 4);
	return start;
}

static void put_fde(
	struct bytes *bytes, const struct shape *shape, const void *program, size_t size)
{
	size_t start = begin_fde(bytes, shape);
	put(bytes, LO, 8);
	put(bytes, SIZE, 8);
	if (shape->augmentation && *shape->augmentation == 'z')
		put(bytes, 0, 1);
	put_all(bytes, program, size);
	end_entry(bytes, start, shape->wide);
}

static struct di_cfi *load(const struct bytes *bytes, bool debug)
{
	struct di_cfi_section eh = {.eh = true}, other = {0};
	struct di_cfi_section *section = debug ? &other : &eh;
	section->bytes =
		di_cursor_over(debug ? ".debug_frame" : ".eh_frame", bytes->data, bytes->size);
	section->addr = ADDR;
	section->text = TEXT;
	section->data = DATA;
	return di_cfi_create(&eh, &other);
}

/* The row for pc in words, or what is wrong. */
static const char *row_text(struct di_cfi *cfi, xs_addr pc)
{
	static char buf[512];
	struct di_text text = {.buf = buf, .size = sizeof buf};
	struct di_answer answer = {0};
	const struct di_cfi_row *row;
	if (!di_cfi_find(cfi, pc, &row, &answer)) {
		di_text_put(&text, "%s", di_answer_text(&answer, (char[DI_WORDS]){0}));
		return buf;
	}
	if (!row)
		return "none";
	di_text_put(&text, "+%" PRIx64 "..%" PRIx64 " CFA = ", row->lo - LO, row->hi - LO);
	di_rule_cfa_text(&row->cfa, &text);
	for (unsigned reg = 0; reg < DI_REG_GENERAL; reg++) {
		if (row->reg[reg].kind == DI_RULE_NONE)
			continue;
		di_text_put(&text, "; %s ", di_register_name(reg));
		di_rule_text(&row->reg[reg], &text);
	}
	return buf;
}

static void check_row(const struct bytes *bytes, bool debug, xs_addr pc, const char *expected)
{
	XS_AUTO(di_cfi) cfi = load(bytes, debug);
	assert_string_equal(row_text(cfi, pc), expected);
	assert_string_equal(row_text(cfi, pc), expected); /* now it is kept */
}

/* --- instructions ----------------------------------------------------------------------------- */

struct program_case {
	const char *program;
	size_t size;
	unsigned at; /* offset of the pc in the function */
	const char *expected;
};

#define PROGRAM(text) text, sizeof text - 1

/* The FDE's addresses end 36 bytes behind the CIE; its instructions are at +0x2e. */
static const struct program_case programs[] = {
	{PROGRAM(""), 0, "+0..100 CFA = RSP+8; RIP at CFA-8"},
	{PROGRAM("\x00\x00"), 0xff, "+0..100 CFA = RSP+8; RIP at CFA-8"},
	/* a push of RBP, then a frame pointer, then its end */
	{PROGRAM("\x41\x0e\x10\x86\x02\x43\x0d\x06\x02\x20\x0c\x07\x08"), 0,
		"+0..1 CFA = RSP+8; RIP at CFA-8"},
	{PROGRAM("\x41\x0e\x10\x86\x02\x43\x0d\x06\x02\x20\x0c\x07\x08"), 3,
		"+1..4 CFA = RSP+16; RBP at CFA-16; RIP at CFA-8"},
	{PROGRAM("\x41\x0e\x10\x86\x02\x43\x0d\x06\x02\x20\x0c\x07\x08"), 4,
		"+4..24 CFA = RBP+16; RBP at CFA-16; RIP at CFA-8"},
	{PROGRAM("\x41\x0e\x10\x86\x02\x43\x0d\x06\x02\x20\x0c\x07\x08"), 0x24,
		"+24..100 CFA = RSP+8; RBP at CFA-16; RIP at CFA-8"},
	/* advance_loc1, 2, 4 */
	{PROGRAM("\x02\x10\x0e\x10\x03\x20\x00\x0e\x18\x04\x40\x00\x00\x00\x0e\x20"), 0x10,
		"+10..30 CFA = RSP+16; RIP at CFA-8"},
	{PROGRAM("\x02\x10\x0e\x10\x03\x20\x00\x0e\x18\x04\x40\x00\x00\x00\x0e\x20"), 0x30,
		"+30..70 CFA = RSP+24; RIP at CFA-8"},
	{PROGRAM("\x02\x10\x0e\x10\x03\x20\x00\x0e\x18\x04\x40\x00\x00\x00\x0e\x20"), 0x70,
		"+70..100 CFA = RSP+32; RIP at CFA-8"},
	/* set_loc */
	{PROGRAM("\x01\x20\x10\x40\x00\x00\x00\x00\x00\x0e\x10"), 0x20,
		"+20..100 CFA = RSP+16; RIP at CFA-8"},
	/* what lies past the end of the function does not stretch it */
	{PROGRAM("\x03\x00\x02\x0e\x10"), 0, "+0..100 CFA = RSP+8; RIP at CFA-8"},
	/* the CFA: def_cfa, def_cfa_sf, def_cfa_offset_sf, def_cfa_expression */
	{PROGRAM("\x0c\x06\x20"), 0, "+0..100 CFA = RBP+32; RIP at CFA-8"},
	{PROGRAM("\x12\x06\x7c"), 0, "+0..100 CFA = RBP+32; RIP at CFA-8"},
	{PROGRAM("\x13\x7d"), 0, "+0..100 CFA = RSP+24; RIP at CFA-8"},
	{PROGRAM("\x0f\x03\x76\x78\x06"), 0,
		"+0..100 CFA = {DW_OP_breg6 RBP-8, DW_OP_deref}; RIP at CFA-8"},
	{PROGRAM("\x0c\x14\x08"), 0, "+0..100 CFA = XMM3+8; RIP at CFA-8"},
	/* offsets: offset, offset_extended, _sf, GNU_negative, val_offset, _sf */
	{PROGRAM("\x83\x03"), 0, "+0..100 CFA = RSP+8; RBX at CFA-24; RIP at CFA-8"},
	{PROGRAM("\x05\x03\x03"), 0, "+0..100 CFA = RSP+8; RBX at CFA-24; RIP at CFA-8"},
	{PROGRAM("\x11\x03\x7d"), 0, "+0..100 CFA = RSP+8; RBX at CFA+24; RIP at CFA-8"},
	{PROGRAM("\x2f\x03\x03"), 0, "+0..100 CFA = RSP+8; RBX at CFA+24; RIP at CFA-8"},
	{PROGRAM("\x14\x07\x02"), 0, "+0..100 CFA = RSP+8; RSP CFA-16; RIP at CFA-8"},
	{PROGRAM("\x15\x07\x7e"), 0, "+0..100 CFA = RSP+8; RSP CFA+16; RIP at CFA-8"},
	/* undefined, same_value, register, expression, val_expression */
	{PROGRAM("\x07\x10"), 0, "+0..100 CFA = RSP+8; RIP undefined"},
	{PROGRAM("\x08\x03"), 0, "+0..100 CFA = RSP+8; RBX unchanged; RIP at CFA-8"},
	{PROGRAM("\x09\x10\x00"), 0, "+0..100 CFA = RSP+8; RIP in RAX"},
	{PROGRAM("\x10\x0c\x02\x77\x08"), 0,
		"+0..100 CFA = RSP+8; R12 at {DW_OP_breg7 RSP+8}; RIP at CFA-8"},
	{PROGRAM("\x16\x07\x02\x23\x08"), 0,
		"+0..100 CFA = RSP+8; RSP {DW_OP_plus_uconst 8}; RIP at CFA-8"},
	/* restore and restore_extended go back to what the CIE says */
	{PROGRAM("\x83\x02\x90\x04\xc3\xd0"), 0, "+0..100 CFA = RSP+8; RIP at CFA-8"},
	{PROGRAM("\x83\x02\x90\x04\x06\x03\x06\x10"), 0, "+0..100 CFA = RSP+8; RIP at CFA-8"},
	/* remember_state and restore_state, nested; the CFA comes back too */
	{PROGRAM("\x0a\x83\x02\x0a\x0e\x10\x8c\x03\x0b"), 0,
		"+0..100 CFA = RSP+8; RBX at CFA-16; RIP at CFA-8"},
	{PROGRAM("\x0a\x83\x02\x0a\x0e\x10\x8c\x03\x0b\x0b"), 0,
		"+0..100 CFA = RSP+8; RIP at CFA-8"},
	/* GNU_args_size, and registers that no frame keeps */
	{PROGRAM("\x2e\x10"), 0, "+0..100 CFA = RSP+8; RIP at CFA-8"},
	{PROGRAM("\xb1\x02\x05\xff\x01\x03\x07\x32\xf1"), 0, "+0..100 CFA = RSP+8; RIP at CFA-8"},
	/* what is wrong: only for the pcs behind it */
	{PROGRAM("\x41\x0e\x10\x41\x3f"), 1, "+1..2 CFA = RSP+16; RIP at CFA-8"},
	{PROGRAM("\x41\x0e\x10\x41\x3f"), 2,
		".eh_frame+0x2e: call frame instruction 0x3f is not known"},
	{PROGRAM("\x0b"), 0, ".eh_frame+0x2a: no state to restore"},
	{PROGRAM("\x0f\x00\x0e\x10"), 0,
		".eh_frame+0x2c: changes half of a CFA that is not register and offset"},
	{PROGRAM("\x0f\x00\x0d\x06"), 0,
		".eh_frame+0x2c: changes half of a CFA that is not register and offset"},
	{PROGRAM("\x0f\x05\x76"), 0, ".eh_frame+0x2c: expected 5 bytes, have 1"},
	{PROGRAM("\x0e"), 0, ".eh_frame+0x2b: expected 1 byte, have 0"},
	{PROGRAM("\x04\x01\x02"), 0, ".eh_frame+0x2b: expected 4 bytes, have 2"},
	{PROGRAM("\x41\x01\x00\x10\x40\x00\x00\x00\x00\x00"), 1,
		".eh_frame+0x2b: location goes back"},
};

static void instructions(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
		const struct program_case *c = &programs[i];
		struct shape shape = {0};
		struct bytes bytes = {0};
		put_cie(&bytes, &shape);
		put_fde(&bytes, &shape, c->program, c->size);
		check_row(&bytes, false, LO + c->at, c->expected);
	}
}

static void code_factor_scales_every_advance(void **state)
{
	(void)state;
	static const char program[] = "\x41\x0e\x10\x02\x02\x0e\x18\x03\x03\x00\x0e\x20";
	struct shape shape = {.code_factor = 4};
	struct bytes bytes = {0};
	put_cie(&bytes, &shape);
	put_fde(&bytes, &shape, program, sizeof program - 1);
	check_row(&bytes, false, LO + 3, "+0..4 CFA = RSP+8; RIP at CFA-8");
	check_row(&bytes, false, LO + 4, "+4..c CFA = RSP+16; RIP at CFA-8");
	check_row(&bytes, false, LO + 0x17, "+c..18 CFA = RSP+24; RIP at CFA-8");
	check_row(&bytes, false, LO + 0x18, "+18..100 CFA = RSP+32; RIP at CFA-8");
}

static void remembered_states_are_bounded(void **state)
{
	(void)state;
	struct shape shape = {0};
	struct bytes bytes = {0};
	uint8_t program[65];
	memset(program, DW_CFA_remember_state, sizeof program);
	put_cie(&bytes, &shape);
	put_fde(&bytes, &shape, program, sizeof program);
	check_row(&bytes, false, LO, ".eh_frame+0x6a: too many remembered states");
}

static void cie_may_only_set_up(void **state)
{
	(void)state;
	struct shape shape = {.initial = "\x41", .initial_size = 1};
	struct bytes bytes = {0};
	put_cie(&bytes, &shape);
	put_fde(&bytes, &shape, "", 0);
	check_row(&bytes, false, LO, ".eh_frame+0xd: a CIE that advances");
	shape.initial = "\xc3";
	bytes.size = 0;
	put_cie(&bytes, &shape);
	put_fde(&bytes, &shape, "", 0);
	check_row(&bytes, false, LO, ".eh_frame+0xd: a CIE that restores");
}

/* --- headers ---------------------------------------------------------------------------------- */

static void both_sections_all_versions_both_formats(void **state)
{
	(void)state;
	static const uint8_t versions[] = {1, 3, 4};
	for (unsigned i = 0; i < 12; i++) {
		struct shape shape = {
			.version = versions[i % 3], .debug = i / 3 % 2, .wide = i / 6 % 2};
		struct bytes bytes = {0};
		put_cie(&bytes, &shape);
		put_fde(&bytes, &shape, "\x41\x0e\x10", 3);
		check_row(&bytes, shape.debug, LO + 1, "+1..100 CFA = RSP+16; RIP at CFA-8");
		check_row(&bytes, shape.debug, LO + SIZE, "none");
		check_row(&bytes, shape.debug, LO - 1, "none");
	}
}

struct augmentation_case {
	const char *letters;
	const char *data;
	size_t size;
	bool signal;
	const char *expected;
};

#define FOUND "+0..100 CFA = RSP+8; RIP at CFA-8"

static const struct augmentation_case augmentations[] = {
	{"z", PROGRAM(""), false, FOUND},
	{"zR", PROGRAM("\x00"), false, FOUND},
	{"zS", PROGRAM(""), true, FOUND},
	{"zSR", PROGRAM("\x00"), true, FOUND},
	{"zB", PROGRAM(""), false, FOUND},
	{"zPLR", PROGRAM("\x9b\x01\x02\x03\x04\x1b\x00"), false, FOUND},
	{"zPR", PROGRAM("\x00\x01\x02\x03\x04\x05\x06\x07\x08\x00"), false, FOUND},
	{"zPR", PROGRAM("\xff\x00"), false, FOUND},
	{"zPRS", PROGRAM("\x50\0\0\0\0\0\x01\x02\x03\x04\x05\x06\x07\x08\x00"), true, FOUND},
	{"zQ", PROGRAM("\x01\x02\x03"), false, FOUND}, /* unknown, but its size is known */
	{"eh", PROGRAM(""), false, FOUND},
	{"Q", PROGRAM(""), false, ".eh_frame+0x0: unknown augmentation \"Q\""},
	{"zR", PROGRAM(""), false, ".eh_frame+0x10: expected 1 byte, have 0"},
	{"zPR", PROGRAM("\x1d\x00"), false, ".eh_frame+0x12: pointer encoding 0x1d is not known"},
};

static void augmentation_letters(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof augmentations / sizeof *augmentations; i++) {
		const struct augmentation_case *c = &augmentations[i];
		struct shape shape = {
			.augmentation = c->letters, .data = c->data, .data_size = c->size};
		struct bytes bytes = {0};
		struct di_answer answer = {0};
		const struct di_cfi_row *row;
		put_cie(&bytes, &shape);
		put_fde(&bytes, &shape, "", 0);
		check_row(&bytes, false, LO, c->expected);
		XS_AUTO(di_cfi) cfi = load(&bytes, false);
		if (di_cfi_find(cfi, LO, &row, &answer))
			assert_int_equal(row->fde->cie->signal, c->signal);
	}
}

struct encoding_case {
	uint8_t encoding;
	int64_t base;  /* what the pointer counts from */
	unsigned size; /* of the pointer; 0: LEB128 */
	const char *expected;
};

enum { FIELD = 0x1e }; /* offset of the FDE's address */

static const struct encoding_case encodings[] = {
	{DW_EH_PE_absptr, 0, 8, FOUND},
	{DW_EH_PE_udata4, 0, 4, FOUND},
	{DW_EH_PE_udata8, 0, 8, FOUND},
	{DW_EH_PE_sdata4, 0, 4, FOUND},
	{DW_EH_PE_sdata8, 0, 8, FOUND},
	{DW_EH_PE_signed, 0, 8, FOUND},
	{DW_EH_PE_uleb128, 0, 0, FOUND},
	{DW_EH_PE_sleb128, 0, 0, FOUND},
	{DW_EH_PE_pcrel | DW_EH_PE_sdata2, ADDR + FIELD, 2, FOUND},
	{DW_EH_PE_pcrel | DW_EH_PE_sdata4, ADDR + FIELD, 4, FOUND},
	{DW_EH_PE_pcrel | DW_EH_PE_sdata8, ADDR + FIELD, 8, FOUND},
	{DW_EH_PE_pcrel | DW_EH_PE_absptr, ADDR + FIELD, 8, FOUND},
	{DW_EH_PE_pcrel | DW_EH_PE_sleb128, ADDR + FIELD, 0, FOUND},
	{DW_EH_PE_textrel | DW_EH_PE_udata2, TEXT, 2, FOUND},
	{DW_EH_PE_textrel | DW_EH_PE_udata4, TEXT, 4, FOUND},
	{DW_EH_PE_textrel | DW_EH_PE_uleb128, TEXT, 0, FOUND},
	{DW_EH_PE_datarel | DW_EH_PE_sdata4, DATA, 4, FOUND},
	{DW_EH_PE_datarel | DW_EH_PE_sleb128, DATA, 0, FOUND},
	{DW_EH_PE_funcrel | DW_EH_PE_sdata4, 0, 4,
		".eh_frame+0x1e: pointer encoding 0x4b has no base here"},
	{DW_EH_PE_indirect | DW_EH_PE_pcrel | DW_EH_PE_sdata4, 0, 4,
		".eh_frame+0x1e: pointer encoding 0x9b: indirect, and only the process could tell"},
	{0x1f, 0, 4, ".eh_frame+0x1e: pointer encoding 0x1f is not known"},
};

static void put_leb(struct bytes *bytes, int64_t value)
{
	/* Nine bytes hold all that occurs here, with the sign in the last. */
	for (unsigned i = 0; i < 9; i++)
		put(bytes, ((uint64_t)value >> (7 * i) & 0x7f) | (i < 8 ? 0x80 : 0), 1);
}

static void pointer_encodings(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++) {
		const struct encoding_case *c = &encodings[i];
		char data[] = {(char)c->encoding};
		struct shape shape = {.augmentation = "zR", .data = data, .data_size = 1};
		struct bytes bytes = {0};
		put_cie(&bytes, &shape);
		size_t start = begin_fde(&bytes, &shape);
		assert_int_equal(bytes.size, FIELD);
		if (c->size) {
			put(&bytes, (uint64_t)(LO - c->base), c->size);
			put(&bytes, SIZE, c->size);
		} else {
			put_leb(&bytes, LO - c->base);
			put_leb(&bytes, SIZE);
		}
		put(&bytes, 0, 1); /* no augmentation data */
		end_entry(&bytes, start, false);
		check_row(&bytes, false, LO, c->expected);
	}
}

static void wrong_headers(void **state)
{
	(void)state;
	struct shape shape = {0};
	struct bytes bytes = {0};
	put_cie(&bytes, &shape);
	put_fde(&bytes, &shape, "", 0);

	struct bytes other = bytes;
	other.data[8] = 2;
	check_row(&other, false, LO, ".eh_frame+0x0: CIE of version 2");
	other = bytes;
	other.data[12] = 17;
	check_row(&other, false, LO, ".eh_frame+0x0: return address in column 17");
	other = bytes;
	other.data[22] = 0x40;
	check_row(&other, false, LO, ".eh_frame+0x12: no CIE at 0xffffffffffffffd6");
	other.data[22] = 0x15;
	check_row(&other, false, LO, ".eh_frame+0x12: no CIE at 0x1");
	other = bytes;
	other.size -= 9;
	check_row(&other, false, LO, ".eh_frame+0x12: an entry of 20 bytes, the section has 11");
	other = bytes;
	memset(other.data + 34, 0xff, 8);
	check_row(&other, false, LO, ".eh_frame+0x12: FDE of 0xffffffffffffffff bytes at 0x401000");
	other = bytes;
	other.size = 2;
	check_row(&other, false, LO, ".eh_frame+0x0: expected 4 bytes, have 2");
}

static void wrong_entry_does_not_hide_the_others(void **state)
{
	(void)state;
	struct shape shape = {0};
	struct bytes bytes = {0};
	put_cie(&bytes, &shape);
	size_t start = begin_fde(&bytes, &shape);
	put(&bytes, LO + SIZE, 4); /* no room for its addresses */
	end_entry(&bytes, start, false);
	put(&bytes, 0, 4); /* a terminator, with more behind it */
	put_fde(&bytes, &shape, "", 0);
	check_row(&bytes, false, LO, FOUND);
	check_row(&bytes, false, LO + SIZE, ".eh_frame+0x1a: expected 8 bytes, have 4");
}

static void eh_frame_comes_before_debug_frame(void **state)
{
	(void)state;
	struct shape shape = {0}, debug_shape = {.debug = true};
	struct bytes bytes = {0}, debug_bytes = {0};
	put_cie(&bytes, &shape);
	put_fde(&bytes, &shape, "\x0e\x10", 2);
	put_cie(&debug_bytes, &debug_shape);
	size_t start = begin_fde(&debug_bytes, &debug_shape);
	put(&debug_bytes, LO, 8);
	put(&debug_bytes, 2 * SIZE, 8);
	end_entry(&debug_bytes, start, false);
	struct di_cfi_section eh = {.eh = true}, debug = {0};
	eh.bytes = di_cursor_over(".eh_frame", bytes.data, bytes.size);
	debug.bytes = di_cursor_over(".debug_frame", debug_bytes.data, debug_bytes.size);
	XS_AUTO(di_cfi) cfi = di_cfi_create(&eh, &debug);
	assert_int_equal(di_cfi_entries(cfi), 2);
	assert_string_equal(row_text(cfi, LO), "+0..100 CFA = RSP+16; RIP at CFA-8");
	assert_string_equal(row_text(cfi, LO + SIZE), "+0..200 CFA = RSP+8; RIP at CFA-8");
}

static void rows_are_kept_and_shared(void **state)
{
	(void)state;
	struct shape shape = {0};
	struct bytes bytes = {0};
	struct di_answer answer = {0};
	const struct di_cfi_row *first, *row;
	put_cie(&bytes, &shape);
	put_fde(&bytes, &shape, "\x41\x0e\x10\x43\x0d\x06", 6);
	XS_AUTO(di_cfi) cfi = load(&bytes, false);
	assert_true(di_cfi_find(cfi, LO + 1, &first, &answer));
	for (unsigned round = 0; round < 2; round++)
		for (unsigned i = 0; i < SIZE; i++)
			assert_true(di_cfi_find(cfi, LO + i, &row, &answer));
	assert_int_equal(di_cfi_rows(cfi), 3);
	assert_true(di_cfi_find(cfi, LO + 3, &row, &answer));
	assert_ptr_equal(row, first);
}

static void overlapping_entries_give_the_nearest(void **state)
{
	(void)state;
	struct shape shape = {0};
	struct bytes bytes = {0};
	put_cie(&bytes, &shape);
	put_fde(&bytes, &shape, "", 0);
	size_t start = begin_fde(&bytes, &shape);
	put(&bytes, LO + 0x10, 8);
	put(&bytes, 0x10, 8);
	put_all(&bytes, "\x0e\x10", 2);
	end_entry(&bytes, start, false);
	check_row(&bytes, false, LO + 0x18, "+10..20 CFA = RSP+16; RIP at CFA-8");
	check_row(&bytes, false, LO + 0x20, FOUND);
}

/* What the linker threw away begins at 0, and may be large enough to reach the code. */
static void entries_of_discarded_functions_cover_nothing(void **state)
{
	(void)state;
	struct shape shape = {.debug = true};
	struct bytes bytes = {0};
	struct xs_ranges code = {0};
	put_cie(&bytes, &shape);
	size_t start = begin_fde(&bytes, &shape);
	put(&bytes, 0, 8);
	put(&bytes, LO + SIZE, 8);
	end_entry(&bytes, start, false);
	xs_ranges_add(&code, LO, LO + SIZE);
	struct di_cfi_section eh = {.eh = true};
	struct di_cfi_section debug = {
		.bytes = di_cursor_over(".debug_frame", bytes.data, bytes.size)};
	XS_AUTO(di_cfi) anywhere = di_cfi_create(&eh, &debug);
	assert_string_not_equal(row_text(anywhere, LO), "none");
	debug.code = &code;
	XS_AUTO(di_cfi) in_code = di_cfi_create(&eh, &debug);
	assert_string_equal(row_text(in_code, LO), "none");
	xs_ranges_deinit(&code);
}

/* --- garbage ---------------------------------------------------------------------------------- */

static void ask_everywhere(struct bytes *bytes, bool debug)
{
	/* A copy of the exact size, so that ASan sees a read behind it. */
	XS_AUTO_FREE uint8_t *exact = xs_calloc(bytes->size ? bytes->size : 1, 1);
	memcpy(exact, bytes->data, bytes->size);
	struct di_cfi_section eh = {.eh = true, .addr = ADDR}, other = {0};
	struct di_cfi_section *section = debug ? &other : &eh;
	section->bytes = di_cursor_over(debug ? ".debug_frame" : ".eh_frame", exact, bytes->size);
	XS_AUTO(di_cfi) cfi = di_cfi_create(&eh, &other);
	for (unsigned i = 0; i < SIZE; i += 7)
		row_text(cfi, LO + i);
}

static void no_byte_can_break_it(void **state)
{
	(void)state;
	static const char program[] = "\x41\x0e\x10\x86\x02\x43\x0d\x06\x0a\x0f\x03\x76\x78\x06"
				      "\x10\x0c\x02\x77\x08\x0b\x02\x20\x0c\x07\x08";
	static const uint8_t values[] = {0, 1, 0x3f, 0x40, 0x7f, 0x80, 0xfe, 0xff};
	for (unsigned debug = 0; debug < 2; debug++) {
		struct shape shape = {.debug = debug,
			.augmentation = "zPLR",
			.data = "\x9b\x01\x02\x03\x04\x1b\x00",
			.data_size = 7};
		struct bytes bytes = {0};
		put_cie(&bytes, &shape);
		put_fde(&bytes, &shape, program, sizeof program - 1);
		for (size_t at = 0; at < bytes.size; at++) {
			struct bytes cut = bytes;
			cut.size = at;
			ask_everywhere(&cut, debug);
			for (size_t i = 0; i < sizeof values; i++) {
				struct bytes other = bytes;
				other.data[at] = values[i];
				ask_everywhere(&other, debug);
			}
		}
	}
}

/* --- the tables of this machine --------------------------------------------------------------- */

/* libdw reads the same table: same rows, same CFA, same saved registers. */
static void check_against_libdw(Dwarf_CFI *theirs, const struct di_cfi_row *row)
{
	Dwarf_Frame *frame;
	Dwarf_Addr lo, hi;
	bool signal;
	Dwarf_Op *ops, memory[3];
	size_t count;
	assert_int_equal(dwarf_cfi_addrframe(theirs, row->lo, &frame), 0);
	assert_int_equal(dwarf_frame_info(frame, &lo, &hi, &signal), (int)row->fde->cie->ra);
	/* After DW_CFA_restore_state libdw 0.188 says where the remembered row began. */
	assert_true(lo <= row->lo);
	assert_int_equal(hi, row->hi);
	assert_int_equal(signal, row->fde->cie->signal);
	assert_int_equal(dwarf_frame_cfa(frame, &ops, &count), 0);
	if (row->cfa.kind == DI_RULE_VAL_OFFSET) {
		assert_int_equal(count, 1);
		assert_int_equal(ops[0].atom, DW_OP_bregx);
		assert_int_equal(ops[0].number, row->cfa.reg);
		assert_int_equal(ops[0].number2, row->cfa.offset);
	} else {
		assert_int_equal(row->cfa.kind, DI_RULE_VAL_EXPRESSION);
		assert_int_equal(ops[0].atom, row->cfa.expr[0]);
	}
	for (int reg = 0; reg < DI_REG_GENERAL; reg++) {
		const struct di_rule *rule = &row->reg[reg];
		assert_int_equal(dwarf_frame_register(frame, reg, memory, &ops, &count), 0);
		/* CFA, then the offset if it is not 0; without stack_value it is in memory. */
		bool saved = count && ops[0].atom == DW_OP_call_frame_cfa &&
			     ops[count - 1].atom != DW_OP_stack_value;
		assert_int_equal(saved && count <= 2,
			rule->kind == DI_RULE_OFFSET || rule->kind == DI_RULE_EXPRESSION);
		if (rule->kind == DI_RULE_OFFSET)
			assert_int_equal(count == 2 ? (int64_t)ops[1].number : 0, rule->offset);
		if (rule->kind == DI_RULE_UNDEFINED)
			assert_true(count == 0 && ops == memory);
	}
	free(frame);
}

static size_t compare_module(const char *path)
{
	XS_AUTO(di_module) module = NULL;
	struct xs_error *err = di_module_open(path, &module);
	struct di_answer answer = {0};
	const struct di_cfi_row *row;
	size_t rows = 0;
	if (err)
		fail_msg("%s", err->message);
	struct di_cfi *cfi = di_module_cfi(module, &answer);
	Dwarf_CFI *theirs = dwarf_getcfi_elf(module->elf);
	assert_non_null(cfi);
	assert_non_null(theirs);
	for (size_t i = 0; i < module->code.vec.len; i++)
		for (xs_addr pc = module->code.vec.data[i].lo; pc < module->code.vec.data[i].hi;) {
			if (!di_cfi_find(cfi, pc, &row, &answer))
				fail_msg("%s: %s", path,
					di_answer_text(&answer, (char[DI_WORDS]){0}));
			if (row && row->lo == pc) {
				check_against_libdw(theirs, row);
				rows++;
			}
			pc = row ? row->hi : pc + 1;
		}
	dwarf_cfi_end(theirs);
	return rows;
}

static void libc_reads_as_libdw_reads_it(void **state)
{
	(void)state;
	Dl_info libc, libdw;
	assert_int_not_equal(dladdr((void *)(uintptr_t)qsort, &libc), 0);
	assert_int_not_equal(dladdr((void *)(uintptr_t)dwarf_getcfi_elf, &libdw), 0);
	size_t rows = compare_module("/proc/self/exe");
	if (strstr(libc.dli_fname, "libc.so"))
		rows += compare_module(libc.dli_fname);
	if (strstr(libdw.dli_fname, "libdw"))
		rows += compare_module(libdw.dli_fname);
	print_message("%zu rows read alike\n", rows);
	assert_true(rows > 100);
}

/* A copy of this program whose header denies that there are sections. */
static void file_without_sections_is_found_by_its_segments(void **state)
{
	(void)state;
	char path[] = "/tmp/xstep-cfi-XXXXXX";
	struct di_answer answer = {0};
	const struct di_cfi_row *row, *expected;
	XS_AUTO(di_module) module = NULL;
	XS_AUTO(di_module) whole = NULL;
	XS_AUTO_CLOSE int fd = mkstemp(path);
	assert_null(di_module_open("/proc/self/exe", &whole));
	size_t size;
	XS_AUTO_FREE char *copy = NULL;
	const char *file = elf_rawfile(whole->elf, &size);
	copy = xs_calloc(size, 1);
	memcpy(copy, file, size);
	Elf64_Ehdr *header = (Elf64_Ehdr *)(void *)copy;
	header->e_shoff = 0;
	header->e_shnum = header->e_shstrndx = 0;
	assert_int_equal(write(fd, copy, size), (ssize_t)size);
	struct xs_error *err = di_module_open(path, &module);
	unlink(path);
	assert_null(err);
	struct di_cfi *cfi = di_module_cfi(module, &answer), *all = di_module_cfi(whole, &answer);
	assert_true(di_cfi_entries(cfi) > 20);
	xs_addr pc = module->entry;
	for (unsigned i = 0; i < 5000; i++, pc++) {
		assert_true(di_cfi_find(cfi, pc, &row, &answer));
		assert_true(di_cfi_find(all, pc, &expected, &answer));
		if (expected && expected->fde->cie->section->eh)
			assert_true(row && row->lo == expected->lo && row->hi == expected->hi);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions),
		cmocka_unit_test(code_factor_scales_every_advance),
		cmocka_unit_test(remembered_states_are_bounded),
		cmocka_unit_test(cie_may_only_set_up),
		cmocka_unit_test(both_sections_all_versions_both_formats),
		cmocka_unit_test(augmentation_letters),
		cmocka_unit_test(pointer_encodings),
		cmocka_unit_test(wrong_headers),
		cmocka_unit_test(wrong_entry_does_not_hide_the_others),
		cmocka_unit_test(eh_frame_comes_before_debug_frame),
		cmocka_unit_test(rows_are_kept_and_shared),
		cmocka_unit_test(overlapping_entries_give_the_nearest),
		cmocka_unit_test(entries_of_discarded_functions_cover_nothing),
		cmocka_unit_test(no_byte_can_break_it),
		cmocka_unit_test(libc_reads_as_libdw_reads_it),
		cmocka_unit_test(file_without_sections_is_found_by_its_segments),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
