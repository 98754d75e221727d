#include "oracle/session/comparing.h"

#include <inttypes.h>

#include "base/scratch.h"
#include "engine/interrupt.h"
#include "oracle/judge/against.h"
#include "oracle/store/identity.h"

/* So long after a signal what was recorded is still compared: the user waits. */
#define COMPARING_SECONDS 1.5

/* --- how far it is ---------------------------------------------------------------------------- */

bool ora_comparing_phase(
	const struct ora_comparing *comparing, const char *name, uint64_t done, uint64_t total)
{
	const struct ora_hearing *hearing = &comparing->hearing;
	if (hearing->on_phase)
		hearing->on_phase(hearing->context, name, done, total);
	return !eng_interrupt_is_wish();
}

/* Of the comparison, which is made all the same. */
static bool go_on(void *context, uint64_t done, uint64_t total)
{
	return ora_comparing_phase(context, "comparing", done, total) ||
	       eng_interrupt_age() < COMPARING_SECONDS;
}

/* --- which traces ---------------------------------------------------------------------------- */

static bool is_own(const struct ora_trace_info *trace)
{
	return !strcmp(trace->trace.witness, "xstep");
}

static struct xs_error *take_named(struct ora_comparing *comparing)
{
	const struct ora_trace_list *list = &comparing->list;
	for (size_t i = 0; i < comparing->number_count; i++) {
		char *end;
		uint64_t id = strtoull(comparing->numbers[i], &end, 10);
		const struct ora_trace_info *found = NULL;
		for (size_t k = 0; !*end && k < list->vec.len; k++)
			if (list->vec.data[k].id == id)
				found = &list->vec.data[k];
		if (!found)
			return xs_error_create("%s: no trace %s; xstep show --list lists them",
				comparing->path, comparing->numbers[i]);
		if (comparing->count == ORA_COMPARE_MAX)
			return xs_error_create("--trace: at most %d", ORA_COMPARE_MAX);
		comparing->traces[comparing->count++] = found;
	}
	return NULL;
}

/* The last trace of each witness and version, of the last subject. */
static void take_last(struct ora_comparing *comparing)
{
	const struct ora_trace_list *list = &comparing->list;
	for (size_t i = list->vec.len; i-- > 0;) {
		const struct ora_trace_info *one = &list->vec.data[i];
		bool wanted =
			one->id > comparing->since &&
			!strcmp(one->subject.hash, list->vec.data[list->vec.len - 1].subject.hash);
		for (size_t k = 0; wanted && k < comparing->count; k++)
			wanted = strcmp(comparing->traces[k]->trace.witness, one->trace.witness) !=
					 0 ||
				 strcmp(comparing->traces[k]->trace.version, one->trace.version) !=
					 0;
		if (wanted && comparing->count < ORA_COMPARE_MAX)
			comparing->traces[comparing->count++] = one;
	}
}

/* xstep leads if it is there. Those that nobody named then come in the order of their recording. */
static void order(struct ora_comparing *comparing)
{
	const struct ora_trace_info **traces = comparing->traces;
	size_t count = comparing->count, own = 0;
	while (own < count && !is_own(traces[own]))
		own++;
	if (own == count)
		return;
	const struct ora_trace_info *leader = traces[own];
	memmove(traces + 1, traces, own * sizeof *traces);
	traces[0] = leader;
	for (size_t i = 1, k = count - 1; !comparing->number_count && i < k; i++, k--) {
		const struct ora_trace_info *one = traces[i];
		traces[i] = traces[k];
		traces[k] = one;
	}
}

static struct xs_error *choose(struct ora_comparing *comparing)
{
	struct xs_error *err = NULL;
	comparing->count = 0;
	if (comparing->number_count)
		err = take_named(comparing);
	else
		take_last(comparing);
	if (err)
		return err;
	order(comparing);
	return comparing->count >= 2 || (comparing->against && comparing->count)
		       ? NULL
		       : xs_error_create(
				 "%s: a comparison takes two traces at least, and there %s %zu",
				 comparing->path, comparing->count == 1 ? "is" : "are",
				 comparing->count);
}

/* --- the comparison -------------------------------------------------------------------------- */

/* Two stored traces of different programs. */
static bool are_builds(const struct ora_comparing *comparing)
{
	return comparing->count == 2 &&
	       strcmp(comparing->traces[0]->subject.hash, comparing->traces[1]->subject.hash) != 0;
}

