/* campaign_run.c - has everything done that is still to be done, by workers, and keeps what comes
 * of it as it comes. */
#include <dirent.h>

#include "base/clock.h"
#include "base/scratch.h"
#include "engine/interrupt.h"
#include "oracle/campaign/campaign.h"
#include "oracle/campaign/crew.h"
#include "oracle/campaign/exemplars.h"
#include "oracle/campaign/keepers.h"
#include "oracle/campaign/outcome.h"
#include "oracle/campaign/prepare.h"
#include "oracle/campaign/work.h"
#include "oracle/session/json_text.h"

enum { TRIES = 3 }; /* of a task whose worker dies: somebody may have killed it */

/* What a worker does: makes a program, or does a job. */
struct task {
	bool making;
	struct ora_origin origin;    /* of the program to be made */
	char *text;                  /* that origin in words; NULL for a job */
	char *base;                  /* of a mutant: the program's id; else NULL */
	struct ora_campaign_job job; /* to be done */
	unsigned tries;              /* that failed */
	double began;                /* when a worker got it */
};

struct runner {
	struct ora_campaign *campaign;
	struct ora_crew crew;
	XS_VEC(struct task *) waiting; /* jobs, and mutants to be made; done from `next` on */
	size_t next;
	struct ora_keepers keepers;
	uint64_t number; /* of the next program that may have to be made */
	struct ora_campaign_event event;
};

static void task_destroy(struct task *task)
{
	if (!task)
		return;
	ora_campaign_job_deinit(&task->job);
	free(task->text);
	free(task->base);
	free(task);
}

/* --- in a worker ------------------------------------------------------------------------------ */

static json_t *do_task(void *context, void *arg, const char *scratch)
{
	const struct ora_plan *plan = context;
	struct task *task = arg;
	struct ora_campaign_program program = {0};
	struct xs_error *err =
		task->making ? ora_prepare(plan, &task->origin, task->base, scratch, &program)
			     : ora_work(plan, &task->job, scratch);
	if (err) {
		json_t *told = json_object();
		json_object_set_new(told, "error", ora_json_text(err->message));
		return told;
	}
	return task->making ? ora_outcome_pack_program(&program) : ora_outcome_pack_job(&task->job);
}

/* --- what is to be done ----------------------------------------------------------------------- */

static struct task *making(const struct ora_origin *origin, const char *base)
{
	struct task *task = xs_calloc(1, sizeof *task);
	task->making = true;
	task->origin = *origin;
	task->text = ora_origin_text(origin);
	task->base = base ? xs_strdup(base) : NULL;
	return task;
}

static void add_job(struct runner *runner, struct ora_campaign_job *job)
{
	struct task *task = xs_calloc(1, sizeof *task);
	task->job = *job;
	*job = (struct ora_campaign_job){0};
	xs_vec_push(&runner->waiting, task);
	runner->event.jobs_known++;
}

/* How far earlier runs came. */
static struct xs_error *load_progress(struct runner *runner)
{
	struct ora_campaign_answer made;
	struct xs_error *err = ora_campaign_ask(runner->campaign->store, ORA_ASK_MADE, NULL, &made);
	if (!err) {
		runner->event.programs = strtoull(ora_campaign_cell(&made, 0, 0), NULL, 10);
		runner->event.all = ora_plan_count(&runner->campaign->plan) +
				    strtoull(ora_campaign_cell(&made, 0, 1), NULL, 10);
	}
	ora_campaign_answer_deinit(&made);
	return err;
}

static struct xs_error *load_pending(struct runner *runner)
{
	struct ora_campaign_jobs jobs = {0};
	struct xs_error *err = ora_campaign_pending(runner->campaign->store, &jobs);
	for (size_t i = 0; !err && i < jobs.vec.len; i++)
		add_job(runner, &jobs.vec.data[i]);
	ora_campaign_jobs_deinit(&jobs);
	return err;
}

