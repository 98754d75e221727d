#include "dwarf/answer.h"

#include <string.h>

#include "base/addr.h"
#include "base/map.h"

bool di_answer_none(struct di_answer *ret, enum di_answer_state state, const struct di_why *why)
{
	ret->state = state;
	ret->depth = 0;
	ret->why = *why;
	return false;
}

bool di_answer_within(struct di_answer *ret, const struct di_within *within)
{
	if (ret->depth == DI_WITHIN_MAX) {
		ret->depth--;
		memmove(ret->within, ret->within + 1, ret->depth * sizeof *ret->within);
	}
	ret->within[ret->depth++] = *within;
	return false;
}

void di_answer_copy(struct di_answer *ret, const struct di_answer *from)
{
	if (from->why.code == DI_WHY_NONE) {
		di_answer_known(ret);
		ret->state = from->state;
		return;
	}
	memmove(ret, from, offsetof(struct di_answer, within) + from->depth * sizeof *from->within);
}

uint64_t di_answer_hash(const struct di_answer *answer)
{
	const struct di_why *why = &answer->why;
	uint64_t sum = xs_mix((uint64_t)answer->state << 32 | why->code);
	if (why->code == DI_WHY_NONE)
		return sum;
	for (size_t i = 0; i < DI_WHY_NUMBERS; i++)
		sum = xs_mix(sum ^ why->number[i]);
	for (size_t i = 0; i < DI_WHY_TEXTS; i++)
		sum = xs_mix(sum ^ (uintptr_t)why->text[i]);
	for (size_t i = 0; i < DI_WIDE_LIMBS; i++)
		sum = xs_mix(sum ^ why->wide.limb[i]);
	for (size_t i = 0; i < answer->depth; i++) {
		const struct di_within *within = &answer->within[i];
		/* Each by itself: an expression's offset and its bytes go up together, and would
		 * cancel each other. */
		const uint64_t parts[] = {within->kind, (uintptr_t)within->name,
			(uintptr_t)within->other, within->offset, (uintptr_t)within->data,
			within->size, within->at, within->die_base};
		for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
			sum = xs_mix(sum ^ parts[k]);
	}
	return xs_mix(sum);
}
