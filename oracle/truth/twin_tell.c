#include "oracle/truth/twin_tell.h"

static const struct ora_check_rule rule_values = {
	ORA_T1, "two builds with the same code give a variable two values"};
static const struct ora_check_rule rule_losses = {
	ORA_T2, "of two builds with the same code one has no value where the other has"};
static const struct ora_check_rule rule_tools = {
	ORA_T3, "what a tool made of a file says something else than the file"};

/* --- where ------------------------------------------------------------------------------------ */

static struct ora_told told_at(struct ora_check_twins *twins, uint64_t number, uint64_t n,
	const struct ora_place *prev, const struct ora_place *place)
{
	return (struct ora_told){.number = number,
		.n = n,
		.prev = prev ? ora_tell_place(&twins->teller, prev) : NULL,
		.place = ora_tell_place(&twins->teller, place)};
}

/* What a DWARF has on the variable at a pc: looked up once, and kept. The leaf does not matter. */
static const struct di_features *look(struct ora_check_twins *twins, struct di_module *module,
	xs_addr pc, const struct di_variable *variable)
{
	uint64_t *index = xs_map_at(&twins->feature_index, (uintptr_t)variable, pc);
	if (!*index) {
		struct di_features *features = xs_calloc(1, sizeof *features);
		di_features_of(module, pc, variable->scope, DI_LEVEL_ANY, variable->name,
			variable->line, variable->name, features);
		xs_vec_push(&twins->features, features);
		*index = twins->features.len;
	}
	return twins->features.data[*index - 1];
}

/* The number of the frame that a variable is seen from: that of its function, or inlined call. */
static unsigned frame_of(struct di_module *module, xs_addr pc, const struct di_variable *variable)
{
	const struct di_scopes *scopes = di_scopes_at(module, pc);
	for (size_t i = 0; i < scopes->locals.len; i++)
		if (scopes->locals.data[i].variable == variable)
			return scopes->locals.data[i].activation;
	return 0;
}

static char *evidence_of(const struct ora_twin *twin, const struct di_features *features)
{
	return xs_asprintf("%s: .debug_info+0x%" PRIx64 "%s%s%s%s", twin->name, features->die,
		*features->place ? "; " : "", features->place, *features->expr ? ": " : "",
		features->expr);
}

/* --- T1 and T2 -------------------------------------------------------------------------------- */

/* Whether only DWARF 5, or an extension of it, has words for it. */
static bool is_new(const struct di_features *features)
{
	return DI_HAS(features->set, ENTRY_VALUE) || DI_HAS(features->set, IMPLICIT_POINTER) ||
	       DI_HAS(features->set, TYPED) || DI_HAS(features->set, GNU_OPERATOR);
}

/* A parameter of an out-of-line function: it has its value from the call on. */
static bool is_sure(const struct di_variable *variable)
{
	return variable->parameter && variable->block && variable->block->kind == DI_BLOCK_FUNCTION;
}

/* What is left of a rule, and why. */
static void leave(struct ora_check_twins *twins, const struct ora_twin_case *one, const char *why)
{
	bool two = one->relation == ORA_TWIN_DIFFER;
	ora_asked_leave(
		&twins->check->asked, two ? ORA_T1 : ORA_T2, ORA_TWIN_LEAVES, why, one->stops);
	*(two ? &twins->left_both : &twins->left_one) += one->stops;
}

/* How long it lasted, in words. */
static char *stretch_of(const struct ora_twin_case *one)
{
	return xs_asprintf("%" PRIu64 " stop%s, to 0x%" PRIx64, one->stops,
		one->stops == 1 ? "" : "s", one->last);
}

static char *sentence_of_two(
	const struct ora_twin *twin, const struct ora_twin_case *one, const char *path, bool fixed)
{
	XS_AUTO_FREE char *stretch = stretch_of(one);
	const char *known = one->before ? one->before : one->after;
	bool wrong[2] = {known && strcmp(known, one->values[0]) != 0,
		known && strcmp(known, one->values[1]) != 0};
	if (fixed && wrong[0] != wrong[1])
		return xs_asprintf("%s is never written, and both say %s %s in this call: %s lies "
				   "(%s)",
			path, known, one->before ? "before" : "after",
			wrong[0] ? "this build" : twin->name, stretch);
	if (fixed)
		return xs_asprintf("%s is never written, and has one value in a call: one of two "
				   "lies (%s)",
			path, stretch);
	if (one->before && one->after)
		return xs_asprintf("both say %s before, and %s after; which of two is the lie is "
				   "open (%s)",
			one->before, one->after, stretch);
	return xs_asprintf("both say %s before; which of two is the lie is open (%s)",
		one->before ? one->before : "?", stretch);
}

