/* verdict_frames.c - whether a backtrace that is not xstep's is wrong, and why.
 *
 * Rules:
 * 1. Nobody has to show a frame that a tail call left no trace of. One that is shown must be on
 *    every way of tail calls that the call sites leave open, from the call to the function that
 *    runs.
 * 2. At an instruction that begins a stretch of an inlined call, the call may be shown or not.
 * 3. What the DWARF has no function of (labels, libraries) is not looked at. */
#include "dwarf/tailcall.h"
#include "oracle/judge/verdict.h"

enum { NAMES_MAX = 16 };

/* Frames of one physical frame, by their numbers in the difference: inlined calls, then the
 * function. */
struct group {
	size_t first, last;
	xs_addr pc; /* for lookups; XS_ADDR_NONE: unknown */
};

static void find_group(const struct ora_difference *difference, size_t at, struct group *ret)
{
	ret->first = ret->last = at;
	ret->pc = XS_ADDR_NONE;
	while (ret->first && difference->frames.data[ret->first - 1].inlined)
		ret->first--;
	while (difference->frames.data[ret->last].inlined && ret->last + 1 < difference->frames.len)
		ret->last++;
	/* A call's own instruction is before the return address. */
	for (size_t i = ret->first; i <= ret->last; i++)
		if (difference->frames.data[i].pc != XS_ADDR_NONE)
			ret->pc = difference->frames.data[i].pc - 1;
	if (!ret->first)
		ret->pc = difference->module ? XS_ADDR_NONE : difference->pc;
}

/* Why a witness does not show frames of a group; *fair if it need not. */
static const struct ora_rule *explain_lack(
	struct di_module *module, const struct group *group, bool *fair)
{
	static const struct ora_rule split = {"split-function",
		"knows no function whose code is in several stretches, nor what is inlined into it",
		"2.17.3"};
	static const struct ora_rule empty = {"empty-scope-range",
		"does not ignore an empty range of an inlined call and then finds the wrong frames",
		"2.17.3"};
	uint64_t set = group->pc == XS_ADDR_NONE ? 0 : di_features_of_frame(module, group->pc);
	*fair = !group->first && DI_HAS(set, INLINED_ENTRY);
	return DI_HAS(set, SPLIT_FUNCTION)      ? &split
	       : DI_HAS(set, EMPTY_SCOPE_RANGE) ? &empty
						: NULL;
}

/* Whether frames that a witness adds in front of the leader's frame `outside` are proven; else the
 * rule that explains them, or NULL. */
static bool is_proven(struct di_module *module, const struct ora_difference *difference, size_t w,
	size_t outside, const struct ora_rule **rule)
{
	static const struct ora_rule inlined = {"tail-call-inlined",
		"shows the inlined call that a tail call is in, and not the function around it",
		"3.4"};
	static const struct ora_rule guess = {"tail-call-guess",
		"shows functions that tail calls need not have led through", "3.4"};
	const char *names[NAMES_MAX];
	size_t count = 0;
	struct group inner, outer;
	for (size_t i = 0; i < difference->added.len; i++) {
		const struct ora_frame_added *one = &difference->added.data[i];
		const struct di_function *known =
			di_functions_named(&module->functions, one->function);
		if (one->trace != w || one->outside != outside || !known || known->symbol)
			continue;
		if (count == NAMES_MAX)
			return false;
		names[count++] = one->function;
	}
	*rule = NULL;
	if (!count)
		return true;
	if (!outside || outside >= difference->frames.len)
		return false;
	find_group(difference, outside - 1, &inner);
	find_group(difference, outside, &outer);
	const struct di_function *running =
		inner.pc == XS_ADDR_NONE ? NULL
					 : di_functions_find_debug(&module->functions, inner.pc);
	if (!running || inner.last != outside - 1 || outer.pc == XS_ADDR_NONE)
		return false;
	*rule = &guess;
	if (di_tail_led_through(module, outer.pc + 1, running->entry, names, count))
		return true;
	if (di_tail_named_by_inlined(module, outer.pc + 1, running->entry, names, count))
		*rule = &inlined;
	return false;
}

bool ora_frames_fair(struct di_module *module, const struct ora_difference *difference, size_t w,
	const struct ora_rule **rule)
{
	bool fair = true;
	*rule = NULL;
	for (size_t i = 0; i < difference->frames.len; i++) {
		struct group group;
		bool may;
		if (!(difference->frames.data[i].lack >> w & 1))
			continue;
		find_group(difference, i, &group);
		const struct ora_rule *why = explain_lack(module, &group, &may);
		/* All of a function is more than the border of an inlined call. */
		if (may && difference->frames.data[i].inlined)
			continue;
		fair = false;
		*rule = why;
		if (!why)
			return false;
	}
	for (size_t i = 0; i < difference->added.len; i++) {
		const struct ora_frame_added *one = &difference->added.data[i];
		const struct ora_rule *why = NULL;
		if (one->trace != w || is_proven(module, difference, w, one->outside, &why))
			continue;
		*rule = why;
		fair = false;
		if (!why)
			return false;
	}
	return fair;
}
