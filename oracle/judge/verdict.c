#include "oracle/judge/verdict.h"

#include "base/map.h"
#include "dwarf/language.h"
#include "oracle/store/identity.h"

const char *ora_kind_text(enum ora_kind kind)
{
	static const char *const texts[] = {"loss", "extra", "lie", "crash"};
	return texts[kind];
}

const char *ora_basis_text(enum ora_basis basis)
{
	static const char *const texts[] = {
		"replayed", "evidence", "contested", "majority", "suspected"};
	return texts[basis];
}

/* --- the case --------------------------------------------------------------------------------- */

size_t ora_verdicts_judge(const struct ora_verdicts *verdicts)
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

bool ora_said_same(const struct ora_difference *difference, size_t a, size_t b)
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

/* Whether it is said of code that nothing is known of it: no row, a function without a name, a call
 * from nowhere. */
static bool is_unknown(const struct ora_said *said)
{
	return said->value && (!strcmp(said->value, "no row") || strchr(said->value, '?'));
}

/* Whether a list of functions is the end of another: inner ones are lost. */
static bool is_end_of(const struct ora_said *said, const struct ora_said *whole)
{
	size_t length = said->value ? strlen(said->value) : 0;
	size_t all = whole->value ? strlen(whole->value) : 0;
	return length && all > length + 3 && !strcmp(whole->value + all - length, said->value) &&
	       !strncmp(whole->value + all - length - 3, " < ", 3);
}

enum ora_kind ora_kind_of(const struct ora_difference *difference, size_t judge, size_t w)
{
	const struct ora_said *right = &difference->said[judge], *said = &difference->said[w];
	if (ora_aspect_is_static(difference->aspect) &&
		((is_unknown(said) && !is_unknown(right)) || is_end_of(said, right)))
		return ORA_KIND_LOSS;
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

/* --- the producer ----------------------------------------------------------------------------- */

/* What is wrong with the DWARF itself; NULL: nothing that is known. */
static const struct ora_rule *blame_producer(
	const struct ora_finding *finding, const struct ora_said *judge)
{
	static const struct ora_rule overlap = {"overlapping-entries",
		"two entries of its location list that differ cover this pc", "2.6.2"};
	static const struct ora_rule bad = {"malformed", "its location cannot be decoded", "2.6"};
	static const struct ora_rule types = {"incompatible-types",
		"an operator of its location has operands of different types", "2.5.1.4"};
	static const struct ora_rule wide = {"wide-deref",
		"its location reads more bytes by DW_OP_deref_size than the generic type has",
		"2.5.1.3"};
	static const struct ora_rule pieces = {
		"pieces-short", "its pieces end before the object does", "2.6.1.2"};
	static const struct ora_rule offset = {"tls-offset",
		"its location has no offset in thread-local storage where one belongs", "2.5.1.3"};
	uint64_t set = finding->features.set;
	if (finding->difference->aspect != ORA_ASPECT_VARIABLE)
		return NULL;
	if (judge->state == ORA_STATE_ERROR && judge->why == DI_WHY_TLS_OFFSET)
		return &offset;
	if (DI_HAS(set, OVERLAP))
		return &overlap;
	if (DI_HAS(set, BAD))
		return &bad;
	if (DI_HAS(set, TYPED) && judge->state == ORA_STATE_ERROR &&
		judge->why == DI_WHY_TYPES_DIFFER)
		return &types;
	if (DI_HAS(set, DEREF_SIZE) && judge->state == ORA_STATE_ERROR &&
		judge->why == DI_WHY_GENERIC_SIZE)
		return &wide;
	/* What lies within the pieces is described. */
	if (DI_HAS(set, PIECES_SHORT) && finding->difference->global &&
		judge->why == DI_WHY_NO_PIECE)
		return &pieces;
	return NULL;
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
			"build, but not on this line",
			NULL},
		[ORA_MISFIT_HIT] = {"value-of-another-arrival",
			"its location gives a value that the variable has in the unoptimised build "
			"on this line, but not at this arrival",
			NULL},
	};
	finding->producer = &rules[finding->difference->misfit];
	finding->kind = ORA_KIND_LIE;
	/* Lines of optimised code are approximate; that there is no such value is not. */
	finding->claim = finding->difference->misfit == ORA_MISFIT_NEVER ? ORA_BASIS_EVIDENCE
									 : ORA_BASIS_SUSPECTED;
}

/* --- proofs ----------------------------------------------------------------------------------- */

/* Whether a witness other than the judge and whoever differs says what the judge says, and that is
 * more than that there is nothing to say. */
