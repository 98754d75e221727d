#include "oracle/truth/twin_source.h"

#include "base/path.h"
#include "source/uses.h"

enum { FIXED = 1, VARIES = 2 };

static uint64_t key_of(const char *file, const char *name, uint32_t line)
{
	return xs_mix(xs_hash_text(xs_hash_text(1, xs_base_name(file)), name) ^ line);
}

struct xs_error *ora_twin_sources_add(
	struct ora_twin_sources *sources, const char *path, const char *const *flags, size_t count)
{
	XS_AUTO(src_unit) unit = NULL;
	struct src_facts facts = {0};
	struct xs_error *err = src_unit_open(path, flags, count, &unit);
	if (err)
		return err;
	src_facts_collect(unit, &facts);
	for (size_t i = 0; i < facts.variables.len; i++) {
		const struct src_variable *one = &facts.variables.data[i];
		if (one->base != i)
			continue;
		/* Being passed is the one write of a parameter. An array is a pointer there. */
		bool fixed = one->parameter && !one->escapes && one->writes == 1 &&
			     !facts.functions.data[one->function].unclear;
		/* Two of one name on one line: both must. */
		uint64_t *known = xs_map_at(&sources->fixed,
			key_of(facts.files.data[one->file], one->name, one->line), 0);
		*known = fixed && *known != VARIES ? FIXED : VARIES;
	}
	src_facts_deinit(&facts);
	return NULL;
}

bool ora_twin_is_fixed(const struct ora_twin_sources *sources, const struct di_variable *variable)
{
	if (!sources || !variable->parameter || !variable->file)
		return false;
	const uint64_t *known = xs_map_find(
		&sources->fixed, key_of(variable->file, variable->name, variable->line), 0);
	return known && *known == FIXED;
}

void ora_twin_sources_deinit(struct ora_twin_sources *sources)
{
	xs_map_deinit(&sources->fixed);
}
