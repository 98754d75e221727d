#include "oracle/session/twinning.h"

#include <signal.h>

#include "dwarf/gaps.h"
#include "oracle/truth/same_code.h"

/* What a run needs, and what it is compared with. */
struct job {
	struct ora_twinning *twinning;
	struct ora_program program; /* a copy, prepared */
	struct ora_recording recording;
	struct ora_check_twins check;
	struct ora_twin_sources sources;
	XS_VEC(struct ora_twin) twins;
};

/* Refuses a file without what the check reads. */
static struct xs_error *see_debug_information(const struct di_module *module, const char *path)
{
	const char *reason = di_gaps_reason(module, false);
	if (!reason && !module->dwarf)
		reason = "no debug information";
	return reason ? xs_error_create("%s: %s; " DI_GAPS_ADVICE, path, reason) : NULL;
}

/* Proves that one has the same code, and opens it. */
static struct xs_error *add_twin(struct job *job, const struct ora_twin_file *file)
{
	struct ora_twinning *twinning = job->twinning;
	const char *program = job->recording.run.path;
	struct ora_same_code same;
	struct ora_twin twin = {.name = file->name, .identical = file->identical};
	struct xs_error *err = ora_same_code(program, file->path, &same);
	if (err)
		return err;
	XS_AUTO_FREE char *difference = same.difference;
	if (difference) {
		XS_AUTO_FREE char *text = xs_asprintf("%s: not the code of %s: %s%s", file->name,
			program, difference,
			file->optional ? "; left out: xstep ccmd tells what debug options change"
				       : "; xstep ccmd tells what debug options change");
		if (!file->optional)
			return xs_error_create("%s", text);
		twinning->checking->on_warning(text);
		return NULL;
	}
	struct di_module_options options = {.debug_file = same.debug_file ? file->path : NULL};
	if ((err = di_module_open_with(
		     same.debug_file ? program : file->path, &options, &twin.module)) ||
		(err = see_debug_information(twin.module, file->path))) {
		di_module_destroy(twin.module);
		return err;
	}
	/* Its thread-local storage is that of the program. */
	twin.module->program = job->recording.run.subject->modules.data[0].info->program;
	/* A tool leaves the build-id alone. */
	twin.identical |= same.same_build_id;
	twinning->debug_file |= same.debug_file;
	xs_vec_push(&job->twins, twin);
	return NULL;
}

static struct xs_error *prepare(struct job *job)
{
	struct ora_twinning *twinning = job->twinning;
	const struct ora_hearing *hearing = &twinning->checking->cache.hearing;
	struct xs_error *err;
	if (hearing->vars == ORA_VARS_NONE || hearing->sample == ORA_SAMPLE_NONE)
		return xs_error_create("check twins: without variables at stops nothing is asked: "
				       "neither --vars none nor --sample none");
	job->program = ora_program_another(&hearing->program);
	job->recording = (struct ora_recording){.from = hearing->from,
		.mode = ora_own_mode(hearing->mode),
		.sample = ora_own_sample(
			hearing->sample == ORA_NOT_GIVEN ? ORA_SAMPLE_DTD : hearing->sample),
		.seed = hearing->seed,
		.limit = hearing->limit};
	if ((err = ora_program_prepare(&job->program, twinning->argv, &job->recording.run)) ||
		(err = ora_run_open(&job->recording.run)) ||
		(err = see_debug_information(
			 job->recording.run.subject->modules.data[0].info, twinning->argv[0])))
		return err;
	for (size_t i = 0; !err && i < twinning->files.len; i++)
		err = add_twin(job, &twinning->files.data[i]);
	for (size_t i = 0; !err && i < twinning->sources.vec.len; i++) {
		const char *path = twinning->sources.vec.data[i], *dot = strrchr(path, '.');
		/* What was built may be of C++ or Rust, which the parser does not read. */
		if (twinning->made && (!dot || strcmp(dot, ".c") != 0))
			continue;
		err = ora_twin_sources_add(
			&job->sources, path, twinning->flags.vec.data, twinning->flags.vec.len);
		if (err && twinning->made) {
			twinning->checking->on_warning(err->message);
			xs_error_destroy(xs_take(&err));
		}
	}
	if (!err && !job->twins.len)
		err = xs_error_create("check twins: nothing could be asked: no other file has the "
				      "code of %s",
			twinning->argv[0]);
	return err;
}

static void on_progress(void *context, uint64_t executed, uint64_t kept)
{
	const struct ora_hearing *hearing = context;
	hearing->on_progress(hearing->context, executed, kept, 0);
}

static struct xs_error *look(struct job *job)
{
	struct ora_twinning *twinning = job->twinning;
	struct ora_hearing *hearing = &twinning->checking->cache.hearing;
	if (hearing->on_phase)
		hearing->on_phase(
			hearing->context, "reading all debug information", 0, hearing->limit);
	job->check = (struct ora_check_twins){.check = &twinning->checking->check,
		.recording = &job->recording,
		.twins = job->twins.data,
		.count = job->twins.len,
		.sources = &job->sources,
		.own = ORA_LIVE_XSTEP,
		.other = ORA_LIVE_TRUTH,
		.open = twinning->open,
		.which = hearing->vars == ORA_VARS_LOCALS ? DI_WHICH_LOCALS
							  : DI_WHICH_LOCALS | DI_WHICH_GLOBALS,
		.max_leaves = hearing->max_leaves,
		.on_progress = hearing->on_progress ? on_progress : NULL,
		.context = hearing};
	struct xs_error *err = ora_check_twins(&job->check);
	twinning->stops = job->check.stops;
	twinning->compared = job->check.count;
	memcpy(twinning->words, job->check.words, sizeof twinning->words);
	twinning->interrupted_by = job->recording.interrupted_by;
	ora_check_twins_deinit(&job->check);
	return err;
}

struct xs_error *ora_twinning_run(struct ora_twinning *twinning)
{
	struct job job = {.twinning = twinning};
	struct xs_error *err = prepare(&job);
	if (!err)
		err = look(&job);
	ora_recording_deinit(&job.recording);
	ora_program_release(&job.program);
	ora_twin_sources_deinit(&job.sources);
	for (size_t i = 0; i < job.twins.len; i++)
		di_module_destroy(job.twins.data[i].module);
	xs_vec_deinit(&job.twins);
	return err;
}
