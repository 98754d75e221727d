/* html_findings.c - findings as a page: an index of clusters by weight, and a case for each. */
#include "base/path.h"
#include "cli/report/html_case.h"
#include "cli/report/html_findings.h"
#include "cli/report/json.h"

enum {
	CASES = 200,  /* with all there is to show; more are in the index only */
	MEMBERS = 12, /* of a cluster, named in the index */
};

/* The cases of a page. */
struct cases {
	XS_VEC(struct cli_html_case) vec;
	XS_VEC(struct ora_story) stories;
	struct cli_source *source;
	size_t left; /* that have none */
};

/* --- gathering -------------------------------------------------------------------------------- */

static void push_case(struct cases *cases, struct cli_findings *print, size_t number,
	const struct ora_cluster *cluster)
{
	struct cli_html_case one = {.print = print,
		.finding = &print->verdicts->findings.data[number],
		.cluster = cluster,
		.source = cases->source};
	if (cases->vec.len < CASES)
		xs_vec_push(&cases->vec, one);
	else
		cases->left++;
}

static void choose(struct cases *cases, struct cli_findings *print, const struct ora_finding *only)
{
	const struct ora_verdicts *verdicts = print->verdicts;
	for (size_t i = 0; i < verdicts->clusters.len; i++) {
		const struct ora_cluster *cluster = &verdicts->clusters.data[i];
		const struct ora_finding *first = &verdicts->findings.data[cluster->first];
		if (only ? first == only : cli_finding_is_listed(print, first))
			push_case(cases, print, cluster->first, cluster);
		for (size_t k = 0; print->all && !only && k < verdicts->findings.len; k++)
			if (k != cluster->first &&
				verdicts->findings.data[k].cluster == first->cluster &&
				cli_finding_is_listed(print, &verdicts->findings.data[k]))
				push_case(cases, print, k, NULL);
	}
	for (size_t i = 0; !only && i < verdicts->findings.len; i++)
		if (verdicts->findings.data[i].contest &&
			cli_finding_is_listed(print, &verdicts->findings.data[i]))
			push_case(cases, print, i, NULL);
}

static struct xs_error *gather(
	struct cases *cases, struct cli_findings *print, const struct ora_finding *only)
{
	cases->source = cli_source_create_tabbed();
	choose(cases, print, only);
	for (size_t i = 0; i < cases->vec.len; i++) {
		struct cli_html_case *one = &cases->vec.data[i];
		cli_html_case_init(one);
		struct ora_story story = {.about = one->finding->difference};
		if (one->focus == story.about->pc)
			story.stretch = one->stretch;
		xs_vec_push(&cases->stories, story);
	}
	for (size_t i = 0; i < cases->vec.len; i++)
		if (cases->stories.data[i].about->var)
			cases->vec.data[i].story = &cases->stories.data[i];
	return ora_stories_read(
		print->store, print->traces, print->count, cases->stories.data, cases->stories.len);
}

static void let_go(struct cases *cases)
{
	for (size_t i = 0; i < cases->vec.len; i++) {
		cli_html_case_deinit(&cases->vec.data[i]);
		ora_story_deinit(&cases->stories.data[i]);
	}
	xs_vec_deinit(&cases->vec);
	xs_vec_deinit(&cases->stories);
	cli_source_destroy(cases->source);
}

/* --- the index -------------------------------------------------------------------------------- */

/* Marks of the plots, which these refer to. */
/* clang-format off */
#define MARKS \
	"<svg class=\"defs\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>" \
	"<circle id=\"m-xstep\" r=\"2.5\"/><path id=\"m-gdb\" d=\"M0-5L5 4H-5Z\"/>" \
	"<path id=\"m-lldb\" d=\"M-4-4L4 4M-4 4L4-4\"/></defs></svg>\n"
/* clang-format on */

/* What was done, for who has never heard of it. */
static const char *purpose(const char *command)
{
	static const struct {
		const char *command, *words;
	} rows[] = {
		{"diff", "At the same moments of the program's run each debugger was asked what it "
			 "shows, and xstep worked out from the debug information (DWARF) what it "
			 "ought to show. Each case is one way in which they differ."},
		{"check opt",
			"One source was built without optimisation (unopt) and with it (opt), and "
			"both builds were run. Optimised code may show fewer lines and variables. "
			"It may not show what the other one never does: each case is such a "
			"thing."},
		{"check levels",
			"One program was walked through by lines, by instructions and by "
			"breakpoints. These must not contradict each other: each case is one way "
			"in which they do."},
		{"check avail",
			"By the source some variables must have a value at some lines: those that "
			"are passed on, for one. Each case is one that the debug information gives "
			"no value for."},
		{"check frames",
			"xstep has seen every call and return of the run, and holds what the debug "
			"information says of callers and of what they passed against that. Each "
			"case is one that it contradicts."},
		{"check probes",
			"The code generator itself left notes where variables are (probes). Each "
			"case is one where the debug information says something else."},
		{"check twins",
			"Two files have the same machine code and different debug information. "
			"Each case is one where the two contradict each other, or one lacks what "
			"the other has."},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!strcmp(rows[i].command, command))
			return rows[i].words;
	return NULL;
}

