#include "oracle/campaign/campaign.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/path.h"
#include "base/private.h"
#include "oracle/campaign/exemplars.h"
#include "oracle/campaign/placing.h"
#include "oracle/campaign/prepare.h"

/* How long a run waits for the workers of one that was just killed. */
#define PATIENCE 3.0

static char *file_of(const char *folder)
{
	return xs_asprintf("%s/campaign.db", folder);
}

struct xs_error *ora_campaign_read(const char *folder, struct ora_campaign_store **ret)
{
	XS_AUTO_FREE char *path = file_of(folder);
	if (access(path, F_OK))
		return xs_error_create("%s: not a campaign: there is no campaign.db in it", folder);
	return ora_campaign_store_open(path, false, ret);
}

/* --- settings --------------------------------------------------------------------------------- */

static struct xs_error *load_settings(struct ora_campaign_store *store, struct ora_settings *ret)
{
	struct xs_error *err = NULL;
	for (unsigned i = 0; !err && i < ORA_SETTINGS; i++)
		err = ora_campaign_option(store, ora_setting_name(i), &ret->value[i]);
	return err;
}

static struct xs_error *keep_settings(
	struct ora_campaign_store *store, const struct ora_settings *settings)
{
	struct xs_error *err = NULL;
	for (unsigned i = 0; !err && i < ORA_SETTINGS; i++)
		if (settings->value[i])
			err = ora_campaign_set_option(
				store, ora_setting_name(i), settings->value[i]);
	return err;
}

struct xs_error *ora_campaign_plan(
	struct ora_campaign_store *store, const char *folder, struct ora_plan *ret)
{
	struct ora_settings settings = {0};
	struct xs_error *err = load_settings(store, &settings);
	if (!err && !settings.value[ORA_SET_COMPILERS])
		err = xs_error_create("%s: nothing was done in it yet", folder);
	if (!err && !(err = ora_settings_settle(&settings, NULL, folder)))
		err = ora_plan_init(ret, &settings, folder);
	ora_settings_deinit(&settings);
	return err;
}

/* The newest of each family that a language has: gcc and clang for C. */
static char *usual_compilers(const struct ora_language *language)
{
	char *all = xs_strdup("");
	for (const char *const *family = language->families; *family; family++) {
		XS_AUTO_FREE char *newest = ora_compiler_newest(*family);
		if (!newest)
			continue;
		char *more = xs_asprintf("%s%s%s", all, *all ? "," : "", newest);
		free(all);
		all = more;
	}
	return all;
}

/* Generators and compilers are run in folders of their own, and the campaign may be gone on with
 * anywhere: a path from here gets that of this folder. Words end at one of `ends`. */
static struct xs_error *complete_paths(char **words, const char *ends)
{
	char *all = NULL;
	size_t size = 0;
	XS_AUTO_FREE char *here = realpath(".", NULL);
	if (!*words)
		return NULL;
	if (!here)
		return xs_error_sys("the current folder");
	FILE *out = open_memstream(&all, &size);
	xs_assert(out);
	for (const char *at = *words; *at;) {
		bool path = *at != '/' && memchr(at, '/', strcspn(at, ends));
		while (at[0] == '.' && at[1] == '/')
			at += 2;
		if (path)
			fprintf(out, "%s/", here);
		size_t length = strcspn(at, ends);
		length += at[length] != 0;
		fwrite(at, 1, length, out);
		at += length;
	}
	xs_assert(!fclose(out));
	free(*words);
	*words = all;
	return NULL;
}

/* The same of a generator's program, and not of its arguments. */
static struct xs_error *complete_generator(char **words)
{
	size_t length = *words ? strcspn(*words, " \t\n") : 0;
	if (!length)
		return NULL;
	char *first = xs_asprintf("%.*s", (int)length, *words);
	struct xs_error *err = complete_paths(&first, "");
	char *all = xs_asprintf("%s%s", first, *words + length);
	free(first);
	free(*words);
	*words = all;
	return err;
}

/* Without one every program would be left out, for good. */
static struct xs_error *find_generator(const struct ora_plan *plan)
{
	const char *name = plan->generate.vec.len ? plan->generate.vec.data[0] : NULL;
	XS_AUTO_FREE char *path = name ? xs_path_find(name) : NULL;
	if (!name || path)
		return NULL;
	return strchr(name, '/')
		       ? xs_error_sys("--generate: %s", name)
		       : xs_error_create("--generate: %s: no such program; apt-get install it, or "
					 "name another",
				 name);
}

