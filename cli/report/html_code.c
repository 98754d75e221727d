/* html_code.c - the code of a case: lines of source, and instructions with their rows. What belongs
 * together has the same data-l (a line) or data-a (an address). */
#include <ctype.h>

#include "base/path.h"
#include "cli/report/html_case.h"
#include "engine/insn.h"

enum {
	INSNS = 120, /* instructions before and after the one that is looked at */
	LINES = 40,  /* likewise lines */
	MARGIN = 2,  /* lines around those that have code */
};

/* --- what is shown ---------------------------------------------------------------------------- */

static struct eng_insn decode(const struct di_module *module, xs_addr at)
{
	size_t size = 0;
	const uint8_t *bytes = di_module_bytes(module, at, &size);
	return bytes ? eng_insn_decode(bytes, size < ENG_INSN_MAX ? size : ENG_INSN_MAX)
		     : (struct eng_insn){0};
}

static bool is_file(const struct di_lines *lines, const struct di_row *row, const char *file)
{
	const char *other = row ? di_lines_file(lines, row) : NULL;
	return other && file && !strcmp(other, file);
}

/* The lines that the instructions are of, not too far away. */
static void find_lines(struct cli_html_case *one)
{
	uint32_t lo = one->line, hi = one->line;
	uint32_t decl = one->finding->difference->decl_line;
	const char *decl_file = one->finding->difference->decl_file;
	for (size_t i = 0; i < one->code.len; i++) {
		uint32_t line = one->code.data[i].line;
		if (line && line + LINES >= one->line && line <= one->line + LINES) {
			lo = line < lo ? line : lo;
			hi = line > hi ? line : hi;
		}
	}
	if (decl && decl_file && one->file &&
		!strcmp(xs_base_name(decl_file), xs_base_name(one->file)) &&
		decl + LINES >= one->line && decl <= one->line + LINES) {
		lo = decl < lo ? decl : lo;
		hi = decl > hi ? decl : hi;
	}
	one->lines[0] = lo > MARGIN ? lo - MARGIN : 1;
	one->lines[1] = hi + MARGIN;
}

void cli_html_code_find(struct cli_html_case *one)
{
	const struct ora_difference *difference = one->finding->difference;
	struct di_module *module = one->print->verdicts->module;
	bool outer = difference->frame && difference->frame_pc != XS_ADDR_NONE &&
		     !difference->frame_module;
	one->focus = outer ? difference->frame_pc : difference->pc;
	one->file = difference->file;
	one->line = difference->line;
	if (!module || difference->module || one->focus == XS_ADDR_NONE)
		return;
	const struct di_function_range *stretch =
		di_functions_stretch(module->functions, one->focus);
	const struct di_row *row = di_lines_find(&module->lines, one->focus);
	if (row && di_lines_file(&module->lines, row)) {
		one->file = di_lines_file(&module->lines, row);
		one->line = row->line;
	}
	if (!stretch)
		return;
	one->stretch = (struct xs_range){stretch->lo, stretch->hi};
	one->function = stretch->function->name;
	size_t here = 0;
	for (xs_addr at = stretch->lo; at < stretch->hi;) {
		struct eng_insn insn = decode(module, at);
		struct cli_html_insn shown = {
			.at = at, .end = at + (insn.length ? insn.length : 1)};
		row = di_lines_find(&module->lines, at);
		if (is_file(&module->lines, row, one->file))
			shown.line = row->line;
		here = at <= one->focus ? one->code.len : here;
		if (one->code.len > here + INSNS)
			break;
		xs_vec_push(&one->code, shown);
		at = shown.end;
	}
	if (here > INSNS) {
		size_t cut = here - INSNS;
		memmove(one->code.data, one->code.data + cut,
			(one->code.len - cut) * sizeof *one->code.data);
		one->code.len -= cut;
	}
	find_lines(one);
}

/* --- how it looks ----------------------------------------------------------------------------- */

