#include "engine/fence.h"

enum { INT3 = 0xcc };

void eng_fence_init(struct eng_fence *fence, const struct xs_ranges *set)
{
	*fence = (struct eng_fence){0};
	for (size_t i = 0; i < set->vec.len; i++)
		xs_ranges_add(&fence->set, set->vec.data[i].lo, set->vec.data[i].hi);
	xs_ranges_normalise(&fence->set);
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

void eng_fence_deinit(struct eng_fence *fence)
{
	for (size_t i = 0; i < fence->spans.len; i++) {
		free(fence->spans.data[i].original);
		free(fence->spans.data[i].fenced);
	}
	xs_vec_deinit(&fence->spans);
	xs_ranges_deinit(&fence->set);
	fence->up = false;
}

struct xs_error *eng_fence_raise(struct eng_fence *fence, struct eng_tracee *tracee)
{
	struct xs_error *err;
	size_t range = 0;
	eng_assert(tracee, !fence->up);
	for (size_t i = 0; i < fence->spans.len; i++) {
		struct eng_fence_span *span = &fence->spans.data[i];
		size_t size = span->hi - span->lo;
		if (pread(tracee->mem, span->original, size, (off_t)span->lo) != (ssize_t)size) {
			eng_tracee_notice(tracee);
			return xs_error_create("code at 0x%" PRIx64 "-0x%" PRIx64
					       " cannot be read any more",
				span->lo, span->hi);
		}
		memcpy(span->fenced, span->original, size);
		for (; range < fence->set.vec.len && fence->set.vec.data[range].lo < span->hi;
			range++) {
			struct xs_range r = fence->set.vec.data[range];
			memset(span->fenced + (r.lo - span->lo), INT3, r.hi - r.lo);
		}
	}
	/* Only now, so that a failure above leaves nothing half fenced. */
	fence->up = true;
	for (size_t i = 0; i < fence->spans.len; i++) {
		struct eng_fence_span *span = &fence->spans.data[i];
		if ((err = eng_tracee_write(tracee, span->lo, span->fenced, span->hi - span->lo)))
			return err;
	}
	return NULL;
}

struct xs_error *eng_fence_lower(struct eng_fence *fence, struct eng_tracee *tracee)
{
	struct xs_error *err;
	if (!fence->up)
		return NULL;
	for (size_t i = 0; i < fence->spans.len; i++) {
		struct eng_fence_span *span = &fence->spans.data[i];
		if ((err = eng_tracee_write(tracee, span->lo, span->original, span->hi - span->lo)))
			return err;
	}
	fence->up = false;
	return NULL;
}

struct xs_error *eng_fence_heal(const struct eng_fence *fence, int mem)
{
	for (size_t i = 0; fence->up && i < fence->spans.len; i++) {
		const struct eng_fence_span *span = &fence->spans.data[i];
		size_t size = span->hi - span->lo;
		if (pwrite(mem, span->original, size, (off_t)span->lo) != (ssize_t)size)
			return xs_error_sys("restoring the code of a forked child");
	}
	return NULL;
}
