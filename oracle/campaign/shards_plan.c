/* shards_plan.c - cuts a campaign into shards.
 *
 * What the campaign is about is settled by a campaign that is begun in a folder of this machine's,
 * as any other one is: so all is refused here that would be refused in each shard. */
#include <errno.h>
#include <math.h>

#include "base/private.h"
#include "base/scratch.h"
#include "oracle/campaign/box.h"
#include "oracle/campaign/placing.h"
#include "oracle/campaign/shards.h"

enum { MINUTES = 30, LEAST = 2 }; /* of a shard, as a rule; programs that it has at least */

/* --- how long it takes ------------------------------------------------------------------------ */

/* Seconds, on a busy machine: docs/campaign.md tells how they were measured. */
static const double making_seconds = 1.5, build_seconds = 0.25;
static const struct {
	const char *oracle;
	double seconds; /* of a job */
} usual[] = {
	{"diff", 6},
	{"opt", 1.2},
	{"levels", 1.6},
	{"avail", 0.4},
	{"metrics", 0.6},
	{"frames", 0.4},
	{"probes", 0.5},
	{"twins", 9},
	{"ccmd", 0.8},
};

/* What a program takes, its mutants included, if nothing is known but the plan. */
static double usual_seconds(const struct ora_plan *plan)
{
	struct ora_campaign_program program = {.id = xs_strdup("")};
	ora_plan_jobs(plan, false, &program);
	double seconds = making_seconds +
			 build_seconds * (double)(plan->compilers.len * plan->levels.vec.len);
	for (size_t i = 0; i < program.jobs.len; i++)
		for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
			if (!strcmp(usual[k].oracle, program.jobs.data[i].oracle))
				seconds += usual[k].seconds;
	ora_campaign_program_deinit(&program);
	return seconds * (double)(1 + plan->mutants + plan->probed);
}

/* What programs of this campaign have taken; 0: there are none yet. */
static struct xs_error *known_seconds(const char *folder, const struct ora_plan *plan, double *ret)
{
	XS_AUTO(ora_campaign_store) store = NULL;
	XS_AUTO_FREE char *path = xs_asprintf("%s/campaign.db", folder);
	struct ora_campaign_answer totals = {0};
	struct xs_error *err = NULL;
	*ret = 0;
	if (access(path, F_OK))
		return NULL;
	if (!(err = ora_campaign_read(folder, &store)) &&
		!(err = ora_campaign_ask(store, ORA_ASK_TOTALS, NULL, &totals))) {
		double programs = strtod(ora_campaign_cell(&totals, 0, 0), NULL);
		double seconds = strtod(ora_campaign_cell(&totals, 0, 7), NULL);
		if (programs > 0)
			*ret = seconds / programs * (double)(1 + plan->mutants + plan->probed);
	}
	ora_campaign_answer_deinit(&totals);
	return err;
}

/* --- what is kept ----------------------------------------------------------------------------- */

/* Puts what was planned before into the file of a new campaign. */
static struct xs_error *keep_plan(const struct ora_shards *old, struct ora_campaign_store *store)
{
	struct xs_error *err = NULL;
	for (unsigned i = 0; !err && i < ORA_SETTINGS; i++)
		if (old->settings.value[i])
			err = ora_campaign_set_option(
				store, ora_setting_name(i), old->settings.value[i]);
	for (size_t i = 0; !err && i < old->tools.len; i++) {
		XS_AUTO_FREE char *name = xs_asprintf("version %s", old->tools.data[i].name);
		err = ora_campaign_set_option(store, name, old->tools.data[i].version);
	}
	return err;
}

/* The same with what a campaign of one machine has kept. It is opened as its next run would: that
 * is refused while one is at work, and nothing that a dead one has left is beside the file
 * afterwards. */
static struct xs_error *keep_options(const char *folder, struct ora_campaign_store *store)
{
	struct ora_campaign before = {.folder = folder};
	struct ora_campaign_answer all = {0};
	XS_AUTO_FREE char *path = xs_asprintf("%s/campaign.db", folder);
	if (access(path, F_OK))
		return NULL;
	struct xs_error *err = ora_campaign_open_folder(&before);
	if (!err)
		err = ora_campaign_ask(before.store, ORA_ASK_OPTIONS, NULL, &all);
	for (size_t i = 0; !err && i < ora_campaign_rows(&all); i++)
		err = ora_campaign_set_option(
			store, ora_campaign_cell(&all, i, 0), ora_campaign_cell(&all, i, 1));
	ora_campaign_answer_deinit(&all);
	ora_campaign_deinit(&before);
	return err;
}

/* Begins a campaign in a scratch folder that goes on with what was kept. */
static struct xs_error *begin(
	const char *folder, const struct ora_shards *old, struct ora_campaign *campaign)
{
	struct xs_error *err = ora_campaign_open_folder(campaign);
	if (!err)
		err = old->size ? keep_plan(old, campaign->store)
				: keep_options(folder, campaign->store);
	ora_campaign_store_destroy(xs_take(&campaign->store));
	return err ? err : ora_campaign_begin(campaign);
}

/* --- the cut ---------------------------------------------------------------------------------- */

