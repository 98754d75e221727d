#include "cli/report/html_campaign.h"

#include <inttypes.h>
#include <math.h>

#include "base/error.h"
#include "cli/report/html.h"
#include "cli/report/json.h"

enum { HEATS = 5, TRENDS = 8 }; /* shades of a cell; campaigns in a trend */

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? text : "";
}

static double number_of(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

static const json_t *totals_of(const json_t *campaign)
{
	return json_array_get(json_object_get(campaign, "totals"), 0);
}

/* The object of a list that has this id; NULL: none. */
static const json_t *find(const json_t *list, const char *id)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (!strcmp(text_of(json_array_get(list, i), "id"), id))
			return json_array_get(list, i);
	return NULL;
}

/* A build that a signature may be found in. */
static const json_t *cell_of(const json_t *cells, const json_t *build)
{
	for (size_t i = 0; i < json_array_size(cells); i++) {
		const json_t *cell = json_array_get(cells, i);
		if (!strcmp(text_of(cell, "compiler"), text_of(build, "compiler")) &&
			!strcmp(text_of(cell, "level"), text_of(build, "level")))
			return cell;
	}
	return NULL;
}

/* Whether an oracle was asked about a build: some of its jobs are done. */
static bool is_asked(const json_t *campaign, const char *oracle, const json_t *build)
{
	const json_t *results = json_object_get(campaign, "results");
	for (size_t i = 0; i < json_array_size(results); i++) {
		const json_t *one = json_array_get(results, i);
		if (!strcmp(text_of(one, "oracle"), oracle) &&
			!strcmp(text_of(one, "compiler"), text_of(build, "compiler")) &&
			!strcmp(text_of(one, "level"), text_of(build, "level")))
			return number_of(one, "jobs") > number_of(one, "to_do");
	}
	return !strcmp(oracle, "build");
}

static const char *party_of(const json_t *signature)
{
	static const char *const parties[] = {
		"gdb", "lldb", "producer", "xstep", "addr2line", "llvm-symbolizer", "eu-addr2line"};
	const char *wrong = text_of(signature, "wrong");
	for (size_t i = 0; i < sizeof parties / sizeof *parties; i++)
		if (!strncmp(wrong, parties[i], strlen(parties[i])))
			return parties[i];
	return "?";
}

/* Known bugs are reported; new ones no older campaign has. */
static const char *news_of(const json_t *campaigns, const json_t *signature)
{
	size_t count = json_array_size(campaigns);
	if (*text_of(signature, "known"))
		return "known";
	for (size_t i = 0; i + 1 < count; i++)
		if (find(json_object_get(json_array_get(campaigns, i), "signatures"),
			    text_of(signature, "id")))
			return "seen before";
	return "new";
}

/* --- the heat map ----------------------------------------------------------------------------- */

static double greatest(const json_t *signatures)
{
	double most = 2;
	for (size_t i = 0; i < json_array_size(signatures); i++) {
		const json_t *cells = json_object_get(json_array_get(signatures, i), "cells");
		for (size_t k = 0; k < json_array_size(cells); k++)
			most = fmax(most, number_of(json_array_get(cells, k), "findings"));
	}
	return most;
}

static void put_cell(FILE *out, const json_t *campaign, const json_t *signature,
	const json_t *build, double most)
{
	const json_t *cell = cell_of(json_object_get(signature, "cells"), build);
	double findings = number_of(cell, "findings");
	if (cell && findings > 0)
		cli_html(out,
			"<td class=\"cell heat%u\" title=\"%s %s: %.0f findings in %.0f "
			"programs\">%.0f</td>",
			1 + (unsigned)((HEATS - 1) * log(findings) / log(most)),
			text_of(build, "compiler"), text_of(build, "level"), findings,
			number_of(cell, "programs"), findings);
	else if (is_asked(campaign, text_of(signature, "oracle"), build))
		fputs("<td class=\"cell\">0</td>", out);
	else
		fputs("<td class=\"cell unasked\" title=\"not asked\">-</td>", out);
}

