#include "dwarf/enclosing.h"

#include <dwarf.h>

enum { LEVELS_MAX = 64 }; /* of functions inside each other that links are followed through */

/* The function that is immediately around one. */
static const struct di_block *enclosing(struct di_module *module, const struct di_block *function)
{
	const struct di_block *block = di_nested_around(module, function);
	while (block && block->kind != DI_BLOCK_FUNCTION)
		block = block->outer;
	return block;
}

static const char *name_of(const struct di_block *function)
{
	return function->name ? function->name : "a function without a name";
}

/* What the static link of a frame's function comes to. */
static struct xs_error *eval_link(struct di_context *at, const struct di_block *root,
	const struct di_block *around, xs_addr *ret, struct di_answer *answer)
{
	Dwarf_Die die = root->die;
	struct di_place place;
	struct di_value value;
	struct xs_error *err;
	di_place_select(root->unit, &die, DW_AT_static_link,
		at->stack->frames.data[at->frame].lookup, &place, NULL, NULL);
	if (place.kind == DI_PLACE_BAD)
		di_answer_none(answer, DI_ANSWER_ERROR, &place.why);
	else if (place.kind != DI_PLACE_EXPR)
		di_answer_error(answer, DI_WHY_STATIC_LINK_MISSING,
			.text = {name_of(root), name_of(around)});
	if (answer->state != DI_ANSWER_KNOWN)
		return NULL;
	if ((err = di_context_value(at, &place.expr, NULL, &value, answer)))
		return err;
	if (answer->state != DI_ANSWER_KNOWN) {
		di_answer_within(answer,
			&(struct di_within){.kind = DI_WITHIN_PART, .name = "the static link"});
		return NULL;
	}
	*ret = di_value_u64(&value);
	return NULL;
}

/* The one call of a function in a frame, if there is just one. */
static size_t calls_in(
	const struct di_context *at, const struct di_block *wanted, struct di_instance *ret)
{
	const struct di_frame *frame = &at->stack->frames.data[at->frame];
	const struct di_scopes *scopes = di_scopes_at(frame->mapping->module, frame->lookup);
	size_t count = 0;
	for (unsigned i = 0; i < scopes->activations.len; i++) {
		const struct di_block *function = scopes->activations.data[i].function;
		if (!di_nested_is_same(&function->die, &wanted->die))
			continue;
		*ret = (struct di_instance){at->frame, function, scopes, i};
		count++;
	}
	return count;
}

/* Follows the static link of the out-of-line function of a frame. */
static struct xs_error *follow(struct di_context *context, const struct di_block *root,
	struct di_instance *at, struct di_answer *answer)
{
	struct di_context from, frame;
	struct di_answer ignored;
	xs_addr link = 0, base;
	struct xs_error *err;
	di_context_init(&from, context->target, context->stack, at->frame);
	const struct di_block *around = enclosing(from.mapping->module, root);
	if ((err = eval_link(&from, root, around, &link, answer)) ||
		answer->state != DI_ANSWER_KNOWN)
		return err;
	for (size_t i = at->frame + 1; i < context->stack->frames.len; i++) {
		if (!context->stack->frames.data[i].mapping)
			continue;
		di_context_init(&frame, context->target, context->stack, i);
		di_answer_known(&ignored);
		if ((err = frame.expr.frame_base(&frame, NULL, &base, &ignored)))
			return err;
		if (ignored.state != DI_ANSWER_KNOWN || base != link)
			continue;
		size_t count = calls_in(&frame, around, at);
		if (!count)
			break;
		if (count > 1)
			di_answer_error(answer, DI_WHY_STATIC_LINK_SEVERAL,
				.text = {name_of(root), name_of(around)});
		else
			di_context_note(context,
				"static link of %s: 0x%" PRIx64 ", the frame base of %s",
				name_of(root), link, name_of(around));
		return NULL;
	}
	di_answer_error(answer, DI_WHY_STATIC_LINK_NOWHERE,
		.text = {name_of(root), name_of(around)}, .number = {link});
	return NULL;
}

/* Goes from a call to the one of `wanted`, a function around it. */
static struct xs_error *climb(struct di_context *context, const struct di_block *wanted,
	struct di_instance *at, struct di_answer *answer)
{
	for (unsigned i = 0; i < LEVELS_MAX; i++) {
		const struct di_block *block = at->block;
		for (unsigned k = at->activation; block->outer;) {
			block = block->outer;
			k += block->kind != DI_BLOCK_LEXICAL;
			if (block->kind == DI_BLOCK_LEXICAL ||
				!di_nested_is_same(&block->die, &wanted->die))
				continue;
			at->block = block;
			at->activation = k;
			return NULL;
		}
		struct di_module *module = context->stack->frames.data[at->frame].mapping->module;
		if (!enclosing(module, block)) {
			di_answer_error(answer, DI_WHY_STATIC_LINK_MISSING,
				.text = {name_of(block), name_of(wanted)});
			return NULL;
		}
		struct xs_error *err = follow(context, block, at, answer);
		if (err || answer->state != DI_ANSWER_KNOWN ||
			di_nested_is_same(&at->block->die, &wanted->die))
			return err;
	}
	di_answer_error(answer, DI_WHY_NESTED_TOO_DEEPLY);
	return NULL;
}

struct xs_error *di_enclosing_find(struct di_context *context, unsigned activation, unsigned level,
	struct di_instance *ret, struct di_answer *answer)
{
	struct xs_error *err = NULL;
	if (context->stack->end == DI_STACK_ASKED &&
		(err = di_stack_walk(context->target, context->stack)))
		return err;
	const struct di_frame *frame = &context->stack->frames.data[context->frame];
	struct di_module *module = frame->mapping->module;
	const struct di_scopes *scopes = di_scopes_at(module, frame->lookup);
	*ret = (struct di_instance){
		context->frame, scopes->activations.data[activation].function, scopes, activation};
	const struct di_block *block = di_nested_around(module, ret->block);
	for (; block && level && !err && answer->state == DI_ANSWER_KNOWN; block = block->outer) {
		if (block->kind != DI_BLOCK_FUNCTION)
			continue;
		err = climb(context, block, ret, answer);
		level--;
	}
	return err;
}

static const struct di_variable *search(
	const struct di_block *block, xs_addr pc, const struct di_variable *wanted)
{
	const struct di_variable *found = NULL;
	for (size_t i = 0; i < block->variables.len && !found; i++)
		if (di_nested_is_same(&block->variables.data[i].die, &wanted->die))
			found = &block->variables.data[i];
	/* A block may be there several times; the one that runs counts. */
	for (size_t i = 0; i < block->inner.len; i++) {
		const struct di_block *inner = block->inner.data[i];
		if (inner->kind != DI_BLOCK_LEXICAL ||
			(found && !xs_ranges_find(&inner->ranges, pc)))
			continue;
		const struct di_variable *deeper = search(inner, pc, wanted);
		found = deeper ? deeper : found;
	}
	return found;
}

const struct di_variable *di_enclosing_variable(
	const struct di_instance *instance, const struct di_variable *wanted)
{
	return search(instance->block, instance->scopes->pc, wanted);
}
