#include "engine/sample.h"

#include "base/map.h"

uint64_t eng_sample_hash(uint64_t seed, xs_addr prev, xs_addr pc, uint64_t count)
{
	return xs_mix(seed ^ xs_mix(prev ^ xs_mix(pc ^ xs_mix(count))));
}

bool eng_sample_keeps(enum eng_sample sample, uint64_t seed, xs_addr prev, xs_addr pc, uint64_t n)
{
	uint64_t count = n ? n - 1 : 0;
	if (sample == ENG_SAMPLE_NONE || sample == ENG_SAMPLE_ALL || !count)
		return true;
	return sample == ENG_SAMPLE_DTD && eng_sample_hash(seed, prev, pc, count) % count == 0;
}
