#include "dwarf/loads.h"

#include <elf.h>
#include <fcntl.h>

#include "base/cleanup.h"
#include "base/search.h"

enum { PAGE = 4096, SEGMENTS_MOST = 256 };

static xs_addr page_of(xs_addr addr)
{
	return addr & ~(xs_addr)(PAGE - 1);
}

/* The first page behind what ends there. */
static xs_addr pages_to(xs_addr end)
{
	return page_of(end + PAGE - 1);
}

/* --- segments --------------------------------------------------------------------------------- */

static bool read_at(int fd, uint64_t offset, void *ret, size_t size)
{
	return offset <= INT64_MAX && pread(fd, ret, size, (off_t)offset) == (ssize_t)size;
}

void di_segments_read(int fd, struct di_segments *ret)
{
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	if (fd < 0 || !read_at(fd, 0, &header, sizeof header) ||
		memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
		header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof segment)
		return;
	for (unsigned i = 0; i < header.e_phnum && i < SEGMENTS_MOST; i++)
		if (read_at(fd, header.e_phoff + i * sizeof segment, &segment, sizeof segment) &&
			segment.p_type == PT_LOAD)
			xs_vec_push(&ret->vec, ((struct di_segment){.address = segment.p_vaddr,
						       .offset = segment.p_offset,
						       .size = segment.p_filesz,
						       .memory = segment.p_memsz,
						       .code = segment.p_flags & PF_X}));
}

/* --- which segment is it? --------------------------------------------------------------------- */

/* The link-time address of what the segment, mapped page by page, has of that byte of the file;
 * false if it has it not. */
static bool address_in(const struct di_segment *segment, uint64_t offset, xs_addr *ret)
{
	*ret = segment->address + (offset - segment->offset);
	return segment->size && offset >= page_of(segment->offset) &&
	       offset < pages_to(segment->offset + segment->size);
}

/* How well a bias explains a stretch: 0 if no segment would be there. Rights count less than place:
 * a program may change them. */
static unsigned explains(
	const struct di_segments *segments, uint64_t bias, const struct di_stretch *stretch)
{
	unsigned best = 0;
	for (size_t i = 0; i < segments->vec.len; i++) {
		const struct di_segment *segment = &segments->vec.data[i];
		xs_addr address;
		if (!address_in(segment, stretch->offset, &address) ||
			address + bias != stretch->lo)
			continue;
		unsigned score = segment->code == stretch->code ? 3 : 2;
		best = score > best ? score : best;
	}
	return best;
}

/* What a file takes with that bias. */
static struct di_load place(const struct di_segments *segments, size_t file, uint64_t bias)
{
	struct di_load load = {.file = file, .lo = XS_ADDR_NONE, .bias = bias};
	for (size_t i = 0; i < segments->vec.len; i++) {
		const struct di_segment *segment = &segments->vec.data[i];
		xs_addr lo = page_of(segment->address) + bias;
		xs_addr hi = pages_to(segment->address + segment->memory) + bias;
		load.lo = lo < load.lo ? lo : load.lo;
		load.hi = hi > load.hi ? hi : load.hi;
	}
	return load;
}

/* The stretches of a load are those of its file that begin in it. */
static size_t first_in(const struct di_loads *loads, const struct di_load *load)
{
	const struct di_stretch *stretches = loads->stretches.data;
	size_t i;
	xs_search(i, 0, loads->stretches.len, stretches[i].lo < load->lo);
	return i;
}

static unsigned score(const struct di_loads *loads, const struct di_load *load)
{
	const struct di_segments *segments = &loads->files.data[load->file].segments;
	unsigned sum = 0;
	for (size_t i = first_in(loads, load);
		i < loads->stretches.len && loads->stretches.data[i].lo < load->hi; i++) {
		const struct di_stretch *stretch = &loads->stretches.data[i];
		if (stretch->file == load->file && !stretch->taken)
			sum += explains(segments, load->bias, stretch);
	}
	return sum;
}

static void take(struct di_loads *loads, const struct di_load *load)
{
	const struct di_segments *segments = &loads->files.data[load->file].segments;
	for (size_t i = first_in(loads, load);
		i < loads->stretches.len && loads->stretches.data[i].lo < load->hi; i++) {
		struct di_stretch *stretch = &loads->stretches.data[i];
		if (stretch->file == load->file && explains(segments, load->bias, stretch))
			stretch->taken = true;
	}
	xs_vec_push(&loads->list, *load);
}

