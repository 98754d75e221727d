/* verdict_words.c - what a verdict is called: group, signature, and one sentence. */
#include "oracle/judge/verdict.h"
#include "oracle/witness/witness.h"

/* Features that say nothing about a bug: most variables of optimised code have them. */
static const uint64_t common = 1ULL << DI_FEATURE_PARAMETER | 1ULL << DI_FEATURE_STATIC |
			       1ULL << DI_FEATURE_LIST | 1ULL << DI_FEATURE_STACK_VALUE |
			       1ULL << DI_FEATURE_ABSTRACT_ORIGIN | 1ULL << DI_FEATURE_REGISTER |
			       1ULL << DI_FEATURE_NOT_YET_DECLARED |
			       1ULL << DI_FEATURE_FUNCTION_ENTRY |
			       1ULL << DI_FEATURE_INLINED_ENTRY | 1ULL << DI_FEATURE_INLINED;

/* Who a finding is about: who is named, else who differs. */
static unsigned whom(const struct ora_finding *finding)
{
	return finding->wrong || finding->producer ? finding->wrong : finding->differs;
}

/* --- group ------------------------------------------------------------------------------------ */

static const char *group_of(const struct ora_verdicts *verdicts, const struct ora_finding *finding,
	size_t judge, size_t w)
{
	const char *name = verdicts->witnesses[w];
	enum ora_kind kind = judge < verdicts->comparison->count && judge != w
				     ? ora_kind_of(finding->difference, judge, w)
				     : finding->kind;
	if (!strcmp(name, "xstep"))
		return "X";
	if (kind == ORA_KIND_LIE)
		return "G5";
	if (ora_witness_is(name, ORA_WITNESS_GDB))
		return kind == ORA_KIND_LOSS ? "G1" : "G4";
	return kind == ORA_KIND_LOSS ? "G3" : "G2";
}

static void set_group(const struct ora_verdicts *verdicts, struct ora_finding *finding)
{
	enum ora_aspect aspect = finding->difference->aspect;
	size_t judge = ora_verdicts_judge(verdicts), count = verdicts->comparison->count;
	static const char *const all[] = {"G1", "G2", "G3", "G4", "G5", "X"};
	char *at = finding->group;
	*at = 0;
	bool own = judge < count && finding->wrong >> judge & 1;
	if (!own && aspect != ORA_ASPECT_VARIABLE && aspect != ORA_ASPECT_LOOKUP &&
		aspect != ORA_ASPECT_REGISTER && aspect != ORA_ASPECT_BUILDS) {
		strcpy(finding->group, "G6");
		return;
	}
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		for (size_t w = 0; w < count; w++)
			if (whom(finding) >> w & 1 &&
				!strcmp(group_of(verdicts, finding, judge, w), all[i])) {
				at = stpcpy(stpcpy(at, at == finding->group ? "" : "+"), all[i]);
				break;
			}
	/* The producer alone: what paper and eye see is that values differ. */
	if (at == finding->group)
		strcpy(finding->group, "G5");
}

/* --- signature -------------------------------------------------------------------------------- */

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

/* `gdb:div`, `lldb:?error(bad_byte_N)`. */
static void sign_witness(
	FILE *out, const struct ora_verdicts *verdicts, const struct ora_finding *finding, size_t w)
{
	const struct ora_said *said = &finding->difference->said[w];
	const struct ora_rule *rule = finding->rules[w];
	fprintf(out, "%s:", verdicts->witnesses[w]);
	if (rule) {
		fputs(rule->name, out);
		return;
	}
	if (finding->difference->aspect == ORA_ASPECT_CRASH) {
		fputs("died", out);
		return;
	}
	putc('?', out);
	if (finding->difference->aspect == ORA_ASPECT_VARIABLE)
		fputs(ora_state_text(said->state), out);
	if (said->state == ORA_STATE_ERROR && said->message) {
		putc('(', out);
		print_message(out, said->message);
		putc(')', out);
	}
}

static void sign(const struct ora_verdicts *verdicts, struct ora_finding *finding)
{
	const struct ora_difference *difference = finding->difference;
	size_t size;
	FILE *out = open_memstream(&finding->signature, &size);
	bool first = true, unexplained = false;
	unsigned who = whom(finding);
	xs_assert(out);
	fprintf(out, "%s %s", finding->group, ora_kind_text(finding->kind));
	if (difference->aspect == ORA_ASPECT_LINE)
		fputs(" line-table", out);
	else if (difference->aspect != ORA_ASPECT_VARIABLE &&
		 difference->aspect != ORA_ASPECT_CRASH)
		fprintf(out, " %s", ora_aspect_text(difference->aspect));
	for (size_t w = 0; w < verdicts->comparison->count; w++) {
		if (!(who >> w & 1))
			continue;
		putc(first ? ' ' : ',', out);
		sign_witness(out, verdicts, finding, w);
		unexplained |= !finding->rules[w];
		first = false;
	}
	if (finding->producer)
		fprintf(out, "%sproducer:%s", first ? " " : ",", finding->producer->name);
	if (finding->contest)
		fputs(" contested", out);
	else if (unexplained)
		ora_finding_put_features(out, finding);
	xs_assert(!fclose(out));
}

/* --- reason ----------------------------------------------------------------------------------- */