/* How many there were in each campaign, for a thousand programs, as bars. */
static void put_trend(FILE *out, const json_t *campaigns, const char *id)
{
	size_t count = json_array_size(campaigns);
	size_t first = count > TRENDS ? count - TRENDS : 0;
	double rates[TRENDS] = {0}, most = 0;
	for (size_t i = first; i < count; i++) {
		const json_t *campaign = json_array_get(campaigns, i);
		const json_t *one = find(json_object_get(campaign, "signatures"), id);
		double programs = number_of(totals_of(campaign), "kept");
		rates[i - first] =
			one && programs > 0 ? 1000 * number_of(one, "count") / programs : 0;
		most = fmax(most, rates[i - first]);
	}
	cli_html(out,
		"<td class=\"trend\"><svg width=\"%zu\" height=\"20\" role=\"img\" aria-label=\"",
		12 * (count - first));
	for (size_t i = 0; i < count - first; i++)
		cli_html(out, "%s%.0f", i ? ", " : "", rates[i]);
	fputs(" findings for a thousand programs\">", out);
	for (size_t i = 0; i < count - first; i++) {
		double height = most > 0 ? 18 * rates[i] / most : 0;
		cli_html(out,
			"<rect class=\"%s\" x=\"%zu\" y=\"%.1f\" width=\"9\" "
			"height=\"%.1f\"><title>%.0f "
			"for a thousand programs</title></rect>",
			rates[i] > 0 ? "some" : "none", 12 * i, 19 - height, height + 1, rates[i]);
	}
	fputs("</svg></td>", out);
}

static void put_row(FILE *out, const json_t *campaigns, const json_t *campaign,
	const json_t *signature, double most)
{
	const json_t *builds = json_object_get(campaign, "builds");
	const char *party = party_of(signature), *id = text_of(signature, "id");
	const char *news = news_of(campaigns, signature);
	cli_html(out,
		"<tr class=\"row\" data-party=\"%s\" data-new=\"%s\"><td><span class=\"badge "
		"%s\">%s</span></td><td><a href=\"#%s\"><code>%s</code></a> "
		"<small>%s%s%s</small></td>"
		"<td>%.0f</td><td>%.0f</td>",
		party, news, *party == '?' ? "open" : party, *party == '?' ? "nobody named" : party,
		id, text_of(signature, "signature"), news, *text_of(signature, "known") ? ": " : "",
		text_of(signature, "known"), number_of(signature, "count"),
		number_of(signature, "programs"));
	for (size_t i = 0; i < json_array_size(builds); i++)
		put_cell(out, campaign, signature, json_array_get(builds, i), most);
	if (json_array_size(campaigns) > 1)
		put_trend(out, campaigns, id);
	fputs("</tr>\n", out);
}

static void put_map(FILE *out, const json_t *campaigns, const json_t *campaign)
{
	const json_t *signatures = json_object_get(campaign, "signatures");
	const json_t *builds = json_object_get(campaign, "builds");
	size_t count = json_array_size(signatures);
	double most = greatest(signatures);
	cli_html(out,
		"<nav class=\"index wide sheet\" aria-label=\"signatures\"><h3>%zu signature%s, by "
		"build</h3>\n<form class=\"filter\" hidden><label>Search <input type=\"search\" "
		"placeholder=\"a word, or several\"></label>\n<span class=\"chips\"></span> "
		"<output "
		"aria-live=\"polite\"></output></form>\n<div class=\"scroll map\" "
		"tabindex=\"0\"><table "
		"class=\"heatmap\"><tr><th></th><th>signature</th><th>findings</th><th>programs</"
		"th>",
		count, count == 1 ? "" : "s");
	for (size_t i = 0; i < json_array_size(builds); i++)
		cli_html(out, "<th>%s<br>%s</th>", text_of(json_array_get(builds, i), "compiler"),
			text_of(json_array_get(builds, i), "level"));
	fputs(json_array_size(campaigns) > 1 ? "<th>trend</th></tr>\n" : "</tr>\n", out);
	for (size_t i = 0; i < count; i++)
		put_row(out, campaigns, campaign, json_array_get(signatures, i), most);
	fputs("</table></div>\n<p class=\"note\">A dash: that oracle was not asked about that "
	      "build.</p></nav>\n",
		out);
}

/* --- from campaign to campaign ---------------------------------------------------------------- */

