/* finding_summary.c - what stands above the findings: who was asked, what was compared, how many
 * there are and how certain they are. */
#include "base/path.h"
#include "base/shown.h"
#include "cli/report/finding.h"
#include "cli/report/screen.h"
#include "dwarf/language.h"
#include "dwarf/split.h"

enum { LABEL = 11 }; /* columns of what a line is about */

struct coverage {
	uint64_t e[2], we[2], d[2]; /* selected, evaluated */
};

static void on_figure(
	void *arg, const char *kind, const char *name, uint64_t selected, uint64_t evaluated)
{
	struct coverage *coverage = arg;
	(void)name;
	uint64_t *sum = !strcmp(kind, "state")         ? coverage->e
			: !strcmp(kind, "instruction") ? coverage->we
			: !strcmp(kind, "operator")    ? NULL
						       : coverage->d;
	if (sum) {
		sum[0] += selected;
		sum[1] += evaluated;
	}
}

static double percent(const uint64_t figure[2])
{
	return figure[0] ? 100.0 * (double)figure[1] / (double)figure[0] : 100.0;
}

/* Counts by a word; few different ones. */
struct tally {
	XS_VEC(struct count {
		char *word;
		uint64_t count;
	})
	vec;
};

static void count(struct tally *tally, const char *word)
{
	for (size_t i = 0; i < tally->vec.len; i++)
		if (!strcmp(tally->vec.data[i].word, word)) {
			tally->vec.data[i].count++;
			return;
		}
	struct count fresh = {xs_strdup(word), 1};
	xs_vec_push(&tally->vec, fresh);
}

/* What a line is about; its text begins behind that. */
static void print_label(FILE *out, const char *title, enum cli_ink ink)
{
	fputs("  ", out);
	cli_ink_word(out, ink, title, LABEL);
}

static void print_tally(FILE *out, const char *title, enum cli_ink ink, struct tally *tally)
{
	if (tally->vec.len)
		print_label(out, title, ink);
	for (size_t i = 0; i < tally->vec.len; i++) {
		xs_print(out, "%s%s %" PRIu64, i ? ", " : "", tally->vec.data[i].word,
			tally->vec.data[i].count);
		free(tally->vec.data[i].word);
	}
	if (tally->vec.len)
		putc('\n', out);
	xs_vec_deinit(&tally->vec);
}

static void print_counts(struct cli_findings *print)
{
	const struct ora_verdicts *verdicts = print->verdicts;
	struct tally groups = {0}, kinds = {0}, wrong = {0}, bases = {0};
	for (size_t i = 0; i < verdicts->findings.len; i++) {
		const struct ora_finding *finding = &verdicts->findings.data[i];
		if (!cli_finding_is_listed(print, finding))
			continue;
		count(&groups, finding->group);
		count(&kinds, ora_kind_text(finding->kind));
		count(&bases, ora_basis_text(finding->basis));
		const char *last = "";
		for (size_t w = 0; w < print->count; w++)
			if (finding->wrong >> w & 1 &&
				!(print->headline && !strcmp(last, verdicts->witnesses[w])))
				count(&wrong, last = verdicts->witnesses[w]);
		if (finding->producer)
			count(&wrong, "producer");
		if (!finding->wrong && !finding->producer)
			count(&wrong, "nobody named");
	}
	print_tally(print->out, print->headline ? "rules" : "groups", CLI_INK_FAINT, &groups);
	print_tally(print->out, "kinds", CLI_INK_FAINT, &kinds);
	print_tally(print->out, "wrong", CLI_INK_WRONG, &wrong);
	print_tally(print->out, "basis", CLI_INK_FAINT, &bases);
}

/* What each rule of a check asked, and what kept it from asking more. */
static void print_asked(const struct cli_findings *print)
{
	for (size_t i = 0; print->asked && i < print->asked->rules.len; i++) {
		const struct ora_asked_rule *rule = &print->asked->rules.data[i];
		print_label(print->out, i ? "" : "asked", CLI_INK_FAINT);
		xs_print(print->out, "%s: %" PRIu64 " %s", rule->rule, rule->asked, rule->what);
		for (size_t k = 0; k < rule->left.len; k++)
			xs_print(print->out, "%s%" PRIu64 " %s",
				k ? ", " : "; not asked: ", rule->left.data[k].count,
				rule->left.data[k].reason);
		putc('\n', print->out);
	}
}

