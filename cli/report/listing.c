#include "cli/report/listing.h"

#include "base/path.h"
#include "engine/insn.h"

/* The stretch of code around pc that a function has, and its name. */
static const struct di_function *stretch(
	const struct di_module *module, xs_addr pc, xs_addr *lo, xs_addr *hi)
{
	const struct di_functions *functions = &module->functions;
	for (unsigned pass = 0; pass < 2; pass++) {
		const struct di_function_range *ranges =
			pass ? functions->symbol_ranges.data : functions->debug_ranges.data;
		size_t count = pass ? functions->symbol_ranges.len : functions->debug_ranges.len;
		for (size_t i = 0; i < count; i++)
			if (ranges[i].lo <= pc && pc < ranges[i].hi) {
				*lo = ranges[i].lo;
				*hi = ranges[i].hi;
				return &functions->list.data[ranges[i].function];
			}
	}
	return NULL;
}

/* The rows that begin at an address. */
static void print_rows(FILE *out, const struct di_lines *lines, xs_addr at)
{
	const struct di_row *row = di_lines_find(lines, at);
	if (!row || row->address != at)
		return;
	while (row > lines->rows.data && row[-1].address == at && !row[-1].end_sequence)
		row--;
	for (; row->address == at && !row->end_sequence; row++) {
		const char *file = xs_base_name(di_lines_file(lines, row));
		fprintf(out, "  %s:%u:%u%s%s%s\n", file ? file : "?", row->line, row->column,
			row->is_stmt ? "  is_stmt" : "", row->prologue_end ? "  prologue_end" : "",
			row->epilogue_begin ? "  epilogue_begin" : "");
	}
}

void cli_listing_print(FILE *out, const struct di_module *module, xs_addr pc, unsigned around)
{
	xs_addr lo = pc, hi = pc + 1;
	XS_VEC(xs_addr) starts = {0}; /* of instructions */
	size_t size = 0, here = 0;
	char text[256];
	const struct di_function *function = stretch(module, pc, &lo, &hi);
	for (xs_addr at = lo; at < hi && starts.len <= here + around;) {
		const uint8_t *bytes = di_module_bytes(module, at, &size);
		struct eng_insn insn =
			bytes ? eng_insn_decode(bytes, size < ENG_INSN_MAX ? size : ENG_INSN_MAX)
			      : (struct eng_insn){0};
		/* Until pc is met, all of it is kept. */
		here = at <= pc ? starts.len : here;
		xs_vec_push(&starts, at);
		at += insn.length ? insn.length : 1;
	}
	if (function)
		fprintf(out, "%s, 0x%" PRIx64 " to 0x%" PRIx64 "\n", function->name, lo, hi);
	for (size_t i = here > around ? here - around : 0; i < starts.len; i++) {
		xs_addr at = starts.data[i];
		const uint8_t *bytes = di_module_bytes(module, at, &size);
		if (!bytes || !eng_insn_text(bytes, size < ENG_INSN_MAX ? size : ENG_INSN_MAX, at,
				      text, sizeof text))
			snprintf(text, sizeof text, "(no instruction)");
		print_rows(out, &module->lines, at);
		fprintf(out, "%s 0x%" PRIx64 "  %s\n", at == pc ? "=>" : "  ", at, text);
	}
	xs_vec_deinit(&starts);
}
