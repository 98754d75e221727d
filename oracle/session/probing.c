#include "oracle/session/probing.h"

#include "oracle/truth/probes.h"

/* Says what kept it from looking at all of them. */
static void tell_gaps(struct ora_checking *checking, const struct ora_probe_run *run)
{
	if (run->interrupted_by) {
		checking->cache.signal = run->interrupted_by;
		checking->cache.trouble = true;
		checking->on_warning(ORA_CHECKING_CUT);
	}
	if (run->blind)
		checking->on_warning("while the program had several threads its probes were not "
				     "looked at");
}

static struct xs_error *ask(struct ora_probing *probing, struct ora_check_probes *probes)
{
	struct ora_checking *checking = probing->checking;
	const struct ora_trace_need need = {
		"probe", ORA_LEVEL_INSTRUCTION, ORA_SAMPLE_DTD, .only = &probes->pcs};
	struct xs_error *err;
	checking->cache.hearing.seed = probing->seed;
	if ((err = ora_check_probes_open(probes)) ||
		(err = ora_checking_hear_debuggers(checking, probing->argv, &need)) ||
		(err = ora_checking_begin_live(checking, probing->argv, "operand",
			 "where the code generator has it", need.role)) ||
		(err = ora_check_probes(probes)))
		return err;
	tell_gaps(checking, &probes->run);
	probing->places = probes->run.places.len;
	probing->reached = probes->reached;
	probing->arrivals = probes->arrivals;
	probing->looked = probes->looked;
	return NULL;
}

struct xs_error *ora_probing_run(struct ora_probing *probing)
{
	const struct ora_hearing *hearing = &probing->checking->cache.hearing;
	struct ora_program program = ora_program_another(&hearing->program);
	struct ora_run run = {0};
	struct ora_check_probes probes = {.check = &probing->checking->check,
		.traces = {ORA_LIVE_TRUTH, ORA_LIVE_XSTEP},
		.max_leaves = hearing->max_leaves,
		.run = {.run = &run,
			.from = hearing->from,
			.every = probing->every,
			.budget = probing->budget,
			.seed = probing->seed}};
	struct xs_error *err = ora_program_prepare(&program, probing->argv, &run);
	if (!err)
		err = ask(probing, &probes);
	ora_check_probes_deinit(&probes);
	ora_run_deinit(&run);
	ora_program_release(&program);
	return err;
}