/* Compares by line: what was recorded for it, or stored traces of two builds. */
static struct xs_error *compare_builds(struct ora_comparing *comparing)
{
	const struct ora_trace_info *first = comparing->traces[0], *second = comparing->traces[1];
	struct ora_comparison *comparison = &comparing->comparison;
	if (comparing->builds[0])
		return ora_against(comparison, 0, comparing->builds[0], comparing->builds[1],
			comparing->verdicts.subject);
	for (size_t i = 0; i < 2; i++)
		if (strcmp(comparing->traces[i]->trace.sample, "all") != 0)
			return xs_error_create(
				"traces %" PRIu64 " and %" PRIu64
				" are of different programs, %s and %s, and compared "
				"by line: both need --sample all",
				first->id, second->id, first->subject.path, second->subject.path);
	comparison->stops = first->sampled;
	struct ora_seen seen;
	struct xs_error *err = ora_identity_verify(&first->subject, first->subject.path, &seen);
	return err ? err : ora_against(comparison, 0, first->id, second->id, first->subject.path);
}

/* Forgets what was found before. */
static void forget(struct ora_comparing *comparing)
{
	ora_verdicts_deinit(&comparing->verdicts);
	ora_comparison_deinit(&comparing->comparison);
	ora_trace_list_deinit(&comparing->list);
	ora_store_destroy(xs_take(&comparing->store));
	comparing->list = (struct ora_trace_list){0};
	comparing->comparison = (struct ora_comparison){0};
	comparing->verdicts = (struct ora_verdicts){.comparison = &comparing->comparison};
}

/* Compares what is in the store, and judges. */
static struct xs_error *compare(struct ora_comparing *comparing)
{
	struct ora_comparison *comparison = &comparing->comparison;
	struct xs_error *err;
	forget(comparing);
	if ((err = ora_store_open(comparing->path, ORA_STORE_READ, &comparing->store)) ||
		(err = ora_store_traces(comparing->store, &comparing->list)) ||
		(err = choose(comparing)))
		return err;
	comparison->store = comparing->store;
	comparison->count = comparing->count;
	comparison->go_on = go_on;
	comparison->context = comparing;
	for (size_t i = 0; i < comparing->count; i++) {
		comparison->traces[i] = comparing->traces[i]->id;
		comparing->verdicts.witnesses[i] = comparing->traces[i]->trace.witness;
		comparing->trouble |= comparing->traces[i]->end.trouble != NULL;
	}
	comparing->verdicts.subject = comparing->traces[0]->subject.path;
	comparing->verdicts.hash = comparing->traces[0]->subject.hash;
	comparing->verdicts.debug_file = comparing->hearing.program.debug_file;
	ora_verdicts_open(&comparing->verdicts);
	comparison->module = comparing->verdicts.module;
	if (!are_builds(comparing))
		err = ora_compare(comparison);
	if (!err && (comparing->builds[0] || are_builds(comparing)))
		err = compare_builds(comparing);
	if (err)
		return xs_error_context(err, "%s", comparing->path);
	ora_comparing_phase(comparing, "judging", 0, comparison->differences.len);
	ora_judge(&comparing->verdicts);
	comparing->compared = true;
	if (eng_interrupt_is_wish())
		comparing->signal = eng_interrupt_signal();
	return NULL;
}

struct xs_error *ora_comparing_store(struct ora_comparing *comparing, const char *path)
{
	comparing->path = xs_strdup(path);
	return compare(comparing);
}

/* --- of a program ---------------------------------------------------------------------------- */

static struct xs_error *hear(
	struct ora_comparing *comparing, char *const *argv, struct ora_hearing *hearing)
{
	hearing->argv = argv;
	hearing->need = ORA_NEED_ANY;
	hearing->store = comparing->path;
	hearing->fleeting = comparing->temporary;
	hearing->at_once = true; /* so that there is little left to do when a signal comes */
	struct xs_error *err =
		comparing->hear ? comparing->hear(comparing->context, hearing) : ora_hear(hearing);
	comparing->trouble |= hearing->trouble;
	return err;
}

/* The number of the last trace in the store; 0: there is none. */
static struct xs_error *find_last(const struct ora_comparing *comparing, uint64_t *ret)
{
	XS_AUTO(ora_store) store = NULL;
	struct ora_trace_list list = {0};
	struct xs_error *err = NULL;
	*ret = 0;
	if (!access(comparing->path, F_OK) &&
		!(err = ora_store_open(comparing->path, ORA_STORE_READ, &store)) &&
		!(err = ora_store_traces(store, &list)) && list.vec.len)
		*ret = list.vec.data[list.vec.len - 1].id;
	ora_trace_list_deinit(&list);
	return err;
}

