#include "oracle/session/measuring.h"

static const struct ora_trace_info *trace_of(
	const struct ora_trace_cache *cache, size_t witness, size_t program)
{
	for (size_t i = 0; i < cache->found.len; i++)
		if (cache->found.data[i].witness == witness &&
			cache->found.data[i].program == program)
			return ora_trace_cache_info(cache, cache->found.data[i].id);
	return NULL;
}

struct xs_error *ora_measuring_take(struct ora_trace_cache *cache, const char *path,
	const char *const *numbers, size_t count, const struct ora_trace_need *need)
{
	struct xs_error *err = ora_trace_cache_take(cache, path, numbers, count, need, 1);
	for (size_t i = 0; i < cache->found.len; i++) {
		cache->found.data[i].witness = 0;
		cache->found.data[i].program = i;
	}
	if (!err && cache->found.len < 2)
		err = xs_error_create("%s: --trace N of UNOPT, then at least one of OPT", path);
	return err;
}

struct xs_error *ora_measuring_measure(
	struct ora_trace_cache *cache, size_t programs, struct ora_measuring *ret)
{
	size_t witnesses = ora_trace_cache_witnesses(cache);
	XS_AUTO(ora_store) store = NULL;
	struct xs_error *err = cache->found.len
				       ? ora_store_open(cache->path, ORA_STORE_READ, &store)
				       : xs_error_create("no witness told anything");
	for (size_t w = 0; !err && w < witnesses; w++)
		for (size_t p = 1; !err && p < programs; p++) {
			struct ora_measured one = {
				.unopt = trace_of(cache, w, 0), .opt = trace_of(cache, w, p)};
			if (!one.unopt || !one.opt)
				continue;
			cache->trouble |= !one.unopt->end.complete || !one.opt->end.complete;
			err = ora_metrics_measure(store, one.unopt->id, one.opt->id, &one.metrics);
			xs_vec_push(&ret->vec, one);
		}
	return err;
}

void ora_measuring_deinit(struct ora_measuring *measuring)
{
	for (size_t i = 0; i < measuring->vec.len; i++)
		ora_metrics_deinit(&measuring->vec.data[i].metrics);
	xs_vec_deinit(&measuring->vec);
}
