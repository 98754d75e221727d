#include "engine/fence.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ptrace.h>

enum { INT3 = 0xcc };

static void free_spans(struct eng_fence *fence)
{
	for (size_t i = 0; i < fence->spans.len; i++) {
		free(fence->spans.data[i].original);
		free(fence->spans.data[i].fenced);
	}
	fence->spans.len = 0;
}

/* Covers the set with spans (rule 3). */
static void make_spans(struct eng_fence *fence)
{
	free_spans(fence);
	for (size_t i = 0; i < fence->set.vec.len; i++) {
		struct xs_range range = fence->set.vec.data[i];
		struct eng_fence_span *last =
			fence->spans.len ? &fence->spans.data[fence->spans.len - 1] : NULL;
		if (last && range.lo - last->hi < ENG_PAGE_SIZE)
			last->hi = range.hi;
		else
			xs_vec_push(&fence->spans,
				((struct eng_fence_span){.lo = range.lo, .hi = range.hi}));
	}
	for (size_t i = 0; i < fence->spans.len; i++) {
		struct eng_fence_span *span = &fence->spans.data[i];
		span->original = xs_calloc(span->hi - span->lo, 1);
		span->fenced = xs_calloc(span->hi - span->lo, 1);
	}
}

void eng_fence_init(struct eng_fence *fence, const struct xs_ranges *set)
{
	*fence = (struct eng_fence){0};
	xs_ranges_add_all(&fence->set, set);
	xs_ranges_normalise(&fence->set);
	make_spans(fence);
}

void eng_fence_deinit(struct eng_fence *fence)
{
	free_spans(fence);
	xs_vec_deinit(&fence->spans);
	xs_ranges_deinit(&fence->set);
	fence->up = false;
}

/* The first page boundary behind an address. */
static xs_addr next_page(xs_addr address)
{
	return (address / ENG_PAGE_SIZE + 1) * ENG_PAGE_SIZE;
}

/* Code that the program has unmapped cannot be entered any more: takes it out of the set. */
static void exclude_unmapped(struct eng_fence *fence, const struct eng_tracee *tracee)
{
	struct xs_ranges gone = {0};
	uint8_t byte;
	for (size_t i = 0; i < fence->spans.len; i++) {
		const struct eng_fence_span *span = &fence->spans.data[i];
		for (xs_addr at = span->lo; at < span->hi; at = next_page(at))
			if (pread(tracee->mem, &byte, 1, (off_t)at) != 1)
				xs_ranges_add(&gone, at, next_page(at));
	}
	xs_ranges_normalise(&gone);
	fence->unmapped |= gone.vec.len > 0;
	xs_ranges_subtract(&fence->set, &gone);
	xs_ranges_deinit(&gone);
	make_spans(fence);
}

/* Reads what the spans cover; false if some of it is not there. */
static bool read_spans(struct eng_fence *fence, const struct eng_tracee *tracee)
{
	for (size_t i = 0; i < fence->spans.len; i++) {
		struct eng_fence_span *span = &fence->spans.data[i];
		size_t size = span->hi - span->lo;
		if (pread(tracee->mem, span->original, size, (off_t)span->lo) != (ssize_t)size)
			return false;
	}
	return true;
}

struct xs_error *eng_fence_raise(struct eng_fence *fence, struct eng_tracee *tracee)
{
	struct xs_error *err;
	size_t range = 0;
	eng_assert(tracee, !fence->up);
	if (!read_spans(fence, tracee)) {
		exclude_unmapped(fence, tracee);
		if (!read_spans(fence, tracee)) {
			eng_tracee_notice(tracee);
			return xs_error_create("the program's code cannot be read any more");
		}
	}
	for (size_t i = 0; i < fence->spans.len; i++) {
		struct eng_fence_span *span = &fence->spans.data[i];
		memcpy(span->fenced, span->original, span->hi - span->lo);
		for (; range < fence->set.vec.len && fence->set.vec.data[range].lo < span->hi;
			range++) {
			struct xs_range r = fence->set.vec.data[range];
			memset(span->fenced + (r.lo - span->lo), INT3, r.hi - r.lo);
		}
	}
	fence->up = true;
	for (size_t i = 0; i < fence->spans.len; i++) {
		struct eng_fence_span *span = &fence->spans.data[i];
		if ((err = eng_tracee_write(tracee, span->lo, span->fenced, span->hi - span->lo)))
			return err;
	}
	return NULL;
}

