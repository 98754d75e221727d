/* ranges_test.c - range lists byte by byte; and those of real programs, against libdw.
 *
 * `ranges_test PROGRAM...` compares just these programs with what libdw says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dwarf.h>
#include <sys/wait.h>

#include "dwarf/ranges.h"

enum { NO_SUCH_COMPILER = 127, DEPTH_MAX = 100 };

#define CODE UINT64_C(0x1000) /* where the made-up module's code begins; it has 0x1000 bytes */

struct bytes {
	uint8_t data[256];
	size_t size;
};

static void put(struct bytes *bytes, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		bytes->data[bytes->size++] = (uint8_t)(value >> (8 * i));
}

/* A unit of a module with some code and a pool of addresses. */
struct fake {
	struct di_module module;
	struct di_unit unit;
	struct bytes pool, list;
};

static void fake_init(struct fake *fake, unsigned address_size)
{
	*fake = (struct fake){.unit.expr.address_size = (uint8_t)address_size};
	fake->unit.module = &fake->module;
	fake->unit.expr.offset_size = 4;
	xs_ranges_add(&fake->module.code, CODE, 2 * CODE);
	xs_ranges_normalise(&fake->module.code);
	put(&fake->pool, 0, 8);                      /* not the unit's */
	put(&fake->pool, CODE + 0x10, address_size); /* 0 */
	put(&fake->pool, CODE + 0x30, address_size); /* 1 */
	put(&fake->pool, UINT64_MAX, address_size);  /* 2: discarded */
	fake->unit.addr = di_cursor_over(".debug_addr", fake->pool.data, fake->pool.size);
	fake->unit.addr_base = 8;
}

static struct di_ranges open_list(struct fake *fake, enum di_ranges_kind kind, xs_addr base)
{
	const char *name = kind == DI_RANGES_NEW ? ".debug_rnglists" : ".debug_ranges";
	return (struct di_ranges){.unit = &fake->unit,
		.at = di_cursor_over(name, fake->list.data, fake->list.size),
		.base = base,
		.kind = kind};
}

static void expect(struct di_ranges *ranges, xs_addr lo, xs_addr hi)
{
	struct xs_range range;
	assert_true(di_ranges_next(ranges, &range));
	assert_int_equal(range.lo, lo);
	assert_int_equal(range.hi, hi);
}

static void expect_end(struct di_ranges *ranges, enum di_why_code why)
{
	struct xs_range range;
	assert_false(di_ranges_next(ranges, &range));
	assert_int_equal(ranges->why.code, why);
	assert_false(di_ranges_next(ranges, &range));
}

static void old_lists(void **state)
{
	(void)state;
	for (unsigned size = 4; size <= 8; size += 4) {
		struct fake fake;
		fake_init(&fake, size);
		put(&fake.list, 1, size), put(&fake.list, 5, size);
		put(&fake.list, UINT64_MAX, size), put(&fake.list, CODE + 0x100, size);
		put(&fake.list, 0, size), put(&fake.list, 4, size);
		put(&fake.list, 4, size), put(&fake.list, 4, size); /* empty */
		put(&fake.list, 9, size), put(&fake.list, 4, size); /* no range at all */
		put(&fake.list, UINT64_MAX, size), put(&fake.list, 0, size);
		put(&fake.list, 1, size), put(&fake.list, 1, size); /* discarded */
		put(&fake.list, 0, size), put(&fake.list, 0, size);
		struct di_ranges ranges = open_list(&fake, DI_RANGES_OLD, CODE);
		expect(&ranges, CODE + 1, CODE + 5);
		expect(&ranges, CODE + 0x100, CODE + 0x104);
		expect(&ranges, CODE + 0x104, CODE + 0x104);
		expect_end(&ranges, DI_WHY_NONE);
		xs_ranges_deinit(&fake.module.code);
	}
}

