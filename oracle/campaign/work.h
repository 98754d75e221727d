/* work.h - one job: an oracle is asked about a program, as one compiler builds it.
 *
 * The oracle is this very xstep, run as a command: what it crashes of ends no one else's work, and
 * what it does is what anybody can do by hand. It runs on copies of the builds in a scratch folder,
 * whose path has the same length in every campaign: paths are on the stack of a program. */
#ifndef ORA_WORK_H
#define ORA_WORK_H

#include "oracle/campaign/campaign_plan.h"

/* In a process that may run boxes. Fills in what came of the job; an error is ours: a full disk. A
 * program that no longer builds is the job's trouble. */
XS_MUST_CHECK struct xs_error *ora_work(
	const struct ora_plan *plan, struct ora_campaign_job *job, const char *scratch);

/* What a job comes to, for people: the commands that build what it needs in a folder, one line each
 * and the compiler first, and the one that asks, by `xstep`. */
struct ora_work_lines {
	XS_VEC(struct ora_command) builds;
	struct ora_command ask;
};
XS_MUST_CHECK struct xs_error *ora_work_by_hand(const struct ora_plan *plan,
	const struct ora_campaign_job *job, const char *folder, const char *xstep,
	struct ora_work_lines *ret);
void ora_work_lines_deinit(struct ora_work_lines *lines);

#endif