/* What does not depend on what is kept. */
static struct xs_error *complete(struct ora_settings *given, bool fresh)
{
	char **sources = &given->value[ORA_SET_SOURCES];
	if (*sources && **sources) {
		char *full = realpath(*sources, NULL);
		if (!full)
			return xs_error_sys("--sources: %s", *sources);
		free(*sources);
		*sources = full;
	}
	struct xs_error *err = complete_generator(&given->value[ORA_SET_GENERATE]);
	if (err || (err = complete_paths(&given->value[ORA_SET_COMPILERS], ",")))
		return err;
	if (fresh && !given->value[ORA_SET_COMPILERS])
		given->value[ORA_SET_COMPILERS] = usual_compilers(ora_language_of(given));
	if (!given->value[ORA_SET_JOBS]) {
		long processors = sysconf(_SC_NPROCESSORS_ONLN);
		if (fresh)
			given->value[ORA_SET_JOBS] =
				xs_asprintf("%ld", processors > 0 ? processors : 1);
	}
	return NULL;
}

/* A compiler or debugger that is another one by now would make another campaign of it. */
static struct xs_error *same_tools(struct ora_campaign *campaign)
{
	struct xs_error *err = NULL;
	for (size_t i = 0; !err && i < campaign->plan.tools.len; i++) {
		const struct ora_plan_tool *one = &campaign->plan.tools.data[i];
		XS_AUTO_FREE char *name = xs_asprintf("version %s", one->name);
		XS_AUTO_FREE char *kept = NULL;
		if ((err = ora_campaign_option(campaign->store, name, &kept)))
			return err;
		if (kept && strcmp(kept, one->version) != 0)
			err = xs_error_create(
				"%s: was begun with %s being `%s`, which is `%s` now; "
				"begin another campaign",
				campaign->folder, one->name, kept, one->version);
		else if (!kept)
			err = ora_campaign_set_option(campaign->store, name, one->version);
	}
	return err;
}

static struct xs_error *settle(struct ora_campaign *campaign)
{
	struct ora_settings kept = {0};
	struct xs_error *err = load_settings(campaign->store, &kept);
	bool fresh = !kept.value[ORA_SET_COMPILERS];
	if (!err && !(err = complete(&campaign->given, fresh)) &&
		!(err = ora_settings_settle(
			  &campaign->given, fresh ? NULL : &kept, campaign->folder)) &&
		!(err = ora_plan_init(&campaign->plan, &campaign->given, campaign->folder)) &&
		fresh)
		err = find_generator(&campaign->plan);
	ora_settings_deinit(&kept);
	return err;
}

/* --- the folder ------------------------------------------------------------------------------- */

static struct xs_error *make_folders(const char *folder)
{
	static const char *const inner[] = {"", "/programs", "/builds", "/signatures"};
	for (size_t i = 0; i < sizeof inner / sizeof *inner; i++) {
		XS_AUTO_FREE char *path = xs_asprintf("%s%s", folder, inner[i]);
		if (xs_private_folder(path) && errno != EEXIST)
			return xs_error_sys("%s", path);
	}
	return NULL;
}

/* The workers of a run that was killed hold its lock for the moment in which they end. */
static struct xs_error *open_patiently(const char *path, struct ora_campaign_store **ret)
{
	double limit = xs_now() + PATIENCE;
	struct xs_error *err;
	while ((err = ora_campaign_store_open(path, true, ret)) && err->code == XS_ERROR_BUSY &&
		xs_now() < limit) {
		xs_error_destroy(err);
		usleep(50000);
	}
	return err;
}

/* What somebody left who was killed while putting campaign.db there. */
static bool is_begun(const char *name)
{
	static const char begin[] = "campaign.db.";
	return !strncmp(name, begin, strlen(begin)) && ora_place_is_part(name);
}

/* Whether a folder has something in it that is no campaign's: it is left alone. */
static bool is_foreign(const char *folder)
{
	static const char own[] = " . .. programs builds signatures shards logs ";
	DIR *all = opendir(folder);
	bool foreign = false;
	for (struct dirent *entry; all && (entry = readdir(all));) {
		XS_AUTO_FREE char *name = xs_asprintf(" %s ", entry->d_name);
		foreign |= !strstr(own, name) && !is_begun(entry->d_name);
	}
	if (all)
		closedir(all);
	return foreign;
}

