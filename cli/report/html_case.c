#include "cli/report/html_case.h"

#include "base/path.h"
#include "base/shown.h"
#include "cli/report/json.h"

/* --- gathering -------------------------------------------------------------------------------- */

static bool is_variable(const struct ora_difference *one)
{
	return one->var && one->path &&
	       (one->aspect == ORA_ASPECT_VARIABLE || one->aspect == ORA_ASPECT_LOOKUP ||
		       one->aspect == ORA_ASPECT_BUILDS || one->aspect == ORA_ASPECT_CHECK);
}

/* That a place cannot be gone to once more is no error: then it is not shown. */
static void find_workings(struct cli_html_case *one)
{
	const struct cli_findings *print = one->print;
	const struct ora_finding *finding = one->finding;
	const struct ora_difference *difference = finding->difference;
	uint64_t hit = print->routes ? print->routes[finding->origin].hit : 0;
	if (!print->run || !print->program || !hit || difference->module ||
		!is_variable(difference))
		return;
	xs_error_destroy(ora_workings_find(print->program, print->run->argv, hit, difference,
		ora_working_mistake(print->verdicts, finding), &one->workings));
}

void cli_html_case_init(struct cli_html_case *one)
{
	struct di_module *module = one->print->verdicts->module;
	const struct di_features *features = &one->finding->features;
	cli_html_code_find(one);
	if (one->stretch.lo < one->stretch.hi)
		di_lanes_of(module, one->focus, features->found ? features->die : 0, &one->lanes);
	find_workings(one);
	cli_finding_by_hand(one->print, one->finding, &one->by_hand);
}

void cli_html_case_deinit(struct cli_html_case *one)
{
	xs_vec_deinit(&one->code);
	di_lanes_deinit(&one->lanes);
	ora_workings_deinit(&one->workings);
	cli_by_hand_deinit(&one->by_hand);
}

/* --- the verdict ------------------------------------------------------------------------------ */

/* Whose label it is: a debugger's or a symboliser's own name. */
static const char *kind_of(const char *label)
{
	for (int kind = 0; kind < ORA_WITNESS_KINDS; kind++)
		if (ora_witness_is(label, (enum ora_witness_kind)kind))
			return ora_witness_name((enum ora_witness_kind)kind);
	return "?";
}

const char *cli_html_party(const struct cli_findings *print, const struct ora_finding *finding)
{
	size_t judge = ora_verdicts_judge(print->verdicts);
	if (finding->contest)
		return "contested";
	if (finding->producer)
		return "producer";
	for (size_t w = 0; w < print->count; w++)
		if (finding->wrong >> w & 1 && w != judge)
			return kind_of(print->verdicts->witnesses[w]);
	if (*finding->group == 'X' || (judge < print->count && finding->wrong >> judge & 1))
		return "xstep";
	return "?";
}

bool cli_html_doubts(const struct ora_finding *finding, size_t w)
{
	return (finding->wrong ? finding->wrong : finding->differs) >> w & 1;
}

/* What the two words beside the badge mean, for who sees them for the first time. */
static const char *const kind_meaning[] = {
	[ORA_KIND_LOSS] = "shows nothing of what the debug information gives",
	[ORA_KIND_EXTRA] = "shows what is not there",
	[ORA_KIND_LIE] = "a wrong value, line or frame",
	[ORA_KIND_CRASH] = "does not survive it",
};
static const char *const basis_meaning[ORA_BASIS_COUNT] = {
	[ORA_BASIS_REPLAYED] = "xstep, making this one mistake, comes to the very same words",
	[ORA_BASIS_EVIDENCE] = "the debug information decides, and not by xstep's word alone",
	[ORA_BASIS_CONTESTED] = "the standard leaves it open, or it is done on purpose",
	[ORA_BASIS_MAJORITY] = "most witnesses agree",
	[ORA_BASIS_SUSPECTED] = "they differ, and nothing proves whose mistake it is",
};

