/* code_test.c - the code of objects: read, taken apart, compared; whatever bytes a file has. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <cmocka.h>

#include "oracle/code/code_pair.h"

static struct ora_code *open_code(const char *path)
{
	struct ora_code *code = NULL;
	struct xs_error *err = ora_code_open(path, &code);
	if (err)
		fail_msg("%s", err->message);
	return code;
}

static const struct ora_atom *find(const struct ora_code *code, const char *name)
{
	for (size_t i = 0; i < code->atoms.len; i++)
		if (code->atoms.data[i].name && !strcmp(code->atoms.data[i].name, name))
			return &code->atoms.data[i];
	fail_msg("no %s", name);
	return NULL;
}

static void an_object_is_the_same_as_itself(void **state)
{
	(void)state;
	XS_AUTO(ora_code) a = open_code(ONE);
	XS_AUTO(ora_code) b = open_code(ONE);
	struct ora_code_comparison comparison;
	assert_true(ora_code_same(a, b, true));
	ora_code_look(a);
	ora_code_look(b);
	ora_code_compare(a, b, &comparison);
	assert_int_equal(comparison.differences.len, 0);
	assert_int_equal(comparison.functions, 2);
	ora_code_comparison_deinit(&comparison);
}

static void functions_and_variables_are_atoms(void **state)
{
	(void)state;
	XS_AUTO(ora_code) code = open_code(ONE);
	ora_code_look(code);
	assert_true(find(code, "first")->code);
	assert_true(find(code, "first")->global);
	assert_false(find(code, "second")->global);
	const struct ora_atom *counts = find(code, "counts");
	assert_false(counts->code);
	assert_int_equal(counts->hi - counts->lo, 16);
	/* Every byte of a function is in one instruction. */
	const struct ora_atom *second = find(code, "second");
	uint64_t at = second->lo;
	for (size_t i = second->first; i < second->end; i++) {
		assert_int_equal(code->insns.data[i].at, at);
		assert_true(code->insns.data[i].parts.valid);
		at += code->insns.data[i].parts.length;
	}
	assert_int_equal(at, second->hi);
}

static void another_order_is_no_difference_but_a_number_is(void **state)
{
	(void)state;
	XS_AUTO(ora_code) a = open_code(ONE);
	XS_AUTO(ora_code) b = open_code(TWO);
	struct ora_code_comparison comparison;
	assert_false(ora_code_same(a, b, true));
	ora_code_look(a);
	ora_code_look(b);
	ora_code_compare(a, b, &comparison);
	for (size_t i = 0; i < comparison.differences.len; i++)
		assert_string_equal(comparison.differences.data[i].where, "second");
	assert_true(comparison.differences.len > 0);
	assert_ptr_equal(ora_code_worst(&comparison), comparison.differences.data);
	ora_code_comparison_deinit(&comparison);
}

static void a_pair_says_what_a_report_needs(void **state)
{
	struct ora_code_pair pair;
	size_t differ, all;
	(void)state;
	struct xs_error *err = ora_code_pair_open(ONE, TWO, &pair);
	if (err)
		fail_msg("%s", err->message);
	const struct ora_code_difference *worst = ora_code_pair_worst(&pair);
	assert_non_null(worst);
	XS_AUTO_FREE char *context = ora_code_pair_context(&pair, worst);
	XS_AUTO_FREE char *words = ora_code_pair_words(&pair, worst);
	assert_non_null(strstr(context, "\n-"));
	assert_non_null(strchr(words, '/'));
	ora_code_pair_count(&pair, &differ, &all);
	assert_int_equal(differ, 1);
	assert_int_equal(all, 2);
	ora_code_pair_deinit(&pair);
}

static void a_pair_of_equal_bytes_is_not_taken_apart(void **state)
{
	struct ora_code_pair pair;
	(void)state;
	assert_null(ora_code_pair_open(ONE, ONE, &pair));
	assert_false(pair.taken_apart);
	assert_null(ora_code_pair_worst(&pair));
	ora_code_pair_deinit(&pair);
	/* What was opened before the second was refused is let go, too. */
	struct xs_error *err = ora_code_pair_open(ONE, "/no/such.o", &pair);
	assert_non_null(err);
	xs_error_destroy(err);
	ora_code_pair_deinit(&pair);
}

static void numbers_behind_dots_are_no_names(void **state)
{
	(void)state;
	assert_int_equal(ora_code_name_key("x.0"), ora_code_name_key("x.17"));
	assert_int_equal(ora_code_name_key("f.part.0"), ora_code_name_key("f.part.3"));
	assert_int_not_equal(ora_code_name_key("f.part.0"), ora_code_name_key("f.isra.0"));
	assert_int_not_equal(ora_code_name_key("x1"), ora_code_name_key("x2"));
	assert_int_not_equal(ora_code_name_key("x.1a"), ora_code_name_key("x.2a"));
	assert_int_equal(ora_code_name_key(".rodata..L__unnamed_2"),
		ora_code_name_key(".rodata..L__unnamed_15"));
	assert_int_not_equal(ora_code_name_key(".rodata..L__unnamed_2"),
		ora_code_name_key(".data..L__unnamed_2"));
	assert_int_not_equal(
		ora_code_name_key(".L__unnamed_x"), ora_code_name_key(".L__unnamed_y"));
	assert_true(ora_code_has_numbers("f.part.0"));
	assert_false(ora_code_has_numbers("f.part"));
	assert_false(ora_code_has_numbers("x.1a"));
}

