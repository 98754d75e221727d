#include "engine/cache_code.h"

enum { INT3 = 0xcc, JMP = 0xe9 };

/* --- counting --------------------------------------------------------------------------------- */

static uint64_t distance(const struct eng_trace *trace, size_t counter)
{
	uint64_t due = trace->dues.data[counter], count = trace->counts.data[counter];
	return due - count > ENG_CACHE_NEVER ? ENG_CACHE_NEVER : due - count;
}

void eng_cache_settle_edge(struct eng_cache *cache, size_t index)
{
	struct eng_trace *trace = cache->trace;
	struct eng_cache_edge *edge = &cache->edges.data[index];
	uint64_t taken = edge->armed - cache->data->edges[index];
	trace->counts.data[edge->counter] += taken;
	cache->settled += taken;
	cache->armed -= edge->armed;
	edge->armed = cache->data->edges[index] = distance(trace, edge->counter);
	cache->armed += edge->armed;
}

void eng_cache_settle_block(struct eng_cache *cache, size_t index)
{
	struct eng_trace *trace = cache->trace;
	struct eng_cache_block *block = &cache->blocks.data[index];
	const struct eng_cache_insn *insns = cache->insns.data + block->first;
	uint64_t taken = block->armed - cache->data->blocks[index], nearest = ENG_CACHE_NEVER;
	for (uint32_t i = 1; i < block->count; i++) {
		trace->counts.data[insns[i].counter] += taken;
		uint64_t next = distance(trace, insns[i].counter);
		nearest = next < nearest ? next : nearest;
	}
	cache->settled += taken * (block->count - 1);
	cache->armed -= block->armed * cache->weights.data[index];
	cache->weights.data[index] = block->count - 1;
	block->armed = cache->data->blocks[index] = nearest;
	cache->armed += block->armed * cache->weights.data[index];
}

void eng_cache_settle_all(struct eng_cache *cache)
{
	for (size_t i = 0; i < cache->edges.len; i++)
		eng_cache_settle_edge(cache, i);
	for (size_t i = 0; i < cache->blocks.len; i++)
		eng_cache_settle_block(cache, i);
}

void eng_cache_settle(struct eng_cache *cache, size_t counter)
{
	uint32_t owner = counter < cache->owners.len ? cache->owners.data[counter] : 0;
	if (owner % 2)
		eng_cache_settle_edge(cache, owner / 2);
	else if (owner)
		eng_cache_settle_block(cache, owner / 2 - 1);
}

uint64_t eng_cache_number(const struct eng_cache *cache)
{
	uint64_t ret = cache->settled + cache->armed;
	for (size_t i = 0; i < cache->edges.len; i++)
		ret -= cache->data->edges[i];
	for (size_t i = 0; i < cache->blocks.len; i++)
		ret -= cache->data->blocks[i] * cache->weights.data[i];
	return ret;
}

void eng_cache_own(struct eng_cache *cache, size_t counter, uint32_t owner)
{
	while (cache->owners.len <= counter)
		xs_vec_push(&cache->owners, 0);
	cache->owners.data[counter] = owner;
}

/* --- code ------------------------------------------------------------------------------------- */

void eng_cache_begin(const struct eng_cache *cache, struct eng_emit *emit)
{
	emit->at = cache->code_at + cache->used;
	emit->size = 0;
}

void eng_cache_end(struct eng_cache *cache, const struct eng_emit *emit)
{
	memcpy(cache->code + cache->used, emit->bytes, emit->size);
	cache->used += emit->size;
	if (cache->used > cache->code_size - ENG_CACHE_ROOM)
		cache->full = true;
}

void eng_cache_add_point(struct eng_cache *cache, xs_addr at, enum eng_cache_kind kind,
	unsigned saved, int32_t sp, size_t owner, size_t index)
{
	struct eng_cache_point one = {.at = at,
		.kind = (uint8_t)kind,
		.saved = (uint8_t)saved,
		.sp = sp,
		.owner = (uint32_t)owner,
		.index = (uint32_t)index};
	xs_vec_push(&cache->points, one);
}

struct eng_cache_point eng_cache_point(const struct eng_cache *cache, xs_addr pc)
{
	struct eng_cache_point none = {.kind = ENG_POINT_NONE};
	size_t lo = 0, hi = cache->points.len;
	if (cache->pads_by && pc >= cache->pads_at && pc < cache->pads_at + cache->pads_size) {
		/* A jmp from the original code has been executed, and nothing else. */
		xs_addr from = pc - (uint64_t)(int64_t)cache->pads_by;
		const uint64_t *pair = xs_map_find(&cache->arrival_at, from, 0);
		if (!pair || !*pair)
			return none;
		return (struct eng_cache_point){
			.kind = ENG_POINT_ARRIVE, .owner = (uint32_t)(*pair - 1)};
	}
	if (pc < cache->code_at || pc >= cache->code_at + cache->used)
		return none;
	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;
		if (cache->points.data[middle].at <= pc)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo ? cache->points.data[lo - 1] : none;
}

