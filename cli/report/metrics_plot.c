/* metrics_plot.c - the metrics as a plot: for each program three bars. */
#include "base/path.h"
#include "base/shown.h"
#include "cli/report/metrics_print.h"
#include "cli/report/xml.h"

enum {
	HIGH = 220,       /* of the plot itself */
	TOP = 72,         /* of it: title and key are above */
	LEFT = 64,        /* of it, at least */
	BAR_WIDE = 24,    /* a bar, wide enough for its number */
	GROUP_WIDE = 92,  /* the bars of a program, and what is between programs */
	LABEL_MAX = 48,   /* characters of a name; of a longer one the end */
	WIDE_MIN = 520,   /* room for the title */
	LETTER = 6,       /* about what a letter takes */
	LEVEL_LABEL = 13, /* characters of a name that fits below its bars */
};

static const char *const colours[] = {"#4477aa", "#66ccee", "#228833"};
static const char *const names[] = {"line coverage", "availability", "product"};

/* How it is laid out. */
struct plot {
	FILE *out;
	const struct ora_measuring *all;
	int left, wide, high;
	bool slanted; /* names do not fit below their bars */
};

/* What stands below the bars of a program: not more than its end; to be freed. */
static char *label_of(const struct plot *plot, size_t one)
{
	XS_AUTO_FREE char *whole = cli_metrics_label(plot->all, one);
	XS_AUTO_FREE char *label = xs_shown_text(whole);
	size_t length = strlen(label), from = length > LABEL_MAX ? length - LABEL_MAX : 0;
	while (from && ((unsigned char)label[from] & 0xc0) == 0x80) /* inside of a character */
		from++;
	return xs_asprintf("%s%s", from ? "..." : "", label + from);
}

static void lay_out(struct plot *plot)
{
	size_t longest = 0, programs = plot->all->vec.len;
	for (size_t i = 0; i < programs; i++) {
		XS_AUTO_FREE char *label = label_of(plot, i);
		longest = strlen(label) > longest ? strlen(label) : longest;
	}
	plot->slanted = longest > LEVEL_LABEL;
	/* At 45 degrees a name is as high as it is wide; it ends below its bars. */
	int reach = (int)longest * LETTER * 5 / 7;
	plot->left = LEFT;
	if (plot->slanted && reach > LEFT + GROUP_WIDE / 2 - 20)
		plot->left = reach - GROUP_WIDE / 2 + 30;
	plot->wide = plot->left + GROUP_WIDE * (int)programs + 24;
	plot->wide = plot->wide > WIDE_MIN ? plot->wide : WIDE_MIN;
	plot->high = TOP + HIGH + (plot->slanted ? reach + 28 : 36);
}

static void draw_head(const struct plot *plot)
{
	const char *unopt = plot->all->vec.data[0].against;
	xs_print(plot->out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"11\">\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
		plot->wide, plot->high, plot->wide, plot->high);
	xs_print(plot->out, "<text x=\"%d\" y=\"22\" font-size=\"14\" font-weight=\"bold\">",
		plot->left);
	fputs("What a debugger can show, against ", plot->out);
	cli_xml_text(plot->out, xs_base_name(unopt));
	fputs("</text>\n", plot->out);
	for (int i = 0; i < 3; i++)
		xs_print(plot->out,
			"<rect x=\"%d\" y=\"34\" width=\"11\" height=\"11\" fill=\"%s\"/><text "
			"x=\"%d\" y=\"44\">%s</text>\n",
			plot->left + 120 * i, colours[i], plot->left + 120 * i + 16, names[i]);
}

static void draw_axes(const struct plot *plot)
{
	for (int i = 0; i <= 4; i++) {
		int y = TOP + HIGH - HIGH * i / 4;
		xs_print(plot->out,
			"<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"%s\"/><text "
			"x=\"%d\" y=\"%d\" text-anchor=\"end\">%d %%</text>\n",
			plot->left, plot->wide - 12, y, y, i ? "#cccccc" : "#444444",
			plot->left - 6, y + 4, 25 * i);
	}
	xs_print(plot->out,
		"<text transform=\"translate(%d %d) rotate(-90)\" text-anchor=\"middle\">part of "
		"what is there unoptimised</text>\n",
		plot->left - 46, TOP + HIGH / 2);
}

static void draw_bar(const struct plot *plot, int left, int which, double value)
{
	double y = TOP + HIGH * (1 - (isnan(value) ? 0 : value));
	if (!isnan(value))
		xs_print(plot->out,
			"<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" "
			"fill=\"%s\"><title>%s "
			"%.3f</title></rect>\n",
			left, y, BAR_WIDE, HIGH * value, colours[which], names[which], value);
	xs_print(plot->out, "<text x=\"%d\" y=\"%.1f\" font-size=\"9\" text-anchor=\"middle\">",
		left + BAR_WIDE / 2, y - 3);
	if (isnan(value))
		fputs("none", plot->out);
	else
		xs_print(plot->out, "%.0f", 100 * value);
	fputs("</text>\n", plot->out);
}

static void draw_label(const struct plot *plot, size_t one, int centre)
{
	XS_AUTO_FREE char *label = label_of(plot, one);
	int y = TOP + HIGH + (plot->slanted ? 14 : 18);
	if (plot->slanted)
		xs_print(plot->out,
			"<text transform=\"translate(%d %d) rotate(-45)\" text-anchor=\"end\">",
			centre + 4, y);
	else
		xs_print(plot->out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", centre, y);
	cli_xml_text(plot->out, label);
	fputs("</text>\n", plot->out);
}

void cli_metrics_svg(FILE *out, const struct cli_metrics *metrics)
{
	struct plot plot = {.out = out, .all = metrics->all};
	lay_out(&plot);
	draw_head(&plot);
	draw_axes(&plot);
	for (size_t i = 0; i < plot.all->vec.len; i++) {
		const struct ora_metrics_row *total = &plot.all->vec.data[i].metrics.total;
		int left = plot.left + 10 + GROUP_WIDE * (int)i;
		draw_bar(&plot, left, 0, ora_metrics_coverage(total));
		draw_bar(&plot, left + BAR_WIDE + 1, 1, ora_metrics_availability(total));
		draw_bar(&plot, left + 2 * (BAR_WIDE + 1), 2, ora_metrics_product(total));
		draw_label(&plot, i, left + 3 * BAR_WIDE / 2 + 1);
	}
	fputs("</svg>\n", out);
}