struct xs_error *ora_campaign_make_folder(const char *folder)
{
	XS_AUTO_FREE char *path = file_of(folder);
	struct stat about;
	if (!stat(folder, &about) && !S_ISDIR(about.st_mode))
		return xs_error_create("%s: not a folder", folder);
	if (access(path, F_OK) && is_foreign(folder))
		return xs_error_create("%s: has files in it, and no campaign.db: take an empty "
				       "folder, or one that is not there yet",
			folder);
	ora_place_sweep(folder);
	return make_folders(folder);
}

struct xs_error *ora_campaign_open_folder(struct ora_campaign *campaign)
{
	XS_AUTO_FREE char *path = file_of(campaign->folder);
	XS_AUTO_FREE char *plan = xs_asprintf("%s/shards/plan.json", campaign->folder);
	/* Its file is put together from shards, and never written to. */
	if (!access(plan, F_OK))
		return xs_error_create(
			"%s: is cut into shards: xstep campaign run %s --slurm, or xstep campaign "
			"shard, goes on with it; xstep campaign merge OTHER %s makes one of it "
			"that "
			"is not",
			campaign->folder, campaign->folder, campaign->folder);
	struct xs_error *err = ora_campaign_make_folder(campaign->folder);
	if (!err && (err = open_patiently(path, &campaign->store)) && err->code == XS_ERROR_BUSY)
		err = xs_error_context(err, "%s: a campaign is at work in it", campaign->folder);
	return err;
}

struct xs_error *ora_campaign_begin(struct ora_campaign *campaign)
{
	struct xs_error *err;
	if ((err = ora_campaign_open_folder(campaign)) || (err = settle(campaign)) ||
		(err = ora_plan_find_all(&campaign->plan)) || (err = same_tools(campaign)))
		return err;
	return keep_settings(campaign->store, &campaign->plan.settings);
}

void ora_campaign_deinit(struct ora_campaign *campaign)
{
	ora_plan_deinit(&campaign->plan);
	ora_settings_deinit(&campaign->given);
	ora_campaign_store_destroy(campaign->store);
}

/* --- joining ---------------------------------------------------------------------------------- */

/* Copies the sources of a campaign's programs that this one has not. */
static struct xs_error *join_sources(const struct ora_campaign *campaign,
	struct ora_campaign_store *theirs, const char *other, const struct ora_language *language)
{
	struct ora_campaign_answer files;
	struct xs_error *err = ora_campaign_ask(theirs, ORA_ASK_FILES, NULL, &files);
	for (size_t i = 0; !err && i < ora_campaign_rows(&files); i++) {
		const char *id = ora_campaign_cell(&files, i, 0);
		if (!ora_is_id(id))
			continue;
		XS_AUTO_FREE char *from = ora_source_path(other, id, language);
		XS_AUTO_FREE char *to = ora_source_path(campaign->folder, id, language);
		XS_AUTO_FREE char *part = xs_asprintf("%s.part", to);
		if (!access(to, F_OK) || access(from, R_OK))
			continue;
		if (!(err = ora_copy_file(from, part)) && rename(part, to))
			err = xs_error_sys("%s", to);
	}
	ora_campaign_answer_deinit(&files);
	return err;
}

/* Copies what reductions have left, as far as it is not there. What other files say of paths is not
 * believed. */
static struct xs_error *join_reduced(
	const struct ora_campaign *campaign, struct ora_campaign_store *theirs, const char *other)
{
	enum { SIGNATURE, FILE_COLUMN = 4 };
	static const char *const folders[] = {"", "/reduced.c.reduce"};
	static const char *const names[] = {
		"reduced.c", "reduced.c.reduce/small.c", "reduced.c.reduce/test.sh"};
	struct ora_campaign_answer causes;
	struct xs_error *err = ora_campaign_ask(theirs, ORA_ASK_CAUSES, NULL, &causes);
	for (size_t i = 0; !err && i < ora_campaign_rows(&causes); i++) {
		const char *id = ora_campaign_cell(&causes, i, SIGNATURE);
		const char *file = ora_campaign_cell(&causes, i, FILE_COLUMN);
		if (!ora_is_id(id) || !file)
			continue;
		bool done = !strstr(file, ".reduce/");
		for (size_t k = 0; !err && k < (done ? 1 : 2); k++) {
			XS_AUTO_FREE char *folder =
				xs_asprintf("%s/signatures/%s%s", campaign->folder, id, folders[k]);
			if (xs_private_folder(folder) && errno != EEXIST)
				err = xs_error_sys("%s", folder);
		}
		for (size_t k = done ? 0 : 1; !err && k < (done ? 1 : 3); k++) {
			XS_AUTO_FREE char *from =
				xs_asprintf("%s/signatures/%s/%s", other, id, names[k]);
			XS_AUTO_FREE char *to =
				xs_asprintf("%s/signatures/%s/%s", campaign->folder, id, names[k]);
			if (access(to, F_OK) && !access(from, R_OK))
				err = ora_place_copy(from, to);
		}
	}
	ora_campaign_answer_deinit(&causes);
	return err;
}