static bool is_seconded(const struct ora_verdicts *verdicts, const struct ora_finding *finding,
	size_t judge, unsigned heard)
{
	const struct ora_difference *difference = finding->difference;
	bool variable = difference->aspect == ORA_ASPECT_VARIABLE;
	for (size_t v = 0; v < verdicts->comparison->count; v++)
		if (v != judge && (heard & ~finding->differs) >> v & 1 &&
			(!variable || (is_value(&difference->said[judge]) &&
					      is_value(&difference->said[v]))))
			return true;
	return false;
}

/* Whether the DWARF says in so many words that there is nothing: no entry of the list holds the pc,
 * or no block that declares it does. */
static bool is_nothing(const struct ora_finding *finding, const struct ora_said *judge)
{
	const struct di_features *features = &finding->features;
	if (finding->difference->aspect != ORA_ASPECT_VARIABLE || !features->found)
		return false;
	if (judge->state == ORA_STATE_OPTIMIZED_OUT)
		return features->visible &&
		       (DI_HAS(features->set, NOT_COVERED) || DI_HAS(features->set, NO_LOCATION));
	return judge->state == ORA_STATE_ABSENT && !features->visible;
}

/* Of languages that are not judged in full, lines are, and frames of those that are read. */
static bool is_read(const struct ora_verdicts *verdicts, const struct ora_finding *finding)
{
	const struct ora_difference *difference = finding->difference;
	if (!verdicts->module || difference->module || difference->frame_module)
		return false;
	xs_addr pc = difference->frame_pc == XS_ADDR_NONE ? difference->pc : difference->frame_pc;
	bool about = difference->aspect == ORA_ASPECT_VARIABLE ||
		     difference->aspect == ORA_ASPECT_LOOKUP;
	/* A debugger need not know the language, as lldb does not know Ada's inlined calls. */
	enum di_language language = di_language_at(verdicts->module, pc);
	if (difference->aspect == ORA_ASPECT_FRAMES && language == DI_LANGUAGE_OTHER)
		return false;
	return !about || di_language_is_judged(language);
}

/* Of Rust, that a variable is not listed may be a matter of which frame it is looked for in. What
 * is in a variant, lldb lists in none. */
static bool is_by_accident(
	const struct ora_verdicts *verdicts, const struct ora_finding *finding, size_t w)
{
	const struct ora_difference *difference = finding->difference;
	xs_addr pc = difference->frame_pc == XS_ADDR_NONE ? difference->pc : difference->frame_pc;
	return difference->aspect == ORA_ASPECT_VARIABLE && verdicts->module &&
	       difference->said[w].state == ORA_STATE_ABSENT &&
	       di_language_at(verdicts->module, pc) == DI_LANGUAGE_RUST &&
	       finding->rules[w] != ora_rule_of(DI_MISTAKE_LLDB_VARIANT_PART);
}

/* How certain it is that a witness is wrong. */
static enum ora_basis weigh(struct ora_verdicts *verdicts, struct ora_finding *finding,
	size_t judge, size_t w, bool seconded)
{
	const struct ora_difference *difference = finding->difference;
	const struct ora_proof *proof = &finding->proof;
	const struct ora_said *said = &difference->said[w];
	if (difference->aspect == ORA_ASPECT_REGISTER || difference->aspect == ORA_ASPECT_STOPS)
		return seconded ? ORA_BASIS_MAJORITY : ORA_BASIS_SUSPECTED;
	/* Of an object that is larger than its value the standard does not say which part it is. */
	if (!proof->looked || !proof->own || DI_HAS(finding->features.set, VALUE_SHORT))
		return ORA_BASIS_SUSPECTED;
	finding->rules[w] = ora_rule_confessed(verdicts->witnesses[w], said);
	const struct ora_rule *replayed =
		ora_rule_replayed(verdicts->witnesses[w], said, proof, finding->features.set);
	/* That it does not know an operator is the least that can be said. */
	if (replayed && (!finding->rules[w] || !strcmp(finding->rules[w]->name, "operator")))
		finding->rules[w] = replayed;
	if (finding->rules[w] && is_by_accident(verdicts, finding, w))
		finding->rules[w] = NULL;
	if (finding->rules[w])
		return ORA_BASIS_REPLAYED;
	bool nothing = is_value(said) && is_nothing(finding, &difference->said[judge]);
	return (seconded || nothing) && is_read(verdicts, finding) ? ORA_BASIS_EVIDENCE
								   : ORA_BASIS_SUSPECTED;
}