static void put_head(FILE *out, const struct cli_html_case *one)
{
	const struct ora_finding *finding = one->finding;
	const struct ora_difference *difference = finding->difference;
	const char *party = cli_html_party(one->print, finding);
	cli_html(out,
		"<header><p class=\"tags\"><span class=\"badge %s\">%s</span> <span "
		"class=\"tag\">%s</span> "
		"<span class=\"tag\" title=\"how certain it is\">%s</span>",
		*party == '?' ? "open" : party, *party == '?' ? "nobody named" : party,
		ora_kind_text(finding->kind),
		finding->artefact ? "not reproduced" : ora_basis_text(finding->basis));
	if (finding->known)
		cli_html(out, " <span class=\"tag known\">known: %s</span>", finding->known);
	cli_html(out,
		" <a class=\"id\" href=\"#%s\" title=\"a link to this "
		"finding\">#%s</a></p>\n<h2>%s</h2>\n<p class=\"place\">",
		finding->id, finding->id, finding->reason);
	if (difference->var || difference->aspect != ORA_ASPECT_CHECK)
		cli_html(out, "<code>%s</code>%s",
			difference->var ? difference->path : ora_aspect_text(difference->aspect),
			difference->scope && *difference->scope && difference->var ? " of " : "");
	if (difference->scope && *difference->scope && difference->var)
		cli_html(out, "<code>%s</code>", difference->scope);
	cli_html(out, "%s <code>0x%lx</code> in <code>%s</code>, <code>%s:%u</code>, stop %lu",
		difference->var || difference->aspect != ORA_ASPECT_CHECK ? " at" : "At",
		difference->pc, difference->function ? difference->function : "?",
		difference->file ? xs_base_name(difference->file) : "?", difference->line,
		difference->number);
	if (difference->frame && !difference->global)
		cli_html(out, ", frame %u", difference->frame);
	fputs("</p>\n", out);
	const char *producer =
		one->print->verdicts->module && !difference->module
			? di_unit_producer(one->print->verdicts->module, difference->pc)
			: NULL;
	if (producer)
		cli_html(out, "<p class=\"counts\">built by <code>%s</code></p>\n", producer);
	if (one->cluster)
		cli_html(out,
			"<p class=\"counts\"><span title=\"xstep's name for this kind of "
			"finding\">signature</span> <code>%s</code>: %lu finding%s at %lu "
			"place%s, %lu stop%s</p>\n",
			finding->signature, one->cluster->count,
			one->cluster->count == 1 ? "" : "s", one->cluster->places,
			one->cluster->places == 1 ? "" : "s", one->cluster->stops,
			one->cluster->stops == 1 ? "" : "s");
	cli_html(out, "<p class=\"counts\">%s: %s", ora_kind_text(finding->kind),
		finding->producer && finding->kind == ORA_KIND_LOSS
			? "the debug information gives nothing of what is there"
			: kind_meaning[finding->kind]);
	/* A debugger may say itself what it cannot do: that takes no model. */
	bool confessed = finding->basis == ORA_BASIS_REPLAYED &&
			 !ora_working_mistake(one->print->verdicts, finding);
	if (!finding->artefact)
		cli_html(out, "; %s: %s", ora_basis_text(finding->basis),
			confessed ? "the debugger says itself what it cannot do"
				  : basis_meaning[finding->basis]);
	fputs(".", out);
	if (finding->producer)
		fputs(" The producer is who wrote the debug information: that compiler.", out);
	fputs("</p>\n</header>\n", out);
}

/* --- the words -------------------------------------------------------------------------------- */

/* How much two texts have in common, at their beginning and at their end: whole words. */
static void common(const char *a, const char *b, size_t *head, size_t *tail)
{
	size_t la = strlen(a), lb = strlen(b), k = 0;
	for (*head = 0; a[k] && a[k] == b[k]; k++)
		if (a[k] == ' ')
			*head = k + 1;
	for (*tail = 0, k = 0; k < la - *head && k < lb - *head && a[la - 1 - k] == b[lb - 1 - k];
		k++)
		if (a[la - 1 - k] == ' ')
			*tail = k + 1;
}

/* The first witness that is believed; as many as there are: nobody is. */
static size_t find_right(const struct cli_html_case *one)
{
	const struct ora_difference *difference = one->finding->difference;
	size_t judge = ora_verdicts_judge(one->print->verdicts), w = 0;
	if (judge < one->print->count && difference->said[judge].heard &&
		!cli_html_doubts(one->finding, judge))
		return judge;
	while (w < one->print->count &&
		(!difference->said[w].heard || cli_html_doubts(one->finding, w)))
		w++;
	return w;
}

