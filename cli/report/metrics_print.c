#include "cli/report/metrics_print.h"

#include "base/path.h"
#include "base/shown.h"
#include "cli/report/json.h"

enum { LOSSES_SHOWN = 8 }; /* lines of a variable, in text */

/* --- names ------------------------------------------------------------------------------------ */

/* The end of a path from so many slashes on; all of it if there are not so many. */
static const char *tail_of(const char *path, size_t slashes)
{
	const char *at = path + strlen(path);
	while (at > path && (at[-1] != '/' || slashes--))
		at--;
	return at;
}

char *cli_metrics_label(const struct ora_measuring *all, size_t one)
{
	const struct ora_measured *it = &all->vec.data[one];
	const char *path = it->path;
	size_t slashes = 0;
	bool several = false;
	for (size_t i = 0; i < all->vec.len; i++) {
		const char *other = all->vec.data[i].path;
		several |= strcmp(all->vec.data[i].opt->trace.witness, it->opt->trace.witness) != 0;
		if (!strcmp(other, path))
			continue;
		while (tail_of(path, slashes) != path &&
			!strcmp(tail_of(path, slashes), tail_of(other, slashes)))
			slashes++;
	}
	return xs_asprintf("%s%s%s", tail_of(path, slashes), several ? " by " : "",
		several ? it->opt->trace.witness : "");
}

/* --- tables ----------------------------------------------------------------------------------- */

enum { COLUMNS_MAX = 11 };

/* Cells of text, made as wide as the widest of their column. */
struct table {
	XS_VEC(struct table_row { char *cells[COLUMNS_MAX]; }) rows;
	size_t columns;
	unsigned left; /* mask of columns that are not numbers */
};

static void table_add(struct table *table, char *const *cells)
{
	struct table_row row = {0};
	for (size_t i = 0; i < table->columns; i++)
		row.cells[i] = xs_shown_text(cells[i]);
	xs_vec_push(&table->rows, row);
}

/* The same for texts that nobody needs any more. */
static void table_take(struct table *table, char **cells)
{
	table_add(table, cells);
	for (size_t i = 0; i < table->columns; i++)
		free(cells[i]);
}

static void table_print(FILE *out, struct table *table)
{
	size_t widths[COLUMNS_MAX] = {0};
	for (size_t r = 0; r < table->rows.len; r++)
		for (size_t i = 0; i < table->columns; i++) {
			size_t width = strlen(table->rows.data[r].cells[i]);
			widths[i] = width > widths[i] ? width : widths[i];
		}
	for (size_t r = 0; r < table->rows.len; r++) {
		for (size_t i = 0; i < table->columns; i++) {
			char *cell = table->rows.data[r].cells[i];
			int width = (int)widths[i];
			bool last = i + 1 == table->columns;
			fputs(i && width && (*cell || !last) ? "  " : "", out);
			if (!(table->left >> i & 1))
				xs_print(out, "%*s", width, cell);
			else if (!last)
				xs_print(out, "%-*s", width, cell);
			else
				xs_print(out, "%s", cell);
			free(cell);
		}
		putc('\n', out);
	}
	xs_vec_deinit(&table->rows);
}

/* A ratio, or that there is none; to be freed. */
static char *ratio_text(double ratio)
{
	return isnan(ratio) ? xs_strdup("-") : xs_asprintf("%.3f", ratio);
}

static char *count_text(uint64_t count)
{
	return xs_asprintf("%" PRIu64, count);
}

/* --- text ------------------------------------------------------------------------------------- */

static void add_row(struct table *table, char *name, const struct ora_metrics_row *row)
{
	table_take(table, (char *[]){name, ratio_text(ora_metrics_coverage(row)),
				  ratio_text(ora_metrics_availability(row)),
				  ratio_text(ora_metrics_product(row)), count_text(row->common),
				  count_text(row->lines), count_text(row->variables)});
}

