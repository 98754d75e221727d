#include "dwarf/words.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "dwarf/dw_name.h"
#include "dwarf/language.h"
#include "dwarf/op.h"
#include "dwarf/reg.h"
#include "dwarf/value.h"

static const char *const all[] = {
#define WHY(code, name, words) [DI_WHY_##code] = words,
#include "dwarf/why_list.h"
#undef WHY
};

/* A reason while its words are made. */
struct words {
	const struct di_why *why;
	size_t number, text; /* operands used */
	char *buf;           /* of DI_WORDS bytes */
	size_t len;          /* of the words so far */
};

static void put(struct words *words, const char *format, ...) XS_PRINTF(2, 3);
static void put(struct words *words, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int len = vsnprintf(words->buf + words->len, DI_WORDS - words->len, format, args);
	va_end(args);
	words->len += len > 0 ? (size_t)len : 0;
	if (words->len >= DI_WORDS)
		words->len = DI_WORDS - 1;
}

static uint64_t number(struct words *words)
{
	xs_assert(words->number < DI_WHY_NUMBERS);
	return words->why->number[words->number++];
}

static const char *text(struct words *words)
{
	xs_assert(words->text < DI_WHY_TEXTS);
	const char *ret = words->why->text[words->text++];
	return ret ? ret : "";
}

static void put_register(struct words *words, char how)
{
	uint64_t reg = number(words);
	const char *name = di_register_name(reg);
	if (how == 'n')
		put(words, "%s", name ? name : "register");
	else if (how == 'R' && name)
		put(words, "register %s", name);
	else if (how == 'r' && reg < DI_REG_GENERAL)
		put(words, "%s", name);
	else
		put(words, "register %" PRIu64, reg);
}

static void put_type(struct words *words)
{
	char buf[DI_BASE_TEXT];
	struct di_base type = di_base_unpack(number(words));
	put(words, "%s", di_base_text(&type, buf));
}

/* The operand that a letter of the words stands for. */
static void put_operand(struct words *words, char letter, int most)
{
	char buf[DI_WIDE_TEXT > DI_FP_TEXT ? DI_WIDE_TEXT : DI_FP_TEXT];
	switch (letter) {
	case 'u':
		put(words, "%" PRIu64, number(words));
		break;
	case 'd':
		put(words, "%" PRId64, (int64_t)number(words));
		break;
	case 'x':
		put(words, "0x%" PRIx64, number(words));
		break;
	case 'b':
		put(words, "0x%02" PRIx64, number(words));
		break;
	case 'T':
		put(words, "%s", di_tag_name((unsigned)number(words), (char[DI_DW_NAME]){0}));
		break;
	case 'A':
		put(words, "%s", di_attribute_name((unsigned)number(words), (char[DI_DW_NAME]){0}));
		break;
	case 'E':
		put(words, "%s", di_encoding_name((unsigned)number(words), (char[DI_DW_NAME]){0}));
		break;
	case 'L':
		put(words, "%s", di_language_name(number(words), (char[DI_DW_NAME]){0}));
		break;
	case 'p':
		put(words, "%s", words->why->number[words->number - 1] == 1 ? "" : "s");
		break;
	case 'n':
	case 'r':
	case 'R':
		put_register(words, letter);
		break;
	case 'o':
		put(words, "%s", di_op_table[number(words) & 0xff].name);
		break;
	case 't':
		put_type(words);
		break;
	case 'w':
		put(words, "%s", di_wide_text_s(words->why->wide, buf));
		break;
	case 'f':
		put(words, "%s",
			di_fp_text((enum di_fp_format)number(words), words->why->wide, buf));
		break;
	case 'm':
		put(words, "%.*s", (int)number(words), text(words));
		break;
	case 's':
		put(words, "%.*s", most, text(words));
		break;
	default: /* no letter that why_list.h explains */
		xs_assert(false);
	}
}

const char *di_why_text(const struct di_why *why, char buf[static DI_WORDS])
{
	struct words words = {.why = why, .buf = buf};
	buf[0] = '\0';
	for (const char *at = all[why->code]; *at;) {
		size_t plain = strcspn(at, "%");
		int most = DI_WORDS;
		put(&words, "%.*s", (int)plain, at);
		at += plain;
		if (!*at)
			break;
		if (*++at == '.')
			for (most = 0, at++; *at >= '0' && *at <= '9'; at++)
				most = 10 * most + (*at - '0');
		put_operand(&words, *at++, most);
	}
	return buf;
}

enum {
	OPERATOR_MOST = 100, /* characters of an operator */
	PART_MOST = 200,     /* of the reason why a part cannot be worked out */
	NAME_MOST = 100,     /* of a type's name */
};

/* The operator of an expression. */
static void put_operator(struct words *words, const struct di_within *within)
{
	struct di_expr_unit unit = {.version = within->version,
		.address_size = within->address_size,
		.offset_size = within->offset_size,
		.die_base = within->die_base};
	char buf[DI_OP_TEXT];
	struct di_answer ignored;
	struct di_op op;
	if (di_op_decode(&unit, within->data, within->size, within->at, &op, &ignored))
		put(words, "%.*s at +0x%zx: ", OPERATOR_MOST, di_op_text(&unit, &op, buf),
			within->at);
}

/* What was being done, then the words so far. */
static void put_within(struct words *words, const struct di_within *within, const char *inner)
{
	int most = DI_WORDS;
	switch (within->kind) {
	case DI_WITHIN_SECTION:
	case DI_WITHIN_OPERATOR:
	case DI_WITHIN_END:
		if (within->name)
			put(words, "%s+0x%" PRIx64 ": ", within->name, within->offset);
		if (within->kind == DI_WITHIN_OPERATOR)
			put_operator(words, within);
		if (within->kind == DI_WITHIN_END)
			put(words, "end at +0x%zx: ", within->size);
		break;
	case DI_WITHIN_PART:
		put(words, "%s: ", within->name);
		most = PART_MOST;
		break;
	case DI_WITHIN_TYPE:
		put(words, "%.*s: ", NAME_MOST, within->name);
		break;
	case DI_WITHIN_CALL:
		put(words, "the caller called ");
		if (within->name)
			put(words, "%s", within->name);
		else
			put(words, "0x%" PRIx64, within->offset);
		put(words, ", and %s runs: ", within->other);
		break;
	}
	put(words, "%.*s", most, inner);
}

const char *di_answer_text(const struct di_answer *answer, char buf[static DI_WORDS])
{
	char inner[DI_WORDS];
	di_why_text(&answer->why, buf);
	for (size_t i = 0; i < answer->depth; i++) {
		struct words words = {.buf = buf};
		memcpy(inner, buf, sizeof inner);
		put_within(&words, &answer->within[i], inner);
	}
	return buf;
}
