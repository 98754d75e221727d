#include "base/shown.h"
#include "cli/report/finding.h"

#include "cli/report/json.h"

static void json_address(FILE *out, const char *key, const char *module, xs_addr address)
{
	if (address == XS_ADDR_NONE) {
		xs_print(out, ",\"%s\":null", key);
		return;
	}
	xs_print(out, ",\"%s\":\"", key);
	if (module)
		cli_json_part(out, module);
	xs_print(out, "%s0x%" PRIx64 "\"", module ? "+" : "", address);
}

static void json_stop(FILE *out, const struct ora_difference *one)
{
	xs_print(out, "\"stop\":{\"number\":%" PRIu64, one->number);
	json_address(out, "prev", NULL, one->prev);
	json_address(out, "pc", one->module, one->pc);
	xs_print(out, ",\"n\":%" PRIu64, one->n);
	cli_json_key(out, "function", one->function);
	cli_json_key(out, "file", one->file);
	xs_print(out, ",\"line\":%u}", one->line);
}

static void json_facts(const struct cli_findings *print, const struct ora_difference *one)
{
	FILE *out = print->out;
	bool first = true;
	fputs(",\"facts\":{", out);
	for (size_t w = 0; w < print->count; w++) {
		const struct ora_said *said = &one->said[w];
		if (!said->heard)
			continue;
		/* Two of one kind are told apart by their traces. */
		bool twin = false;
		for (size_t v = 0; v < print->count; v++)
			twin |= v != w &&
				!strcmp(cli_finding_label(print, v), cli_finding_label(print, w));
		fputs(first ? "\"" : ",\"", out);
		cli_json_part(out, cli_finding_label(print, w));
		if (twin)
			xs_print(out, "#%" PRIu64, print->traces[w]->id);
		xs_print(out, "\":{\"state\":\"%s\"", ora_state_text(said->state));
		cli_json_key(out, "value", said->value);
		cli_json_key(out, "message", said->message);
		putc('}', out);
		first = false;
	}
	putc('}', out);
}

static void json_wrong(const struct cli_findings *print, const struct ora_finding *finding)
{
	const char *mark = "", *last = "";
	bool check = print->headline != NULL; /* whose witnesses have several traces each */
	fputs(",\"wrong\":[", print->out);
	for (size_t w = 0; w < print->count; w++)
		if (finding->wrong >> w & 1 &&
			!(check && !strcmp(last, print->verdicts->witnesses[w]))) {
			last = print->verdicts->witnesses[w];
			xs_print(print->out, "%s", mark);
			cli_json_string(print->out, last);
			mark = ",";
		}
	xs_print(print->out, "%s]",
		finding->producer ? *mark ? ",\"producer\"" : "\"producer\"" : "");
}

/* Who says something else than xstep, named or not. */
static void json_differs(const struct cli_findings *print, const struct ora_finding *finding)
{
	const char *mark = "";
	fputs(",\"differs\":[", print->out);
	for (size_t w = 0; w < print->count; w++)
		if (finding->differs >> w & 1) {
			xs_print(print->out, "%s", mark);
			cli_json_string(print->out, print->verdicts->witnesses[w]);
			mark = ",";
		}
	putc(']', print->out);
}

/* What the plain debuggers said when they were asked again; null if they were not. */
static void json_again(const struct cli_findings *print, const struct ora_finding *finding)
{
	const struct ora_proof *proof = &finding->proof;
	const char *mark = "";
	xs_print(print->out, ",\"artefact\":%s", finding->artefact ? "true" : "false");
	if (!proof->asked) {
		fputs(",\"again\":null", print->out);
		return;
	}
	fputs(",\"again\":{", print->out);
	for (size_t w = 0; w < print->count; w++)
		if (proof->asked >> w & 1) {
			xs_print(print->out, "%s", mark);
			cli_json_string(print->out, print->verdicts->witnesses[w]);
			xs_print(print->out, ":{\"same\":%s",
				proof->again >> w & 1 ? "true" : "false");
			cli_json_key(print->out, "words", proof->words[w]);
			putc('}', print->out);
			mark = ",";
		}
	putc('}', print->out);
}

static void json_features(FILE *out, const struct di_features *features)
{
	const char *mark = "";
	fputs(",\"features\":[", out);
	for (unsigned i = 0; i < DI_FEATURE_COUNT; i++)
		if (features->set >> i & 1) {
			xs_print(out, "%s\"%s\"", mark, di_feature_text(i));
			mark = ",";
		}
	putc(']', out);
	if (!features->found) {
		fputs(",\"evidence\":null", out);
		return;
	}
	xs_print(out, ",\"evidence\":{\"die\":\"0x%" PRIx64 "\",\"visible\":%s", features->die,
		features->visible ? "true" : "false");
	cli_json_key(out, "place", *features->place ? features->place : NULL);
	cli_json_key(out, "expression", *features->expr ? features->expr : NULL);
	cli_json_key(out, "problem", *features->reason ? features->reason : NULL);
	putc('}', out);
}

