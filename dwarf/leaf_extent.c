/* What of a type's layout has to be worked out at run time. Part of leaf.h. */
#include <dwarf.h>

#include "dwarf/leaf.h"

/* Asks the host; an answer that is none says what was wanted. */
static struct xs_error *ask(const struct di_leaf_host *host, const Dwarf_Die *die, unsigned at,
	const xs_addr *object, const char *what, uint64_t *ret, struct di_answer *answer)
{
	Dwarf_Die asked = *die;
	struct di_wide number = {0};
	if (!host->number) {
		di_answer_error(answer, DI_WHY_VARIES, .text = {what});
		return NULL;
	}
	struct xs_error *err = host->number(host->arg, &asked, at, object, &number, answer);
	if (err)
		return err;
	*ret = number.limb[0];
	if (answer->state != DI_ANSWER_KNOWN)
		di_answer_within(answer, &(struct di_within){.kind = DI_WITHIN_PART, .name = what});
	return NULL;
}

struct xs_error *di_array_count(const struct di_leaf_host *host, const struct di_type *type,
	const xs_addr *object, uint64_t *ret, struct di_answer *answer)
{
	Dwarf_Die subrange = type->subrange;
	struct xs_error *err;
	uint64_t number = 0;
	di_answer_known(answer);
	*ret = type->count_known ? type->count : 0;
	if (type->count_known || !type->count_dynamic)
		return NULL;
	bool counted = dwarf_hasattr(&subrange, DW_AT_count);
	if ((err = ask(host, &subrange, counted ? DW_AT_count : DW_AT_upper_bound, object,
		     "the array's bound", &number, answer)))
		return err;
	if (answer->state == DI_ANSWER_KNOWN)
		*ret = counted ? number : number - (uint64_t)type->lower + 1;
	if ((int64_t)*ret < 0)
		*ret = 0;
	return NULL;
}

/* The size of a type in bits. */
static struct xs_error *bits_of(const struct di_leaf_host *host, const struct di_type *type,
	const xs_addr *object, uint64_t *ret, struct di_answer *answer)
{
	struct xs_error *err;
	uint64_t count, stride;
	di_answer_known(answer);
	*ret = 8 * type->size;
	if (type->size_known)
		return NULL;
	if (type->problem || (type->kind != DI_TYPE_ARRAY && type->kind != DI_TYPE_VECTOR)) {
		di_answer_error(answer, DI_WHY_SIZE_UNKNOWN, .text = {type->name});
		return NULL;
	}
	if ((err = di_array_count(host, type, object, &count, answer)) ||
		answer->state != DI_ANSWER_KNOWN ||
		(err = di_array_stride(host, type, object, &stride, answer)) ||
		answer->state != DI_ANSWER_KNOWN)
		return err;
	if (__builtin_mul_overflow(count, stride, ret))
		di_answer_error(answer, DI_WHY_TYPE_LARGE, .text = {type->name});
	return NULL;
}

struct xs_error *di_array_stride(const struct di_leaf_host *host, const struct di_type *type,
	const xs_addr *object, uint64_t *ret, struct di_answer *answer)
{
	di_answer_known(answer);
	*ret = type->bit_stride;
	if (*ret)
		return NULL;
	if (type->stride_dynamic) {
		struct xs_error *err = ask(host, &type->subrange, DW_AT_byte_stride, object,
			"the array's stride", ret, answer);
		*ret *= 8;
		return err;
	}
	return bits_of(host, type->target, object, ret, answer);
}

struct xs_error *di_array_exists(const struct di_leaf_host *host, const struct di_type *type,
	const xs_addr *object, struct di_answer *answer)
{
	static const unsigned conditions[] = {DW_AT_allocated, DW_AT_associated};
	struct xs_error *err = NULL;
	di_answer_known(answer);
	for (size_t i = 0; type->conditional && i < 2 && !err && answer->state == DI_ANSWER_KNOWN;
		i++) {
		Dwarf_Die die = type->die;
		uint64_t holds = 1;
		if (!dwarf_hasattr(&die, conditions[i]))
			continue;
		err = ask(host, &die, conditions[i], object, "whether the array is there", &holds,
			answer);
		if (!err && answer->state == DI_ANSWER_KNOWN && !holds)
			di_answer_gone(answer, DI_WHY_NOT_ALLOCATED, .number = {conditions[i]});
	}
	return err;
}

struct xs_error *di_array_data(const struct di_leaf_host *host, const struct di_type *type,
	const xs_addr *object, xs_addr *ret, struct di_answer *answer)
{
	di_answer_known(answer);
	return ask(host, &type->die, DW_AT_data_location, object, "the array's data", ret, answer);
}

struct xs_error *di_member_offset(const struct di_leaf_host *host, const struct di_member *member,
	const xs_addr *object, uint64_t *ret, struct di_answer *answer)
{
	uint64_t address = 0;
	di_answer_known(answer);
	*ret = member->bit_offset;
	if (!member->dynamic_offset)
		return NULL;
	if (!object) {
		di_answer_error(answer, DI_WHY_MEMBER_VARIES);
		return NULL;
	}
	struct xs_error *err = ask(host, &member->die, DW_AT_data_member_location, object,
		"the member's place", &address, answer);
	*ret = 8 * (address - *object);
	return err;
}
