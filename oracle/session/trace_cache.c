#include "oracle/session/trace_cache.h"

#include <jansson.h>
#include <signal.h>

#include "base/scratch.h"
#include "dwarf/leaf.h"
#include "oracle/store/identity.h"
#include "oracle/session/witnesses.h"

/* --- which traces there are ------------------------------------------------------------------ */

static struct xs_error *open_path(struct ora_trace_cache *cache)
{
	if (cache->path)
		return NULL;
	if (cache->hearing.store && !ora_store_is_meant(cache->hearing.store))
		return xs_error_create("-o %s: traces are kept in a store, FILE.db or FILE.sqlite",
			cache->hearing.store);
	cache->temporary = !cache->hearing.store;
	if (!cache->temporary) {
		cache->path = xs_strdup(cache->hearing.store);
		return NULL;
	}
	struct xs_error *err = xs_scratch_create("check", &cache->folder);
	if (err) {
		cache->temporary = false;
		return err;
	}
	cache->path = xs_asprintf("%s/traces.db", cache->folder);
	return NULL;
}

static struct xs_error *list_traces(struct ora_trace_cache *cache)
{
	ora_trace_list_deinit(&cache->list);
	cache->list = (struct ora_trace_list){0};
	if (access(cache->path, F_OK)) /* nothing was recorded yet */
		return NULL;
	XS_AUTO(ora_store) store = NULL;
	struct xs_error *err = ora_store_open(cache->path, ORA_STORE_READ, &store);
	return err ? err : ora_store_traces(store, &cache->list);
}

const struct ora_trace_info *ora_trace_cache_info(const struct ora_trace_cache *cache, uint64_t id)
{
	for (size_t i = 0; i < cache->list.vec.len; i++)
		if (cache->list.vec.data[i].id == id)
			return &cache->list.vec.data[i];
	return NULL;
}

size_t ora_trace_cache_witnesses(const struct ora_trace_cache *cache)
{
	size_t witnesses = 0;
	for (size_t i = 0; i < cache->found.len; i++)
		if (cache->found.data[i].witness >= witnesses)
			witnesses = cache->found.data[i].witness + 1;
	return witnesses;
}

static bool is_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Whether a trace was made with these arguments; argv[0] may be written otherwise. */
static bool has_arguments(const char *json, char *const *argv)
{
	json_t *list = json_loads(json, 0, NULL);
	size_t count = 0;
	while (argv[count])
		count++;
	bool same = json_array_size(list) == count;
	for (size_t i = 1; same && i < count; i++)
		same = is_text(json_string_value(json_array_get(list, i)), argv[i]);
	json_decref(list);
	return same;
}

/* What a stored trace must be like. */
struct wanted {
	char *const *argv;             /* its words */
	const char *hash;              /* of the subject */
	const char *witness, *version; /* who told it */
	const struct ora_trace_need *need;
};

/* The number behind a word of the mode: which of the moved runs it is of, say; 0: none. */
static unsigned number_of(const struct ora_store_trace *trace, const char *mode)
{
	const char *word = trace->mode ? strstr(trace->mode, mode) : NULL;
	return word ? (unsigned)strtoul(word + strlen(mode), NULL, 10) : 0;
}

/* Whether a stored trace will do: rule 1. */
static bool will_do(const struct ora_trace_cache *cache, const struct ora_trace_info *one,
	const struct wanted *wanted)
{
	const struct ora_store_trace *trace = &one->trace;
	uint64_t most = cache->hearing.max_leaves ? cache->hearing.max_leaves : DI_LEAF_MAX;
	bool bare = wanted->need->bare;
	unsigned moved = number_of(trace, ORA_MODE_MOVED);
	unsigned rounding = number_of(trace, ORA_MODE_ROUNDING);
	bool again = trace->mode && strstr(trace->mode, ORA_MODE_AGAIN);
	bool inner = trace->mode && strstr(trace->mode, ORA_MODE_INNER);
	bool steady = trace->mode && strstr(trace->mode, ORA_MODE_STEADY);
	bool only = trace->mode && strstr(trace->mode, ORA_MODE_ONLY);
	const struct ora_program *program = &cache->hearing.program;
	return !only && !wanted->need->only && one->end.complete && !one->end.trouble &&
	       (bare || trace->frames) && steady == (program->steady && !program->unsteady) &&
	       moved == wanted->need->moved && again == wanted->need->again &&
	       rounding == wanted->need->rounding &&
	       (bare || inner == wanted->need->inner ||
		       (wanted->need->inner && !moved && !again && !rounding)) &&
	       !strcmp(one->subject.hash, wanted->hash) &&
	       !strcmp(trace->witness, wanted->witness) &&
	       !strcmp(trace->version, wanted->version) &&
	       !strcmp(trace->level, ora_level_text(wanted->need->level)) &&
	       !strcmp(trace->sample, ora_sample_text(wanted->need->sample)) &&
	       trace->seed == cache->hearing.seed && is_text(trace->from, cache->hearing.from) &&
	       (bare || wanted->need->frames ||
		       (strcmp(trace->vars, "none") != 0 && trace->max_leaves == most)) &&
	       has_arguments(trace->arguments, wanted->argv);
}