/* The best load that a stretch of code can be of; of equals, the one by the first segment. */
static unsigned best_load(
	const struct di_loads *loads, const struct di_stretch *stretch, struct di_load *ret)
{
	const struct di_segments *segments = &loads->files.data[stretch->file].segments;
	unsigned best = 0;
	for (size_t i = 0; i < segments->vec.len; i++) {
		xs_addr address;
		if (!address_in(&segments->vec.data[i], stretch->offset, &address))
			continue;
		struct di_load load = place(segments, stretch->file, stretch->lo - address);
		unsigned its = score(loads, &load);
		if (its > best) {
			best = its;
			*ret = load;
		}
	}
	return best;
}

/* --- files ------------------------------------------------------------------------------------ */

static void look_at(struct di_loads *loads, size_t index)
{
	struct di_loads_file *file = &loads->files.data[index];
	if (file->tried)
		return;
	file->tried = true;
	if (loads->open) {
		di_segments_read(loads->open(loads->arg, index), &file->segments);
	} else {
		XS_AUTO_CLOSE int fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		di_segments_read(fd, &file->segments);
	}
	/* A load that explains much goes first, whatever comes before it: a copy of the file that
	 * is mapped as a whole, to be read, must not take part of it. */
	for (;;) {
		struct di_load best = {0};
		unsigned most = 0;
		for (size_t i = 0; i < loads->stretches.len; i++) {
			const struct di_stretch *stretch = &loads->stretches.data[i];
			struct di_load load;
			if (stretch->file != index || !stretch->code || stretch->taken)
				continue;
			unsigned its = best_load(loads, stretch, &load);
			if (its > most) {
				most = its;
				best = load;
			}
		}
		if (!most)
			return;
		take(loads, &best);
	}
}

void di_loads_add(struct di_loads *loads, const char *path, struct di_stretch stretch)
{
	size_t i = loads->files.len;
	while (i && strcmp(loads->files.data[i - 1].path, path) != 0)
		i--;
	if (!i) {
		xs_vec_push(&loads->files, ((struct di_loads_file){.path = xs_strdup(path)}));
		i = loads->files.len;
	}
	stretch.file = i - 1;
	xs_vec_push(&loads->stretches, stretch);
}

/* The last stretch that begins at addr or before it, NULL if there is none. */
static const struct di_stretch *stretch_before(const struct di_loads *loads, xs_addr addr)
{
	const struct di_stretch *stretches = loads->stretches.data;
	size_t i;
	xs_search(i, 0, loads->stretches.len, stretches[i].lo <= addr);
	return i ? &stretches[i - 1] : NULL;
}

const struct di_load *di_loads_at(struct di_loads *loads, xs_addr addr)
{
	/* What is of no file (.bss) is behind what is. */
	const struct di_stretch *before = stretch_before(loads, addr);
	if (!before)
		return NULL;
	look_at(loads, before->file);
	for (size_t i = 0; i < loads->list.len; i++)
		if (addr >= loads->list.data[i].lo && addr < loads->list.data[i].hi)
			return &loads->list.data[i];
	return NULL;
}

size_t di_loads_file_at(const struct di_loads *loads, xs_addr addr)
{
	const struct di_stretch *before = stretch_before(loads, addr);
	return before && before->code && addr < before->hi ? before->file : SIZE_MAX;
}

static int by_lo(const void *a, const void *b)
{
	const struct di_load *x = a, *y = b;
	return (x->lo > y->lo) - (x->lo < y->lo);
}

void di_loads_find_all(struct di_loads *loads)
{
	for (size_t i = 0; i < loads->stretches.len; i++)
		if (loads->stretches.data[i].code)
			look_at(loads, loads->stretches.data[i].file);
	if (loads->list.len)
		qsort(loads->list.data, loads->list.len, sizeof *loads->list.data, by_lo);
}

void di_loads_deinit(struct di_loads *loads)
{
	for (size_t i = 0; i < loads->files.len; i++) {
		free(loads->files.data[i].path);
		xs_vec_deinit(&loads->files.data[i].segments.vec);
	}
	xs_vec_deinit(&loads->files);
	xs_vec_deinit(&loads->stretches);
	xs_vec_deinit(&loads->list);
}
