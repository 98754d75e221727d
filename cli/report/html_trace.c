#include "cli/report/html_trace.h"

#include <math.h>

#include "base/map.h"
#include "base/path.h"
#include "base/shown.h"
#include "cli/report/html.h"
#include "cli/report/json.h"
#include "cli/report/source_lines.h"

enum {
	STOPS = 20000, /* of a page; the rest is left out, and counted */
	LEAVES = 600,  /* variables with a life line */
	HOT = 25,      /* lines in the table of hot ones */
	AROUND = 4,    /* lines around those that were executed */
	GAP = 30,      /* lines without code that are still shown */
	HEATS = 5,     /* shades of the margin */
};

extern const char cli_html_trace_script[];

/* --- what is gathered ------------------------------------------------------------------------- */

/* Texts, each once. */
struct texts {
	XS_VEC(char *) vec;
	struct xs_map known; /* (hash, length) -> index, plus 1 */
};

static size_t text_of(struct texts *texts, const char *text)
{
	uint64_t *index = xs_map_at(&texts->known, xs_hash_text(0, text), strlen(text));
	if (!*index) {
		xs_vec_push(&texts->vec, xs_strdup(text));
		*index = texts->vec.len;
	}
	return *index - 1;
}

static void texts_deinit(struct texts *texts)
{
	for (size_t i = 0; i < texts->vec.len; i++)
		free(texts->vec.data[i]);
	xs_vec_deinit(&texts->vec);
	xs_map_deinit(&texts->known);
}

struct place {
	char *pc;
	size_t file, function; /* texts */
	uint32_t line, column;
};
struct stop {
	uint64_t number, n;
	size_t place, stack; /* stack: a text, or SIZE_MAX: not told */
};
/* A change: of a leaf, what it says is a text, or minus the state minus 1. */
struct change {
	size_t stop, what;
	int64_t says;
};
struct leaf {
	size_t path, scope, type; /* texts */
	uint32_t line;
	unsigned depth;
	size_t changes;
};
struct line {
	size_t file;
	uint32_t line;
	uint64_t hits, insns; /* arrivals from elsewhere, and instructions executed */
};

struct gathered {
	const struct cli_html_trace *what;
	struct texts texts, leaf_names, reg_names;
	struct xs_map place_of; /* index of the store's place -> plus 1 */
	struct xs_map line_of;  /* (file, line) -> plus 1 */
	XS_VEC(struct place) places;
	XS_VEC(struct stop) stops;
	XS_VEC(struct leaf) leaves;
	XS_VEC(struct change) facts, regs;
	XS_VEC(struct line) lines;
	uint64_t left; /* stops for which there is no room */
	bool counted;  /* transitions were */
};

static struct line *line_at(struct gathered *all, const struct ora_store_place *place)
{
	if (!place->file || !place->has_row || !place->line)
		return NULL;
	size_t file = text_of(&all->texts, place->file);
	uint64_t *index = xs_map_at(&all->line_of, file, place->line);
	if (!*index) {
		xs_vec_push(&all->lines, ((struct line){.file = file, .line = place->line}));
		*index = all->lines.len;
	}
	return &all->lines.data[*index - 1];
}

static size_t place_of(struct gathered *all, const struct ora_told *stop)
{
	const struct ora_store_place *place = stop->place;
	uint64_t *index = xs_map_at(&all->place_of, stop->place_index, 0);
	if (!*index) {
		char offset[32] = "";
		snprintf(offset, sizeof offset, "+0x%" PRIx64, (uint64_t)place->offset);
		XS_AUTO_FREE char *function =
			xs_asprintf("%s%s", place->function ? place->function : "?",
				place->function && place->offset >= 0 ? offset : "");
		struct place one = {.pc = place->module ? xs_asprintf("%s+0x%" PRIx64,
								  place->module, place->address)
							: xs_asprintf("0x%" PRIx64, place->address),
			.file = text_of(&all->texts, place->file ? place->file : ""),
			.function = text_of(&all->texts, function),
			.line = place->has_row ? place->line : 0,
			.column = place->has_row ? place->column : 0};
		xs_vec_push(&all->places, one);
		*index = all->places.len;
	}
	return *index - 1;
}

