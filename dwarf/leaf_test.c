/* leaf_test.c - every leaf of really compiled variables: path, type and text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dwarf.h>

#include "dwarf/leaf_fake.h"
#include "dwarf/words.h"

/* --- collecting ------------------------------------------------------------------------------- */

enum { KEEP = 64 }; /* leaves of one variable that a test looks at */

/* What di_leaves told. */
struct told {
	char path[KEEP][64];
	char type[KEEP][64];
	char text[KEEP][160]; /* or the reason */
	char name[KEEP][32];  /* enumerator, or "" */
	enum di_leaf_state state[KEEP];
	uint64_t missing; /* of the leaf CUT */
	size_t count;     /* how many there were, kept or not */
};

static void on_leaf(void *arg, const struct di_leaf *leaf)
{
	struct told *told = arg;
	size_t i = told->count++;
	if (leaf->state == DI_LEAF_CUT)
		told->missing = leaf->missing;
	if (i >= KEEP)
		return;
	told->state[i] = leaf->state;
	snprintf(told->path[i], sizeof told->path[i], "%s", leaf->path);
	snprintf(told->type[i], sizeof told->type[i], "%s", leaf->type->name);
	snprintf(told->text[i], sizeof told->text[i], "%s",
		leaf->state == DI_LEAF_VALUE ? leaf->text
		: leaf->answer               ? di_answer_text(leaf->answer, (char[DI_WORDS]){0})
					     : "");
	snprintf(told->name[i], sizeof told->name[i], "%s", leaf->name ? leaf->name : "");
}

static struct di_location location; /* too large for comfort on the stack */
static struct told told;

static void flatten_at(struct fixture *fixture, const char *name, uint64_t max)
{
	Dwarf_Die die = fixture_variable(fixture, name);
	struct di_leaf_request request = {.host = &fixture->host,
		.path = name,
		.type = di_type_of(fixture->types, &die),
		.location = &location,
		.max_leaves = max,
		.on_leaf = on_leaf,
		.arg = &told};
	memset(&told, 0, sizeof told);
	assert_null(di_leaves(&request));
}

/* The leaves of a global. */
static void flatten(struct fixture *fixture, const char *name, uint64_t max)
{
	di_location_memory(fixture_address(fixture, name), &location);
	flatten_at(fixture, name, max);
}

/* The leaves of a variable that would hold these bytes. */
static void flatten_bytes(struct fixture *fixture, const char *name, const void *data, size_t size)
{
	di_location_memory(0, &location);
	location.piece[0] =
		(struct di_piece){.kind = DI_PIECE_BYTES, .bytes = {.data = data, .size = size}};
	flatten_at(fixture, name, 0);
}

/* --- every type ------------------------------------------------------------------------------- */

struct expected {
	const char *path;
	const char *type; /* spellings, by whatever compiler and DWARF version, parted by | */
	const char *text; /* `&x`: the address of x; `!...`: an error with this reason */
	const char *name; /* enumerator */
};