/* The last trace that will do; 0: none. */
static uint64_t find_trace(const struct ora_trace_cache *cache, const struct wanted *wanted)
{
	for (size_t i = cache->list.vec.len; !cache->fresh && i-- > 0;)
		if (will_do(cache, &cache->list.vec.data[i], wanted))
			return cache->list.vec.data[i].id;
	return 0;
}

/* --- recording ------------------------------------------------------------------------------- */

/* The newest trace, if it is of this witness; 0: it could not tell anything. */
static uint64_t last_trace(
	const struct ora_trace_cache *cache, const char *witness, uint64_t before)
{
	const struct ora_trace_list *list = &cache->list;
	const struct ora_trace_info *last =
		list->vec.len ? &list->vec.data[list->vec.len - 1] : NULL;
	return last && last->id > before && !strcmp(last->trace.witness, witness) ? last->id : 0;
}

static struct xs_error *record(struct ora_trace_cache *cache, char *const *argv, const char *word,
	const struct ora_witness *witness, const struct ora_trace_need *need, uint64_t *ret)
{
	const struct ora_trace_list *list = &cache->list;
	uint64_t before = list->vec.len ? list->vec.data[list->vec.len - 1].id : 0;
	struct ora_hearing one = cache->hearing;
	one.argv = argv;
	one.witness = word;
	one.store = cache->path;
	one.fleeting = cache->temporary;
	one.level = need->level;
	one.sample = need->sample;
	one.vars = need->bare || need->frames ? ORA_VARS_NONE : ORA_VARS_LOCALS;
	one.frames = !need->bare;
	one.keep_order = need->order;
	one.need = ORA_NEED_LINES;
	one.program.name = need->name;
	one.program.moved = need->moved;
	one.program.again = need->again;
	one.program.rounding = need->rounding;
	if (need->limit) {
		one.limit = need->limit;
		if (one.program.timeout <= 0 || one.program.timeout > need->seconds)
			one.program.timeout = need->seconds;
	}
	one.inner = need->inner;
	one.only = need->only;
	/* What takes xstep's word for where instructions are executed says the same, sooner. */
	one.plan = witness->kind != ORA_WITNESS_XSTEP && need->level == ORA_LEVEL_INSTRUCTION;
	struct xs_error *err = cache->hear ? cache->hear(cache->context, &one) : ora_hear(&one);
	cache->trouble |= one.trouble;
	cache->signal = one.interrupted_by;
	if (need->limit && cache->signal == SIGALRM)
		cache->signal = 0; /* that was all the time that it had */
	if (!err)
		err = list_traces(cache);
	*ret = last_trace(cache, ora_witness_name(witness->kind), before);
	return err;
}

/* --- who is lost ------------------------------------------------------------------------------ */

char *ora_trace_cache_lose(struct ora_trace_cache *cache, const struct ora_trace_info *info)
{
	if (info->end.complete && !info->end.trouble)
		return NULL;
	const char *why = info->end.trouble ? info->end.trouble : info->end.how;
	XS_AUTO_FREE char *text = xs_asprintf("its trace of %s is incomplete%s%s",
		info->subject.path, why ? ": " : "", why ? why : "");
	cache->trouble = true;
	return ora_lost_add(&cache->lost, info->trace.witness, text)
		       ? xs_asprintf("%s: %s", info->trace.witness, text)
		       : NULL;
}

/* A witness of which there is no trace at all. */
static void lose(
	struct ora_trace_cache *cache, const struct ora_witness *witness, const char *program)
{
	XS_AUTO_FREE char *why = witness->problem
					 ? xs_strdup(witness->problem)
					 : xs_asprintf("it told nothing about %s", program);
	ora_lost_add(&cache->lost, ora_witness_label(witness), why);
	cache->trouble = true;
}

