/* A global of every type that a leaf can have, initialised, so that its bytes are in the file.
 * end: main returned; exited with status 7
 * functions: main vla
 *
 * dwarf/leaf_test.c knows each value: change both. */
#include <stddef.h>
#include <uchar.h>
#include <wchar.h>

/* --- base types --- */
_Bool v_bool = 1;
char v_char = 'A';
signed char v_schar = -128;
unsigned char v_uchar = 255;
short v_short = -32768;
unsigned short v_ushort = 65535;
int v_int = -2147483647 - 1;
unsigned v_uint = 4294967295u;
long v_long = -9223372036854775807L - 1;
unsigned long v_ulong = 18446744073709551615ul;
long long v_llong = -1;
unsigned long long v_ullong = 1;
wchar_t v_wchar = L'z';
char16_t v_char16 = 0xfffe;
char32_t v_char32 = 0x10ffff;
__int128 v_int128 = -((__int128)1 << 100);
unsigned __int128 v_uint128 = ~(unsigned __int128)0;
float v_float = 0.1f;
double v_double = -0.1;
long double v_ldouble = 0.1L;
__float128 v_float128 = 0.5;
_Float16 v_float16 = 1.5;
float v_inf = __builtin_inff();
double v_minus_zero = -0.0;
_Complex float v_cfloat = 1.5f + 2.5if;
_Complex double v_cdouble = -1.0 + 0.25i;
_Complex long double v_cldouble = 3.0L + 4.0iL;
_Complex int v_cint = 7 - 8i;
#ifdef __clang__
_BitInt(32) v_bitint = -5;
unsigned _BitInt(128) v_ubitint = 5;
#else
_Decimal64 v_decimal = 1.5dd;
_Decimal64 v_decimals[2] = {1.5dd, 2.5dd};
#endif

/* --- qualifiers and typedefs --- */
typedef int number;
typedef const number constant;
typedef struct point {
	int x, y;
} point;
const int v_const = 11;
volatile int v_volatile = 12;
const volatile int v_cv = 13;
_Atomic int v_atomic = 14;
number v_typedef = 15;
constant v_constant = 16;

/* --- pointers --- */
int *v_pointer = &v_int;
const char *v_string = NULL;
char *const v_const_pointer = NULL;
void *v_void_pointer = &v_pointer;
int **v_pointer_pointer = &v_pointer;
int *restrict v_restrict = &v_int;
int (*v_function)(int) = NULL;
int (*v_to_array)[3] = NULL;
void (*v_noreturn)(void) = NULL;
int (*v_variadic)(const char *, ...) = NULL;
struct incomplete *v_incomplete = NULL;

/* --- enums --- */
enum plain { PLAIN_A, PLAIN_B = 5 } v_enum = PLAIN_B;
enum negative { NEGATIVE_A = -3, NEGATIVE_B } v_enum_negative = NEGATIVE_A;
enum flags { FLAG_1 = 1, FLAG_2 = 2 } v_enum_flags = FLAG_1 | FLAG_2;
enum wide { WIDE_A = 0x123456789abcdef0 } v_enum_wide = WIDE_A;
enum __attribute__((packed)) small { SMALL_A = 200 } v_enum_small = SMALL_A;

/* --- arrays --- */
int v_array[3] = {1, 2, 3};
int v_matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
int v_cube[2][1][2] = {{{1, 2}}, {{3, 4}}};
const char v_text[4] = "abc";
int *v_pointers[2] = {&v_int, NULL};
int v_zero[0];
typedef int four __attribute__((vector_size(16)));
four v_vector = {1, -2, 3, -4};
typedef double two __attribute__((vector_size(16)));
two v_vectors[2] = {{1, 2}, {3, 4}};

/* --- structs and unions --- */
point v_point = {1, -2};
struct point v_points[2] = {{1, 2}, {3, 4}};
struct point *v_second = &v_points[1];
struct {
	char c;
	long l;
	struct {
		short s;
		float f[2];
	} in;
} v_struct = {'x', -1, {2, {0.5f, 1.5f}}};
union either {
	int i;
	float f;
	unsigned char bytes[4];
} v_union = {.f = 1.0f};
struct {
	int before;
	union {
		int i;
		struct {
			short lo, hi;
		};
	};
	struct {
		int after;
	};
} v_anonymous = {1, {.i = 0x20003}, {4}};
struct node {
	int value;
	struct node *next;
} v_node2 = {2, NULL}, v_node = {1, &v_node2};
struct {
} v_empty;
struct {
	int before;
	struct {
	} nothing[4];
	int none[0];
	int after;
} v_with_empty = {1, {}, {}, 2};
struct flexible {
	int count;
	int items[];
} v_flexible = {2, {3, 4}};

/* --- bit-fields --- */
struct {
	int a : 3;
	unsigned b : 5;
	int c : 24;
	long d : 40;
	unsigned long e : 24;
	_Bool f : 1;
	enum plain g : 4;
	enum negative h : 4;
	int : 0;
	int i : 32;
} v_bits = {-4, 31, -8388608, -549755813888, 16777215, 1, PLAIN_B, NEGATIVE_A, -1};
struct __attribute__((packed)) {
	char a;
	long b : 40;
	int c : 7;
	unsigned long d : 63;
	int e : 31;
	char f;
} v_packed = {1, -2, -3, 0x4000000000000001, -5, 6};
struct {
	unsigned char a : 1;
	unsigned short b : 9;
	char c;
	int d : 17;
	struct {
		unsigned x : 2;
		unsigned y : 30;
	} in[2];
} v_bits_mixed = {1, 257, -1, -65536, {{1, 2}, {3, 0x3fffffff}}};
union {
	unsigned whole;
	struct {
		unsigned low : 12;
		unsigned high : 20;
	};
} v_bits_union = {0xabcde123};

/* --- what has more leaves than anyone wants --- */
struct {
	char first;
	int many[100][100];
	struct point last;
} v_large = {1, {{2, 3}}, {4, 5}};

int vla(int n)
{
	int row[n];
	short rows[2][n];
	for (int i = 0; i < n; i++)
		row[i] = rows[0][i] = rows[1][i] = i;
	return row[n - 1] + rows[1][n - 1];
}

int main(void)
{
	return vla(2) + (v_const_pointer == NULL) + v_const - v_cv + v_struct.in.s + v_array[2] + 1;
}
