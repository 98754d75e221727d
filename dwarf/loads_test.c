/* loads_test.c - what a mapping is off by, for the layouts that linkers make. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>
#include <sys/mman.h>

#include "base/cleanup.h"
#include "dwarf/loads.h"

enum { SEGMENTS = 8 };

/* A file in memory with these segments, as a descriptor. */
struct subject {
	int fd;
	struct di_loads loads;
};

static int open_subject(void *arg, size_t file)
{
	(void)file;
	return ((struct subject *)arg)->fd;
}

static void make(struct subject *subject, const struct di_segment segments[SEGMENTS])
{
	Elf64_Ehdr header = {.e_phoff = sizeof header, .e_phentsize = sizeof(Elf64_Phdr)};
	memcpy(header.e_ident, ELFMAG, SELFMAG);
	header.e_ident[EI_CLASS] = ELFCLASS64;
	*subject = (struct subject){.fd = memfd_create("segments", MFD_CLOEXEC)};
	subject->loads.open = open_subject;
	subject->loads.arg = subject;
	assert_true(subject->fd >= 0);
	for (; header.e_phnum < SEGMENTS && segments[header.e_phnum].memory; header.e_phnum++) {
		const struct di_segment *from = &segments[header.e_phnum];
		Elf64_Phdr segment = {.p_type = PT_LOAD,
			.p_flags = from->code ? PF_R | PF_X : PF_R,
			.p_offset = from->offset,
			.p_vaddr = from->address,
			.p_filesz = from->size,
			.p_memsz = from->memory};
		off_t at = (off_t)(header.e_phoff + header.e_phnum * sizeof segment);
		assert_int_equal(pwrite(subject->fd, &segment, sizeof segment, at), sizeof segment);
	}
	assert_int_equal(pwrite(subject->fd, &header, sizeof header, 0), sizeof header);
}

static void map(struct subject *subject, xs_addr lo, xs_addr hi, uint64_t offset, bool code)
{
	di_loads_add(&subject->loads, "/file",
		(struct di_stretch){.lo = lo, .hi = hi, .offset = offset, .code = code});
}

static void finish(struct subject *subject)
{
	di_loads_deinit(&subject->loads);
	close(subject->fd);
}

static void expect(struct subject *subject, xs_addr addr, uint64_t bias)
{
	const struct di_load *load = di_loads_at(&subject->loads, addr);
	assert_non_null(load);
	assert_int_equal(load->bias, bias);
}

/* lld's layout: each segment begins a page further in memory than in the file, and shares a page of
 * the file with the one before it. */
static const struct di_segment shared_pages[SEGMENTS] = {
	{.address = 0, .offset = 0, .size = 0x5e4, .memory = 0x5e4},
	{.address = 0x15f0, .offset = 0x5f0, .size = 0x230, .memory = 0x230, .code = true},
	{.address = 0x2820, .offset = 0x820, .size = 0x1e0, .memory = 0x1e0},
	{.address = 0x3a00, .offset = 0xa00, .size = 0x30, .memory = 0x9000},
};

static void page_of_file_is_mapped_more_than_once(void **state)
{
	struct subject subject;
	const xs_addr base = 0x555555554000;
	(void)state;
	make(&subject, shared_pages);
	map(&subject, base, base + 0x1000, 0, false);
	map(&subject, base + 0x1000, base + 0x2000, 0, true);
	map(&subject, base + 0x2000, base + 0x3000, 0, false);
	map(&subject, base + 0x3000, base + 0x4000, 0, false);
	expect(&subject, base, base);
	expect(&subject, base + 0x15f0, base);
	expect(&subject, base + 0x3a00, base);
	expect(&subject, base + 0xc000, base); /* .bss, which no file has */
	assert_null(di_loads_at(&subject.loads, base + 0xd000));
	assert_null(di_loads_at(&subject.loads, base - 1));
	assert_int_equal(subject.loads.list.len, 1);
	finish(&subject);
}

