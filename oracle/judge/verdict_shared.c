/* verdict_shared.c - code that has several names, or belongs to several functions.
 *
 * A linker that folds equal functions into one (--icf) leaves one address with the lines, the
 * variables and the names of several, and an assembler may give one function many names. Which of
 * them a debugger shows is its own choice. */
#include "oracle/judge/verdict.h"

static bool is_in(xs_addr pc, xs_addr lo, xs_addr hi)
{
	return pc >= lo && pc < hi;
}

static bool has_several_functions(struct di_functions *functions, xs_addr pc)
{
	size_t count = 0, all;
	const struct di_function_range *ranges = di_functions_ranges(functions, &all);
	for (size_t i = 0; i < all; i++)
		count += is_in(pc, ranges[i].lo, ranges[i].hi);
	return count > 1;
}

static bool has_several_lines(const struct di_lines *lines, xs_addr pc)
{
	size_t count = 0;
	for (size_t i = 0; i < lines->sequences.len; i++)
		count += is_in(pc, lines->sequences.data[i].lo, lines->sequences.data[i].hi);
	return count > 1;
}

bool ora_shared_is(const struct di_module *module, const struct ora_difference *difference)
{
	xs_addr pc = difference->module ? XS_ADDR_NONE : difference->pc;
	if (difference->aspect == ORA_ASPECT_VARIABLE && difference->frame)
		pc = difference->frame_module ? XS_ADDR_NONE : difference->frame_pc;
	if (pc == XS_ADDR_NONE)
		return false;
	return has_several_functions(module->functions, pc) ||
	       (difference->aspect == ORA_ASPECT_LINE && has_several_lines(&module->lines, pc));
}

bool ora_shared_names(
	const struct di_module *module, xs_addr pc, const char *one, const char *other)
{
	const struct di_function *here = di_functions_find(module->functions, pc);
	const struct di_function_list *all = di_functions_all(module->functions);
	bool has_one = false, has_other = false;
	for (size_t i = 0; here && i < all->vec.len; i++) {
		const struct di_function *function = all->vec.data[i];
		if (function->entry != here->entry)
			continue;
		has_one |= !strcmp(function->name, one);
		has_other |= !strcmp(function->name, other);
	}
	return has_one && has_other;
}
