#include "oracle/session/framing.h"

#include "oracle/truth/frames_run.h"

/* Tells whoever waits how far it has come. */
static void on_progress(void *context, uint64_t executed)
{
	const struct ora_hearing *hearing =
		&((struct ora_framing *)context)->checking->cache.hearing;
	if (hearing->on_progress)
		hearing->on_progress(hearing->context, executed, 0, 0);
}

static struct xs_error *run_it(struct ora_framing *framing)
{
	const struct ora_hearing *hearing = &framing->checking->cache.hearing;
	struct ora_program program = ora_program_another(&hearing->program);
	struct ora_frames_run run = {.check = &framing->checking->check,
		.recording = {.from = hearing->from,
			.mode = ora_own_mode(framing->mode),
			.sample = ora_own_sample(framing->sample),
			.seed = framing->seed,
			.limit = framing->limit},
		.on_progress = on_progress,
		.context = framing};
	struct xs_error *err = ora_program_prepare(&program, framing->argv, &run.recording.run);
	if (!err)
		err = ora_frames_run(&run);
	framing->executed = run.recording.stops;
	framing->looked = run.looked;
	if (run.recording.interrupted_by) {
		framing->checking->cache.signal = run.recording.interrupted_by;
		framing->checking->cache.trouble = true;
		framing->checking->on_warning(ORA_CHECKING_CUT);
	}
	ora_frames_run_deinit(&run);
	ora_program_release(&program);
	return err;
}

struct xs_error *ora_framing_run(struct ora_framing *framing)
{
	const struct ora_trace_need need = {
		"frames", ORA_LEVEL_INSTRUCTION, ORA_SAMPLE_UNIQUE, .frames = true};
	struct ora_checking *checking = framing->checking;
	struct xs_error *err;
	checking->cache.hearing.limit = framing->limit;
	if ((err = ora_checking_hear_debuggers(checking, framing->argv, &need)) ||
		(err = ora_checking_begin_live(checking, framing->argv, "execution",
			 "what calls and registers really were", need.role)))
		return err;
	return run_it(framing);
}