static char *sentence_of(const struct ora_twin *twin, const struct ora_twin_case *one,
	const char *path, enum ora_twin_word word, bool fixed)
{
	bool first = one->relation == ORA_TWIN_FIRST_ONLY;
	const char *loser = first ? twin->name : "this build";
	const char *value = one->values[!first];
	XS_AUTO_FREE char *stretch = stretch_of(one);
	switch (word) {
	case ORA_TWIN_CONTRADICTION:
	case ORA_TWIN_MOMENT:
		return sentence_of_two(twin, one, path, fixed);
	case ORA_TWIN_GAP:
		return xs_asprintf("%s has no value of %s between two places where both say %s "
				   "(%s)",
			loser, path, value, stretch);
	case ORA_TWIN_LATE:
		return xs_asprintf("%s has no value of the parameter %s until both say %s (%s)",
			loser, path, value, stretch);
	case ORA_TWIN_MALFORMED:
		return xs_asprintf("the expression that %s has for %s cannot be evaluated (%s; "
				   "DWARF 5, 2.5.1), the other one's can (%s)",
			loser, path, di_why_name(one->whys[first]), stretch);
	default:
		return xs_asprintf("%s has lost %s, which both said was %s and the other one still "
				   "says%s (%s)",
			loser, path, value,
			fixed ? "; it is never written" : ", or the other one is stale", stretch);
	}
}

/* Tells it. What two entries of location lists come to is one violation, at whatever line. */
static void violate(struct ora_check_twins *twins, const struct ora_twin *twin,
	const struct ora_twin_pair *pair, const char *path, const struct ora_twin_case *one,
	enum ora_twin_word word, bool fixed)
{
	static const char *const words[ORA_TWIN_WORDS][2] = {
		[ORA_TWIN_CONTRADICTION] = {"contradiction", "contradiction"},
		[ORA_TWIN_MOMENT] = {"other-moment", "other-moment"},
		[ORA_TWIN_GAP] = {"gap", "gap-in-other"},
		[ORA_TWIN_LATE] = {"late", "late-in-other"},
		[ORA_TWIN_LOST] = {"lost", "lost-in-other"},
		[ORA_TWIN_MALFORMED] = {"malformed", "malformed-in-other"},
	};
	struct ora_check *check = twins->check;
	const struct ora_place *place = one->begin.place;
	bool two = one->relation == ORA_TWIN_DIFFER, fresh;
	struct ora_store_variable variable = ora_variable_of(pair->first);
	const struct di_features *own = look(twins, twins->side.module, place->pc, pair->first);
	const struct di_features *its = look(twins, twin->module, place->pc, pair->second);
	XS_AUTO_FREE char *entries = xs_asprintf("%s %s %s | %s %s", pair->first->scope, own->place,
		own->expr, its->place, its->expr);
	struct ora_told told =
		told_at(twins, one->begin.number, one->begin.n, one->begin.prev, place);
	struct ora_violation violation = {.rule = two ? &rule_values : &rule_losses,
		.kind = two ? ORA_KIND_LIE : ORA_KIND_LOSS,
		.why = words[word][one->relation == ORA_TWIN_FIRST_ONLY],
		.key = twin->name,
		.place = entries,
		.told = &told,
		.frame = frame_of(twins->side.module, place->pc, pair->first),
		.frame_pc = place->pc,
		.file = place->file,
		.function = place->function,
		.line = told.place->line,
		.variable = &variable,
		.path = path,
		/* A build that says less is poorer for it, and no liar. */
		.doubtful = two ? !fixed : word != ORA_TWIN_MALFORMED};
	size_t at = ora_check_violate(check, twins->own, &violation, &fresh);
	if (!fresh)
		return;
	ora_check_say(check, at, twins->own, one->states[0], one->values[0]);
	ora_check_say(check, at, twins->other, one->states[1], one->values[1]);
	ora_check_explain(
		check, at, sentence_of(twin, one, path, word, fixed), evidence_of(twin, its));
}

/* A loss of which a DWARF before 5 could not say otherwise. */
static bool is_wordless(struct ora_check_twins *twins, const struct ora_twin *twin,
	const struct ora_twin_pair *pair, const struct ora_twin_case *one)
{
	bool first = one->relation == ORA_TWIN_FIRST_ONLY;
	const struct di_variable *giver = first ? pair->first : pair->second;
	const struct di_variable *loser = first ? pair->second : pair->first;
	if (loser->unit->expr.version >= 5)
		return false;
	return is_new(look(
		twins, first ? twins->side.module : twin->module, one->begin.place->pc, giver));
}

