/* finding_ci.c - findings for continuous integration: SARIF 2.1.0 and JUnit's XML. */
#include "base/shown.h"
#include "cli/report/finding.h"

#include "cli/report/json.h"
#include "cli/report/xml.h"

/* `numbers of halves at 0x11e9`, to be freed. */
static char *title(const struct ora_finding *finding)
{
	const struct ora_difference *one = finding->difference;
	return one->path ? xs_asprintf("%s%s%s at 0x%" PRIx64, one->path,
				   one->scope && *one->scope ? " of " : "",
				   one->scope ? one->scope : "", one->pc)
			 : xs_asprintf("%s at 0x%" PRIx64, ora_aspect_text(one->aspect), one->pc);
}

/* What is proven is an error, what most say a warning; the rest is worth a note. */
static const char *level_of(const struct ora_finding *finding)
{
	switch (finding->artefact ? ORA_BASIS_CONTESTED : finding->basis) {
	case ORA_BASIS_REPLAYED:
	case ORA_BASIS_EVIDENCE:
		return "error";
	case ORA_BASIS_MAJORITY:
		return "warning";
	default:
		return "note";
	}
}

static void sarif_result(FILE *out, const struct ora_finding *finding)
{
	const struct ora_difference *one = finding->difference;
	XS_AUTO_FREE char *name = title(finding);
	XS_AUTO_FREE char *text = xs_asprintf("%s: %s", name, finding->reason);
	fputs("{\"ruleId\":", out);
	cli_json_string(out, finding->signature);
	xs_print(out, ",\"level\":\"%s\",\"message\":{\"text\":", level_of(finding));
	cli_json_string(out, text);
	XS_AUTO_FREE char *place = cli_finding_place(finding);
	xs_print(out,
		"},\"partialFingerprints\":{\"xstep/v1\":\"%s\",\"xstep/place/v1\":", finding->id);
	cli_json_string(out, place);
	putc('}', out);
	if (one->file) {
		fputs(",\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":", out);
		cli_json_uri(out, one->file);
		putc('}', out);
		if (one->line)
			xs_print(out, ",\"region\":{\"startLine\":%u}", one->line);
		fputs("}}]", out);
	}
	putc('}', out);
}

struct xs_error *cli_findings_sarif(struct cli_findings *print)
{
	const struct ora_verdicts *verdicts = print->verdicts;
	FILE *out = print->out;
	const char *mark = "";
	fputs("{\"$schema\":\"https://json.schemastore.org/"
	      "sarif-2.1.0.json\",\"version\":\"2.1.0\","
	      "\"runs\":[{\"tool\":{\"driver\":{\"name\":\"xstep\",\"version\":\"" XSTEP_VERSION
	      "\",\"rules\":[",
		out);
	for (size_t i = 0; i < verdicts->clusters.len; i++) {
		const struct ora_finding *first =
			&verdicts->findings.data[verdicts->clusters.data[i].first];
		xs_print(out, "%s{\"id\":", mark);
		cli_json_string(out, first->signature);
		fputs(",\"shortDescription\":{\"text\":", out);
		cli_json_string(out, first->reason);
		fputs("}}", out);
		mark = ",";
	}
	fputs("]}},\"results\":[", out);
	mark = "";
	for (size_t i = 0; i < verdicts->findings.len; i++) {
		if (!cli_finding_is_listed(print, &verdicts->findings.data[i]))
			continue;
		fputs(*mark ? ",\n" : "\n", out);
		sarif_result(out, &verdicts->findings.data[i]);
		mark = ",";
		print->shown += cli_finding_counts(&verdicts->findings.data[i]);
	}
	fputs("]}]}\n", out);
	return NULL;
}

static bool is_failure(const struct ora_finding *finding)
{
	return !finding->artefact && finding->basis != ORA_BASIS_CONTESTED &&
	       finding->basis != ORA_BASIS_SUSPECTED;
}

static void junit_case(struct cli_findings *print, const struct ora_finding *finding)
{
	const struct ora_difference *one = finding->difference;
	XS_AUTO_FREE char *name = title(finding);
	FILE *out = print->out;
	fputs("<testcase classname=\"", out);
	cli_xml_text(out, finding->signature);
	fputs("\" name=\"", out);
	cli_xml_text(out, name);
	/* What nobody is named for is skipped, not failed. */
	bool failure = is_failure(finding);
	if (failure)
		xs_print(out, " [%s]\"><failure type=\"%s\" message=\"", finding->id,
			ora_basis_text(finding->basis));
	else
		xs_print(out, " [%s]\"><skipped message=\"", finding->id);
	cli_xml_text(out, finding->reason);
	fputs("\">", out);
	for (size_t w = 0; w < print->count; w++) {
		const struct ora_said *said = &one->said[w];
		if (!said->heard)
			continue;
		cli_xml_text(out, cli_finding_label(print, w));
		fputs(": ", out);
		cli_xml_text(out,
			said->state == ORA_STATE_VALUE ? said->value : ora_state_text(said->state));
		putc('\n', out);
	}
	xs_print(out, "</%s></testcase>\n", failure ? "failure" : "skipped");
}

struct xs_error *cli_findings_junit(struct cli_findings *print)
{
	const struct ora_verdicts *verdicts = print->verdicts;
	FILE *out = print->out;
	uint64_t listed = 0, failures = 0;
	for (size_t i = 0; i < verdicts->findings.len; i++) {
		const struct ora_finding *finding = &verdicts->findings.data[i];
		if (!cli_finding_is_listed(print, finding))
			continue;
		listed++;
		failures += is_failure(finding);
		print->shown += cli_finding_counts(finding);
	}
	/* A suite without a case would look as if nothing had been done. */
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"", out);
	xs_print(out, "xstep %s ", print->command);
	cli_xml_text(out, verdicts->subject);
	xs_print(out, "\" tests=\"%" PRIu64 "\" failures=\"%" PRIu64 "\">\n", listed ? listed : 1,
		failures);
	if (!listed)
		xs_print(out, "<testcase classname=\"xstep %s\" name=\"no %s\"/>\n", print->command,
			print->one);
	for (size_t i = 0; i < verdicts->findings.len; i++)
		if (cli_finding_is_listed(print, &verdicts->findings.data[i]))
			junit_case(print, &verdicts->findings.data[i]);
	fputs("</testsuite>\n", out);
	return NULL;
}
