#include "oracle/judge/verdict.h"

#include "base/map.h"
#include "base/path.h"
#include "oracle/witness/witness.h"

const char *ora_kind_text(enum ora_kind kind)
{
	static const char *const texts[] = {"loss", "extra", "lie"};
	return texts[kind];
}

/* Features that say nothing about a bug: most variables of optimised code have them. */
static const uint64_t common = 1ULL << DI_FEATURE_PARAMETER | 1ULL << DI_FEATURE_STATIC |
			       1ULL << DI_FEATURE_LIST | 1ULL << DI_FEATURE_STACK_VALUE |
			       1ULL << DI_FEATURE_ABSTRACT_ORIGIN | 1ULL << DI_FEATURE_REGISTER |
			       1ULL << DI_FEATURE_NOT_YET_DECLARED |
			       1ULL << DI_FEATURE_FUNCTION_ENTRY |
			       1ULL << DI_FEATURE_INLINED_ENTRY | 1ULL << DI_FEATURE_INLINED;

/* --- the case --------------------------------------------------------------------------------- */

static size_t judge_of(const struct ora_verdicts *verdicts)
{
	for (size_t w = 0; w < verdicts->comparison->count; w++)
		if (!strcmp(verdicts->witnesses[w], "xstep"))
			return w;
	return verdicts->comparison->count;
}

static bool is_value(const struct ora_said *said)
{
	return said->state == ORA_STATE_VALUE;
}

/* Whether two say the same; for variables as compare.h rules, for others by their texts. */
static bool same(const struct ora_difference *difference, size_t a, size_t b)
{
	const struct ora_said *left = &difference->said[a], *right = &difference->said[b];
	if (difference->aspect == ORA_ASPECT_VARIABLE) {
		if (is_value(left) != is_value(right))
			return (left->undeclared && right->state == ORA_STATE_ABSENT) ||
			       (right->undeclared && left->state == ORA_STATE_ABSENT);
		if (!is_value(left))
			return (left->state == ORA_STATE_ABSENT) ==
			       (right->state == ORA_STATE_ABSENT);
	}
	return left->value && right->value && !strcmp(left->value, right->value);
}

/* What a witness does that the judge does not. */
static enum ora_kind kind_of(const struct ora_difference *difference, size_t judge, size_t w)
{
	const struct ora_said *right = &difference->said[judge], *said = &difference->said[w];
	if (difference->aspect != ORA_ASPECT_VARIABLE || (is_value(right) && is_value(said)))
		return ORA_KIND_LIE;
	if (is_value(said) || right->state == ORA_STATE_ABSENT)
		return ORA_KIND_EXTRA;
	return ORA_KIND_LOSS;
}

void ora_finding_look(struct ora_verdicts *verdicts, struct ora_finding *finding)
{
	const struct ora_difference *difference = finding->difference;
	bool variable = difference->aspect == ORA_ASPECT_VARIABLE ||
			difference->aspect == ORA_ASPECT_LOOKUP ||
			difference->aspect == ORA_ASPECT_BUILDS ||
			(difference->aspect == ORA_ASPECT_CHECK && difference->var);
	if (variable && verdicts->module && !difference->frame_module &&
		difference->frame_pc != XS_ADDR_NONE)
		di_features_of(verdicts->module, difference->frame_pc,
			difference->global ? "" : difference->scope, difference->level,
			difference->var, difference->decl_line, difference->path,
			&finding->features);
	if (DI_HAS(finding->features.set, ENTRY_VALUE) && difference->caller_pc != XS_ADDR_NONE)
		di_features_of_call(verdicts->module, difference->frame_pc, difference->caller_pc,
			&finding->features);
	if (finding->features.found && difference->frame && verdicts->module &&
		!difference->module && di_feature_restored(verdicts->module, difference->pc))
		finding->features.set |= 1ULL << DI_FEATURE_RESTORED;
}

/* --- the verdict ------------------------------------------------------------------------------ */

