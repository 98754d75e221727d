#include "oracle/campaign/shards.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>

#include "oracle/campaign/placing.h"

enum { FORMAT = 1 };

#define ENDING ".shard"

static char *plan_path(const char *folder)
{
	return xs_asprintf("%s/shards/plan.json", folder);
}

bool ora_shards_exist(const char *folder)
{
	XS_AUTO_FREE char *path = plan_path(folder);
	return !access(path, F_OK);
}

void ora_shards_deinit(struct ora_shards *shards)
{
	for (size_t i = 0; i < shards->tools.len; i++) {
		free(shards->tools.data[i].name);
		free(shards->tools.data[i].version);
	}
	xs_vec_deinit(&shards->tools);
	ora_settings_deinit(&shards->settings);
	xs_ranges_deinit(&shards->seeds);
	ora_ccmd_words_deinit(&shards->sources);
	free(shards->folder);
	free(shards->sbatch);
	*shards = (struct ora_shards){0};
}

/* --- the plan --------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
	const struct ora_plan_tool *one = a, *other = b;
	return strcmp(one->name, other->name);
}

/* Reads what plan.json says; false: it makes no sense. */
static bool read_plan(const json_t *plan, struct ora_shards *ret)
{
	const json_t *options = json_object_get(plan, "options"),
		     *versions = json_object_get(plan, "versions"),
		     *files = json_object_get(plan, "files"), *value;
	const char *sbatch = json_string_value(json_object_get(plan, "sbatch")), *key;
	json_int_t size = json_integer_value(json_object_get(plan, "programs"));
	size_t i;
	if (!json_is_object(options) || !json_is_object(versions) || !json_is_array(files) ||
		!sbatch || size < 1)
		return false;
	ret->size = (uint64_t)size;
	ret->sbatch = xs_strdup(sbatch);
	for (unsigned k = 0; k < ORA_SETTINGS; k++) {
		const char *text = json_string_value(json_object_get(options, ora_setting_name(k)));
		ret->settings.value[k] = text ? xs_strdup(text) : NULL;
	}
	json_object_foreach((json_t *)(uintptr_t)versions, key, value)
	{
		const char *text = json_string_value(value);
		struct ora_plan_tool tool = {xs_strdup(key), xs_strdup(text ? text : "")};
		xs_vec_push(&ret->tools, tool);
	}
	if (ret->tools.len)
		qsort(ret->tools.data, ret->tools.len, sizeof *ret->tools.data, by_name);
	json_array_foreach(files, i, value)
	{
		if (!json_is_string(value))
			return false;
		xs_vec_push(&ret->sources.vec, xs_strdup(json_string_value(value)));
	}
	return ret->settings.value[ORA_SET_SEEDS] && ret->settings.value[ORA_SET_GENERATE];
}

struct xs_error *ora_shards_open(const char *folder, struct ora_shards *ret)
{
	XS_AUTO_FREE char *path = plan_path(folder);
	json_error_t why;
	*ret = (struct ora_shards){.folder = realpath(folder, NULL)};
	if (!ret->folder)
		return xs_error_sys("%s", folder);
	if (access(path, F_OK))
		return xs_error_create("%s: is not cut into shards: xstep campaign run %s --slurm, "
				       "or --shards N, does that",
			folder, folder);
	if (access(path, R_OK))
		return xs_error_sys("%s", path);
	json_t *plan = json_load_file(path, 0, &why);
	if (!plan)
		return xs_error_corrupt("%s: damaged: %s", path, why.text);
	json_int_t format = json_integer_value(json_object_get(plan, "format"));
	struct xs_error *err = NULL;
	if (format != FORMAT)
		err = xs_error_create("%s: a plan of format %" JSON_INTEGER_FORMAT
				      ", and this is an xstep for format %d; use one of its time",
			path, format, FORMAT);
	else if (!read_plan(plan, ret))
		err = xs_error_corrupt("%s: damaged: it is not what xstep writes", path);
	json_decref(plan);
	if (!err && *ret->settings.value[ORA_SET_GENERATE])
		err = xs_error_context(
			ora_seeds_parse(ret->settings.value[ORA_SET_SEEDS], &ret->seeds), "%s",
			path);
	if (!err && !ora_shards_programs(ret))
		err = xs_error_corrupt("%s: damaged: it has no programs", path);
	return err;
}