static void new_lists(void **state)
{
	struct fake fake;
	(void)state;
	fake_init(&fake, 8);
	put(&fake.list, DW_RLE_offset_pair, 1), put(&fake.list, 1, 1), put(&fake.list, 5, 1);
	put(&fake.list, DW_RLE_base_addressx, 1), put(&fake.list, 1, 1);
	put(&fake.list, DW_RLE_offset_pair, 1), put(&fake.list, 0, 1), put(&fake.list, 2, 1);
	put(&fake.list, DW_RLE_startx_endx, 1), put(&fake.list, 0, 1), put(&fake.list, 1, 1);
	put(&fake.list, DW_RLE_startx_length, 1), put(&fake.list, 0, 1), put(&fake.list, 3, 1);
	put(&fake.list, DW_RLE_start_end, 1), put(&fake.list, CODE, 8),
		put(&fake.list, CODE + 7, 8);
	put(&fake.list, DW_RLE_start_length, 1), put(&fake.list, CODE, 8), put(&fake.list, 9, 1);
	put(&fake.list, DW_RLE_base_address, 1), put(&fake.list, CODE + 0x40, 8);
	put(&fake.list, DW_RLE_offset_pair, 1), put(&fake.list, 0, 1), put(&fake.list, 1, 1);
	put(&fake.list, DW_RLE_end_of_list, 1);
	struct di_ranges ranges = open_list(&fake, DI_RANGES_NEW, CODE);
	expect(&ranges, CODE + 1, CODE + 5);
	expect(&ranges, CODE + 0x30, CODE + 0x32);
	expect(&ranges, CODE + 0x10, CODE + 0x30);
	expect(&ranges, CODE + 0x10, CODE + 0x13);
	expect(&ranges, CODE, CODE + 7);
	expect(&ranges, CODE, CODE + 9);
	expect(&ranges, CODE + 0x40, CODE + 0x41);
	expect_end(&ranges, DI_WHY_NONE);
	xs_ranges_deinit(&fake.module.code);
}

/* An offset from what a linker writes for discarded code wraps around: it must not find code. */
static void discarded(void **state)
{
	struct fake fake;
	(void)state;
	fake_init(&fake, 8);
	put(&fake.list, DW_RLE_startx_length, 1), put(&fake.list, 2, 1), put(&fake.list, 9, 1);
	put(&fake.list, DW_RLE_base_addressx, 1), put(&fake.list, 2, 1);
	/* 0x1081 and 0x1091, as LEB128. */
	put(&fake.list, DW_RLE_offset_pair, 1), put(&fake.list, 0x2181, 2),
		put(&fake.list, 0x2191, 2);
	put(&fake.list, DW_RLE_start_length, 1), put(&fake.list, 0, 8), put(&fake.list, 9, 1);
	put(&fake.list, DW_RLE_end_of_list, 1);
	struct di_ranges ranges = open_list(&fake, DI_RANGES_NEW, 0);
	expect_end(&ranges, DI_WHY_NONE);
	assert_true(ranges.told);
	xs_ranges_deinit(&fake.module.code);
}

static void malformed(void **state)
{
	struct fake fake;
	struct xs_range range;
	(void)state;
	fake_init(&fake, 8);
	put(&fake.list, DW_RLE_start_length, 1), put(&fake.list, CODE, 8), put(&fake.list, 9, 1);
	put(&fake.list, 0x77, 1);
	struct di_ranges ranges = open_list(&fake, DI_RANGES_NEW, 0);
	expect(&ranges, CODE, CODE + 9);
	expect_end(&ranges, DI_WHY_LIST_ENTRY_KIND);
	fake.list.size = 0;
	put(&fake.list, DW_RLE_startx_length, 1), put(&fake.list, 100, 1), put(&fake.list, 9, 1);
	ranges = open_list(&fake, DI_RANGES_NEW, 0);
	expect_end(&ranges, DI_WHY_LIST_ADDRESS);
	/* Wherever it is cut short, there is an end and a reason. */
	fake.list.size = 0;
	put(&fake.list, DW_RLE_start_end, 1), put(&fake.list, CODE, 8),
		put(&fake.list, CODE + 7, 8);
	put(&fake.list, DW_RLE_offset_pair, 1), put(&fake.list, 1, 1), put(&fake.list, 5, 1);
	for (; fake.list.size; fake.list.size--)
		for (unsigned kind = DI_RANGES_OLD; kind <= DI_RANGES_NEW; kind++) {
			ranges = open_list(&fake, (enum di_ranges_kind)kind, CODE);
			while (di_ranges_next(&ranges, &range))
				;
			assert_int_equal(ranges.why.code, DI_WHY_SECTION_SHORT);
		}
	xs_ranges_deinit(&fake.module.code);
}

/* --- libdw's opinion -------------------------------------------------------------------------- */

struct tally {
	size_t dies, ranges, lists;
};