/* Asks for the rule of each witness in a mask; false if one has none. */
static bool explain(
	struct ora_verdicts *verdicts, struct ora_finding *finding, size_t judge, unsigned who)
{
	const struct ora_difference *difference = finding->difference;
	bool all = true;
	for (size_t w = 0; w < verdicts->comparison->count; w++) {
		if (!(who >> w & 1))
			continue;
		struct ora_rule_case one = {.aspect = difference->aspect,
			.witness = verdicts->witnesses[w],
			.features = &finding->features,
			.judge = judge < verdicts->comparison->count ? &difference->said[judge]
								     : NULL,
			.said = &difference->said[w],
			.outer = difference->frame > 0,
			.module = difference->module ? NULL : verdicts->module,
			.pc = difference->pc};
		finding->rules[w] = ora_rule_for(&one);
		all &= finding->rules[w] != NULL;
	}
	return all;
}

/* What is wrong with the DWARF itself; NULL: nothing that is known. */
static const struct ora_rule *blame_producer(
	const struct ora_finding *finding, const struct ora_said *judge)
{
	static const struct ora_rule overlap = {"overlapping-entries",
		"two entries of its location list that differ cover this pc", "2.6.2"};
	static const struct ora_rule bad = {"malformed", "its location cannot be decoded", "2.6"};
	static const struct ora_rule impossible = {
		"impossible", "its location asks for what cannot be done", "2.5"};
	static const struct ora_rule types = {"incompatible-types",
		"an operator of its location has operands of different types", "2.5.1.4"};
	static const struct ora_rule pieces = {
		"pieces-short", "its pieces end before the object does", "2.6.1.2"};
	uint64_t set = finding->features.set;
	if (finding->difference->aspect != ORA_ASPECT_VARIABLE)
		return NULL;
	if (DI_HAS(set, OVERLAP))
		return &overlap;
	if (DI_HAS(set, BAD))
		return &bad;
	if (judge && judge->state == ORA_STATE_ERROR && judge->why == DI_WHY_TYPES_DIFFER)
		return &types;
	/* A pointer that the program has not set yet is nobody's mistake. */
	if (judge && judge->state == ORA_STATE_ERROR && judge->why != DI_WHY_MEMORY_UNREADABLE)
		return &impossible;
	if (DI_HAS(set, PIECES_SHORT) && finding->difference->global)
		return &pieces;
	return NULL;
}

/* What xstep itself cannot do. */
static bool is_own_limit(const struct ora_said *judge)
{
	return judge->state == ORA_STATE_ERROR &&
	       (judge->why == DI_WHY_TYPE_WIDE_INTEGER || judge->why == DI_WHY_TYPE_DECIMAL_FLOAT);
}

/* The debuggers show what the DWARF says, and that cannot be. */
static void blame_build(struct ora_finding *finding)
{
	static const struct ora_rule rules[] = {
		[ORA_MISFIT_NEVER] = {"never-that-value",
			"its location gives a value that the variable never has in the unoptimised "
			"build",
			NULL},
		[ORA_MISFIT_LINE] = {"value-of-another-line",
			"its location gives a value that the variable has in the unoptimised "
			"build, but "
			"not on this line",
			NULL},
		[ORA_MISFIT_HIT] = {"value-of-another-arrival",
			"its location gives a value that the variable has in the unoptimised build "
			"on "
			"this line, but not at this arrival",
			NULL},
	};
	finding->producer = &rules[finding->difference->misfit];
	finding->kind = ORA_KIND_LIE;
	/* Lines of optimised code are approximate; that there is no such value is not. */
	finding->evidence = finding->difference->misfit == ORA_MISFIT_NEVER;
}

