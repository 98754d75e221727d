#include "oracle/check/check.h"

#include "base/path.h"
#include "dwarf/line.h"

enum { ROWS_SHOWN = 3 }; /* of those that share an address with the last one */

static char *copy(const char *text)
{
	return text ? xs_strdup(text) : NULL;
}

void ora_check_begin(struct ora_check *check)
{
	check->comparison.store = check->store;
	check->comparison.count = check->count;
	check->verdicts.comparison = &check->comparison;
	check->verdicts.subject = check->subject;
	for (size_t i = 0; i < check->count; i++) {
		const char *name = check->traces[i]->trace.witness;
		check->comparison.traces[i] = check->traces[i]->id;
		check->verdicts.witnesses[i] = name;
		check->labels[i] = check->roles[i] ? xs_asprintf("%s %s", name, check->roles[i])
						   : xs_strdup(name);
		check->verdicts.labels[i] = check->labels[i];
	}
	/* Of another file's DWARF nothing is evidence. */
	for (size_t i = 0; i < check->count; i++)
		if (!strcmp(check->traces[i]->subject.path, check->subject))
			check->verdicts.changed |= check->changed[i];
	if (!check->verdicts.changed)
		xs_error_destroy(di_module_open(check->subject, &check->verdicts.module));
}

static bool same_witness(const struct ora_check *check, size_t a, size_t b)
{
	const struct ora_store_trace *left = &check->traces[a]->trace;
	const struct ora_store_trace *right = &check->traces[b]->trace;
	return !strcmp(left->witness, right->witness) && !strcmp(left->version, right->version);
}

size_t ora_check_role(const struct ora_check *check, size_t trace, const char *role)
{
	for (size_t i = 0; i < check->count; i++)
		if (same_witness(check, i, trace) && !strcmp(check->roles[i], role))
			return i;
	return check->count;
}

/* --- noting ----------------------------------------------------------------------------------- */

static struct ora_difference *fresh_difference(const struct ora_violation *violation)
{
	const struct ora_store_variable *variable = violation->variable;
	const struct ora_told *told = violation->told;
	struct ora_difference *one = xs_calloc(1, sizeof *one);
	one->aspect = ORA_ASPECT_CHECK;
	one->number = told->number;
	one->n = told->n;
	one->arrival = violation->arrival;
	one->frame = violation->frame;
	one->prev = told->prev ? told->prev->address : XS_ADDR_NONE;
	one->level = DI_LEVEL_ANY;
	one->caller_pc = XS_ADDR_NONE;
	one->pc = told->place->address;
	one->frame_pc = violation->frame ? violation->frame_pc : one->pc;
	one->module = copy(told->place->module);
	one->frame_module = copy(told->place->module);
	one->function = copy(violation->function);
	one->file = copy(violation->file);
	one->line = violation->line;
	if (variable) {
		one->scope = copy(variable->scope);
		one->var = xs_strdup(variable->name);
		one->path = xs_strdup(violation->path ? violation->path : variable->name);
		one->decl_file = copy(variable->file);
		one->decl_line = variable->line;
		one->type = copy(violation->type);
	}
	return one;
}

size_t ora_check_violate(
	struct ora_check *check, size_t trace, const struct ora_violation *violation, bool *fresh)
{
	const struct ora_store_variable *variable = violation->variable;
	XS_AUTO_FREE char *function = ora_bare_function(violation->function);
	uint64_t hash = xs_hash_text(xs_hash_text(0, violation->rule->name), violation->why);
	if (violation->place) {
		hash = xs_hash_text(hash, violation->place);
	} else {
		hash = xs_hash_text(xs_hash_text(hash, xs_base_name(violation->file)), function);
		hash = xs_mix(hash ^ violation->line);
	}
	hash = xs_hash_text(hash, violation->key);
	if (variable) {
		hash = xs_hash_text(xs_hash_text(hash, variable->name), violation->path);
		hash = xs_mix(hash ^ variable->line);
	}
	uint64_t *index = xs_map_at(&check->known, hash, 0);
	*fresh = !*index;
	if (*fresh) {
		struct ora_check_note note = {.rule = violation->rule,
			.kind = violation->kind,
			.why = violation->why,
			.unsteady = check->is_unsteady &&
				    check->is_unsteady(check->unsteady, violation),
			.rounded = check->rounded && check->is_unsteady(check->rounded, violation)};
		xs_vec_push(&check->comparison.differences, fresh_difference(violation));
		check->comparison.differences.data[check->notes.len]->trace = trace;
		xs_vec_push(&check->notes, note);
		*index = check->notes.len;
	}
	size_t ret = *index - 1;
	struct ora_difference *one = check->comparison.differences.data[ret];
	unsigned shows = check->notes.data[ret].shows;
	check->notes.data[ret].evident |= violation->evident;
	check->notes.data[ret].doubtful |= violation->doubtful;
	check->notes.data[ret].in_memory |= violation->in_memory;
	check->notes.data[ret].is_value |= violation->is_value;
	check->notes.data[ret].shows |= 1U << trace;
	/* The first trace that shows it counts. */
	if (!(shows & ~(1U << trace))) {
		one->times++;
		one->stops++;
	}
	return ret;
}

