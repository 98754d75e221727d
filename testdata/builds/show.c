/*
 * show.c - prints leaves; see show.h.
 */
#include "show.h"

#include <stdio.h>

int mark_stop;
int show_i, show_j;

APART void mark(int line, const char *function)
{
	mark_stop++;
	printf("@\tm%d\t1\t%s\t%d\n", mark_stop, function ? function : "?", line);
}

APART void mark_aside(int line, const char *function)
{
	static int stops;
	printf("@\ta%d\t1\t%s\t%d\n", ++stops, function, line);
}

APART void show_outer(int stop, int outward)
{
	printf("@\tm%d\t%d\t?\t0\n", stop, outward);
}

APART long opaque(long value)
{
	volatile long kept = value;
	return kept;
}

APART double opaque_real(double value)
{
	volatile double kept = value;
	return kept;
}

static void name_print(const char *name)
{
	for (; *name; name++)
		if (*name == '%')
			printf("%d", show_i);
		else if (*name == '$')
			printf("%d", show_j);
		else if (*name != ' ')
			putchar(*name);
}

APART void show_signed(const char *name, long long value)
{
	name_print(name);
	printf("\ti\t%lld\n", value);
}

APART void show_unsigned(const char *name, unsigned long long value)
{
	name_print(name);
	printf("\ti\t%llu\n", value);
}

APART void show_half(const char *name, float value)
{
	name_print(name);
	printf("\tf11\t%a\n", value);
}

APART void show_float(const char *name, float value)
{
	name_print(name);
	printf("\tf24\t%a\n", value);
}

APART void show_double(const char *name, double value)
{
	name_print(name);
	printf("\tf53\t%a\n", value);
}

APART void show_long_double(const char *name, long double value)
{
	name_print(name);
	printf("\tf64\t%La\n", value);
}

APART void show_pointer(const char *name, const volatile void *value)
{
	name_print(name);
	printf("\tp\t0x%lx\n", (unsigned long)value);
}

#if !IS_TCC
APART void show_uint128(const char *name, unsigned __int128 value)
{
	char digits[40];
	int used = sizeof digits;
	digits[--used] = 0;
	do
		digits[--used] = (char)('0' + value % 10);
	while (value /= 10);
	name_print(name);
	printf("\ti\t%s\n", digits + used);
}

APART void show_int128(const char *name, __int128 value)
{
	char digits[41];
	int used = sizeof digits;
	unsigned __int128 rest = value < 0 ? -(unsigned __int128)value : (unsigned __int128)value;
	digits[--used] = 0;
	do
		digits[--used] = (char)('0' + rest % 10);
	while (rest /= 10);
	if (value < 0)
		digits[--used] = '-';
	name_print(name);
	printf("\ti\t%s\n", digits + used);
}
#endif