/* Backtraces: those of `against` are not the judge's, but may be as good. */
static void decide_frames(
	struct ora_verdicts *verdicts, struct ora_finding *finding, unsigned against)
{
	struct ora_difference *difference = finding->difference;
	finding->kind = ORA_KIND_LIE;
	finding->evidence = true;
	for (size_t w = 0; w < verdicts->comparison->count; w++)
		if (against >> w & 1 &&
			!ora_frames_fair(verdicts->module, difference, w, &finding->rules[w]))
			finding->wrong |= 1U << w;
	difference->aspect = finding->wrong ? ORA_ASPECT_FRAMES : ORA_ASPECT_PRESENTATION;
}

static void decide(struct ora_verdicts *verdicts, struct ora_finding *finding)
{
	if (finding->difference->aspect == ORA_ASPECT_BUILDS) {
		blame_build(finding);
		return;
	}
	const struct ora_difference *difference = finding->difference;
	size_t count = verdicts->comparison->count, judge = judge_of(verdicts);
	unsigned heard = 0, against = 0;
	for (size_t w = 0; w < count; w++)
		heard |= (unsigned)difference->said[w].heard << w;
	if (judge < count && !(heard >> judge & 1))
		judge = count;
	for (size_t w = 0; judge < count && w < count; w++)
		if (heard >> w & 1 && w != judge && !same(difference, judge, w))
			against |= 1U << w;
	if (!judge && verdicts->module && difference->frames.len) {
		decide_frames(verdicts, finding, against);
		return;
	}
	/* Not declared yet by the lines of optimised code: whoever lists it and whoever does not is
	 * right. */
	if (judge < count && !against) {
		finding->presentation = true;
		return;
	}
	finding->producer =
		blame_producer(finding, judge < count ? &difference->said[judge] : NULL);
	if (judge == count) {
		/* Nobody to ask but the rules. */
		explain(verdicts, finding, count, heard);
		for (size_t w = 0; w < count; w++)
			finding->wrong |= (unsigned)(finding->rules[w] != NULL) << w;
		finding->evidence = finding->wrong != 0;
		finding->kind = ORA_KIND_LIE;
		/* Measured by one whom no rule blames. */
		for (size_t w = 0; w < count; w++)
			for (size_t v = 0; v < count && finding->wrong >> w & 1; v++)
				if ((heard & ~finding->wrong) >> v & 1)
					finding->kind = kind_of(difference, v, w);
		return;
	}
	bool all = explain(verdicts, finding, judge, against);
	unsigned others = heard & ~(1U << judge);
	bool of_one_mind = true;
	size_t first = count;
	for (size_t w = 0; w < count; w++) {
		if (!(against >> w & 1))
			continue;
		first = first < count ? first : w;
		of_one_mind &= same(difference, first, w);
		enum ora_kind kind = kind_of(difference, judge, w);
		finding->kind = kind > finding->kind || first == w ? kind : finding->kind;
	}
	bool alone = against == others && of_one_mind && (others & (others - 1));
	/* Values of which no two agree, with nothing to explain it: time, process numbers, memory
	 * that nobody wrote. */
	bool each_its_own = !all && against == others && !of_one_mind && (others & (others - 1)) &&
			    finding->kind == ORA_KIND_LIE &&
			    difference->aspect == ORA_ASPECT_VARIABLE;
	for (size_t w = 0; w < count; w++)
		each_its_own &= !(others >> w & 1) || is_value(&difference->said[w]);
	bool control =
		difference->aspect == ORA_ASPECT_REGISTER || difference->aspect == ORA_ASPECT_STOPS;
	finding->wrong = each_its_own ? 0 : against;
	finding->evidence = !control && !each_its_own;
	if (each_its_own)
		return;
	bool limit = is_own_limit(&difference->said[judge]);
	if ((alone && !all && !finding->producer) || limit ||
		(difference->said[judge].state == ORA_STATE_ERROR && of_one_mind &&
			!finding->producer && !all)) {
		finding->producer = limit ? NULL : finding->producer;
		finding->wrong = 1U << judge;
		finding->evidence = false;
		finding->kind = kind_of(difference, first, judge);
	}
}

