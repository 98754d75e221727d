#include "engine/traps.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ptrace.h>

#include "base/search.h"

static const uint8_t int3 = 0xcc;

/* Writes to the program's code. What has been unmapped needs nothing: nobody comes there. */
static struct xs_error *put(struct eng_tracee *tracee, xs_addr at, const void *bytes, size_t size)
{
	struct xs_error *err = eng_tracee_write(tracee, at, bytes, size);
	const uint8_t *from = bytes;
	uint8_t now;
	if (!err || tracee->gone)
		return err;
	xs_error_destroy(err);
	for (size_t done = 0, part; done < size; done += part) {
		part = ENG_PAGE_SIZE - (at + done) % ENG_PAGE_SIZE;
		part = part < size - done ? part : size - done;
		if (pread(tracee->mem, &now, 1, (off_t)(at + done)) == 1 &&
			(err = eng_tracee_write(tracee, at + done, from + done, part)))
			return err;
	}
	return NULL;
}

/* The cover that address is in, or NULL. */
static struct eng_cover *cover_at(const struct eng_traps *traps, xs_addr address)
{
	struct eng_cover *covers = traps->covers.data;
	size_t i;
	xs_search(i, 0, traps->covers.len, covers[i].hi <= address);
	return i < traps->covers.len && covers[i].lo <= address ? &covers[i] : NULL;
}

static int by_lo(const void *a, const void *b)
{
	const struct eng_cover *x = a, *y = b;
	return (x->lo > y->lo) - (x->lo < y->lo);
}

static void sort_covers(struct eng_traps *traps)
{
	if (traps->covers.len)
		qsort(traps->covers.data, traps->covers.len, sizeof *traps->covers.data, by_lo);
}

static struct eng_cover make_cover(xs_addr lo, xs_addr hi)
{
	size_t size = hi - lo;
	return (struct eng_cover){.lo = lo,
		.hi = hi,
		.original = xs_calloc(size, 1),
		.image = xs_calloc(size, 1),
		.trapped = xs_calloc(size, sizeof(bool))};
}

static void free_cover(struct eng_cover *cover)
{
	free(cover->original);
	free(cover->image);
	free(cover->trapped);
}

struct xs_error *eng_traps_cover(
	struct eng_traps *traps, struct eng_tracee *tracee, const struct xs_ranges *ranges)
{
	struct xs_error *err = NULL;
	for (size_t i = 0; i < ranges->vec.len; i++) {
		struct eng_cover cover = make_cover(ranges->vec.data[i].lo, ranges->vec.data[i].hi);
		size_t size = cover.hi - cover.lo;
		/* What is not there cannot be entered. */
		if (pread(tracee->mem, cover.original, size, (off_t)cover.lo) != (ssize_t)size) {
			free_cover(&cover);
			continue;
		}
		memset(cover.image, int3, size);
		for (size_t at = 0; at < size; at++)
			cover.trapped[at] = true;
		xs_vec_push(&traps->covers, cover);
		if (!err && traps->planted)
			err = put(tracee, cover.lo, cover.image, size);
	}
	sort_covers(traps);
	return err;
}

struct xs_error *eng_traps_patch(struct eng_traps *traps, struct eng_tracee *tracee, xs_addr lo,
	const uint8_t *bytes, size_t size)
{
	struct eng_cover *cover = cover_at(traps, lo);
	eng_assert(tracee, cover && size <= cover->hi - lo);
	memcpy(cover->image + (lo - cover->lo), bytes, size);
	for (size_t i = 0; i < size; i++)
		cover->trapped[lo - cover->lo + i] = bytes[i] == int3 ||
						     bytes[i] == ENG_TRAP_INVALID ||
						     bytes[i] == ENG_TRAP_INVALID_HIGH;
	return traps->planted ? put(tracee, lo, bytes, size) : NULL;
}

const uint8_t *eng_traps_image(const struct eng_traps *traps, xs_addr lo, size_t size)
{
	const struct eng_cover *cover = cover_at(traps, lo);
	return cover && size <= cover->hi - lo ? cover->image + (lo - cover->lo) : NULL;
}

/* Puts the original bytes of a cover back, but leaves what was written over it meanwhile. */
static void uncover(const struct eng_cover *cover, int mem)
{
	size_t size = cover->hi - cover->lo;
	XS_AUTO_FREE uint8_t *bytes = xs_calloc(size, 1);
	if (pread(mem, bytes, size, (off_t)cover->lo) != (ssize_t)size)
		return;
	for (size_t at = 0; at < size; at++)
		if (bytes[at] == cover->image[at])
			bytes[at] = cover->original[at];
	(void)!pwrite(mem, bytes, size, (off_t)cover->lo);
}

bool eng_traps_has(const struct eng_traps *traps, xs_addr address)
{
	const struct eng_cover *cover = cover_at(traps, address);
	if (cover)
		return cover->trapped[address - cover->lo];
	const uint64_t *index = xs_map_find(&traps->index, address, 0);
	return index && *index;
}

struct xs_error *eng_traps_add(struct eng_traps *traps, struct eng_tracee *tracee, xs_addr address)
{
	struct xs_error *err;
	struct eng_trap trap = {.address = address};
	if (eng_traps_has(traps, address))
		return NULL;
	if ((err = eng_tracee_read(tracee, address, &trap.original, 1)))
		return err;
	xs_vec_push(&traps->list, trap);
	*xs_map_at(&traps->index, address, 0) = traps->list.len;
	return traps->planted ? put(tracee, address, &int3, 1) : NULL;
}