/* Puts the original bytes [lo, hi) of a span back, but leaves what was written over the fence
 * meanwhile: that is the program's. False if they are no longer there. */
static bool restore(
	const struct eng_fence_span *span, int mem, xs_addr lo, xs_addr hi, bool *changed)
{
	size_t size = hi - lo, from = lo - span->lo;
	XS_AUTO_FREE uint8_t *bytes = xs_calloc(size, 1);
	if (pread(mem, bytes, size, (off_t)lo) != (ssize_t)size)
		return false;
	if (!memcmp(bytes, span->fenced + from, size))
		return pwrite(mem, span->original + from, size, (off_t)lo) == (ssize_t)size;
	*changed = true;
	for (size_t i = 0; i < size; i++)
		if (bytes[i] == span->fenced[from + i])
			bytes[i] = span->original[from + i];
	return pwrite(mem, bytes, size, (off_t)lo) == (ssize_t)size;
}

/* Restores a whole span, page by page where some of it has been unmapped. */
static void restore_span(const struct eng_fence_span *span, int mem, bool *changed)
{
	if (restore(span, mem, span->lo, span->hi, changed))
		return;
	for (xs_addr at = span->lo; at < span->hi; at = next_page(at))
		restore(span, mem, at, next_page(at) < span->hi ? next_page(at) : span->hi,
			changed);
}

void eng_fence_lower(struct eng_fence *fence, struct eng_tracee *tracee)
{
	for (size_t i = 0; fence->up && i < fence->spans.len; i++)
		restore_span(&fence->spans.data[i], tracee->mem, &fence->changed);
	eng_tracee_forget_memory(tracee);
	fence->up = false;
}

/* Writes through ptrace, word by word: for a child whose /proc/PID/mem is closed to us because it
 * made itself undumpable. */
static bool poke(pid_t pid, const struct eng_fence_span *span)
{
	uint64_t word;
	for (xs_addr at = span->lo & ~(xs_addr)7; at < span->hi; at += 8) {
		errno = 0;
		word = (uint64_t)ptrace(PTRACE_PEEKTEXT, pid, (void *)at, NULL);
		if (errno)
			return false;
		for (unsigned i = 0; i < 8; i++) {
			if (at + i < span->lo || at + i >= span->hi)
				continue;
			uint8_t byte = (uint8_t)(word >> (8 * i));
			size_t index = at + i - span->lo;
			if (byte == span->fenced[index])
				byte = span->original[index];
			word = (word & ~(UINT64_C(0xff) << (8 * i))) | (uint64_t)byte << (8 * i);
		}
		if (ptrace(PTRACE_POKETEXT, pid, (void *)at, (void *)word))
			return false;
	}
	return true;
}

struct xs_error *eng_fence_heal(const struct eng_fence *fence, pid_t child)
{
	XS_AUTO_FREE char *path = xs_asprintf("/proc/%d/mem", child);
	XS_AUTO_CLOSE int mem = open(path, O_RDWR | O_CLOEXEC);
	for (size_t i = 0; fence->up && i < fence->spans.len; i++) {
		const struct eng_fence_span *span = &fence->spans.data[i];
		bool changed;
		if (mem >= 0)
			restore_span(span, mem, &changed);
		else if (!poke(child, span) && errno != ESRCH) /* else it was killed meanwhile */
			return xs_error_sys("restoring the code of forked child %d", child);
	}
	return NULL;
}