static const struct expected in_c[] = {
	{"v_bool", "_Bool", "1", NULL},
	{"v_char", "char", "65", NULL},
	{"v_schar", "signed char", "-128", NULL},
	{"v_uchar", "unsigned char", "255", NULL},
	{"v_short", "short int|short", "-32768", NULL},
	{"v_ushort", "short unsigned int|unsigned short", "65535", NULL},
	{"v_int", "int", "-2147483648", NULL},
	{"v_uint", "unsigned int", "4294967295", NULL},
	{"v_long", "long int|long", "-9223372036854775808", NULL},
	{"v_ulong", "long unsigned int|unsigned long", "18446744073709551615", NULL},
	{"v_llong", "long long int|long long", "-1", NULL},
	{"v_ullong", "long long unsigned int|unsigned long long", "1", NULL},
	{"v_wchar", "wchar_t", "122", NULL},
	{"v_char16", "char16_t", "65534", NULL},
	{"v_char32", "char32_t", "1114111", NULL},
	{"v_int128", "__int128", "-1267650600228229401496703205376", NULL},
	{"v_uint128", "__int128 unsigned|unsigned __int128",
		"340282366920938463463374607431768211455", NULL},
	{"v_float", "float", "0.1", NULL},
	{"v_double", "double", "-0.1", NULL},
	{"v_ldouble", "long double", "0.1", NULL},
	{"v_float128", "_Float128|__float128", "0.5", NULL},
	{"v_float16", "_Float16", "1.5", NULL},
	{"v_inf", "float", "inf", NULL},
	{"v_minus_zero", "double", "-0", NULL},
	{"v_cfloat.real", "float", "1.5", NULL},
	{"v_cfloat.imag", "float", "2.5", NULL},
	{"v_cdouble.real", "double", "-1", NULL},
	{"v_cdouble.imag", "double", "0.25", NULL},
	{"v_cldouble.real", "long double", "3", NULL},
	{"v_cldouble.imag", "long double", "4", NULL},
	{"v_cint.real", "int", "7", NULL},
	{"v_cint.imag", "int", "-8", NULL},
	{"v_const", "const int", "11", NULL},
	{"v_volatile", "volatile int", "12", NULL},
	/* gcc loses the const of this one with -fdebug-types-section. */
	{"v_cv", "const volatile int|volatile const int|volatile int", "13", NULL},
	{"v_atomic", "_Atomic int|int", "14", NULL},
	{"v_typedef", "number", "15", NULL},
	{"v_constant", "constant", "16", NULL},
	{"v_pointer", "int *", "&v_int", NULL},
	{"v_string", "const char *", "0x0", NULL},
	{"v_const_pointer", "char *const", "0x0", NULL},
	{"v_void_pointer", "void *", "&v_pointer", NULL},
	{"v_pointer_pointer", "int **", "&v_pointer", NULL},
	{"v_restrict", "int *restrict|int *", "&v_int", NULL},
	{"v_function", "int (*)(int)", "0x0", NULL},
	{"v_to_array", "int (*)[3]", "0x0", NULL},
	{"v_noreturn", "void (*)(void)", "0x0", NULL},
	{"v_variadic", "int (*)(const char *, ...)", "0x0", NULL},
	{"v_incomplete", "struct incomplete *", "0x0", NULL},
	{"v_enum", "enum plain", "5", "PLAIN_B"},
	{"v_enum_negative", "enum negative", "-3", "NEGATIVE_A"},
	{"v_enum_flags", "enum flags", "3", NULL},
	{"v_enum_wide", "enum wide", "1311768467463790320", "WIDE_A"},
	{"v_enum_small", "enum small", "200", "SMALL_A"},
	{"v_array[0]", "int", "1", NULL},
	{"v_array[1]", "int", "2", NULL},
	{"v_array[2]", "int", "3", NULL},
	{"v_matrix[0][0]", "int", "1", NULL},
	{"v_matrix[0][1]", "int", "2", NULL},
	{"v_matrix[0][2]", "int", "3", NULL},
	{"v_matrix[1][0]", "int", "4", NULL},
	{"v_matrix[1][1]", "int", "5", NULL},
	{"v_matrix[1][2]", "int", "6", NULL},
	{"v_cube[0][0][0]", "int", "1", NULL},
	{"v_cube[0][0][1]", "int", "2", NULL},
	{"v_cube[1][0][0]", "int", "3", NULL},
	{"v_cube[1][0][1]", "int", "4", NULL},
	{"v_text[0]", "const char", "97", NULL},
	{"v_text[1]", "const char", "98", NULL},
	{"v_text[2]", "const char", "99", NULL},
	{"v_text[3]", "const char", "0", NULL},
	{"v_pointers[0]", "int *", "&v_int", NULL},
	{"v_pointers[1]", "int *", "0x0", NULL},
	{"v_vector[0]", "int", "1", NULL},
	{"v_vector[1]", "int", "-2", NULL},
	{"v_vector[2]", "int", "3", NULL},
	{"v_vector[3]", "int", "-4", NULL},
	{"v_vectors[0][0]", "double", "1", NULL},
	{"v_vectors[0][1]", "double", "2", NULL},
	{"v_vectors[1][0]", "double", "3", NULL},
	{"v_vectors[1][1]", "double", "4", NULL},
	{"v_point.x", "int", "1", NULL},
	{"v_point.y", "int", "-2", NULL},
	{"v_points[0].x", "int", "1", NULL},
	{"v_points[0].y", "int", "2", NULL},
	{"v_points[1].x", "int", "3", NULL},
	{"v_points[1].y", "int", "4", NULL},
	{"v_struct.c", "char", "120", NULL},
	{"v_struct.l", "long int|long", "-1", NULL},
	{"v_struct.in.s", "short int|short", "2", NULL},
	{"v_struct.in.f[0]", "float", "0.5", NULL},
	{"v_struct.in.f[1]", "float", "1.5", NULL},
	{"v_union.i", "int", "1065353216", NULL},
	{"v_union.f", "float", "1", NULL},
	{"v_union.bytes[0]", "unsigned char", "0", NULL},
	{"v_union.bytes[1]", "unsigned char", "0", NULL},
	{"v_union.bytes[2]", "unsigned char", "128", NULL},
	{"v_union.bytes[3]", "unsigned char", "63", NULL},
	{"v_anonymous.before", "int", "1", NULL},
	{"v_anonymous.i", "int", "131075", NULL},
	{"v_anonymous.lo", "short int|short", "3", NULL},
	{"v_anonymous.hi", "short int|short", "2", NULL},
	{"v_anonymous.after", "int", "4", NULL},
	{"v_node.value", "int", "1", NULL},
	{"v_node.next", "struct node *", "&v_node2", NULL},
	{"v_with_empty.before", "int", "1", NULL},
	{"v_with_empty.after", "int", "2", NULL},
	{"v_flexible.count", "int", "2", NULL},
	{"v_bits.a", "int", "-4", NULL},
	{"v_bits.b", "unsigned int", "31", NULL},
	{"v_bits.c", "int", "-8388608", NULL},
	{"v_bits.d", "long int|long", "-549755813888", NULL},
	{"v_bits.e", "long unsigned int|unsigned long", "16777215", NULL},
	{"v_bits.f", "_Bool", "1", NULL},
	{"v_bits.g", "enum plain", "5", "PLAIN_B"},
	{"v_bits.h", "enum negative", "-3", "NEGATIVE_A"},
	{"v_bits.i", "int", "-1", NULL},
	{"v_packed.a", "char", "1", NULL},
	{"v_packed.b", "long int|long", "-2", NULL},
	{"v_packed.c", "int", "-3", NULL},
	{"v_packed.d", "long unsigned int|unsigned long", "4611686018427387905", NULL},
	{"v_packed.e", "int", "-5", NULL},
	{"v_packed.f", "char", "6", NULL},
	{"v_bits_mixed.a", "unsigned char", "1", NULL},
	{"v_bits_mixed.b", "short unsigned int|unsigned short", "257", NULL},
	{"v_bits_mixed.c", "char", "-1", NULL},
	{"v_bits_mixed.d", "int", "-65536", NULL},
	{"v_bits_mixed.in[0].x", "unsigned int", "1", NULL},
	{"v_bits_mixed.in[0].y", "unsigned int", "2", NULL},
	{"v_bits_mixed.in[1].x", "unsigned int", "3", NULL},
	{"v_bits_mixed.in[1].y", "unsigned int", "1073741823", NULL},
	{"v_bits_union.whole", "unsigned int", "2882396451", NULL},
	{"v_bits_union.low", "unsigned int", "291", NULL},
	{"v_bits_union.high", "unsigned int", "703710", NULL},
	{0},
};