size_t eng_cache_pair(struct eng_cache *cache, xs_addr source, xs_addr target)
{
	struct eng_cache_pair one = {source, target};
	xs_vec_push(&cache->pairs, one);
	return cache->pairs.len - 1;
}

/* rcx has been saved; counts down, and goes `by` bytes on at zero. */
void eng_cache_emit_count(struct eng_emit *emit, xs_addr counter, int8_t by)
{
	eng_emit_load(emit, ENG_EMIT_RCX, counter);
	eng_emit_decrement(emit);
	eng_emit_store(emit, ENG_EMIT_RCX, counter);
	eng_emit_jrcxz(emit, by);
}

size_t eng_cache_edge(struct eng_cache *cache, xs_addr source, xs_addr target)
{
	enum { JMP_SIZE = 5, COUNT_SIZE = 22 };
	uint64_t *known = xs_map_at(&cache->edge_at, source, target);
	struct eng_emit emit;
	if (*known)
		return *known - 1;
	size_t index = cache->edges.len;
	struct eng_cache_edge edge = {.source = source, .target = target};
	*known = index + 1;
	size_t way = eng_cache_pair(cache, source, target);
	edge.counter = eng_trace_counter(cache->trace, source, target);
	eng_cache_begin(cache, &emit);
	edge.full = eng_emit_here(&emit);
	eng_cache_add_point(cache, edge.full, ENG_POINT_TO, ENG_SAVED_NONE, 0, way, 0);
	eng_emit_store(&emit, ENG_EMIT_RCX, ENG_CACHE_DATA(cache, rcx));
	edge.saved = eng_emit_here(&emit);
	eng_cache_add_point(cache, edge.saved, ENG_POINT_TO, ENG_SAVED_RCX, 0, way, 0);
	eng_cache_emit_count(
		&emit, eng_cache_element(ENG_CACHE_DATA(cache, edges), index), JMP_SIZE);
	eng_cache_add_point(
		cache, edge.saved + COUNT_SIZE - 2, ENG_POINT_COUNTED, ENG_SAVED_RCX, 0, index, 0);
	edge.jump = eng_emit_here(&emit);
	eng_emit_jmp(&emit, edge.jump + JMP_SIZE);
	eng_emit_int3(&emit);
	eng_cache_end(cache, &emit);
	edge.armed = cache->data->edges[index] = distance(cache->trace, edge.counter);
	cache->armed += edge.armed;
	xs_vec_push(&cache->edges, edge);
	eng_cache_own(cache, edge.counter, (uint32_t)(2 * index + 1));
	if (cache->edges.len >= ENG_CACHE_EDGES - ENG_CACHE_SPARE)
		cache->full = true;
	return index;
}

/* Writes over code that is there already. */
void eng_cache_patch(struct eng_cache *cache, xs_addr at, xs_addr to)
{
	uint32_t by = (uint32_t)(to - (at + 5));
	uint8_t *bytes = cache->code + (at - cache->code_at);
	bytes[0] = JMP;
	memcpy(bytes + 1, &by, sizeof by);
}

void eng_cache_link(struct eng_cache *cache, size_t index, size_t block)
{
	struct eng_cache_edge *edge = &cache->edges.data[index];
	eng_cache_patch(cache, edge->jump, cache->blocks.data[block].saved);
	edge->linked = true;
}

/* --- sources ---------------------------------------------------------------------------------- */

size_t eng_cache_source(struct eng_cache *cache, xs_addr pc)
{
	uint64_t *known = xs_map_at(&cache->source_at, pc, 0);
	if (*known)
		return *known - 1;
	size_t index = cache->sources.len;
	*known = index + 1;
	/* Targets and the lower half stay below 2^48, so the sum tells both apart. */
	struct eng_cache_source source = {
		.pc = pc, .key = (index + 1) << 48 | (xs_mix(index) & 0xffff)};
	xs_vec_push(&cache->sources, source);
	if (cache->sources.len >= ENG_CACHE_SOURCES - ENG_CACHE_SPARE)
		cache->full = true;
	return index;
}

/* Code that leaves the ranges by the source at pc, for who has saved rcx and noted the source,
 * or has done neither. */