/* `11 (optimized-out), 12 (absent), and 3 more`; to be freed. */
static char *losses_text(const struct ora_metrics_variable *one)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	for (size_t k = 0; k < one->lost.len && k < LOSSES_SHOWN; k++)
		xs_print(out, "%s%u (%s)", k ? ", " : "", one->lost.data[k].line,
			ora_state_text(one->lost.data[k].state));
	if (one->lost.len > LOSSES_SHOWN)
		xs_print(out, ", and %zu more", one->lost.len - LOSSES_SHOWN);
	xs_assert(!fclose(out));
	return text;
}

static char *declaration_of(const struct ora_metrics_variable *one)
{
	return xs_asprintf("%s:%u", one->file ? xs_base_name(one->file) : "?", one->declared);
}

/* A variable, or one instance of it. count, chain and lost are taken. */
static void add_variable(struct table *table, const struct ora_metrics_variable *one,
	const struct ora_metrics_cover *cover, char *count, char *chain, char *lost)
{
	table_take(table,
		(char *[]){xs_strdup(one->function), count, chain, xs_strdup(one->name),
			declaration_of(one), count_text(cover->covered), count_text(one->baseline),
			ratio_text(ora_metrics_ratio((double)cover->covered, one->baseline)),
			count_text(cover->present),
			ratio_text(ora_metrics_ratio((double)cover->present, one->baseline)),
			lost});
}

static void print_variables(FILE *out, const struct ora_metrics *metrics, bool instances)
{
	static const char *const heads[] = {"Function", "InstanceCount", "InlChain", "Variable",
		"Decl", "LinesCovered", "Baseline", "CoveredRatio", "LinesPresent",
		"LinesPresentRatio", "Lost"};
	struct table table = {
		.columns = COLUMNS_MAX, .left = 1 << 0 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 10};
	char *cells[COLUMNS_MAX];
	for (size_t i = 0; i < COLUMNS_MAX; i++)
		cells[i] = xs_strdup(!instances && (i == 1 || i == 2) ? "" : heads[i]);
	table_take(&table, cells);
	for (size_t i = 0; i < metrics->variables.len; i++) {
		const struct ora_metrics_variable *one = &metrics->variables.data[i];
		add_variable(&table, one, &one->cover,
			instances ? count_text(one->instances.len) : xs_strdup(""),
			xs_strdup(instances ? "all together" : ""), losses_text(one));
		/* A function that is nowhere inlined was told already. */
		bool apart = one->instances.len > 1 ||
			     (one->instances.len && *one->instances.data[0].chain);
		for (size_t k = 0; apart && k < one->instances.len; k++) {
			const char *where = one->instances.data[k].chain;
			add_variable(&table, one, &one->instances.data[k].cover, xs_strdup(""),
				xs_strdup(*where ? where : "not inlined"), xs_strdup(""));
		}
	}
	table_print(out, &table);
}

