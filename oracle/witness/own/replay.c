#include "oracle/witness/own/replay.h"

static bool declines(enum ora_state state)
{
	return state == ORA_STATE_OPTIMIZED_OUT || state == ORA_STATE_ERROR;
}

bool ora_replayed_is(const struct ora_replayed *replayed, enum ora_state state, const char *value)
{
	if (declines(state))
		return declines(replayed->state);
	if (replayed->state != state)
		return false;
	return !value || (replayed->value && !strcmp(replayed->value, value));
}

void ora_replay_deinit(struct ora_replay *replay)
{
	free(replay->own.value);
	free(replay->explained);
	for (unsigned i = 0; i < DI_MISTAKE_COUNT; i++)
		free(replay->by[i].value);
}

struct xs_error *ora_rerun(struct ora_rerun *rerun)
{
	(void)rerun;
	return xs_error_create("not there yet");
}