xs_addr eng_cache_leave(struct eng_cache *cache, xs_addr pc, xs_addr target, bool looked_up)
{
	struct eng_emit emit;
	size_t from = eng_cache_source(cache, pc);
	uint64_t key = cache->sources.data[from].key;
	size_t way = eng_cache_pair(cache, pc, target);
	eng_cache_begin(cache, &emit);
	if (looked_up) {
		eng_cache_add_point(cache, emit.at, ENG_POINT_TO, ENG_SAVED_RCX, 0, way, 0);
		eng_emit_load(&emit, ENG_EMIT_RCX, ENG_CACHE_DATA(cache, rcx));
		eng_cache_add_point(
			cache, eng_emit_here(&emit), ENG_POINT_TO, ENG_SAVED_NONE, 0, way, 0);
	} else {
		eng_cache_add_point(cache, emit.at, ENG_POINT_TO, ENG_SAVED_NONE, 0, way, 0);
		eng_emit_store_value(&emit, ENG_CACHE_DATA(cache, last), (uint32_t)key);
		eng_emit_store_value(&emit, ENG_CACHE_DATA(cache, last) + 4, (uint32_t)(key >> 32));
	}
	eng_emit_jmp_far(&emit, target);
	eng_cache_end(cache, &emit);
	return emit.at;
}

void eng_cache_enter(struct eng_cache *cache, size_t index, xs_addr target)
{
	struct eng_cache_source source = cache->sources.data[index];
	uint64_t sum = source.key + target;
	size_t slot = sum & (ENG_CACHE_SLOTS - 1), last = slot + ENG_CACHE_PROBES;
	while (slot < last && cache->data->negated[slot] && cache->data->negated[slot] != -sum)
		slot++;
	if (slot == last) {
		/* Whoever was there first traps from now on, and comes back. */
		slot = last - 1 - xs_mix(sum) % ENG_CACHE_PROBES;
	} else if (cache->data->negated[slot]) {
		return;
	}
	xs_addr lead;
	if (xs_ranges_find(cache->trace->ranges, target)) {
		size_t edge = eng_cache_edge(cache, source.pc, target);
		lead = cache->edges.data[edge].saved;
	} else {
		lead = eng_cache_leave(cache, source.pc, target, true);
	}
	cache->data->leads[slot] = lead;
	cache->data->negated[slot] = -sum;
}

/* rcx has the target, and rax and rdx have been saved: goes to where the table says. rax has
 * what is to be added to rcx, or rcx has it already. */
void eng_cache_emit_lookup(struct eng_cache *cache, struct eng_emit *emit)
{
	enum { JMP_SIZE = 5 };
	eng_emit_low16(emit);
	eng_emit_store(emit, ENG_EMIT_RCX, ENG_CACHE_DATA(cache, key));
	eng_cache_add_point(cache, eng_emit_here(emit), ENG_POINT_LOOKUP, ENG_SAVED_ALL, 0, 0, 0);
	eng_emit_load_indexed(emit, ENG_EMIT_RDX, ENG_CACHE_DATA(cache, negated));
	eng_emit_add(emit, ENG_EMIT_RDX);
	eng_emit_jrcxz(emit, JMP_SIZE);
	eng_emit_jmp(emit, cache->slow);
	eng_emit_load_indexed(emit, ENG_EMIT_RDX, ENG_CACHE_DATA(cache, leads));
	eng_emit_store(emit, ENG_EMIT_RDX, ENG_CACHE_DATA(cache, go));
	eng_emit_load(emit, ENG_EMIT_RDX, ENG_CACHE_DATA(cache, rdx));
	eng_emit_load(emit, ENG_EMIT_RAX, ENG_CACHE_DATA(cache, rax));
	eng_emit_jmp_through(emit, ENG_CACHE_DATA(cache, go));
}

/* Looks into the other slots; the trap behind them says that it is in none. */
void eng_cache_make_slow(struct eng_cache *cache)
{
	struct eng_emit emit;
	eng_cache_begin(cache, &emit);
	cache->slow = emit.at;
	eng_cache_add_point(cache, emit.at, ENG_POINT_LOOKUP, ENG_SAVED_ALL, 0, 0, 0);
	for (size_t i = 1; i < ENG_CACHE_PROBES; i++) {
		eng_emit_load(&emit, ENG_EMIT_RCX, ENG_CACHE_DATA(cache, key));
		eng_emit_load_indexed(
			&emit, ENG_EMIT_RDX, eng_cache_element(ENG_CACHE_DATA(cache, negated), i));
		eng_emit_add(&emit, ENG_EMIT_RDX);
		eng_emit_jrcxz(&emit, 2);
		eng_emit_bytes(&emit, (uint8_t[]){0xeb, 8 + 8 + 8 + 8 + 7}, 2); /* not here */
		eng_emit_load_indexed(
			&emit, ENG_EMIT_RDX, eng_cache_element(ENG_CACHE_DATA(cache, leads), i));
		eng_emit_store(&emit, ENG_EMIT_RDX, ENG_CACHE_DATA(cache, go));
		eng_emit_load(&emit, ENG_EMIT_RDX, ENG_CACHE_DATA(cache, rdx));
		eng_emit_load(&emit, ENG_EMIT_RAX, ENG_CACHE_DATA(cache, rax));
		eng_emit_jmp_through(&emit, ENG_CACHE_DATA(cache, go));
	}
	eng_emit_int3(&emit);
	eng_cache_end(cache, &emit);
}