/* Those who differ from the judge, and whether they all say the same. */
static unsigned find_against(
	const struct ora_verdicts *verdicts, struct ora_finding *finding, size_t judge, bool *mind)
{
	const struct ora_difference *difference = finding->difference;
	size_t count = verdicts->comparison->count, first = count;
	unsigned against = 0;
	*mind = true;
	for (size_t w = 0; w < count; w++) {
		if (!difference->said[w].heard || w == judge || ora_said_same(difference, judge, w))
			continue;
		against |= 1U << w;
		enum ora_kind kind = ora_kind_of(difference, judge, w);
		finding->kind = first == count || kind > finding->kind ? kind : finding->kind;
		first = first < count ? first : w;
		*mind &= ora_said_same(difference, first, w);
	}
	return against;
}

/* Takes out those whose words are contested, and returns them; if all are, nothing is left to
 * decide. */
static unsigned contest(
	const struct ora_verdicts *verdicts, struct ora_finding *finding, size_t judge)
{
	unsigned contested = 0;
	/* By the lines of optimised code: whoever lists it and whoever does not is right. */
	finding->contest = finding->differs ? ORA_CONTEST_NONE : ORA_CONTEST_UNDECLARED;
	for (size_t w = 0; w < verdicts->comparison->count; w++) {
		enum ora_contest one = finding->differs >> w & 1
					       ? ora_contest_of(verdicts, finding, judge, w)
					       : ORA_CONTEST_NONE;
		contested |= (unsigned)(one != ORA_CONTEST_NONE) << w;
		finding->contest = one ? one : finding->contest;
	}
	if (contested != finding->differs) {
		finding->contest = ORA_CONTEST_NONE;
		finding->differs &= ~contested;
	}
	if (finding->difference->frames.len && verdicts->module)
		finding->difference->aspect =
			finding->contest ? ORA_ASPECT_PRESENTATION : ORA_ASPECT_FRAMES;
	return finding->contest ? 0 : contested;
}

/* xstep is to be looked at. */
static void blame_own(struct ora_finding *finding, size_t judge, bool majority)
{
	finding->wrong = 1U << judge;
	finding->producer = NULL;
	finding->claim = majority ? ORA_BASIS_MAJORITY : ORA_BASIS_SUSPECTED;
	memset(finding->rules, 0, sizeof finding->rules);
}

/* Rules 2 to 4, where xstep was heard. */
static void decide_by(struct ora_verdicts *verdicts, struct ora_finding *finding, size_t judge)
{
	const struct ora_difference *difference = finding->difference;
	const struct ora_said *own = &difference->said[judge];
	size_t count = verdicts->comparison->count;
	unsigned heard = 0, proven = 0, values = 0;
	bool mind;
	for (size_t w = 0; w < count; w++) {
		heard |= (unsigned)difference->said[w].heard << w;
		values |= (unsigned)(difference->said[w].heard && is_value(&difference->said[w]))
			  << w;
	}
	finding->differs = find_against(verdicts, finding, judge, &mind);
	heard &= ~contest(verdicts, finding, judge);
	if (finding->contest) {
		finding->claim = ORA_BASIS_CONTESTED;
		return;
	}
	unsigned others = heard & ~(1U << judge);
	bool several = others & (others - 1), alone = several && finding->differs == others;
	bool seconded = is_seconded(verdicts, finding, judge, heard);
	finding->producer = blame_producer(finding, own);
	finding->claim = ORA_BASIS_REPLAYED;
	for (size_t w = 0; w < count; w++) {
		if (!(finding->differs >> w & 1))
			continue;
		enum ora_basis basis = weigh(verdicts, finding, judge, w, seconded);
		finding->by[w] = basis;
		if (basis == ORA_BASIS_SUSPECTED)
			continue;
		proven |= 1U << w;
		finding->claim = basis > finding->claim ? basis : finding->claim;
	}
	/* Whatever a debugger makes of what cannot be evaluated. */
	if (own->state == ORA_STATE_ERROR)
		proven = 0;
	unsigned unproven = finding->differs & ~proven;
	bool again = !finding->proof.looked || finding->proof.own;
	/* It stands alone against one whose word nothing explains. Without an answer of its own it
	 * stands against nobody, unless the others have one, and the same. */
	bool silent = own->state == ORA_STATE_ERROR;
	bool lost = alone && !DI_HAS(finding->features.set, VALUE_SHORT) && unproven &&
		    (!proven || unproven & values) &&
		    (!silent || (mind && values == finding->differs));
	if (!again || (lost && !finding->producer))
		blame_own(finding, judge, again && several && alone && mind);
	else if (proven)
		finding->wrong = proven;
	else
		finding->claim = finding->producer && is_read(verdicts, finding)
					 ? ORA_BASIS_EVIDENCE
					 : ORA_BASIS_SUSPECTED;
	/* What nobody is named for has no name. */
	for (size_t w = 0; w < count; w++)
		finding->rules[w] = finding->wrong >> w & 1 ? finding->rules[w] : NULL;
	/* A producer that only may be wrong is not named. */
	if (finding->claim == ORA_BASIS_SUSPECTED)
		finding->producer = NULL;
}