/* --- filling ---------------------------------------------------------------------------------- */

/* Sees that one witness's traces are there; number: which of the witnesses. */
static struct xs_error *fill_by(struct ora_trace_cache *cache, const char *word, size_t number,
	struct wanted *wanted, char *const *argv, const struct ora_trace_need *needs, size_t count)
{
	struct ora_witness witness;
	const char *path = ora_witness_path(word, cache->hearing.gdb, cache->hearing.lldb);
	struct xs_error *err = ora_witness_named(word, path, &witness);
	if (err)
		return err;
	if (ora_witness_is_symboliser(witness.kind)) {
		ora_witness_deinit(&witness);
		return xs_error_create("--witness %s: a symboliser knows no variables, frames or "
				       "steps, which checks are about; xstep diff compares it",
			word);
	}
	wanted->witness = ora_witness_name(witness.kind);
	wanted->version = witness.kind == ORA_WITNESS_XSTEP ? XSTEP_VERSION
			  : witness.version                 ? witness.version
							    : "";
	for (size_t i = 0; !err && i < count && !cache->signal; i++) {
		struct ora_cached_trace one = {
			.role = needs[i].role, .witness = number, .program = cache->program};
		wanted->need = &needs[i];
		if (!(one.id = find_trace(cache, wanted)))
			err = record(cache, argv, word, &witness, &needs[i], &one.id);
		if (!err && one.id)
			xs_vec_push(&cache->found, one);
		else if (!err && !cache->signal)
			lose(cache, &witness, argv[0]);
	}
	ora_witness_deinit(&witness);
	return err;
}

struct xs_error *ora_trace_cache_fill(struct ora_trace_cache *cache, char *const *argv,
	const struct ora_trace_need *needs, size_t count)
{
	XS_AUTO_FREE char *hash = NULL;
	XS_AUTO_FREE char *words =
		xs_strdup(cache->hearing.witness ? cache->hearing.witness : "xstep");
	struct xs_error *err;
	size_t number = 0;
	if ((err = ora_hash_file(argv[0], &hash)) || (err = open_path(cache)) ||
		(err = list_traces(cache)))
		return err;
	struct wanted wanted = {.argv = argv, .hash = hash};
	for (char *rest = words, *word; !err && (word = strsep(&rest, ",")); number++)
		err = fill_by(cache, word, number, &wanted, argv, needs, count);
	return !err && cache->signal ? xs_error_create("interrupted") : err;
}

/* --- traces that are named ------------------------------------------------------------------- */

static struct xs_error *take_one(struct ora_trace_cache *cache, const char *word,
	const struct ora_trace_need *need, size_t witness)
{
	char *end;
	uint64_t id = strtoull(word, &end, 10);
	const struct ora_trace_info *found = *end ? NULL : ora_trace_cache_info(cache, id);
	if (!found)
		return xs_error_create(
			"%s: no trace %s; xstep show --list lists them", cache->path, word);
	if (strcmp(found->trace.level, ora_level_text(need->level)) != 0)
		return xs_error_create("%s: trace %s is by %s, and %s takes one by %s", cache->path,
			word, found->trace.level, need->role, ora_level_text(need->level));
	if (!found->trace.frames || !strcmp(found->trace.vars, "none"))
		return xs_error_create(
			"%s: trace %s has no variables or no frames", cache->path, word);
	struct ora_cached_trace one = {.id = id, .role = need->role, .witness = witness};
	xs_vec_push(&cache->found, one);
	return NULL;
}

struct xs_error *ora_trace_cache_take(struct ora_trace_cache *cache, const char *path,
	const char *const *numbers, size_t number_count, const struct ora_trace_need *needs,
	size_t count)
{
	struct xs_error *err;
	cache->path = xs_strdup(path);
	if (access(path, R_OK))
		return xs_error_sys("%s", path);
	if ((err = list_traces(cache)))
		return err;
	if (!number_count || number_count % count)
		return xs_error_create("%s: --trace names the traces to look at, %zu for each "
				       "witness; xstep show --list lists them",
			path, count);
	for (size_t i = 0; !err && i < number_count; i++)
		err = take_one(cache, numbers[i], &needs[i % count], i / count);
	return err;
}

void ora_trace_cache_deinit(struct ora_trace_cache *cache)
{
	ora_trace_list_deinit(&cache->list);
	xs_scratch_destroy(cache->folder);
	free(cache->path);
	xs_vec_deinit(&cache->found);
	ora_lost_deinit(&cache->lost);
}