/* Has xstep alone trace a program, every stop; *id is the trace. */
static struct xs_error *record_build(
	struct ora_comparing *comparing, char *const *argv, uint64_t *id)
{
	struct ora_hearing hearing = comparing->hearing;
	hearing.witness = "xstep";
	hearing.sample = ORA_SAMPLE_ALL;
	hearing.repeat = 0;
	struct xs_error *err = hear(comparing, argv, &hearing);
	comparing->signal = hearing.interrupted_by;
	return err ? err : find_last(comparing, id);
}

/* Both builds, before everything else: the last trace of a witness is the one that is compared. */
static struct xs_error *record_builds(struct ora_comparing *comparing, char *const *argv)
{
	size_t count = 0;
	if (!comparing->against)
		return NULL;
	while (argv[count])
		count++;
	XS_AUTO_FREE char **words = xs_calloc(count + 1, sizeof *words);
	memcpy(words, argv, count * sizeof *words);
	words[0] = (char *)(uintptr_t)comparing->against;
	struct xs_error *err = record_build(comparing, words, &comparing->builds[1]);
	return err || comparing->signal ? err
					: record_build(comparing, argv, &comparing->builds[0]);
}

/* Whether two values differ: then the debuggers are run once more. */
static bool is_doubtful(const struct ora_verdicts *verdicts)
{
	for (size_t i = 0; i < verdicts->findings.len; i++) {
		const struct ora_finding *finding = &verdicts->findings.data[i];
		if (finding->difference->aspect == ORA_ASPECT_VARIABLE &&
			finding->kind == ORA_KIND_LIE && !finding->contest)
			return true;
	}
	return false;
}

/* Compares what was recorded before a signal came, if that is of two witnesses. */
static struct xs_error *compare_some(struct ora_comparing *comparing)
{
	uint64_t last;
	struct xs_error *err = find_last(comparing, &last);
	return err || last < comparing->since + 2 ? err : compare(comparing);
}

/* Records and compares; *shared: all looked at one process. */
static struct xs_error *run(
	struct ora_comparing *comparing, char *const *argv, bool twice, bool *shared)
{
	struct ora_hearing hearing = comparing->hearing;
	struct xs_error *err = find_last(comparing, &comparing->since);
	if (err)
		return err;
	if (twice)
		hearing.repeat = 2;
	err = hear(comparing, argv, &hearing);
	comparing->signal = hearing.interrupted_by;
	*shared = hearing.drive == ORA_DRIVE_SHARED;
	if (err || !comparing->signal)
		return err ? err : compare(comparing);
	/* What was found before stays. */
	return comparing->compared ? NULL : compare_some(comparing);
}

static struct xs_error *open_path(struct ora_comparing *comparing)
{
	if (comparing->hearing.store && !ora_store_is_meant(comparing->hearing.store))
		return xs_error_create("-o %s: traces are kept in a store, FILE.db or FILE.sqlite",
			comparing->hearing.store);
	if (comparing->hearing.store) {
		comparing->path = xs_strdup(comparing->hearing.store);
		return NULL;
	}
	struct xs_error *err = xs_scratch_create("diff", &comparing->folder);
	if (err)
		return err;
	comparing->temporary = true;
	comparing->path = xs_asprintf("%s/traces.db", comparing->folder);
	return NULL;
}

struct xs_error *ora_comparing_program(struct ora_comparing *comparing, char *const *argv)
{
	bool shared = false;
	struct xs_error *err;
	if ((err = open_path(comparing)) || (err = record_builds(comparing, argv)) ||
		comparing->signal || (err = run(comparing, argv, false, &shared)))
		return err;
	/* Where all look at one process nothing differs but the debuggers. */
	if (comparing->hearing.repeat || shared || comparing->signal ||
		!is_doubtful(&comparing->verdicts))
		return NULL;
	return run(comparing, argv, true, &shared);
}

/* --- the way to what was found --------------------------------------------------------------- */

struct xs_error *ora_comparing_leads(const struct ora_comparing *comparing)
{
	const struct ora_trace_info *leader = comparing->traces[0];
	if (strcmp(leader->trace.level, "instruction") != 0)
		return xs_error_create("trace %" PRIu64
				       " was stepped by %s: nobody but its witness "
				       "knows the way to a stop",
			leader->id, leader->trace.level);
	return NULL;
}

void ora_comparing_hide(struct ora_comparing *comparing)
{
	xs_scratch_destroy(xs_take(&comparing->folder));
}

void ora_comparing_deinit(struct ora_comparing *comparing)
{
	forget(comparing);
	xs_scratch_destroy(comparing->folder);
	free(comparing->path);
}