static const struct expected in_gcc[] = {
	{"v_decimal", "_Decimal64", "!decimal floats are not read", NULL},
	{"v_decimals[0]", "_Decimal64", "!decimal floats are not read", NULL},
	{"v_decimals[1]", "_Decimal64", "!decimal floats are not read", NULL},
	{0},
};

static const struct expected in_clang[] = {
	{"v_bitint", "_BitInt", "-5", NULL},
	{"v_ubitint", "unsigned _BitInt", "5", NULL},
	{0},
};

static const struct expected in_cpp[] = {
	{"v_target", "int", "9", NULL},
	{"v_reference", "int &", "&v_target", NULL},
	{"v_rvalue", "int &&|int &", "&v_target", NULL},
	{"v_both.Base.x", "int", "7", NULL},
	{"v_both.Left.left", "int", "1", NULL},
	{"v_both.own", "int", "8", NULL},
	{"v_both_reference", "Both &", "&v_both", NULL},
	{"v_member", "int Base::*", "0", NULL},
	{"v_no_member", "int Base::*", "-1", NULL},
	{"v_colour", "Colour", "-1", "red"},
	{"v_nullptr", "decltype(nullptr)|std::nullptr_t|nullptr_t", "0x0", NULL},
	{"v_inside.i", "int", "4", NULL},
	{"v_true", "bool", "1", NULL},
	{0},
};

