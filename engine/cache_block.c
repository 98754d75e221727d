/* cache_block.c - copies of straight code. */
#include "engine/cache_code.h"

enum { BLOCK_MAX = 64 }; /* instructions */

struct item {
	xs_addr pc;
	uint8_t code[ENG_INSN_MAX];
	struct eng_insn insn;
};

/* A stretch of code that is to become a block. */
struct stretch {
	struct item items[BLOCK_MAX];
	uint32_t count;
	xs_addr next; /* where it goes on, if the last instruction is not a branch */
};

/* Whether a copy can do what the instruction does. */
static bool can_copy(struct eng_cache *cache, const struct item *item)
{
	const struct eng_insn *insn = &item->insn;
	if (!insn->length || insn->kind == ENG_INSN_SYSCALL || insn->kind == ENG_INSN_OTHER ||
		eng_insn_is_delicate(item->code, insn->length))
		return false;
	if (!insn->relative)
		return true;
	int32_t displacement;
	memcpy(&displacement, item->code + insn->relative, sizeof displacement);
	xs_addr at = item->pc + insn->length + (uint64_t)(int64_t)displacement;
	if (xs_ranges_find(cache->trace->ranges, at) && eng_insn_reads(item->code, insn->length))
		cache->unfit = "the program reads its own code";
	/* From the nearest and the farthest place where the copy can be. */
	int64_t from_first = (int64_t)(at - cache->code_at),
		from_last = from_first - (int64_t)cache->code_size;
	return from_first <= INT32_MAX && from_last >= INT32_MIN;
}

static bool is_branch(const struct eng_insn *insn)
{
	return insn->kind >= ENG_INSN_JUMP && insn->kind <= ENG_INSN_RETURN;
}

static struct xs_error *find_stretch(struct eng_cache *cache, xs_addr pc, struct stretch *ret)
{
	struct eng_trace *trace = cache->trace;
	ret->count = 0;
	for (;;) {
		struct item *item = &ret->items[ret->count];
		size_t size;
		struct xs_error *err;
		ret->next = pc;
		const uint64_t *known = xs_map_find(&cache->insn_at, pc, 0);
		if (ret->count &&
			((known && *known) || ret->count == BLOCK_MAX || pc == trace->return_to ||
				*xs_map_at(&cache->block_at, pc, 0) ||
				!xs_ranges_find(trace->ranges, pc)))
			return NULL;
		item->pc = pc;
		if ((err = eng_traps_read(cache->traps, &trace->process->tracee, pc, item->code,
			     sizeof item->code, &size)))
			return err;
		item->insn = eng_insn_decode(item->code, size);
		if (!can_copy(cache, item))
			return NULL;
		ret->count++;
		if (is_branch(&item->insn))
			return NULL;
		pc += item->insn.length;
	}
}

/* Where code goes that goes from source to target by itself. */
static xs_addr way_out(struct eng_cache *cache, xs_addr source, xs_addr target)
{
	if (!xs_ranges_find(cache->trace->ranges, target))
		return eng_cache_leave(cache, source, target, false);
	size_t edge = eng_cache_edge(cache, source, target);
	return cache->edges.data[edge].full;
}

/* Where the return address is to be had from. */
static xs_addr return_address(struct eng_cache *cache, xs_addr value)
{
	cache->data->returns[cache->returns] = value;
	xs_addr ret = eng_cache_element(ENG_CACHE_DATA(cache, returns), cache->returns++);
	if (cache->returns >= ENG_CACHE_RETURNS - ENG_CACHE_SPARE)
		cache->full = true;
	return ret;
}

/* An indirect branch: what rcx holds then is looked up. */
static bool emit_indirect(struct eng_cache *cache, struct eng_emit *emit, const struct item *item,
	size_t block, size_t index)
{
	const struct eng_insn *insn = &item->insn;
	size_t number = eng_cache_source(cache, item->pc);
	struct eng_cache_source *source = &cache->sources.data[number];
	bool ret = true;
	source->sp = 0;
	eng_emit_store(emit, ENG_EMIT_RCX, ENG_CACHE_DATA(cache, rcx));
	eng_emit_store(emit, ENG_EMIT_RAX, ENG_CACHE_DATA(cache, rax));
	eng_emit_store(emit, ENG_EMIT_RDX, ENG_CACHE_DATA(cache, rdx));
	eng_cache_add_point(
		cache, eng_emit_here(emit), ENG_POINT_BACK, ENG_SAVED_ALL, 0, block, index);
	if (insn->kind == ENG_INSN_RETURN) {
		eng_emit_top(emit);
		eng_emit_pop(emit, insn->pops);
		source->sp = -(8 + insn->pops);
	} else {
		ret = eng_emit_target(emit, item->code, insn, item->pc);
	}
	if (insn->kind == ENG_INSN_INDIRECT_CALL) {
		eng_emit_push(emit, return_address(cache, item->pc + insn->length));
		source->sp = 8;
	}
	eng_cache_add_point(cache, eng_emit_here(emit), ENG_POINT_BACK, ENG_SAVED_ALL, source->sp,
		block, index);
	eng_emit_set(emit, ENG_EMIT_RAX, source->key);
	eng_emit_store(emit, ENG_EMIT_RAX, ENG_CACHE_DATA(cache, last));
	eng_emit_add(emit, ENG_EMIT_RAX);
	eng_cache_emit_lookup(cache, emit);
	return ret;
}

