/* reply_same.c - whether what a debugger printed is what a witness is said to have said. */
#include <ctype.h>
#include <limits.h>
#include <math.h>

#include "base/path.h"
#include "dwarf/name_text.h"
#include "oracle/session/reply.h"

/* --- numbers -------------------------------------------------------------------------------- */

static bool is_integer(const char *value)
{
	value += *value == '-';
	return *value && strspn(value, "0123456789") == strlen(value);
}

/* What is in front of a blank: gdb explains characters and addresses behind the number. */
static char *first_word(const char *text)
{
	return xs_asprintf("%.*s", (int)strcspn(text, " \t\n"), text);
}

/* A character or a truth value as its number; 0 if it is none. */
static bool is_letter(const char *text, long *ret)
{
	static const char letters[] = "abfnrtv\\'\"0", codes[] = "\a\b\f\n\r\t\v\\'\"";
	if (!strcmp(text, "true") || !strcmp(text, "false")) {
		*ret = *text == 't';
		return true;
	}
	if (*text != '\'' || !text[1])
		return false;
	const char *letter = text[1] == '\\' ? strchr(letters, text[2]) : NULL;
	unsigned char code = (unsigned char)text[1];
	if (text[1] == '\\' && text[2] == 'x')
		code = (unsigned char)strtol(text + 3, NULL, 16);
	else if (text[1] == '\\' && letter && *letter)
		code = (unsigned char)codes[letter - letters];
	*ret = code > SCHAR_MAX ? code - UCHAR_MAX - 1 : code;
	return true;
}

static bool same_integer(const char *printed, const char *said)
{
	XS_AUTO_FREE char *word = first_word(printed);
	long letter;
	if (!is_integer(word) && is_letter(printed, &letter)) {
		free(word);
		word = xs_asprintf("%ld", letter);
	}
	return !strcmp(word, said);
}

/* How many significant digits a number was printed with. */
static size_t digits_of(const char *text)
{
	size_t ret = 0;
	text += strspn(text, "+-0.");
	for (; isdigit((unsigned char)*text) || *text == '.'; text++)
		ret += *text != '.';
	return ret;
}

/* Debuggers print more digits than are needed to tell one float from its neighbours; the canonical
 * text has as few as that takes. Both must be one float. */
static bool same_float(const char *printed, const char *said, bool short_float)
{
	char *end, *said_end;
	long double a = strtold(printed, &end), b = strtold(said, &said_end);
	if (end == printed || said_end == said)
		return false;
	if (isnan(a) || isnan(b))
		return isnan(a) && isnan(b) &&
		       (!strchr(printed, '(') || !strncmp(printed, said, strlen(said)));
	size_t digits = digits_of(printed);
	if (a == b || (digits <= 17 && (double)a == (double)b) ||
		(digits <= 9 && (float)a == (float)b))
		return true;
	/* A half has eleven bits, a bfloat eight: no more than five digits are printed. */
	long double near = short_float && digits <= 5 ? 1e-3L : digits > 17 ? 1e-18L : 0;
	return !isinf(a) && !isinf(b) && fabsl(a - b) <= near * fabsl(b);
}

/* A half of `1.25 + 0.1i`, which lldb prints with six digits. */
static bool same_half(const char *printed, const char *said, bool imaginary)
{
	char *end;
	double first = strtod(printed, &end);
	if (imaginary) {
		const char *sign = end + strspn(end, " ");
		const char *number = sign + (*sign == '+') + (sign[0] == '+' && sign[1] == ' ');
		first = strtod(number, &end);
		if (*end != 'i')
			return false;
	}
	XS_AUTO_FREE char *a = xs_asprintf("%g", first);
	XS_AUTO_FREE char *b = xs_asprintf("%g", strtod(said, NULL));
	return !strcmp(a, b);
}

