#include "base/addr.h"

#include "base/search.h"

static int by_lo(const void *a, const void *b)
{
	const struct xs_range *x = a, *y = b;
	return (x->lo > y->lo) - (x->lo < y->lo);
}

void xs_ranges_add(struct xs_ranges *ranges, xs_addr lo, xs_addr hi)
{
	if (lo < hi)
		xs_vec_push(&ranges->vec, ((struct xs_range){lo, hi}));
}

void xs_ranges_add_all(struct xs_ranges *ranges, const struct xs_ranges *more)
{
	for (size_t i = 0; i < more->vec.len; i++)
		xs_ranges_add(ranges, more->vec.data[i].lo, more->vec.data[i].hi);
}

void xs_ranges_normalise(struct xs_ranges *ranges)
{
	struct xs_range *data = ranges->vec.data;
	size_t kept = 0;
	if (!ranges->vec.len)
		return;
	qsort(data, ranges->vec.len, sizeof *data, by_lo);
	for (size_t i = 1; i < ranges->vec.len; i++) {
		if (data[i].lo > data[kept].hi)
			data[++kept] = data[i];
		else if (data[i].hi > data[kept].hi)
			data[kept].hi = data[i].hi;
	}
	ranges->vec.len = kept + 1;
}

const struct xs_range *xs_ranges_find(const struct xs_ranges *ranges, xs_addr addr)
{
	const struct xs_range *data = ranges->vec.data;
	size_t i;
	xs_search(i, 0, ranges->vec.len, data[i].hi <= addr);
	return i < ranges->vec.len && data[i].lo <= addr ? &data[i] : NULL;
}

bool xs_ranges_meet(const struct xs_ranges *ranges, xs_addr lo, xs_addr hi)
{
	const struct xs_range *data = ranges->vec.data;
	size_t i;
	xs_search(i, 0, ranges->vec.len, data[i].hi <= lo);
	return lo < hi && i < ranges->vec.len && data[i].lo < hi;
}

void xs_ranges_subtract(struct xs_ranges *ranges, const struct xs_ranges *out)
{
	struct xs_ranges rest = {0};
	for (size_t i = 0; i < ranges->vec.len; i++) {
		xs_addr lo = ranges->vec.data[i].lo, hi = ranges->vec.data[i].hi;
		for (size_t j = 0; j < out->vec.len && out->vec.data[j].lo < hi; j++) {
			if (out->vec.data[j].hi <= lo)
				continue;
			xs_ranges_add(&rest, lo, out->vec.data[j].lo);
			lo = out->vec.data[j].hi;
		}
		xs_ranges_add(&rest, lo, hi);
	}
	xs_ranges_deinit(ranges);
	*ranges = rest;
}

void xs_ranges_intersect(struct xs_ranges *ranges, const struct xs_ranges *in)
{
	struct xs_ranges outside = {0};
	xs_ranges_add_all(&outside, ranges);
	xs_ranges_subtract(&outside, in);
	xs_ranges_subtract(ranges, &outside);
	xs_ranges_deinit(&outside);
}

void xs_ranges_deinit(struct xs_ranges *ranges)
{
	xs_vec_deinit(&ranges->vec);
}