struct xs_error *ora_shards_save(const struct ora_shards *shards)
{
	json_t *plan = json_object(), *options = json_object(), *versions = json_object(),
	       *files = json_array();
	bool good = true;
	for (unsigned i = 0; i < ORA_SETTINGS; i++)
		if (shards->settings.value[i])
			good &= !json_object_set_new(options, ora_setting_name(i),
				json_string(shards->settings.value[i]));
	for (size_t i = 0; i < shards->tools.len; i++)
		good &= !json_object_set_new(versions, shards->tools.data[i].name,
			json_string(shards->tools.data[i].version));
	for (size_t i = 0; i < shards->sources.vec.len; i++)
		good &= !json_array_append_new(files, json_string(shards->sources.vec.data[i]));
	json_object_set_new(plan, "format", json_integer(FORMAT));
	json_object_set_new(plan, "programs", json_integer((json_int_t)shards->size));
	good &= !json_object_set_new(
		plan, "sbatch", json_string(shards->sbatch ? shards->sbatch : ""));
	json_object_set_new(plan, "options", options);
	json_object_set_new(plan, "versions", versions);
	json_object_set_new(plan, "files", files);
	XS_AUTO_FREE char *text = good ? json_dumps(plan, JSON_INDENT(1)) : NULL;
	json_decref(plan);
	if (!text)
		return xs_error_create("%s: a plan is UTF-8, and a name of a file or an option is "
				       "not",
			shards->folder);
	XS_AUTO_FREE char *path = plan_path(shards->folder);
	XS_AUTO_FREE char *line = xs_asprintf("%s\n", text);
	return ora_place_text(path, line);
}

/* --- the cut ---------------------------------------------------------------------------------- */

static uint64_t seed_count(const struct ora_shards *shards)
{
	uint64_t count = 0;
	for (size_t i = 0; i < shards->seeds.vec.len; i++)
		count += shards->seeds.vec.data[i].hi - shards->seeds.vec.data[i].lo;
	return count;
}

uint64_t ora_shards_programs(const struct ora_shards *shards)
{
	return seed_count(shards) + shards->sources.vec.len;
}

static uint64_t parts(uint64_t count, uint64_t size)
{
	return count / size + (count % size != 0);
}

uint64_t ora_shards_count(const struct ora_shards *shards)
{
	return parts(seed_count(shards), shards->size) +
	       parts(shards->sources.vec.len, shards->size);
}

void ora_shards_take(const struct ora_shards *shards, uint64_t number, struct xs_ranges *seeds,
	struct ora_ccmd_words *sources)
{
	uint64_t of_seeds = parts(seed_count(shards), shards->size), size = shards->size;
	if (number > of_seeds) {
		uint64_t first = (number - of_seeds - 1) * size;
		for (uint64_t i = first; i < first + size && i < shards->sources.vec.len; i++)
			xs_vec_push(&sources->vec, xs_strdup(shards->sources.vec.data[i]));
		return;
	}
	uint64_t skip = (number - 1) * size, left = size;
	for (size_t i = 0; left && i < shards->seeds.vec.len; i++) {
		const struct xs_range *one = &shards->seeds.vec.data[i];
		uint64_t count = one->hi - one->lo, gone = skip < count ? skip : count;
		uint64_t take = count - gone < left ? count - gone : left;
		xs_ranges_add(seeds, one->lo + gone, one->lo + gone + take);
		skip -= gone;
		left -= take;
	}
	xs_ranges_normalise(seeds);
}

/* Adds a text with its length before it, so that no two lists of texts are the same. */
static void add(FILE *all, const char *text)
{
	fprintf(all, "%zu %s\n", text ? strlen(text) : 0, text ? text : "");
}

/* Rule 2. */
static void digest(const struct ora_shards *shards, uint64_t number, char ret[ORA_CAMPAIGN_ID])
{
	char *text = NULL;
	size_t size = 0;
	struct xs_ranges seeds = {0};
	struct ora_ccmd_words sources = {0};
	ora_shards_take(shards, number, &seeds, &sources);
	XS_AUTO_FREE char *numbers = ora_seeds_text(&seeds);
	FILE *all = open_memstream(&text, &size);
	xs_assert(all);
	for (unsigned i = 0; i < ORA_SETTINGS; i++)
		if (i != ORA_SET_SEEDS && ora_setting_decides(i)) {
			add(all, ora_setting_name(i));
			add(all, shards->settings.value[i]);
		}
	for (size_t i = 0; i < shards->tools.len; i++) {
		add(all, shards->tools.data[i].name);
		add(all, shards->tools.data[i].version);
	}
	add(all, numbers);
	for (size_t i = 0; i < sources.vec.len; i++)
		add(all, sources.vec.data[i]);
	fclose(all);
	ora_campaign_id(ret, text, NULL);
	free(text);
	xs_ranges_deinit(&seeds);
	ora_ccmd_words_deinit(&sources);
}