/* Whether a DWARF that has a value says in the same breath that it may be none. */
static bool is_uninitialized(struct ora_check_twins *twins, const struct ora_twin *twin,
	const struct ora_twin_pair *pair, const struct ora_twin_case *one)
{
	xs_addr pc = one->begin.place->pc;
	return strstr(look(twins, twins->side.module, pc, pair->first)->expr, "GNU_uninit") ||
	       strstr(look(twins, twin->module, pc, pair->second)->expr, "GNU_uninit");
}

void ora_twin_tell_case(struct ora_check_twins *twins, const struct ora_twin *twin,
	const struct ora_twin_pair *pair, const char *path, const struct ora_twin_case *one)
{
	bool sure = is_sure(pair->first) && is_sure(pair->second);
	bool fixed = sure && ora_twin_is_fixed(twins->sources, pair->first);
	bool two = one->relation == ORA_TWIN_DIFFER;
	enum ora_twin_word word = ora_twin_case_word(one, sure);
	if (two && fixed)
		word = ORA_TWIN_CONTRADICTION;
	twins->words[word]++;
	if (is_uninitialized(twins, twin, pair, one))
		leave(twins, one, "where one says itself that it is not initialised");
	else if (word == ORA_TWIN_UNASSIGNED)
		leave(twins, one, "where both have not agreed before in that call");
	else if (word == ORA_TWIN_ONE_WORD)
		leave(twins, one, "where only one ever says that value");
	else if (!two && is_wordless(twins, twin, pair, one))
		leave(twins, one, "that DWARF 4 has no words for");
	else if (word == ORA_TWIN_MOMENT && !twins->open)
		leave(twins, one, "of an assignment that takes effect sooner in one (--open)");
	else if (word == ORA_TWIN_LOST && !fixed && !twins->open)
		leave(twins, one, "lost, unless the other one is stale (--open)");
	else
		violate(twins, twin, pair, path, one, word, fixed);
}

/* --- T3 --------------------------------------------------------------------------------------- */

static size_t violate_tool(struct ora_check_twins *twins, const struct ora_twin *twin,
	const struct ora_stop *stop, const char *why, const struct ora_store_variable *variable,
	const char *path, unsigned frame, bool *fresh)
{
	struct ora_told told = told_at(twins, stop->number, stop->n, stop->prev, stop->place);
	struct ora_violation violation = {.rule = &rule_tools,
		.kind = ORA_KIND_LIE,
		.why = why,
		.key = twin->name,
		.told = &told,
		.file = stop->place->file,
		.function = stop->place->function,
		.line = told.place->line,
		.variable = variable,
		.path = path,
		.frame = frame,
		.frame_pc = stop->place->pc,
		.doubtful = true};
	return ora_check_violate(twins->check, twins->own, &violation, fresh);
}

void ora_twin_tell_leaf(struct ora_check_twins *twins, const struct ora_twin *twin,
	const struct ora_twin_pair *pair, const char *path, const struct ora_stop *stop,
	const struct ora_twin_said said[2])
{
	struct ora_store_variable variable = ora_variable_of(pair->first);
	bool fresh;
	size_t at = violate_tool(twins, twin, stop,
		said[0].value && said[1].value ? "value" : "state", &variable, path,
		frame_of(twins->side.module, stop->place->pc, pair->first), &fresh);
	if (!fresh)
		return;
	ora_check_say(twins->check, at, twins->own, said[0].state, said[0].value);
	ora_check_say(twins->check, at, twins->other, said[1].state, said[1].value);
	ora_check_explain(twins->check, at,
		xs_asprintf("%s says something else of %s: the tool that made it, or xstep, is "
			    "wrong",
			twin->name, path),
		evidence_of(twin, look(twins, twin->module, stop->place->pc, pair->second)));
}

void ora_twin_tell_place(struct ora_check_twins *twins, const struct ora_twin *twin,
	const struct ora_stop *stop, const char *why, const char *first, const char *second)
{
	bool fresh;
	size_t at = violate_tool(twins, twin, stop, why, NULL, NULL, 0, &fresh);
	if (!fresh)
		return;
	ora_check_say(twins->check, at, twins->own, ORA_STATE_VALUE, first);
	ora_check_say(twins->check, at, twins->other, ORA_STATE_VALUE, second);
	ora_check_explain(twins->check, at,
		xs_asprintf("%s says something else of this address: the tool that made it, or "
			    "xstep, is wrong",
			twin->name),
		NULL);
}
