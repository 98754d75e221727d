#include "dwarf/arrival.h"

#include "dwarf/unit.h"

/* Whether `file` is path or the end of it, whole components only. */
static bool names(const char *path, const char *file)
{
	size_t length = strlen(path), tail = strlen(file);
	return length >= tail && !strcmp(path + length - tail, file) &&
	       (length == tail || path[length - tail - 1] == '/');
}

static const char *file_of_main(const struct di_module *module)
{
	const struct di_function *function = di_functions_named(module->functions, "main");
	const struct di_row *row = function ? di_lines_find(&module->lines, function->entry) : NULL;
	return row ? di_lines_file(&module->lines, row) : NULL;
}

static bool is_optimised(struct di_module *module, xs_addr entry)
{
	const struct di_function *function = di_functions_find_debug(module->functions, entry);
	if (!function)
		return false;
	Dwarf_Die die = function->die;
	return di_unit_is_optimised(di_unit_of(module, &die));
}

/* Rule 2: the address behind the prologue of the function that begins at rows[i]. */
static xs_addr behind_prologue(
	struct di_module *module, const struct di_sequence *sequence, size_t i)
{
	const struct di_row *rows = module->lines.rows.data;
	xs_addr entry = rows[i].address, second = 0;
	uint32_t file = rows[i].file;
	for (size_t j = i; j + 1 < sequence->end; j++) {
		if (rows[j].prologue_end)
			return rows[j].address;
		if (rows[j].address > entry && !second && rows[j].file == file)
			second = rows[j].address;
		/* clang marks the end of every prologue near its begin; gcc never. */
		if (j > i + 16)
			break;
	}
	return second && !is_optimised(module, entry) ? second : entry;
}

xs_addr di_arrival_behind_prologue(struct di_module *module, xs_addr entry)
{
	const struct di_lines *lines = &module->lines;
	const struct di_row *row = di_lines_find(lines, entry);
	if (!row || row->address != entry)
		return entry;
	size_t i = (size_t)(row - lines->rows.data);
	for (size_t s = 0; s < lines->sequences.len; s++) {
		const struct di_sequence *sequence = &lines->sequences.data[s];
		if (i < sequence->first || i >= sequence->end)
			continue;
		while (i > sequence->first && lines->rows.data[i - 1].address == entry)
			i--;
		return behind_prologue(module, sequence, i);
	}
	return entry;
}

static bool begins_function(const struct di_module *module, xs_addr address)
{
	const struct di_function *function = di_functions_find_debug(module->functions, address);
	return function && function->entry == address;
}

/* Adds the beginning of the run [first, end) of rows. */
static void add_run(struct di_module *module, const struct di_sequence *sequence, size_t first,
	size_t end, bool any, struct di_arrivals *ret)
{
	const struct di_row *rows = module->lines.rows.data;
	size_t i = first;
	while (!any && i < end && !rows[i].is_stmt)
		i++;
	if (i == end)
		return;
	xs_addr address = rows[i].address;
	if (begins_function(module, address))
		address = behind_prologue(module, sequence, i);
	xs_ranges_add(&ret->addresses, address, address + 1);
}

static void find_runs(struct di_module *module, const char *file, uint32_t line, bool any,
	struct di_arrivals *ret)
{
	const struct di_lines *lines = &module->lines;
	for (size_t s = 0; s < lines->sequences.len; s++) {
		const struct di_sequence *sequence = &lines->sequences.data[s];
		if (!di_lines_know(lines, sequence, names, file))
			continue;
		di_lines_keep(lines, sequence);
		for (size_t i = sequence->first; i + 1 < sequence->end;) {
			const struct di_row *row = &lines->rows.data[i];
			const char *path = di_lines_file(lines, row);
			bool here = path && names(path, file);
			size_t end = i + 1;
			while (end + 1 < sequence->end && lines->rows.data[end].line == row->line &&
				lines->rows.data[end].file == row->file)
				end++;
			if (here && row->line == line)
				add_run(module, sequence, i, end, any, ret);
			if (here && row->line > line && (!ret->next || row->line < ret->next))
				ret->next = row->line;
			i = end;
		}
	}
	xs_ranges_normalise(&ret->addresses);
}

void di_arrivals_find(
	struct di_module *module, const char *file, uint32_t line, struct di_arrivals *ret)
{
	*ret = (struct di_arrivals){0};
	if (!file && !(file = file_of_main(module)))
		return;
	find_runs(module, file, line, false, ret);
	if (ret->addresses.vec.len)
		return;
	find_runs(module, file, line, true, ret);
	ret->approximate = ret->addresses.vec.len;
}

void di_arrivals_deinit(struct di_arrivals *arrivals)
{
	xs_ranges_deinit(&arrivals->addresses);
}

bool di_arrivals_know_file(const struct di_module *module, const char *file)
{
	for (size_t i = 0; i < module->lines.files.len; i++)
		if (names(module->lines.files.data[i], file))
			return true;
	return false;
}
