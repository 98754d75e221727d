#include "cli/report/print.h"

#include <jansson.h>

#include "base/path.h"
#include "base/shown.h"
#include "cli/report/json.h"
#include "cli/report/source_lines.h"
#include "cli/report/screen.h"
#include "dwarf/module.h"

enum {
	CHANGES_SHOWN = 8, /* variables on a line of text; more are counted */
	FUNCTION_MAX = 32, /* wider columns are not readable: longer words just stick out */
	PLACE_MAX = 32,
};

/* On a terminal; what others wrote has none of these. */
#define DIM  "\033[2m"
#define BOLD "\033[1m"
#define BLUE "\033[36m"
#define OFF  "\033[0m"

void cli_printer_init(struct cli_printer *printer, FILE *out)
{
	*printer = (struct cli_printer){.out = out, .colour = cli_screen_is_coloured(out)};
	printer->source = cli_source_create();
	cli_printer_fit(printer, "main", "12345678", 0);
}

static void widen(int *width, size_t needed, int most)
{
	int wanted = needed < (size_t)most ? (int)needed : most;
	*width = *width < wanted ? wanted : *width;
}

void cli_printer_fit(
	struct cli_printer *printer, const char *function, const char *file, xs_addr address)
{
	if (function)
		widen(&printer->function_width, strlen(function) + sizeof "+0x123" - 1,
			FUNCTION_MAX);
	if (file)
		widen(&printer->place_width, strlen(xs_base_name(file)) + sizeof ":1234:12" - 1,
			PLACE_MAX);
	if (address)
		widen(&printer->pc_width, (size_t)snprintf(NULL, 0, "0x%" PRIx64, address),
			FUNCTION_MAX);
}

void cli_printer_fit_module(struct cli_printer *printer, const struct di_module *info)
{
	const struct di_function_list *all = di_functions_all(info->functions);
	for (size_t i = 0; i < all->vec.len; i++) {
		const struct di_function *function = all->vec.data[i];
		if (xs_ranges_find(&info->interest, function->entry))
			cli_printer_fit(printer, function->name, NULL, 0);
	}
	for (size_t i = 0; i < info->lines.files.len; i++)
		cli_printer_fit(printer, NULL, info->lines.files.data[i], 0);
	if (info->interest.vec.len)
		cli_printer_fit(printer, NULL, NULL,
			info->interest.vec.data[info->interest.vec.len - 1].hi);
}

void cli_printer_deinit(struct cli_printer *printer)
{
	for (size_t i = 0; i < printer->places.len; i++) {
		free(printer->places.data[i].pc);
		free(printer->places.data[i].rest);
	}
	xs_vec_deinit(&printer->places);
	cli_source_destroy(printer->source);
}

/* --- text ------------------------------------------------------------------------------------- */

static void format_pc(const struct ora_store_place *place, char *text, size_t size)
{
	if (!place->module)
		snprintf(text, size, "0x%" PRIx64, place->address);
	else
		snprintf(text, size, "%s+0x%" PRIx64, place->module, place->address);
}

void cli_print_pc(FILE *out, const struct ora_store_place *place)
{
	char text[128];
	format_pc(place, text, sizeof text);
	xs_shown_put(out, text);
}

static void format_function(const struct ora_store_place *place, char *text, size_t size)
{
	bool behind = place->offset >= 0;
	if (place->function)
		snprintf(text, size, "%s%s0x%" PRIx64, place->function, behind ? "+" : "-",
			behind ? (uint64_t)place->offset : -(uint64_t)place->offset);
	else
		snprintf(text, size, "?");
}

static void format_place(const struct ora_store_place *place, char *text, size_t size)
{
	if (!place->has_row)
		snprintf(text, size, "-"); /* no row: nothing is known */
	else if (place->column)
		snprintf(text, size, "%s:%u:%u", place->file ? xs_base_name(place->file) : "?",
			place->line, place->column);
	else
		snprintf(text, size, "%s:%u", place->file ? xs_base_name(place->file) : "?",
			place->line);
}

static bool same_line(const struct ora_store_place *a, const struct ora_store_place *b)
{
	return a && a->has_row && b->has_row && a->line == b->line && a->file && b->file &&
	       (a->file == b->file || !strcmp(a->file, b->file));
}

void cli_print_line(FILE *out, const struct ora_store_place *place)
{
	char text[160];
	format_place(place, text, sizeof text);
	xs_shown_put(out, text);
}

/* --- variables, frames, registers ------------------------------------------------------------- */

void cli_print_fact(FILE *out, const struct ora_told_fact *fact)
{
	bool value = fact->value;
	xs_print(out, "%s = %s%s%s%s%s", fact->path, value ? "" : "<",
		value ? fact->value : ora_state_text(fact->state), value ? "" : ">",
		fact->enumerator ? " " : "", fact->enumerator ? fact->enumerator : "");
}

