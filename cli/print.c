#include "cli/print.h"

#include "cli/source.h"

enum {
	FUNCTION_MAX = 32, /* wider columns are not readable: longer words just stick out */
	PLACE_MAX = 32,
};

static const char *last_component(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

bool cli_wants_colour(FILE *out)
{
	const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
	return isatty(fileno(out)) && (!no || !*no) && terminal && strcmp(terminal, "dumb");
}

void cli_printer_init(struct cli_printer *printer, FILE *out, const struct ora_subject *subject)
{
	const struct di_module *info = subject->modules.data[0].info;
	size_t function = 4, place = 8;
	*printer = (struct cli_printer){.out = out, .colour = cli_wants_colour(out)};
	for (size_t i = 0; i < info->functions.list.len; i++) {
		const struct di_function *f = &info->functions.list.data[i];
		size_t length = strlen(f->name);
		if (xs_ranges_find(&info->interest, f->entry) && length > function)
			function = length;
	}
	for (size_t i = 0; i < info->lines.files.len; i++) {
		size_t length = strlen(last_component(info->lines.files.data[i]));
		place = length > place ? length : place;
	}
	function += sizeof "+0x123" - 1;
	place += sizeof ":1234:12" - 1;
	printer->function_width = function < FUNCTION_MAX ? (int)function : FUNCTION_MAX;
	printer->place_width = place < PLACE_MAX ? (int)place : PLACE_MAX;
	if (info->interest.vec.len)
		printer->pc_width = snprintf(NULL, 0, "0x%" PRIx64,
			info->interest.vec.data[info->interest.vec.len - 1].hi);
	printer->source = cli_source_create();
}

void cli_printer_deinit(struct cli_printer *printer)
{
	cli_source_destroy(printer->source);
	printer->source = NULL;
}

/* --- text ----------------------------------------------------------------------------------------
 */

static void format_pc(const struct ora_place *place, char *text, size_t size)
{
	if (place->main)
		snprintf(text, size, "0x%" PRIx64, place->pc);
	else
		snprintf(text, size, "%s+0x%" PRIx64, place->module->name, place->pc);
}

static void format_function(const struct ora_place *place, char *text, size_t size)
{
	bool behind = place->offset >= 0;
	if (place->function)
		snprintf(text, size, "%s%s0x%" PRIx64, place->function, behind ? "+" : "-",
			behind ? (uint64_t)place->offset : -(uint64_t)place->offset);
	else
		snprintf(text, size, "?");
}

static void format_place(const struct ora_place *place, char *text, size_t size)
{
	if (!place->row)
		snprintf(text, size, "-"); /* no row: nothing is known */
	else if (place->row->column)
		snprintf(text, size, "%s:%u:%u", place->file ? last_component(place->file) : "?",
			place->row->line, place->row->column);
	else
		snprintf(text, size, "%s:%u", place->file ? last_component(place->file) : "?",
			place->row->line);
}

static bool same_line(const struct ora_place *a, const struct ora_place *b)
{
	return a && a->row && b->row && a->module == b->module && a->row->file == b->row->file &&
	       a->row->line == b->row->line;
}

/* A line of source as it fits at the end of ours: no indentation, no control characters. */
static void print_source(struct cli_printer *printer, const char *line)
{
	line += strspn(line, " \t");
	for (; *line; line++)
		putc((unsigned char)*line < ' ' || *line == 0x7f ? ' ' : *line, printer->out);
}

void cli_print_text(struct cli_printer *printer, const struct ora_stop *stop)
{
	const struct ora_place *place = stop->place;
	const char *dim = printer->colour ? "\033[2m" : "",
		   *bold = printer->colour ? "\033[1m" : "";
	const char *blue = printer->colour ? "\033[36m" : "",
		   *off = printer->colour ? "\033[0m" : "";
	char pc[128], function[160], where[160];
	format_pc(place, pc, sizeof pc);
	format_function(place, function, sizeof function);
	format_place(place, where, sizeof where);
	const char *line = NULL;
	if (!same_line(printer->last, place) && place->file)
		line = cli_source_line(printer->source, place->file, place->row->line);
	fprintf(printer->out, "%s%7" PRIu64 "%s  %s%-*s%s  %-*s  ", dim, stop->number, off, blue,
		printer->pc_width, pc, off, printer->function_width, function);
	/* No blanks at the end of a line that has nothing there. */
	fprintf(printer->out, "%-*s", line ? printer->place_width + 2 : 0, where);
	if (line) {
		fputs(bold, printer->out);
		print_source(printer, line);
		fputs(off, printer->out);
	}
	putc('\n', printer->out);
	printer->last = place;
}

/* --- JSON ----------------------------------------------------------------------------------------
 */

/* A string, or null. Bytes that are not UTF-8 are the file system's business: passed on. */
static void json_string(FILE *out, const char *text)
{
	if (!text) {
		fputs("null", out);
		return;
	}
	putc('"', out);
	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;
		if (byte == '"' || byte == '\\')
			fprintf(out, "\\%c", byte);
		else if (byte < ' ')
			fprintf(out, "\\u%04x", byte);
		else
			putc(byte, out);
	}
	putc('"', out);
}

static void json_pc(FILE *out, const struct ora_place *place)
{
	char text[128];
	if (place)
		format_pc(place, text, sizeof text);
	json_string(out, place ? text : NULL);
}

void cli_print_json(struct cli_printer *printer, const struct ora_stop *stop)
{
	const struct ora_place *place = stop->place;
	FILE *out = printer->out;
	fprintf(out, "{\"stop\":%" PRIu64 ",\"prev\":", stop->number);
	json_pc(out, stop->prev);
	fputs(",\"pc\":", out);
	json_pc(out, place);
	fprintf(out, ",\"n\":%" PRIu64 ",\"function\":", stop->n);
	json_string(out, place->function);
	fputs(",\"file\":", out);
	json_string(out, place->file);
	if (place->row)
		fprintf(out, ",\"line\":%u,\"column\":%u}\n", place->row->line, place->row->column);
	else
		fputs(",\"line\":null,\"column\":null}\n", out);
}
