#include "cli/report/listing.h"

#include "base/path.h"
#include "base/shown.h"
#include "engine/insn.h"

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
		xs_print(out, "  %s:%u:%u%s%s%s\n", file ? file : "?", row->line, row->column,
			row->is_stmt ? "  is_stmt" : "", row->prologue_end ? "  prologue_end" : "",
			row->epilogue_begin ? "  epilogue_begin" : "");
	}
}

void cli_listing_print(FILE *out, const struct di_module *module, xs_addr pc, unsigned around)
{
	const struct di_function_range *stretch = di_functions_stretch(module->functions, pc);
	xs_addr lo = stretch ? stretch->lo : pc, hi = stretch ? stretch->hi : pc + 1;
	XS_VEC(xs_addr) starts = {0}; /* of instructions */
	size_t size = 0, here = 0;
	char text[256];
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
	if (stretch)
		xs_print(out, "%s, 0x%" PRIx64 " to 0x%" PRIx64 "\n", stretch->function->name, lo,
			hi);
	for (size_t i = here > around ? here - around : 0; i < starts.len; i++) {
		xs_addr at = starts.data[i];
		const uint8_t *bytes = di_module_bytes(module, at, &size);
		if (!bytes || !eng_insn_text(bytes, size < ENG_INSN_MAX ? size : ENG_INSN_MAX, at,
				      text, sizeof text))
			snprintf(text, sizeof text, "(no instruction)");
		print_rows(out, &module->lines, at);
		xs_print(out, "%s 0x%" PRIx64 "  %s\n", at == pc ? "=>" : "  ", at, text);
	}
	xs_vec_deinit(&starts);
}