static void put_campaigns(FILE *out, const json_t *campaigns)
{
	fputs("<section class=\"sheet\"><h3>Campaigns</h3>\n<div class=\"scroll map\" "
	      "tabindex=\"0\">"
	      "<table class=\"hot\"><tr><th>campaign</th><th>programs kept</th><th>builds</th>"
	      "<th>findings</th><th>signatures</th><th>debuggers and compilers</th></tr>\n",
		out);
	for (size_t i = 0; i < json_array_size(campaigns); i++) {
		const json_t *campaign = json_array_get(campaigns, i),
			     *totals = totals_of(campaign);
		const json_t *versions = json_object_get(campaign, "versions");
		cli_html(out,
			"<tr><td><code>%s</code></td><td>%.0f</td><td>%.0f</td><td>%.0f</"
			"td><td>%.0f</td>"
			"<td>",
			text_of(campaign, "folder"), number_of(totals, "kept"),
			number_of(totals, "builds"), number_of(totals, "findings"),
			number_of(totals, "signatures"));
		for (size_t k = 0; k < json_array_size(versions); k++)
			cli_html(out, "%s%s", k ? "; " : "",
				text_of(json_array_get(versions, k), "version"));
		fputs("</td></tr>\n", out);
	}
	fputs("</table></div></section>\n", out);
}

static void put_count(FILE *out, const json_t *change, const char *key)
{
	const json_t *number = json_object_get(change, key);
	if (json_is_integer(number))
		cli_html(out, "<td>%ld</td>", (long)json_integer_value(number));
	else
		fputs("<td title=\"not asked\">-</td>", out);
}

static void put_changes(FILE *out, const struct cli_comparison *comparison)
{
	static const char *const order[] = {"came", "gone", "more", "fewer", "unasked"};
	fputs("<section class=\"sheet\"><h3>Since the campaign before</h3>\n", out);
	if (!json_array_size(comparison->changes))
		fputs("<p class=\"note\">No count is another one.</p>\n", out);
	else
		fputs("<div class=\"scroll map\" tabindex=\"0\"><table class=\"hot "
		      "changes\"><tr><th></th>"
		      "<th>signature</th><th>build</th><th>before</th><th>now</th></tr>\n",
			out);
	for (size_t k = 0; k < sizeof order / sizeof *order; k++)
		for (size_t i = 0; i < json_array_size(comparison->changes); i++) {
			const json_t *one = json_array_get(comparison->changes, i);
			if (strcmp(text_of(one, "change"), order[k]) != 0)
				continue;
			cli_html(out,
				"<tr data-change=\"%s\"><td>%s</td><td><code>%s</code></td><td>%s "
				"%s</td>",
				order[k], order[k], text_of(one, "signature"),
				text_of(one, "compiler"), text_of(one, "level"));
			put_count(out, one, "before");
			put_count(out, one, "now");
			fputs("</tr>\n", out);
		}
	if (json_array_size(comparison->changes))
		fputs("</table></div>\n", out);
	fputs("</section>\n", out);
}

/* --- a signature ------------------------------------------------------------------------------ */

/* Whether a list of texts has one. */
static bool has(const json_t *list, const char *text)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *one = json_string_value(json_array_get(list, i));
		if (one && !strcmp(one, text))
			return true;
	}
	return false;
}

static void put_facts(FILE *out, const json_t *report)
{
	json_t *facts = json_object_get(report, "facts"), *fact;
	const char *who;
	if (!json_object_size(facts))
		return;
	fputs("<div class=\"cards\">\n", out);
	json_object_foreach(facts, who, fact)
	{
		bool named = has(json_object_get(report, "wrong"), who);
		bool differs = has(json_object_get(report, "differs"), who);
		const char *value = json_string_value(json_object_get(fact, "value"));
		cli_html(out,
			"<div class=\"card %s\"><h4>%s<span class=\"mark\">%s</span></h4><p "
			"class=\"fact\"><code>",
			named     ? "wrong"
			: differs ? "other"
				  : "",
			who,
			named     ? "✗ wrong"
			: differs ? "differs"
				  : "");
		fputs(named ? "<del>" : "", out);
		cli_html(out, "%s", value ? value : text_of(fact, "state"));
		fputs(named ? "</del>" : "", out);
		fputs("</code></p></div>\n", out);
	}
	fputs("</div>\n", out);
}