/* Whether a program of this origin is there: *id, to be freed, and whether it is kept. */
static struct xs_error *look_up(
	struct runner *runner, const struct ora_origin *origin, char **id, bool *kept)
{
	XS_AUTO_FREE char *text = ora_origin_text(origin);
	struct ora_campaign_answer found;
	*id = NULL;
	struct xs_error *err =
		ora_campaign_ask(runner->campaign->store, ORA_ASK_PROGRAM, text, &found);
	if (!err && ora_campaign_rows(&found)) {
		*id = xs_strdup(ora_campaign_cell(&found, 0, 0));
		*kept = !ora_campaign_cell(&found, 0, 1);
	}
	ora_campaign_answer_deinit(&found);
	return err;
}

/* What is made of a program that is kept, as far as it is not there yet: mutants, and programs with
 * probes. */
static struct xs_error *add_mutants(
	struct runner *runner, const struct ora_origin *origin, const char *base)
{
	const struct ora_plan *plan = &runner->campaign->plan;
	struct xs_error *err = NULL;
	for (uint64_t i = 0; !err && i < plan->mutants + plan->probed; i++) {
		struct ora_origin mutant = *origin;
		XS_AUTO_FREE char *id = NULL;
		bool kept;
		mutant.probed = i >= plan->mutants;
		mutant.mutant = 1 + (mutant.probed ? i - plan->mutants : i);
		if ((err = look_up(runner, &mutant, &id, &kept)) || id)
			continue;
		xs_vec_push(&runner->waiting, making(&mutant, base));
		runner->event.all++;
	}
	return err;
}

/* The next program that is not there yet; NULL: there is none. */
static struct xs_error *next_program(struct runner *runner, struct task **ret)
{
	const struct ora_plan *plan = &runner->campaign->plan;
	struct xs_error *err = NULL;
	while (!err && !*ret && runner->number < ora_plan_count(plan)) {
		struct ora_origin origin = ora_plan_origin(plan, runner->number++);
		XS_AUTO_FREE char *id = NULL;
		bool kept = false;
		if ((err = look_up(runner, &origin, &id, &kept)))
			return err;
		if (id) {
			if (kept)
				err = add_mutants(runner, &origin, id);
			continue;
		}
		*ret = making(&origin, NULL);
	}
	return err;
}

/* What is to be done next; NULL: nothing, for now. */
static struct xs_error *next_task(struct runner *runner, struct task **ret)
{
	struct xs_error *err = NULL;
	*ret = NULL;
	if (runner->next == runner->waiting.len)
		err = next_program(runner, ret);
	/* Looking for one may have brought mutants of others. */
	if (!err && !*ret && runner->next < runner->waiting.len)
		*ret = runner->waiting.data[runner->next++];
	if (runner->next == runner->waiting.len)
		runner->next = runner->waiting.len = 0;
	return err;
}

/* --- what was done ---------------------------------------------------------------------------- */

/* What the workers do, and how long all of it will take. */
static void look_ahead(struct runner *runner)
{
	struct ora_campaign_event *event = &runner->event;
	const struct ora_plan *plan = &runner->campaign->plan;
	double kept =
		event->pace.programs ? (double)event->pace.kept / (double)event->pace.programs : 0;
	double to_make = event->all > event->programs ? (double)(event->all - event->programs) : 0;
	/* Mutants of programs that nobody has looked at. */
	to_make += (double)(ora_plan_count(plan) - runner->number) * kept *
		   (double)(plan->mutants + plan->probed);
	event->left = ora_pace_left(&event->pace, to_make, (double)event->jobs_known,
		ora_setting_number(&plan->settings, ORA_SET_JOBS));
	event->workers.len = 0;
	for (size_t i = 0; i < runner->crew.workers.len; i++) {
		const struct task *task = runner->crew.workers.data[i].task;
		if (!runner->crew.workers.data[i].pid)
			continue;
		struct ora_campaign_doing doing = {
			.origin = task->making ? task->text : task->job.origin,
			.job = task->making ? NULL : &task->job,
			.seconds = xs_now() - task->began};
		xs_vec_push(&event->workers, doing);
	}
}