struct xs_error *eng_traps_lift(struct eng_traps *traps, struct eng_tracee *tracee, xs_addr address)
{
	uint64_t *index = xs_map_at(&traps->index, address, 0);
	if (!*index)
		return NULL;
	struct eng_trap trap = traps->list.data[*index - 1];
	struct eng_trap last = traps->list.data[--traps->list.len];
	traps->list.data[*index - 1] = last;
	uint64_t place = *index;
	*index = 0;
	if (last.address != address)
		*xs_map_at(&traps->index, last.address, 0) = place;
	return traps->planted ? put(tracee, address, &trap.original, 1) : NULL;
}

struct xs_error *eng_traps_plant(struct eng_traps *traps, struct eng_tracee *tracee)
{
	struct xs_error *err;
	for (size_t i = 0; !traps->planted && i < traps->list.len; i++)
		if ((err = put(tracee, traps->list.data[i].address, &int3, 1)))
			return err;
	for (size_t i = 0; !traps->planted && i < traps->covers.len; i++) {
		const struct eng_cover *cover = &traps->covers.data[i];
		if ((err = put(tracee, cover->lo, cover->image, cover->hi - cover->lo)))
			return err;
	}
	traps->planted = true;
	return NULL;
}

void eng_traps_clear(struct eng_traps *traps, struct eng_tracee *tracee)
{
	/* What cannot be read has been unmapped, and what is no int3 any more has been written
	 * over: nobody's trap. */
	for (size_t i = 0; traps->planted && i < traps->list.len; i++) {
		const struct eng_trap *trap = &traps->list.data[i];
		uint8_t now;
		size_t got;
		xs_error_destroy(eng_tracee_read_some(tracee, trap->address, &now, 1, &got));
		if (got && now == int3)
			(void)!pwrite(tracee->mem, &trap->original, 1, (off_t)trap->address);
	}
	for (size_t i = 0; traps->planted && i < traps->covers.len; i++)
		uncover(&traps->covers.data[i], tracee->mem);
	eng_tracee_forget_memory(tracee);
	traps->planted = false;
}

/* The byte at address that is not there while traps are planted, and in *planted what is there
 * instead; NULL if nothing is. */
static const uint8_t *original_at(
	const struct eng_traps *traps, xs_addr address, const uint8_t **planted)
{
	const struct eng_cover *cover = cover_at(traps, address);
	if (cover) {
		size_t at = address - cover->lo;
		*planted = &cover->image[at];
		return cover->image[at] != cover->original[at] ? &cover->original[at] : NULL;
	}
	const uint64_t *index = xs_map_find(&traps->index, address, 0);
	*planted = &int3;
	return index && *index ? &traps->list.data[*index - 1].original : NULL;
}

bool eng_traps_covers(const struct eng_traps *traps, xs_addr address)
{
	const uint8_t *planted;
	return original_at(traps, address, &planted);
}

struct xs_error *eng_traps_show(const struct eng_traps *traps, struct eng_tracee *tracee,
	xs_addr address, unsigned size, bool show)
{
	struct xs_error *err;
	/* What is no instruction still has a first byte. */
	for (unsigned i = 0; traps->planted && i < (size ? size : 1); i++) {
		const uint8_t *planted, *original = original_at(traps, address + i, &planted);
		if (original && (err = put(tracee, address + i, show ? planted : original, 1)))
			return err;
	}
	return NULL;
}

/* For a child whose memory can only be reached by ptrace. */
static void poke(pid_t child, const struct eng_trap *trap)
{
	xs_addr at = trap->address & ~(xs_addr)7;
	unsigned shift = 8 * (unsigned)(trap->address - at);
	errno = 0;
	uint64_t word = (uint64_t)ptrace(PTRACE_PEEKTEXT, child, (void *)at, NULL);
	word = (word & ~(UINT64_C(0xff) << shift)) | (uint64_t)trap->original << shift;
	if (!errno)
		ptrace(PTRACE_POKETEXT, child, (void *)at, (void *)word);
}

void eng_traps_heal(const struct eng_traps *traps, pid_t child)
{
	XS_AUTO_FREE char *path = xs_asprintf("/proc/%d/mem", child);
	XS_AUTO_CLOSE int mem = open(path, O_RDWR | O_CLOEXEC);
	for (size_t i = 0; traps->planted && i < traps->list.len; i++) {
		const struct eng_trap *trap = &traps->list.data[i];
		if (mem < 0 || pwrite(mem, &trap->original, 1, (off_t)trap->address) != 1)
			poke(child, trap);
	}
	for (size_t i = 0; traps->planted && i < traps->covers.len; i++) {
		const struct eng_cover *cover = &traps->covers.data[i];
		if (mem >= 0)
			uncover(cover, mem);
		for (xs_addr at = cover->lo; mem < 0 && at < cover->hi; at++)
			if (cover->image[at - cover->lo] != cover->original[at - cover->lo])
				poke(child,
					&(struct eng_trap){at, cover->original[at - cover->lo]});
	}
}

struct xs_error *eng_traps_read(const struct eng_traps *traps, struct eng_tracee *tracee,
	xs_addr address, uint8_t *buffer, size_t size, size_t *ret)
{
	struct xs_error *err = eng_tracee_read_some(tracee, address, buffer, size, ret);
	for (size_t i = 0; !err && traps->planted && i < *ret; i++) {
		const uint8_t *planted, *original = original_at(traps, address + i, &planted);
		if (original && buffer[i] == *planted)
			buffer[i] = *original;
	}
	return err;
}

void eng_traps_deinit(struct eng_traps *traps)
{
	xs_ranges_deinit(&traps->areas);
	for (size_t i = 0; i < traps->covers.len; i++)
		free_cover(&traps->covers.data[i]);
	xs_vec_deinit(&traps->covers);
	xs_map_deinit(&traps->index);
	xs_vec_deinit(&traps->list);
}