/* What nobody is wrong in, by what is contested. */
static void json_contested(const struct cli_findings *print)
{
	FILE *out = print->out;
	const char *mark = "";
	fputs("},\"contested\":{", out);
	for (unsigned i = 1; i < ORA_CONTEST_COUNT; i++)
		if (!ora_contest_is_presentation(i)) {
			xs_print(out, "%s\"%s\":%" PRIu64, mark, ora_contest_text(i),
				print->verdicts->contested[i]);
			mark = ",";
		}
}

/* What was looked at again, and why not if it was not. */
static void json_proving(const struct cli_findings *print)
{
	const struct ora_proving *proving = print->proving;
	FILE *out = print->out;
	size_t artefacts = 0;
	for (size_t i = 0; i < print->verdicts->clusters.len; i++)
		artefacts += print->verdicts->findings.data[print->verdicts->clusters.data[i].first]
				     .artefact;
	xs_print(out, ",\"artefacts\":%zu", artefacts);
	cli_json_key(out, "unproven",
		!proving                ? NULL
		: proving->silence      ? proving->silence
		: proving->no_reproduce ? "--no-reproduce"
					: NULL);
	xs_print(out, ",\"seconds\":{\"replay\":%.3f,\"reproduce\":%.3f}",
		proving ? proving->seconds[0] : 0, proving ? proving->seconds[1] : 0);
}

void cli_finding_json(const struct cli_findings *print, const struct ora_finding *finding)
{
	const struct ora_difference *one = finding->difference;
	FILE *out = print->out;
	xs_print(out, "{\"id\":\"%s\",", finding->id);
	json_stop(out, one);
	cli_json_key(out, "aspect", ora_aspect_text(one->aspect));
	cli_json_key(out, "group", finding->group);
	cli_json_key(out, "kind", ora_kind_text(finding->kind));
	cli_json_key(out, "path", one->path);
	cli_json_key(out, "var", one->var);
	if (one->var && one->decl_line) {
		fputs(",\"decl\":{\"file\":", out);
		cli_json_string(out, one->decl_file);
		xs_print(out, ",\"line\":%u}", one->decl_line);
	} else {
		fputs(",\"decl\":null", out);
	}
	cli_json_key(out, "scope", one->scope);
	xs_print(out, ",\"frame\":%u", one->frame);
	json_address(out, "frame_pc", one->frame_module, one->frame_pc);
	cli_json_key(out, "type", one->type);
	json_facts(print, one);
	json_wrong(print, finding);
	json_differs(print, finding);
	cli_json_key(out, "basis", ora_basis_text(finding->basis));
	cli_json_key(
		out, "contested", finding->contest ? ora_contest_text(finding->contest) : NULL);
	json_again(print, finding);
	cli_json_key(out, "reason", finding->reason);
	cli_json_key(out, "signature", finding->signature);
	cli_json_key(out, "known", finding->known);
	if (print->headline) {
		cli_json_key(out, "flaw", finding->flaw);
		cli_json_key(out, "remark", finding->remark);
	}
	json_features(out, &finding->features);
	xs_print(out, ",\"times\":%" PRIu64 ",\"stops\":%" PRIu64, one->times, one->stops);
	cli_json_key(out, "other", one->other);
	putc('}', out);
}

static void json_asked(const struct cli_findings *print)
{
	FILE *out = print->out;
	for (size_t i = 0; print->asked && i < print->asked->rules.len; i++) {
		const struct ora_asked_rule *rule = &print->asked->rules.data[i];
		xs_print(out, "%s{\"rule\":", i ? "," : "");
		cli_json_string(out, rule->rule);
		cli_json_key(out, "what", rule->what);
		xs_print(out, ",\"asked\":%" PRIu64 ",\"left\":{", rule->asked);
		for (size_t k = 0; k < rule->left.len; k++) {
			if (k)
				putc(',', out);
			cli_json_string(out, rule->left.data[k].reason);
			xs_print(out, ":%" PRIu64, rule->left.data[k].count);
		}
		fputs("}}", out);
	}
}

/* Who was asked and could not tell what is needed. */
static void json_lost(const struct cli_findings *print)
{
	fputs(",\"lost\":[", print->out);
	for (size_t i = 0; print->lost && i < print->lost->vec.len; i++) {
		fputs(i ? ",{\"witness\":" : "{\"witness\":", print->out);
		cli_json_string(print->out, print->lost->vec.data[i].witness);
		cli_json_key(print->out, "why", print->lost->vec.data[i].why);
		putc('}', print->out);
	}
	putc(']', print->out);
}

