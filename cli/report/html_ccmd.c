#include "cli/report/html_ccmd.h"

#include "base/error.h"
#include "base/path.h"
#include "cli/report/html.h"
#include "cli/report/json.h"

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? text : "";
}

static long number_of(const json_t *object, const char *key)
{
	return (long)json_number_value(json_object_get(object, key));
}

/* The first finding of a cluster. */
static const json_t *first_of(const json_t *report, const json_t *cluster)
{
	const json_t *findings = json_object_get(report, "findings");
	for (size_t i = 0; i < json_array_size(findings); i++) {
		const json_t *one = json_array_get(findings, i);
		if (!strcmp(text_of(one, "id"), text_of(cluster, "first")))
			return one;
	}
	return NULL;
}

static void put_row(FILE *out, const json_t *cluster, const json_t *first, size_t number)
{
	cli_html(out,
		"<li class=\"row\" data-party=\"%s\" data-new=\"%s\"><a href=\"#%s\"><span "
		"class=\"badge producer\">%s</span> <span class=\"what\">%zu. %s</span></a><span "
		"class=\"sub\">%s · %ld finding%s</span><code class=\"signature\">%s</code></li>\n",
		text_of(first, "kind"), *text_of(cluster, "known") ? "known" : "new",
		text_of(cluster, "first"), text_of(first, "kind"), number,
		text_of(first, "meaning"), xs_base_name(text_of(first, "source")),
		number_of(cluster, "count"), number_of(cluster, "count") == 1 ? "" : "s",
		text_of(cluster, "signature"));
}

/* The instructions around the difference: `-` is only without -g, `+` only with it. */
static void put_context(FILE *out, const char *text)
{
	fputs("<pre class=\"context\" tabindex=\"0\">", out);
	while (*text) {
		size_t length = strcspn(text, "\n");
		cli_html(out, "<span class=\"%s\">%.*s</span>",
			*text == '-'   ? "less"
			: *text == '+' ? "more"
				       : "same",
			(int)length, text);
		putc('\n', out);
		text += length + (text[length] == '\n');
	}
	fputs("</pre>\n", out);
}

static void put_differences(FILE *out, const json_t *finding)
{
	const json_t *all = json_object_get(finding, "differences");
	if (!json_array_size(all))
		return;
	cli_html(out,
		"<p class=\"place\">%ld of %ld functions differ:", number_of(finding, "differ"),
		number_of(finding, "functions"));
	for (size_t i = 0; i < json_array_size(all); i++)
		cli_html(out, "%s <code>%s</code> (%s)", i ? "," : "",
			text_of(json_array_get(all, i), "where"),
			text_of(json_array_get(all, i), "kind"));
	fputs("</p>\n", out);
}

static void put_case(FILE *out, const json_t *cluster, const json_t *finding)
{
	const json_t *commands = json_object_get(finding, "commands");
	const char *id = text_of(finding, "id"), *said = text_of(finding, "compare_debug");
	cli_html(out,
		"<article class=\"case\" id=\"%s\"><header><p class=\"tags\"><span class=\"badge "
		"producer\">%s</span> <span class=\"tag\">%s %s, -g0 and %s</span> <a class=\"id\" "
		"href=\"#%s\">#%s</a></p>\n<h2>%s</h2>\n<p class=\"place\"><code>%s</code>",
		id, text_of(finding, "kind"), text_of(finding, "compiler"),
		text_of(finding, "flags"), text_of(finding, "g"), id, id,
		text_of(finding, "meaning"), text_of(finding, "source"));
	if (*text_of(finding, "where"))
		cli_html(out, ", <code>%s</code>", text_of(finding, "where"));
	if (*text_of(finding, "file") && number_of(finding, "line"))
		cli_html(out, ", <code>%s:%ld</code>", xs_base_name(text_of(finding, "file")),
			number_of(finding, "line"));
	cli_html(out, "</p>\n<p class=\"counts\"><code>%s</code>: %ld finding%s%s%s</p></header>\n",
		text_of(cluster, "signature"), number_of(cluster, "count"),
		number_of(cluster, "count") == 1 ? "" : "s",
		*text_of(cluster, "known") ? "; known: " : "", text_of(cluster, "known"));
	put_differences(out, finding);
	fputs("<section>\n", out);
	if (*text_of(finding, "context")) {
		fputs("<h3>Code without debug information (-), and with it (+)</h3>\n", out);
		put_context(out, text_of(finding, "context"));
	}
	if (*said)
		cli_html(out, "<p class=\"note\">gcc -fcompare-debug finds %s difference.</p>\n",
			!strcmp(said, "same") ? "no" : "a");
	fputs("</section><section class=\"see\"><h3>See it yourself</h3>\n", out);
	cli_html_copy(out, id, "hand", "Copy the commands");
	cli_html(out, "<pre id=\"hand-%s\" tabindex=\"0\">", id);
	for (size_t i = 0; i < json_array_size(commands); i++) {
		cli_html(out, "%s", json_string_value(json_array_get(commands, i)));
		putc('\n', out);
	}
	fputs("</pre></div></section></article>\n", out);
}