/* Whether two campaigns are parts of one: they differ in seeds at most. *joined: the settings of
 * both together. */
static struct xs_error *join_settings(struct ora_settings *ours, const struct ora_settings *theirs,
	const char *folder, const char *other)
{
	for (unsigned i = 0; i < ORA_SETTINGS; i++) {
		char **own = &ours->value[i];
		const char *value = theirs->value[i];
		if (!*own && value) {
			*own = xs_strdup(value);
		} else if (*own && value && i == ORA_SET_SEEDS) {
			char *both = ora_seeds_join(*own, value);
			free(*own);
			*own = both;
		} else if (*own && value && i < ORA_SET_RUN_SECONDS && i != ORA_SET_MUTATE &&
			   i != ORA_SET_PROBES && strcmp(*own, value) != 0) {
			return xs_error_create(
				"%s: has --%s=%s, and %s has %s: they are no parts of "
				"one campaign",
				other, ora_setting_name(i), value, folder, *own);
		}
	}
	return NULL;
}

/* The versions of compilers, too. */
static struct xs_error *join_versions(struct ora_campaign_store *store,
	struct ora_campaign_store *theirs, const char *folder, const char *other)
{
	struct ora_campaign_answer all;
	struct xs_error *err = ora_campaign_ask(theirs, ORA_ASK_OPTIONS, NULL, &all);
	for (size_t i = 0; !err && i < ora_campaign_rows(&all); i++) {
		const char *name = ora_campaign_cell(&all, i, 0);
		const char *value = ora_campaign_cell(&all, i, 1);
		XS_AUTO_FREE char *kept = NULL;
		if (strncmp(name, "version ", 8) != 0)
			continue;
		if ((err = ora_campaign_option(store, name, &kept)))
			break;
		if (kept && strcmp(kept, value) != 0)
			err = xs_error_create(
				"%s: its %s is `%s`, and in %s it is `%s`: they are no "
				"parts of one campaign",
				other, name + 8, value, folder, kept);
		else if (!kept)
			err = ora_campaign_set_option(store, name, value);
	}
	ora_campaign_answer_deinit(&all);
	return err;
}

static struct xs_error *join_one(struct ora_campaign *campaign, const char *other,
	struct xs_error *(*merge)(struct ora_campaign_store *store, const char *from))
{
	XS_AUTO(ora_campaign_store) theirs = NULL;
	XS_AUTO_FREE char *path = file_of(other);
	struct ora_settings own = {0}, others = {0};
	struct xs_error *err;
	if ((err = ora_campaign_read(other, &theirs)))
		return err;
	if (!(err = load_settings(campaign->store, &own)) &&
		!(err = load_settings(theirs, &others)) &&
		!(err = join_settings(&own, &others, campaign->folder, other)) &&
		!(err = join_versions(campaign->store, theirs, campaign->folder, other)) &&
		!(err = merge(campaign->store, path)) &&
		!(err = keep_settings(campaign->store, &own)) &&
		!(err = join_sources(campaign, theirs, other, ora_language_of(&others))))
		err = join_reduced(campaign, theirs, other);
	ora_settings_deinit(&own);
	ora_settings_deinit(&others);
	return err;
}

struct xs_error *ora_campaign_join_part(struct ora_campaign *campaign, const char *other)
{
	return join_one(campaign, other, ora_campaign_merge_part);
}

struct xs_error *ora_campaign_join(
	struct ora_campaign *campaign, const char *const *others, size_t count)
{
	struct xs_error *err = ora_campaign_open_folder(campaign);
	for (size_t i = 0; !err && i < count; i++)
		err = join_one(campaign, others[i], ora_campaign_merge);
	if (!err && !(err = ora_campaign_plan(campaign->store, campaign->folder, &campaign->plan)))
		err = ora_exemplars_write(&campaign->plan, campaign->store);
	return err;
}
