#include "oracle/campaign/keepers.h"

#include "base/log.h"
#include "base/private.h"
#include "oracle/campaign/campaign_plan.h"
#include "oracle/session/witnesses.h"

enum { STARTS_MOST = 20 };

void ora_keepers_init(struct ora_keepers *keepers, const struct ora_plan *plan, const char *scratch)
{
	bool asked = false;
	*keepers = (struct ora_keepers){0};
	for (size_t i = 0; i < plan->oracles.len; i++)
		asked |= plan->oracles.data[i]->debuggers;
	if (asked && strcmp(plan->settings.value[ORA_SET_DEBUGGERS], "fresh") != 0)
		ora_keepers_init_named(keepers, plan->settings.value[ORA_SET_WITNESS], scratch);
}

void ora_keepers_init_named(struct ora_keepers *keepers, const char *witnesses, const char *scratch)
{
	*keepers = (struct ora_keepers){0};
	XS_AUTO(xs_error)
	err = ora_witnesses_named(
		*witnesses ? witnesses : "xstep,gdb,lldb", NULL, NULL, &keepers->witnesses);
	keepers->folder = xs_asprintf("%s/kept", scratch);
	if (err || xs_private_folder(keepers->folder)) {
		ora_keepers_deinit(keepers);
		return;
	}
	for (size_t i = 0; i < keepers->witnesses.vec.len; i++)
		xs_vec_push(&keepers->vec, (struct ora_kept){0});
}

/* Whether another one of the same kind is kept already: a socket is for one. */
static bool is_second(const struct ora_keepers *keepers, size_t which)
{
	for (size_t i = 0; i < which; i++)
		if (keepers->witnesses.vec.data[i].kind == keepers->witnesses.vec.data[which].kind)
			return true;
	return false;
}

void ora_keepers_check(struct ora_keepers *keepers)
{
	keepers->pids.len = 0;
	for (size_t i = 0; i < keepers->vec.len; i++) {
		struct ora_kept *kept = &keepers->vec.data[i];
		const struct ora_witness *witness = &keepers->witnesses.vec.data[i];
		if (witness->kind == ORA_WITNESS_XSTEP ||
			ora_witness_is_symboliser(witness->kind) || witness->problem ||
			!witness->path || is_second(keepers, i))
			continue;
		if (!ora_kept_is_alive(kept) && keepers->starts < STARTS_MOST) {
			ora_kept_end(kept);
			keepers->starts++;
			XS_AUTO(xs_error) err = ora_kept_start(witness, keepers->folder, kept);
			if (err)
				xs_log(XS_LOG_ORACLE, XS_LOG_INFO, "%s: not kept: %s",
					witness->path, err->message);
		}
		if (ora_kept_is_alive(kept))
			xs_vec_push(&keepers->pids, kept->helper.pid);
	}
}

void ora_keepers_deinit(struct ora_keepers *keepers)
{
	for (size_t i = 0; i < keepers->vec.len; i++)
		ora_kept_end(&keepers->vec.data[i]);
	xs_vec_deinit(&keepers->vec);
	xs_vec_deinit(&keepers->pids);
	ora_witnesses_deinit(&keepers->witnesses);
	free(keepers->folder);
	*keepers = (struct ora_keepers){0};
}