/* --- words ------------------------------------------------------------------------------------ */

static const char *group_of(const struct ora_verdicts *verdicts, const struct ora_finding *finding,
	size_t judge, size_t w)
{
	const char *name = verdicts->witnesses[w];
	enum ora_kind kind = judge < verdicts->comparison->count && judge != w
				     ? kind_of(finding->difference, judge, w)
				     : finding->kind;
	if (!strcmp(name, "xstep"))
		return "X";
	if (kind == ORA_KIND_LIE)
		return "G5";
	if (ora_witness_is(name, ORA_WITNESS_GDB))
		return kind == ORA_KIND_LOSS ? "G1" : "G4";
	return kind == ORA_KIND_LOSS ? "G3" : "G2";
}

static void set_group(struct ora_verdicts *verdicts, struct ora_finding *finding)
{
	enum ora_aspect aspect = finding->difference->aspect;
	size_t judge = judge_of(verdicts);
	static const char *const all[] = {"G1", "G2", "G3", "G4", "G5", "X"};
	char *at = finding->group;
	if (aspect != ORA_ASPECT_VARIABLE && aspect != ORA_ASPECT_LOOKUP &&
		aspect != ORA_ASPECT_REGISTER && aspect != ORA_ASPECT_BUILDS) {
		strcpy(finding->group, "G6");
		return;
	}
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		for (size_t w = 0; w < verdicts->comparison->count; w++)
			if (finding->wrong >> w & 1 &&
				!strcmp(group_of(verdicts, finding, judge, w), all[i])) {
				at = stpcpy(stpcpy(at, at == finding->group ? "" : "+"), all[i]);
				break;
			}
	/* Undecided, or the producer alone: what paper and eye see is that values differ. */
	if (at == finding->group)
		strcpy(finding->group, "G5");
}

/* The features that may matter, `bit-field,typed`. */
static void print_features(FILE *out, uint64_t set)
{
	bool first = true;
	for (unsigned i = 0; i < DI_FEATURE_COUNT; i++)
		if (set >> i & 1) {
			fprintf(out, "%s%s", first ? "" : ",", di_feature_text(i));
			first = false;
		}
}

void ora_finding_put_features(FILE *out, const struct ora_finding *finding)
{
	if (!(finding->features.set & ~common))
		return;
	fputs(" [", out);
	print_features(out, finding->features.set & ~common);
	putc(']', out);
}

/* A message without what differs from program to program: numbers. */
static void print_message(FILE *out, const char *message)
{
	bool gap = false;
	for (const char *at = message; *at; at++) {
		bool digit = *at >= '0' && *at <= '9';
		if (digit && !gap)
			putc('N', out);
		if (!digit && !(gap && strchr("abcdefx", *at)))
			putc(*at == ' ' ? '_' : *at, out);
		gap = digit || (gap && strchr("abcdefx", *at));
	}
}

static void sign(struct ora_verdicts *verdicts, struct ora_finding *finding)
{
	const struct ora_difference *difference = finding->difference;
	size_t size;
	FILE *out = open_memstream(&finding->signature, &size);
	bool first = true;
	xs_assert(out);
	fprintf(out, "%s %s", finding->group, ora_kind_text(finding->kind));
	if (difference->aspect != ORA_ASPECT_VARIABLE)
		fprintf(out, " %s",
			difference->aspect == ORA_ASPECT_LINE
				? "line-table"
				: ora_aspect_text(difference->aspect));
	for (size_t w = 0; w < verdicts->comparison->count; w++) {
		if (!(finding->wrong >> w & 1))
			continue;
		const struct ora_said *said = &difference->said[w];
		const struct ora_rule *rule = finding->rules[w];
		fprintf(out, "%s%s:", first ? " " : ",", verdicts->witnesses[w]);
		first = false;
		if (rule) {
			fputs(rule->name, out);
			continue;
		}
		putc('?', out);
		if (difference->aspect == ORA_ASPECT_VARIABLE)
			fputs(ora_state_text(said->state), out);
		if (said->state == ORA_STATE_ERROR && said->message) {
			putc('(', out);
			print_message(out, said->message);
			putc(')', out);
		}
	}
	if (finding->producer)
		fprintf(out, "%sproducer:%s", first ? " " : ",", finding->producer->name);
	else if (first)
		fputs(" undecided", out);
	bool unexplained = false;
	for (size_t w = 0; w < verdicts->comparison->count; w++)
		unexplained |= finding->wrong >> w & 1 && !finding->rules[w];
	if (unexplained || !finding->wrong)
		ora_finding_put_features(out, finding);
	xs_assert(!fclose(out));
}

