#include "engine/rsp_registers.h"

#include <stddef.h>

/* Where a register's bytes come from. */
enum source {
	GENERAL, /* user_regs_struct, at `at` */
	STACK,   /* x87 st(at) */
	CONTROL, /* x87 control register number `at` */
	XMM,     /* the low 16 bytes of vector register `at` */
	YMMH,    /* the next 16 */
	MXCSR,
};

enum feature { CORE, SSE, LINUX, SEGMENTS, AVX };

struct reg {
	enum feature feature;
	enum source source;
	unsigned at;
	uint8_t size;        /* bytes */
	int dwarf;           /* its number there, -1: none */
	const char *type;    /* gdb's; NULL: int of that size */
	const char *group;   /* gdb's; NULL: by the type */
	const char *generic; /* lldb's name for what it is for, or NULL */
	char name[12];
};

#define G(name, field, bytes, dwarf, type, generic)                                                \
	{                                                                                          \
		CORE, GENERAL, offsetof(struct user_regs_struct, field), bytes, dwarf, type, NULL, \
			generic, name                                                              \
	}
#define C(name, number, dwarf)                                                                     \
	{                                                                                          \
		CORE, CONTROL, number, 4, dwarf, "int", "float", NULL, name                        \
	}

static const struct reg fixed[] = {
	G("rax", rax, 8, 0, "int64", NULL), G("rbx", rbx, 8, 3, "int64", NULL),
	G("rcx", rcx, 8, 2, "int64", "arg4"), G("rdx", rdx, 8, 1, "int64", "arg3"),
	G("rsi", rsi, 8, 4, "int64", "arg2"), G("rdi", rdi, 8, 5, "int64", "arg1"),
	G("rbp", rbp, 8, 6, "data_ptr", "fp"), G("rsp", rsp, 8, 7, "data_ptr", "sp"),
	G("r8", r8, 8, 8, "int64", "arg5"), G("r9", r9, 8, 9, "int64", "arg6"),
	G("r10", r10, 8, 10, "int64", NULL), G("r11", r11, 8, 11, "int64", NULL),
	G("r12", r12, 8, 12, "int64", NULL), G("r13", r13, 8, 13, "int64", NULL),
	G("r14", r14, 8, 14, "int64", NULL), G("r15", r15, 8, 15, "int64", NULL),
	G("rip", rip, 8, 16, "code_ptr", "pc"), G("eflags", eflags, 4, 49, "i386_eflags", "flags"),
	G("cs", cs, 4, 51, "int32", NULL), G("ss", ss, 4, 52, "int32", NULL),
	G("ds", ds, 4, 53, "int32", NULL), G("es", es, 4, 50, "int32", NULL),
	G("fs", fs, 4, 54, "int32", NULL), G("gs", gs, 4, 55, "int32", NULL),
	{CORE, STACK, 0, 10, 33, "i387_ext", NULL, NULL, "st"}, /* st0 to st7 */
	C("fctrl", 0, 65), C("fstat", 1, 66), C("ftag", 2, -1), C("fiseg", 3, -1),
	C("fioff", 4, -1), C("foseg", 5, -1), C("fooff", 6, -1), C("fop", 7, -1),
	{SSE, XMM, 0, 16, 17, "vec128", NULL, NULL, "xmm"}, /* xmm0 to xmm15 */
	{SSE, MXCSR, 0, 4, 64, "i386_mxcsr", "vector", NULL, "mxcsr"},
	{LINUX, GENERAL, offsetof(struct user_regs_struct, orig_rax), 8, -1, "int", "system", NULL,
		"orig_rax"},
	{SEGMENTS, GENERAL, offsetof(struct user_regs_struct, fs_base), 8, 58, "int", NULL, "tp",
		"fs_base"},
	{SEGMENTS, GENERAL, offsetof(struct user_regs_struct, gs_base), 8, 59, "int", NULL, NULL,
		"gs_base"},
	{AVX, YMMH, 0, 16, -1, "uint128", NULL, NULL, "ymm"}, /* ymm0h to ymm15h */
};

