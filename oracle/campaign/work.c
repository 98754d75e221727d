#include "oracle/campaign/work.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>

#include "base/private.h"
#include "oracle/campaign/keepers.h"
#include "oracle/campaign/outcome.h"
#include "oracle/campaign/prepare.h"
#include "oracle/witness/debugger/lent.h"

enum { MUTATE_SECONDS = 120 };

/* What a job needs, in a scratch folder. */
struct needs {
	const struct ora_oracle *oracle;
	char *program, *unopt; /* builds, NULL if it needs none */
	struct ora_command opts;
	struct ora_command flags;
	char *source; /* as the oracle is to be given it */
};

static void needs_deinit(struct needs *needs)
{
	free(needs->program);
	free(needs->unopt);
	free(needs->source);
	ora_command_deinit(&needs->opts);
	ora_command_deinit(&needs->flags);
}

/* Which files it takes; nothing is done yet. */
static struct xs_error *find_needs(const struct ora_plan *plan, const struct ora_campaign_job *job,
	const char *folder, struct needs *ret)
{
	const char *program = job->program, *compiler = job->compiler;
	*ret = (struct needs){.oracle = ora_oracle_find(job->oracle)};
	if (!ret->oracle || !ora_is_id(program) || !ora_plan_compiler(plan, compiler))
		return xs_error_create(
			"%s: a job of oracle '%s' for '%s', and this campaign has no "
			"such",
			plan->folder, job->oracle, compiler);
	for (size_t i = 0; i < plan->flags.vec.len; i++)
		ora_command_add(&ret->flags, plan->flags.vec.data[i], NULL);
	ora_command_split(&ret->flags, job->flags ? job->flags : "");
	XS_AUTO_FREE char *name = ora_build_name(program, compiler, job->level);
	XS_AUTO_FREE char *plain = ora_build_name(program, compiler, ORA_UNOPTIMISED);
	enum ora_oracle_need need = ret->oracle->need;
	/* What builds by itself gets a name without a folder: ids may have it in them. */
	ret->source = need == ORA_NEEDS_SOURCE
			      ? xs_asprintf("%s%s", program, plan->language->ending)
			      : ora_source_path(plan->folder, program, plan->language);
	if (need == ORA_NEEDS_BUILD || need == ORA_NEEDS_TWO || need == ORA_NEEDS_PROBES)
		ret->program = xs_asprintf("%s/%s", folder, name);
	if (need == ORA_NEEDS_TWO || need == ORA_NEEDS_FAMILY)
		ret->unopt = xs_asprintf("%s/%s", folder, plain);
	for (size_t i = 0; need == ORA_NEEDS_FAMILY && i < plan->levels.vec.len; i++) {
		const char *level = plan->levels.vec.data[i];
		XS_AUTO_FREE char *other = ora_build_name(program, compiler, level);
		if (strcmp(level, ORA_UNOPTIMISED) != 0)
			ora_command_take(&ret->opts, xs_asprintf("%s/%s", folder, other));
	}
	return NULL;
}

static void ask_words(const struct ora_plan *plan, const struct ora_campaign_job *job,
	const char *xstep, struct needs *needs, bool for_people, struct ora_command *ret)
{
	const struct ora_oracle_case one = {.program = needs->program,
		.unopt = needs->unopt,
		.opts = ora_command_words(&needs->opts),
		.source = needs->source,
		.compiler = ora_plan_compiler(plan, job->compiler)->path,
		.level = job->level,
		.language = plan->language,
		.flags = ora_command_words(&needs->flags),
		.for_people = for_people,
		.witness = plan->settings.value[ORA_SET_WITNESS],
		.sample = plan->settings.value[ORA_SET_SAMPLE]};
	ora_oracle_words(needs->oracle, xstep, &one, ret);
}

/* The words that build a source at a level. */
static void build_words(const struct ora_plan *plan, const struct ora_campaign_job *job,
	const char *level, const char *source, const char *output, struct ora_command *ret)
{
	ora_command_add(ret, ora_plan_compiler(plan, job->compiler)->path, NULL);
	ora_plan_compile(plan, level, job->flags ? job->flags : "", source, output, ret);
}

/* Those that plant probes: `xstep mutate` writes FOLDER/PROGRAM.1.c. */
static void probe_words(const struct ora_plan *plan, const struct ora_campaign_job *job,
	const char *folder, const char *xstep, struct ora_command *ret)
{
	XS_AUTO_FREE char *source = ora_source_path(plan->folder, job->program, plan->language);
	ora_command_add(ret, xstep, "mutate", "--only", "probes", "--json", "-o", folder, NULL);
	for (size_t i = 0; i < plan->flags.vec.len; i++)
		if (ora_flag_is_for_parser(plan->flags.vec.data[i]))
			ora_command_add(ret, "--flag", plan->flags.vec.data[i], NULL);
	ora_flags_for_parser(ret, job->flags ? job->flags : "");
	ora_command_add(ret, source, NULL);
}

