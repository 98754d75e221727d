#include "oracle/session/reproduce.h"

const char *ora_again_text(enum ora_again again)
{
	static const char *const texts[] = {
		"not asked", "reproduced", "not reproduced", "never got there", "crashed"};
	return texts[again];
}

struct xs_error *ora_reproduce(struct ora_reproducing *reproducing)
{
	(void)reproducing;
	return NULL;
}

void ora_reproducing_deinit(struct ora_reproducing *reproducing)
{
	for (size_t i = 0; i < reproducing->asked.len; i++)
		free(reproducing->asked.data[i].words);
	xs_vec_deinit(&reproducing->asked);
	free(reproducing->trouble);
}
