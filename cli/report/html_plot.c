/* html_plot.c - the value of a leaf from stop to stop: what is true as a line, what debuggers show
 * as marks. Values that are few have a line each; many numbers have an axis. */
#include <math.h>

#include "base/shown.h"
#include "cli/report/html_case.h"
#include "cli/report/json.h"

enum {
	POINTS = 240, /* stops that are drawn */
	FEW = 8,      /* values that have a line each */
	HIGH = 18,    /* of such a line, in pixels */
	TALL = 140,   /* of an axis */
	WIDE = 14,    /* characters of a label */
};

/* Two more lines, below the values. */
enum { ROW_LOST, ROW_ABSENT, ROWS };

struct plot {
	const struct cli_html_case *one;
	size_t judge;
	XS_VEC(const struct ora_story_point *) points; /* that are drawn */
	XS_VEC(const char *) values;                   /* different ones, the greatest first */
	bool numeric, axis; /* all are numbers; they have an axis instead of lines */
	double lo, hi;      /* of that axis */
	unsigned height;    /* of the values */
};

static bool number_of(const char *text, double *ret)
{
	char *end = NULL;
	*ret = text ? strtod(text, &end) : 0;
	return text && end != text && !*end && isfinite(*ret);
}

static bool is_finding(const struct plot *plot, const struct ora_story_point *point)
{
	const struct ora_difference *one = plot->one->finding->difference;
	return point->pc == one->pc && point->prev == one->prev && point->n == one->n;
}

/* The judge's word, and that of those who say something else. */
static bool is_drawn(const struct plot *plot, size_t w)
{
	const struct ora_finding *finding = plot->one->finding;
	return w == plot->judge || finding->differs >> w & 1 || finding->wrong >> w & 1;
}

