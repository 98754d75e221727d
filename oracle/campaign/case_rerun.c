#include "oracle/campaign/case_rerun.h"

#include "base/private.h"
#include "base/scratch.h"
#include "oracle/campaign/campaign.h"
#include "oracle/campaign/exemplars.h"

/* The folder that a worker would have: a path of the same length. */
static struct xs_error *make_scratch(char **scratch, char **folder)
{
	struct xs_error *err = xs_scratch_create("campaign", scratch);
	if (err)
		return err;
	*folder = xs_asprintf("%s/0000", *scratch);
	return xs_private_folder(*folder) ? xs_error_sys("%s", *folder) : NULL;
}

struct xs_error *ora_case_rerun(
	const char *dir, const char *begin, void (*on_command)(const char *text), int *status)
{
	XS_AUTO(ora_campaign_store) store = NULL;
	XS_AUTO_FREE char *id = NULL;
	XS_AUTO_FREE char *folder = NULL;
	char *scratch = NULL;
	struct ora_plan plan = {0};
	struct ora_campaign_job job = {0};
	struct ora_work_lines lines = {0};
	struct xs_error *err;
	if (!(err = ora_campaign_read(dir, &store)) &&
		!(err = ora_exemplar_named(store, begin, &id)) &&
		!(err = ora_campaign_plan(store, dir, &plan)) &&
		!(err = make_scratch(&scratch, &folder)) &&
		!(err = ora_exemplar_find(&plan, store, id, folder, &job, &lines))) {
		for (size_t i = 0; i <= lines.builds.len; i++) {
			XS_AUTO_FREE char *text = ora_command_text(
				i < lines.builds.len ? &lines.builds.data[i] : &lines.ask);
			on_command(text);
		}
		err = ora_exemplar_run(&lines, folder, status);
	}
	ora_work_lines_deinit(&lines);
	ora_campaign_job_deinit(&job);
	ora_plan_deinit(&plan);
	xs_scratch_destroy(scratch);
	return err;
}
