#include "cli/report/metrics_print.h"

#include "base/path.h"
#include "base/shown.h"
#include "cli/report/json.h"
#include "cli/report/xml.h"

enum { LOSSES_SHOWN = 8 }; /* lines of a variable, in text */

/* --- text ------------------------------------------------------------------------------------- */

static void print_row(
	FILE *out, const char *name, const char *witness, const struct ora_metrics_row *row)
{
	xs_print(out,
		"%-24s %-6s %7.3f %9.3f %9.3f   %" PRIu64 " of %" PRIu64 " lines, %" PRIu64
		" variables\n",
		name, witness, ora_metrics_coverage(row), ora_metrics_availability(row),
		ora_metrics_coverage(row) * ora_metrics_availability(row), row->common, row->lines,
		row->variables);
}

static void print_variables(FILE *out, const struct ora_metrics *metrics)
{
	for (size_t i = 0; i < metrics->variables.len; i++) {
		const struct ora_metrics_variable *one = &metrics->variables.data[i];
		if (!one->lost.len)
			continue;
		xs_print(out, "  %s of %s, line %u: %" PRIu64 " of %" PRIu64 " lines; lost at",
			one->name, one->function, one->declared, one->available, one->range);
		for (size_t k = 0; k < one->lost.len && k < LOSSES_SHOWN; k++)
			xs_print(out, "%s %u (%s)", k ? "," : "", one->lost.data[k].line,
				ora_state_text(one->lost.data[k].state));
		if (one->lost.len > LOSSES_SHOWN)
			xs_print(out, ", and %zu more", one->lost.len - LOSSES_SHOWN);
		putc('\n', out);
	}
}

void cli_metrics_text(FILE *out, const struct ora_measuring *all, bool functions, bool variables)
{
	xs_print(out, "%-24s %-6s %7s %9s %9s\n", "", "", "lines", "available", "product");
	for (size_t i = 0; i < all->vec.len; i++) {
		const struct ora_measured *one = &all->vec.data[i];
		const char *witness = one->opt->trace.witness;
		print_row(out, xs_base_name(one->opt->subject.path), witness, &one->metrics.total);
		for (size_t k = 0; functions && k < one->metrics.functions.len; k++) {
			XS_AUTO_FREE char *name =
				xs_asprintf("  %s", one->metrics.functions.data[k].function);
			print_row(out, name, "", &one->metrics.functions.data[k]);
		}
		if (variables)
			print_variables(out, &one->metrics);
	}
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void json_row(FILE *out, const struct ora_metrics_row *row)
{
	xs_print(out,
		"\"lines\":%" PRIu64 ",\"common\":%" PRIu64
		",\"line_coverage\":%.6f,\"availability\":%.6f,\"product\":%.6f,\"variables\":"
		"%" PRIu64 "}",
		row->lines, row->common, ora_metrics_coverage(row), ora_metrics_availability(row),
		ora_metrics_coverage(row) * ora_metrics_availability(row), row->variables);
}

static void json_variable(FILE *out, const struct ora_metrics_variable *one)
{
	fputs("{\"function\":", out);
	cli_json_string(out, one->function);
	cli_json_key(out, "name", one->name);
	xs_print(out, ",\"line\":%u,\"range\":%" PRIu64 ",\"available\":%" PRIu64 ",\"lost\":[",
		one->declared, one->range, one->available);
	for (size_t k = 0; k < one->lost.len; k++)
		xs_print(out, "%s{\"line\":%u,\"state\":\"%s\"}", k ? "," : "",
			one->lost.data[k].line, ora_state_text(one->lost.data[k].state));
	fputs("]}", out);
}

void cli_metrics_json(FILE *out, const struct ora_measuring *all)
{
	fputs("{\"programs\":[", out);
	for (size_t i = 0; i < all->vec.len; i++) {
		const struct ora_measured *one = &all->vec.data[i];
		xs_print(out, "%s\n{\"program\":", i ? "," : "");
		cli_json_string(out, one->opt->subject.path);
		cli_json_key(out, "witness", one->opt->trace.witness);
		cli_json_key(out, "version", one->opt->trace.version);
		cli_json_key(out, "against", one->unopt->subject.path);
		fputs(",\"total\":{", out);
		json_row(out, &one->metrics.total);
		fputs(",\"functions\":[", out);
		for (size_t k = 0; k < one->metrics.functions.len; k++) {
			xs_print(out, "%s{\"function\":", k ? "," : "");
			cli_json_string(out, one->metrics.functions.data[k].function);
			putc(',', out);
			json_row(out, &one->metrics.functions.data[k]);
		}
		fputs("],\"variables\":[", out);
		for (size_t k = 0; k < one->metrics.variables.len; k++) {
			fputs(k ? "," : "", out);
			json_variable(out, &one->metrics.variables.data[k]);
		}
		fputs("]}", out);
	}
	fputs("]}\n", out);
}

/* --- a plot: for each program three bars ------------------------------------------------------ */

enum { PLOT_HIGH = 220, PLOT_LEFT = 48, PLOT_TOP = 36, BAR_WIDE = 18, GROUP_WIDE = 84 };

void cli_metrics_svg(FILE *out, const struct ora_measuring *all)
{
	static const char *const colours[] = {"#4477aa", "#66ccee", "#228833"};
	static const char *const names[] = {"line coverage", "availability", "product"};
	int wide = PLOT_LEFT + GROUP_WIDE * (int)all->vec.len + 20;
	wide = wide > 420 ? wide : 420;
	xs_print(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%%\" "
		"height=\"100%%\" "
		"fill=\"white\"/>\n",
		wide, PLOT_TOP + PLOT_HIGH + 44);
	for (int i = 0; i < 3; i++)
		xs_print(out,
			"<rect x=\"%d\" y=\"10\" width=\"11\" height=\"11\" fill=\"%s\"/><text "
			"x=\"%d\" "
			"y=\"20\">%s</text>\n",
			PLOT_LEFT + 120 * i, colours[i], PLOT_LEFT + 120 * i + 16, names[i]);
	for (int i = 0; i <= 4; i++) {
		int y = PLOT_TOP + PLOT_HIGH - PLOT_HIGH * i / 4;
		xs_print(out,
			"<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"#cccccc\"/><text "
			"x=\"%d\" y=\"%d\" text-anchor=\"end\">%d %%</text>\n",
			PLOT_LEFT, wide - 10, y, y, PLOT_LEFT - 6, y + 4, 25 * i);
	}
	for (size_t i = 0; i < all->vec.len; i++) {
		const struct ora_measured *one = &all->vec.data[i];
		double lines = ora_metrics_coverage(&one->metrics.total);
		double available = ora_metrics_availability(&one->metrics.total);
		double values[] = {lines, available, lines * available};
		int left = PLOT_LEFT + 10 + GROUP_WIDE * (int)i;
		for (int k = 0; k < 3; k++)
			xs_print(out,
				"<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" "
				"fill=\"%s\"><title>%s %.3f</title></rect>\n",
				left + (BAR_WIDE + 2) * k, PLOT_TOP + PLOT_HIGH * (1 - values[k]),
				BAR_WIDE, PLOT_HIGH * values[k], colours[k], names[k], values[k]);
		for (int k = 0; k < 2; k++) {
			xs_print(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", left + 29,
				PLOT_TOP + PLOT_HIGH + 16 + 14 * k);
			cli_xml_text(out,
				k ? one->opt->trace.witness : xs_base_name(one->opt->subject.path));
			fputs("</text>\n", out);
		}
	}
	fputs("</svg>\n", out);
}