static bool same_value(
	const char *printed, const char *said, const struct ora_by_hand_question *question)
{
	const char *dot = question->path ? strrchr(question->path, '.') : NULL;
	size_t length = strlen(printed);
	if (!strcmp(said, "implicit"))
		return !strcmp(printed, "implicit");
	if (question->complex && dot && length && printed[length - 1] == 'i')
		return same_half(printed, said, !strcmp(dot, ".imag"));
	if (!strcmp(said, "0x0") && !strncmp(printed, "NULL", 4)) /* lldb's word for it */
		return true;
	if (!strncmp(said, "0x", 2))
		return !strncmp(printed, "0x", 2) &&
		       strtoull(printed, NULL, 16) == strtoull(said, NULL, 16);
	XS_AUTO_FREE char *word = first_word(printed);
	if (is_integer(said) && (is_integer(word) || same_integer(printed, said)))
		return same_integer(printed, said);
	return same_float(printed, said, question->short_float);
}

/* --- frames --------------------------------------------------------------------------------- */

/* A name without what a compiler or a debugger appends, to be freed. */
static char *bare(const char *name)
{
	XS_AUTO_FREE char *plain = di_name_plain(di_name_in_scope(name));
	return di_name_last(plain);
}

bool ora_reply_same_function(const char *a, const char *b)
{
	if (!a || !b)
		return a == b;
	XS_AUTO_FREE char *left = bare(a), *right = bare(b);
	return !strcmp(left, right);
}

bool ora_reply_same_qualified(const char *a, const char *b)
{
	if (!a || !b)
		return a == b;
	XS_AUTO_FREE char *left = di_name_key(di_name_in_scope(a));
	XS_AUTO_FREE char *right = di_name_key(di_name_in_scope(b));
	XS_AUTO_FREE char *bare_left = di_name_bare(left), *bare_right = di_name_bare(right);
	return !strcmp(bare_left, bare_right);
}

/* The program's own functions of `f < g (inlined) < main at t.c:3`, and the place; to be freed. */
static char *own_frames(const char *stack, const struct ora_reply_names *names, char **place)
{
	XS_AUTO_FREE char *text = xs_strdup(stack);
	char *ret = NULL, *rest = text, *at = strstr(text, " at ");
	size_t size = 0;
	FILE *out = open_memstream(&ret, &size);
	xs_assert(out);
	*place = at ? xs_strdup(at + 4) : NULL;
	if (at)
		*at = 0;
	while (rest) {
		char *next = strstr(rest, " < ");
		if (next)
			*next = 0;
		char *mark = strstr(rest, " (inlined)");
		if (mark)
			*mark = 0;
		XS_AUTO_FREE char *name = bare(rest);
		if (*name && *name != '?' &&
			(!names || !names->is_own || names->is_own(names->arg, name)))
			fprintf(out, "%s < ", name);
		rest = next ? next + 3 : NULL;
	}
	xs_assert(!fclose(out));
	return ret;
}

static bool same_frames(const char *printed, const char *said, const struct ora_reply_names *names)
{
	XS_AUTO_FREE char *a_place = NULL;
	XS_AUTO_FREE char *b_place = NULL;
	XS_AUTO_FREE char *a = own_frames(printed, names, &a_place);
	XS_AUTO_FREE char *b = own_frames(said, names, &b_place);
	return !strcmp(a, b) && (!a_place || !b_place || !strcmp(a_place, b_place));
}

/* --- all of it ------------------------------------------------------------------------------ */

static bool has_no_value(enum ora_state state)
{
	return state == ORA_STATE_OPTIMIZED_OUT || state == ORA_STATE_ERROR;
}

bool ora_reply_is(const struct ora_reply *answer, const struct ora_by_hand_question *question,
	const struct ora_said *said, const struct ora_reply_names *names)
{
	if (!answer->read)
		return false;
	switch (question->aspect) {
	case ORA_ASPECT_VARIABLE:
	case ORA_ASPECT_BUILDS:
		break;
	case ORA_ASPECT_FRAMES:
	case ORA_ASPECT_PRESENTATION:
		return said->value && same_frames(answer->value, said->value, names);
	default:
		return said->value && !strcmp(answer->value, said->value);
	}
	if (said->state == ORA_STATE_ABSENT || answer->state == ORA_STATE_ABSENT)
		return said->state == answer->state;
	/* In which words a debugger declines is no matter. */
	if (has_no_value(said->state) || has_no_value(answer->state))
		return has_no_value(said->state) && has_no_value(answer->state);
	return said->value && (!answer->value || same_value(answer->value, said->value, question));
}