static size_t stack_of(struct gathered *all, const struct ora_told *stop)
{
	XS_AUTO_FREE char *text = NULL;
	size_t size = 0;
	if (!stop->has_frames)
		return SIZE_MAX;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	for (size_t i = 0; i < stop->frames.len; i++) {
		const struct ora_store_frame *frame = &stop->frames.data[i];
		fputs(i ? "\n" : "", out);
		xs_print(out, "%s%s  %s:%u", frame->function ? frame->function : "?",
			frame->inlined ? " (inlined)" : "",
			frame->file ? xs_base_name(frame->file) : "?", frame->line);
	}
	xs_assert(!fclose(out));
	return text_of(&all->texts, text);
}

static void take_fact(struct gathered *all, const struct ora_told_fact *fact)
{
	const struct ora_store_variable *variable = fact->variable;
	XS_AUTO_FREE char *name = xs_asprintf("%s\n%s\n%u\n%u\n%u", fact->path,
		variable->scope ? variable->scope : "", variable->line, fact->depth, fact->nth);
	size_t index = text_of(&all->leaf_names, name);
	if (index == all->leaves.len) {
		struct leaf leaf = {.path = text_of(&all->texts, fact->path),
			.scope = text_of(&all->texts, variable->scope ? variable->scope : ""),
			.type = text_of(&all->texts, fact->type ? fact->type : ""),
			.line = variable->line,
			.depth = fact->depth};
		xs_vec_push(&all->leaves, leaf);
	}
	bool value = fact->state == ORA_STATE_VALUE && fact->value;
	struct change change = {.stop = all->stops.len - 1,
		.what = index,
		.says = value ? (int64_t)text_of(&all->texts, fact->value)
			      : -1 - (int64_t)fact->state};
	all->leaves.data[index].changes++;
	xs_vec_push(&all->facts, change);
}

static void take_reg(void *arg, const struct ora_told_reg *reg)
{
	struct gathered *all = arg;
	char number[32];
	snprintf(number, sizeof number, "0x%" PRIx64, reg->value);
	struct change change = {.stop = all->stops.len - 1,
		.what = text_of(&all->reg_names, reg->name),
		.says = (int64_t)text_of(&all->texts, !reg->known ? "?"
						      : reg->text ? reg->text
								  : number)};
	xs_vec_push(&all->regs, change);
}

static void take_known(void *arg, const struct ora_told_fact *fact)
{
	take_fact(arg, fact);
}

static void take_stop(struct gathered *all, struct ora_reader *reader, const struct ora_told *stop)
{
	struct stop one = {.number = stop->number, .n = stop->n};
	one.place = place_of(all, stop);
	one.stack = stack_of(all, stop);
	xs_vec_push(&all->stops, one);
	/* The first one tells all there is by then. */
	if (all->stops.len == 1) {
		ora_reader_state(reader, take_known, take_reg, all);
		return;
	}
	for (size_t i = 0; i < stop->facts.len; i++)
		take_fact(all, &stop->facts.data[i]);
	for (size_t i = 0; i < stop->regs.len; i++)
		take_reg(all, &stop->regs.data[i]);
}

static void count(void *arg, const struct ora_store_place *prev,
	const struct ora_store_place *place, uint64_t times, uint64_t first)
{
	struct gathered *all = arg;
	struct line *line = line_at(all, place);
	(void)first;
	bool same = prev && prev->file && place->file && prev->line == place->line &&
		    !strcmp(prev->file, place->file) && prev->address < place->address;
	all->counted |= times > 0;
	if (line) {
		line->insns += times;
		line->hits += same ? 0 : times;
	}
}