static void put_source(FILE *out, const struct cli_html_case *one)
{
	if (!one->file || !one->line || !cli_source_line(one->source, one->file, one->line))
		return;
	cli_html(out,
		"<div class=\"pane source\"><h4>%s</h4><div class=\"scroll\" tabindex=\"0\">"
		"<table class=\"code\">\n",
		xs_base_name(one->file));
	for (uint32_t line = one->lines[0]; line <= one->lines[1]; line++) {
		const char *text = cli_source_line(one->source, one->file, line);
		if (!text)
			break;
		cli_html(out, "<tr data-l=\"%u\" class=\"%s\"><td class=\"no\">%u</td><td><code>",
			line, line == one->line ? "here" : "", line);
		cli_html_lines(out, text);
		fputs("</code></td></tr>\n", out);
	}
	fputs("</table></div></div>\n", out);
}

/* The rows that begin at an address. */
static void put_rows(FILE *out, const struct di_lines *lines, xs_addr at)
{
	const struct di_row *row = di_lines_find(lines, at);
	if (!row || row->address != at)
		return;
	while (row > lines->rows.data && row[-1].address == at && !row[-1].end_sequence)
		row--;
	const char *mark = "";
	for (; row->address == at && !row->end_sequence; row++) {
		const char *file = di_lines_file(lines, row);
		cli_html(out, "%s<span title=\"%s\">%u:%u%s%s%s</span>", mark, file ? file : "?",
			row->line, row->column, row->is_stmt ? " stmt" : "",
			row->prologue_end ? " prologue_end" : "",
			row->epilogue_begin ? " epilogue" : "");
		mark = " ";
	}
}

/* Addresses without the zeros before them: `0x1144`. */
static void shorten(char *text)
{
	for (char *at = text; (at = strstr(at, "0x0000")); at += 2) {
		size_t zeros = strspn(at + 2, "0");
		size_t cut = isxdigit((unsigned char)at[2 + zeros]) ? zeros : zeros - 1;
		memmove(at + 2, at + 2 + cut, strlen(at + 2 + cut) + 1);
	}
}

static void put_insns(FILE *out, const struct cli_html_case *one)
{
	const struct di_module *module = one->print->verdicts->module;
	char text[256];
	cli_html(out,
		"<div class=\"pane insns\"><h4>%s, 0x%lx to 0x%lx</h4><div class=\"scroll\" "
		"tabindex=\"0\"><table class=\"code\">\n<tr><th>address</th><th>instruction</th>"
		"<th>line:column</th></tr>\n",
		one->function ? one->function : "?", one->stretch.lo, one->stretch.hi);
	for (size_t i = 0; i < one->code.len; i++) {
		const struct cli_html_insn *insn = &one->code.data[i];
		size_t size = 0;
		const uint8_t *bytes = di_module_bytes(module, insn->at, &size);
		bool here = insn->at <= one->focus && one->focus < insn->end;
		if (!bytes || !eng_insn_text(bytes, size < ENG_INSN_MAX ? size : ENG_INSN_MAX,
				      insn->at, text, sizeof text))
			snprintf(text, sizeof text, "(no instruction)");
		cli_html(out, "<tr data-a=\"%lx\"", insn->at);
		if (insn->line)
			cli_html(out, " data-l=\"%u\"", insn->line);
		shorten(text);
		cli_html(out,
			" class=\"%s\"><td class=\"no\">0x%lx</td><td><code>%s</code></td><td "
			"class=\"line\">",
			here ? "here" : "", insn->at, text);
		put_rows(out, &module->lines, insn->at);
		fputs("</td></tr>\n", out);
	}
	fputs("</table></div></div>\n", out);
}

void cli_html_code(FILE *out, const struct cli_html_case *one)
{
	const struct ora_difference *difference = one->finding->difference;
	if (!one->code.len && !one->file)
		return;
	fputs("<section class=\"where\"><h3>Where</h3>\n", out);
	if (one->focus != difference->pc)
		cli_html(out,
			"<p class=\"note\">The program is stopped at 0x%lx. The variable is of "
			"frame "
			"%u, further out, which is here.</p>\n",
			difference->pc, difference->frame);
	fputs("<p class=\"note intro\">The source, and the instructions that were made of it with "
	      "what "
	      "the line table says of each. Yellow: where the program is stopped.</p>\n"
	      "<div class=\"panes\">\n",
		out);
	put_source(out, one);
	if (one->code.len)
		put_insns(out, one);
	fputs("</div></section>\n", out);
}