static void put_head(FILE *out, struct cli_findings *print)
{
	struct cli_findings plain = *print;
	const struct ora_verdicts *verdicts = print->verdicts;
	XS_AUTO_FREE char *summary = NULL;
	size_t size = 0;
	cli_html(out, "<header class=\"top\"><p class=\"brand\">xstep %s</p><h1>%s</h1>\n",
		print->command, xs_base_name(verdicts->subject));
	if (print->headline)
		cli_html(out, "<p>%s</p>\n", print->headline);
	fputs("<p class=\"who\">", out);
	for (size_t w = 0; w < print->count; w++)
		cli_html(out, "%s<b>%s</b> %s", w ? " · " : "", cli_finding_label(print, w),
			print->traces[w]->trace.version ? print->traces[w]->trace.version : "");
	fputs("</p>\n", out);
	const char *done = purpose(print->command);
	if (done)
		cli_html(out, "<p class=\"note\">%s</p>\n", done);
	plain.out = open_memstream(&summary, &size);
	xs_assert(plain.out);
	xs_error_destroy(cli_findings_summary(&plain));
	xs_assert(!fclose(plain.out));
	fputs("<details><summary>What was asked and compared</summary><pre tabindex=\"0\">", out);
	cli_html_lines(out, summary);
	fputs("</pre></details>\n</header>\n", out);
}

static uint64_t heaviest(const struct cases *cases)
{
	uint64_t ret = 1;
	for (size_t i = 0; i < cases->vec.len; i++) {
		const struct ora_cluster *cluster = cases->vec.data[i].cluster;
		ret = cluster && cluster->stops > ret ? cluster->stops : ret;
	}
	return ret;
}

static void put_members(FILE *out, const struct cli_html_case *one)
{
	const struct ora_verdicts *verdicts = one->print->verdicts;
	uint64_t named = 0;
	fputs("<details class=\"members\"><summary>where else</summary><ul>\n", out);
	for (size_t k = 0; k < verdicts->findings.len && named < MEMBERS; k++) {
		const struct ora_finding *other = &verdicts->findings.data[k];
		const struct ora_difference *about = other->difference;
		if (other == one->finding || other->cluster != one->finding->cluster)
			continue;
		named++;
		cli_html(out, "<li><code>%s</code> at <code>0x%lx</code>, %s:%u</li>\n",
			about->var ? about->path : ora_aspect_text(about->aspect), about->pc,
			about->file ? xs_base_name(about->file) : "?", about->line);
	}
	if (one->cluster->count > named + 1)
		cli_html(out, "<li>and %lu more</li>\n", one->cluster->count - named - 1);
	fputs("</ul></details>", out);
}

static void put_row(FILE *out, const struct cli_html_case *one, size_t number, uint64_t most)
{
	const struct ora_finding *finding = one->finding;
	const char *party = cli_html_party(one->print, finding);
	const struct ora_difference *about = finding->difference;
	const char *news = finding->contest ? "" : finding->known ? "known" : "new";
	cli_html(out,
		"<li class=\"row\" data-party=\"%s\" data-kind=\"%s\" data-new=\"%s\"><a "
		"href=\"#%s\">"
		"<span class=\"badge %s\">%s</span> <span class=\"what\">%zu. %s</span></a>"
		"<span class=\"sub\"><code>%s</code> %s:%u · %s · ",
		party, ora_kind_text(finding->kind), news, finding->id,
		*party == '?' ? "open" : party, *party == '?' ? "nobody named" : party, number,
		finding->reason, about->var ? about->path : ora_aspect_text(about->aspect),
		about->file ? xs_base_name(about->file) : "?", about->line,
		ora_basis_text(finding->basis));
	if (one->cluster)
		cli_html(out, "%lu finding%s, %lu stop%s", one->cluster->count,
			one->cluster->count == 1 ? "" : "s", one->cluster->stops,
			one->cluster->stops == 1 ? "" : "s");
	cli_html(out, "%s</span><code class=\"signature\">%s</code>",
		finding->known ? " · known" : "", finding->signature);
	if (one->cluster) {
		double share = 100.0 * (double)one->cluster->stops / (double)most;
		cli_html(out,
			"<svg class=\"weight\" aria-hidden=\"true\"><rect width=\"%.1f%%\" "
			"height=\"4\"/></svg>",
			share < 1 ? 1 : share);
		if (one->cluster->count > 1)
			put_members(out, one);
	}
	fputs("</li>\n", out);
}

