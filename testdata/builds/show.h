/*
 * show.h - how a program of this folder tells the truth about itself.
 *
 * At a stop the program calls mark(). The debugger stops at mark's first instruction and looks at the
 * frame of the caller. When mark has returned, the program prints each leaf of what is in scope there:
 * name, kind and value, so that the optimiser must keep the values beyond the call.
 */
#ifndef SHOW_H
#define SHOW_H

#if defined __TINYC__
#define APART
#define IS_GCC 0
#define IS_CLANG 0
#define IS_TCC 1
#elif defined __clang__
#define APART __attribute__((noinline))
#define IS_GCC 0
#define IS_CLANG __clang_major__
#define IS_TCC 0
#else
#define APART __attribute__((noipa))
#define IS_GCC __GNUC__
#define IS_CLANG 0
#define IS_TCC 0
#endif

/* A stop: where it is, and what follows is about. */
void mark(int line, const char *function);
#define MARK() mark(__LINE__, __func__)
/* The same in a thread other than the first one; these stops are counted apart. */
void mark_aside(int line, const char *function);
#define MARK_ASIDE() mark_aside(__LINE__, __func__)

/* The number of the last stop; what is printed from now on is about the frame so far outside at it. */
extern int mark_stop;
void show_outer(int stop, int outward);

/* Values that no optimiser can foresee. */
long opaque(long value);
double opaque_real(double value);

/* In names, % stands for the first index and $ for the second. */
extern int show_i, show_j;
void show_signed(const char *name, long long value);
void show_unsigned(const char *name, unsigned long long value);
void show_half(const char *name, float value);
void show_float(const char *name, float value);
void show_double(const char *name, double value);
void show_long_double(const char *name, long double value);
void show_pointer(const char *name, const volatile void *value);
#if !IS_TCC
void show_int128(const char *name, __int128 value);
void show_uint128(const char *name, unsigned __int128 value);
#define SHOW_WIDE __int128 : show_int128, unsigned __int128 : show_uint128,
#else
#define SHOW_WIDE
#endif

#define SHOW_AS(name, x)                                                                           \
	_Generic((x), SHOW_WIDE _Bool : show_unsigned, char : show_signed, signed char : show_signed,  \
			 unsigned char : show_unsigned, short : show_signed, unsigned short : show_unsigned,   \
			 int : show_signed, unsigned : show_unsigned, long : show_signed,                      \
			 unsigned long : show_unsigned, long long : show_signed,                               \
			 unsigned long long : show_unsigned, float : show_float, double : show_double,         \
			 long double : show_long_double)(name, x)
#define SHOW(x) SHOW_AS(#x, x)
/* Enumerations and bit-fields, whose types _Generic does not know; no value is larger. */
#define SHOW_INT(x) show_signed(#x, (long long)(x))
#define SHOW_PTR(x) show_pointer(#x, (const volatile void *)(x))
#define SHOW_ARRAY(x, count)                                                                       \
	do                                                                                             \
		for (show_i = 0; show_i < (int)(count); show_i++)                                          \
			SHOW_AS(#x "[%]", x[show_i]);                                                          \
	while (0)
#define SHOW_GRID(x, rows, columns)                                                                \
	do                                                                                             \
		for (show_i = 0; show_i < (int)(rows); show_i++)                                           \
			for (show_j = 0; show_j < (int)(columns); show_j++)                                    \
				SHOW_AS(#x "[%][$]", x[show_i][show_j]);                                           \
	while (0)
#define SHOW_COMPLEX(x)                                                                            \
	do {                                                                                           \
		SHOW_AS(#x ".real", __real__(x));                                                          \
		SHOW_AS(#x ".imag", __imag__(x));                                                          \
	} while (0)
#endif