static void tell(struct runner *runner, const struct ora_campaign_program *program,
	const struct ora_campaign_job *job, uint64_t fresh)
{
	struct ora_campaign_event *event = &runner->event;
	event->program = program;
	event->job = job;
	event->fresh = fresh;
	event->signatures += fresh;
	look_ahead(runner);
	if (runner->campaign->on_event)
		runner->campaign->on_event(runner->campaign->context, event);
}

/* The builds of a program with nothing to be done any more. */
static struct xs_error *forget_builds(struct runner *runner, const char *program)
{
	struct ora_campaign_answer left;
	struct xs_error *err =
		ora_campaign_ask(runner->campaign->store, ORA_ASK_UNFINISHED, program, &left);
	if (!err && ora_campaign_rows(&left) && !strcmp(ora_campaign_cell(&left, 0, 0), "0") &&
		ora_is_id(program))
		xs_scratch_destroy(ora_build_path(runner->campaign->plan.folder, program, NULL));
	ora_campaign_answer_deinit(&left);
	return err;
}

/* What a run that was killed had no time to remove. */
static struct xs_error *sweep_builds(struct runner *runner)
{
	XS_AUTO_FREE char *path = xs_asprintf("%s/builds", runner->campaign->plan.folder);
	struct xs_error *err = NULL;
	DIR *all = opendir(path);
	for (struct dirent *entry; all && !err && (entry = readdir(all));)
		err = forget_builds(runner, entry->d_name);
	if (all)
		closedir(all);
	return err;
}

static struct xs_error *keep_program(
	struct runner *runner, const struct task *task, struct ora_campaign_program *program)
{
	uint64_t fresh = 0;
	struct ora_pace *pace = &runner->event.pace;
	struct xs_error *err = ora_campaign_add_program(runner->campaign->store, program);
	if (err)
		return err;
	runner->event.programs++;
	pace->programs++;
	pace->kept += !program->reason;
	pace->builds += program->builds.len;
	pace->making += program->seconds;
	for (size_t i = 0; i < program->jobs.len; i++) {
		pace->brought += !program->jobs.data[i].outcome;
		runner->event.findings += program->jobs.data[i].findings.len;
		fresh += ora_campaign_fresh(&program->jobs.data[i]);
	}
	tell(runner, program, NULL, fresh);
	for (size_t i = 0; i < program->jobs.len; i++)
		if (!program->jobs.data[i].outcome) {
			program->jobs.data[i].origin = xs_strdup(program->origin);
			program->jobs.data[i].flags = xs_strdup(program->flags);
			add_job(runner, &program->jobs.data[i]);
		}
	if (program->reason)
		return forget_builds(runner, program->id);
	return task->origin.mutant ? NULL : add_mutants(runner, &task->origin, program->id);
}

static struct xs_error *keep_job(
	struct runner *runner, const struct task *task, struct ora_campaign_job *job)
{
	job->id = task->job.id;
	job->origin = xs_strdup(task->job.origin);
	struct xs_error *err = ora_campaign_finish_job(runner->campaign->store, job);
	if (err)
		return err;
	runner->event.pace.jobs++;
	runner->event.pace.working += job->seconds;
	runner->event.jobs_known--;
	runner->event.findings += job->findings.len;
	tell(runner, NULL, job, ora_campaign_fresh(job));
	return forget_builds(runner, job->program);
}

/* A worker died without an answer, again and again: that is what is known. */
static json_t *last_answer(const struct task *task)
{
	static const char words[] = "the worker died";
	if (!task->making) {
		struct ora_campaign_job job = task->job;
		job.outcome = (char *)(uintptr_t) "crashed";
		job.detail = (char *)(uintptr_t)words;
		return ora_outcome_pack_job(&job);
	}
	char id[ORA_CAMPAIGN_ID];
	struct ora_campaign_program program = {.origin = ora_origin_text(&task->origin),
		.rank = ora_origin_rank(&task->origin),
		.flags = xs_strdup(""),
		.reason = xs_strdup(words)};
	ora_campaign_id(id, program.origin, "", NULL);
	program.id = xs_strdup(id);
	json_t *answer = ora_outcome_pack_program(&program);
	ora_campaign_program_deinit(&program);
	return answer;
}