static const char *const feature_names[] = {"core", "sse", "linux", "segments", "avx"};

/* What gdb's types are made of; the standard ones of these features. */
static const char core_types[] =
	"<flags id=\"i386_eflags\" size=\"4\"><field name=\"\" start=\"22\" end=\"31\"/>"
	"<field name=\"CF\" start=\"0\" end=\"0\"/><field name=\"\" start=\"1\" end=\"1\"/>"
	"<field name=\"PF\" start=\"2\" end=\"2\"/><field name=\"AF\" start=\"4\" end=\"4\"/>"
	"<field name=\"ZF\" start=\"6\" end=\"6\"/><field name=\"SF\" start=\"7\" end=\"7\"/>"
	"<field name=\"TF\" start=\"8\" end=\"8\"/><field name=\"IF\" start=\"9\" end=\"9\"/>"
	"<field name=\"DF\" start=\"10\" end=\"10\"/><field name=\"OF\" start=\"11\" end=\"11\"/>"
	"<field name=\"NT\" start=\"14\" end=\"14\"/><field name=\"RF\" start=\"16\" end=\"16\"/>"
	"<field name=\"VM\" start=\"17\" end=\"17\"/><field name=\"AC\" start=\"18\" end=\"18\"/>"
	"<field name=\"VIF\" start=\"19\" end=\"19\"/><field name=\"VIP\" start=\"20\" end=\"20\"/>"
	"<field name=\"ID\" start=\"21\" end=\"21\"/></flags>";
static const char sse_types[] =
	"<vector id=\"v8bf16\" type=\"bfloat16\" count=\"8\"/>"
	"<vector id=\"v4f\" type=\"ieee_single\" count=\"4\"/>"
	"<vector id=\"v2d\" type=\"ieee_double\" count=\"2\"/>"
	"<vector id=\"v16i8\" type=\"int8\" count=\"16\"/>"
	"<vector id=\"v8i16\" type=\"int16\" count=\"8\"/>"
	"<vector id=\"v4i32\" type=\"int32\" count=\"4\"/>"
	"<vector id=\"v2i64\" type=\"int64\" count=\"2\"/>"
	"<union id=\"vec128\"><field name=\"v8_bfloat16\" type=\"v8bf16\"/>"
	"<field name=\"v4_float\" type=\"v4f\"/><field name=\"v2_double\" type=\"v2d\"/>"
	"<field name=\"v16_int8\" type=\"v16i8\"/><field name=\"v8_int16\" type=\"v8i16\"/>"
	"<field name=\"v4_int32\" type=\"v4i32\"/><field name=\"v2_int64\" type=\"v2i64\"/>"
	"<field name=\"uint128\" type=\"uint128\"/></union>"
	"<flags id=\"i386_mxcsr\" size=\"4\"><field name=\"IE\" start=\"0\" end=\"0\"/>"
	"<field name=\"DE\" start=\"1\" end=\"1\"/><field name=\"ZE\" start=\"2\" end=\"2\"/>"
	"<field name=\"OE\" start=\"3\" end=\"3\"/><field name=\"UE\" start=\"4\" end=\"4\"/>"
	"<field name=\"PE\" start=\"5\" end=\"5\"/><field name=\"DAZ\" start=\"6\" end=\"6\"/>"
	"<field name=\"IM\" start=\"7\" end=\"7\"/><field name=\"DM\" start=\"8\" end=\"8\"/>"
	"<field name=\"ZM\" start=\"9\" end=\"9\"/><field name=\"OM\" start=\"10\" end=\"10\"/>"
	"<field name=\"UM\" start=\"11\" end=\"11\"/><field name=\"PM\" start=\"12\" end=\"12\"/>"
	"<field name=\"FZ\" start=\"15\" end=\"15\"/></flags>";

/* --- the list -------------------------------------------------------------------------------- */

static struct {
	struct reg list[128];
	unsigned count;
	struct eng_rsp_bytes xml;
} all;

static unsigned copies(const struct reg *reg)
{
	return reg->source == STACK ? 8 : reg->source == XMM || reg->source == YMMH ? 16 : 1;
}