static int compare_numbers(const void *a, const void *b)
{
	double left, right;
	bool known = number_of(*(const char *const *)a, &left) &&
		     number_of(*(const char *const *)b, &right);
	return known ? (left < right) - (left > right)
		     : strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_value(struct plot *plot, const char *value)
{
	double number;
	for (size_t i = 0; i < plot->values.len; i++)
		if (!strcmp(plot->values.data[i], value))
			return;
	plot->numeric &= number_of(value, &number);
	xs_vec_push(&plot->values, value);
}

static void choose_points(struct plot *plot)
{
	const struct ora_story *story = plot->one->story;
	size_t every = story->points.len / POINTS + 1;
	for (size_t i = 0; i < story->points.len; i++) {
		const struct ora_story_point *point = &story->points.data[i];
		bool said = false;
		for (size_t w = 0; w < plot->one->print->count; w++)
			said |= is_drawn(plot, w) && point->said[w].heard &&
				point->said[w].state != ORA_STATE_ABSENT;
		if ((said && i % every == 0) || is_finding(plot, point))
			xs_vec_push(&plot->points, point);
	}
	plot->numeric = true;
	for (size_t i = 0; i < plot->points.len; i++)
		for (size_t w = 0; w < plot->one->print->count; w++)
			if (is_drawn(plot, w) && plot->points.data[i]->said[w].value)
				add_value(plot, plot->points.data[i]->said[w].value);
	if (plot->values.len)
		qsort(plot->values.data, plot->values.len, sizeof *plot->values.data,
			compare_numbers);
	plot->axis = plot->values.len > FEW;
	plot->height = plot->axis ? TALL : (unsigned)plot->values.len * HIGH;
	if (plot->axis && plot->numeric) {
		number_of(plot->values.data[0], &plot->hi);
		number_of(plot->values.data[plot->values.len - 1], &plot->lo);
	}
}

static double x_of(const struct plot *plot, size_t i)
{
	return plot->points.len < 2 ? 50 : 2 + 96.0 * (double)i / (double)(plot->points.len - 1);
}

static double y_of(const struct plot *plot, const struct ora_story_said *said)
{
	double number = 0;
	if (said->state == ORA_STATE_ABSENT)
		return plot->height + (ROW_ABSENT + 0.5) * HIGH;
	if (!said->value)
		return plot->height + (ROW_LOST + 0.5) * HIGH;
	if (plot->axis && plot->numeric && number_of(said->value, &number))
		return 8 + (TALL - 16) * (plot->hi - number) / (plot->hi - plot->lo);
	size_t i = 0;
	while (i < plot->values.len && strcmp(plot->values.data[i], said->value) != 0)
		i++;
	return ((double)i + 0.5) * plot->height / (double)plot->values.len;
}

static void put_label(FILE *out, double y, const char *text)
{
	cli_html(out, "<text x=\"100%%\" y=\"%.1f\"><title>%s</title>%.*s%s</text>", y + 4, text,
		WIDE, text, strlen(text) > WIDE ? "…" : "");
}

static void put_labels(FILE *out, const struct plot *plot)
{
	for (size_t i = 0; i < plot->values.len && !plot->axis; i++)
		put_label(out, ((double)i + 0.5) * HIGH, plot->values.data[i]);
	if (plot->axis) {
		put_label(out, 10, plot->values.data[0]);
		put_label(out, plot->height - 10, plot->values.data[plot->values.len - 1]);
	}
	put_label(out, plot->height + (ROW_LOST + 0.5) * HIGH, "no value");
	put_label(out, plot->height + (ROW_ABSENT + 0.5) * HIGH, "not listed");
}

/* What the judge says, as steps. */
static void put_line(FILE *out, const struct plot *plot)
{
	double last_x = 0, last_y = 0;
	bool begun = false;
	for (size_t i = 0; i < plot->points.len; i++) {
		const struct ora_story_said *said = &plot->points.data[i]->said[plot->judge];
		if (!said->heard)
			continue;
		double x = x_of(plot, i), y = y_of(plot, said);
		if (begun)
			cli_html(out,
				"<line class=\"true\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.1f\" "
				"y2=\"%.1f\"/>",
				last_x, x, last_y, last_y);
		if (begun && fabs(y - last_y) > 0.1)
			cli_html(out,
				"<line class=\"true\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.1f\" "
				"y2=\"%.1f\"/>",
				x, x, last_y, y);
		last_x = x;
		last_y = y;
		begun = true;
	}
}

/* Whose mark it is: `xstep`, `gdb`, `lldb`. */
static const char *one_kind(const struct plot *plot, size_t w)
{
	const char *who = plot->one->print->verdicts->witnesses[w];
	return w == plot->judge ? "xstep" : !strncmp(who, "gdb", 3) ? "gdb" : "lldb";
}

static void put_marks(FILE *out, const struct plot *plot, size_t w)
{
	const char *who = one_kind(plot, w);
	for (size_t i = 0; i < plot->points.len; i++) {
		const struct ora_story_point *point = plot->points.data[i];
		const struct ora_story_said *said = &point->said[w];
		if (!said->heard)
			continue;
		bool other = w != plot->judge && plot->judge < plot->one->print->count &&
			     point->said[plot->judge].heard &&
			     fabs(y_of(plot, said) - y_of(plot, &point->said[plot->judge])) > 0.1;
		cli_html(out,
			"<use class=\"%s%s\" href=\"#m-%s\" x=\"%.2f%%\" y=\"%.1f\" data-a=\"%lx\">"
			"<title>stop %lu, 0x%lx: %s: %s</title></use>",
			who, other ? " differs" : "", who, x_of(plot, i), y_of(plot, said),
			point->pc, point->number, point->pc, cli_finding_label(plot->one->print, w),
			said->value ? said->value : ora_state_text(said->state));
	}
}

void cli_html_plot(FILE *out, const struct cli_html_case *one)
{
	struct plot plot = {.one = one, .judge = ora_verdicts_judge(one->print->verdicts)};
	if (!one->story || !one->story->points.len)
		return;
	choose_points(&plot);
	unsigned height = plot.height + ROWS * HIGH;
	if (plot.points.len) {
		cli_html(out,
			"<section class=\"plot\"><h3>From stop to stop</h3>\n<p "
			"class=\"note intro\">The variable while the program runs, from left to "
			"right: what it is by the debug information, and what else is "
			"shown.</p>\n<p class=\"legend\"><span "
			"class=\"key true\">xstep</span>");
		for (size_t w = 0; w < one->print->count; w++)
			if (w != plot.judge && is_drawn(&plot, w))
				cli_html(out, " <span class=\"key mark-%s\">%s</span>",
					one_kind(&plot, w), cli_finding_label(one->print, w));
		cli_html(out,
			" <span class=\"key cursor\">this finding</span></p>\n<div "
			"class=\"chart\"><svg "
			"class=\"labels\" height=\"%u\">",
			height);
		put_labels(out, &plot);
		cli_html(out,
			"</svg><svg class=\"area\" height=\"%u\" role=\"img\" aria-label=\"the "
			"value at %zu stops\">",
			height, plot.points.len);
		cli_html(out,
			"<rect class=\"none\" x=\"0\" width=\"100%%\" y=\"%u\" height=\"%u\"/>",
			plot.height, ROWS * HIGH);
		for (size_t i = 0; i < plot.points.len; i++)
			if (is_finding(&plot, plot.points.data[i]))
				cli_html(out,
					"<line class=\"cursor\" x1=\"%.2f%%\" x2=\"%.2f%%\" "
					"y1=\"0\" y2=\"100%%\"/>",
					x_of(&plot, i), x_of(&plot, i));
		if (plot.judge < one->print->count)
			put_line(out, &plot);
		for (size_t w = 0; w < one->print->count; w++)
			if (is_drawn(&plot, w))
				put_marks(out, &plot, w);
		fputs("</svg></div>\n", out);
		cli_html(out,
			"<p class=\"note\">%zu of the stops that were kept%s, in their order.</p>"
			"</section>\n",
			plot.points.len,
			plot.points.len < one->story->points.len ? ", not all" : "");
	}
	xs_vec_deinit(&plot.points);
	xs_vec_deinit(&plot.values);
}

void cli_html_plot_json(FILE *out, const struct cli_html_case *one)
{
	struct plot plot = {.one = one, .judge = ora_verdicts_judge(one->print->verdicts)};
	if (one->story)
		choose_points(&plot);
	putc('[', out);
	for (size_t i = 0; i < plot.points.len; i++) {
		const struct ora_story_point *point = plot.points.data[i];
		xs_print(out, "%s[%" PRIu64 ",\"0x%" PRIx64 "\",[", i ? "," : "", point->number,
			point->pc);
		for (size_t w = 0; w < one->print->count; w++) {
			const struct ora_story_said *said = &point->said[w];
			const char *text = said->value ? said->value : ora_state_text(said->state);
			fputs(w ? "," : "", out);
			cli_json_string(out, said->heard ? text : NULL);
		}
		fputs("]]", out);
	}
	putc(']', out);
	xs_vec_deinit(&plot.points);
	xs_vec_deinit(&plot.values);
}