static void decide(struct ora_verdicts *verdicts, struct ora_finding *finding)
{
	const struct ora_difference *difference = finding->difference;
	size_t count = verdicts->comparison->count, judge = ora_verdicts_judge(verdicts);
	finding->wrong = finding->differs = 0;
	finding->producer = NULL;
	finding->contest = ORA_CONTEST_NONE;
	finding->kind = ORA_KIND_LIE;
	memset(finding->rules, 0, sizeof finding->rules);
	if (difference->aspect == ORA_ASPECT_BUILDS) {
		blame_build(finding);
	} else if (difference->aspect == ORA_ASPECT_CRASH) {
		/* That it died is no matter of reading. */
		for (size_t w = 1; w < count; w++)
			finding->wrong |= (unsigned)difference->said[w].heard << w;
		finding->differs = finding->wrong;
		finding->kind = ORA_KIND_CRASH;
		finding->claim = ORA_BASIS_EVIDENCE;
	} else if (judge < count && difference->said[judge].heard) {
		decide_by(verdicts, finding, judge);
	} else {
		/* Nobody reads the DWARF for us. */
		for (size_t w = 0; w < count; w++)
			finding->differs |= (unsigned)difference->said[w].heard << w;
		finding->claim = ORA_BASIS_SUSPECTED;
	}
	finding->basis = finding->claim;
}

/* --- the court -------------------------------------------------------------------------------- */

void ora_verdicts_open(struct ora_verdicts *verdicts)
{
	struct xs_error *err = NULL;
	XS_AUTO_FREE char *hash = NULL;
	if (verdicts->hash) {
		err = ora_hash_file(verdicts->subject, &hash);
		verdicts->changed = err || strcmp(hash, verdicts->hash) != 0;
	}
	if (!err && !verdicts->changed) {
		struct di_module_options options = {.debug_file = verdicts->debug_file};
		err = di_module_open_with(verdicts->subject, &options, &verdicts->module);
	}
	xs_error_destroy(err); /* without it there is less evidence, and that shows */
}

void ora_judge(struct ora_verdicts *verdicts)
{
	if (!verdicts->module && !verdicts->changed)
		ora_verdicts_open(verdicts);
	for (size_t i = 0; i < verdicts->comparison->differences.len; i++) {
		struct ora_finding finding = {
			.difference = verdicts->comparison->differences.data[i]};
		ora_finding_look(verdicts, &finding);
		ora_symbols_look(verdicts, &finding);
		ora_finding_identify(verdicts, &finding);
		finding.origin = i;
		xs_vec_push(&verdicts->findings, finding);
	}
	ora_judge_again(verdicts);
}

void ora_judge_again(struct ora_verdicts *verdicts)
{
	for (size_t i = 0; i < verdicts->findings.len; i++) {
		decide(verdicts, &verdicts->findings.data[i]);
		ora_finding_word(verdicts, &verdicts->findings.data[i]);
	}
	ora_verdicts_cluster(verdicts);
}

/* What a cluster may say, by what the plain debuggers said of the finding that stands for it. */
static enum ora_basis conclude(
	const struct ora_verdicts *verdicts, const struct ora_finding *first, bool *artefact)
{
	size_t judge = ora_verdicts_judge(verdicts);
	unsigned who = first->differs | (judge < verdicts->comparison->count ? 0 : first->wrong);
	*artefact = (first->proof.asked & ~first->proof.again & who) != 0;
	if (first->difference->aspect == ORA_ASPECT_BUILDS ||
		(first->proof.asked & first->proof.again & who) == who)
		return first->claim;
	return verdicts->trusting && first->claim == ORA_BASIS_REPLAYED ? ORA_BASIS_REPLAYED
									: ORA_BASIS_SUSPECTED;
}