static bool one_of(const char *spellings, const char *type)
{
	size_t len = strlen(type);
	for (const char *at = spellings; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
		if (!strncmp(at, type, len) && (at[len] == '|' || !at[len]))
			return true;
	return false;
}

static void check_leaf(struct fixture *fixture, size_t i, const struct expected *expected)
{
	char address[32];
	const char *text = expected->text;
	assert_string_equal(told.path[i], expected->path);
	if (!one_of(expected->type, told.type[i]))
		fail_msg("%s is %s, not %s", expected->path, told.type[i], expected->type);
	if (*text == '&') {
		snprintf(address, sizeof address, "0x%" PRIx64, fixture_address(fixture, text + 1));
		text = address;
	}
	assert_int_equal(told.state[i], *text == '!' ? DI_LEAF_ERROR : DI_LEAF_VALUE);
	assert_string_equal(told.text[i], *text == '!' ? text + 1 : text);
	assert_string_equal(told.name[i], expected->name ? expected->name : "");
}

/* Flattens each variable that the table names; all its leaves must be there, and no more. */
static void check_table(struct fixture *fixture, const struct expected *expected)
{
	while (expected->path) {
		char name[64];
		size_t len = strcspn(expected->path, ".["), i = 0;
		snprintf(name, sizeof name, "%.*s", (int)len, expected->path);
		flatten(fixture, name, 0);
		for (; expected->path && !strncmp(expected->path, name, len) &&
			strcspn(expected->path, ".[") == len;
			i++, expected++) {
			assert_true(i < told.count);
			check_leaf(fixture, i, expected);
		}
		assert_int_equal(told.count, i);
	}
}

static const char *const versions[] = {"-gdwarf-2", "-gdwarf-3", "-gdwarf-4", "-gdwarf-5",
	"-fdebug-types-section -gdwarf-4", "-fdebug-types-section -gdwarf-5"};

static void check_versions(
	const char *compiler, const char *source, const struct expected *one, const void *two)
{
	struct fixture fixture;
	for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
		if (!fixture_open(&fixture, compiler, versions[i], source)) {
			print_message("skipped: no %s on this machine\n", compiler);
			skip();
		}
		print_message("%s %s %s\n", compiler, versions[i], source);
		check_table(&fixture, one);
		if (two)
			check_table(&fixture, two);
		fixture_close(&fixture);
	}
}