static void print_names(FILE *out, const struct ora_verdicts *verdicts, unsigned who, bool producer)
{
	bool first = true;
	for (size_t w = 0; w < verdicts->comparison->count; w++)
		if (who >> w & 1) {
			fprintf(out, "%s%s", first ? "" : " and ", verdicts->witnesses[w]);
			first = false;
		}
	if (producer)
		fprintf(out, "%sthe producer of the DWARF", first ? "" : " and ");
}

static void print_kind(FILE *out, const struct ora_finding *finding, size_t judge, size_t w)
{
	const struct ora_difference *difference = finding->difference;
	if (difference->aspect != ORA_ASPECT_VARIABLE) {
		fprintf(out, "differs from what %s",
			difference->aspect == ORA_ASPECT_LINE     ? "the line table says"
			: difference->aspect == ORA_ASPECT_LOOKUP ? "the scopes say"
			: difference->aspect == ORA_ASPECT_FRAMES
				? "the call frame information gives"
				: "the others say");
		return;
	}
	switch (kind_of(difference, judge, w)) {
	case ORA_KIND_LIE:
		fputs("shows another value than the DWARF gives", out);
		break;
	case ORA_KIND_LOSS:
		fputs(difference->said[w].state == ORA_STATE_ABSENT
				? "does not list it"
				: "declines what the DWARF gives",
			out);
		break;
	case ORA_KIND_EXTRA:
		fputs(is_value(&difference->said[w]) ? "shows a value where the DWARF gives none"
						     : "lists it where it is not in scope",
			out);
		break;
	}
}

static void give_reason(struct ora_verdicts *verdicts, struct ora_finding *finding)
{
	size_t size, judge = judge_of(verdicts), count = verdicts->comparison->count;
	FILE *out = open_memstream(&finding->reason, &size);
	xs_assert(out);
	bool own = judge < count && finding->wrong == 1U << judge;
	if (!finding->wrong && !finding->producer) {
		fputs(judge < count ? "undecided: everybody says something else, and nothing in "
				      "the DWARF "
				      "explains it; --repeat 2 tells if the program does so from "
				      "run to run"
				    : "undecided: no rule explains it and xstep was not asked",
			out);
	} else if (own) {
		fputs("xstep stands alone, and nothing in the DWARF explains why the others would "
		      "be "
		      "wrong",
			out);
	} else {
		print_names(out, verdicts, finding->wrong, finding->producer != NULL);
		fputs((finding->wrong & (finding->wrong - 1)) ||
					(finding->wrong && finding->producer)
				? " are wrong"
				: " is wrong",
			out);
	}
	const char *mark = ": ";
	for (size_t w = 0; !own && w < count; w++) {
		if (!(finding->wrong >> w & 1))
			continue;
		fprintf(out, "%s%s ", mark, verdicts->witnesses[w]);
		mark = "; ";
		const struct ora_rule *rule = finding->rules[w];
		if (rule && rule->section)
			fprintf(out, "%s (DWARF 5, %s)", rule->sentence, rule->section);
		else if (rule)
			fputs(rule->sentence, out);
		else if (judge < count)
			print_kind(out, finding, judge, w);
	}
	if (finding->producer && finding->producer->section)
		fprintf(out, "%s%s (DWARF 5, %s)", mark, finding->producer->sentence,
			finding->producer->section);
	else if (finding->producer)
		fprintf(out, "%s%s", mark, finding->producer->sentence);
	xs_assert(!fclose(out));
}