/* --- in a worker ------------------------------------------------------------------------------ */

/* What is wrong with one program's files is the job's trouble: the others go on. */
static struct xs_error *job_trouble(struct ora_campaign_job *job, struct xs_error *err)
{
	if (!err || err->code != XS_ERROR_SYSTEM ||
		(err->number != ENOENT && err->number != EACCES))
		return err;
	job->outcome = xs_strdup("trouble");
	job->detail = xs_strdup(err->message);
	xs_error_destroy(err);
	return NULL;
}

/* A copy of a build. If it is no longer there, it is built again; that it cannot be is the job's
 * outcome. */
static struct xs_error *fetch_build(const struct ora_plan *plan, struct ora_campaign_job *job,
	const char *level, const char *to, const char *scratch)
{
	XS_AUTO_FREE char *name = ora_build_name(job->program, job->compiler, level);
	XS_AUTO_FREE char *from = ora_build_path(plan->folder, job->program, name);
	XS_AUTO_FREE char *programs = xs_asprintf("%s/programs", plan->folder);
	XS_AUTO_FREE char *source = xs_asprintf("%s%s", job->program, plan->language->ending);
	if (!access(from, R_OK))
		return job_trouble(job, ora_copy_file(from, to));
	struct ora_command line = {0};
	struct ora_boxed boxed;
	build_words(plan, job, level, source, to, &line);
	enum ora_compile_end end = ora_prepare_compile(plan, programs, scratch, &line, &boxed);
	XS_AUTO_FREE char *words = ora_boxed_words(&boxed);
	struct xs_error *err =
		ora_boxed_is_full(&boxed) ? ora_prepare_full(plan->folder, scratch) : NULL;
	if (!err && end != ORA_COMPILED) {
		job->outcome = xs_strdup("trouble");
		job->detail =
			xs_asprintf("%s: %s no longer builds it: %s", source, job->compiler, words);
	}
	ora_command_deinit(&line);
	ora_boxed_deinit(&boxed);
	return err;
}

/* All that it takes, or the job's outcome. */
static struct xs_error *fetch_all(const struct ora_plan *plan, struct ora_campaign_job *job,
	const struct needs *needs, const char *scratch)
{
	struct xs_error *err = NULL;
	if (needs->program)
		err = fetch_build(plan, job, job->level, needs->program, scratch);
	if (!err && !job->outcome && needs->unopt)
		err = fetch_build(plan, job, ORA_UNOPTIMISED, needs->unopt, scratch);
	for (size_t i = 0, k = 0;
		!err && !job->outcome && i < plan->levels.vec.len && k < needs->opts.vec.len; i++)
		if (strcmp(plan->levels.vec.data[i], ORA_UNOPTIMISED) != 0)
			err = fetch_build(plan, job, plan->levels.vec.data[i],
				needs->opts.vec.data[k++], scratch);
	if (!err && !job->outcome && needs->oracle->need == ORA_NEEDS_SOURCE) {
		XS_AUTO_FREE char *from =
			ora_source_path(plan->folder, job->program, plan->language);
		XS_AUTO_FREE char *to = xs_asprintf("%s/%s", scratch, needs->source);
		err = job_trouble(job, ora_copy_file(from, to));
	}
	return err;
}

/* A build with probes in it. False: there is none, and that is the outcome. */
static bool build_probed(const struct ora_plan *plan, struct ora_campaign_job *job,
	const struct needs *needs, const char *scratch)
{
	struct ora_box box = ora_prepare_box(plan, scratch, scratch, MUTATE_SECONDS);
	XS_AUTO_FREE char *made = xs_asprintf("%s.1.c", job->program);
	struct ora_command plant = {0}, build = {0};
	struct ora_boxed boxed;
	probe_words(plan, job, scratch, plan->xstep, &plant);
	ora_box_run(&box, ora_command_words(&plant), &boxed);
	bool good = boxed.end == ORA_BOX_EXITED && !boxed.status;
	json_t *told = good ? json_loadb(boxed.out, boxed.out_size, 0, NULL) : NULL;
	const json_t *probes = json_object_get(json_object_get(told, "applied"), "probes");
	bool none = json_is_integer(probes) && !json_integer_value(probes);
	json_decref(told);
	if (none) {
		job->outcome = xs_strdup("unasked");
		job->detail = xs_strdup("no probe can be planted in it");
		good = false;
	} else if (good) {
		ora_boxed_deinit(&boxed);
		build_words(plan, job, job->level, made, needs->program, &build);
		good = ora_prepare_compile(plan, scratch, scratch, &build, &boxed) == ORA_COMPILED;
	}
	if (!good && !job->outcome) {
		job->outcome = xs_strdup("trouble");
		job->detail = ora_boxed_words(&boxed);
	}
	ora_boxed_deinit(&boxed);
	ora_command_deinit(&plant);
	ora_command_deinit(&build);
	return good;
}

