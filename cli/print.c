#include "cli/print.h"

#include "cli/json.h"
#include "cli/source.h"

enum {
	CHANGES_SHOWN = 8, /* variables on a line of text; more are counted */
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
	printer->facts = ora_facts_create();
}

void cli_printer_deinit(struct cli_printer *printer)
{
	for (size_t i = 0; i < printer->places.len; i++) {
		free(printer->places.data[i].pc);
		free(printer->places.data[i].rest);
	}
	xs_vec_deinit(&printer->places);
	cli_source_destroy(printer->source);
	ora_facts_destroy(printer->facts);
	di_view_deinit(&printer->view);
	di_second_destroy(printer->second);
	di_opinion_deinit(&printer->opinion);
	xs_error_destroy(printer->err);
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

void cli_print_pc(FILE *out, const struct ora_place *place)
{
	if (place->main)
		fprintf(out, "0x%" PRIx64, place->pc);
	else
		fprintf(out, "%s+0x%" PRIx64, place->module->name, place->pc);
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

/* Names are whatever the file says: a terminal must not obey them. */
static void hide_controls(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
}

/* A line of source as it fits at the end of ours: no indentation, no control characters. */
static void print_source(struct cli_printer *printer, const char *line)
{
	line += strspn(line, " \t");
	for (; *line; line++)
		putc((unsigned char)*line < ' ' || *line == 0x7f ? ' ' : *line, printer->out);
}

/* --- variables, frames, registers
 * ------------------------------------------------------------------ */

static void keep_error(struct cli_printer *printer, struct xs_error *err)
{
	if (printer->err)
		xs_error_destroy(err);
	else
		printer->err = err;
}

/* Has libunwind walk the same stack, and notes where it differs. */
static void ask_libunwind(struct cli_printer *printer, const struct di_target *target)
{
	size_t frame;
	printer->disagreement[0] = 0;
	if (!printer->second)
		keep_error(printer, di_second_create(&printer->second));
	if (!printer->second)
		return;
	di_second_walk(printer->second, target, &printer->opinion);
	if (di_opinion_agrees(&printer->opinion, &printer->view.stack, &frame,
		    printer->disagreement, sizeof printer->disagreement))
		printer->disagreement[0] = 0;
}

/* Prepares the view, if anything of it is to be told. False if that failed. */
static bool look(struct cli_printer *printer, const struct ora_stop *stop)
{
	if (printer->which || printer->frames)
		keep_error(printer, di_view_open(&printer->view, stop->target, printer->frames));
	if (printer->frames && !printer->err)
		ask_libunwind(printer, stop->target);
	return !printer->err;
}

static void text_change(void *arg, const struct ora_fact *fact)
{
	struct cli_printer *printer = arg;
	/* What is out of scope, by its block or by its declaration, is no news to a reader. */
	if (fact->moved || fact->declared != DI_DECLARED_YES || !strcmp(fact->state, "absent") ||
		printer->changes++ >= CHANGES_SHOWN)
		return;
	bool value = fact->value;
	fprintf(printer->out, "%s%s = %s%s%s%s%s", printer->changes == 1 ? "  | " : ", ",
		fact->path, value ? "" : "<", value ? fact->value : fact->state, value ? "" : ">",
		fact->enumerator ? " " : "", fact->enumerator ? fact->enumerator : "");
}

static void text_variables(struct cli_printer *printer)
{
	printer->changes = 0;
	keep_error(printer, ora_facts_update(printer->facts, &printer->view, printer->which,
				    printer->max_leaves, text_change, printer));
	if (printer->changes > CHANGES_SHOWN)
		fprintf(printer->out, ", and %u more", printer->changes - CHANGES_SHOWN);
}

static void text_frames(struct cli_printer *printer)
{
	const struct di_view *view = &printer->view;
	for (size_t i = 1; i < view->frames.len; i++)
		fprintf(printer->out, "%s%s", i == 1 ? "  < " : " < ",
			view->frames.data[i].function ? view->frames.data[i].function : "?");
	if (*printer->disagreement)
		fprintf(printer->out, "  (%s)", printer->disagreement);
}

static void json_change(void *arg, const struct ora_fact *fact)
{
	struct cli_printer *printer = arg;
	if (printer->changes++)
		putc(',', printer->out);
	cli_json_fact(printer->out, fact, NULL);
}

/* The general registers that differ from the last time. */
static void tell_registers(struct cli_printer *printer, const struct di_target *target)
{
	static const char *const names[DI_REG_GENERAL] = {"rax", "rdx", "rcx", "rbx", "rsi", "rdi",
		"rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rip"};
	uint8_t bytes[DI_REG_BYTES];
	unsigned size;
	bool first = true;
	for (unsigned i = 0; i < DI_REG_GENERAL; i++) {
		if (!target->reg(target->arg, i, bytes, &size))
			continue;
		uint64_t value = di_wide_from_bytes(bytes, size).limb[0];
		if (printer->registers_told && printer->registers[i] == value)
			continue;
		printer->registers[i] = value;
		fprintf(printer->out,
			printer->json ? "%s\"%s\":\"0x%" PRIx64 "\"" : "%s%s=0x%" PRIx64,
			printer->json ? (first ? "" : ",") : (first ? "  " : " "), names[i], value);
		first = false;
	}
	printer->registers_told = true;
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
	hide_controls(function);
	hide_controls(where);
	const char *line = NULL;
	if (!look(printer, stop))
		return;
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
	if (printer->frames)
		text_frames(printer);
	if (printer->which)
		text_variables(printer);
	if (printer->regs)
		tell_registers(printer, stop->target);
	putc('\n', printer->out);
	printer->last = place;
}

/* --- JSON ----------------------------------------------------------------------------------------
 */

static void json_variables(struct cli_printer *printer)
{
	fputs(",\"vars\":[", printer->out);
	printer->changes = 0;
	keep_error(printer, ora_facts_update(printer->facts, &printer->view, printer->which,
				    printer->max_leaves, json_change, printer));
	putc(']', printer->out);
}

static void json_frames(struct cli_printer *printer)
{
	const struct di_view *view = &printer->view;
	fputs(",\"frames\":[", printer->out);
	for (size_t i = 0; i < view->frames.len; i++) {
		const struct di_view_frame *frame = &view->frames.data[i];
		fputs(i ? ",{\"function\":" : "{\"function\":", printer->out);
		cli_json_string(printer->out, frame->function);
		cli_json_key(printer->out, "file", frame->file);
		fprintf(printer->out, ",\"line\":%u,\"column\":%u,\"inlined\":%s}", frame->line,
			frame->column, frame->inlined ? "true" : "false");
	}
	putc(']', printer->out);
	if (*printer->disagreement)
		cli_json_key(printer->out, "disagreement", printer->disagreement);
}

void cli_json_pc(FILE *out, const struct ora_place *place)
{
	char text[128];
	if (place)
		format_pc(place, text, sizeof text);
	cli_json_string(out, place ? text : NULL);
}

/* Makes the texts of a place. */
static struct cli_json_place make_json_place(const struct ora_place *place)
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
	if (place->row)
		fprintf(out, ",\"line\":%u,\"column\":%u", place->row->line, place->row->column);
	else
		fputs(",\"line\":null,\"column\":null", out);
	xs_assert(!fclose(out));
	return ret;
}

/* Escaping names and formatting numbers at every stop would cost more than the stop: what is known
 * of a place is kept. */
static const struct cli_json_place *json_place(
	struct cli_printer *printer, const struct ora_place *place)
{
	while (printer->places.len <= place->index)
		xs_vec_push(&printer->places, (struct cli_json_place){0});
	struct cli_json_place *known = &printer->places.data[place->index];
	if (!known->pc)
		*known = make_json_place(place);
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

void cli_print_json(struct cli_printer *printer, const struct ora_stop *stop)
{
	static const char prev[] = ",\"prev\":", pc[] = ",\"pc\":", null[] = "null";
	const struct cli_json_place *place;
	FILE *out = printer->out;
	put_number(out, "{\"stop\":", stop->number);
	put_text(out, prev, sizeof prev - 1);
	if (stop->prev && (place = json_place(printer, stop->prev)))
		put_text(out, place->pc, place->pc_len);
	else
		put_text(out, null, sizeof null - 1);
	put_text(out, pc, sizeof pc - 1);
	place = json_place(printer, stop->place);
	put_text(out, place->pc, place->pc_len);
	put_number(out, ",\"n\":", stop->n);
	put_text(out, place->rest, place->rest_len);
	if (!look(printer, stop))
		return;
	if (printer->frames)
		json_frames(printer);
	if (printer->which)
		json_variables(printer);
	if (printer->regs) {
		fputs(",\"regs\":{", out);
		tell_registers(printer, stop->target);
		putc('}', out);
	}
	fputs("}\n", out);
}