/* What a witness does, after its name. */
static void print_kind(FILE *out, const struct ora_finding *finding, size_t judge, size_t w)
{
	const struct ora_difference *difference = finding->difference;
	bool value = difference->said[w].state == ORA_STATE_VALUE;
	switch (difference->aspect) {
	case ORA_ASPECT_LINE:
		fputs("gives another line than the line table", out);
		return;
	case ORA_ASPECT_FUNCTIONS:
		fputs("names other functions at the pc than the entries whose ranges hold it", out);
		return;
	case ORA_ASPECT_CALLS:
		fputs("gives another place of an inlined call than its entry does", out);
		return;
	case ORA_ASPECT_COLUMN:
		fputs("gives another column than the line table", out);
		return;
	case ORA_ASPECT_LOOKUP:
		fputs("takes the name for another variable than the scopes do", out);
		return;
	case ORA_ASPECT_FRAMES:
	case ORA_ASPECT_PRESENTATION:
		fputs("shows other frames than the call frame information gives", out);
		return;
	case ORA_ASPECT_CRASH:
		fputs("does not survive it", out);
		return;
	case ORA_ASPECT_VARIABLE:
		break;
	default:
		fputs("says something else", out);
		return;
	}
	const char *gives = finding->wrong ? "the DWARF gives" : "xstep reads in the DWARF";
	switch (ora_kind_of(difference, judge, w)) {
	case ORA_KIND_LOSS:
		if (difference->said[w].state == ORA_STATE_ABSENT)
			fputs("does not list it", out);
		else
			fprintf(out, "declines what %s", gives);
		break;
	case ORA_KIND_EXTRA:
		if (value)
			fprintf(out, "shows a value where %s none", gives);
		else
			fputs("lists it where it is not in scope", out);
		break;
	default:
		fprintf(out, "shows another value than %s", gives);
		break;
	}
}

static void print_rule(FILE *out, const struct ora_rule *rule)
{
	fputs(rule->sentence, out);
	if (rule->section)
		fprintf(out, " (DWARF 5, %s)", rule->section);
}

/* What each of them does: `gdb does this; lldb does that`. */
static void print_deeds(FILE *out, const struct ora_verdicts *verdicts,
	const struct ora_finding *finding, size_t judge, unsigned who, const char **mark)
{
	for (size_t w = 0; w < verdicts->comparison->count; w++) {
		if (!(who >> w & 1))
			continue;
		fprintf(out, "%s%s ", *mark, verdicts->witnesses[w]);
		*mark = "; ";
		if (finding->rules[w])
			print_rule(out, finding->rules[w]);
		else if (judge < verdicts->comparison->count)
			print_kind(out, finding, judge, w);
		else
			fputs("says so", out);
	}
}

/* Why it is believed. */
static void print_ground(
	FILE *out, const struct ora_verdicts *verdicts, const struct ora_finding *finding)
{
	const struct ora_difference *difference = finding->difference;
	size_t judge = ora_verdicts_judge(verdicts);
	for (size_t w = 0; finding->basis == ORA_BASIS_EVIDENCE && finding->wrong &&
			   w < verdicts->comparison->count;
		w++)
		if (w != judge && difference->said[w].heard && !(finding->differs >> w & 1) &&
			difference->said[w].state == ORA_STATE_VALUE) {
			fprintf(out, "; %s reads it as xstep does", verdicts->witnesses[w]);
			break;
		}
}

/* Why xstep is to be looked at. */
static void print_own(FILE *out, const struct ora_finding *finding, size_t judge)
{
	fputs("xstep is to be looked at: it ", out);
	if (finding->proof.looked && !finding->proof.own)
		fputs("does not say the same when it looks again", out);
	else if (finding->difference->said[judge].state == ORA_STATE_ERROR)
		fputs("has no answer of its own", out);
	else
		fputs("stands alone, and no known mistake gives what the others say", out);
}

static void give_reason(const struct ora_verdicts *verdicts, struct ora_finding *finding)
{
	size_t size, judge = ora_verdicts_judge(verdicts), count = verdicts->comparison->count;
	const char *mark = "";
	FILE *out = open_memstream(&finding->reason, &size);
	xs_assert(out);
	if (judge < count && finding->wrong == 1U << judge) {
		print_own(out, finding, judge);
	} else if (finding->contest) {
		fputs(ora_contest_text(finding->contest), out);
	} else if (finding->wrong || finding->producer) {
		print_deeds(out, verdicts, finding, judge, finding->wrong, &mark);
		print_ground(out, verdicts, finding);
		if (finding->producer) {
			fprintf(out, "%sthe producer of the DWARF is wrong: ", mark);
			print_rule(out, finding->producer);
		}
	} else if (judge < count && finding->differs) {
		print_deeds(out, verdicts, finding, judge, finding->differs, &mark);
		fputs("; nothing proves whose mistake that is", out);
	} else {
		fputs("they differ, and xstep was not asked", out);
	}
	xs_assert(!fclose(out));
}

void ora_finding_word(struct ora_verdicts *verdicts, struct ora_finding *finding)
{
	free(finding->reason);
	free(finding->signature);
	set_group(verdicts, finding);
	sign(verdicts, finding);
	give_reason(verdicts, finding);
}