/* Runs the oracle. With debuggers that are lent, only an answer counts that is whole: whatever else
 * comes of it may be their doing, and it is asked once more with debuggers of its own. */
static void ask(const struct ora_plan *plan, const struct needs *needs, const char *const *argv,
	struct ora_box *box, struct ora_boxed *ret)
{
	const struct ora_keepers *keepers = plan->keepers;
	bool again = true;
	if (needs->oracle->debuggers && keepers && keepers->pids.len) {
		box->keepers = keepers->pids.data;
		box->keeper_count = keepers->pids.len;
		setenv(ORA_LENT_FOLDER, keepers->folder, 1);
		ora_box_run(box, argv, ret);
		unsetenv(ORA_LENT_FOLDER);
		again = ret->end != ORA_BOX_EXITED || ret->status > 1;
		if (again)
			ora_boxed_deinit(ret);
		box->keeper_count = 0;
	}
	if (again)
		ora_box_run(box, argv, ret);
	if (again && ret->end == ORA_BOX_KILLED && ret->status == SIGKILL) {
		/* Nothing in it does that: somebody did, and it says nothing about it. */
		ora_boxed_deinit(ret);
		ora_box_run(box, argv, ret);
	}
}

struct xs_error *ora_work(
	const struct ora_plan *plan, struct ora_campaign_job *job, const char *scratch)
{
	struct needs needs;
	struct ora_command line = {0};
	struct ora_boxed boxed = {0};
	double seconds = (double)ora_setting_number(&plan->settings, ORA_SET_JOB_SECONDS);
	struct ora_box box = ora_prepare_box(plan, scratch, scratch, seconds);
	struct xs_error *err = find_needs(plan, job, scratch, &needs);
	bool probed = !err && needs.oracle->need == ORA_NEEDS_PROBES;
	if (!err && !probed)
		err = fetch_all(plan, job, &needs, scratch);
	if (!err && !job->outcome && (!probed || build_probed(plan, job, &needs, scratch))) {
		ask_words(plan, job, plan->xstep, &needs, false, &line);
		ask(plan, &needs, ora_command_words(&line), &box, &boxed);
		if (ora_boxed_is_full(&boxed))
			err = ora_prepare_full(plan->folder, scratch);
		else
			ora_outcome_read(job, &boxed);
	}
	/* The same trouble in two programs, or by two workers, is to read the same. */
	const char *const here[][2] = {
		{scratch, ""}, {plan->folder, ""}, {job->program, "PROGRAM"}};
	for (size_t i = 0; !err && i < sizeof here / sizeof *here; i++)
		job->detail = ora_words_replace(job->detail, here[i][0], here[i][1]);
	ora_boxed_deinit(&boxed);
	ora_command_deinit(&line);
	needs_deinit(&needs);
	return err;
}

/* --- by hand ---------------------------------------------------------------------------------- */

struct xs_error *ora_work_by_hand(const struct ora_plan *plan, const struct ora_campaign_job *job,
	const char *folder, const char *xstep, struct ora_work_lines *ret)
{
	struct needs needs;
	XS_AUTO_FREE char *source = ora_source_path(plan->folder, job->program, plan->language);
	XS_AUTO_FREE char *probed = xs_asprintf("%s/%s.1.c", folder, job->program);
	struct xs_error *err = find_needs(plan, job, folder, &needs);
	if (err) {
		needs_deinit(&needs);
		return err;
	}
	bool probes = needs.oracle->need == ORA_NEEDS_PROBES;
	if (probes) {
		struct ora_command line = {0};
		probe_words(plan, job, folder, xstep, &line);
		xs_vec_push(&ret->builds, line);
	}
	if (needs.unopt) {
		struct ora_command line = {0};
		build_words(plan, job, ORA_UNOPTIMISED, source, needs.unopt, &line);
		xs_vec_push(&ret->builds, line);
	}
	if (needs.program) {
		struct ora_command line = {0};
		build_words(plan, job, job->level, probes ? probed : source, needs.program, &line);
		xs_vec_push(&ret->builds, line);
	}
	for (size_t i = 0, k = 0; i < plan->levels.vec.len && k < needs.opts.vec.len; i++) {
		struct ora_command line = {0};
		if (!strcmp(plan->levels.vec.data[i], ORA_UNOPTIMISED))
			continue;
		build_words(plan, job, plan->levels.vec.data[i], source, needs.opts.vec.data[k++],
			&line);
		xs_vec_push(&ret->builds, line);
	}
	if (needs.oracle->need == ORA_NEEDS_SOURCE) {
		free(needs.source);
		needs.source = xs_strdup(source);
	}
	ask_words(plan, job, xstep, &needs, true, &ret->ask);
	needs_deinit(&needs);
	return NULL;
}

void ora_work_lines_deinit(struct ora_work_lines *lines)
{
	for (size_t i = 0; i < lines->builds.len; i++)
		ora_command_deinit(&lines->builds.data[i]);
	xs_vec_deinit(&lines->builds);
	ora_command_deinit(&lines->ask);
}