/* Compares the ranges that both see; libdw tells discarded ones, too. */
static void compare(struct di_module *module, Dwarf_Die *die, struct tally *tally)
{
	const struct di_unit *unit = di_unit_of(module, die);
	struct di_ranges ranges;
	struct xs_range range;
	Dwarf_Addr base, lo, hi, theirs;
	ptrdiff_t at = 0;
	xs_addr ours;
	di_ranges_open(&ranges, unit, die);
	while ((at = dwarf_ranges(die, at, &base, &lo, &hi)) > 0) {
		if (!xs_ranges_find(&module->code, lo) &&
			!(lo == hi && xs_ranges_find(&module->code, lo - 1)))
			continue;
		assert_true(di_ranges_next(&ranges, &range));
		assert_int_equal(range.lo, lo);
		assert_int_equal(range.hi, hi);
		tally->ranges++;
	}
	assert_int_equal(at, 0);
	assert_false(di_ranges_next(&ranges, &range));
	assert_int_equal(ranges.why.code, DI_WHY_NONE);
	tally->dies++;
	tally->lists += dwarf_hasattr(die, DW_AT_ranges) != 0;
	if (!dwarf_entrypc(die, &theirs) && xs_ranges_find(&module->code, theirs)) {
		assert_true(di_ranges_entry(unit, die, &ours));
		assert_int_equal(ours, theirs);
	}
}

static void compare_below(
	struct di_module *module, Dwarf_Die *die, unsigned depth, struct tally *tally)
{
	Dwarf_Die child;
	compare(module, die, tally);
	if (depth > DEPTH_MAX || dwarf_child(die, &child))
		return;
	do
		compare_below(module, &child, depth + 1, tally);
	while (!dwarf_siblingof(&child, &child));
}

static void compare_program(const char *path, struct tally *tally)
{
	XS_AUTO(di_module) module = NULL;
	struct xs_error *err = di_module_open(path, &module);
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	if (err)
		fail_msg("%s", err->message);
	while (module->dwarf && !dwarf_get_units(module->dwarf, cu, &cu, NULL, NULL, &unit, NULL))
		compare_below(module, &unit, 0, tally);
}

/* False if there is no such compiler. */
static bool compile(const char *compiler, const char *options, const char *path)
{
	XS_AUTO_FREE char *line =
		xs_asprintf("command -v %s >/dev/null || exit %d; exec %s %s -w -o %s %s", compiler,
			NO_SUCH_COMPILER, compiler, options, path, XSTEP_SOURCE);
	int status = system(line);
	if (WIFEXITED(status) && WEXITSTATUS(status) == NO_SUCH_COMPILER)
		return false;
	assert_int_equal(status, 0);
	return true;
}

static void as_libdw_sees_it(void **state)
{
	static const char *const ways[][2] = {{"gcc-12", "-O2 -gdwarf-2"},
		{"gcc-12", "-O2 -gdwarf-3"}, {"gcc-12", "-O2 -gdwarf-4"},
		{"gcc-12", "-O2 -gdwarf-5"}, {"gcc-12", "-O2 -gdwarf64 -gdwarf-5"},
		{"gcc-12", "-O3 -ffunction-sections"}, {"clang-15", "-O2 -gdwarf-2"},
		{"clang-15", "-O2 -gdwarf-4"}, {"clang-15", "-O2 -gdwarf-5"},
		{"clang-15", "-O2 -gdwarf64 -gdwarf-5"}};
	char folder[] = "/tmp/xstep-ranges-XXXXXX";
	struct tally tally = {0};
	(void)state;
	assert_non_null(mkdtemp(folder));
	XS_AUTO_FREE char *path = xs_asprintf("%s/program", folder);
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (compile(ways[i][0], ways[i][1], path))
			compare_program(path, &tally);
	unlink(path);
	rmdir(folder);
	compare_program("/proc/self/exe", &tally);
	print_message("%zu DIEs, %zu lists, %zu ranges\n", tally.dies, tally.lists, tally.ranges);
	assert_true(tally.ranges > 10);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(old_lists),
		cmocka_unit_test(new_lists),
		cmocka_unit_test(discarded),
		cmocka_unit_test(malformed),
		cmocka_unit_test(as_libdw_sees_it),
	};
	struct tally tally = {0};
	for (int i = 1; i < argc; i++)
		compare_program(argv[i], &tally);
	if (argc > 1)
		printf("%zu DIEs, %zu lists, %zu ranges\n", tally.dies, tally.lists, tally.ranges);
	return argc > 1 ? 0 : cmocka_run_group_tests(tests, NULL, NULL);
}
