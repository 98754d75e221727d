#include "oracle/campaign/settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum change {
	FIXED, /* another value is another campaign */
	SEEDS, /* there may be more of them */
	MORE,  /* a number that may grow */
	FREE,  /* it does not decide about results */
};

static const struct {
	const char *name;    /* as on the command line */
	const char *initial; /* the default; NULL: worked out */
	enum change change;
} table[] = {
	[ORA_SET_GENERATE] = {"generate", "", FIXED},
	[ORA_SET_SEEDS] = {"seeds", "", SEEDS},
	[ORA_SET_SOURCES] = {"sources", "", FIXED},
	[ORA_SET_MUTATE] = {"mutate", "0", MORE},
	[ORA_SET_PROBES] = {"probes", "0", MORE},
	[ORA_SET_COMPILERS] = {"compilers", NULL, FIXED},
	[ORA_SET_LEVELS] = {"levels", "-O0,-O2", FIXED},
	[ORA_SET_FLAGS] = {"flags", "", FIXED},
	[ORA_SET_ORACLES] = {"oracles", "diff,opt", FIXED},
	[ORA_SET_WITNESS] = {"witness", "", FIXED},
	[ORA_SET_SAMPLE] = {"sample", "", FIXED},
	[ORA_SET_NO_SANITIZE] = {"no-sanitize", "no", FIXED},
	[ORA_SET_MAX_SOURCE] = {"max-source", "1048576", FIXED},
	[ORA_SET_MAX_STEPS] = {"max-steps", "10000000", FIXED},
	[ORA_SET_LANGUAGE] = {"language", "c", FIXED},
	[ORA_SET_RUN_SECONDS] = {"run-timeout", "10", FREE},
	[ORA_SET_COMPILE_SECONDS] = {"compile-timeout", "120", FREE},
	[ORA_SET_JOB_SECONDS] = {"timeout", "600", FREE},
	[ORA_SET_MEMORY] = {"memory", "4096", FREE},
	[ORA_SET_OUTPUT] = {"output", "64", FREE},
	[ORA_SET_JOBS] = {"jobs", NULL, FREE},
	[ORA_SET_DEBUGGERS] = {"debuggers", "kept", FREE},
	[ORA_SET_REDUCE] = {"reduce", "no", FREE},
	[ORA_SET_CULPRIT] = {"culprit", "no", FREE},
	[ORA_SET_CAUSE_MINUTES] = {"cause-minutes", "10", FREE},
};

const char *ora_setting_name(enum ora_setting setting)
{
	return table[setting].name;
}

bool ora_setting_decides(enum ora_setting setting)
{
	return table[setting].change != FREE;
}

uint64_t ora_setting_number(const struct ora_settings *settings, enum ora_setting setting)
{
	return settings->value[setting] ? strtoull(settings->value[setting], NULL, 10) : 0;
}

void ora_settings_deinit(struct ora_settings *settings)
{
	for (unsigned i = 0; i < ORA_SETTINGS; i++)
		free(settings->value[i]);
	*settings = (struct ora_settings){0};
}

/* --- seeds ------------------------------------------------------------------------------------ */

static bool read_number(const char **at, uint64_t *ret)
{
	char *end;
	errno = 0;
	if (**at < '0' || **at > '9')
		return false;
	*ret = strtoull(*at, &end, 10);
	*at = end;
	return !errno && *ret < UINT64_MAX - 1;
}

struct xs_error *ora_seeds_parse(const char *text, struct xs_ranges *ret)
{
	const char *at = text;
	while (*at) {
		uint64_t first, last;
		bool good = read_number(&at, &first);
		last = first;
		if (good && *at == '-') {
			at++;
			good = read_number(&at, &last);
		}
		if (!good || last < first || (*at && *at != ',') || (*at && !at[1]))
			return xs_error_create(
				"--seeds: '%s' is not like 1-200 or 1-200,300-400", text);
		xs_ranges_add(ret, first, last + 1);
		at += *at == ',';
	}
	xs_ranges_normalise(ret);
	return NULL;
}

char *ora_seeds_text(const struct xs_ranges *seeds)
{
	char *text = xs_strdup("");
	for (size_t i = 0; i < seeds->vec.len; i++) {
		uint64_t first = seeds->vec.data[i].lo, last = seeds->vec.data[i].hi - 1;
		char *more = first == last ? xs_asprintf("%s%s%" PRIu64, text, i ? "," : "", first)
					   : xs_asprintf("%s%s%" PRIu64 "-%" PRIu64, text,
						     i ? "," : "", first, last);
		free(text);
		text = more;
	}
	return text;
}

char *ora_seeds_join(const char *one, const char *other)
{
	struct xs_ranges all = {0};
	xs_error_destroy(ora_seeds_parse(one, &all));
	xs_error_destroy(ora_seeds_parse(other, &all));
	char *text = ora_seeds_text(&all);
	xs_ranges_deinit(&all);
	return text;
}

/* Whether `given` has all of `kept`. */
static struct xs_error *extends_seeds(const char *given, const char *kept, bool *ret)
{
	struct xs_ranges more = {0}, all = {0};
	struct xs_error *err = ora_seeds_parse(given, &more);
	if (!err && !(err = ora_seeds_parse(kept, &all))) {
		xs_ranges_subtract(&all, &more);
		*ret = !all.vec.len;
	}
	xs_ranges_deinit(&more);
	xs_ranges_deinit(&all);
	return err;
}

/* --- what may change -------------------------------------------------------------------------- */

static struct xs_error *may_change(
	enum ora_setting setting, const char *given, const char *kept, const char *folder)
{
	bool good = table[setting].change == FREE || !strcmp(given, kept);
	struct xs_error *err = NULL;
	if (!good && table[setting].change == SEEDS)
		err = extends_seeds(given, kept, &good);
	if (!good && table[setting].change == MORE)
		good = strtoull(given, NULL, 10) >= strtoull(kept, NULL, 10);
	if (err || good)
		return err;
	return xs_error_create("%s: was begun with --%s=%s, and --%s=%s %s; leave the option out "
			       "to go on, or take "
			       "another folder",
		folder, table[setting].name, kept, table[setting].name, given,
		table[setting].change == FIXED ? "is another campaign" : "does not extend that");
}

struct xs_error *ora_settings_settle(
	struct ora_settings *given, const struct ora_settings *kept, const char *folder)
{
	struct xs_error *err = NULL;
	struct xs_ranges seeds = {0};
	if (given->value[ORA_SET_SEEDS] &&
		!(err = ora_seeds_parse(given->value[ORA_SET_SEEDS], &seeds))) {
		free(given->value[ORA_SET_SEEDS]);
		given->value[ORA_SET_SEEDS] = ora_seeds_text(&seeds);
	}
	xs_ranges_deinit(&seeds);
	for (unsigned i = 0; !err && i < ORA_SETTINGS; i++) {
		const char *old = kept && kept->value[i] ? kept->value[i] : table[i].initial;
		if (!given->value[i] && old)
			given->value[i] = xs_strdup(old);
		else if (kept && kept->value[i] && given->value[i])
			err = may_change(i, given->value[i], kept->value[i], folder);
	}
	return err;
}
