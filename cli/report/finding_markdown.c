/* finding_markdown.c - findings as a table of Markdown: for the summary of a run of continuous
 * integration, or a comment on a change. A row for each cluster, and who said what at its first. */
#include "base/markdown.h"
#include "base/path.h"
#include "base/shown.h"
#include "cli/report/finding.h"

static void cell(FILE *out, const char *text)
{
	fputs(" | ", out);
	if (text && *text)
		xs_markdown_cell(out, text);
}

/* `gdb: x = 5`, of those that are named, or else of those that differ; to be freed. */
static char *wrong_text(const struct cli_findings *print, const struct ora_finding *finding)
{
	unsigned who = finding->wrong ? finding->wrong : finding->differs;
	char *text = xs_strdup(finding->producer ? "producer" : "");
	for (size_t w = 0; w < print->count; w++) {
		if (!(who >> w & 1) || !finding->difference->said[w].heard)
			continue;
		XS_AUTO_FREE char *fact =
			cli_finding_fact(finding->difference, &finding->difference->said[w]);
		char *longer = xs_asprintf(
			"%s%s%s: %s", text, *text ? "; " : "", cli_finding_label(print, w), fact);
		free(text);
		text = longer;
	}
	return text;
}

static void print_row(const struct cli_findings *print, const struct ora_cluster *cluster)
{
	const struct ora_finding *first = &print->verdicts->findings.data[cluster->first];
	const struct ora_difference *one = first->difference;
	FILE *out = print->out;
	XS_AUTO_FREE char *wrong = wrong_text(print, first);
	XS_AUTO_FREE char *where =
		xs_asprintf("%s:%u, %s", one->file ? xs_base_name(one->file) : "?", one->line,
			one->function ? one->function : "?");
	fputs("| ", out);
	xs_markdown_cell(out, first->signature);
	cell(out, ora_basis_text(first->basis));
	cell(out, wrong);
	cell(out, where);
	fputs(" | ", out);
	xs_markdown_text(out, first->reason);
	xs_print(out, " | %" PRIu64, cluster->count);
	fputs(" | ", out);
	xs_markdown_text(out, first->known ? first->known : "");
	cell(out, first->id);
	fputs(" |\n", out);
}

/* What was looked at, who could not tell, and what is not in the table. */
static void print_head(const struct cli_findings *print, uint64_t listed, size_t clusters)
{
	const struct ora_verdicts *verdicts = print->verdicts;
	FILE *out = print->out;
	XS_AUTO_FREE char *title =
		xs_asprintf("xstep %s: %s", print->command, xs_base_name(verdicts->subject));
	fputs("### ", out);
	xs_markdown_text(out, title);
	fputs("\n\n", out);
	if (print->headline)
		xs_markdown_text(out, print->headline);
	else
		xs_print(out, "%" PRIu64 " stops, %" PRIu64 " facts compared",
			verdicts->comparison->stops, verdicts->comparison->compared);
	if (listed)
		xs_print(out, ": **%" PRIu64 " %s in %zu cluster%s**", listed,
			listed == 1 ? print->one : print->many, clusters, clusters == 1 ? "" : "s");
	else
		xs_print(out, ": **no %s**", print->one);
	if (print->baseline && print->baseline->path)
		xs_print(out, "; %" PRIu64 " of the baseline left out", cli_findings_old(print));
	fputs(".\n", out);
	for (size_t i = 0; print->lost && i < print->lost->vec.len; i++) {
		XS_AUTO_FREE char *text = xs_asprintf("%s is lost: %s",
			print->lost->vec.data[i].witness, print->lost->vec.data[i].why);
		fputs("\n", out);
		xs_markdown_text(out, text);
		fputs("\n", out);
	}
}

struct xs_error *cli_findings_markdown(struct cli_findings *print)
{
	const struct ora_verdicts *verdicts = print->verdicts;
	uint64_t listed = 0;
	size_t clusters = 0;
	for (size_t i = 0; i < verdicts->findings.len; i++) {
		const struct ora_finding *finding = &verdicts->findings.data[i];
		if (!cli_finding_is_listed(print, finding))
			continue;
		listed++;
		print->shown += cli_finding_counts(finding);
	}
	for (size_t i = 0; i < verdicts->clusters.len; i++)
		clusters += cli_finding_is_listed(
			print, &verdicts->findings.data[verdicts->clusters.data[i].first]);
	print_head(print, listed, clusters);
	if (clusters)
		fputs("\n| signature | basis | who says what | where | why | times | known | id |\n"
		      "|---|---|---|---|---|---:|---|---|\n",
			print->out);
	for (size_t i = 0; i < verdicts->clusters.len; i++)
		if (cli_finding_is_listed(
			    print, &verdicts->findings.data[verdicts->clusters.data[i].first]))
			print_row(print, &verdicts->clusters.data[i]);
	return NULL;
}