static void put_fact(FILE *out, const struct cli_html_case *one, size_t w, size_t right)
{
	const struct ora_difference *difference = one->finding->difference;
	XS_AUTO_FREE char *fact = cli_finding_fact(difference, &difference->said[w]);
	XS_AUTO_FREE char *truth = right < one->print->count
					   ? cli_finding_fact(difference, &difference->said[right])
					   : NULL;
	size_t head = 0, tail = 0;
	bool named = one->finding->wrong >> w & 1;
	if (!named || !truth || !strcmp(fact, truth)) {
		cli_html(out, "<p class=\"fact\"><code>%s</code></p>\n", fact);
		return;
	}
	common(fact, truth, &head, &tail);
	size_t middle = strlen(fact) - head - tail;
	cli_html(out, "<p class=\"fact\"><code>%.*s<del>%.*s</del>%s</code></p>\n", (int)head, fact,
		(int)middle, fact + head, fact + head + middle);
}

static void put_words(FILE *out, const struct cli_html_case *one)
{
	const struct cli_findings *print = one->print;
	const struct ora_finding *finding = one->finding;
	const struct ora_difference *difference = finding->difference;
	size_t right = find_right(one);
	fputs("<section class=\"words\"><h3>What they say</h3>\n<div class=\"cards\">\n", out);
	for (size_t w = 0; w < print->count; w++) {
		if (!difference->said[w].heard)
			continue;
		bool named = finding->wrong >> w & 1, differs = finding->differs >> w & 1;
		const char *version = print->traces[w]->trace.version;
		cli_html(out,
			"<div class=\"card%s\"><h4>%s <small>%s</small><span "
			"class=\"mark\">%s</span></h4>\n",
			named     ? " wrong"
			: differs ? " other"
				  : "",
			cli_finding_label(print, w), version ? version : "",
			named     ? "✗ wrong"
			: differs ? "differs"
				  : "");
		put_fact(out, one, w, right);
		if (finding->proof.asked >> w & 1 && finding->proof.words[w])
			cli_html(out,
				"<p class=\"again\">asked again, plain: <code>%s</code></p>\n",
				finding->proof.words[w]);
		fputs("</div>\n", out);
	}
	if (difference->other)
		cli_html(out,
			"<div class=\"card\"><h4>other build</h4><p class=\"fact\"><code>%s = "
			"%s</code>"
			"</p></div>\n",
			difference->path, difference->other);
	fputs("</div>\n", out);
	if (finding->remark)
		cli_html(out, "<p class=\"evidence\">%s</p>\n", finding->remark);
	/* The machine says it better. */
	if (!one->workings.right.there &&
		(finding->proof.bytes || (finding->features.found && *finding->features.expr)))
		cli_html(out,
			"<p class=\"evidence\">The DWARF: <code>.debug_info+0x%lx</code>, "
			"<code>%s</code></p>\n",
			finding->features.die,
			finding->proof.bytes ? finding->proof.bytes : finding->features.expr);
	fputs("</section>\n", out);
}

/* --- what to copy ----------------------------------------------------------------------------- */

static void put_block(FILE *out, const char *part, const char *id, const char *text)
{
	cli_html(out, "<pre id=\"%s-%s\" tabindex=\"0\">", part, id);
	cli_html_lines(out, text);
	fputs("</pre></div>\n", out);
}

/* Why the commands have other addresses than all the rest. */
static void put_bias(FILE *out, const struct cli_html_case *one)
{
	const struct ora_route *routes = one->print->routes;
	xs_addr bias = routes ? routes[one->finding->origin].bias : 0;
	if (bias && bias != XS_ADDR_NONE)
		cli_html(out,
			"<p class=\"note\">The program is loaded at 0x%lx: its addresses are by "
			"that much "
			"greater than those of the file, which stand everywhere else here.</p>\n",
			bias);
}

