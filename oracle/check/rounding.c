#include "oracle/check/rounding.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool has_word(const char *type, const char *const *words)
{
	for (; type && *words; words++)
		if (strstr(type, *words))
			return true;
	return false;
}

static bool is_half(const char *type)
{
	static const char *const words[] = {"_Float16", "__fp16", "__bf16", "bfloat16", NULL};
	return has_word(type, words);
}

static bool is_single(const char *type)
{
	static const char *const words[] = {"float", "_Float32", "f32", "real(kind=4)", NULL};
	return has_word(type, words);
}

static bool is_floating(const char *type)
{
	static const char *const words[] = {
		"double", "_Float", "f64", "real(kind", "float128", "f128", "complex", NULL};
	return is_half(type) || is_single(type) || has_word(type, words);
}

static bool is_integer(const char *type)
{
	static const char *const words[] = {"int", "char", "short", "long", "unsigned", "signed",
		"_Bool", "bool", "*", "enum", NULL};
	return !type || (has_word(type, words) && !is_floating(type));
}

/* What only the text of a floating value has. */
static bool looks_floating(const char *value)
{
	return value[strcspn(value, ".enEN")] != '\0';
}

static bool read_number(const char *value, long double *ret)
{
	char *end;
	*ret = strtold(value, &end);
	return end != value && !*end && strncmp(value, "0x", 2) != 0;
}

void ora_rounding_add(struct ora_rounding *rounding, const char *type, const char *value)
{
	long double number;
	if (is_integer(type) || !read_number(value, &number))
		return;
	rounding->floating |= looks_floating(value);
	rounding->nan |= isnan(number);
	if (!isnan(number))
		xs_vec_push(&rounding->numbers, number);
}

bool ora_rounding_is_near(const struct ora_rounding *rounding, const char *type, const char *value)
{
	const long double part = is_half(type) ? 0x1p-6L : 0x1p-16L;
	const long double tiny = is_single(type) ? (long double)FLT_MIN : (long double)DBL_MIN;
	long double number;
	if (is_integer(type) || !read_number(value, &number) ||
		!(is_floating(type) || rounding->floating || looks_floating(value)))
		return false;
	if (isnan(number))
		return rounding->nan;
	for (size_t i = 0; i < rounding->numbers.len; i++) {
		long double one = rounding->numbers.data[i];
		long double a = fabsl(one), b = fabsl(number), larger = a > b ? a : b;
		if (one == number || larger < tiny ||
			(isfinite(larger) && fabsl(one - number) < larger * part))
			return true;
	}
	return false;
}

void ora_rounding_deinit(struct ora_rounding *rounding)
{
	xs_vec_deinit(&rounding->numbers);
}