/* Which languages of the program are not judged in full. */
static void print_languages(const struct cli_findings *print)
{
	struct di_module *module = print->verdicts->module;
	struct tally languages = {0};
	Dwarf_CU *cu = NULL;
	while (module && module->dwarf &&
		!dwarf_get_units(module->dwarf, cu, &cu, NULL, NULL, NULL, NULL)) {
		Dwarf_Die die = di_unit_die(module, cu);
		const struct di_unit *unit = di_unit_of(module, &die);
		enum di_language language = di_language_of(unit);
		if (!di_language_is_judged(language) && language != DI_LANGUAGE_ASSEMBLER)
			count(&languages,
				di_language_name(di_language_number(unit), (char[DI_DW_NAME]){0}));
	}
	for (size_t i = 0; i < languages.vec.len; i++) {
		bool rust = !strcmp(languages.vec.data[i].word, "Rust");
		xs_print(print->out, "  language   %s, %" PRIu64 " unit%s: %s\n",
			languages.vec.data[i].word, languages.vec.data[i].count,
			languages.vec.data[i].count == 1 ? "" : "s",
			rust ? "who is wrong about a variable is said only where a model of the "
			       "mistake proves it"
			     : "only lines, frames and values of plain base types are compared");
		free(languages.vec.data[i].word);
	}
	xs_vec_deinit(&languages.vec);
}

static void print_aside(struct cli_findings *print)
{
	const struct ora_comparison *comparison = print->verdicts->comparison;
	bool first = true;
	for (unsigned i = 0; i < ORA_ASIDE_COUNT; i++)
		if (comparison->aside[i]) {
			if (first)
				print_label(print->out, "set aside", CLI_INK_FAINT);
			xs_print(print->out, "%s%" PRIu64 " %s", first ? "" : ", ",
				comparison->aside[i], ora_aside_text(i));
			first = false;
		}
	if (!first)
		putc('\n', print->out);
	for (size_t w = 1; w < print->count; w++)
		if (comparison->missed[w] || comparison->extra[w])
			xs_print(print->out,
				"  stops      %s has %" PRIu64 " fewer than %s and %" PRIu64
				" more%s\n",
				print->verdicts->witnesses[w], comparison->missed[w],
				print->verdicts->witnesses[0], comparison->extra[w],
				print->traces[w]->end.complete ? "" : "; its trace is incomplete");
}

/* Why a trace does not tell it all, if that is nobody's wish; else NULL. */
static const char *cut_short(const struct ora_trace_info *trace)
{
	const char *how = trace->end.how;
	bool interrupted = !trace->end.complete && how && !strncmp(how, "interrupted", 11);
	return interrupted ? how : trace->end.trouble;
}

/* How much was looked at. */
static void print_coverage(const struct cli_findings *print, const struct coverage *coverage)
{
	fputs("; ", print->out);
	if (coverage->e[0])
		xs_print(print->out, "E %.1f %%, ", percent(coverage->e));
	xs_print(print->out, "WE %.1f %%, D %.1f %%", percent(coverage->we), percent(coverage->d));
}

/* What nobody is wrong in, by what is contested: a line each for that and for presentation. */
static void print_contested(struct cli_findings *print, bool presentation)
{
	const uint64_t *counts = print->verdicts->contested;
	bool first = true;
	if (presentation ? print->presentation : print->contested)
		return;
	for (unsigned i = 1; i < ORA_CONTEST_COUNT; i++)
		if (counts[i] && ora_contest_is_presentation(i) == presentation) {
			if (first)
				print_label(print->out, presentation ? "presented" : "contested",
					CLI_INK_OPEN);
			xs_print(print->out, "%s%" PRIu64 " %s", first ? "" : ", ", counts[i],
				ora_contest_text(i));
			first = false;
		}
	if (!first)
		xs_print(print->out, " (%s)\n", presentation ? "--presentation" : "--contested");
}

