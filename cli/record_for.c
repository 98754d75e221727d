#include "cli/record_for.h"

static int sample_of(enum eng_sample sample)
{
	static const int samples[] = {[ENG_SAMPLE_DTD] = CLI_SAMPLE_DTD,
		[ENG_SAMPLE_NONE] = CLI_SAMPLE_NONE,
		[ENG_SAMPLE_ALL] = CLI_SAMPLE_ALL,
		[ENG_SAMPLE_UNIQUE] = CLI_SAMPLE_UNIQUE};
	return samples[sample];
}

static struct xs_error *record(
	void *context, const struct ora_recorder_wish *wish, struct ora_recorded *ret)
{
	struct cli_record one = *(const struct cli_record *)context;
	struct ora_recording recording = {0};
	one.output = wish->store;
	if (wish->witnesses)
		one.witness = wish->witnesses;
	if (wish->all_stops) {
		one.sample = CLI_SAMPLE_ALL;
		one.repeat = 0;
	}
	if (wish->twice)
		one.repeat = 2;
	if (wish->need) {
		one.level = (int)wish->need->level; /* in the same order */
		one.sample = sample_of(wish->need->sample);
		one.vars = CLI_VARS_LOCALS;
		one.frames = true;
		one.from = wish->from;
		one.plan = wish->plan;
	}
	*ret = (struct ora_recorded){0};
	struct xs_error *err = cli_record_witnesses(&one, wish->argv, &recording, &ret->trouble);
	ret->interrupted_by = recording.interrupted_by;
	ret->shared = one.drive == CLI_DRIVE_SHARED;
	ora_recording_deinit(&recording);
	return err;
}

struct ora_recorder cli_record_for(const struct cli_record *options)
{
	return (struct ora_recorder){.record = record, .context = (void *)(uintptr_t)options};
}