/* A finding for one of those that another names: a witness, or the producer. */
static struct ora_finding copy_for(
	const struct ora_verdicts *verdicts, const struct ora_finding *from, size_t w)
{
	struct ora_finding ret = *from;
	bool witness = w < verdicts->comparison->count;
	ret.reason = ret.signature = ret.known = ret.remark = NULL;
	memset(&ret.proof.models, 0, sizeof ret.proof.models);
	ret.proof.bytes = from->proof.bytes ? xs_strdup(from->proof.bytes) : NULL;
	for (size_t i = 0; i < ORA_COMPARE_MAX; i++)
		ret.proof.words[i] = from->proof.words[i] ? xs_strdup(from->proof.words[i]) : NULL;
	ret.wrong = witness ? 1U << w : 0;
	ret.producer = witness ? NULL : from->producer;
	if (!witness) {
		ret.kind = ORA_KIND_LIE;
		ret.basis = ret.basis == ORA_BASIS_REPLAYED ? ORA_BASIS_EVIDENCE : ret.basis;
	}
	uint64_t hash = xs_hash_text(
		strtoull(from->id, NULL, 16), witness ? verdicts->witnesses[w] : "producer");
	snprintf(ret.id, sizeof ret.id, "%012" PRIx64, hash & 0xffffffffffff);
	return ret;
}

/* What one of those that are named does. */
static enum ora_kind kind_of_one(
	const struct ora_verdicts *verdicts, const struct ora_finding *finding, size_t w)
{
	size_t judge = ora_verdicts_judge(verdicts);
	return judge < verdicts->comparison->count && judge != w && finding->kind != ORA_KIND_CRASH
		       ? ora_kind_of(finding->difference, judge, w)
		       : finding->kind;
}

/* One party, one finding. */
static void split(struct ora_verdicts *verdicts)
{
	size_t count = verdicts->findings.len, witnesses = verdicts->comparison->count;
	for (size_t i = 0; i < count; i++) {
		size_t first = SIZE_MAX;
		for (size_t w = 0; w <= witnesses; w++) {
			struct ora_finding *one = &verdicts->findings.data[i];
			bool named = w < witnesses ? one->wrong >> w & 1 : one->producer != NULL;
			if (!named || first == SIZE_MAX) {
				first = named ? w : first;
				continue;
			}
			struct ora_finding other = copy_for(verdicts, one, w);
			if (w < witnesses)
				other.kind = kind_of_one(verdicts, one, w);
			if (w < witnesses && other.basis < ORA_BASIS_CONTESTED)
				other.basis = other.by[w];
			ora_finding_word(verdicts, &other);
			xs_vec_push(&verdicts->findings, other);
		}
		struct ora_finding *one = &verdicts->findings.data[i];
		if (first == SIZE_MAX || first == witnesses ||
			(one->wrong == 1U << first && !one->producer))
			continue;
		one->kind = kind_of_one(verdicts, one, first);
		one->wrong = 1U << first;
		one->producer = NULL;
		if (one->basis < ORA_BASIS_CONTESTED)
			one->basis = one->by[first];
		ora_finding_word(verdicts, one);
	}
}

void ora_judge_conclude(struct ora_verdicts *verdicts)
{
	for (size_t i = 0; i < verdicts->clusters.len; i++) {
		const struct ora_finding *first =
			&verdicts->findings.data[verdicts->clusters.data[i].first];
		bool artefact;
		enum ora_basis basis = conclude(verdicts, first, &artefact);
		for (size_t k = 0; k < verdicts->findings.len; k++) {
			struct ora_finding *finding = &verdicts->findings.data[k];
			if (finding->cluster != i + 1)
				continue;
			finding->artefact = artefact;
			if (finding->basis == basis)
				continue;
			finding->basis = basis;
			/* Who is merely suspected is not named. */
			if (basis == ORA_BASIS_SUSPECTED && *finding->group != 'X') {
				finding->wrong = 0;
				finding->producer = NULL;
				memset(finding->rules, 0, sizeof finding->rules);
			}
			ora_finding_word(verdicts, finding);
		}
	}
	split(verdicts);
	ora_verdicts_cluster(verdicts);
}

void ora_verdicts_deinit(struct ora_verdicts *verdicts)
{
	for (size_t i = 0; i < verdicts->findings.len; i++) {
		struct ora_finding *finding = &verdicts->findings.data[i];
		free(finding->reason);
		free(finding->signature);
		free(finding->known);
		free(finding->remark);
		ora_proof_deinit(&finding->proof);
	}
	xs_vec_deinit(&verdicts->findings);
	xs_vec_deinit(&verdicts->clusters);
	di_module_destroy(verdicts->module);
}