/* How a block ends. */
struct ways {
	xs_addr jump, on; /* code of the ways out, if they are known */
	xs_addr from;     /* pushed by a call: where that is kept */
};

static struct ways find_ways(struct eng_cache *cache, const struct stretch *stretch)
{
	const struct item *last = &stretch->items[stretch->count - 1];
	xs_addr behind = last->pc + last->insn.length;
	struct ways ret = {0};
	switch (last->insn.kind) {
	case ENG_INSN_CONDITIONAL:
		ret.on = way_out(cache, last->pc, behind);
		ret.jump = way_out(cache, last->pc, eng_insn_target(&last->insn, last->pc));
		break;
	case ENG_INSN_CALL:
		ret.from = return_address(cache, behind);
		ret.jump = way_out(cache, last->pc, eng_insn_target(&last->insn, last->pc));
		break;
	case ENG_INSN_JUMP:
		ret.jump = way_out(cache, last->pc, eng_insn_target(&last->insn, last->pc));
		break;
	case ENG_INSN_INDIRECT_JUMP:
	case ENG_INSN_INDIRECT_CALL:
	case ENG_INSN_RETURN:
		break;
	default:
		ret.on = way_out(cache, last->pc, stretch->next);
		break;
	}
	return ret;
}

/* The last instruction of a block, or a way on from it. */
static bool emit_end(struct eng_cache *cache, struct eng_emit *emit, const struct stretch *stretch,
	const struct ways *ways, size_t block)
{
	enum { LOOP_SIZE = 2, JCC_SIZE = 6 };
	const struct item *last = &stretch->items[stretch->count - 1];
	size_t index = stretch->count - 1;
	xs_addr behind = last->pc + last->insn.length;
	xs_addr target = eng_insn_target(&last->insn, last->pc);
	switch (last->insn.kind) {
	case ENG_INSN_CONDITIONAL: {
		bool loops = last->insn.condition >= 0x10;
		xs_addr at = eng_emit_here(emit) + (loops ? LOOP_SIZE : JCC_SIZE);
		eng_cache_add_point(cache, at, ENG_POINT_TO, ENG_SAVED_NONE, 0,
			eng_cache_pair(cache, last->pc, behind), 0);
		if (loops)
			eng_cache_add_point(cache, at + 5, ENG_POINT_TO, ENG_SAVED_NONE, 0,
				eng_cache_pair(cache, last->pc, target), 0);
		eng_emit_branch(emit, last->insn.condition, ways->jump, ways->on);
		return true;
	}
	case ENG_INSN_CALL:
		eng_emit_push(emit, ways->from);
		eng_cache_add_point(cache, eng_emit_here(emit), ENG_POINT_TO, ENG_SAVED_NONE, 0,
			eng_cache_pair(cache, last->pc, target), 0);
		eng_emit_jmp(emit, ways->jump);
		return true;
	case ENG_INSN_JUMP:
		eng_emit_jmp(emit, ways->jump);
		return true;
	case ENG_INSN_INDIRECT_JUMP:
	case ENG_INSN_INDIRECT_CALL:
	case ENG_INSN_RETURN:
		return emit_indirect(cache, emit, last, block, index);
	default:
		eng_cache_add_point(cache, eng_emit_here(emit), ENG_POINT_TO, ENG_SAVED_NONE, 0,
			eng_cache_pair(cache, last->pc, stretch->next), 0);
		eng_emit_jmp(emit, ways->on);
		return true;
	}
}

/* What comes before a block's own code. */
static void emit_begin(
	struct eng_cache *cache, struct eng_emit *emit, struct eng_cache_block *block, size_t index)
{
	enum { TO_TRAP = -(8 + 22 + 1) };
	if (block->count < 2) {
		block->saved = eng_emit_here(emit);
		eng_cache_add_point(
			cache, block->saved, ENG_POINT_ENTER, ENG_SAVED_RCX, 0, index, 0);
		eng_emit_load(emit, ENG_EMIT_RCX, ENG_CACHE_DATA(cache, rcx));
		block->full = block->body = eng_emit_here(emit);
		return;
	}
	eng_cache_add_point(cache, eng_emit_here(emit), ENG_POINT_DUE, ENG_SAVED_RCX, 0, index, 0);
	eng_emit_int3(emit);
	block->full = eng_emit_here(emit);
	eng_cache_add_point(cache, block->full, ENG_POINT_ENTER, ENG_SAVED_NONE, 0, index, 0);
	eng_emit_store(emit, ENG_EMIT_RCX, ENG_CACHE_DATA(cache, rcx));
	block->saved = eng_emit_here(emit);
	eng_cache_add_point(cache, block->saved, ENG_POINT_ENTER, ENG_SAVED_RCX, 0, index, 0);
	eng_cache_emit_count(
		emit, eng_cache_element(ENG_CACHE_DATA(cache, blocks), index), TO_TRAP);
	eng_cache_add_point(
		cache, eng_emit_here(emit) - 2, ENG_POINT_ENTERED, ENG_SAVED_RCX, 0, index, 0);
	eng_emit_load(emit, ENG_EMIT_RCX, ENG_CACHE_DATA(cache, rcx));
	block->body = eng_emit_here(emit);
}

