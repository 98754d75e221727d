#include "oracle/session/recorder.h"

#include "oracle/session/hearing.h"

static struct xs_error *record(
	void *context, const struct ora_recorder_wish *wish, struct ora_recorded *ret)
{
	struct ora_hearing one = *(const struct ora_hearing *)context;
	one.argv = wish->argv;
	one.store = wish->store;
	one.fleeting = wish->fleeting;
	if (wish->witnesses)
		one.witness = wish->witnesses;
	if (wish->all_stops) {
		one.sample = ORA_SAMPLE_ALL;
		one.repeat = 0;
	}
	if (wish->twice)
		one.repeat = 2;
	if (wish->need) {
		one.level = wish->need->level;
		one.sample = wish->need->sample;
		one.vars = ORA_VARS_LOCALS;
		one.frames = true;
		one.from = wish->from;
		one.plan = wish->plan;
	}
	struct xs_error *err = ora_hear(&one);
	*ret = (struct ora_recorded){.trouble = one.trouble,
		.shared = one.drive == ORA_DRIVE_SHARED,
		.interrupted_by = one.interrupted_by};
	return err;
}

struct ora_recorder ora_recorder_of(struct ora_hearing *hearing)
{
	return (struct ora_recorder){.record = record, .context = hearing};
}
