#include "oracle/witness/own/own.h"

#include <signal.h>

#include "engine/interrupt.h"
#include "oracle/witness/own/coverage.h"
#include "oracle/witness/own/record.h"
#include "oracle/witness/own/tell.h"

/* One thread's part of the testimony: all of it, unless all threads are traced. */
struct part {
	struct ora_testimony *testimony;
	struct ora_recording *recording; /* its stops */
	struct ora_sink *sink;           /* whom it tells */
	struct ora_teller teller;        /* what there is to tell */
	struct ora_coverage coverage;    /* of what was told, if the sink wants figures */
	struct xs_error *err;            /* what went wrong at a stop */
	XS_VEC(struct part *) others;    /* of the other threads */
};

/* Who has been told to end has no time for a stop with millions of facts. */
static bool is_wanted(void)
{
	return !eng_interrupt_is_wish();
}

static bool on_stop(void *context, const struct ora_stop *stop)
{
	struct part *part = context;
	const struct ora_testimony *testimony = part->testimony;
	const struct ora_told *told;
	struct xs_error *err = ora_tell(&part->teller, stop, &told);
	/* An interruption kills the process. What was read from then on is not so: the stop is not
	 * told. */
	if (eng_interrupt_signal()) {
		xs_error_destroy(err);
		return false;
	}
	if ((part->err = err))
		return false;
	part->teller.told.is_wanted = is_wanted;
	if (part->sink->ops->figure)
		ora_coverage_stop(&part->coverage, told->place_index);
	if ((part->err = ora_sink_stop(part->sink, told)) || eng_interrupt_signal())
		return false;
	return !testimony->on_live || testimony->on_live(testimony->context, stop);
}

static bool on_stop_unheeded(void *context, const struct ora_stop *stop)
{
	(void)context, (void)stop;
	return true;
}

static struct ora_told_transition transition_of(struct part *part, const struct ora_place *prev,
	const struct ora_place *place, uint64_t count)
{
	return (struct ora_told_transition){
		.prev = prev ? ora_tell_place(&part->teller, prev) : NULL,
		.prev_index = prev ? prev->index : 0,
		.place = ora_tell_place(&part->teller, place),
		.place_index = place->index,
		.count = count};
}

static void on_step(void *context, const struct ora_stop *stop)
{
	struct part *part = context;
	struct ora_told_transition step = transition_of(part, stop->prev, stop->place, 0);
	part->sink->ops->step(part->sink, &step);
}

static void on_progress(void *context, uint64_t executed)
{
	const struct part *part = context;
	const struct ora_testimony *testimony = part->testimony;
	testimony->on_progress(testimony->context, executed, part->recording->kept);
}

/* --- the beginning ---------------------------------------------------------------------------- */

static struct xs_error *begin(struct part *part)
{
	const struct ora_question *question = part->testimony->question;
	const struct ora_recording *recording = part->recording;
	const struct ora_run *run = &recording->run;
	const char *mode = ora_mode_text(question->mode);
	XS_AUTO_FREE char *moved = run->moved   ? xs_asprintf(ORA_MODE_MOVED " %u", run->moved)
				   : run->again ? xs_strdup(ORA_MODE_AGAIN)
				   : run->rounding
					   ? xs_asprintf(ORA_MODE_ROUNDING " %u", run->rounding)
					   : xs_strdup("");
	const char *steady = run->steady ? ORA_MODE_STEADY : "";
	const char *inner = question->inner ? ORA_MODE_INNER : "";
	XS_AUTO_FREE char *words = recording->thread
					   ? xs_asprintf("%s%s%s%s, thread %u", mode, steady, moved,
						     inner, recording->thread)
					   : xs_asprintf("%s%s%s%s", mode, steady, moved, inner);
	part->teller.subject = run->subject;
	part->teller.which = question->vars == ORA_VARS_ALL ? DI_WHICH_LOCALS | DI_WHICH_GLOBALS
			     : question->vars == ORA_VARS_LOCALS ? DI_WHICH_LOCALS
								 : 0;
	part->teller.frames = question->frames;
	part->teller.regs = question->regs;
	part->teller.inner = question->inner;
	part->teller.max_leaves = question->max_leaves;
	part->teller.inlined = part->sink->inlined;
	part->coverage.states = question->vars != ORA_VARS_NONE;
	part->coverage.globals = question->vars == ORA_VARS_ALL;
	struct ora_told_about about = {.title = run->subject->modules.data[0].info->name,
		.witness = ora_witness_name(ORA_WITNESS_XSTEP),
		.version = part->testimony->witness->version,
		.program = run->path,
		.argv = run->argv,
		.info = run->subject->modules.data[0].info,
		.thread = recording->thread,
		.trace = ora_question_trace(question)};
	about.trace.witness = about.witness;
	about.trace.version = XSTEP_VERSION;
	about.trace.mode = words;
	return ora_sink_begin(part->sink, &about);
}

/* --- the end ---------------------------------------------------------------------------------- */

static struct ora_ending ending_of(const struct part *part)
{
	const struct ora_question *question = part->testimony->question;
	const struct ora_recording *recording = part->recording;
	bool timeout = recording->interrupted_by == SIGALRM;
	struct ora_ending ret = {.from = question->from,
		.limit = question->limit,
		.timeout = recording->run.timeout,
		.interrupted_by = recording->interrupted_by};
	switch (recording->end) {
	case ENG_END_RETURN:
		ret.over = ORA_OVER_RETURN;
		break;
	case ENG_END_EXEC:
		ret.over = ORA_OVER_EXEC;
		break;
	case ENG_END_PROGRAM:
		ret.over = recording->thread > 1 ? ORA_OVER_THREAD : ORA_OVER_PROGRAM;
		break;
	case ENG_END_LIMIT:
		ret.over = ORA_OVER_LIMIT;
		break;
	case ENG_END_INTERRUPTED:
		ret.over = timeout ? ORA_OVER_TIMEOUT : ORA_OVER_SIGNAL;
		return ret;
	case ENG_END_CALLER:
		ret.over = ORA_OVER_CUT;
		break;
	}
	if (!recording->finished)
		return ret;
	bool exited = recording->fate.kind == ENG_EVENT_EXITED;
	ret.fate = exited ? ORA_FATE_EXITED : ORA_FATE_KILLED;
	ret.status = exited ? recording->fate.status : 0;
	ret.killed_by = exited ? 0 : recording->fate.signal;
	return ret;
}