static void file_may_be_loaded_twice(void **state)
{
	struct subject subject;
	const xs_addr bases[] = {0x7ffff7000000, 0x7ffff700d000};
	(void)state;
	make(&subject, shared_pages);
	for (size_t i = 0; i < 2; i++)
		for (unsigned k = 0; k < 4; k++)
			map(&subject, bases[i] + k * 0x1000, bases[i] + (k + 1) * 0x1000, 0,
				k == 1);
	expect(&subject, bases[0] + 0x15f0, bases[0]);
	expect(&subject, bases[1] + 0x15f0, bases[1]);
	assert_int_equal(subject.loads.list.len, 2);
	finish(&subject);
}

/* A program that reads the file, and maps it as a whole for that, does not run it. */
static void file_that_is_read_is_not_loaded(void **state)
{
	struct subject subject;
	(void)state;
	make(&subject, shared_pages);
	map(&subject, 0x10000, 0x11000, 0, false);
	map(&subject, 0x11000, 0x12000, 0, false);
	assert_null(di_loads_at(&subject.loads, 0x10000));
	for (unsigned k = 0; k < 4; k++)
		map(&subject, 0x12000 + k * 0x1000, 0x13000 + k * 0x1000, 0, k == 1);
	subject.loads.files.data[0].tried = false;
	xs_vec_deinit(&subject.loads.files.data[0].segments.vec);
	expect(&subject, 0x13600, 0x12000);
	assert_int_equal(subject.loads.list.len, 1);
	finish(&subject);
}

/* The first segment need not be linked at 0, nor begin the file; rights may have been changed. */
static void other_layouts(void **state)
{
	static const struct di_segment odd[SEGMENTS] = {
		{.address = 0x800000, .offset = 0x1000, .size = 0x500, .memory = 0x500, .code = 1},
		{.address = 0x3ff000, .offset = 0x0, .size = 0x300, .memory = 0x300},
		{.address = 0xa00e00, .offset = 0x1e00, .size = 0x400, .memory = 0x500},
	};
	struct subject subject;
	(void)state;
	make(&subject, odd);
	map(&subject, 0x3ff000, 0x400000, 0, false);
	map(&subject, 0x800000, 0x801000, 0x1000, true);
	map(&subject, 0xa00000, 0xa01000, 0x1000, false); /* what the loader made read-only */
	map(&subject, 0xa01000, 0xa02000, 0x2000, false);
	expect(&subject, 0x800123, 0);
	expect(&subject, 0xa01300, 0);
	expect(&subject, 0x3ff010, 0);
	finish(&subject);
}

static void what_no_segment_explains_is_not_loaded(void **state)
{
	struct subject subject;
	(void)state;
	make(&subject, shared_pages);
	map(&subject, 0x10000, 0x11000, 0x7000, true);
	assert_null(di_loads_at(&subject.loads, 0x10000));
	assert_int_equal(di_loads_file_at(&subject.loads, 0x10800), 0);
	assert_int_equal(di_loads_file_at(&subject.loads, 0x11000), SIZE_MAX);
	finish(&subject);
}

static void what_is_no_elf_file_is_not_loaded(void **state)
{
	struct subject subject = {.fd = -1};
	(void)state;
	subject.loads.open = open_subject;
	subject.loads.arg = &subject;
	map(&subject, 0x10000, 0x11000, 0, true);
	assert_null(di_loads_at(&subject.loads, 0x10000));
	di_loads_find_all(&subject.loads);
	assert_int_equal(subject.loads.list.len, 0);
	di_loads_deinit(&subject.loads);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(page_of_file_is_mapped_more_than_once),
		cmocka_unit_test(file_may_be_loaded_twice),
		cmocka_unit_test(file_that_is_read_is_not_loaded),
		cmocka_unit_test(other_layouts),
		cmocka_unit_test(what_no_segment_explains_is_not_loaded),
		cmocka_unit_test(what_is_no_elf_file_is_not_loaded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
