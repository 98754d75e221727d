#include "dwarf/function.h"

#include "base/nearest.h"
#include "base/search.h"

void di_functions_deinit(struct di_functions *functions)
{
	for (size_t i = 0; i < functions->list.len; i++)
		free(functions->list.data[i].name);
	xs_vec_deinit(&functions->list);
	xs_vec_deinit(&functions->debug_ranges);
	xs_vec_deinit(&functions->symbol_ranges);
}

/* The last of count ranges, sorted by lo, that begins at or before pc and holds it; NULL if none.
 */
static const struct di_function_range *find_range(
	const struct di_function_range *ranges, size_t count, xs_addr pc)
{
	size_t i;
	xs_search(i, 0, count, ranges[i].lo <= pc);
	while (i > 0 && ranges[i - 1].hi <= pc)
		i--;
	return i ? &ranges[i - 1] : NULL;
}

const struct di_function *di_functions_find_debug(const struct di_functions *functions, xs_addr pc)
{
	const struct di_function_range *range =
		find_range(functions->debug_ranges.data, functions->debug_ranges.len, pc);
	return range ? &functions->list.data[range->function] : NULL;
}

const struct di_function *di_functions_find(const struct di_functions *functions, xs_addr pc)
{
	const struct di_function_range *range =
		find_range(functions->debug_ranges.data, functions->debug_ranges.len, pc);
	if (!range)
		range = find_range(functions->symbol_ranges.data, functions->symbol_ranges.len, pc);
	return range ? &functions->list.data[range->function] : NULL;
}

const struct di_function *di_functions_named(const struct di_functions *functions, const char *name)
{
	for (size_t i = 0; i < functions->list.len; i++)
		if (!strcmp(functions->list.data[i].name, name))
			return &functions->list.data[i];
	return NULL;
}

const char *di_functions_nearest(const struct di_functions *functions, const char *name)
{
	struct xs_nearest nearest = xs_nearest_to(name);
	for (size_t i = 0; i < functions->list.len; i++)
		xs_nearest_try(&nearest, functions->list.data[i].name);
	return nearest.best;
}
