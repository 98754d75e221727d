#include "dwarf/line_program.h"

#include <dwarf.h>
#include <limits.h>

#include "base/log.h"

/* One table while it is read. */
struct table {
	const struct di_line_source *source;
	struct di_lines *lines; /* where rows and files go */
	struct di_cursor at;    /* header, then program */
	const uint8_t *program; /* where the program begins */
	unsigned version;       /* 2 to 5 */
	unsigned offset_size;   /* 4, or 8 in the 64-bit format */
	uint8_t min_length;     /* factor of address advances */
	uint8_t max_ops;        /* operations per instruction: 1 but for VLIW machines */
	bool default_is_stmt;
	int8_t line_base;          /* of special opcodes */
	uint8_t line_range;        /* likewise */
	uint8_t opcode_base;       /* number of the first special opcode */
	const uint8_t *arg_counts; /* of standard opcodes 1 .. opcode_base - 1 */
	XS_VEC(const char *) dirs; /* as the table numbers them */
	XS_VEC(uint32_t) files;    /* table's file number to index into lines->files */
};

/* The registers of the line number machine. */
struct machine {
	struct di_row row; /* what the next row will be, file as the table numbers it */
	uint64_t op_index; /* within a VLIW instruction */
	uint64_t file;     /* table's number */
	size_t first;      /* first row of the sequence being built */
};

/* --- header ---------------------------------------------------------------------------------- */

static char *join(const char *dir, const char *name)
{
	/* A table may name a directory of a megabyte and a thousand files in it. */
	size_t length = dir ? strnlen(dir, PATH_MAX) : 0;
	if (!length || length == PATH_MAX || *name == '/')
		return xs_strdup(name);
	return xs_asprintf("%s%s%s", dir, dir[length - 1] == '/' ? "" : "/", name);
}

/* Adds a file in directory number dir. Directory 0 is the unit's, and relative ones are below it.
 */
static void add_file(struct table *table, const char *name, uint64_t dir)
{
	const char *below = table->dirs.len ? table->dirs.data[0] : NULL;
	const char *given = dir < table->dirs.len ? table->dirs.data[dir] : NULL;
	XS_AUTO_FREE char *full = given ? join(dir ? below : NULL, given) : NULL;
	xs_vec_push(&table->files, (uint32_t)table->lines->files.len);
	xs_vec_push(&table->lines->files, join(full, name));
}

/* DWARF 2 to 4: lists that end with an empty name; files count from 1, directory 0 is the unit's.
 */
static void read_old_lists(struct table *table, const char *directory)
{
	const char *name;
	xs_vec_push(&table->dirs, directory ? directory : "");
	while (*(name = di_cursor_string(&table->at)))
		xs_vec_push(&table->dirs, name);
	xs_vec_push(&table->files, DI_NO_FILE);
	while (*(name = di_cursor_string(&table->at))) {
		uint64_t dir = di_cursor_uleb(&table->at);
		di_cursor_uleb(&table->at); /* time of modification */
		di_cursor_uleb(&table->at); /* size */
		add_file(table, name, dir);
	}
}

/* The string at an offset of a string section. */
static struct xs_error *string_at(struct di_cursor section, uint64_t offset, const char **ret)
{
	di_cursor_bytes(&section, offset);
	*ret = di_cursor_string(&section);
	return di_cursor_error(&section);
}