static void put_see(FILE *out, const struct cli_html_case *one)
{
	const char *id = one->finding->id;
	XS_AUTO_FREE char *words = one->report ? NULL : cli_finding_words(one->print, one->finding);
	fputs("<section class=\"see\"><h3>See it yourself</h3>\n", out);
	if (one->by_hand.vec.len) {
		cli_html_copy(out, id, "hand", "Copy the commands");
		cli_html(out, "<pre id=\"hand-%s\" tabindex=\"0\">", id);
		for (size_t i = 0; i < one->by_hand.vec.len; i++) {
			cli_html(out, "%s", one->by_hand.vec.data[i]);
			putc('\n', out);
		}
		fputs("</pre></div>\n", out);
		put_bias(out, one);
	}
	if (one->bisect) {
		cli_html_copy(out, id, "bisect", "Copy the bisect line");
		put_block(out, "bisect", id, one->bisect);
	}
	cli_html(out, "<details><summary>%s</summary>\n",
		one->report ? "The report, to be sent" : "What xstep prints of it");
	cli_html_copy(out, id, "report", "Copy the report");
	put_block(out, "report", id, one->report ? one->report : words);
	fputs("</details></section>\n", out);
}

/* --- the whole -------------------------------------------------------------------------------- */

void cli_html_case_print(FILE *out, const struct cli_html_case *one)
{
	cli_html(out, "<article class=\"case\" id=\"%s\" data-party=\"%s\">\n", one->finding->id,
		cli_html_party(one->print, one->finding));
	put_head(out, one);
	put_words(out, one);
	cli_html_code(out, one);
	cli_html_ruler(out, one);
	cli_html_machine(out, one);
	cli_html_plot(out, one);
	put_see(out, one);
	fputs("</article>\n", out);
}

static void json_working(FILE *out, const char *key, const struct ora_working *working)
{
	xs_print(out, ",\"%s\":{\"state\":\"%s\"", key, ora_state_text(working->state));
	cli_json_key(out, "value", working->value);
	cli_json_key(out, "place", working->place);
	fputs(",\"steps\":[", out);
	for (size_t i = 0; i < working->steps.len; i++) {
		const struct ora_working_step *step = &working->steps.data[i];
		fputs(i ? ",{\"text\":" : "{\"text\":", out);
		cli_json_string(out, step->text);
		fputs(step->remark ? ",\"remark\":true,\"stack\":[" : ",\"stack\":[", out);
		for (size_t k = 0; k < step->stack.len; k++) {
			fputs(k ? "," : "", out);
			cli_json_string(out, step->stack.data[k]);
		}
		fputs("]}", out);
	}
	fputs("]}", out);
}

static void json_lanes(FILE *out, const struct di_lanes *lanes)
{
	fputs(",\"lanes\":[", out);
	for (size_t i = 0; i < lanes->vec.len; i++) {
		const struct di_lane *lane = &lanes->vec.data[i];
		xs_print(out, "%s{\"kind\":\"%s\"", i ? "," : "",
			lane->kind == DI_LANE_BLOCK ? "block" : "entry");
		cli_json_key(out, "title", lane->title);
		cli_json_key(out, "verdict", lane->verdict);
		fputs(",\"ranges\":[", out);
		for (size_t k = 0; k < lane->ranges.len; k++)
			xs_print(out, "%s[\"0x%" PRIx64 "\",\"0x%" PRIx64 "\"]", k ? "," : "",
				lane->ranges.data[k].lo, lane->ranges.data[k].hi);
		fputs("]}", out);
	}
	putc(']', out);
}

void cli_html_case_json(FILE *out, const struct cli_html_case *one)
{
	struct cli_findings print = *one->print;
	print.out = out;
	fputs("{\"finding\":", out);
	cli_finding_json(&print, one->finding);
	cli_json_key(out, "party", cli_html_party(one->print, one->finding));
	xs_print(out, ",\"focus\":\"0x%" PRIx64 "\",\"code\":[\"0x%" PRIx64 "\",\"0x%" PRIx64 "\"]",
		one->focus, one->stretch.lo, one->stretch.hi);
	json_lanes(out, &one->lanes);
	if (one->workings.right.there) {
		json_working(out, "right", &one->workings.right);
		cli_json_key(out, "mistake",
			one->workings.mistake ? di_mistake_text(one->workings.mistake) : NULL);
	}
	if (one->workings.mistake)
		json_working(out, "wrong", &one->workings.wrong);
	fputs(",\"points\":", out);
	cli_html_plot_json(out, one);
	fputs(",\"by_hand\":[", out);
	for (size_t i = 0; i < one->by_hand.vec.len; i++) {
		fputs(i ? "," : "", out);
		cli_json_string(out, one->by_hand.vec.data[i]);
	}
	fputs("]}", out);
}