static void make_list(void)
{
	bool avx = xs_xsave_layout_here().offset[2]; /* the upper halves of ymm */
	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
		unsigned count = fixed[i].feature == AVX && !avx ? 0 : copies(&fixed[i]);
		for (unsigned k = 0; k < count; k++) {
			struct reg reg = fixed[i];
			if (count > 1) {
				reg.at = k;
				reg.dwarf += reg.dwarf >= 0 ? (int)k : 0;
				snprintf(reg.name, sizeof reg.name, "%.8s%u%s", fixed[i].name,
					k % 16, reg.source == YMMH ? "h" : "");
			}
			all.list[all.count++] = reg;
		}
	}
}

static void describe(unsigned number)
{
	const struct reg *reg = &all.list[number];
	bool vector = reg->source == STACK || reg->source == XMM || reg->source == YMMH;
	eng_rsp_print(&all.xml, "<reg name=\"%s\" bitsize=\"%u\" type=\"%s\" regnum=\"%u\"",
		reg->name, 8u * reg->size, reg->type, number);
	if (reg->group)
		eng_rsp_print(&all.xml, " group=\"%s\"", reg->group);
	eng_rsp_print(&all.xml, " encoding=\"%s\" format=\"%s\"", vector ? "vector" : "uint",
		vector ? "vector-uint8" : "hex");
	if (reg->dwarf >= 0)
		eng_rsp_print(&all.xml,
			" dwarf_regnum=\"%d\" ehframe_regnum=\"%d\" gcc_regnum=\"%d\"", reg->dwarf,
			reg->dwarf, reg->dwarf);
	if (reg->generic)
		eng_rsp_print(&all.xml, " generic=\"%s\"", reg->generic);
	eng_rsp_put_text(&all.xml, "/>");
}

static void make_xml(void)
{
	eng_rsp_put_text(&all.xml,
		"<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\">"
		"<target version=\"1.0\"><architecture>i386:x86-64</architecture>"
		"<osabi>GNU/Linux</osabi>");
	for (unsigned i = 0; i < all.count; i++) {
		enum feature feature = all.list[i].feature;
		if (!i || all.list[i - 1].feature != feature)
			eng_rsp_print(&all.xml, "%s<feature name=\"org.gnu.gdb.i386.%s\">%s",
				i ? "</feature>" : "", feature_names[feature],
				feature == CORE  ? core_types
				: feature == SSE ? sse_types
						 : "");
		describe(i);
	}
	eng_rsp_put_text(&all.xml, "</feature></target>");
	xs_vec_push(&all.xml.vec, 0);
}

static const struct reg *reg_at(unsigned number)
{
	if (!all.count)
		make_list();
	return number < all.count ? &all.list[number] : NULL;
}

unsigned eng_rsp_registers(void)
{
	(void)reg_at(0);
	return all.count;
}

const char *eng_rsp_registers_xml(void)
{
	(void)reg_at(0);
	if (!all.xml.vec.len)
		make_xml();
	return (const char *)all.xml.vec.data;
}

unsigned eng_rsp_register_size(unsigned number)
{
	const struct reg *reg = reg_at(number);
	return reg ? reg->size : 0;
}

/* --- values ---------------------------------------------------------------------------------- */

/* The full tag word: two bits for each register, by what is in it. */
static uint32_t tags_of(const struct xs_xstate *xstate)
{
	enum { VALID, ZERO, SPECIAL, EMPTY };
	uint32_t tags = 0;
	unsigned top = xstate->fstat >> 11 & 7;
	for (unsigned i = 0; i < 8; i++) {
		const uint8_t *bytes = xstate->st[(i - top) & 7];
		uint64_t significand;
		memcpy(&significand, bytes, 8);
		unsigned exponent = (bytes[8] | bytes[9] << 8) & 0x7fff, tag = EMPTY;
		if (xstate->ftag >> i & 1)
			tag = exponent == 0x7fff || (exponent && !(significand >> 63)) ? SPECIAL
			      : exponent                                               ? VALID
			      : significand                                            ? SPECIAL
										       : ZERO;
		tags |= tag << 2 * i;
	}
	return tags;
}

