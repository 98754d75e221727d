/* exemplars.h - the cases that stand for a signature: as folders, and run again. */
#ifndef ORA_EXEMPLARS_H
#define ORA_EXEMPLARS_H

#include "oracle/campaign/campaign_plan.h"
#include "oracle/campaign/work.h"
#include "oracle/store/campaign_store.h"

/* Writes signatures/ID/first and signatures/ID/smallest for each signature: program.c,
 * finding.json, and commands.sh with what shows it again. What is there is replaced if it is
 * another case. */
XS_MUST_CHECK struct xs_error *ora_exemplars_write(
	const struct ora_plan *plan, struct ora_campaign_store *store);

/* The smallest case of a signature: its job, and how to see it again in a folder. */
XS_MUST_CHECK struct xs_error *ora_exemplar_find(const struct ora_plan *plan,
	struct ora_campaign_store *store, const char *signature, const char *folder,
	struct ora_campaign_job *job, struct ora_work_lines *lines);
/* Builds it, and asks; *status is the exit status of the oracle, whose output is ours. */
XS_MUST_CHECK struct xs_error *ora_exemplar_run(
	struct ora_work_lines *lines, const char *folder, int *status);
/* The id of the one signature that begins with what a user typed; to be freed. */
XS_MUST_CHECK struct xs_error *ora_exemplar_named(
	struct ora_campaign_store *store, const char *begin, char **ret);

#endif