static void every_type_by_gcc(void **state)
{
	(void)state;
	check_versions("gcc-12", "types_all.c", in_c, in_gcc);
}

static void every_type_by_clang(void **state)
{
	(void)state;
	check_versions("clang-15", "types_all.c", in_c, in_clang);
}

static void every_type_by_gpp(void **state)
{
	(void)state;
	check_versions("g++-12", "types_all.cpp", in_cpp, NULL);
}

static void every_type_by_clangpp(void **state)
{
	(void)state;
	check_versions("clang++-15", "types_all.cpp", in_cpp, NULL);
}

/* --- one program, other questions ------------------------------------------------------------- */

/* Opens types_all.c by gcc, or skips the test. */
static void open_or_skip(struct fixture *fixture, const char *option, const char *source)
{
	if (fixture_open(fixture, "gcc-12", option, source))
		return;
	print_message("skipped: no gcc-12 on this machine\n");
	skip();
}

static void what_has_no_size_has_no_leaves(void **state)
{
	struct fixture fixture;
	(void)state;
	open_or_skip(&fixture, "-gdwarf-5", "types_all.c");
	flatten(&fixture, "v_empty", 0);
	assert_int_equal(told.count, 0);
	flatten(&fixture, "v_zero", 0);
	assert_int_equal(told.count, 0);
	di_answer_gone(&location.answer, DI_WHY_OTHER, .text = {"no location"});
	flatten_at(&fixture, "v_empty", 0);
	assert_int_equal(told.count, 0);
	fixture_close(&fixture);
}

static void a_cut_says_how_much_is_missing(void **state)
{
	struct fixture fixture;
	(void)state;
	open_or_skip(&fixture, "-gdwarf-5", "types_all.c");
	flatten(&fixture, "v_large", 5);
	assert_int_equal(told.count, 6);
	assert_string_equal(told.path[4], "v_large.many[0][3]");
	assert_int_equal(told.state[5], DI_LEAF_CUT);
	assert_string_equal(told.path[5], "v_large");
	assert_int_equal(told.missing, 10003 - 5);
	flatten(&fixture, "v_large", 10002);
	assert_int_equal(told.missing, 1);
	flatten(&fixture, "v_large", 10003);
	assert_int_equal(told.count, 10003);
	assert_int_equal(told.missing, 0);
	flatten(&fixture, "v_large", 0);
	assert_int_equal(told.count, DI_LEAF_MAX + 1);
	fixture_close(&fixture);
}

static void memory_is_read_in_few_calls(void **state)
{
	struct fixture fixture;
	(void)state;
	open_or_skip(&fixture, "-gdwarf-5", "types_all.c");
	flatten(&fixture, "v_large", 20000);
	assert_int_equal(fixture.reads, 1); /* 40 KB */
	fixture.reads = 0;
	flatten(&fixture, "v_bits", 0);
	assert_int_equal(fixture.reads, 1);
	fixture.reads = 0;
	flatten(&fixture, "v_int", 0);
	assert_int_equal(fixture.reads, 1);
	fixture_close(&fixture);
}

static void what_can_be_read_is_read(void **state)
{
	struct fixture fixture;
	char reason[64];
	(void)state;
	open_or_skip(&fixture, "-gdwarf-5", "types_all.c");
	xs_addr address = fixture_address(&fixture, "v_points");
	fixture.unreadable = address + 12;
	flatten(&fixture, "v_points", 0);
	assert_int_equal(told.count, 4);
	assert_string_equal(told.text[2], "3");
	assert_int_equal(told.state[3], DI_LEAF_ERROR);
	snprintf(reason, sizeof reason, "cannot read memory at 0x%" PRIx64, address + 12);
	assert_string_equal(told.text[3], reason);
	fixture_close(&fixture);
}

