#include "oracle/cause/bisection.h"

#include <string.h>

#include "base/alloc.h"

enum {
	AT_ONCE = 16,   /* questions */
	UNFIT_MOST = 8, /* answers that are none, until the search ends */
};

/* --- a number --------------------------------------------------------------------------------- */

static bool has(const uint64_t *all, size_t count, uint64_t one)
{
	for (size_t i = 0; i < count; i++)
		if (all[i] == one)
			return true;
	return false;
}

/* Limits between two others to be asked about, evenly spread, without those that are unfit. */
static size_t choose(uint64_t low, uint64_t high, size_t wanted, const uint64_t *unfit,
	size_t unfit_count, uint64_t *ret)
{
	size_t count = 0;
	for (size_t i = 0; i < wanted; i++) {
		uint64_t best = low + (high - low) * (i + 1) / (wanted + 1);
		for (uint64_t far = 0; far <= 2 * (high - low); far++) {
			/* Wraps below 0, and is none of them then. */
			uint64_t one = far % 2 ? best - (far + 1) / 2 : best + far / 2;
			if (one <= low || one >= high || has(unfit, unfit_count, one) ||
				has(ret, count, one))
				continue;
			ret[count++] = one;
			break;
		}
	}
	return count;
}

struct xs_error *ora_search_least(const struct ora_search *search, uint64_t low, uint64_t high,
	uint64_t *number, enum ora_case_end *end)
{
	uint64_t unfit[UNFIT_MOST + AT_ONCE];
	size_t unfit_count = 0;
	struct xs_error *err = NULL;
	while (!err && high - low > 1 && unfit_count < UNFIT_MOST) {
		uint64_t limits[AT_ONCE];
		enum ora_case_end ends[AT_ONCE];
		uint64_t before = low, wanted = search->jobs < AT_ONCE ? search->jobs : AT_ONCE;
		wanted = wanted < high - low - 1 ? wanted : high - low - 1;
		size_t count = choose(low, high, wanted ? wanted : 1, unfit, unfit_count, limits);
		if (!count || (err = search->ask(search->context, limits, count, ends)))
			break;
		for (size_t i = 0; i < count; i++)
			if (ends[i] == ORA_CASE_FOUND && limits[i] < high)
				high = limits[i];
		for (size_t i = 0; i < count; i++) {
			if (ends[i] == ORA_CASE_GONE && limits[i] < high && limits[i] > before)
				before = limits[i];
			else if (ends[i] == ORA_CASE_UNFIT)
				unfit[unfit_count++] = limits[i];
		}
		low = before;
	}
	*number = high;
	*end = high - low == 1 ? ORA_CASE_FOUND : ORA_CASE_UNFIT;
	return err;
}

/* --- a set ------------------------------------------------------------------------------------ */

/* Without the first so many, and those of the set. */
static struct xs_error *ask_without(
	const struct ora_search_set *search, size_t first, const bool *set, enum ora_case_end *end)
{
	bool *without = xs_calloc(search->count ? search->count : 1, sizeof *without);
	for (size_t i = 0; i < search->count; i++)
		without[i] = i < first || set[i];
	struct xs_error *err = search->ask(search->context, without, end);
	free(without);
	return err;
}

/* Whether the shortest run from the first on needs its last one: its number. *sure is cleared if
 * that rests on an answer that is none. */
static struct xs_error *find_last(
	const struct ora_search_set *search, const bool *set, size_t *last, bool *sure)
{
	size_t low = 0, high = search->count;
	struct xs_error *err = NULL;
	while (!err && high - low > 1) {
		size_t middle = low + (high - low) / 2;
		enum ora_case_end end;
		if ((err = ask_without(search, middle, set, &end)))
			break;
		*sure &= end != ORA_CASE_UNFIT;
		*(end == ORA_CASE_GONE ? &high : &low) = middle;
	}
	*last = high - 1;
	return err;
}

/* Takes out of the set what it does not need. *sure: that is known of each of the others. */
static struct xs_error *thin(const struct ora_search_set *search, bool *set, bool *sure)
{
	struct xs_error *err = NULL;
	*sure = true;
	for (size_t i = 0; !err && i < search->count; i++) {
		enum ora_case_end end;
		if (!set[i])
			continue;
		set[i] = false;
		if ((err = ask_without(search, 0, set, &end)))
			break;
		set[i] = end != ORA_CASE_GONE;
		*sure &= end != ORA_CASE_UNFIT;
	}
	return err;
}

struct xs_error *ora_search_find_set(
	const struct ora_search_set *search, bool *set, enum ora_case_end *end)
{
	bool sure = true;
	memset(set, 0, search->count * sizeof *set);
	struct xs_error *err = ask_without(search, search->count, set, end);
	if (err || *end != ORA_CASE_GONE)
		return err;
	/* Each one that is needed is kept out from then on. */
	size_t size = 0;
	for (; !err && size <= search->most; size++) {
		size_t last;
		if ((err = ask_without(search, 0, set, end)) || *end == ORA_CASE_GONE)
			break;
		sure &= *end != ORA_CASE_UNFIT;
		if (size < search->most && !(err = find_last(search, set, &last, &sure)))
			set[last] = true;
	}
	sure &= size > 0; /* else it comes and goes */
	if (!err && *end == ORA_CASE_GONE && size && !sure)
		err = thin(search, set, &sure);
	*end = *end == ORA_CASE_GONE && sure ? ORA_CASE_GONE : ORA_CASE_UNFIT;
	return err;
}