static void put_signature(FILE *out, const json_t *campaign, const json_t *signature)
{
	const json_t *exemplars = json_object_get(signature, "exemplars");
	const json_t *report = json_object_get(json_array_get(exemplars, 0), "report");
	const char *party = party_of(signature), *reason = text_of(report, "reason");
	const char *id = text_of(signature, "id");
	cli_html(out,
		"<article class=\"case\" id=\"%s\"><header><p class=\"tags\"><span class=\"badge "
		"%s\">%s</span> <span class=\"tag\">%s</span> <span class=\"tag\">%s</span> <a "
		"class=\"id\" href=\"#%s\">#%s</a></p>\n<h2>%s</h2>\n<p "
		"class=\"counts\"><code>%s</code>: "
		"%.0f findings in %.0f programs, %.0f builds, by %s</p></header>\n",
		id, *party == '?' ? "open" : party, *party == '?' ? "nobody named" : party,
		text_of(signature, "oracle"), text_of(signature, "basis"), id, id,
		*reason ? reason : text_of(signature, "signature"), text_of(signature, "signature"),
		number_of(signature, "count"), number_of(signature, "programs"),
		number_of(signature, "builds"), text_of(signature, "compilers"));
	put_facts(out, report);
	fputs("<table class=\"hot\"><tr><th>case</th><th>program</th><th>bytes</th><th>build</th>"
	      "<th>where</th></tr>\n",
		out);
	for (size_t i = 0; i < json_array_size(exemplars); i++) {
		const json_t *one = json_array_get(exemplars, i);
		cli_html(out,
			"<tr><td>%s</td><td><code>%s</code></td><td>%.0f</td><td>%s "
			"%s</td><td><code>%s</code> "
			"in <code>%s</code>, line %.0f</td></tr>\n",
			text_of(one, "which"), text_of(one, "origin"), number_of(one, "size"),
			text_of(one, "compiler"), text_of(one, "level"), text_of(one, "variable"),
			text_of(one, "function"), number_of(one, "line"));
	}
	fputs("</table>\n", out);
	cli_html_copy(out, id, "hand", "Copy the command");
	cli_html(out,
		"<pre id=\"hand-%s\" tabindex=\"0\">xstep campaign show %s "
		"%s\n</pre></div></article>\n",
		id, text_of(campaign, "quoted"), id);
}

/* --- the page --------------------------------------------------------------------------------- */

static char *data_of(const json_t *campaigns, const struct cli_comparison *comparison)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	json_t *object = json_object();
	xs_assert(out);
	json_object_set_new(object, "page", json_string("campaign"));
	json_object_set_new(object, "campaigns", json_deep_copy(campaigns));
	if (comparison)
		json_object_set_new(object, "changes", json_deep_copy(comparison->changes));
	cli_json_dump(out, object);
	xs_assert(!fclose(out));
	json_decref(object);
	return text;
}

void cli_html_campaign(FILE *out, const json_t *campaigns, const struct cli_comparison *comparison)
{
	const json_t *campaign = json_array_get(campaigns, json_array_size(campaigns) - 1);
	const json_t *signatures = json_object_get(campaign, "signatures");
	const json_t *totals = totals_of(campaign);
	XS_AUTO_FREE char *title = xs_asprintf("xstep campaign: %s", text_of(campaign, "folder"));
	XS_AUTO_FREE char *data = data_of(campaigns, comparison);
	cli_html_begin(out, title, NULL);
	cli_html(out,
		"<header class=\"top\"><p class=\"brand\">xstep campaign</p><h1>%s</h1>\n<p "
		"class=\"who\"><b>%.0f</b> programs of %.0f kept · <b>%.0f</b> builds · "
		"<b>%.0f</b> of "
		"%.0f jobs done · <b>%.0f</b> findings · <b>%.0f</b> "
		"signatures</p></header>\n<main "
		"class=\"trace\">\n",
		text_of(campaign, "folder"), number_of(totals, "kept"),
		number_of(totals, "programs"), number_of(totals, "builds"),
		number_of(totals, "done"), number_of(totals, "jobs"), number_of(totals, "findings"),
		number_of(totals, "signatures"));
	put_map(out, campaigns, campaign);
	if (comparison)
		put_changes(out, comparison);
	put_campaigns(out, campaigns);
	for (size_t i = 0; i < json_array_size(signatures); i++)
		put_signature(out, campaign, json_array_get(signatures, i));
	fputs("</main>\n", out);
	cli_html_end(out, data, NULL);
}