char *ora_shards_name(const struct ora_shards *shards, uint64_t number)
{
	char id[ORA_CAMPAIGN_ID];
	digest(shards, number, id);
	return xs_asprintf("%05" PRIu64 "-%s", number, id);
}

char *ora_shards_path(const struct ora_shards *shards, uint64_t number)
{
	XS_AUTO_FREE char *name = ora_shards_name(shards, number);
	return xs_asprintf("%s/shards/%s" ENDING, shards->folder, name);
}

bool ora_shards_is_done(const struct ora_shards *shards, uint64_t number)
{
	XS_AUTO_FREE char *path = ora_shards_path(shards, number);
	return !access(path, F_OK);
}

/* --- which are done --------------------------------------------------------------------------- */

void ora_shards_state_deinit(struct ora_shards_state *state)
{
	for (size_t i = 0; i < state->foreign.len; i++)
		free(state->foreign.data[i]);
	xs_vec_deinit(&state->foreign);
	xs_vec_deinit(&state->done);
	xs_vec_deinit(&state->missing);
}

/* The number that a file in DIR/shards has if it is a shard of this plan; 0: it is none. */
static uint64_t number_of(const struct ora_shards *shards, const char *file)
{
	char *end;
	uint64_t number = strtoull(file, &end, 10);
	if (end == file || number < 1 || number > ora_shards_count(shards))
		return 0;
	XS_AUTO_FREE char *name = ora_shards_name(shards, number);
	XS_AUTO_FREE char *whole = xs_asprintf("%s" ENDING, name);
	return strcmp(whole, file) ? 0 : number;
}

/* Of the names of those that are done: they have the digests of all that they stand for. */
static void digest_all(const struct ora_shards *shards, struct ora_shards_state *state)
{
	char *text = NULL;
	size_t size = 0;
	FILE *listed = open_memstream(&text, &size);
	xs_assert(listed);
	for (size_t i = 0; i < state->done.len; i++) {
		XS_AUTO_FREE char *name = ora_shards_name(shards, state->done.data[i]);
		add(listed, name);
	}
	fclose(listed);
	ora_campaign_id(state->digest, text, NULL);
	free(text);
}

static struct xs_error *look_whether_merged(
	const struct ora_shards *shards, struct ora_shards_state *state)
{
	XS_AUTO(ora_campaign_store) store = NULL;
	XS_AUTO_FREE char *merged = NULL;
	XS_AUTO_FREE char *file = xs_asprintf("%s/campaign.db", shards->folder);
	if (access(file, F_OK))
		return NULL;
	struct xs_error *err = ora_campaign_read(shards->folder, &store);
	if (!err)
		err = ora_campaign_option(store, "merged", &merged);
	state->merged = merged && !strcmp(merged, state->digest);
	return err;
}

struct xs_error *ora_shards_look(const struct ora_shards *shards, struct ora_shards_state *ret)
{
	XS_AUTO_FREE char *folder = xs_asprintf("%s/shards", shards->folder);
	uint64_t count = ora_shards_count(shards);
	struct dirent **all = NULL;
	*ret = (struct ora_shards_state){0};
	/* Asked for once: to look for each by its name is slow on a share. */
	int files = scandir(folder, &all, NULL, alphasort);
	if (files < 0)
		return xs_error_sys("%s", folder);
	bool *is_done = xs_calloc(count + 1, sizeof *is_done);
	for (int i = 0; i < files; i++) {
		const char *name = all[i]->d_name;
		uint64_t number = number_of(shards, name);
		if (number)
			is_done[number] = true;
		else if (*name != '.' && strcmp(name, "plan.json") != 0 && !ora_place_is_part(name))
			xs_vec_push(&ret->foreign, xs_asprintf("%s/%s", folder, name));
		free(all[i]);
	}
	free(all);
	for (uint64_t i = 1; i <= count; i++)
		if (!is_done[i])
			xs_vec_push(&ret->missing, i);
		else
			xs_vec_push(&ret->done, i);
	free(is_done);
	digest_all(shards, ret);
	return look_whether_merged(shards, ret);
}