static void what_is_no_object_is_refused(void **state)
{
	(void)state;
	static const struct {
		const char *path, *says;
	} cases[] = {{"/proc/self/exe", "not an object file"}, {"/no/such.o", "No such file"},
		{"/dev/null", "not a regular file"}, {__FILE__, "not an ELF file"}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ora_code *code = NULL;
		struct xs_error *err = ora_code_open(cases[i].path, &code);
		assert_non_null(err);
		if (!strstr(err->message, cases[i].says))
			fail_msg("%s", err->message);
		xs_error_destroy(err);
	}
}

/* Compilers may write anything: an object with broken bytes is refused, or compared, and that is
 * all. */
static void broken_objects_do_no_harm(void **state)
{
	(void)state;
	char path[64];
	static uint8_t bytes[1 << 16];
	XS_AUTO_CLOSE int in = open(ONE, O_RDONLY | O_CLOEXEC),
			  out = memfd_create("object", MFD_CLOEXEC);
	ssize_t size = read(in, bytes, sizeof bytes);
	snprintf(path, sizeof path, "/proc/self/fd/%d", out);
	assert_true(size > 0 && size < (ssize_t)sizeof bytes);
	XS_AUTO(ora_code) good = open_code(ONE);
	ora_code_look(good);
	uint64_t random = 1;
	unsigned refused = 0;
	for (unsigned round = 0; round < 3000; round++) {
		static uint8_t copy[sizeof bytes];
		memcpy(copy, bytes, (size_t)size);
		for (unsigned i = 0; i <= round % 4; i++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			copy[(random >> 33) % (uint64_t)size] = (uint8_t)(random >> 25);
		}
		/* And some that are cut short. */
		ssize_t length = round % 8 ? size : (ssize_t)((random >> 33) % (uint64_t)size);
		assert_int_equal(ftruncate(out, 0), 0);
		assert_int_equal(pwrite(out, copy, (size_t)length, 0), length);
		XS_AUTO(ora_code) code = NULL;
		struct xs_error *err = ora_code_open(path, &code);
		refused += err != NULL;
		xs_error_destroy(err);
		if (err)
			continue;
		struct ora_code_comparison comparison;
		ora_code_same(good, code, true);
		ora_code_look(code);
		ora_code_compare(good, code, &comparison);
		XS_AUTO_FILE FILE *null = fopen("/dev/null", "we");
		ora_code_print(code, null);
		for (size_t i = 0; i < comparison.differences.len; i++)
			ora_code_difference_print(
				&comparison, &comparison.differences.data[i], null);
		ora_code_comparison_deinit(&comparison);
	}
	assert_in_range(refused, 300, 2900);
}

/* Symbols that say to be larger than there is room in the world. */
static void sizes_of_symbols_are_not_believed(void **state)
{
	(void)state;
	char path[64];
	static union {
		uint8_t bytes[1 << 16];
		Elf64_Ehdr header;
	} file;
	XS_AUTO_CLOSE int in = open(ONE, O_RDONLY | O_CLOEXEC),
			  out = memfd_create("object", MFD_CLOEXEC);
	ssize_t size = read(in, file.bytes, sizeof file.bytes);
	assert_true(size > 0 && size < (ssize_t)sizeof file.bytes);
	const Elf64_Shdr *sections = (const void *)(file.bytes + file.header.e_shoff);
	for (size_t i = 0; i < file.header.e_shnum; i++)
		for (size_t at = 0; sections[i].sh_type == SHT_SYMTAB && at < sections[i].sh_size;
			at += sizeof(Elf64_Sym)) {
			Elf64_Sym *symbol = (void *)(file.bytes + sections[i].sh_offset + at);
			symbol->st_size = UINT64_MAX - at % 5 * 16;
		}
	assert_int_equal(write(out, file.bytes, (size_t)size), size);
	snprintf(path, sizeof path, "/proc/self/fd/%d", out);
	XS_AUTO(ora_code) a = open_code(path);
	XS_AUTO(ora_code) b = open_code(path);
	ora_code_look(a);
	ora_code_look(b);
	for (size_t i = 0; i < a->atoms.len; i++) {
		const struct ora_atom *atom = &a->atoms.data[i];
		assert_true(atom->lo <= atom->hi);
		assert_true(atom->hi <= a->sections.data[atom->section].size);
	}
	struct ora_code_comparison comparison;
	ora_code_compare(a, b, &comparison);
	assert_int_equal(comparison.differences.len, 0);
	ora_code_comparison_deinit(&comparison);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_object_is_the_same_as_itself),
		cmocka_unit_test(functions_and_variables_are_atoms),
		cmocka_unit_test(another_order_is_no_difference_but_a_number_is),
		cmocka_unit_test(a_pair_says_what_a_report_needs),
		cmocka_unit_test(a_pair_of_equal_bytes_is_not_taken_apart),
		cmocka_unit_test(numbers_behind_dots_are_no_names),
		cmocka_unit_test(what_is_no_object_is_refused),
		cmocka_unit_test(broken_objects_do_no_harm),
		cmocka_unit_test(sizes_of_symbols_are_not_believed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