static struct xs_error *gather(struct gathered *all)
{
	const struct cli_html_trace *what = all->what;
	XS_AUTO(ora_reader) reader = NULL;
	const struct ora_told *stop = NULL;
	struct xs_error *err = ora_reader_create(what->store, what->trace->id, &reader);
	while (!err && !(err = ora_reader_next(reader, &stop)) && stop) {
		if (stop->number < what->from || (what->to && stop->number > what->to))
			continue;
		if (all->stops.len < STOPS)
			take_stop(all, reader, stop);
		else
			all->left++;
	}
	return err ? err : ora_store_transitions(what->store, what->trace->id, count, all);
}

static void let_go(struct gathered *all)
{
	texts_deinit(&all->texts);
	texts_deinit(&all->leaf_names);
	texts_deinit(&all->reg_names);
	xs_map_deinit(&all->place_of);
	xs_map_deinit(&all->line_of);
	for (size_t i = 0; i < all->places.len; i++)
		free(all->places.data[i].pc);
	xs_vec_deinit(&all->places);
	xs_vec_deinit(&all->stops);
	xs_vec_deinit(&all->leaves);
	xs_vec_deinit(&all->facts);
	xs_vec_deinit(&all->regs);
	xs_vec_deinit(&all->lines);
}

/* --- the data --------------------------------------------------------------------------------- */

static void json_changes(FILE *out, const char *key, const struct change *changes, size_t count)
{
	xs_print(out, ",\n\"%s\":[", key);
	for (size_t i = 0; i < count; i++)
		xs_print(out, "%s%zu,%zu,%" PRId64, i ? "," : "", changes[i].stop, changes[i].what,
			changes[i].says);
	putc(']', out);
}

static void json_texts(FILE *out, const char *key, const struct texts *texts)
{
	xs_print(out, ",\n\"%s\":[", key);
	for (size_t i = 0; i < texts->vec.len; i++) {
		fputs(i ? "," : "", out);
		cli_json_string(out, texts->vec.data[i]);
	}
	putc(']', out);
}

static char *data_of(const struct gathered *all)
{
	const struct ora_trace_info *trace = all->what->trace;
	char *data = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&data, &size);
	xs_assert(out);
	fputs("{\"page\":\"trace\",\"version\":\"" XSTEP_VERSION "\",\"subject\":", out);
	cli_json_string(out, trace->subject.path);
	cli_json_key(out, "witness", trace->trace.witness);
	xs_print(out, ",\"trace\":%" PRIu64 ",\"left\":%" PRIu64 ",\n\"places\":[", trace->id,
		all->left);
	for (size_t i = 0; i < all->places.len; i++) {
		const struct place *place = &all->places.data[i];
		fputs(i ? ",[" : "[", out);
		cli_json_string(out, place->pc);
		xs_print(out, ",%zu,%u,%u,%zu]", place->file, place->line, place->column,
			place->function);
	}
	fputs("],\n\"stops\":[", out); /* number, place, n, stack or -1 */
	for (size_t i = 0; i < all->stops.len; i++) {
		const struct stop *stop = &all->stops.data[i];
		xs_print(out, "%s%" PRIu64 ",%zu,%" PRIu64 ",%" PRId64, i ? "," : "", stop->number,
			stop->place, stop->n, stop->stack == SIZE_MAX ? -1 : (int64_t)stop->stack);
	}
	fputs("],\n\"leaves\":[", out);
	for (size_t i = 0; i < all->leaves.len; i++) {
		const struct leaf *leaf = &all->leaves.data[i];
		xs_print(out, "%s[%zu,%zu,%zu,%u,%u]", i ? "," : "", leaf->path, leaf->scope,
			leaf->type, leaf->line, leaf->depth);
	}
	putc(']', out);
	json_changes(out, "facts", all->facts.data, all->facts.len);
	json_changes(out, "regs", all->regs.data, all->regs.len);
	json_texts(out, "reg_names", &all->reg_names);
	json_texts(out, "texts", &all->texts);
	fputs("}", out);
	xs_assert(!fclose(out));
	return data;
}

