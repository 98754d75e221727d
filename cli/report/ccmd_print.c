#include "cli/report/ccmd_print.h"

#include "base/markdown.h"
#include "base/path.h"
#include "base/shown.h"
#include "cli/report/html_ccmd.h"
#include "cli/report/json.h"
#include "cli/report/source_lines.h"
#include "cli/report/xml.h"
#include "cli/report/screen.h"
#include "oracle/judge/known.h"
#include "oracle/session/json_text.h"

/* Findings of one signature. */
struct cluster {
	const char *signature;
	json_t *first;
	uint64_t count;
};

struct found {
	XS_VEC(json_t *) findings; /* that are listed, in the order of cases */
	XS_VEC(struct cluster) clusters;
};

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static double real_of(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

/* --- what is to be told ---------------------------------------------------------------------- */

static void add(struct found *found, json_t *finding)
{
	const char *signature = text_of(finding, "signature");
	xs_vec_push(&found->findings, finding);
	for (size_t i = 0; i < found->clusters.len; i++)
		if (!strcmp(found->clusters.data[i].signature, signature)) {
			found->clusters.data[i].count++;
			return;
		}
	struct cluster fresh = {signature, finding, 1};
	xs_vec_push(&found->clusters, fresh);
}

static struct xs_error *collect(struct cli_ccmd_print *print, struct found *found)
{
	struct ora_known known = {0};
	struct xs_error *err = NULL;
	ora_known_shipped(&known);
	for (size_t i = 0; !err && i < print->wishes->known.vec.len; i++)
		err = ora_known_load(&known, print->wishes->known.vec.data[i]);
	for (size_t i = 0; !err && i < print->ccmd->cases.len; i++) {
		json_t *result = print->ccmd->cases.data[i].result, *finding;
		size_t k;
		print->trouble |= !result || text_of(result, "error");
		json_array_foreach(json_object_get(result, "findings"), k, finding)
		{
			XS_AUTO_FREE char *reference =
				ora_known_find(&known, text_of(finding, "signature"));
			json_object_set_new(finding, "known", ora_json_text(reference));
			const struct ora_baseline *baseline = &print->wishes->baseline;
			bool old =
				baseline->path && ora_baseline_has(baseline, text_of(finding, "id"),
							  text_of(finding, "signature"), NULL);
			if (!old && !(reference && print->wishes->only_new))
				add(found, finding);
		}
	}
	ora_known_deinit(&known);
	print->shown = found->findings.len;
	return err;
}

/* --- text ------------------------------------------------------------------------------------ */

static void print_compiler(const struct cli_ccmd_print *print, const struct ora_compiler *compiler)
{
	uint64_t cases = 0, kept = 0;
	double compile = 0, check = 0;
	for (size_t i = 0; i < print->ccmd->cases.len; i++) {
		const struct ora_ccmd_case *one = &print->ccmd->cases.data[i];
		if (one->compiler != compiler || !one->result)
			continue;
		cases++;
		kept += one->kept;
		compile += real_of(one->result, "compile_seconds") +
			   real_of(one->result, "compare_debug_seconds");
		check += real_of(one->result, "check_seconds");
	}
	xs_print(print->out, "  %-10s %s; %" PRIu64 " case%s", compiler->name, compiler->version,
		cases, cases == 1 ? "" : "s");
	if (cases)
		xs_print(print->out, ", %.2f s each, of which the check %.4f s",
			(compile + check) / (double)cases, check / (double)cases);
	if (kept)
		xs_print(print->out, "; %" PRIu64 " from an earlier run", kept);
	putc('\n', print->out);
}

/* How many findings there are of each kind. */
static void print_kinds(FILE *out, const struct found *found)
{
	XS_VEC(struct cluster) kinds = {0};
	for (size_t i = 0; i < found->findings.len; i++) {
		const char *kind = text_of(found->findings.data[i], "kind");
		size_t k = 0;
		while (k < kinds.len && strcmp(kinds.data[k].signature, kind) != 0)
			k++;
		struct cluster fresh = {kind, NULL, 0};
		if (k == kinds.len)
			xs_vec_push(&kinds, fresh);
		kinds.data[k].count++;
	}
	for (size_t i = 0; i < kinds.len; i++)
		xs_print(out, "%s%s %" PRIu64, i ? ", " : "  kinds      ", kinds.data[i].signature,
			kinds.data[i].count);
	putc('\n', out);
	xs_vec_deinit(&kinds);
}

/* How many cases could not be checked. */
static size_t count_errors(const struct ora_ccmd *ccmd)
{
	size_t errors = 0;
	for (size_t i = 0; i < ccmd->cases.len; i++)
		errors += text_of(ccmd->cases.data[i].result, "error") != NULL;
	return errors;
}

/* The line that is read if only one is. */
static void print_summary(const struct cli_ccmd_print *print, const struct found *found)
{
	FILE *out = print->out;
	size_t errors = count_errors(print->ccmd), cases = print->ccmd->cases.len;
	if (found->findings.len)
		xs_print(out, "%zu finding%s in %zu cluster%s", found->findings.len,
			found->findings.len == 1 ? "" : "s", found->clusters.len,
			found->clusters.len == 1 ? "" : "s");
	else if (errors == cases)
		fputs("nothing was compared", out);
	else
		xs_print(out, "no difference%s",
			print->wishes->only_new ? " that is not known" : "");
	if (errors)
		xs_print(out, "; %zu of %zu case%s could not be checked", errors, cases,
			cases == 1 ? "" : "s");
	putc('\n', out);
	if (found->findings.len)
		print_kinds(out, found);
}

static void print_errors(const struct cli_ccmd_print *print)
{
	for (size_t i = 0; i < print->ccmd->cases.len; i++) {
		const struct ora_ccmd_case *one = &print->ccmd->cases.data[i];
		const char *error = one->result ? text_of(one->result, "error") : NULL;
		const struct ora_ccmd_unit *unit = &print->ccmd->units.data[one->unit];
		if (!error)
			continue;
		fflush(print->out);
		xs_print(stderr, "xstep: %s", unit->source);
		if (unit->mutant)
			xs_print(stderr, " (mutant %" PRIu64 ")", unit->mutant);
		xs_print(stderr, ": %s %s: %s\n", one->compiler->name,
			text_of(one->result, "flags"), error);
	}
}

static void print_indented(FILE *out, const char *text)
{
	for (const char *at = text ? text : ""; *at;) {
		size_t length = strcspn(at, "\n");
		xs_print(out, "       %.*s\n", (int)length, at);
		at += length + (at[length] == '\n');
	}
}

/* How many functions differ, and which. */
static void print_differences(FILE *out, const json_t *finding)
{
	const json_t *differences = json_object_get(finding, "differences");
	const json_t *entry;
	size_t i;
	if (!json_array_size(differences))
		return;
	xs_print(out, "     %d of %d functions differ: ", (int)real_of(finding, "differ"),
		(int)real_of(finding, "functions"));
	json_array_foreach(differences, i, entry)
	{
		if (i == 6) {
			xs_print(out, ", and %zu more", json_array_size(differences) - i);
			break;
		}
		xs_print(out, "%s%s (%s)", i ? ", " : "", text_of(entry, "where"),
			text_of(entry, "kind"));
	}
	putc('\n', out);
}

static void print_finding(
	const struct cli_ccmd_print *print, struct cli_source *source, const json_t *finding)
{
	FILE *out = print->out;
	const char *file = text_of(finding, "file"), *folder = text_of(finding, "folder"),
		   *where = text_of(finding, "where"), *said = text_of(finding, "compare_debug");
	uint32_t line = (uint32_t)real_of(finding, "line");
	const json_t *mutant = json_object_get(finding, "mutant"), *command;
	size_t i;
	xs_print(out, "     %s", text_of(finding, "source"));
	if (json_is_integer(mutant))
		xs_print(out, " (mutant %" JSON_INTEGER_FORMAT ")", json_integer_value(mutant));
	xs_print(out, ", %s %s, -g0 and %s  [%s]\n", text_of(finding, "compiler"),
		text_of(finding, "flags"), text_of(finding, "g"), text_of(finding, "id"));
	xs_print(out, "     %s\n", text_of(finding, "meaning"));
	print_differences(out, finding);
	if (where)
		xs_print(out, "     %s", where);
	if (where && file)
		xs_print(out, ", %s:%u", xs_base_name(file), line);
	if (where)
		putc('\n', out);
	const char *text = file && line ? cli_source_line(source, file, line) : NULL;
	if (text)
		xs_print(out, "     %s:%u  %s\n", xs_base_name(file), line, text);
	print_indented(out, text_of(finding, "context"));
	if (said)
		xs_print(out, "     gcc       -fcompare-debug %s\n",
			!strcmp(said, "same") ? "finds no difference" : "finds a difference");
	cli_screen_verbatim(out, true);
	json_array_foreach(json_object_get(finding, "commands"), i, command) xs_print(
		out, "     %s%s\n", i ? "          " : "by hand   ", json_string_value(command));
	cli_screen_verbatim(out, false);
	if (folder && print->ccmd->output)
		xs_print(out, "     kept in   %s/%s\n", print->ccmd->output, folder);
}

static void print_text(struct cli_ccmd_print *print, const struct found *found)
{
	const struct ora_ccmd *ccmd = print->ccmd;
	FILE *out = print->out;
	struct cli_source *source = cli_source_create();
	uint64_t done = 0, builds = 0;
	for (size_t i = 0; i < ccmd->cases.len; i++) {
		done += ccmd->cases.data[i].result != NULL;
		builds += (uint64_t)real_of(ccmd->cases.data[i].result, "builds");
	}
	xs_print(out, "%zu source%s", ccmd->sources.len, ccmd->sources.len == 1 ? "" : "s");
	if (ccmd->mutants)
		xs_print(out, " with %" PRIu64 " mutant%s each", ccmd->mutants,
			ccmd->mutants == 1 ? "" : "s");
	xs_print(out, ": %" PRIu64 " case%s, %" PRIu64 " builds\n", done, done == 1 ? "" : "s",
		builds);
	for (size_t i = 0; i < ccmd->compilers.len; i++)
		print_compiler(print, &ccmd->compilers.data[i]);
	print_summary(print, found);
	for (size_t i = 0; i < found->clusters.len; i++) {
		const struct cluster *cluster = &found->clusters.data[i];
		const char *known = text_of(cluster->first, "known");
		putc('\n', out);
		cli_ink(out, CLI_INK_TITLE);
		xs_print(out, "%zu.  %s", i + 1, cluster->signature);
		cli_ink(out, CLI_INK_NONE);
		xs_print(out, "\n     %" PRIu64 " finding%s%s%s\n", cluster->count,
			cluster->count == 1 ? "" : "s", known ? "; known: " : "",
			known ? known : "");
		for (size_t k = 0; k < found->findings.len; k++)
			if (found->findings.data[k] == cluster->first ||
				(print->wishes->all &&
					!strcmp(text_of(found->findings.data[k], "signature"),
						cluster->signature)))
				print_finding(print, source, found->findings.data[k]);
	}
	cli_source_destroy(source);
}

/* --- for programs ---------------------------------------------------------------------------- */

static json_t *make_json(const struct cli_ccmd_print *print, const struct found *found)
{
	json_t *all = json_object(), *compilers = json_array(), *clusters = json_array(),
	       *cases = json_array(), *findings = json_array();
	for (size_t i = 0; i < print->ccmd->compilers.len; i++)
		json_array_append_new(compilers,
			json_pack("{s:o, s:o}", "compiler",
				ora_json_text(print->ccmd->compilers.data[i].name), "version",
				ora_json_text(print->ccmd->compilers.data[i].version)));
	for (size_t i = 0; i < found->clusters.len; i++) {
		const struct cluster *cluster = &found->clusters.data[i];
		json_array_append_new(clusters,
			json_pack("{s:s, s:I, s:s, s:O}", "signature", cluster->signature, "count",
				(json_int_t)cluster->count, "first", text_of(cluster->first, "id"),
				"known", json_object_get(cluster->first, "known")));
	}
	for (size_t i = 0; i < print->ccmd->cases.len; i++) {
		if (!print->ccmd->cases.data[i].result)
			continue;
		json_t *one = json_copy(print->ccmd->cases.data[i].result);
		json_object_set_new(one, "findings",
			json_integer(
				(json_int_t)json_array_size(json_object_get(one, "findings"))));
		json_array_append_new(cases, one);
	}
	for (size_t i = 0; i < found->findings.len; i++)
		json_array_append(findings, found->findings.data[i]);
	json_object_set_new(all, "compilers", compilers);
	json_object_set_new(all, "cases", cases);
	json_object_set_new(all, "format", json_string("xstep-ccmd/1"));
	json_object_set_new(all, "clusters", clusters);
	json_object_set_new(all, "findings", findings);
	return all;
}

static void print_json(struct cli_ccmd_print *print, const struct found *found)
{
	json_t *all = make_json(print, found);
	cli_json_dump(print->out, all);
	json_decref(all);
}

static void print_html(struct cli_ccmd_print *print, const struct found *found)
{
	json_t *all = make_json(print, found);
	cli_html_ccmd(print->out, all);
	json_decref(all);
}

/* `main of t.c, gcc-12 -O2 -g2`, to be freed. */
static char *title(const json_t *finding)
{
	const char *where = text_of(finding, "where");
	return xs_asprintf("%s%s%s, %s %s %s", where ? where : "", where ? " of " : "",
		xs_base_name(text_of(finding, "source")), text_of(finding, "compiler"),
		text_of(finding, "flags"), text_of(finding, "g"));
}

/* What could not be checked: a run that failed must not look like one that found nothing. */
static void put_invocation(const struct cli_ccmd_print *print)
{
	const char *mark = "";
	if (!count_errors(print->ccmd))
		return;
	fputs(",\"invocations\":[{\"executionSuccessful\":false,"
	      "\"toolExecutionNotifications\":[",
		print->out);
	for (size_t i = 0; i < print->ccmd->cases.len; i++) {
		const json_t *result = print->ccmd->cases.data[i].result;
		if (!text_of(result, "error"))
			continue;
		XS_AUTO_FREE char *text = xs_asprintf("%s, %s %s: %s", text_of(result, "source"),
			text_of(result, "compiler"), text_of(result, "flags"),
			text_of(result, "error"));
		xs_print(print->out, "%s{\"level\":\"error\",\"message\":{\"text\":", mark);
		cli_json_string(print->out, text);
		fputs("}}", print->out);
		mark = ",";
	}
	fputs("]}]", print->out);
}

static void print_sarif(struct cli_ccmd_print *print, const struct found *found)
{
	FILE *out = print->out;
	fputs("{\"$schema\":\"https://json.schemastore.org/"
	      "sarif-2.1.0.json\",\"version\":\"2.1.0\","
	      "\"runs\":[{\"tool\":{\"driver\":{\"name\":\"xstep\",\"version\":\"" XSTEP_VERSION
	      "\",\"rules\":[",
		out);
	for (size_t i = 0; i < found->clusters.len; i++) {
		fputs(i ? ",{\"id\":" : "{\"id\":", out);
		cli_json_string(out, found->clusters.data[i].signature);
		fputs(",\"shortDescription\":{\"text\":", out);
		cli_json_string(out, text_of(found->clusters.data[i].first, "meaning"));
		fputs("}}", out);
	}
	fputs("]}},\"results\":[", out);
	for (size_t i = 0; i < found->findings.len; i++) {
		const json_t *finding = found->findings.data[i];
		const char *kind = text_of(finding, "kind"), *file = text_of(finding, "file");
		bool mild = !strcmp(kind, "padding") || !strcmp(kind, "encoding") ||
			    !strcmp(kind, "disagreement");
		XS_AUTO_FREE char *name = title(finding);
		XS_AUTO_FREE char *text = xs_asprintf("%s: %s", name, text_of(finding, "meaning"));
		fputs(i ? ",\n{\"ruleId\":" : "\n{\"ruleId\":", out);
		cli_json_string(out, text_of(finding, "signature"));
		xs_print(out,
			",\"level\":\"%s\",\"message\":{\"text\":", mild ? "warning" : "error");
		cli_json_string(out, text);
		xs_print(out, "},\"partialFingerprints\":{\"xstep/v1\":\"%s\"}",
			text_of(finding, "id"));
		fputs(",\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":", out);
		cli_json_uri(out, file ? file : text_of(finding, "source"));
		putc('}', out);
		if (file && real_of(finding, "line") > 0)
			xs_print(out, ",\"region\":{\"startLine\":%d}",
				(int)real_of(finding, "line"));
		fputs("}}]}", out);
	}
	fputs("]", out);
	put_invocation(print);
	fputs("}]}\n", out);
}

static void print_junit(struct cli_ccmd_print *print, const struct found *found)
{
	FILE *out = print->out;
	size_t errors = count_errors(print->ccmd);
	/* A suite without a case would look as if nothing had been done. */
	xs_print(out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"xstep ccmd\" "
		"tests=\"%zu\" "
		"failures=\"%zu\" errors=\"%zu\">\n",
		found->findings.len + errors ? found->findings.len + errors : 1,
		found->findings.len, errors);
	if (!found->findings.len && !errors)
		fputs("<testcase classname=\"xstep ccmd\" name=\"no difference\"/>\n", out);
	for (size_t i = 0; i < found->findings.len; i++) {
		const json_t *finding = found->findings.data[i];
		XS_AUTO_FREE char *name = title(finding);
		fputs("<testcase classname=\"", out);
		cli_xml_text(out, text_of(finding, "signature"));
		fputs("\" name=\"", out);
		cli_xml_text(out, name);
		xs_print(out, " [%s]\"><failure type=\"%s\" message=\"", text_of(finding, "id"),
			text_of(finding, "kind"));
		cli_xml_text(out, text_of(finding, "meaning"));
		fputs("\">", out);
		cli_xml_lines(out, text_of(finding, "context"));
		fputs("</failure></testcase>\n", out);
	}
	for (size_t i = 0; i < print->ccmd->cases.len; i++) {
		const json_t *result = print->ccmd->cases.data[i].result;
		if (!text_of(result, "error"))
			continue;
		fputs("<testcase classname=\"xstep ccmd\" name=\"", out);
		cli_xml_text(out, text_of(result, "source"));
		fputs(", ", out);
		cli_xml_text(out, text_of(result, "compiler"));
		putc(' ', out);
		cli_xml_text(out, text_of(result, "flags"));
		fputs("\"><error message=\"", out);
		cli_xml_text(out, text_of(result, "error"));
		fputs("\"/></testcase>\n", out);
	}
	fputs("</testsuite>\n", out);
}

static void print_markdown(struct cli_ccmd_print *print, const struct found *found)
{
	FILE *out = print->out;
	size_t errors = count_errors(print->ccmd);
	xs_print(out, "### xstep ccmd\n\n%zu cases, %zu findings in %zu clusters",
		print->ccmd->cases.len, found->findings.len, found->clusters.len);
	if (errors)
		xs_print(out, "; %zu cases could not be checked", errors);
	fputs(".\n", out);
	if (found->clusters.len)
		fputs("\n| signature | findings | the first | what it means | known | id |\n"
		      "|---|---:|---|---|---|---|\n",
			out);
	for (size_t i = 0; i < found->clusters.len; i++) {
		const struct cluster *cluster = &found->clusters.data[i];
		XS_AUTO_FREE char *name = title(cluster->first);
		const char *known = text_of(cluster->first, "known");
		fputs("| ", out);
		xs_markdown_cell(out, cluster->signature);
		xs_print(out, " | %" PRIu64 " | ", cluster->count);
		xs_markdown_text(out, name);
		fputs(" | ", out);
		xs_markdown_text(out, text_of(cluster->first, "meaning"));
		fputs(" | ", out);
		xs_markdown_text(out, known ? known : "");
		fputs(" | ", out);
		xs_markdown_cell(out, text_of(cluster->first, "id"));
		fputs(" |\n", out);
	}
}

struct xs_error *cli_ccmd_print(struct cli_ccmd_print *print)
{
	static void (*const formats[])(struct cli_ccmd_print *, const struct found *) = {
		print_text, print_json, print_sarif, print_junit, print_markdown, print_html};
	struct found found = {0};
	struct xs_error *err = collect(print, &found);
	if (!err) {
		formats[print->wishes->format](print, &found);
		print_errors(print);
	}
	xs_vec_deinit(&found.findings);
	xs_vec_deinit(&found.clusters);
	if (!err && (fflush(print->out) || ferror(print->out)))
		err = xs_error_sys("standard output");
	return err;
}