static void text_variables(struct cli_printer *printer, const struct ora_told *stop)
{
	unsigned changes = 0;
	for (size_t i = 0; i < stop->facts.len; i++) {
		const struct ora_told_fact *fact = &stop->facts.data[i];
		/* What is out of scope, by its block or by its declaration, is no news to a reader.
		 */
		if (fact->undeclared || fact->state == ORA_STATE_ABSENT ||
			changes++ >= CHANGES_SHOWN)
			continue;
		fputs(changes == 1 ? "  | " : ", ", printer->out);
		cli_print_fact(printer->out, fact);
	}
	if (changes > CHANGES_SHOWN)
		xs_print(printer->out, ", and %u more", changes - CHANGES_SHOWN);
}

void cli_print_frames(FILE *out, const struct ora_told *stop)
{
	for (size_t i = 1; i < stop->frames.len; i++)
		xs_print(out, "%s%s", i == 1 ? "  < " : " < ",
			stop->frames.data[i].function ? stop->frames.data[i].function : "?");
	if (stop->note)
		xs_print(out, "  (%s)", stop->note);
}

void cli_print_reg(FILE *out, const struct ora_told_reg *reg)
{
	if (!reg->known)
		xs_print(out, "%s=?", reg->name);
	else if (reg->text)
		xs_print(out, "%s=%s", reg->name, reg->text);
	else
		xs_print(out, "%s=0x%" PRIx64, reg->name, reg->value);
}

