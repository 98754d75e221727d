/* cache_map.c - memory for the cache, in the program and here. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/cache_code.h"
#include "engine/inject.h"

/* Makes a file in memory that the program and we have open: its number there, and ours. */
static struct xs_error *make_file(
	struct eng_cache *cache, xs_addr pc, int *signal, uint64_t *number, bool *made)
{
	struct eng_process *process = cache->trace->process;
	struct eng_tracee *tracee = &process->tracee;
	static const char name[8] = "xstep";
	enum { BELOW = 1024 }; /* the red zone */
	struct user_regs_struct *regs;
	uint8_t before[sizeof name];
	size_t have;
	struct xs_error *err;
	*made = false;
	if ((err = eng_tracee_regs(tracee, &regs)))
		return err;
	xs_addr at = regs->rsp - BELOW;
	if ((err = eng_tracee_read_some(tracee, at, before, sizeof before, &have)) ||
		have < sizeof before || (err = eng_tracee_write(tracee, at, name, sizeof name)))
		return err;
	struct eng_inject_call call = {.number = SYS_memfd_create, .arguments = {at, 0}};
	if ((err = eng_inject(process, pc, &call, signal, made)) || process->ended ||
		(err = eng_tracee_write(tracee, at, before, sizeof before)) || !*made)
		return err;
	*made = (int64_t)call.answer >= 0;
	if (!*made)
		return NULL;
	*number = call.answer;
	XS_AUTO_FREE char *path = xs_asprintf("/proc/%d/fd/%d", tracee->pid, (int)call.answer);
	cache->file = open(path, O_RDWR | O_CLOEXEC);
	*made = cache->file >= 0;
	return NULL;
}

/* Maps a part of the file in the program. */
static struct xs_error *map_part(struct eng_cache *cache, xs_addr pc, uint64_t file, xs_addr at,
	size_t size, uint64_t offset, uint64_t protection, int *signal, bool *ret)
{
	struct eng_inject_call call = {.number = SYS_mmap,
		.arguments = {
			at, size, protection, MAP_SHARED | MAP_FIXED_NOREPLACE, file, offset}};
	struct xs_error *err = eng_inject(cache->trace->process, pc, &call, signal, ret);
	*ret = *ret && call.answer == at;
	return err;
}

static size_t whole_pages(size_t size)
{
	return (size + ENG_PAGE_SIZE - 1) / ENG_PAGE_SIZE * ENG_PAGE_SIZE;
}

/* Where the parts lie, in the file and in the program. */
struct layout {
	xs_addr lo, hi; /* of the ranges */
	size_t data_size, pads_size;
	bool is_low;
};

static struct xs_error *map_parts(struct eng_cache *cache, const struct layout *layout, xs_addr pc,
	uint64_t file, int *signal, bool *ret)
{
	const uint64_t rx = PROT_READ | PROT_EXEC, rw = PROT_READ | PROT_WRITE;
	/* Traps all of them, and far away. */
	const uint32_t high = 0xcccccccc, low = (uint32_t)ENG_TRAP_INVALID_HIGH << 24 | 0xcccccc;
	struct xs_error *err;
	*ret = false;
	for (unsigned i = 0; i < 4 && !*ret; i++) {
		cache->data_at = 0x20000000 + i * UINT64_C(0x4000000);
		if ((err = map_part(cache, pc, file, cache->data_at, layout->data_size,
			     cache->code_size, rw, signal, ret)))
			return err;
	}
	bool done = *ret;
	*ret = false;
	for (unsigned i = 0; i < 4 && done && !*ret; i++) {
		cache->code_at = layout->is_low ? 0x30000000 + i * UINT64_C(0x4000000)
						: (layout->lo & ~(xs_addr)0xffff) - 0x20000000 -
							  i * UINT64_C(0x4000000);
		if ((err = map_part(cache, pc, file, cache->code_at, cache->code_size, 0, rx,
			     signal, ret)))
			return err;
	}
	if (!*ret || !layout->pads_size)
		return NULL;
	cache->pads_by = (int32_t)((layout->is_low ? low : high) + 5);
	cache->pads_at =
		(layout->lo + (uint64_t)(int64_t)cache->pads_by) & ~(xs_addr)(ENG_PAGE_SIZE - 1);
	if ((err = map_part(cache, pc, file, cache->pads_at, layout->pads_size,
		     cache->code_size + layout->data_size, rx, signal, &done)))
		return err;
	if (!done)
		cache->pads_by = 0;
	return NULL;
}