void cli_metrics_text(FILE *out, const struct cli_metrics *metrics)
{
	const struct ora_measuring *all = metrics->all;
	struct table table = {.columns = 7, .left = 1};
	xs_print(out, "against %s\n", all->vec.data[0].against);
	for (size_t i = 0; i < metrics->lost->vec.len; i++)
		xs_print(out, "  %-10s lost: %s\n", metrics->lost->vec.data[i].witness,
			metrics->lost->vec.data[i].why);
	table_add(&table, (char *[]){(char[]){""}, (char[]){"lines"}, (char[]){"available"},
				  (char[]){"product"}, (char[]){"hit"}, (char[]){"of"},
				  (char[]){"variables"}});
	for (size_t i = 0; i < all->vec.len; i++) {
		const struct ora_metrics *one = &all->vec.data[i].metrics;
		add_row(&table, cli_metrics_label(all, i), &one->total);
		for (size_t k = 0; metrics->functions && k < one->functions.len; k++)
			add_row(&table, xs_asprintf("  %s", one->functions.data[k].function),
				&one->functions.data[k]);
	}
	table_print(out, &table);
	for (size_t i = 0; metrics->variables && i < all->vec.len; i++) {
		XS_AUTO_FREE char *label = cli_metrics_label(all, i);
		xs_print(out, "\n%s\n", label);
		print_variables(out, &all->vec.data[i].metrics, metrics->instances);
	}
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void json_ratio(FILE *out, const char *key, double ratio)
{
	if (isnan(ratio))
		xs_print(out, ",\"%s\":null", key);
	else
		xs_print(out, ",\"%s\":%.6f", key, ratio);
}

static void json_row(FILE *out, const struct ora_metrics_row *row)
{
	xs_print(out, "\"lines\":%" PRIu64 ",\"common\":%" PRIu64, row->lines, row->common);
	json_ratio(out, "line_coverage", ora_metrics_coverage(row));
	json_ratio(out, "availability", ora_metrics_availability(row));
	json_ratio(out, "product", ora_metrics_product(row));
	xs_print(out, ",\"variables\":%" PRIu64 "}", row->variables);
}

static void json_cover(FILE *out, const struct ora_metrics_cover *cover, uint64_t baseline)
{
	xs_print(out, ",\"lines_covered\":%" PRIu64 ",\"baseline\":%" PRIu64, cover->covered,
		baseline);
	json_ratio(out, "covered_ratio", ora_metrics_ratio((double)cover->covered, baseline));
	xs_print(out, ",\"lines_present\":%" PRIu64, cover->present);
	json_ratio(out, "lines_present_ratio", ora_metrics_ratio((double)cover->present, baseline));
}

static void json_instances(FILE *out, const struct ora_metrics_variable *one)
{
	xs_print(out, ",\"instance_count\":%zu,\"instances\":[", one->instances.len);
	for (size_t k = 0; k < one->instances.len; k++) {
		fputs(k ? ",{\"inl_chain\":" : "{\"inl_chain\":", out);
		cli_json_string(out, one->instances.data[k].chain);
		json_cover(out, &one->instances.data[k].cover, one->baseline);
		putc('}', out);
	}
	putc(']', out);
}

static void json_variable(FILE *out, const struct ora_metrics_variable *one, bool instances)
{
	fputs("{\"function\":", out);
	cli_json_string(out, one->function);
	cli_json_key(out, "variable", one->name);
	fputs(",\"decl\":{\"file\":", out);
	cli_json_string(out, one->file);
	xs_print(out, ",\"line\":%u}", one->declared);
	json_cover(out, &one->cover, one->baseline);
	if (instances)
		json_instances(out, one);
	fputs(",\"lost\":[", out);
	for (size_t k = 0; k < one->lost.len; k++)
		xs_print(out, "%s{\"line\":%u,\"state\":\"%s\"}", k ? "," : "",
			one->lost.data[k].line, ora_state_text(one->lost.data[k].state));
	fputs("]}", out);
}

static void json_measured(FILE *out, const struct ora_measured *one, bool instances)
{
	fputs("\n{\"program\":", out);
	cli_json_string(out, one->path);
	cli_json_key(out, "witness", one->opt->trace.witness);
	cli_json_key(out, "version", one->opt->trace.version);
	cli_json_key(out, "against", one->against);
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
		json_variable(out, &one->metrics.variables.data[k], instances);
	}
	fputs("]}", out);
}

void cli_metrics_json(FILE *out, const struct cli_metrics *metrics)
{
	fputs("{\"programs\":[", out);
	for (size_t i = 0; i < metrics->all->vec.len; i++) {
		fputs(i ? "," : "", out);
		json_measured(out, &metrics->all->vec.data[i], metrics->instances);
	}
	fputs("],\"lost\":[", out);
	for (size_t i = 0; i < metrics->lost->vec.len; i++) {
		fputs(i ? ",{\"witness\":" : "{\"witness\":", out);
		cli_json_string(out, metrics->lost->vec.data[i].witness);
		cli_json_key(out, "why", metrics->lost->vec.data[i].why);
		putc('}', out);
	}
	fputs("]}\n", out);
}