static void tell_transitions(struct part *part)
{
	const struct ora_recording *recording = part->recording;
	for (size_t i = 0; part->sink->ops->transition && i < recording->transitions.len; i++) {
		const struct ora_transition *one = &recording->transitions.data[i];
		struct ora_told_transition told =
			transition_of(part, one->prev, one->pc, one->count);
		part->sink->ops->transition(part->sink, &told);
	}
}

static void on_figure(
	void *arg, const char *kind, const char *name, uint64_t selected, uint64_t evaluated)
{
	struct part *part = arg;
	part->sink->ops->figure(part->sink, kind, name, selected, evaluated);
}

/* Tells how it ended, whatever became of it; the first error is what matters. */
static struct xs_error *finish(struct part *part, struct xs_error *err)
{
	const struct ora_recording *recording = part->recording;
	if (part->err) { /* why the trace ended */
		xs_error_destroy(err);
		err = xs_take(&part->err);
	}
	tell_transitions(part);
	if (part->sink->ops->figure)
		ora_coverage_tell(&part->coverage, recording, on_figure, part);
	struct xs_error *worse =
		ora_sink_end(part->sink, &(struct ora_told_end){.ending = ending_of(part),
						 .trouble = err ? err->message : NULL,
						 .failed = err,
						 .stops = recording->stops,
						 .kept = recording->kept,
						 .counted = true,
						 .transitions = recording->transitions.len,
						 .never = recording->never.data,
						 .never_count = recording->never.len,
						 .loaded = recording->loaded,
						 .effort = {.traps = recording->traps,
							 .steps = recording->steps,
							 .signals = recording->signals,
							 .seconds = recording->seconds}});
	ora_teller_deinit(&part->teller);
	ora_coverage_deinit(&part->coverage);
	if (err)
		xs_error_destroy(worse);
	return err ? err : worse;
}

/* --- threads ---------------------------------------------------------------------------------- */

/* A thread other than the first begins. */
static struct xs_error *on_thread(void *context, struct ora_recording *thread)
{
	struct part *first = context;
	struct part *part = xs_calloc(1, sizeof *part);
	*part = (struct part){.testimony = first->testimony,
		.recording = thread,
		.sink = first->sink->ops->split(first->sink)};
	/* What is in the list is finished, so it is there only when it can be. */
	struct xs_error *err = begin(part);
	if (err) {
		ora_sink_destroy(part->sink);
		ora_teller_deinit(&part->teller);
		free(part);
		return err;
	}
	thread->context = part;
	xs_vec_push(&first->others, part);
	return NULL;
}

static struct xs_error *finish_others(struct part *first, struct xs_error *err)
{
	for (size_t i = 0; i < first->others.len; i++) {
		struct part *part = first->others.data[i];
		struct xs_error *own = finish(part, NULL);
		ora_sink_destroy(part->sink);
		free(part);
		if (err)
			xs_error_destroy(own);
		else
			err = own;
	}
	xs_vec_deinit(&first->others);
	return err;
}

/* --- all of it -------------------------------------------------------------------------------- */

static struct xs_error *testify(struct ora_testimony *testimony)
{
	const struct ora_question *question = testimony->question;
	struct ora_recording results = {0},
			     *recording = testimony->recording ? testimony->recording : &results;
	struct part first = {
		.testimony = testimony, .recording = recording, .sink = testimony->sink};
	bool all = question->threads == ORA_THREADS_ALL;
	*recording = (struct ora_recording){.run = *question->run,
		.from = question->from,
		.modules = question->modules,
		.module_count = question->module_count,
		.mode = ora_own_mode(question->mode),
		.all_threads = all,
		.thread = all,
		.level = (enum ora_level)question->level,
		.sample = ora_own_sample(question->sample),
		.seed = question->seed,
		.limit = question->limit,
		.limit_kept = question->mode == ORA_MODE_UNIQUE,
		.on_thread = on_thread,
		.context = &first};
	struct xs_error *err = begin(&first);
	if (err) {
		ora_teller_deinit(&first.teller);
		return err;
	}
	bool unheeded = !first.sink->ops->stop && !testimony->on_live;
	recording->live = testimony->on_live || (!unheeded && ora_teller_looks(&first.teller));
	recording->on_stop = unheeded ? on_stop_unheeded : on_stop;
	recording->on_step = first.sink->ops->step ? on_step : NULL;
	recording->on_progress = testimony->on_progress ? on_progress : NULL;
	err = ora_record(recording);
	testimony->interrupted_by = recording->interrupted_by;
	err = finish_others(&first, finish(&first, err));
	if (recording == &results)
		ora_recording_release(&results);
	return err;
}

const struct ora_witness_ops ora_own_ops = {.testify = testify};

void ora_own_witness(struct ora_witness *ret)
{
	*ret = (struct ora_witness){.ops = &ora_own_ops,
		.kind = ORA_WITNESS_XSTEP,
		.version = xs_strdup("xstep " XSTEP_VERSION)};
}
