/* shards_merge.c - puts the shards together: on this machine's own disk, and then, sources first
 * and the campaign's file last, into the folder. Whatever ends it before, the folder is as it was.
 *
 * What the folder has already goes into the new file, too: nothing in it is lost. */
#include <errno.h>
#include <sys/stat.h>

#include "base/private.h"
#include "base/scratch.h"
#include "oracle/campaign/box.h"
#include "oracle/campaign/exemplars.h"
#include "oracle/campaign/placing.h"
#include "oracle/campaign/prepare.h"
#include "oracle/campaign/shard_pack.h"
#include "oracle/campaign/shards.h"

struct merging {
	const struct ora_shards *shards;
	struct ora_shards_state state; /* of them, when it began */
	struct ora_campaign campaign;  /* all of it, in a scratch folder */
	char *scratch;
	void (*on_problem)(void *context, const char *problem);
	void *context;
	uint64_t bad; /* that could not be read */
};

static struct xs_error *make_folder(const char *path)
{
	return xs_private_folder(path) ? xs_error_sys("%s", path) : NULL;
}

/* Unpacks a shard, and adds it if it is sound. */
static struct xs_error *add_unpacked(
	struct merging *merging, const char *path, const char *name, const char *one)
{
	XS_AUTO_FREE char *programs = xs_asprintf("%s/programs", one);
	XS_AUTO(ora_campaign_store) store = NULL;
	struct xs_error *err;
	if ((err = make_folder(one)) || (err = make_folder(programs)) ||
		(err = ora_shard_unpack(path, name, one)) ||
		(err = ora_campaign_read(one, &store)) || (err = ora_campaign_check(store, true)))
		return err;
	ora_campaign_store_destroy(xs_take(&store));
	return ora_campaign_join_part(&merging->campaign, one);
}

/* One that is damaged, or is another campaign's, is told about, and left out. */
static struct xs_error *add_shard(struct merging *merging, uint64_t number)
{
	XS_AUTO_FREE char *name = ora_shards_name(merging->shards, number);
	XS_AUTO_FREE char *path = ora_shards_path(merging->shards, number);
	char *one = xs_asprintf("%s/one", merging->scratch);
	struct xs_error *err = add_unpacked(merging, path, name, one);
	if (err)
		err->message = ora_words_replace(err->message, one, path);
	xs_scratch_destroy(one);
	if (!err || err->code == XS_ERROR_SYSTEM)
		return err;
	XS_AUTO_FREE char *problem = xs_asprintf(
		"%s; remove the file, and shard %" PRIu64 " is done again", err->message, number);
	merging->on_problem(merging->context, problem);
	merging->bad++;
	xs_error_destroy(err);
	return NULL;
}

static struct xs_error *add_all(struct merging *merging)
{
	struct ora_campaign *campaign = &merging->campaign;
	XS_AUTO_FREE char *before = xs_asprintf("%s/campaign.db", merging->shards->folder);
	struct xs_error *err = ora_campaign_open_folder(campaign);
	if (!err && !access(before, F_OK))
		err = ora_campaign_join_part(campaign, merging->shards->folder);
	for (size_t i = 0; !err && i < merging->state.done.len; i++)
		err = add_shard(merging, merging->state.done.data[i]);
	if (!err)
		err = ora_campaign_merged(campaign->store);
	for (unsigned i = 0; !err && i < ORA_SETTINGS; i++)
		if (merging->shards->settings.value[i])
			err = ora_campaign_set_option(campaign->store, ora_setting_name(i),
				merging->shards->settings.value[i]);
	if (!err)
		err = ora_campaign_set_option(
			campaign->store, "merged", merging->bad ? "" : merging->state.digest);
	return err ? err : ora_campaign_check(campaign->store, false);
}

/* The sources that the folder has not. */
static struct xs_error *place_sources(struct merging *merging)
{
	const struct ora_language *language = ora_language_of(&merging->shards->settings);
	struct ora_campaign_answer files;
	struct xs_error *err =
		ora_campaign_ask(merging->campaign.store, ORA_ASK_FILES, NULL, &files);
	for (size_t i = 0; !err && i < ora_campaign_rows(&files); i++) {
		const char *id = ora_campaign_cell(&files, i, 0);
		struct stat here, there;
		if (!ora_is_id(id))
			continue;
		XS_AUTO_FREE char *from = ora_source_path(merging->campaign.folder, id, language);
		XS_AUTO_FREE char *to = ora_source_path(merging->shards->folder, id, language);
		if (!stat(from, &here) && (stat(to, &there) || here.st_size != there.st_size))
			err = ora_place_copy(from, to);
	}
	ora_campaign_answer_deinit(&files);
	return err;
}

static struct xs_error *place_all(struct merging *merging)
{
	struct ora_campaign *campaign = &merging->campaign;
	const char *folder = merging->shards->folder;
	XS_AUTO_FREE char *from = xs_asprintf("%s/campaign.db", campaign->folder);
	XS_AUTO_FREE char *to = xs_asprintf("%s/campaign.db", folder);
	struct xs_error *err;
	if (!(err = place_sources(merging)) &&
		!(err = ora_campaign_plan(campaign->store, folder, &campaign->plan)))
		err = ora_exemplars_write(&campaign->plan, campaign->store);
	ora_campaign_store_destroy(xs_take(&campaign->store)); /* one file from now on */
	XS_AUTO_FREE char *part = ora_place_part(to);
	/* What SQLite finds beside a file it takes for changes of that file. */
	XS_AUTO_FREE char *log = xs_asprintf("%s-wal", to);
	if (!err && !access(log, F_OK))
		err = xs_error_create(
			"%s: somebody writes to %s, which is put together from shards "
			"only",
			log, to);
	if (err || (err = ora_copy_file(from, part))) {
		unlink(part);
		return err;
	}
	ora_place_settle(folder);
	return ora_place_firmly(part, to);
}

static void tell_foreign(struct merging *merging)
{
	for (size_t i = 0; i < merging->state.foreign.len; i++) {
		XS_AUTO_FREE char *problem =
			xs_asprintf("%s: is no shard of this campaign; it is left alone",
				merging->state.foreign.data[i]);
		merging->on_problem(merging->context, problem);
	}
}

struct xs_error *ora_shards_merge(const struct ora_shards *shards,
	void (*on_problem)(void *context, const char *problem), void *context, uint64_t *bad)
{
	struct merging merging = {.shards = shards, .on_problem = on_problem, .context = context};
	static const char *const inner[] = {"", "/shards", "/programs"};
	for (size_t i = 0; i < sizeof inner / sizeof *inner; i++) {
		XS_AUTO_FREE char *folder = xs_asprintf("%s%s", shards->folder, inner[i]);
		ora_place_sweep(folder);
	}
	struct xs_error *err = xs_scratch_create("shards", &merging.scratch);
	if (err)
		return err;
	XS_AUTO_FREE char *local = xs_asprintf("%s/all", merging.scratch);
	merging.campaign.folder = local;
	if (!(err = ora_shards_look(shards, &merging.state))) {
		tell_foreign(&merging);
		if (!(err = add_all(&merging)))
			err = place_all(&merging);
	}
	if (err)
		err->message = ora_words_replace(err->message, local, shards->folder);
	*bad = merging.bad;
	ora_campaign_deinit(&merging.campaign);
	ora_shards_state_deinit(&merging.state);
	xs_scratch_destroy(merging.scratch);
	return err;
}
