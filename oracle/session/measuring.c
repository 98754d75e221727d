#include "oracle/session/measuring.h"

static const struct ora_trace_need by_line = {
	"program", ORA_LEVEL_BREAK, ORA_SAMPLE_ALL, .bare = false};
static const struct ora_trace_need by_instance = {
	"instances", ORA_LEVEL_INSTRUCTION, ORA_SAMPLE_UNIQUE, .bare = false};

/* A trace of a witness, if it is complete; a witness whose trace is not is lost. */
static const struct ora_trace_info *trace_of(struct ora_trace_cache *cache, size_t witness,
	size_t program, const struct ora_trace_need *need)
{
	for (size_t i = 0; i < cache->found.len; i++) {
		const struct ora_cached_trace *one = &cache->found.data[i];
		if (one->witness != witness || one->program != program ||
			strcmp(one->role, need->role) != 0)
			continue;
		const struct ora_trace_info *info = ora_trace_cache_info(cache, one->id);
		free(ora_trace_cache_lose(cache, info));
		return info->end.complete && !info->end.trouble ? info : NULL;
	}
	return NULL;
}

struct xs_error *ora_measuring_record(
	struct ora_trace_cache *cache, char *const *argv, size_t program, bool instances)
{
	const struct ora_trace_need needs[] = {by_line, by_instance};
	cache->program = program;
	return ora_trace_cache_fill(cache, argv, needs, program && instances ? 2 : 1);
}

struct xs_error *ora_measuring_take(
	struct ora_trace_cache *cache, const char *path, const char *const *numbers, size_t count)
{
	struct xs_error *err = ora_trace_cache_take(cache, path, numbers, count, &by_line, 1);
	for (size_t i = 0; i < cache->found.len; i++) {
		cache->found.data[i].witness = 0;
		cache->found.data[i].program = i;
	}
	if (!err && cache->found.len < 2)
		err = xs_error_create("%s: --trace N of UNOPT, then at least one of OPT", path);
	return err;
}

/* One program by one witness; nothing if it is lost. */
static struct xs_error *measure_one(struct ora_trace_cache *cache, struct ora_store *store,
	char *const *names, size_t witness, size_t program, bool instances,
	struct ora_measuring *ret)
{
	XS_AUTO(di_module) module = NULL;
	struct ora_measured one = {.unopt = trace_of(cache, witness, 0, &by_line),
		.opt = trace_of(cache, witness, program, &by_line)};
	const struct ora_trace_info *apart =
		instances ? trace_of(cache, witness, program, &by_instance) : NULL;
	struct xs_error *err = NULL;
	if (!one.unopt || !one.opt || (instances && !apart))
		return NULL;
	if (apart && (err = di_module_open(apart->subject.path, &module)))
		return err;
	const struct ora_metrics_subject subject = {.store = store,
		.unopt = one.unopt->id,
		.opt = one.opt->id,
		.instances = apart ? apart->id : 0,
		.module = module};
	one.against = names ? names[0] : one.unopt->subject.path;
	one.path = names ? names[program] : one.opt->subject.path;
	err = ora_metrics_measure(&subject, &one.metrics);
	xs_vec_push(&ret->vec, one);
	return err;
}

struct xs_error *ora_measuring_measure(struct ora_trace_cache *cache, char *const *names,
	size_t programs, bool instances, struct ora_measuring *ret)
{
	size_t witnesses = ora_trace_cache_witnesses(cache);
	XS_AUTO(ora_store) store = NULL;
	struct xs_error *err = NULL;
	if (cache->found.len)
		err = ora_store_open(cache->path, ORA_STORE_READ, &store);
	for (size_t w = 0; !err && w < witnesses; w++)
		for (size_t p = 1; !err && p < programs; p++)
			err = measure_one(cache, store, names, w, p, instances, ret);
	if (!err && !ret->vec.len) {
		XS_AUTO_FREE char *losses = ora_lost_text(&cache->lost);
		err = xs_error_create("no witness told all that is needed%s%s", losses ? ": " : "",
			losses ? losses : "");
	}
	return err;
}

void ora_measuring_deinit(struct ora_measuring *measuring)
{
	for (size_t i = 0; i < measuring->vec.len; i++)
		ora_metrics_deinit(&measuring->vec.data[i].metrics);
	xs_vec_deinit(&measuring->vec);
}
