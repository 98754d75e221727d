/* Reads the line tables that units refer to. Part of line.h. */
#include <dwarf.h>

#include "base/log.h"
#include "base/map.h"
#include "dwarf/line_program.h"
#include "dwarf/module.h"

static int by_lo(const void *a, const void *b)
{
	const struct di_sequence *x = a, *y = b;
	return (x->lo > y->lo) - (x->lo < y->lo);
}

/* What is needed to run a program again. */
struct di_line_store {
	struct di_line_source source;
	XS_VEC(struct di_line_table) tables;
};

void di_line_store_destroy(struct di_line_store *store)
{
	if (store)
		xs_vec_deinit(&store->tables);
	free(store);
}

/* --- which rows there are --------------------------------------------------------------------- */

/* Adds what a program has: all but the rows, which are counted. */
static void add_table(struct di_lines *lines, struct di_line_table *table, struct di_lines *found)
{
	table->first = lines->rows.len;
	table->first_file = (uint32_t)lines->files.len;
	for (size_t i = 0; i < found->sequences.len; i++) {
		struct di_sequence sequence = found->sequences.data[i];
		sequence.first += table->first;
		sequence.end += table->first;
		sequence.table = lines->store->tables.len;
		if (sequence.file != DI_NO_FILE)
			sequence.file += table->first_file;
		xs_vec_push(&lines->sequences, sequence);
	}
	for (size_t i = 0; i < found->files.len; i++)
		xs_vec_push(&lines->files, found->files.data[i]);
	lines->rows.len += found->rows.len;
	table->end = lines->rows.len;
	table->end_file = (uint32_t)lines->files.len;
	xs_vec_push(&lines->store->tables, *table);
	found->rows.len = found->sequences.len = found->files.len = 0;
}

/* Runs the line table of one unit, unless another unit had it already. `found` is what the last one
 * was run in: its memory is used again. */
static struct xs_error *load_unit(
	Dwarf_Die *unit, struct xs_map *seen, struct di_lines *found, struct di_lines *lines)
{
	Dwarf_Attribute attr;
	Dwarf_Word offset;
	struct xs_error *err;
	if (!dwarf_attr(unit, DW_AT_stmt_list, &attr) || dwarf_formudata(&attr, &offset))
		return NULL;
	uint64_t *known = xs_map_at(seen, offset, 0);
	if ((*known)++)
		return NULL;
	struct di_line_table table = {.offset = offset,
		.directory = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attr))};
	if (!(err = di_line_program_run(&lines->store->source, offset, table.directory, found)))
		add_table(lines, &table, found);
	return err;
}

static void order_sequences(struct di_lines *lines)
{
	struct di_sequence *sequences = lines->sequences.data;
	if (lines->sequences.len)
		qsort(sequences, lines->sequences.len, sizeof *sequences, by_lo);
	for (size_t i = 0; i < lines->sequences.len; i++) {
		xs_addr before = i ? sequences[i - 1].reach : 0;
		sequences[i].reach = sequences[i].hi > before ? sequences[i].hi : before;
	}
}

struct xs_error *di_lines_read(
	Dwarf *dwarf, const struct di_line_source *source, struct di_lines *lines)
{
	struct xs_map seen = {0};
	struct di_lines found = {0};
	struct xs_error *err = NULL;
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	lines->store = xs_calloc(1, sizeof *lines->store);
	lines->store->source = *source;
	/* di_gaps_check_units() has seen that libdw comes to all units that there are. */
	while (!err && !dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &unit, NULL))
		err = load_unit(&unit, &seen, &found, lines);
	xs_map_deinit(&seen);
	di_lines_deinit(&found);
	lines->store->source.again = true;
	order_sequences(lines);
	/* Zeros that nobody touches take no memory. */
	lines->rows.data = xs_calloc(lines->rows.len, sizeof *lines->rows.data);
	lines->rows.cap = lines->rows.len;
	for (size_t i = 0; i < lines->sequences.len; i++)
		lines->rows.data[lines->sequences.data[i].end - 1].end_sequence = true;
	return err;
}

/* --- the rows --------------------------------------------------------------------------------- */

static void keep(const struct di_lines *lines, struct di_line_table *table)
{
	struct di_lines found = {0};
	if (table->kept)
		return;
	table->kept = true;
	XS_AUTO(xs_error)
	err = di_line_program_run(&lines->store->source, table->offset, table->directory, &found);
	/* It was run before, but the file may be written to meanwhile. */
	if (err || found.rows.len != table->end - table->first)
		xs_log(XS_LOG_DWARF, XS_LOG_WARN,
			".debug_line+0x%" PRIx64 ": the file has changed; its lines are not known",
			table->offset);
	for (size_t i = 0; i < found.rows.len && i < table->end - table->first; i++) {
		struct di_row *row = &lines->rows.data[table->first + i];
		*row = found.rows.data[i];
		if (row->file != DI_NO_FILE)
			row->file += table->first_file;
	}
	di_lines_deinit(&found);
}

void di_lines_keep(const struct di_lines *lines, const struct di_sequence *sequence)
{
	if (lines->store)
		keep(lines, &lines->store->tables.data[sequence->table]);
}

void di_lines_keep_all(const struct di_lines *lines)
{
	for (size_t i = 0; lines->store && i < lines->store->tables.len; i++)
		keep(lines, &lines->store->tables.data[i]);
}

bool di_lines_know(const struct di_lines *lines, const struct di_sequence *sequence,
	bool (*is_it)(const char *path, const char *file), const char *file)
{
	if (!lines->store)
		return true;
	const struct di_line_table *table = &lines->store->tables.data[sequence->table];
	for (uint32_t i = table->first_file; i < table->end_file; i++)
		if (is_it(lines->files.data[i], file))
			return true;
	return false;
}

struct xs_error *di_lines_load(struct di_module *module)
{
	struct di_line_source source = {.code = &module->code};
	struct xs_error *err;
	if (!module->dwarf)
		return NULL;
	if ((err = di_module_section(module, ".debug_line", &source.line)) ||
		(err = di_module_section(module, ".debug_line_str", &source.line_str)) ||
		(err = di_module_section(module, ".debug_str", &source.str)))
		return err;
	return di_lines_read(module->dwarf, &source, &module->lines);
}