/* --- the source ------------------------------------------------------------------------------- */

static int compare_lines(const void *a, const void *b)
{
	const struct line *left = a, *right = b;
	if (left->file != right->file)
		return left->file < right->file ? -1 : 1;
	return (left->line > right->line) - (left->line < right->line);
}

static int compare_heat(const void *a, const void *b)
{
	const struct line *left = a, *right = b;
	return left->insns != right->insns ? (left->insns < right->insns ? 1 : -1)
					   : compare_lines(a, b);
}

static unsigned heat_of(uint64_t hits, uint64_t most)
{
	if (!hits)
		return 0;
	return 1 + (unsigned)((HEATS - 1) * log((double)hits) / log((double)(most > 1 ? most : 2)));
}

static void put_source_line(FILE *out, const struct gathered *all, size_t file, uint32_t number,
	const struct line *line, const char *text, uint64_t most)
{
	cli_html(out, "<tr data-f=\"%zu\" data-l=\"%u\" class=\"%s\"><td class=\"hits heat%u\">",
		file, number, line ? "code" : "", line ? heat_of(line->hits, most) : 0);
	if (line && all->counted)
		cli_html(out, "%lu", line->hits);
	cli_html(out, "</td><td class=\"no\">%u</td><td><code>", number);
	cli_html_lines(out, text);
	fputs("</code></td></tr>\n", out);
}

/* One file: what was executed of it, with a few lines around that. */
static void put_file(FILE *out, const struct gathered *all, struct cli_source *source,
	const struct line *lines, size_t count, uint64_t most)
{
	const char *path = all->texts.vec.data[lines->file];
	uint64_t number = 1; /* a row may have the greatest number of 32 bits */
	if (!cli_source_line(source, path, lines->line)) {
		cli_html(out, "<p class=\"note\">%s is not here any more.</p>\n", path);
		return;
	}
	cli_html(out,
		"<h4>%s</h4>\n<div class=\"scroll walk\" tabindex=\"0\"><table class=\"code\">\n",
		xs_base_name(path));
	for (size_t i = 0; i < count; i++) {
		uint64_t to = lines[i].line;
		if (!cli_source_line(source, path, lines[i].line))
			break; /* nor are those behind it */
		if (to > number + GAP || i == 0) {
			uint64_t from = to > AROUND ? to - AROUND : 1;
			from = from < number ? number : from;
			if (i)
				fputs("<tr class=\"gap\"><td></td><td></td><td>...</td></tr>\n",
					out);
			number = from;
		}
		for (; number <= to; number++) {
			const char *text = cli_source_line(source, path, (uint32_t)number);
			if (text)
				put_source_line(out, all, lines->file, (uint32_t)number,
					number == to ? &lines[i] : NULL, text, most);
		}
	}
	for (uint64_t end = number + AROUND; number < end && number <= UINT32_MAX; number++) {
		const char *text = cli_source_line(source, path, (uint32_t)number);
		if (text)
			put_source_line(out, all, lines->file, (uint32_t)number, NULL, text, most);
	}
	fputs("</table></div>\n", out);
}

static void put_source(FILE *out, struct gathered *all)
{
	struct cli_source *source = cli_source_create_tabbed();
	uint64_t most = 1;
	if (all->lines.len)
		qsort(all->lines.data, all->lines.len, sizeof *all->lines.data, compare_lines);
	for (size_t i = 0; i < all->lines.len; i++)
		most = all->lines.data[i].hits > most ? all->lines.data[i].hits : most;
	fputs("<section class=\"source sheet\"><h3>Source, and how often each line was come "
	      "to</h3>\n",
		out);
	for (size_t i = 0, end; i < all->lines.len; i = end) {
		for (end = i; end < all->lines.len &&
			      all->lines.data[end].file == all->lines.data[i].file;)
			end++;
		put_file(out, all, source, &all->lines.data[i], end - i, most);
	}
	fputs("</section>\n", out);
	cli_source_destroy(source);
}