static void bounds_are_asked_for(void **state)
{
	static const int row[] = {1, 2, 3};
	static const short rows[] = {1, 2, 3, 4, 5, 6};
	static const char *const compilers[] = {"gcc-12", "clang-15"};
	struct fixture fixture;
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		if (!fixture_open(&fixture, compilers[i], "-gdwarf-5", "types_all.c"))
			continue;
		fixture.bound = 3;
		flatten_bytes(&fixture, "row", row, sizeof row);
		assert_int_equal(told.count, 3);
		assert_string_equal(told.path[2], "row[2]");
		assert_string_equal(told.text[2], "3");
		flatten_bytes(&fixture, "rows", rows, sizeof rows);
		assert_int_equal(told.count, 6);
		assert_string_equal(told.path[3], "rows[1][0]");
		assert_string_equal(told.text[3], "4");
		fixture.bound = 0;
		flatten_bytes(&fixture, "row", row, sizeof row);
		assert_int_equal(told.count, 0);
		fixture.bound = UINT64_MAX; /* -1, from an uninitialised variable */
		flatten_bytes(&fixture, "row", row, sizeof row);
		assert_int_equal(told.count, 0);
		fixture.bound_gone = true;
		flatten_bytes(&fixture, "row", row, sizeof row);
		assert_int_equal(told.count, 1);
		assert_int_equal(told.state[0], DI_LEAF_OPTIMIZED_OUT);
		assert_string_equal(told.path[0], "row");
		assert_string_equal(told.text[0], "the array's bound: not saved");
		fixture_close(&fixture);
	}
}

static void a_state_of_the_whole_is_one_leaf(void **state)
{
	struct fixture fixture;
	(void)state;
	open_or_skip(&fixture, "-gdwarf-5", "types_all.c");
	di_answer_gone(&location.answer, DI_WHY_OTHER, .text = {"no location"});
	flatten_at(&fixture, "v_point", 0);
	assert_int_equal(told.count, 1);
	assert_int_equal(told.state[0], DI_LEAF_OPTIMIZED_OUT);
	assert_string_equal(told.path[0], "v_point");
	assert_string_equal(told.text[0], "no location");
	di_answer_error(&location.answer, DI_WHY_OTHER, .text = {"bad"});
	flatten_at(&fixture, "v_point", 0);
	assert_int_equal(told.state[0], DI_LEAF_ERROR);
	di_location_memory(0, &location);
	location.piece[0].kind = DI_PIECE_EMPTY;
	flatten_at(&fixture, "v_point", 0);
	assert_int_equal(told.count, 1);
	assert_int_equal(told.state[0], DI_LEAF_OPTIMIZED_OUT);
	fixture_close(&fixture);
}

static void pieces_give_each_leaf_its_state(void **state)
{
	struct fixture fixture;
	(void)state;
	open_or_skip(&fixture, "-gdwarf-5", "types_all.c");
	di_location_memory(0, &location);
	location.composite = true;
	location.count = 2;
	location.piece[0] = (struct di_piece){.kind = DI_PIECE_EMPTY, .bit_size = 32};
	location.piece[1] = (struct di_piece){.kind = DI_PIECE_MEMORY,
		.bit_size = 64,
		.address = fixture_address(&fixture, "v_points")};
	flatten_at(&fixture, "v_points", 0);
	assert_int_equal(told.count, 4);
	assert_int_equal(told.state[0], DI_LEAF_OPTIMIZED_OUT);
	assert_string_equal(told.text[0], "an empty piece");
	assert_string_equal(told.text[1], "1");
	assert_string_equal(told.text[2], "2");
	assert_int_equal(told.state[3], DI_LEAF_OPTIMIZED_OUT);
	assert_string_equal(told.text[3], "no piece describes it");
	fixture_close(&fixture);
}