static void put_index(FILE *out, const struct cli_findings *print, const struct cases *cases)
{
	size_t clusters = 0;
	for (size_t i = 0; i < cases->vec.len; i++)
		clusters += cases->vec.data[i].cluster != NULL;
	cli_html(out,
		"<nav class=\"index\" aria-label=\"findings\"><h2>%zu %s</h2>\n"
		"<form class=\"filter\" hidden><label>Search <input type=\"search\" "
		"placeholder=\"a word, or several\"></label>\n<span class=\"chips\"></span> "
		"<output "
		"aria-live=\"polite\"></output></form>\n<ol>\n",
		cases->vec.len,
		clusters < cases->vec.len ? "findings; those of clusters by weight"
		: clusters == 1           ? "cluster of findings"
					  : "clusters of findings, by weight");
	uint64_t most = heaviest(cases);
	for (size_t i = 0; i < cases->vec.len; i++)
		put_row(out, &cases->vec.data[i], i + 1, most);
	fputs("</ol>\n", out);
	if (cases->left)
		cli_html(out,
			"<p class=\"note\">And %zu more: xstep %s --format json has them.</p>\n",
			cases->left, print->command);
	fputs("</nav>\n", out);
}

/* --- the page --------------------------------------------------------------------------------- */

static char *data_of(const struct cli_findings *print, const struct cases *cases)
{
	char *data = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&data, &size);
	struct cli_findings copy = *print;
	xs_assert(out);
	copy.out = out;
	fputs("{\"page\":\"findings\",\"version\":\"" XSTEP_VERSION "\",\"command\":", out);
	cli_json_string(out, print->command);
	cli_json_key(out, "subject", print->verdicts->subject);
	fputs(",\"witnesses\":", out);
	cli_findings_json_witnesses(&copy);
	fputs(",\"clusters\":", out);
	cli_findings_json_clusters(&copy);
	fputs(",\"cases\":[\n", out);
	for (size_t i = 0; i < cases->vec.len; i++) {
		fputs(i ? ",\n" : "", out);
		cli_html_case_json(out, &cases->vec.data[i]);
	}
	fputs("]}", out);
	xs_assert(!fclose(out));
	return data;
}

static void put_page(FILE *out, struct cli_findings *print, const struct cases *cases)
{
	XS_AUTO_FREE char *title =
		xs_asprintf("xstep %s: %s", print->command, xs_base_name(print->verdicts->subject));
	XS_AUTO_FREE char *data = data_of(print, cases);
	cli_html_begin(out, title, NULL);
	fputs(MARKS, out);
	put_head(out, print);
	fputs("<div class=\"body\">\n", out);
	put_index(out, print, cases);
	fputs("<main>\n", out);
	if (!cases->vec.len)
		fputs("<p class=\"nothing\">Nothing was found.</p>\n", out);
	for (size_t i = 0; i < cases->vec.len; i++)
		cli_html_case_print(out, &cases->vec.data[i]);
	fputs("</main></div>\n", out);
	cli_html_end(out, data, NULL);
}

struct xs_error *cli_findings_html(struct cli_findings *print)
{
	const struct ora_verdicts *verdicts = print->verdicts;
	struct cases cases = {0};
	struct xs_error *err = gather(&cases, print, NULL);
	if (!err)
		put_page(print->out, print, &cases);
	for (size_t i = 0; !err && i < verdicts->findings.len; i++)
		print->shown += cli_finding_is_listed(print, &verdicts->findings.data[i]) &&
				cli_finding_counts(&verdicts->findings.data[i]);
	let_go(&cases);
	return err;
}

struct xs_error *cli_finding_html(FILE *out, struct cli_findings *print,
	const struct ora_finding *finding, const char *report, const char *bisect)
{
	struct cases cases = {0};
	struct xs_error *err = gather(&cases, print, finding);
	for (size_t i = 0; i < cases.vec.len; i++) {
		cases.vec.data[i].report = report;
		cases.vec.data[i].bisect = bisect;
	}
	if (!err)
		put_page(out, print, &cases);
	let_go(&cases);
	return err;
}