void ora_check_say(struct ora_check *check, size_t violation, size_t trace, enum ora_state state,
	const char *value)
{
	struct ora_said *said = &check->comparison.differences.data[violation]->said[trace];
	if (said->heard)
		return;
	*said = (struct ora_said){.heard = true, .state = state, .value = copy(value)};
}

void ora_check_explain(struct ora_check *check, size_t violation, char *sentence, char *evidence)
{
	struct ora_check_note *note = &check->notes.data[violation];
	if (note->sentence) {
		free(sentence);
		free(evidence);
		return;
	}
	note->sentence = check->start ? xs_asprintf("%s; steps begin at %s", sentence, check->start)
				      : xs_strdup(sentence);
	free(sentence);
	note->evidence = evidence;
}

void ora_check_withdraw(struct ora_check *check, size_t violation)
{
	check->notes.data[violation].withdrawn = true;
}

struct ora_scene ora_check_scene(
	const struct ora_check *check, size_t trace, const struct di_module *module)
{
	const struct ora_trace_info *info = check->traces[trace];
	bool own = !strcmp(info->trace.witness, "xstep") &&
		   strcmp(info->trace.level, "instruction") != 0;
	return (struct ora_scene){
		.store = check->store, .trace = info->id, .module = own ? module : NULL};
}

char *ora_check_row(const struct ora_check *check, const struct ora_store_place *place)
{
	const struct di_module *module = check->verdicts.module;
	const struct di_row *row =
		module && !place->module ? di_lines_find(&module->lines, place->address) : NULL;
	if (!row)
		return xs_asprintf("0x%" PRIx64 ": no row of the line table", place->address);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	const struct di_row *first = row;
	while (first > module->lines.rows.data && first[-1].address == row->address &&
		!first[-1].end_sequence && row - first < ROWS_SHOWN)
		first--;
	fprintf(out, "line table at 0x%" PRIx64 ":", row->address);
	for (; first <= row; first++)
		fprintf(out, " %u:%u%s%s", first->line, first->column,
			first->is_stmt ? " is_stmt" : "", first == row ? "" : ",");
	if (place->inlined)
		fputs("; in an inlined call", out);
	xs_assert(!fclose(out));
	return text;
}

/* --- judging ---------------------------------------------------------------------------------- */

/* The mask of all traces of the witnesses that have one in `mask`. */
static unsigned whole_witnesses(const struct ora_check *check, unsigned mask)
{
	unsigned ret = 0;
	for (size_t i = 0; i < check->count; i++)
		for (size_t k = 0; k < check->count; k++)
			if (mask >> k & 1 && same_witness(check, i, k))
				ret |= 1U << i;
	return ret;
}

/* Whether a variable is said to be in one place in memory all along. Compilers do not say of such a
 * place that a store to it comes later than its line: what is shown until then is a debugger's
 * everyday life, and nobody's mistake. */
static bool is_in_memory(const struct di_features *features)
{
	return features->found && !DI_HAS(features->set, LIST) &&
	       !strncmp(features->expr, "DW_OP_fbreg", strlen("DW_OP_fbreg"));
}

/* Whether nobody is to be blamed. A value of a program at a fixed address may come from the address
 * of something in it, which another build has elsewhere. */
static bool is_doubtful(const struct ora_check *check, const struct ora_check_note *note,
	const struct ora_finding *finding)
{
	return check->unlike || check->loose || note->doubtful ||
	       (check->fixed && note->is_value) ||
	       (note->in_memory && is_in_memory(&finding->features));
}

/* Rules 2 and 4. */
static void decide(const struct ora_check *check, const struct ora_check_note *note,
	struct ora_finding *finding)
{
	static const struct ora_rule producer = {"", "", NULL};
	unsigned shows = whole_witnesses(check, note->shows), all = (1U << check->count) - 1;
	unsigned judge = 0;
	for (size_t i = 0; i < check->count; i++)
		if (!strcmp(check->verdicts.witnesses[i], "xstep"))
			judge |= 1U << i;
	bool alone = whole_witnesses(check, 1) == all;
	bool agreed = !judge && !alone && shows == all;
	finding->kind = note->kind;
	finding->basis = judge || note->evident ? ORA_BASIS_EVIDENCE : ORA_BASIS_MAJORITY;
	if (is_doubtful(check, note, finding))
		return;
	if (judge & shows || agreed || note->evident)
		finding->producer = &producer;
	else if (judge)
		finding->wrong = note->shows;
}