static void print_artefacts(struct cli_findings *print)
{
	const struct ora_verdicts *verdicts = print->verdicts;
	const struct ora_proving *proving = print->proving;
	size_t artefacts = 0;
	for (size_t i = 0; i < verdicts->clusters.len; i++)
		artefacts += verdicts->findings.data[verdicts->clusters.data[i].first].artefact;
	if (artefacts && !print->artefacts)
		xs_print(print->out, "  artefacts  %zu not reproduced, see --artefacts\n",
			artefacts);
	/* Another folder, other input: then the program goes another way. */
	size_t missed = 0;
	for (size_t i = 0; i < verdicts->findings.len; i++)
		missed += cli_finding_counts(&verdicts->findings.data[i]) &&
			  verdicts->findings.data[i].difference->aspect == ORA_ASPECT_VARIABLE &&
			  !verdicts->findings.data[i].proof.looked;
	if (proving && proving->routes && missed)
		xs_print(print->out,
			"  unproven   %zu whose stops or values the program did not come to again: "
			"has it the same input and folder, or is it of the time (--steady)?\n",
			missed);
	if (proving && proving->silence)
		xs_print(print->out, "  unproven   %s\n", proving->silence);
	else if (proving && proving->no_reproduce && verdicts->findings.len)
		fputs("  unproven   debuggers were not asked again (--no-reproduce)\n", print->out);
}

struct xs_error *cli_findings_summary(struct cli_findings *print)
{
	const struct ora_verdicts *verdicts = print->verdicts;
	FILE *out = print->out;
	struct coverage coverage = {0};
	uint64_t listed = 0, clusters = 0;
	struct xs_error *err = print->headline
				       ? NULL
				       : ora_store_coverage(print->store, print->traces[0]->id,
						 on_figure, &coverage);
	if (err)
		return err;
	for (size_t i = 0; i < verdicts->findings.len; i++)
		listed += cli_finding_is_listed(print, &verdicts->findings.data[i]);
	for (size_t i = 0; i < verdicts->clusters.len; i++)
		clusters += cli_finding_is_listed(
			print, &verdicts->findings.data[verdicts->clusters.data[i].first]);
	if (print->headline)
		xs_print(out, "%s", print->headline);
	else
		xs_print(out, "%s: %" PRIu64 " stops, %" PRIu64 " facts compared",
			xs_base_name(verdicts->subject), verdicts->comparison->stops,
			verdicts->comparison->compared);
	if (!print->headline && coverage.we[0]) /* only xstep's traces have it */
		print_coverage(print, &coverage);
	putc('\n', out);
	print_languages(print);
	for (size_t w = 0; w < print->count; w++) {
		const char *why = cut_short(print->traces[w]);
		if (!w || strcmp(verdicts->witnesses[w], verdicts->witnesses[w - 1]) != 0 || why ||
			!print->headline)
			xs_print(out, "  %-10s %s%s%s\n", verdicts->witnesses[w],
				print->traces[w]->trace.version, why ? "; " : "", why ? why : "");
	}
	for (size_t i = 0; print->lost && i < print->lost->vec.len; i++)
		xs_print(out, "  %-10s lost: %s\n", print->lost->vec.data[i].witness,
			print->lost->vec.data[i].why);
	if (verdicts->comparison->cut)
		xs_print(out, "  cut short  after %" PRIu64 " stops; there are more\n",
			verdicts->comparison->stops);
	print_asked(print);
	if (print->unsteady)
		xs_print(out,
			"  unsteady   %" PRIu64
			" %s set aside: two runs of the program differ there\n",
			print->unsteady, print->unsteady == 1 ? print->one : print->many);
	if (print->rounded)
		xs_print(out,
			"  rounded    %" PRIu64
			" %s set aside: it depends on how floating values are rounded\n",
			print->rounded, print->rounded == 1 ? print->one : print->many);
	print_aside(print);
	print_contested(print, false);
	print_contested(print, true);
	print_artefacts(print);
	if (print->baseline && print->baseline->path)
		xs_print(out, "  baseline   %" PRIu64 " that %s has, not listed\n",
			cli_findings_old(print), print->baseline->path);
	if (!listed) {
		xs_print(out, "no %s%s\n", print->one,
			print->only_new                            ? " that is not known"
			: print->baseline && print->baseline->path ? " that is new"
								   : "");
		return NULL;
	}
	cli_ink(out, CLI_INK_TITLE);
	xs_print(out, "%" PRIu64 " %s in %" PRIu64 " cluster%s", listed,
		listed == 1 ? print->one : print->many, clusters, clusters == 1 ? "" : "s");
	cli_ink(out, CLI_INK_NONE);
	putc('\n', out);
	print_counts(print);
	return NULL;
}