/* One field of a DWARF 5 entry: a string, a number, or something to step over. */
static struct xs_error *read_field(
	struct table *table, uint64_t form, const char **text, uint64_t *number)
{
	struct di_cursor *at = &table->at;
	switch (form) {
	case DW_FORM_string:
		*text = di_cursor_string(at);
		return NULL;
	case DW_FORM_line_strp:
		return string_at(
			table->source->line_str, di_cursor_u(at, table->offset_size), text);
	case DW_FORM_strp:
		return string_at(table->source->str, di_cursor_u(at, table->offset_size), text);
	case DW_FORM_udata:
		*number = di_cursor_uleb(at);
		return NULL;
	case DW_FORM_data1:
		*number = di_cursor_u(at, 1);
		return NULL;
	case DW_FORM_data2:
		*number = di_cursor_u(at, 2);
		return NULL;
	case DW_FORM_data4:
		*number = di_cursor_u(at, 4);
		return NULL;
	case DW_FORM_data8:
		*number = di_cursor_u(at, 8);
		return NULL;
	case DW_FORM_data16:
		di_cursor_bytes(at, 16);
		return NULL;
	case DW_FORM_block:
		di_cursor_bytes(at, di_cursor_uleb(at));
		return NULL;
	default:
		return xs_error_corrupt(".debug_line+0x%zx: form 0x%" PRIx64
					" is not one for directories and files",
			di_cursor_offset(at), form);
	}
}

/* DWARF 5: a description of the fields, then the entries; both lists count from 0. */
static struct xs_error *read_new_list(struct table *table, bool files)
{
	struct di_cursor *at = &table->at;
	struct {
		uint64_t content, form;
	} fields[255];
	struct xs_error *err;
	unsigned field_count = (unsigned)di_cursor_u(at, 1);
	for (unsigned i = 0; i < field_count; i++) {
		fields[i].content = di_cursor_uleb(at);
		fields[i].form = di_cursor_uleb(at);
	}
	uint64_t count = di_cursor_uleb(at);
	/* Every entry takes a byte at least: a count without fields would never end. */
	if (count && !field_count)
		return xs_error_corrupt(".debug_line+0x%zx: %" PRIu64 " entries without a field",
			di_cursor_offset(at), count);
	for (uint64_t entry = 0; entry < count && !at->failed; entry++) {
		const char *name = "";
		uint64_t dir = 0;
		for (unsigned i = 0; i < field_count; i++) {
			const char *text = "";
			uint64_t number = 0;
			if ((err = read_field(table, fields[i].form, &text, &number)))
				return err;
			if (fields[i].content == DW_LNCT_path)
				name = text;
			else if (fields[i].content == DW_LNCT_directory_index)
				dir = number;
		}
		if (files)
			add_file(table, name, dir);
		else
			xs_vec_push(&table->dirs, name);
	}
	return di_cursor_error(at);
}

static struct xs_error *read_header(struct table *table, uint64_t offset, const char *directory)
{
	struct di_cursor *at = &table->at;
	struct xs_error *err;
	*at = table->source->line;
	di_cursor_bytes(at, offset);
	table->offset_size = 4;
	uint64_t length = di_cursor_u(at, 4);
	if (length == 0xffffffff) {
		table->offset_size = 8;
		length = di_cursor_u(at, 8);
	}
	if ((err = di_cursor_error(at)))
		return err;
	if (length > di_cursor_left(at))
		return xs_error_corrupt(".debug_line+0x%" PRIx64 ": the table claims %" PRIu64
					" bytes, %zu are left",
			offset, length, di_cursor_left(at));
	at->end = at->at + length;
	table->version = (unsigned)di_cursor_u(at, 2);
	if (!at->failed && (table->version < 2 || table->version > 5))
		return xs_error_corrupt(".debug_line+0x%" PRIx64 ": version %u, not 2 to 5", offset,
			table->version);
	if (table->version >= 5)
		di_cursor_u(at, 2); /* sizes of addresses and segment selectors */
	uint64_t header_length = di_cursor_u(at, table->offset_size);
	if (!at->failed && header_length > di_cursor_left(at))
		return xs_error_corrupt(".debug_line+0x%" PRIx64 ": the header claims %" PRIu64
					" bytes, %zu are left",
			offset, header_length, di_cursor_left(at));
	table->program = at->at + header_length;
	table->min_length = (uint8_t)di_cursor_u(at, 1);
	table->max_ops = table->version >= 4 ? (uint8_t)di_cursor_u(at, 1) : 1;
	table->default_is_stmt = di_cursor_u(at, 1);
	table->line_base = (int8_t)di_cursor_s(at, 1);
	table->line_range = (uint8_t)di_cursor_u(at, 1);
	table->opcode_base = (uint8_t)di_cursor_u(at, 1);
	table->arg_counts = di_cursor_bytes(at, table->opcode_base ? table->opcode_base - 1u : 0);
	if ((err = di_cursor_error(at)))
		return err;
	if (!table->line_range || !table->opcode_base)
		return xs_error_corrupt(".debug_line+0x%" PRIx64 ": %s is 0 in the header", offset,
			table->line_range ? "opcode_base" : "line_range");
	if (table->version < 5)
		read_old_lists(table, directory);
	else if ((err = read_new_list(table, false)) || (err = read_new_list(table, true)))
		return err;
	if ((err = di_cursor_error(at)))
		return err;
	if (at->at > table->program)
		return xs_error_corrupt(
			".debug_line+0x%" PRIx64 ": the header is longer than it claims", offset);
	at->at = table->program;
	return NULL;
}