static void put_hot(FILE *out, struct gathered *all)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < all->lines.len; i++)
		sum += all->lines.data[i].insns;
	if (!sum)
		return;
	qsort(all->lines.data, all->lines.len, sizeof *all->lines.data, compare_heat);
	fputs("<section class=\"sheet\"><h3>Hot lines</h3>\n<table class=\"hot\"><tr><th>line</th>"
	      "<th>come to</th><th>instructions</th><th>share</th><th></th></tr>\n",
		out);
	for (size_t i = 0; i < all->lines.len && i < HOT; i++) {
		const struct line *line = &all->lines.data[i];
		double share = 100.0 * (double)line->insns / (double)sum;
		cli_html(out,
			"<tr data-f=\"%zu\" "
			"data-l=\"%u\"><td><code>%s:%u</code></td><td>%lu</td><td>%lu</td>"
			"<td>%.1f %%</td><td class=\"bar\"><svg aria-hidden=\"true\"><rect "
			"width=\"%.1f%%\" "
			"height=\"10\"/></svg></td></tr>\n",
			line->file, line->line, xs_base_name(all->texts.vec.data[line->file]),
			line->line, line->hits, line->insns, share, share);
	}
	fputs("</table></section>\n", out);
}

/* --- variables -------------------------------------------------------------------------------- */

/* Where a leaf has a value, as a path over the stops; and its changes, as strokes. */
static void put_life(FILE *out, const struct gathered *all, size_t leaf)
{
	size_t from = SIZE_MAX;
	fputs("<path class=\"alive\" d=\"", out);
	for (size_t i = 0; i < all->facts.len; i++) {
		const struct change *change = &all->facts.data[i];
		if (change->what != leaf)
			continue;
		if (from == SIZE_MAX && change->says >= 0)
			from = change->stop;
		if (from != SIZE_MAX && change->says < 0) {
			cli_html(out, "M%zu 6H%zu", from, change->stop);
			from = SIZE_MAX;
		}
	}
	if (from != SIZE_MAX)
		cli_html(out, "M%zu 6H%zu", from, all->stops.len);
	fputs("\"/><path class=\"change\" d=\"", out);
	for (size_t i = 0; i < all->facts.len; i++)
		if (all->facts.data[i].what == leaf && all->facts.data[i].says >= 0)
			cli_html(out, "M%zu 1V11", all->facts.data[i].stop);
	fputs("\"/>", out);
}

static void put_variables(FILE *out, const struct gathered *all)
{
	size_t shown = all->leaves.len < LEAVES ? all->leaves.len : LEAVES;
	if (!shown)
		return;
	fputs("<section class=\"sheet variables\"><h3>Variables, and their lives</h3>\n"
	      "<p class=\"legend\"><span class=\"key alive\">has a value</span> <span class=\"key "
	      "change\">changes</span> <span class=\"key cursor\">the stop</span></p>\n"
	      "<div class=\"scroll tall\" tabindex=\"0\"><table "
	      "class=\"vars\">\n<tr><th>variable</th>"
	      "<th>now</th><th>life</th></tr>\n",
		out);
	for (size_t i = 0; i < shown; i++) {
		const struct leaf *leaf = &all->leaves.data[i];
		const char *scope = all->texts.vec.data[leaf->scope];
		cli_html(out,
			"<tr data-leaf=\"%zu\"><td><code title=\"%s, line %u\">%s</code> "
			"<small>%s%s</small></td>"
			"<td class=\"now\"></td><td class=\"life\"><svg viewBox=\"0 0 %zu 12\" "
			"preserveAspectRatio=\"none\" role=\"img\" aria-label=\"%zu changes\">",
			i, all->texts.vec.data[leaf->type], leaf->line,
			all->texts.vec.data[leaf->path], *scope ? "of " : "global",
			*scope ? scope : "", all->stops.len ? all->stops.len : (size_t)1,
			leaf->changes);
		put_life(out, all, i);
		fputs("<line class=\"cursor\" y1=\"0\" y2=\"12\"/></svg></td></tr>\n", out);
	}
	fputs("</table></div>\n", out);
	if (shown < all->leaves.len)
		cli_html(out, "<p class=\"note\">And %zu more leaves.</p>\n",
			all->leaves.len - shown);
	fputs("</section>\n", out);
}

