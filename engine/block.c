#include "engine/block.h"

/* Whether any byte behind the first of the instruction at pc is trapped for another one. */
static bool covers_trap(const struct eng_traps *traps, xs_addr pc, unsigned length)
{
	for (unsigned i = 1; i < length; i++)
		if (eng_traps_has(traps, pc + i))
			return true;
	return false;
}

static bool is_part(const struct eng_block *block, xs_addr pc)
{
	for (unsigned i = 0; i < block->count; i++)
		if (block->insns[i].pc == pc)
			return true;
	return false;
}

struct xs_error *eng_blocks_at(struct eng_blocks *blocks, struct eng_tracee *tracee,
	const struct eng_traps *traps, const struct xs_ranges *ranges, xs_addr pc,
	size_t (*counter_of)(void *arg, xs_addr prev, xs_addr pc), void *arg,
	struct eng_block **ret)
{
	uint64_t *index = xs_map_at(&blocks->index, pc, eng_traps_has(traps, pc));
	struct xs_error *err;
	if (*index) {
		*ret = blocks->list.data[*index - 1];
		return NULL;
	}
	struct eng_block *block = xs_calloc(1, sizeof *block);
	block->insns = xs_calloc(ENG_BLOCK_MAX, sizeof *block->insns);
	block->entry = pc;
	for (xs_addr at = pc;;) {
		uint8_t code[ENG_INSN_MAX];
		size_t size;
		if ((err = eng_traps_read(traps, tracee, at, code, sizeof code, &size))) {
			free(block->insns);
			free(block);
			return err;
		}
		block->last = eng_insn_decode(code, size);
		block->overlaps |= covers_trap(traps, at, block->last.length);
		block->insns[block->count++].pc = at;
		xs_addr next = eng_insn_next(&block->last, at);
		if (next == XS_ADDR_NONE || block->count == ENG_BLOCK_MAX ||
			eng_traps_has(traps, at) || !xs_ranges_find(ranges, next) ||
			is_part(block, next))
			break;
		at = next;
	}
	for (unsigned i = 1; i < block->count; i++)
		block->insns[i].counter =
			counter_of(arg, block->insns[i - 1].pc, block->insns[i].pc);
	block->certain = !is_part(block, block->insns[block->count - 1].pc + 1);
	block->insns = xs_realloc(block->insns, block->count, sizeof *block->insns);
	xs_vec_push(&blocks->list, block);
	*index = blocks->list.len;
	*ret = block;
	return NULL;
}

struct eng_block *eng_blocks_find(
	const struct eng_blocks *blocks, const struct eng_traps *traps, xs_addr pc)
{
	const uint64_t *index = xs_map_find(&blocks->index, pc, eng_traps_has(traps, pc));
	return index && *index ? blocks->list.data[*index - 1] : NULL;
}

void eng_blocks_deinit(struct eng_blocks *blocks)
{
	for (size_t i = 0; i < blocks->list.len; i++) {
		free(blocks->list.data[i]->insns);
		free(blocks->list.data[i]);
	}
	xs_vec_deinit(&blocks->list);
	xs_map_deinit(&blocks->index);
}