/* --- program --------------------------------------------------------------------------------- */

static void machine_reset(const struct table *table, struct machine *machine)
{
	*machine = (struct machine){.file = 1, .first = table->lines->rows.len};
	machine->row.line = 1;
	machine->row.is_stmt = table->default_is_stmt;
}

static void advance(const struct table *table, struct machine *machine, uint64_t operations)
{
	if (table->max_ops <= 1) {
		machine->row.address += table->min_length * operations;
		return;
	}
	uint64_t index = machine->op_index + operations;
	machine->row.address += table->min_length * (index / table->max_ops);
	machine->op_index = index % table->max_ops;
}

static void append_row(struct table *table, struct machine *machine)
{
	struct di_row row = machine->row;
	row.file = machine->file < table->files.len ? table->files.data[machine->file] : DI_NO_FILE;
	xs_vec_push(&table->lines->rows, row);
	machine->row.discriminator = 0;
	machine->row.basic_block = machine->row.prologue_end = machine->row.epilogue_begin = false;
}

struct numbered {
	struct di_row row;
	size_t number; /* place in the program, which decides among equal addresses */
};

static int by_address(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;
	if (x->row.address != y->row.address)
		return x->row.address > y->row.address ? 1 : -1;
	return (x->number > y->number) - (x->number < y->number);
}

/* Addresses must not decrease within a sequence. Where they do, rows are put in order. */
static void order_rows(struct di_row *rows, size_t count)
{
	size_t sorted = 1;
	while (sorted < count && rows[sorted - 1].address <= rows[sorted].address)
		sorted++;
	if (sorted >= count)
		return;
	XS_AUTO_FREE struct numbered *copies = xs_calloc(count, sizeof *copies);
	for (size_t i = 0; i < count; i++)
		copies[i] = (struct numbered){rows[i], i};
	qsort(copies, count, sizeof *copies, by_address);
	for (size_t i = 0; i < count; i++)
		rows[i] = copies[i].row;
}

static void finish_sequence(struct table *table, struct machine *machine)
{
	struct di_lines *lines = table->lines;
	machine->row.end_sequence = true;
	append_row(table, machine);
	size_t first = machine->first, end = lines->rows.len;
	xs_addr hi = lines->rows.data[end - 1].address;
	order_rows(lines->rows.data + first, end - first - 1);
	struct di_sequence sequence = {.lo = lines->rows.data[first].address,
		.hi = hi,
		.first = first,
		.end = end,
		.file = lines->rows.data[first].file};
	if (sequence.lo < sequence.hi && xs_ranges_find(table->source->code, sequence.lo))
		xs_vec_push(&lines->sequences, sequence);
	else
		lines->rows.len = first;
	machine_reset(table, machine);
}