/* An instruction that must be stepped. */
static void make_special(struct eng_cache *cache, struct eng_cache_block *block, size_t index)
{
	struct eng_emit emit;
	eng_cache_begin(cache, &emit);
	emit_begin(cache, &emit, block, index);
	eng_cache_add_point(
		cache, eng_emit_here(&emit), ENG_POINT_SPECIAL, ENG_SAVED_NONE, 0, index, 0);
	eng_emit_int3(&emit);
	eng_cache_end(cache, &emit);
	block->special = true;
}

static void make_block(struct eng_cache *cache, const struct stretch *stretch,
	struct eng_cache_block *block, size_t index)
{
	struct eng_emit emit;
	struct ways ways = find_ways(cache, stretch);
	bool fits = true;
	eng_cache_begin(cache, &emit);
	block->count = stretch->count;
	emit_begin(cache, &emit, block, index);
	for (uint32_t i = 0; i < stretch->count; i++) {
		const struct item *item = &stretch->items[i];
		struct eng_cache_insn insn = {.pc = item->pc, .copy = eng_emit_here(&emit)};
		if (i) {
			insn.counter =
				eng_trace_counter(cache->trace, stretch->items[i - 1].pc, item->pc);
			eng_cache_own(cache, insn.counter, (uint32_t)(2 * index + 2));
		}
		xs_vec_push(&cache->insns, insn);
		*xs_map_at(&cache->insn_at, item->pc, 0) = index << 16 | (i + 1);
		eng_cache_add_point(cache, insn.copy, ENG_POINT_BODY, ENG_SAVED_NONE, 0, index, i);
		if (!is_branch(&item->insn))
			fits &= eng_emit_copy(&emit, item->code, &item->insn, item->pc);
	}
	fits &= emit_end(cache, &emit, stretch, &ways, index);
	eng_cache_end(cache, &emit);
	if (!fits)
		cache->unfit = "the program's code refers to what is too far away";
}

/* An instruction in the midst of a block becomes an entry: the block ends before it. */
static void split(struct eng_cache *cache, size_t index, uint32_t at)
{
	struct eng_cache_block *block = &cache->blocks.data[index];
	struct eng_cache_insn *insns = cache->insns.data + block->first;
	eng_cache_settle_block(cache, index);
	for (uint32_t i = at; i < block->count; i++) {
		eng_cache_own(cache, insns[i].counter, 0);
		*xs_map_at(&cache->insn_at, insns[i].pc, 0) = 0;
	}
	block->count = at;
	eng_cache_settle_block(cache, index);
	size_t edge = eng_cache_edge(cache, insns[at - 1].pc, insns[at].pc);
	eng_cache_patch(cache, insns[at].copy, cache->edges.data[edge].full);
}

struct xs_error *eng_cache_block(struct eng_cache *cache, xs_addr pc, size_t *ret)
{
	uint64_t *known = xs_map_at(&cache->block_at, pc, 0);
	struct stretch stretch;
	struct xs_error *err;
	if (*known) {
		*ret = *known - 1;
		return NULL;
	}
	const uint64_t *inside = xs_map_find(&cache->insn_at, pc, 0);
	if (inside && *inside)
		split(cache, *inside >> 16, (uint32_t)(*inside & 0xffff) - 1);
	if ((err = find_stretch(cache, pc, &stretch)))
		return err;
	size_t index = cache->blocks.len;
	*xs_map_at(&cache->block_at, pc, 0) = index + 1;
	struct eng_cache_block block = {
		.entry = pc, .first = (uint32_t)cache->insns.len, .count = 1};
	xs_vec_push(&cache->blocks, block);
	xs_vec_push(&cache->weights, 0);
	if (stretch.count)
		make_block(cache, &stretch, &block, index);
	else
		make_special(cache, &block, index);
	block.armed = cache->data->blocks[index] = 0;
	cache->blocks.data[index] = block;
	eng_cache_settle_block(cache, index);
	if (cache->blocks.len >= ENG_CACHE_BLOCKS - ENG_CACHE_SPARE)
		cache->full = true;
	*ret = index;
	return NULL;
}