/* Names witnesses, and says how many. */
static size_t print_names(FILE *out, const struct ora_check *check, unsigned mask, const char *mark)
{
	const char *last = NULL;
	size_t count = 0;
	for (size_t i = 0; i < check->count; i++) {
		const char *name = check->verdicts.witnesses[i];
		if (!(mask >> i & 1) || (last && !strcmp(last, name)))
			continue;
		fprintf(out, "%s%s", last ? mark : "", name);
		last = name;
		count++;
	}
	return count;
}

static void sign(const struct ora_check *check, const struct ora_check_note *note,
	struct ora_finding *finding)
{
	size_t size;
	FILE *out = open_memstream(&finding->signature, &size);
	xs_assert(out);
	fprintf(out, "%s %s ", note->rule->name, ora_kind_text(note->kind));
	if (finding->producer)
		fprintf(out, "producer:%s", note->why);
	else if (!finding->wrong)
		fprintf(out, "undecided:%s", note->why);
	const char *last = NULL;
	for (size_t i = 0; i < check->count; i++) {
		const char *name = check->verdicts.witnesses[i];
		if (!(finding->wrong >> i & 1) || (last && !strcmp(last, name)))
			continue;
		fprintf(out, "%s%s:%s", last ? "," : "", name, note->why);
		last = name;
	}
	if (finding->flaw)
		fprintf(out, " %s", finding->flaw);
	ora_finding_put_features(out, finding);
	xs_assert(!fclose(out));
}

static void give_reason(const struct ora_check *check, const struct ora_check_note *note,
	struct ora_finding *finding)
{
	size_t size;
	FILE *out = open_memstream(&finding->reason, &size);
	xs_assert(out);
	if (finding->producer) {
		/* Not to say it is no lie. */
		fputs(note->kind == ORA_KIND_LOSS ? "the producer of the DWARF loses it"
						  : "the producer of the DWARF is wrong",
			out);
	} else if (finding->wrong) {
		bool several = print_names(out, check, finding->wrong, " and ") > 1;
		fprintf(out, " %s wrong, for by the DWARF, as xstep reads it, this would not be",
			several ? "are" : "is");
	} else if (is_doubtful(check, note, finding)) {
		fputs(check->unlike
				? "nobody is named for it, for the two programs do not end alike "
				  "(is there undefined behaviour?)"
			: check->loose ? "nobody is named for it, for the program was built with "
					 "-ffast-math or the like, and may calculate something else"
			: check->fixed && note->is_value
				? "nobody can be blamed for it, for in a program at a fixed "
				  "address it may come from an address (build it with -fPIE -pie)"
				: "nobody is named for it",
			out);
	} else {
		fputs("undecided: the producer of the DWARF or ", out);
		print_names(out, check, note->shows, " and ");
		fputs("; --witness with xstep tells which", out);
	}
	fprintf(out, ": %s", note->sentence ? note->sentence : note->rule->sentence);
	xs_assert(!fclose(out));
}

/* What is wrong with the entry of a variable that ought to have a value. */
static const char *flaw_of(const struct di_features *features)
{
	if (!features->found || DI_HAS(features->set, ABSTRACT_ONLY))
		return "missing";
	if (!features->visible)
		return "incorrect"; /* it is not where the pc is */
	if (DI_HAS(features->set, NO_LOCATION))
		return "hollow";
	return DI_HAS(features->set, NOT_COVERED) ? "incomplete" : "incorrect";
}

void ora_check_judge(struct ora_check *check)
{
	for (size_t i = 0; i < check->notes.len; i++) {
		struct ora_check_note *note = &check->notes.data[i];
		if (note->withdrawn)
			continue;
		if (note->unsteady) {
			check->unsteady_count++;
			continue;
		}
		if (note->rounded) {
			check->rounded_count++;
			continue;
		}
		struct ora_finding finding = {.difference = check->comparison.differences.data[i]};
		finding.origin = check->verdicts.findings.len;
		ora_finding_look(&check->verdicts, &finding);
		decide(check, note, &finding);
		/* Where a debugger loses it, the entry is in order. */
		if ((*note->rule->name == 'C' || !strcmp(note->rule->name, "P2")) && !finding.wrong)
			finding.flaw = flaw_of(&finding.features);
		snprintf(finding.group, sizeof finding.group, "%s", note->rule->name);
		sign(check, note, &finding);
		give_reason(check, note, &finding);
		finding.remark = xs_take(&note->evidence);
		ora_finding_identify(&check->verdicts, &finding);
		xs_vec_push(&check->verdicts.findings, finding);
	}
	ora_verdicts_cluster(&check->verdicts);
}

void ora_check_deinit(struct ora_check *check)
{
	ora_asked_deinit(&check->asked);
	ora_verdicts_deinit(&check->verdicts);
	ora_comparison_deinit(&check->comparison);
	for (size_t i = 0; i < check->notes.len; i++) {
		free(check->notes.data[i].sentence);
		free(check->notes.data[i].evidence);
	}
	for (size_t i = 0; i < ORA_COMPARE_MAX; i++)
		free(check->labels[i]);
	xs_vec_deinit(&check->notes);
	xs_map_deinit(&check->known);
}