static void implicit_pointers_are_values_of_pointers_only(void **state)
{
	struct fixture fixture;
	(void)state;
	open_or_skip(&fixture, "-gdwarf-5", "types_all.c");
	di_location_memory(0, &location);
	location.piece[0] = (struct di_piece){.kind = DI_PIECE_POINTER, .pointer = {.die = 42}};
	flatten_at(&fixture, "v_pointer", 0);
	assert_int_equal(told.state[0], DI_LEAF_VALUE);
	assert_string_equal(told.text[0], "implicit");
	flatten_at(&fixture, "v_long", 0);
	assert_int_equal(told.state[0], DI_LEAF_ERROR);
	assert_string_equal(told.text[0], "an implicit pointer, but the type is long int");
	fixture_close(&fixture);
}

/* --- hand-written types ----------------------------------------------------------------------- */

static const uint8_t many[256] = {0xfe, 0xff, 0xff, 0xff, 2, 0, 0, 0, 3, 0, 0, 0};

static void types_that_no_compiler_at_hand_writes(void **state)
{
	static const uint8_t bits17[] = {0xfd, 0xff, 0x55, 0x55};
	static const uint8_t bits[] = {0x05, 0x02}, one_half[] = {0x00, 0x3f};
	static const int moving[] = {1, 2};
	struct fixture fixture;
	(void)state;
	open_or_skip(&fixture, "-g0", "types_odd.s");
	flatten_bytes(&fixture, "v_bits17", bits17, sizeof bits17);
	assert_string_equal(told.text[0], "-3"); /* what is above the 17 bits is padding: ignored */
	flatten_bytes(&fixture, "v_brain", one_half, sizeof one_half);
	assert_string_equal(told.text[0], "0.5");
	flatten_bytes(&fixture, "v_address", many, sizeof many);
	assert_string_equal(told.text[0], "12884901886");
	flatten_bytes(&fixture, "v_utf", many, sizeof many);
	assert_string_equal(told.text[0], "254");
	flatten_bytes(&fixture, "v_lower", many, sizeof many);
	assert_int_equal(told.count, 3);
	assert_string_equal(told.path[0], "v_lower[-1]");
	assert_string_equal(told.text[2], "3");
	flatten_bytes(&fixture, "v_bitmap", bits, sizeof bits);
	assert_int_equal(told.count, 10);
	assert_string_equal(told.text[0], "1");
	assert_string_equal(told.text[1], "0");
	assert_string_equal(told.text[2], "1");
	assert_string_equal(told.text[9], "1");
	flatten_bytes(&fixture, "v_signed_enum", many, sizeof many);
	assert_string_equal(told.text[0], "-2");
	assert_string_equal(told.name[0], "MINUS");
	flatten_bytes(&fixture, "v_plain_enum", many, sizeof many);
	assert_string_equal(told.text[0], "254");
	assert_string_equal(told.name[0], "");
	flatten_bytes(&fixture, "v_range", many, sizeof many);
	assert_string_equal(told.type[0], "small_int");
	assert_string_equal(told.text[0], "-2");
	flatten_bytes(&fixture, "v_moving", moving, sizeof moving);
	assert_int_equal(told.count, 3);
	assert_string_equal(told.text[1], "2");
	assert_int_equal(told.state[2], DI_LEAF_ERROR);
	assert_string_equal(
		told.text[2], "the member's place varies, and the object is not in memory");
	fixture_close(&fixture);
}