static void take_plan(const struct ora_plan *plan, struct ora_shards *ret)
{
	for (unsigned i = 0; i < ORA_SETTINGS; i++)
		ret->settings.value[i] =
			plan->settings.value[i] ? xs_strdup(plan->settings.value[i]) : NULL;
	for (size_t i = 0; i < plan->tools.len; i++) {
		struct ora_plan_tool tool = {xs_strdup(plan->tools.data[i].name),
			xs_strdup(plan->tools.data[i].version)};
		xs_vec_push(&ret->tools, tool);
	}
	xs_ranges_add_all(&ret->seeds, &plan->seeds);
	for (size_t i = 0; i < plan->sources.vec.len; i++)
		xs_vec_push(&ret->sources.vec, xs_strdup(plan->sources.vec.data[i]));
}

/* How many programs a shard has. seconds: that one takes. */
static uint64_t choose_size(
	const struct ora_shards *shards, const struct ora_cut *cut, double seconds)
{
	uint64_t programs = ora_shards_programs(shards);
	if (cut->shards)
		return programs / cut->shards + (programs % cut->shards != 0);
	double minutes = cut->minutes ? (double)cut->minutes : MINUTES;
	double jobs = (double)ora_setting_number(&shards->settings, ORA_SET_JOBS);
	double size = round(minutes * 60 * fmax(jobs, 1) / seconds);
	return size < LEAST ? LEAST : size > (double)programs ? programs : (uint64_t)size;
}

/* A cut by which something is done already stays. */
static struct xs_error *settle_size(struct ora_shards *shards, const struct ora_shards *old,
	const struct ora_cut *cut, double seconds)
{
	struct ora_shards_state state = {0};
	struct xs_error *err = NULL;
	shards->size = choose_size(shards, cut, seconds);
	if (!old->size || shards->size == old->size)
		return NULL;
	if (cut->shards || cut->minutes)
		err = ora_shards_look(old, &state);
	if (!err && state.done.len && cut->shards)
		err = xs_error_create("%s: is cut into shards of %" PRIu64
				      " programs, of which %zu are done, and --shards=%" PRIu64
				      " would cut it otherwise; leave the option out",
			shards->folder, old->size, state.done.len, cut->shards);
	if (state.done.len || (!cut->shards && !cut->minutes))
		shards->size = old->size;
	ora_shards_state_deinit(&state);
	return err;
}

static struct xs_error *make_folders(const char *folder)
{
	static const char *const inner[] = {"shards", "logs"};
	struct xs_error *err = ora_campaign_make_folder(folder);
	for (size_t i = 0; !err && i < sizeof inner / sizeof *inner; i++) {
		XS_AUTO_FREE char *path = xs_asprintf("%s/%s", folder, inner[i]);
		if (xs_private_folder(path) && errno != EEXIST)
			err = xs_error_sys("%s", path);
	}
	return err;
}

/* Puts everything into the folder: its file only if there is none yet. */
static struct xs_error *place(const struct ora_shards *shards, const char *local)
{
	XS_AUTO_FREE char *path = xs_asprintf("%s/campaign.db", shards->folder);
	XS_AUTO_FREE char *made = xs_asprintf("%s/campaign.db", local);
	struct xs_error *err = access(path, F_OK) ? ora_place_copy(made, path) : NULL;
	return err ? err : ora_shards_save(shards);
}

/* In a scratch folder. */
static struct xs_error *plan_in(const char *local, const char *folder, struct ora_settings *given,
	const struct ora_cut *cut, struct ora_shards *ret, double *minutes)
{
	struct ora_campaign campaign = {.folder = local, .given = *given};
	struct ora_shards old = {0}, fresh = {0};
	double known = 0, seconds = 0;
	struct xs_error *err = make_folders(folder);
	*given = (struct ora_settings){0};
	if (!err && ora_shards_exist(folder))
		err = ora_shards_open(folder, &old);
	/* A task of a cluster has one processor, unless more are asked for. */
	if (!err && !old.size && !campaign.given.value[ORA_SET_JOBS])
		campaign.given.value[ORA_SET_JOBS] = xs_strdup("1");
	if (!err && !(err = begin(folder, &old, &campaign)) &&
		!(err = known_seconds(folder, &campaign.plan, &known))) {
		seconds = known > 0 ? known : usual_seconds(&campaign.plan);
		fresh.folder = realpath(folder, NULL);
		take_plan(&campaign.plan, &fresh);
		fresh.sbatch = xs_strdup(cut->sbatch ? cut->sbatch : old.sbatch ? old.sbatch : "");
		err = fresh.folder ? settle_size(&fresh, &old, cut, seconds)
				   : xs_error_sys("%s", folder);
	}
	ora_campaign_deinit(&campaign); /* its file is whole from now on */
	if (!err && !(err = place(&fresh, local)))
		err = ora_shards_open(folder, ret);
	if (!err)
		*minutes = (double)ret->size * seconds / 60 /
			   fmax((double)ora_setting_number(&ret->settings, ORA_SET_JOBS), 1);
	ora_shards_deinit(&fresh);
	ora_shards_deinit(&old);
	return err;
}

struct xs_error *ora_shards_plan(const char *folder, struct ora_settings *given,
	const struct ora_cut *cut, struct ora_shards *ret, double *minutes)
{
	char *scratch = NULL;
	*ret = (struct ora_shards){0};
	struct xs_error *err = xs_scratch_create("shards", &scratch);
	if (err) {
		ora_settings_deinit(given);
		return err;
	}
	XS_AUTO_FREE char *local = xs_asprintf("%s/all", scratch);
	err = plan_in(local, folder, given, cut, ret, minutes);
	if (err)
		err->message = ora_words_replace(err->message, local, folder);
	xs_scratch_destroy(scratch);
	return err;
}