static void json_summary(const struct cli_findings *print, uint64_t listed)
{
	const struct ora_comparison *comparison = print->verdicts->comparison;
	FILE *out = print->out;
	uint64_t presentation = 0;
	for (unsigned i = 0; i < ORA_CONTEST_COUNT; i++)
		presentation += ora_contest_is_presentation(i) ? print->verdicts->contested[i] : 0;
	if (print->headline) {
		xs_print(out,
			",\"summary\":{\"%s\":%" PRIu64 ",\"old\":%" PRIu64 ",\"unsteady\":%" PRIu64
			",\"rounded\":%" PRIu64 ",\"asked\":[",
			print->many, listed, cli_findings_old(print), print->unsteady,
			print->rounded);
		json_asked(print);
		fputs("],\"about\":", out);
		cli_json_string(out, print->headline);
		json_lost(print);
		putc('}', out);
		return;
	}
	xs_print(out,
		",\"summary\":{\"stops\":%" PRIu64 ",\"cut\":%s,\"compared\":%" PRIu64
		",\"discrepancies\":%" PRIu64 ",\"old\":%" PRIu64 ",\"presentation\":%" PRIu64
		",\"aside\":{",
		comparison->stops, comparison->cut ? "true" : "false", comparison->compared, listed,
		cli_findings_old(print), presentation);
	for (unsigned i = 0; i < ORA_ASIDE_COUNT; i++)
		xs_print(out, "%s\"%s\":%" PRIu64, i ? "," : "", ora_aside_text(i),
			comparison->aside[i]);
	json_contested(print);
	fputs("},\"missed\":[", out);
	for (size_t w = 0; w < print->count; w++)
		xs_print(out, "%s%" PRIu64, w ? "," : "", comparison->missed[w]);
	fputs("],\"extra\":[", out);
	for (size_t w = 0; w < print->count; w++)
		xs_print(out, "%s%" PRIu64, w ? "," : "", comparison->extra[w]);
	putc(']', out);
	json_lost(print);
	json_proving(print);
	putc('}', out);
}

void cli_findings_json_witnesses(const struct cli_findings *print)
{
	FILE *out = print->out;
	putc('[', out);
	for (size_t w = 0; w < print->count; w++) {
		xs_print(out, "%s{\"witness\":", w ? "," : "");
		cli_json_string(out, print->verdicts->witnesses[w]);
		if (print->traces[w]->id) /* it is stored */
			xs_print(out, ",\"trace\":%" PRIu64, print->traces[w]->id);
		cli_json_key(out, "version", print->traces[w]->trace.version);
		if (print->headline) {
			cli_json_key(out, "label", cli_finding_label(print, w));
			cli_json_key(out, "program", print->traces[w]->subject.path);
		}
		cli_json_key(out, "trouble", print->traces[w]->end.trouble);
		cli_json_key(out, "how", print->traces[w]->end.how);
		fputs(print->traces[w]->end.complete ? ",\"complete\":true" : ",\"complete\":false",
			out);
		putc('}', out);
	}
	putc(']', out);
}

void cli_findings_json_clusters(const struct cli_findings *print)
{
	const struct ora_verdicts *verdicts = print->verdicts;
	FILE *out = print->out;
	bool first_one = true;
	putc('[', out);
	for (size_t i = 0; i < verdicts->clusters.len; i++) {
		const struct ora_cluster *cluster = &verdicts->clusters.data[i];
		const struct ora_finding *first = &verdicts->findings.data[cluster->first];
		if (!cli_finding_is_listed(print, first))
			continue;
		fputs(first_one ? "" : ",", out);
		xs_print(out,
			"\n{\"first\":\"%s\",\"count\":%" PRIu64 ",\"places\":%" PRIu64
			",\"stops\":%" PRIu64 ",\"leaves\":%" PRIu64,
			first->id, cluster->count, cluster->places, cluster->stops,
			cluster->leaves);
		cli_json_key(out, "basis", ora_basis_text(first->basis));
		cli_json_key(out, "signature", first->signature);
		cli_json_key(out, "known", first->known);
		putc('}', out);
		first_one = false;
	}
	putc(']', out);
}

struct xs_error *cli_findings_json(struct cli_findings *print)
{
	const struct ora_verdicts *verdicts = print->verdicts;
	FILE *out = print->out;
	bool first_one = true;
	fputs(print->headline ? "{\"format\":\"xstep-check/1\",\"command\":"
			      : "{\"format\":\"xstep-diff/1\",\"command\":",
		out);
	cli_json_string(out, print->command);
	fputs(",\"subject\":", out);
	cli_json_string(out, verdicts->subject);
	fputs(",\"witnesses\":", out);
	cli_findings_json_witnesses(print);
	xs_print(out, ",\"%s\":[\n", print->many);
	for (size_t i = 0; i < verdicts->findings.len; i++) {
		const struct ora_finding *finding = &verdicts->findings.data[i];
		if (!cli_finding_is_listed(print, finding))
			continue;
		fputs(first_one ? "" : ",\n", out);
		cli_finding_json(print, finding);
		first_one = false;
		print->shown += cli_finding_counts(finding);
	}
	fputs("],\"clusters\":", out);
	cli_findings_json_clusters(print);
	json_summary(print, print->shown);
	fputs("}\n", out);
	return NULL;
}