/* Maps the same here. */
static bool map_here(struct eng_cache *cache, const struct layout *layout)
{
	const int rw = PROT_READ | PROT_WRITE;
	void *code = mmap(NULL, cache->code_size, rw, MAP_SHARED, cache->file, 0);
	cache->code = code == MAP_FAILED ? NULL : code;
	void *data =
		mmap(NULL, layout->data_size, rw, MAP_SHARED, cache->file, (off_t)cache->code_size);
	cache->data = data == MAP_FAILED ? NULL : data;
	cache->pads_size = layout->pads_size;
	if (!layout->pads_size)
		return code && data;
	void *pads = mmap(NULL, layout->pads_size, rw, MAP_SHARED, cache->file,
		(off_t)(cache->code_size + layout->data_size));
	cache->pads = pads == MAP_FAILED ? NULL : pads;
	return cache->code && cache->data && cache->pads;
}

/* How much room the copies of that much code need at most: some eight bytes for one, and what is
 * split is there twice. */
static size_t room_for(const struct xs_ranges *ranges)
{
	enum { SHARE = 16, LEAST = 1 << 19, MOST = 1 << 25 };
	size_t size = 0;
	for (size_t i = 0; i < ranges->vec.len; i++)
		size += ranges->vec.data[i].hi - ranges->vec.data[i].lo;
	size = whole_pages(size * SHARE);
	return size < LEAST ? LEAST : size > MOST ? MOST : size;
}

/* The file is there: maps it, here and there. */
static struct xs_error *map_file(struct eng_cache *cache, const struct layout *layout, xs_addr pc,
	uint64_t file, int *signal, bool *ret)
{
	struct xs_error *err;
	size_t size = cache->code_size + layout->data_size + layout->pads_size;
	*ret = false;
	if (ftruncate(cache->file, (off_t)size))
		return NULL;
	if ((err = map_parts(cache, layout, pc, file, signal, ret)) || !*ret)
		return err;
	*ret = map_here(cache, layout);
	return NULL;
}

struct xs_error *eng_cache_map(struct eng_cache *cache, int *signal, bool *ret)
{
	const struct xs_ranges *ranges = cache->trace->ranges;
	struct eng_process *process = cache->trace->process;
	enum { PADS_MAX = 1 << 26 };
	struct xs_error *err;
	uint64_t file = UINT64_MAX;
	xs_addr pc;
	bool closed;
	*ret = false;
	cache->file = -1;
	if (!ranges->vec.len)
		return NULL;
	if ((err = eng_tracee_pc(&process->tracee, &pc)))
		return err;
	struct layout layout = {.lo = ranges->vec.data[0].lo,
		.hi = ranges->vec.data[ranges->vec.len - 1].hi,
		.data_size = whole_pages(sizeof *cache->data)};
	cache->code_size = room_for(ranges);
	layout.is_low = layout.hi < UINT64_C(0x20000000);
	/* All of it must be in reach of the cache. */
	if (layout.hi - layout.lo > UINT64_C(0x20000000) ||
		(!layout.is_low && layout.lo < UINT64_C(0x100000000)))
		return NULL;
	if (layout.hi - layout.lo < PADS_MAX)
		layout.pads_size = whole_pages(layout.hi - layout.lo) + 2 * ENG_PAGE_SIZE;
	err = make_file(cache, pc, signal, &file, ret);
	if (!err && !process->ended && *ret)
		err = map_file(cache, &layout, pc, file, signal, ret);
	struct eng_inject_call call = {.number = SYS_close, .arguments = {file}};
	if (!err && !process->ended && file != UINT64_MAX)
		err = eng_inject(process, pc, &call, signal, &closed);
	if (!err && *ret) {
		struct xs_ranges *areas = &cache->traps->areas;
		xs_ranges_add(areas, cache->code_at, cache->code_at + cache->code_size);
		xs_ranges_add(areas, cache->data_at, cache->data_at + layout.data_size);
		if (cache->pads_by)
			xs_ranges_add(areas, cache->pads_at, cache->pads_at + layout.pads_size);
		xs_ranges_normalise(areas);
		eng_cache_make_slow(cache);
	}
	return err;
}

void eng_cache_deinit(struct eng_cache *cache)
{
	if (cache->code)
		munmap(cache->code, cache->code_size);
	if (cache->data)
		munmap(cache->data, whole_pages(sizeof *cache->data));
	if (cache->pads)
		munmap(cache->pads, cache->pads_size);
	if (cache->file >= 0)
		close(cache->file);
	xs_map_deinit(&cache->block_at);
	xs_map_deinit(&cache->insn_at);
	xs_map_deinit(&cache->edge_at);
	xs_map_deinit(&cache->source_at);
	xs_map_deinit(&cache->arrival_at);
	xs_vec_deinit(&cache->blocks);
	xs_vec_deinit(&cache->insns);
	xs_vec_deinit(&cache->edges);
	xs_vec_deinit(&cache->sources);
	xs_vec_deinit(&cache->pairs);
	xs_vec_deinit(&cache->points);
	xs_vec_deinit(&cache->owners);
	xs_vec_deinit(&cache->weights);
}