/* --- the page --------------------------------------------------------------------------------- */

static void put_head(FILE *out, const struct gathered *all)
{
	const struct ora_trace_info *trace = all->what->trace;
	cli_html(out,
		"<header class=\"top\"><p class=\"brand\">xstep show</p><h1>%s</h1>\n<p "
		"class=\"who\"><b>%s</b> "
		"%s · %zu stops here, %lu executed%s%s</p>\n",
		xs_base_name(trace->subject.path), trace->trace.witness, trace->trace.version,
		all->stops.len, trace->end.stops, trace->end.how ? " · " : "",
		trace->end.how ? trace->end.how : "");
	if (all->left)
		cli_html(out,
			"<p class=\"note\">%lu more stops are not in this page: choose some with "
			"--from and "
			"--to.</p>\n",
			all->left);
	fputs("<noscript><p class=\"note\">To walk through the stops takes JavaScript. Source, hot "
	      "lines "
	      "and lives are here without it.</p></noscript>\n</header>\n",
		out);
}

/* What a script fills. */
/* clang-format off */
#define WALK \
	"<section class=\"sheet now\" id=\"walk\" hidden>\n" \
	"<p class=\"controls\">" \
	"<button data-go=\"first\" title=\"the first stop (Home)\">|&lt;</button> " \
	"<button data-go=\"back\" title=\"one stop back (left)\">&lt;</button> " \
	"<button data-go=\"on\" title=\"one stop on (right)\">&gt;</button> " \
	"<button data-go=\"last\" title=\"the last stop (End)\">&gt;|</button> " \
	"<button data-go=\"line-back\" title=\"the line before ([)\">&lt; line</button> " \
	"<button data-go=\"line-on\" title=\"the next line (])\">line &gt;</button> " \
	"<label>variable <select></select></label> " \
	"<button data-go=\"change-back\" title=\"its change before (p)\">&lt; change</button> " \
	"<button data-go=\"change-on\" title=\"its next change (n)\">change &gt;</button></p>\n" \
	"<input type=\"range\" min=\"0\" value=\"0\" aria-label=\"stop\">\n" \
	"<p class=\"at\"><output aria-live=\"polite\"></output></p>\n" \
	"<div class=\"panes\"><div class=\"pane\"><h4>Frames</h4><ol class=\"frames\"></ol></div>" \
	"<div class=\"pane\"><h4>Registers</h4><div class=\"regs\"></div></div></div></section>\n"
/* clang-format on */

struct xs_error *cli_html_trace(const struct cli_html_trace *what)
{
	struct gathered all = {.what = what};
	FILE *out = what->out;
	struct xs_error *err = gather(&all);
	if (!err) {
		XS_AUTO_FREE char *title =
			xs_asprintf("xstep show: %s", xs_base_name(what->trace->subject.path));
		XS_AUTO_FREE char *data = data_of(&all);
		cli_html_begin(out, title, cli_html_trace_script);
		put_head(out, &all);
		fputs("<main class=\"trace\">\n", out);
		fputs(WALK, out);
		fputs("<div class=\"sides\">\n", out);
		put_source(out, &all);
		put_variables(out, &all);
		fputs("</div>\n", out);
		put_hot(out, &all);
		fputs("</main>\n", out);
		cli_html_end(out, data, cli_html_trace_script);
	}
	let_go(&all);
	return err;
}