struct xs_error *eng_cache_expect(struct eng_cache *cache, xs_addr pc)
{
	enum { JMP_SIZE = 5 };
	struct eng_emit emit;
	const uint8_t *image = eng_traps_image(cache->traps, pc, JMP_SIZE);
	if (!cache->pads_by || !image || pc == cache->trace->return_to)
		return NULL;
	/* Neither in the way of another jmp. */
	for (unsigned i = 0; i < JMP_SIZE; i++)
		if (image[i] != INT3 || *xs_map_at(&cache->arrival_at, pc - i, 0))
			return NULL;
	size_t way = eng_cache_pair(cache, XS_ADDR_NONE, pc);
	*xs_map_at(&cache->arrival_at, pc, 0) = way + 1;
	eng_cache_begin(cache, &emit);
	eng_cache_add_point(cache, emit.at, ENG_POINT_ARRIVE, ENG_SAVED_NONE, 0, way, 0);
	eng_emit_store(&emit, ENG_EMIT_RCX, ENG_CACHE_DATA(cache, rcx));
	eng_emit_store(&emit, ENG_EMIT_RAX, ENG_CACHE_DATA(cache, rax));
	eng_emit_store(&emit, ENG_EMIT_RDX, ENG_CACHE_DATA(cache, rdx));
	eng_cache_add_point(
		cache, eng_emit_here(&emit), ENG_POINT_ARRIVE, ENG_SAVED_ALL, 0, way, 0);
	eng_emit_load(&emit, ENG_EMIT_RCX, ENG_CACHE_DATA(cache, last));
	eng_emit_set(&emit, ENG_EMIT_RAX, pc);
	eng_emit_add(&emit, ENG_EMIT_RAX);
	eng_cache_emit_lookup(cache, &emit);
	eng_cache_end(cache, &emit);
	/* The pad. */
	xs_addr pad = pc + (uint64_t)(int64_t)cache->pads_by;
	uint32_t by = (uint32_t)(emit.at - (pad + JMP_SIZE));
	uint8_t *at = cache->pads + (pad - cache->pads_at);
	at[0] = JMP;
	memcpy(at + 1, &by, sizeof by);
	uint8_t jmp[JMP_SIZE] = {JMP};
	uint32_t to_pad = (uint32_t)(cache->pads_by - JMP_SIZE);
	memcpy(jmp + 1, &to_pad, sizeof to_pad);
	return eng_traps_patch(cache->traps, &cache->trace->process->tracee, pc, jmp, sizeof jmp);
}

/* Takes the jumps to the cache out of the original code. */
static struct xs_error *expect_nobody(struct eng_cache *cache)
{
	static const uint8_t traps[] = {INT3, INT3, INT3, INT3, INT3};
	struct xs_error *err = NULL;
	for (size_t i = 0; !err && i < cache->arrival_at.cap; i++) {
		const struct xs_map_slot *slot = &cache->arrival_at.slots[i];
		if (slot->used && slot->value)
			err = eng_traps_patch(cache->traps, &cache->trace->process->tracee, slot->a,
				traps, sizeof traps);
	}
	return err;
}

struct xs_error *eng_cache_empty(struct eng_cache *cache)
{
	struct eng_cache_data *data = cache->data;
	struct xs_error *err = expect_nobody(cache);
	eng_cache_settle_all(cache);
	xs_map_deinit(&cache->block_at);
	xs_map_deinit(&cache->insn_at);
	xs_map_deinit(&cache->edge_at);
	xs_map_deinit(&cache->source_at);
	xs_map_deinit(&cache->arrival_at);
	cache->blocks.len = cache->insns.len = cache->edges.len = cache->sources.len = 0;
	cache->pairs.len = cache->points.len = cache->owners.len = cache->weights.len = 0;
	cache->armed = 0;
	memset(data->negated, 0, sizeof data->negated);
	cache->used = cache->returns = 0;
	cache->full = false;
	eng_cache_make_slow(cache);
	return err;
}
