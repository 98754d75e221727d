/* verdict_frames.c - whether a backtrace that is not xstep's is wrong, or merely another one.
 *
 * Rules:
 * 1. Frames of tail calls left no trace on the stack: whether a debugger works them out by the call
 *    sites, and which of several ways it then shows, is its own choice.
 * 2. At an instruction that begins a stretch of an inlined call, the call may be shown or not.
 * 3. What the DWARF has no function of (labels, libraries) is not looked at.
 * 4. Code may have several names: which of them is shown does not matter.
 * 5. Where xstep's own walk ends before main, the call frame information is wrong or leads nowhere:
 *    what a debugger makes of the rest is its own choice.
 * 6. Inlined calls in code that is in no unit's ranges need not be found: gcc -gstrict-dwarf has no
 *    words of DWARF 2 for a unit in two stretches, and names one of them. */
#include "dwarf/tailcall.h"
#include "dwarf/unit.h"
#include "oracle/judge/verdict.h"

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

/* Whether a witness need not show a frame of the leader's: it is at the border of an inlined
 * call. */
static bool is_border(
	struct di_module *module, const struct ora_difference *difference, size_t frame)
{
	struct group group;
	if (!difference->frames.data[frame].inlined)
		return false; /* all of a function is more than that */
	find_group(difference, frame, &group);
	uint64_t set = group.pc == XS_ADDR_NONE ? 0 : di_features_of_frame(module, group.pc);
	return !group.first && DI_HAS(set, INLINED_ENTRY);
}

size_t ora_frames_at_border(struct di_module *module, const struct ora_difference *difference)
{
	size_t count = 0;
	while (count < difference->frames.len && is_border(module, difference, count))
		count++;
	return count < difference->frames.len ? count : 0;
}

/* Whether a frame of the leader's is an inlined call in code that no unit says to have. */
static bool is_unclaimed(
	struct di_module *module, const struct ora_difference *difference, size_t frame)
{
	struct group group;
	if (!difference->frames.data[frame].inlined)
		return false;
	find_group(difference, frame, &group);
	return group.pc != XS_ADDR_NONE && !di_unit_claims(module, group.pc);
}

/* Whether a frame that a witness adds stands for a tail call: the debugger says so, or the call
 * sites lead through that function from the frame outside to the one inside. */
static bool is_tail_call(struct di_module *module, const struct ora_difference *difference,
	const struct ora_frame_added *added)
{
	struct group inner, outer;
	const char *name = added->function;
	size_t outside = added->outside;
	if (added->tail)
		return true;
	if (!outside || outside >= difference->frames.len)
		return false;
	find_group(difference, outside - 1, &inner);
	find_group(difference, outside, &outer);
	const struct di_function *running =
		inner.pc == XS_ADDR_NONE ? NULL
					 : di_functions_find_debug(module->functions, inner.pc);
	if (!running || inner.last != outside - 1 || outer.pc == XS_ADDR_NONE)
		return false;
	return di_tail_led_through(module, outer.pc + 1, running->entry, &name, 1) ||
	       di_tail_named_by_inlined(module, outer.pc + 1, running->entry, &name, 1);
}

/* Whether a frame that a witness adds is behind the end of a walk that did not come to main. */
static bool is_behind_the_end(
	const struct ora_difference *difference, const struct ora_frame_added *added)
{
	size_t count = difference->frames.len;
	const char *last = count ? difference->frames.data[count - 1].function : NULL;
	return added->outside >= count && (!last || strcmp(last, "main") != 0);
}

/* Whether a frame of the leader's is one that a witness adds, under another name of its code. */
static bool is_renamed(struct di_module *module, const struct ora_difference *difference,
	size_t frame, const struct ora_frame_added *added)
{
	struct group group;
	const char *name = difference->frames.data[frame].function;
	find_group(difference, frame, &group);
	return name && group.pc != XS_ADDR_NONE &&
	       ora_shared_names(module, group.pc, name, added->function);
}

/* Whether a frame that a witness lacks is among those that it adds. */
static bool is_shown_renamed(
	struct di_module *module, const struct ora_difference *difference, size_t frame, size_t w)
{
	for (size_t i = 0; i < difference->added.len; i++)
		if (difference->added.data[i].trace == w &&
			is_renamed(module, difference, frame, &difference->added.data[i]))
			return true;
	return false;
}

/* Whether a frame that a witness adds is one that it lacks. */
static bool is_lacking_renamed(struct di_module *module, const struct ora_difference *difference,
	const struct ora_frame_added *added)
{
	for (size_t i = 0; i < difference->frames.len; i++)
		if (difference->frames.data[i].lack >> added->trace & 1 &&
			is_renamed(module, difference, i, added))
			return true;
	return false;
}

enum ora_contest ora_frames_contest(
	struct di_module *module, const struct ora_difference *difference, size_t w)
{
	enum ora_contest found = ORA_CONTEST_INLINED;
	for (size_t i = 0; i < difference->frames.len; i++) {
		if (!(difference->frames.data[i].lack >> w & 1) || is_border(module, difference, i))
			continue;
		bool renamed = is_shown_renamed(module, difference, i, w);
		if (!renamed && !is_unclaimed(module, difference, i))
			return ORA_CONTEST_NONE;
		found = renamed ? ORA_CONTEST_SHARED : ORA_CONTEST_UNCLAIMED;
	}
	for (size_t i = 0; i < difference->added.len; i++) {
		const struct ora_frame_added *one = &difference->added.data[i];
		const struct di_function *known =
			di_functions_named(module->functions, one->function);
		if (one->trace != w || !known || known->symbol ||
			is_lacking_renamed(module, difference, one))
			continue;
		if (is_behind_the_end(difference, one))
			found = ORA_CONTEST_UNFINISHED;
		else if (is_tail_call(module, difference, one))
			found = found == ORA_CONTEST_INLINED ? ORA_CONTEST_TAIL_CALL : found;
		else
			return ORA_CONTEST_NONE;
	}
	return found;
}
