/* shard.c - does one shard: a campaign of its programs, on this machine's own disk, which is
 * checked, packed, and put where all shards are. Until the last of these steps nobody sees
 * anything of it. */
#include <errno.h>

#include "base/scratch.h"
#include "oracle/campaign/box.h"
#include "oracle/campaign/placing.h"
#include "oracle/campaign/shard_pack.h"
#include "oracle/campaign/shards.h"

static void take_settings(const struct ora_shard_task *task, struct ora_settings *ret)
{
	for (unsigned i = 0; i < ORA_SETTINGS; i++) {
		const char *value = task->shards->settings.value[i];
		ret->value[i] = value ? xs_strdup(value) : NULL;
	}
	if (task->jobs) {
		free(ret->value[ORA_SET_JOBS]);
		ret->value[ORA_SET_JOBS] = xs_asprintf("%" PRIu64, task->jobs);
	}
}

static const char *version_of(const struct ora_plan *plan, const char *name)
{
	for (size_t i = 0; i < plan->tools.len; i++)
		if (!strcmp(plan->tools.data[i].name, name))
			return plan->tools.data[i].version;
	return "not used";
}

/* What another version finds would be another shard. */
static struct xs_error *same_tools(const struct ora_shards *shards, const struct ora_plan *plan)
{
	char host[256] = "this machine";
	gethostname(host, sizeof host - 1);
	for (size_t i = 0; i < shards->tools.len; i++) {
		const struct ora_plan_tool *one = &shards->tools.data[i];
		const char *here = version_of(plan, one->name);
		if (strcmp(one->version, here) != 0)
			return xs_error_create(
				"%s: was planned with %s being `%s`, and on %s it is `%s`",
				shards->folder, one->name, one->version, host, here);
	}
	return NULL;
}

/* Leaves the programs of one shard in the plan of a campaign. */
static void restrict_plan(const struct ora_shard_task *task, struct ora_plan *plan)
{
	xs_ranges_deinit(&plan->seeds);
	ora_ccmd_words_deinit(&plan->sources);
	ora_shards_take(task->shards, task->number, &plan->seeds, &plan->sources);
}

/* That it is sound, that all of its programs are in it, and that nothing is left to be done. */
static struct xs_error *check(struct ora_shard_task *task, struct ora_campaign *campaign)
{
	struct xs_error *err = ora_campaign_check(campaign->store, true);
	for (uint64_t i = 0; !err && i < ora_plan_count(&campaign->plan); i++) {
		struct ora_origin origin = ora_plan_origin(&campaign->plan, i);
		XS_AUTO_FREE char *text = ora_origin_text(&origin);
		struct ora_campaign_answer found = {0};
		err = ora_campaign_ask(campaign->store, ORA_ASK_PROGRAM, text, &found);
		if (!err && !ora_campaign_rows(&found))
			err = xs_error_create(
				"%s: not complete: %s is missing", campaign->folder, text);
		ora_campaign_answer_deinit(&found);
	}
	struct ora_campaign_answer totals = {0};
	if (!err && !(err = ora_campaign_ask(campaign->store, ORA_ASK_TOTALS, NULL, &totals))) {
		task->programs = strtoull(ora_campaign_cell(&totals, 0, 0), NULL, 10);
		task->findings = strtoull(ora_campaign_cell(&totals, 0, 5), NULL, 10);
		task->seconds = strtod(ora_campaign_cell(&totals, 0, 7), NULL);
	}
	ora_campaign_answer_deinit(&totals);
	return err;
}

/* Packs what came of it, reads that again, and gives it its name. */
static struct xs_error *deliver(const struct ora_shard_task *task, const char *local)
{
	XS_AUTO_FREE char *name = ora_shards_name(task->shards, task->number);
	XS_AUTO_FREE char *path = ora_shards_path(task->shards, task->number);
	XS_AUTO_FREE char *part = ora_place_part(path);
	XS_AUTO_FREE char *log = xs_asprintf("%s/campaign.db-wal", local);
	if (!access(log, F_OK))
		return xs_error_create("%s: is still being written", local);
	struct xs_error *err = ora_shard_pack(local, name, part);
	if (!err)
		err = ora_shard_unpack(part, name, NULL);
	if (err)
		unlink(part);
	return err ? err : ora_place_firmly(part, path);
}

/* In a scratch folder. */
static struct xs_error *work_in(struct ora_shard_task *task, const char *local)
{
	struct ora_campaign campaign = {
		.folder = local, .on_event = task->on_event, .context = task->context};
	take_settings(task, &campaign.given);
	struct xs_error *err = ora_campaign_begin(&campaign);
	if (!err)
		err = same_tools(task->shards, &campaign.plan);
	if (!err) {
		restrict_plan(task, &campaign.plan);
		err = ora_campaign_run(&campaign);
	}
	task->signal = campaign.signal;
	if (!err && !task->signal)
		err = check(task, &campaign);
	ora_campaign_deinit(&campaign); /* its file is whole from now on */
	return err || task->signal ? err : deliver(task, local);
}

struct xs_error *ora_shard_do(struct ora_shard_task *task)
{
	const struct ora_shards *shards = task->shards;
	XS_AUTO_FREE char *folder = xs_asprintf("%s/shards", shards->folder);
	char *scratch = NULL;
	struct xs_error *err;
	if (!task->number || task->number > ora_shards_count(shards))
		return xs_error_create("%s: there is no shard %" PRIu64 ": they are 1 to %" PRIu64,
			shards->folder, task->number, ora_shards_count(shards));
	ora_place_sweep(folder);
	if (ora_shards_is_done(shards, task->number)) {
		XS_AUTO_FREE char *name = ora_shards_name(shards, task->number);
		XS_AUTO_FREE char *path = ora_shards_path(shards, task->number);
		task->before = true;
		err = ora_shard_unpack(path, name, NULL);
		return err && err->code == XS_ERROR_CORRUPT
			       ? xs_error_context(err, "to be removed, and done again")
			       : err;
	}
	if ((err = xs_scratch_create("shard", &scratch)))
		return err;
	XS_AUTO_FREE char *local = xs_asprintf("%s/all", scratch);
	err = work_in(task, local);
	if (err)
		err->message = ora_words_replace(err->message, local, shards->folder);
	xs_scratch_destroy(scratch);
	return err;
}