/* --- identity --------------------------------------------------------------------------------- */

void ora_finding_identify(const struct ora_verdicts *verdicts, struct ora_finding *finding)
{
	const struct ora_difference *one = finding->difference;
	uint64_t hash = xs_hash_text(0xcbf29ce484222325, finding->signature);
	hash = xs_hash_text(hash, xs_base_name(verdicts->subject));
	hash = xs_hash_text(xs_hash_text(hash, one->scope), one->path);
	hash = xs_hash_text(xs_hash_text(hash, one->module), one->function);
	hash = xs_mix(hash ^ one->decl_line) ^ xs_mix(one->pc ^ xs_mix(one->prev ^ one->n));
	hash = xs_mix(hash ^ one->frame);
	snprintf(finding->id, sizeof finding->id, "%012" PRIx64, hash & 0xffffffffffff);
}

bool ora_finding_cluster(struct ora_verdicts *verdicts, size_t number)
{
	const struct ora_finding *finding = &verdicts->findings.data[number];
	if (finding->presentation) {
		verdicts->presentation++;
		return false;
	}
	for (size_t i = 0; i < verdicts->clusters.len; i++) {
		struct ora_cluster *one = &verdicts->clusters.data[i];
		if (strcmp(verdicts->findings.data[one->first].signature, finding->signature) != 0)
			continue;
		one->count++;
		one->stops += finding->difference->stops;
		return true;
	}
	struct ora_cluster fresh = {
		.first = number, .count = 1, .stops = finding->difference->stops};
	xs_vec_push(&verdicts->clusters, fresh);
	return true;
}

/* A debugger may leave out what the compiler made (DWARF 5, 2.11): lldb does. gdb is not asked
 * about units that have only data. */
static bool is_presentation(const struct ora_finding *finding)
{
	const struct ora_difference *difference = finding->difference;
	uint64_t set = finding->features.set;
	if (difference->aspect != ORA_ASPECT_VARIABLE ||
		!(DI_HAS(set, ARTIFICIAL) || DI_HAS(set, UNIT_WITHOUT_CODE)))
		return difference->aspect == ORA_ASPECT_PRESENTATION;
	for (size_t w = 0; w < ORA_COMPARE_MAX; w++)
		if (finding->wrong >> w & 1 && difference->said[w].state != ORA_STATE_ABSENT)
			return false;
	return true;
}

void ora_judge(struct ora_verdicts *verdicts)
{
	struct xs_error *err = di_module_open(verdicts->subject, &verdicts->module);
	xs_error_destroy(err); /* without it there is less evidence, and that shows */
	for (size_t i = 0; i < verdicts->comparison->differences.len; i++) {
		struct ora_finding finding = {
			.difference = verdicts->comparison->differences.data[i]};
		ora_finding_look(verdicts, &finding);
		decide(verdicts, &finding);
		finding.presentation |= is_presentation(&finding);
		set_group(verdicts, &finding);
		sign(verdicts, &finding);
		give_reason(verdicts, &finding);
		ora_finding_identify(verdicts, &finding);
		xs_vec_push(&verdicts->findings, finding);
		ora_finding_cluster(verdicts, i);
	}
}

void ora_verdicts_deinit(struct ora_verdicts *verdicts)
{
	for (size_t i = 0; i < verdicts->findings.len; i++) {
		free(verdicts->findings.data[i].reason);
		free(verdicts->findings.data[i].signature);
		free(verdicts->findings.data[i].known);
		free(verdicts->findings.data[i].remark);
	}
	xs_vec_deinit(&verdicts->findings);
	xs_vec_deinit(&verdicts->clusters);
	di_module_destroy(verdicts->module);
}