/* Takes the task and the answer. */
static struct xs_error *keep(struct runner *runner, struct task *task, json_t *answer)
{
	struct xs_error *err = NULL;
	const char *error = json_string_value(json_object_get(answer, "error"));
	if (!answer && ++task->tries < TRIES) {
		xs_vec_push(&runner->waiting, task);
		return NULL;
	}
	if (!answer)
		answer = last_answer(task);
	if (error) {
		err = xs_error_create("%s", error);
	} else if (task->making) {
		struct ora_campaign_program program;
		err = ora_outcome_unpack_program(answer, &program)
			      ? keep_program(runner, task, &program)
			      : xs_error_create("a worker's answer makes no sense: a bug in xstep");
		ora_campaign_program_deinit(&program);
	} else {
		struct ora_campaign_job job;
		err = ora_outcome_unpack_job(answer, &job)
			      ? keep_job(runner, task, &job)
			      : xs_error_create("a worker's answer makes no sense: a bug in xstep");
		ora_campaign_job_deinit(&job);
	}
	json_decref(answer);
	task_destroy(task);
	return err;
}

/* --- all of it -------------------------------------------------------------------------------- */

static struct xs_error *start_more(struct runner *runner)
{
	struct xs_error *err = NULL;
	while (!err && ora_crew_is_free(&runner->crew)) {
		struct task *task;
		if ((err = next_task(runner, &task)) || !task)
			return err;
		task->began = xs_now();
		const struct ora_oracle *oracle =
			task->making ? NULL : ora_oracle_find(task->job.oracle);
		if (oracle && oracle->debuggers)
			ora_keepers_check(&runner->keepers);
		if ((err = ora_crew_begin(&runner->crew, task, do_task, &runner->campaign->plan)))
			task_destroy(task);
	}
	return err;
}

static struct xs_error *run_all(struct runner *runner)
{
	struct xs_error *err = sweep_builds(runner);
	if (!err && !(err = load_progress(runner)))
		err = load_pending(runner);
	while (!err && !eng_interrupt_is_wish()) {
		void *task;
		json_t *answer;
		if ((err = start_more(runner)) || !ora_crew_busy(&runner->crew))
			break;
		if (ora_crew_wait(&runner->crew, &task, &answer))
			err = keep(runner, task, answer);
		else
			tell(runner, NULL, NULL, 0);
	}
	for (struct task *task; (task = ora_crew_end(&runner->crew));)
		task_destroy(task);
	for (size_t i = runner->next; i < runner->waiting.len; i++)
		task_destroy(runner->waiting.data[i]);
	xs_vec_deinit(&runner->waiting);
	xs_vec_deinit(&runner->event.workers);
	return err;
}

struct xs_error *ora_campaign_run(struct ora_campaign *campaign)
{
	struct runner runner = {.campaign = campaign};
	char *scratch = NULL;
	struct xs_error *err = xs_scratch_create("campaign", &scratch);
	if (err)
		return err;
	ora_crew_init(&runner.crew, scratch,
		(size_t)ora_setting_number(&campaign->plan.settings, ORA_SET_JOBS));
	eng_interrupt_hold();
	ora_keepers_init(&runner.keepers, &campaign->plan, scratch);
	campaign->plan.keepers = &runner.keepers;
	err = run_all(&runner);
	campaign->plan.keepers = NULL;
	ora_keepers_deinit(&runner.keepers);
	campaign->signal = eng_interrupt_signal();
	xs_scratch_destroy(scratch);
	if (!err && !campaign->signal)
		err = ora_exemplars_write(&campaign->plan, campaign->store);
	eng_interrupt_release();
	ora_crew_deinit(&runner.crew);
	return err;
}