void cli_print_text(struct cli_printer *printer, const struct ora_told *stop)
{
	const struct ora_store_place *place = stop->place;
	char pc[128], function[160], where[160];
	format_pc(place, pc, sizeof pc);
	format_function(place, function, sizeof function);
	format_place(place, where, sizeof where);
	const char *line = NULL;
	if (!same_line(printer->last, place) && place->file)
		line = cli_source_line(printer->source, place->file, place->line);
	if (printer->thread)
		xs_print(printer->out, printer->colour ? DIM "[%u]" OFF " " : "[%u] ",
			printer->thread);
	xs_print(printer->out,
		printer->colour ? DIM "%7" PRIu64 OFF "  " BLUE "%-*s" OFF "  %-*s  "
				: "%7" PRIu64 "  %-*s  %-*s  ",
		stop->number, printer->pc_width, pc, printer->function_width, function);
	/* No blanks at the end of a line that has nothing there. */
	xs_print(printer->out, line ? "%-*s  " : "%-*s", line ? printer->place_width : 0, where);
	if (line) {
		line += strspn(line, " "); /* no indentation: it stands at the end of ours */
		xs_print(printer->out, printer->colour ? BOLD "%s" OFF : "%s", line);
	}
	if (printer->frames)
		cli_print_frames(printer->out, stop);
	if (printer->vars)
		text_variables(printer, stop);
	for (size_t i = 0; printer->regs && i < stop->regs.len; i++) {
		fputs(i ? " " : "  ", printer->out);
		cli_print_reg(printer->out, &stop->regs.data[i]);
	}
	putc('\n', printer->out);
	printer->last = place;
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void json_variables(struct cli_printer *printer, const struct ora_told *stop)
{
	fputs(",\"vars\":[", printer->out);
	for (size_t i = 0; i < stop->facts.len; i++) {
		if (i)
			putc(',', printer->out);
		cli_json_told(printer->out, &stop->facts.data[i], NULL, printer->foreign);
	}
	putc(']', printer->out);
}

static void json_texts(struct cli_printer *printer, const struct ora_told *stop)
{
	fputs(",\"texts\":{", printer->out);
	for (size_t i = 0; i < stop->texts.len; i++) {
		if (i)
			putc(',', printer->out);
		cli_json_string(printer->out, stop->texts.data[i].name);
		putc(':', printer->out);
		cli_json_string(printer->out, stop->texts.data[i].text);
	}
	putc('}', printer->out);
}

/* A line or a column; debuggers have null for what they do not know. */
static void json_number(const struct cli_printer *printer, const char *key, uint32_t number)
{
	if (number || !printer->foreign)
		xs_print(printer->out, ",\"%s\":%u", key, number);
	else
		xs_print(printer->out, ",\"%s\":null", key);
}

static void json_frame(struct cli_printer *printer, const struct ora_store_frame *frame)
{
	fputs("{\"function\":", printer->out);
	cli_json_string(printer->out, frame->function);
	cli_json_key(printer->out, "file", frame->file);
	json_number(printer, "line", frame->line);
	json_number(printer, "column", frame->column);
}

static void json_frames(struct cli_printer *printer, const struct ora_told *stop)
{
	fputs(",\"frames\":[", printer->out);
	for (size_t i = 0; i < stop->frames.len; i++) {
		const struct ora_store_frame *frame = &stop->frames.data[i];
		if (i)
			putc(',', printer->out);
		json_frame(printer, frame);
		xs_print(printer->out, ",\"inlined\":%s%s}", frame->inlined ? "true" : "false",
			frame->tail ? ",\"tail\":true" : "");
	}
	putc(']', printer->out);
	if (stop->note)
		cli_json_key(printer->out, "disagreement", stop->note);
}

static void json_registers(struct cli_printer *printer, const struct ora_told *stop)
{
	fputs(",\"regs\":{", printer->out);
	for (size_t i = 0; i < stop->regs.len; i++) {
		const struct ora_told_reg *reg = &stop->regs.data[i];
		if (i)
			putc(',', printer->out);
		cli_json_string(printer->out, reg->name);
		putc(':', printer->out);
		if (!reg->known || reg->text)
			cli_json_string(printer->out, reg->text);
		else
			xs_print(printer->out, "\"0x%" PRIx64 "\"", reg->value);
	}
	putc('}', printer->out);
}

void cli_json_pc(FILE *out, const struct ora_store_place *place)
{
	char text[128];
	if (place)
		format_pc(place, text, sizeof text);
	cli_json_string(out, place ? text : NULL);
}

/* The functions of the inlined calls at a place. */
static void json_inlined(FILE *out, const struct ora_store_place *place)
{
	json_t *calls = place->inlined ? json_loads(place->inlined, 0, NULL) : NULL, *call;
	size_t i;
	fputs(",\"inlined\":[", out);
	json_array_foreach(calls, i, call)
	{
		if (i)
			putc(',', out);
		cli_json_string(out, json_string_value(json_object_get(call, "function")));
	}
	putc(']', out);
	json_decref(calls);
}

/* Makes the texts of a place. */
static struct cli_json_place make_json_place(const struct ora_store_place *place, bool foreign)
{
	struct cli_json_place ret = {0};
	FILE *out = open_memstream(&ret.pc, &ret.pc_len);
	xs_assert(out);
	cli_json_pc(out, place);
	xs_assert(!fclose(out));
	out = open_memstream(&ret.rest, &ret.rest_len);
	xs_assert(out);
	fputs(",\"function\":", out);
	cli_json_string(out, place->function);
	cli_json_key(out, "file", place->file);
	if (place->has_row && foreign && !place->column)
		xs_print(out, ",\"line\":%u,\"column\":null", place->line);
	else if (place->has_row)
		xs_print(out, ",\"line\":%u,\"column\":%u", place->line, place->column);
	else
		fputs(",\"line\":null,\"column\":null", out);
	if (foreign)
		json_inlined(out, place);
	xs_assert(!fclose(out));
	return ret;
}

/* Escaping names and formatting numbers at every stop would cost more than the stop: what is known
 * of a place is kept. */
static const struct cli_json_place *json_place(
	struct cli_printer *printer, const struct ora_store_place *place, size_t index)
{
	while (printer->places.len <= index)
		xs_vec_push(&printer->places, (struct cli_json_place){0});
	struct cli_json_place *known = &printer->places.data[index];
	if (!known->pc)
		*known = make_json_place(place, printer->foreign);
	return known;
}

/* printf("%s%" PRIu64, key, number), several times as fast. The stream is nobody else's, so that
 * it need not be locked. */
static void put_number(FILE *out, const char *key, uint64_t number)
{
	char digits[20], *first = digits + sizeof digits;
	do
		*--first = (char)('0' + number % 10);
	while (number /= 10);
	fwrite_unlocked(key, 1, strlen(key), out);
	fwrite_unlocked(first, 1, (size_t)(digits + sizeof digits - first), out);
}

static void put_text(FILE *out, const char *text, size_t length)
{
	fwrite_unlocked(text, 1, length, out);
}

void cli_print_json(struct cli_printer *printer, const struct ora_told *stop)
{
	static const char prev[] = ",\"prev\":", pc[] = ",\"pc\":", null[] = "null";
	const struct cli_json_place *place;
	FILE *out = printer->out;
	if (printer->thread) {
		put_number(out, "{\"thread\":", printer->thread);
		put_number(out, ",\"stop\":", stop->number);
	} else {
		put_number(out, "{\"stop\":", stop->number);
	}
	put_text(out, prev, sizeof prev - 1);
	if (stop->prev && (place = json_place(printer, stop->prev, stop->prev_index)))
		put_text(out, place->pc, place->pc_len);
	else
		put_text(out, null, sizeof null - 1);
	put_text(out, pc, sizeof pc - 1);
	place = json_place(printer, stop->place, stop->place_index);
	put_text(out, place->pc, place->pc_len);
	put_number(out, ",\"n\":", stop->n);
	put_text(out, place->rest, place->rest_len);
	if (printer->foreign && printer->shown && stop->frames.len) {
		fputs(",\"shown\":", out);
		json_frame(printer, &stop->frames.data[0]);
		putc('}', out);
	}
	if (printer->frames)
		json_frames(printer, stop);
	if (printer->foreign && printer->vars && !printer->texts)
		xs_print(out, ",\"frame_count\":%u", stop->frame_count);
	if (printer->texts)
		json_texts(printer, stop);
	else if (printer->vars)
		json_variables(printer, stop);
	if (printer->regs)
		json_registers(printer, stop);
	fputs("}\n", out);
}