/* Cases that could not be checked; how many there are. */
static size_t put_errors(FILE *out, const json_t *cases)
{
	size_t count = 0;
	for (size_t i = 0; i < json_array_size(cases); i++) {
		const json_t *one = json_array_get(cases, i);
		const char *error = json_string_value(json_object_get(one, "error"));
		if (!error)
			continue;
		cli_html(out, "<p class=\"note\">Not checked: %s, %s %s: %s</p>\n",
			text_of(one, "source"), text_of(one, "compiler"), text_of(one, "flags"),
			error);
		count++;
	}
	return count;
}

void cli_html_ccmd(FILE *out, const json_t *report)
{
	const json_t *clusters = json_object_get(report, "clusters");
	const json_t *compilers = json_object_get(report, "compilers");
	size_t count = json_array_size(clusters), size = 0;
	XS_AUTO_FREE char *data = NULL;
	json_t *object = json_deep_copy(report);
	FILE *memory = open_memstream(&data, &size);
	xs_assert(memory);
	json_object_set_new(object, "page", json_string("ccmd"));
	cli_json_dump(memory, object);
	xs_assert(!fclose(memory));
	json_decref(object);
	cli_html_begin(out, "xstep ccmd", NULL);
	fputs("<header class=\"top\"><p class=\"brand\">xstep ccmd</p><h1>Does -g change the "
	      "machine "
	      "code?</h1>\n<p class=\"who\">",
		out);
	for (size_t i = 0; i < json_array_size(compilers); i++)
		cli_html(out, "%s<b>%s</b> %s", i ? " · " : "",
			text_of(json_array_get(compilers, i), "compiler"),
			text_of(json_array_get(compilers, i), "version"));
	cli_html(out,
		" · %zu cases</p></header>\n<div class=\"body\">\n<nav class=\"index\" "
		"aria-label=\"findings\"><h2>%zu cluster%s of findings</h2>\n<form "
		"class=\"filter\" "
		"hidden><label>Search <input type=\"search\" placeholder=\"a word, or several\">"
		"</label>\n<span class=\"chips\"></span> <output aria-live=\"polite\"></output>"
		"</form>\n<ol>\n",
		json_array_size(json_object_get(report, "cases")), count, count == 1 ? "" : "s");
	for (size_t i = 0; i < count; i++)
		put_row(out, json_array_get(clusters, i),
			first_of(report, json_array_get(clusters, i)), i + 1);
	fputs("</ol></nav>\n<main>\n", out);
	size_t errors = put_errors(out, json_object_get(report, "cases"));
	if (!count && !errors)
		fputs("<p class=\"nothing\">Nothing was found.</p>\n", out);
	for (size_t i = 0; i < count; i++)
		put_case(out, json_array_get(clusters, i),
			first_of(report, json_array_get(clusters, i)));
	fputs("</main></div>\n", out);
	cli_html_end(out, data, NULL);
}
