#include "engine/sample.h"

#include "base/map.h"

uint64_t eng_sample_hash(uint64_t seed, xs_addr prev, xs_addr pc, uint64_t count)
{
	return xs_mix(seed ^ xs_mix(prev ^ xs_mix(pc ^ xs_mix(count))));
}

__extension__ typedef unsigned __int128 wide;

/* After C arrivals it is the one after C' > C of them with P(C' > m) = C / m: what one draw in
 * each number of arrivals would give, 1 in C after C of them. */
static uint64_t next_count(uint64_t seed, xs_addr prev, xs_addr pc, uint64_t count)
{
	uint64_t hash = eng_sample_hash(seed, prev, pc, count);
	/* Beyond what can be counted there is nothing. */
	if (hash <= count)
		return UINT64_MAX - 1;
	return (uint64_t)(((wide)count << 64) / hash) + 1;
}

uint64_t eng_sample_next(
	enum eng_sample sample, uint64_t seed, xs_addr prev, xs_addr pc, uint64_t n)
{
	if (sample == ENG_SAMPLE_NONE || sample == ENG_SAMPLE_ALL || !n)
		return n + 1;
	if (sample == ENG_SAMPLE_UNIQUE)
		return UINT64_MAX;
	return n == 1 ? 2 : next_count(seed, prev, pc, n - 1) + 1;
}

bool eng_sample_keeps(enum eng_sample sample, uint64_t seed, xs_addr prev, xs_addr pc, uint64_t n)
{
	uint64_t at = 1;
	if (sample == ENG_SAMPLE_NONE || sample == ENG_SAMPLE_ALL || n <= 1)
		return true;
	while (at < n)
		at = eng_sample_next(sample, seed, prev, pc, at);
	return at == n;
}