static uint32_t control_of(const struct xs_xstate *xstate, unsigned which)
{
	const uint32_t values[] = {xstate->fctrl, xstate->fstat, tags_of(xstate),
		(uint32_t)(xstate->fip >> 32) & 0xffff, (uint32_t)xstate->fip,
		(uint32_t)(xstate->fdp >> 32) & 0xffff, (uint32_t)xstate->fdp,
		xstate->fop & 0x7ffu};
	return values[which];
}

struct xs_error *eng_rsp_register_read(
	struct eng_tracee *tracee, unsigned number, uint8_t *ret, unsigned *size, bool *known)
{
	const struct reg *reg = reg_at(number);
	struct user_regs_struct *regs;
	const struct xs_xstate *xstate;
	struct xs_error *err;
	*known = reg;
	if (!reg)
		return NULL;
	*size = reg->size;
	if (reg->source == GENERAL) {
		if (!(err = eng_tracee_regs(tracee, &regs)))
			memcpy(ret, (const uint8_t *)regs + reg->at, reg->size);
		return err;
	}
	if ((err = eng_tracee_xstate(tracee, &xstate)))
		return err;
	if (reg->source == STACK) {
		memcpy(ret, xstate->st[reg->at], reg->size);
	} else if (reg->source == CONTROL) {
		uint32_t value = control_of(xstate, reg->at);
		memcpy(ret, &value, reg->size);
	} else if (reg->source == MXCSR) {
		memcpy(ret, &xstate->mxcsr, reg->size);
	} else {
		memcpy(ret, xstate->vector[reg->at] + (reg->source == YMMH ? 16 : 0), reg->size);
	}
	return NULL;
}

/* Where the x87 control registers lie in the area, by number, and how many bytes of each. */
static const struct {
	uint8_t at, size;
} controls[] = {{0, 2}, {2, 2}, {4, 1}, {12, 2}, {8, 4}, {20, 2}, {16, 4}, {6, 2}};

static struct xs_error *write_extended(
	struct eng_tracee *tracee, const struct reg *reg, const uint8_t *bytes)
{
	enum { X87, SSE_STATE, AVX_STATE, TAGS = 2 };
	uint8_t tags = 0;
	uint32_t full;
	switch (reg->source) {
	case STACK:
		return eng_tracee_write_xsave(tracee, 32 + 16 * reg->at, bytes, reg->size, X87);
	case XMM:
		return eng_tracee_write_xsave(
			tracee, 160 + 16 * reg->at, bytes, reg->size, SSE_STATE);
	case YMMH:
		return eng_tracee_write_xsave(tracee,
			xs_xsave_layout_here().offset[AVX_STATE] + 16 * reg->at, bytes, reg->size,
			AVX_STATE);
	case MXCSR:
		return eng_tracee_write_xsave(tracee, 24, bytes, reg->size, SSE_STATE);
	default:
		break;
	}
	memcpy(&full, bytes, sizeof full);
	for (unsigned i = 0; i < 8; i++)
		tags = (uint8_t)(tags | ((full >> 2 * i & 3) != 3) << i);
	return eng_tracee_write_xsave(tracee, controls[reg->at].at, reg->at == TAGS ? &tags : bytes,
		controls[reg->at].size, X87);
}

struct xs_error *eng_rsp_register_write(struct eng_tracee *tracee, unsigned number,
	const uint8_t *bytes, unsigned size, bool *known)
{
	const struct reg *reg = reg_at(number);
	struct user_regs_struct *regs;
	*known = reg && reg->size == size;
	if (!*known)
		return NULL;
	if (reg->source != GENERAL)
		return write_extended(tracee, reg, bytes);
	struct xs_error *err = eng_tracee_regs(tracee, &regs);
	if (err)
		return err;
	memcpy((uint8_t *)regs + reg->at, bytes, size);
	tracee->regs_changed = true;
	return NULL;
}