static struct xs_error *run_extended(struct table *table, struct machine *machine)
{
	struct di_cursor *at = &table->at;
	uint64_t size = di_cursor_uleb(at);
	struct di_cursor body = *at;
	size_t start = di_cursor_offset(at);
	if (!di_cursor_bytes(at, size))
		return di_cursor_error(at);
	body.end = at->at;
	if (!size)
		return NULL;
	switch (di_cursor_u(&body, 1)) {
	case DW_LNE_end_sequence:
		finish_sequence(table, machine);
		break;
	case DW_LNE_set_address:
		if (size - 1 > 8)
			return xs_error_corrupt(".debug_line+0x%zx: an address of %" PRIu64
						" bytes",
				start, size - 1);
		machine->row.address = di_cursor_u(&body, (unsigned)size - 1);
		machine->op_index = 0;
		break;
	case DW_LNE_define_file: {
		const char *name = di_cursor_string(&body);
		add_file(table, name, di_cursor_uleb(&body));
		break;
	}
	case DW_LNE_set_discriminator:
		machine->row.discriminator = (uint32_t)di_cursor_uleb(&body);
		break;
	default: /* a vendor's: its length says how to step over it */
		break;
	}
	return di_cursor_error(&body);
}

static struct xs_error *run_standard(struct table *table, struct machine *machine, uint8_t opcode)
{
	struct di_cursor *at = &table->at;
	switch (opcode) {
	case DW_LNS_copy:
		append_row(table, machine);
		break;
	case DW_LNS_advance_pc:
		advance(table, machine, di_cursor_uleb(at));
		break;
	case DW_LNS_advance_line:
		machine->row.line += (uint32_t)di_cursor_sleb(at);
		break;
	case DW_LNS_set_file:
		machine->file = di_cursor_uleb(at);
		break;
	case DW_LNS_set_column:
		machine->row.column = (uint32_t)di_cursor_uleb(at);
		break;
	case DW_LNS_negate_stmt:
		machine->row.is_stmt = !machine->row.is_stmt;
		break;
	case DW_LNS_set_basic_block:
		machine->row.basic_block = true;
		break;
	case DW_LNS_const_add_pc:
		advance(table, machine, (255u - table->opcode_base) / table->line_range);
		break;
	case DW_LNS_fixed_advance_pc:
		machine->row.address += di_cursor_u(at, 2);
		machine->op_index = 0;
		break;
	case DW_LNS_set_prologue_end:
		machine->row.prologue_end = true;
		break;
	case DW_LNS_set_epilogue_begin:
		machine->row.epilogue_begin = true;
		break;
	default: /* DW_LNS_set_isa, or one of the future: its arguments are counted in the header */
		for (unsigned i = 0; i < table->arg_counts[opcode - 1]; i++)
			di_cursor_uleb(at);
		break;
	}
	return di_cursor_error(at);
}

static struct xs_error *run(struct table *table)
{
	struct di_cursor *at = &table->at;
	struct machine machine;
	struct xs_error *err = NULL;
	machine_reset(table, &machine);
	while (!err && di_cursor_left(at)) {
		uint8_t opcode = (uint8_t)di_cursor_u(at, 1);
		if (opcode >= table->opcode_base) {
			unsigned special = (unsigned)opcode - table->opcode_base;
			advance(table, &machine, special / table->line_range);
			machine.row.line +=
				(uint32_t)(table->line_base + (int)(special % table->line_range));
			append_row(table, &machine);
		} else if (opcode == 0) {
			err = run_extended(table, &machine);
		} else {
			err = run_standard(table, &machine, opcode);
		}
	}
	if (!err && table->lines->rows.len > machine.first && !table->source->again)
		xs_log(XS_LOG_DWARF, XS_LOG_WARN,
			".debug_line+0x%zx: rows after the last end_sequence are ignored",
			di_cursor_offset(at));
	table->lines->rows.len = machine.first;
	return err;
}

struct xs_error *di_line_program_run(const struct di_line_source *source, uint64_t offset,
	const char *directory, struct di_lines *lines)
{
	struct table table = {.source = source, .lines = lines};
	struct xs_error *err = read_header(&table, offset, directory);
	if (!err)
		err = run(&table);
	xs_vec_deinit(&table.dirs);
	xs_vec_deinit(&table.files);
	return err;
}
