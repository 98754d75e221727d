#include "dwarf/function.h"

#include "base/search.h"
#include "dwarf/line.h"

void di_functions_destroy(struct di_functions *functions)
{
	if (!functions)
		return;
	for (size_t i = 0; i < functions->list.len; i++)
		free(functions->list.data[i]);
	xs_vec_deinit(&functions->list);
	xs_vec_deinit(&functions->debug_ranges);
	xs_vec_deinit(&functions->symbol_ranges);
	xs_vec_deinit(&functions->units);
	xs_vec_deinit(&functions->unit_ranges);
	xs_vec_deinit(&functions->ordered.vec);
	xs_map_deinit(&functions->named);
	free(functions);
}

/* The last of count ranges, sorted by lo, that begins at or before pc and holds it; NULL if none.
 */
static const struct di_function_range *find_range(
	const struct di_function_range *ranges, size_t count, xs_addr pc)
{
	size_t i;
	xs_search(i, 0, count, ranges[i].lo <= pc);
	for (; i > 0 && ranges[i - 1].reach > pc; i--)
		if (ranges[i - 1].hi > pc)
			return &ranges[i - 1];
	return NULL;
}

static const struct di_function_range *find_read(const struct di_functions *functions, xs_addr pc)
{
	return find_range(functions->debug_ranges.data, functions->debug_ranges.len, pc);
}

static const struct di_function_range *find_debug(struct di_functions *functions, xs_addr pc)
{
	const struct di_function_range *range;
	di_functions_read_at(functions, pc);
	if ((range = find_read(functions, pc)) || functions->all_read)
		return range;
	di_functions_read_unplaced(functions);
	if ((range = find_read(functions, pc)) || !di_lines_find(functions->lines, pc))
		return range;
	di_functions_read_all(functions);
	return find_read(functions, pc);
}

const struct di_function *di_functions_find_debug(struct di_functions *functions, xs_addr pc)
{
	const struct di_function_range *range = find_debug(functions, pc);
	return range ? range->function : NULL;
}

const struct di_function_range *di_functions_stretch(struct di_functions *functions, xs_addr pc)
{
	const struct di_function_range *range = find_debug(functions, pc);
	return range ? range
		     : find_range(functions->symbol_ranges.data, functions->symbol_ranges.len, pc);
}

const struct di_function *di_functions_find(struct di_functions *functions, xs_addr pc)
{
	const struct di_function_range *range = di_functions_stretch(functions, pc);
	return range ? range->function : NULL;
}

static int by_order(const void *a, const void *b)
{
	const struct di_function *x = *(struct di_function *const *)a;
	const struct di_function *y = *(struct di_function *const *)b;
	return (x->order > y->order) - (x->order < y->order);
}

const struct di_function_list *di_functions_all(struct di_functions *functions)
{
	struct di_function_list *ordered = &functions->ordered;
	di_functions_read_all(functions);
	if (ordered->vec.len)
		return ordered;
	for (size_t i = 0; i < functions->list.len; i++)
		xs_vec_push(&ordered->vec, functions->list.data[i]);
	if (ordered->vec.len)
		qsort(ordered->vec.data, ordered->vec.len, sizeof *ordered->vec.data, by_order);
	return ordered;
}

const struct di_function_range *di_functions_ranges(struct di_functions *functions, size_t *count)
{
	di_functions_read_all(functions);
	*count = functions->debug_ranges.len;
	return functions->debug_ranges.data;
}

const struct di_function_range *di_functions_symbols(
	const struct di_functions *functions, size_t *count)
{
	*count = functions->symbol_ranges.len;
	return functions->symbol_ranges.data;
}

bool di_functions_complete(const struct di_functions *functions)
{
	return functions->complete;
}
