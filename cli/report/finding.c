#include "cli/report/finding.h"

#include "base/path.h"
#include "oracle/judge/known.h"
#include "oracle/session/by_hand.h"
#include "oracle/session/witnesses.h"
#include "oracle/witness/witness.h"

/* --- the summary ------------------------------------------------------------------------------ */

struct coverage {
	uint64_t p[2], we[2], d[2]; /* selected, evaluated */
};

static void on_figure(
	void *arg, const char *kind, const char *name, uint64_t selected, uint64_t evaluated)
{
	struct coverage *coverage = arg;
	(void)name;
	uint64_t *sum = !strcmp(kind, "state")         ? coverage->p
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

static void print_tally(FILE *out, const char *title, struct tally *tally)
{
	if (tally->vec.len)
		fprintf(out, "  %-10s ", title);
	for (size_t i = 0; i < tally->vec.len; i++) {
		fprintf(out, "%s%s %" PRIu64, i ? ", " : "", tally->vec.data[i].word,
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
		count(&bases, finding->evidence ? "evidence" : "majority");
		const char *last = "";
		for (size_t w = 0; w < print->count; w++)
			if (finding->wrong >> w & 1 &&
				!(print->headline && !strcmp(last, verdicts->witnesses[w])))
				count(&wrong, last = verdicts->witnesses[w]);
		if (finding->producer)
			count(&wrong, "producer");
		if (!finding->wrong && !finding->producer)
			count(&wrong, "undecided");
	}
	print_tally(print->out, print->headline ? "rules" : "groups", &groups);
	print_tally(print->out, "kinds", &kinds);
	print_tally(print->out, "wrong", &wrong);
	print_tally(print->out, "basis", &bases);
}

static void print_aside(struct cli_findings *print)
{
	const struct ora_comparison *comparison = print->verdicts->comparison;
	bool first = true;
	for (unsigned i = 0; i < ORA_ASIDE_COUNT; i++)
		if (comparison->aside[i]) {
			fprintf(print->out, "%s%" PRIu64 " %s", first ? "  set aside  " : ", ",
				comparison->aside[i], ora_aside_text(i));
			first = false;
		}
	if (!first)
		putc('\n', print->out);
	for (size_t w = 1; w < print->count; w++)
		if (comparison->missed[w] || comparison->extra[w])
			fprintf(print->out,
				"  stops      %s has %" PRIu64 " fewer than %s and %" PRIu64
				" more%s\n",
				print->verdicts->witnesses[w], comparison->missed[w],
				print->verdicts->witnesses[0], comparison->extra[w],
				print->traces[w]->end.complete ? "" : "; its trace is incomplete");
}

static struct xs_error *print_summary(struct cli_findings *print)
{
	const struct ora_verdicts *verdicts = print->verdicts;
	FILE *out = print->out;
	struct coverage coverage = {0};
	uint64_t listed = 0, clusters = 0;
	struct xs_error *err =
		ora_store_coverage(print->store, print->traces[0]->id, on_figure, &coverage);
	if (err)
		return err;
	for (size_t i = 0; i < verdicts->findings.len; i++)
		listed += cli_finding_is_listed(print, &verdicts->findings.data[i]);
	for (size_t i = 0; i < verdicts->clusters.len; i++)
		clusters += cli_finding_is_listed(
			print, &verdicts->findings.data[verdicts->clusters.data[i].first]);
	if (print->headline)
		fprintf(out, "%s", print->headline);
	else
		fprintf(out, "%s: %" PRIu64 " stops, %" PRIu64 " facts compared",
			xs_base_name(verdicts->subject), verdicts->comparison->stops,
			verdicts->comparison->compared);
	if (!print->headline && coverage.we[0]) /* only xstep's traces have it */
		fprintf(out, "; P %.1f %%, WE %.1f %%, D %.1f %%", percent(coverage.p),
			percent(coverage.we), percent(coverage.d));
	putc('\n', out);
	for (size_t w = 0; w < print->count; w++)
		if (!w || strcmp(verdicts->witnesses[w], verdicts->witnesses[w - 1]) != 0 ||
			print->traces[w]->end.trouble || !print->headline)
			fprintf(out, "  %-10s %s%s%s\n", verdicts->witnesses[w],
				print->traces[w]->trace.version,
				print->traces[w]->end.trouble ? "; " : "",
				print->traces[w]->end.trouble ? print->traces[w]->end.trouble : "");
	print_aside(print);
	if (verdicts->presentation && !print->presentation)
		fprintf(out, "  not listed %" PRIu64 " in presentation only (--presentation)\n",
			verdicts->presentation);
	if (!listed) {
		fprintf(out, "no %s%s\n", print->one, print->only_new ? " that is not known" : "");
		return NULL;
	}
	fprintf(out, "%" PRIu64 " %s in %" PRIu64 " cluster%s\n", listed,
		listed == 1 ? print->one : print->many, clusters, clusters == 1 ? "" : "s");
	print_counts(print);
	return NULL;
}

/* --- one finding ------------------------------------------------------------------------------ */

/* Where a name is a word of its own in a line; NULL if it is not. */
static const char *find_word(const char *line, const char *word)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
	size_t length = strlen(word);
	for (const char *at = line; (at = strstr(at, word)); at++)
		if ((at == line || !strchr(letters, at[-1])) &&
			(!at[length] || !strchr(letters, at[length])))
			return at;
	return NULL;
}

static void print_source(
	FILE *out, struct cli_source *source, const char *file, uint32_t line, const char *word)
{
	const char *text = file && line ? cli_source_line(source, file, line) : NULL;
	const char *at = text && word ? find_word(text, word) : NULL;
	char head[64];
	if (!text)
		return;
	int width = snprintf(head, sizeof head, "     %.40s:%u  ", xs_base_name(file), line);
	fprintf(out, "%s%s\n", head, text);
	if (!at)
		return;
	fprintf(out, "%*s", width, "");
	for (const char *to = text; to < at; to++)
		putc(*to == '\t' ? '\t' : ' ', out);
	for (size_t i = strlen(word); i; i--)
		putc('~', out);
	putc('\n', out);
}

static void print_said(FILE *out, const char *who, int width,
	const struct ora_difference *difference, const struct ora_said *said, const char *mark)
{
	fprintf(out, "     %-*s %s ", width, who, mark);
	if (difference->aspect != ORA_ASPECT_CHECK || difference->path)
		fprintf(out, "%s = ",
			difference->path                         ? difference->path
			: difference->aspect == ORA_ASPECT_LINE  ? "line"
			: difference->aspect == ORA_ASPECT_STOPS ? "stops"
								 : "frames");
	if (said->state == ORA_STATE_VALUE)
		fputs(said->value ? said->value : "?", out);
	else
		fprintf(out, "<%s>", ora_state_text(said->state));
	if (said->undeclared)
		fputs("  [not yet declared]", out);
	if (said->message && said->state != ORA_STATE_VALUE)
		fprintf(out, "  %s", said->message);
	putc('\n', out);
}

static void print_features(FILE *out, uint64_t set)
{
	for (unsigned i = 0, shown = 0; i < DI_FEATURE_COUNT; i++)
		if (set >> i & 1)
			fprintf(out, "%s%s", shown++ ? ", " : "", di_feature_text(i));
}

static void print_evidence(FILE *out, const struct ora_finding *finding)
{
	const struct di_features *features = &finding->features;
	if (!features->found)
		return;
	fprintf(out, "     evidence  .debug_info+0x%" PRIx64 "%s", features->die,
		features->visible ? "" : ", not in scope here");
	if (*features->place)
		fprintf(out, "; %s", features->place);
	if (*features->expr)
		fprintf(out, ": %s", features->expr);
	if (*features->reason)
		fprintf(out, ": %s", features->reason);
	fputs("\n               ", out);
	print_features(out, features->set);
	putc('\n', out);
}

static void print_debugger(struct cli_findings *print, const struct ora_finding *finding,
	const struct ora_route *route, size_t w)
{
	const char *who = print->verdicts->witnesses[w];
	enum ora_witness_kind kind =
		ora_witness_is(who, ORA_WITNESS_GDB) ? ORA_WITNESS_GDB : ORA_WITNESS_LLDB;
	struct ora_witness witness = {0};
	xs_error_destroy(ora_witness_named(ora_witness_name(kind), NULL, &witness));
	XS_AUTO_FREE char *called = witness.path ? ora_by_hand_called(witness.path) : NULL;
	ora_witness_deinit(&witness);
	struct ora_by_hand session = {.who = kind,
		.debugger = called,
		.run = print->run,
		.route = route,
		.in = print->in};
	struct ora_by_hand_question question =
		ora_by_hand_about(finding->difference, w, ora_witness_is_by_name(who), route->bias);
	const struct ora_difference *one = finding->difference;
	if (print->verdicts->module && !one->frame_module && one->frame_pc != XS_ADDR_NONE)
		ora_by_hand_know(&question, print->verdicts->module, one->frame_pc);
	session.brief = ora_by_hand_may_be_brief(&question);
	XS_AUTO_FREE char *line = ora_by_hand_line(&session, &question);
	fprintf(print->out, "               %s\n", line);
}

/* A blank and a word, as a shell reads it. */
static void print_word(FILE *out, const char *word)
{
	XS_AUTO_FREE char *text = ora_shell_word(word);
	fprintf(out, " %s", text);
}

static void print_by_hand(struct cli_findings *print, const struct ora_finding *finding)
{
	const struct ora_difference *one = finding->difference;
	const struct ora_route *route =
		print->routes ? &print->routes[finding - print->verdicts->findings.data] : NULL;
	const char *program = print->verdicts->subject;
	FILE *out = print->out;
	if (one->module || one->aspect == ORA_ASPECT_STOPS)
		return;
	bool variable = one->var && one->aspect != ORA_ASPECT_REGISTER;
	bool known = route && route->entry;
	fprintf(out, "     by hand   xstep explain --at 0x%" PRIx64, one->pc);
	if (known && route->hit > 1)
		fprintf(out, " --hit %" PRIu64, route->hit);
	if (variable) {
		fprintf(out, " --frame %u --var", one->frame);
		print_word(out, one->path);
	}
	if (print->run && print->in) {
		fputs(" --stdin", out);
		print_word(out, print->in);
	}
	print_word(out, program);
	for (char *const *word = print->run ? print->run->argv + 1 : NULL; word && *word; word++)
		print_word(out, *word);
	putc('\n', out);
	for (size_t w = 0; known && w < print->count; w++) {
		const char *who = print->verdicts->witnesses[w];
		if (!(finding->wrong >> w & 1) || !strcmp(who, "xstep"))
			continue;
		print_debugger(print, finding, route, w);
	}
	if (!print->path)
		return;
	fprintf(out, "               xstep show --trace %" PRIu64 " --at %" PRIu64 " %s\n",
		print->traces[one->trace]->id, one->number, print->path);
	if (!known && variable)
		fprintf(out,
			"               xstep show --trace %" PRIu64 " --quote %" PRIu64
			" --var %s %s\n",
			print->traces[one->trace]->id, one->number, one->path, print->path);
}

/* Whether a trace is the first of a witness of which none says anything. */
static bool is_silent(
	const struct cli_findings *print, const struct ora_difference *one, size_t trace)
{
	const char *const *witnesses = print->verdicts->witnesses;
	for (size_t w = 0; w < print->count; w++)
		if (!strcmp(witnesses[w], witnesses[trace]) && (one->said[w].heard || w < trace))
			return false;
	return true;
}

void cli_finding_print(
	struct cli_findings *print, struct cli_source *source, const struct ora_finding *finding)
{
	const struct ora_difference *one = finding->difference;
	FILE *out = print->out;
	if (one->var)
		fprintf(out, "     %s%s%s at ", one->path, one->scope && *one->scope ? " of " : "",
			one->scope ? one->scope : "");
	else
		fprintf(out, "     %s at ", ora_aspect_text(one->aspect));
	fprintf(out, "0x%" PRIx64 ", %s, %s:%u; stop %" PRIu64, one->pc,
		one->function ? one->function : "?", one->file ? xs_base_name(one->file) : "?",
		one->line, one->number);
	if (one->frame && !one->global)
		fprintf(out, ", frame %u", one->frame);
	fprintf(out, "  [%s]\n", finding->id);
	/* The line, with the variable; where that is not in it, its declaration too. */
	const char *text = one->file ? cli_source_line(source, one->file, one->line) : NULL;
	bool variable = one->var && *one->var != '$';
	print_source(out, source, one->file, one->line, one->var);
	if (variable && one->decl_file && (!text || !find_word(text, one->var)))
		print_source(out, source, one->decl_file, one->decl_line, one->var);
	int width = 6;
	for (size_t w = 0; w < print->count; w++)
		if ((int)strlen(cli_finding_label(print, w)) > width)
			width = (int)strlen(cli_finding_label(print, w));
	for (size_t w = 0; w < print->count; w++)
		if (one->said[w].heard)
			print_said(out, cli_finding_label(print, w), width, one, &one->said[w],
				finding->wrong >> w & 1 ? "!" : " ");
		else if (one->aspect == ORA_ASPECT_CHECK && is_silent(print, one, w))
			fprintf(out, "     %-*s   does not show it\n", width,
				print->verdicts->witnesses[w]);
	if (one->other)
		fprintf(out, "     other build  %s = %s\n", one->path, one->other);
	fprintf(out, "     verdict   %s, by %s: %s\n", ora_kind_text(finding->kind),
		finding->evidence ? "evidence" : "majority", finding->reason);
	if (finding->flaw)
		fprintf(out, "     flaw      %s entry\n", finding->flaw);
	if (finding->remark)
		fprintf(out, "     evidence  %s\n", finding->remark);
	print_evidence(out, finding);
	print_by_hand(print, finding);
}

bool cli_finding_is_told(const struct cli_findings *print, size_t number)
{
	const struct ora_verdicts *verdicts = print->verdicts;
	if (!cli_finding_is_listed(print, &verdicts->findings.data[number]))
		return false;
	if (print->all || verdicts->findings.data[number].presentation)
		return true;
	for (size_t i = 0; i < verdicts->clusters.len; i++)
		if (verdicts->clusters.data[i].first == number)
			return true;
	return false;
}

static void print_cluster(struct cli_findings *print, struct cli_source *source, size_t number,
	const struct ora_cluster *cluster)
{
	const struct ora_verdicts *verdicts = print->verdicts;
	const struct ora_finding *first = &verdicts->findings.data[cluster->first];
	fprintf(print->out, "\n%zu.  %s\n     %" PRIu64 " %s, %" PRIu64 " stop%s%s%s\n", number,
		first->signature, cluster->count, cluster->count == 1 ? print->one : print->many,
		cluster->stops, cluster->stops == 1 ? "" : "s", first->known ? "; known: " : "",
		first->known ? first->known : "");
	for (size_t i = cluster->first; i < verdicts->findings.len; i++) {
		const struct ora_finding *finding = &verdicts->findings.data[i];
		if (finding != first && (!print->all || finding->presentation ||
						strcmp(finding->signature, first->signature) != 0))
			continue;
		cli_finding_print(print, source, finding);
	}
}

struct xs_error *cli_findings_known(struct cli_findings *print, const struct xs_strings *files)
{
	struct ora_verdicts *verdicts = print->verdicts;
	struct ora_known known = {0};
	struct xs_error *err = NULL;
	ora_known_shipped(&known);
	for (size_t i = 0; !err && i < files->vec.len; i++)
		err = ora_known_load(&known, files->vec.data[i]);
	for (size_t i = 0; !err && i < verdicts->findings.len; i++) {
		struct ora_finding *finding = &verdicts->findings.data[i];
		finding->known = ora_known_find(&known, finding->signature);
	}
	ora_known_deinit(&known);
	return err;
}

struct xs_error *(*const cli_findings_formats[])(struct cli_findings *) = {
	cli_findings_text, cli_findings_json, cli_findings_sarif, cli_findings_junit};

struct xs_error *cli_findings_text(struct cli_findings *print)
{
	const struct ora_verdicts *verdicts = print->verdicts;
	struct xs_error *err = print_summary(print);
	struct cli_source *source = cli_source_create();
	size_t number = 0;
	for (size_t i = 0; !err && i < verdicts->clusters.len; i++) {
		const struct ora_cluster *cluster = &verdicts->clusters.data[i];
		if (!cli_finding_is_listed(print, &verdicts->findings.data[cluster->first]))
			continue;
		print_cluster(print, source, ++number, cluster);
		print->shown += cluster->count;
	}
	for (size_t i = 0; !err && print->presentation && i < verdicts->findings.len; i++) {
		const struct ora_finding *finding = &verdicts->findings.data[i];
		if (!finding->presentation)
			continue;
		putc('\n', print->out);
		cli_finding_print(print, source, finding);
		print->shown++;
	}
	cli_source_destroy(source);
	return err;
}