static void types_that_make_no_sense_are_errors(void **state)
{
	static const struct {
		const char *variable, *path, *reason;
		size_t leaf; /* which one */
	} cases[] = {
		{"v_huge", "v_huge", "integers of over 512 bits are not read", 0},
		{"v_fixed", "v_fixed", "values of encoding DW_ATE_signed_fixed are not read", 0},
		{"v_self", "v_self", "a type that contains itself", 0},
		{"v_ping", "v_ping", "a type that contains itself", 0},
		{"v_inside", "v_inside.again", "a type that contains itself", 1},
		{"v_deep_inside", "v_deep_inside.some", "the size of inside_name is not known", 0},
		{"v_nothing", "v_nothing", "a base type without a size", 0},
		{"v_overfull", "v_overfull", "a base type with more bits than its bytes", 0},
		{"v_declared", "v_declared", "incomplete type", 0},
		{"v_array_of_declared", "v_array_of_declared",
			"the size of struct declared is not known", 0},
		{"v_bad_bits", "v_bad_bits.wide", "a member that does not fit its place", 0},
		{"v_endless", "v_endless", "an array larger than memory", 0},
		{"v_set", "v_set", "types of the kind DW_TAG_set_type are not read", 0},
		{"v_nowhere", "v_nowhere", "DW_AT_type refers to no DIE", 0},
		{"v_alias_deep", "v_alias_deep", "types nested too deeply", 0},
	};
	struct fixture fixture;
	(void)state;
	open_or_skip(&fixture, "-g0", "types_odd.s");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t leaf = cases[i].leaf;
		flatten_bytes(&fixture, cases[i].variable, many, sizeof many);
		assert_string_equal(told.path[leaf], cases[i].path);
		assert_string_equal(told.text[leaf], cases[i].reason);
		assert_int_equal(told.state[leaf], DI_LEAF_ERROR);
	}
	flatten_bytes(&fixture, "v_alias", many, sizeof many);
	assert_string_equal(told.text[0], "-2");
	flatten_bytes(&fixture, "v_no_dimension", many, sizeof many);
	assert_int_equal(told.count, 0);
	fixture_close(&fixture);
}

static void exponential_types_come_to_an_end(void **state)
{
	struct fixture fixture;
	(void)state;
	open_or_skip(&fixture, "-g0", "types_odd.s");
	flatten_bytes(&fixture, "v_twice", many, sizeof many);
	assert_int_equal(told.count, DI_LEAF_MAX + 1);
	assert_true(told.missing == (UINT64_C(1) << 60) - DI_LEAF_MAX);
	flatten_bytes(&fixture, "v_none", many, sizeof many);
	assert_int_equal(told.count, 0);
	fixture_close(&fixture);
}

static void a_virtual_base_class_is_asked_for(void **state)
{
	struct fixture fixture;
	(void)state;
	if (!fixture_open(&fixture, "g++-12", "-gdwarf-5", "types_all.cpp")) {
		print_message("skipped: no g++-12 on this machine\n");
		skip();
	}
	fixture.bound = 4;
	di_location_memory(fixture_address(&fixture, "v_both"), &location);
	flatten_at(&fixture, "local_virtual", 0);
	assert_true(told.count >= 2);
	size_t i = 0;
	while (i < told.count && strcmp(told.path[i], "local_virtual.Left.left"))
		i++;
	assert_true(i < told.count);
	assert_string_equal(told.text[i], "1"); /* v_both + 4 is v_both.Left.left */
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_type_by_gcc),
		cmocka_unit_test(every_type_by_clang),
		cmocka_unit_test(every_type_by_gpp),
		cmocka_unit_test(every_type_by_clangpp),
		cmocka_unit_test(what_has_no_size_has_no_leaves),
		cmocka_unit_test(a_cut_says_how_much_is_missing),
		cmocka_unit_test(memory_is_read_in_few_calls),
		cmocka_unit_test(what_can_be_read_is_read),
		cmocka_unit_test(bounds_are_asked_for),
		cmocka_unit_test(a_state_of_the_whole_is_one_leaf),
		cmocka_unit_test(pieces_give_each_leaf_its_state),
		cmocka_unit_test(implicit_pointers_are_values_of_pointers_only),
		cmocka_unit_test(types_that_no_compiler_at_hand_writes),
		cmocka_unit_test(types_that_make_no_sense_are_errors),
		cmocka_unit_test(exponential_types_come_to_an_end),
		cmocka_unit_test(a_virtual_base_class_is_asked_for),
	};
	return cmocka_run_group_tests_name("leaf", tests, NULL, NULL);
}
