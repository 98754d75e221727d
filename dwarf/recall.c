#include "dwarf/recall.h"

enum { PART = 4096 }; /* bytes of memory compared at once */

void di_reads_begin(
	struct di_reads *reads, const struct di_context *context, const struct di_place *place)
{
	/* What is wrong with a bad place may be another thing at another pc. */
	reads->whole = place->kind != DI_PLACE_BAD;
	reads->mapping = context->mapping;
	reads->place = place->kind;
	reads->expression = place->kind == DI_PLACE_EXPR ? place->expr.data : NULL;
	reads->entry = place->entry;
	reads->lookup = XS_ADDR_NONE;
	reads->mark = context->target->mark ? context->target->mark(context->target->arg) : 0;
	reads->list.len = 0;
	reads->bytes.len = 0;
}

static bool same_memory(const struct di_target *target, xs_addr address, const uint8_t *bytes,
	size_t size, uint64_t mark)
{
	uint8_t now[PART];
	if (target->is_same && target->is_same(target->arg, address, size, mark))
		return true;
	for (size_t done = 0; done < size; done += PART) {
		size_t part = size - done < PART ? size - done : PART;
		if (!target->memory(target->arg, address + done, now, part) ||
			memcmp(now, bytes + done, part))
			return false;
	}
	return true;
}

/* Whether the machine gives this answer again. */
static bool same(
	const struct di_read *read, const uint8_t *bytes, uint64_t mark, struct di_context *context)
{
	/* Most are of memory, and most of that is what it was. */
	if (read->kind == DI_READ_MEMORY)
		return same_memory(context->target, read->what, bytes, read->size, mark);
	struct di_context caller;
	struct di_answer answer;
	struct di_wide content = {0};
	unsigned bits = 64;
	if (read->outward && !di_context_caller(context, read->outward, &caller))
		return false;
	context = read->outward ? &caller : context;
	struct xs_error *err = NULL;
	di_answer_known(&answer);
	switch (read->kind) {
	case DI_READ_MEMORY:
		break;
	case DI_READ_REGISTER:
		err = context->expr.reg(context, read->what, &content, &bits, &answer);
		break;
	case DI_READ_FRAME_BASE:
		err = context->expr.frame_base(context, NULL, &content.limb[0], &answer);
		break;
	case DI_READ_CFA:
		err = context->expr.cfa(context, &content.limb[0], &answer);
		break;
	case DI_READ_PC:
		content.limb[0] = context->stack->frames.data[context->frame].pc;
		break;
	case DI_READ_FUNCTION:
		content.limb[0] = context->function ? context->function->entry : 0;
		break;
	}
	if (!err && !read->size)
		return answer.state == DI_ANSWER_OPTIMIZED_OUT;
	bool known = !err && answer.state == DI_ANSWER_KNOWN && bits == read->size * 8;
	xs_error_destroy(err); /* whoever looks again meets it, and passes it on */
	uint8_t now[DI_WIDE_BYTES];
	di_wide_to_bytes(content, now, read->size);
	return known && !memcmp(now, bytes, read->size);
}

bool di_reads_hold(struct di_reads *reads, struct di_context *context, const struct di_place *place)
{
	const struct di_target *target = context->target;
	if (!reads->whole || reads->mapping != context->mapping || reads->place != place->kind ||
		reads->entry != place->entry ||
		(place->kind == DI_PLACE_EXPR && reads->expression != place->expr.data) ||
		(reads->lookup != XS_ADDR_NONE &&
			reads->lookup != context->stack->frames.data[context->frame].lookup))
		return false;
	for (size_t i = 0; i < reads->list.len; i++)
		if (!same(&reads->list.data[i], reads->bytes.data + reads->list.data[i].at,
			    reads->mark, context))
			return false;
	reads->mark = target->mark ? target->mark(target->arg) : 0;
	return true;
}
