#include "oracle/campaign/exemplars.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/private.h"
#include "oracle/campaign/placing.h"

/* Columns of ORA_ASK_EXEMPLARS. */
enum {
	WHICH,
	PROGRAM,
	ORIGIN,
	SIZE,
	FLAGS,
	COMPILER,
	LEVEL,
	ORACLE,
	FINDING,
	FUNCTION,
	LINE,
	VARIABLE,
	REPORT
};

static struct xs_error *write_text(const char *folder, const char *name, const char *text)
{
	XS_AUTO_FREE char *path = xs_asprintf("%s/%s", folder, name);
	return ora_place_text(path, text);
}

static struct xs_error *make_folder(const char *path)
{
	return xs_private_folder(path) && errno != EEXIST ? xs_error_sys("%s", path) : NULL;
}

static void take_job(
	const struct ora_campaign_answer *all, size_t row, struct ora_campaign_job *ret)
{
	*ret = (struct ora_campaign_job){.program = xs_strdup(ora_campaign_cell(all, row, PROGRAM)),
		.oracle = xs_strdup(ora_campaign_cell(all, row, ORACLE)),
		.flags = xs_strdup(ora_campaign_cell(all, row, FLAGS)),
		.compiler = xs_strdup(ora_campaign_cell(all, row, COMPILER)),
		.level = xs_strdup(ora_campaign_cell(all, row, LEVEL))};
}

/* A compiler that crashed is its own oracle: there is only the build. */
static struct xs_error *lines_of(const struct ora_plan *plan, const struct ora_campaign_job *job,
	const char *folder, const char *xstep, struct ora_work_lines *ret)
{
	if (strcmp(job->oracle, "build") != 0)
		return ora_work_by_hand(plan, job, folder, xstep, ret);
	const struct ora_compiler *compiler = ora_plan_compiler(plan, job->compiler);
	XS_AUTO_FREE char *name = ora_build_name(job->program, job->compiler, job->level);
	XS_AUTO_FREE char *output = xs_asprintf("%s/%s", folder, name);
	if (!compiler || !ora_is_id(job->program))
		return xs_error_create("%s: no such build", name);
	XS_AUTO_FREE char *source = ora_source_path(plan->folder, job->program, plan->language);
	ora_command_add(&ret->ask, compiler->path, NULL);
	ora_plan_compile(plan, job->level, job->flags, source, output, &ret->ask);
	return NULL;
}

/* A script that shows it again. */
static char *script_of(const struct ora_work_lines *lines)
{
	char *text = xs_strdup("#!/bin/sh -e\n");
	for (size_t i = 0; i <= lines->builds.len; i++) {
		XS_AUTO_FREE char *line = ora_command_text(
			i < lines->builds.len ? &lines->builds.data[i] : &lines->ask);
		char *more = xs_asprintf("%s%s\n", text, line);
		free(text);
		text = more;
	}
	return text;
}

static struct xs_error *write_one(const struct ora_plan *plan, const char *signature,
	const struct ora_campaign_answer *all, size_t row)
{
	XS_AUTO_FREE char *outer = xs_asprintf("%s/signatures/%s", plan->folder, signature);
	XS_AUTO_FREE char *folder = xs_asprintf("%s/%s", outer, ora_campaign_cell(all, row, WHICH));
	XS_AUTO_FREE char *copy = xs_asprintf("%s/program%s", folder, plan->language->ending);
	const char *report = ora_campaign_cell(all, row, REPORT);
	struct ora_campaign_job job;
	struct ora_work_lines lines = {0};
	struct xs_error *err;
	take_job(all, row, &job);
	XS_AUTO_FREE char *source = ora_source_path(plan->folder, job.program, plan->language);
	if ((err = make_folder(outer)) || (err = make_folder(folder)) ||
		(err = lines_of(plan, &job, "/tmp", "xstep", &lines)) ||
		(err = ora_is_id(job.program) ? ora_place_copy(source, copy)
					      : xs_error_create("%s: no program", signature))) {
		ora_campaign_job_deinit(&job);
		ora_work_lines_deinit(&lines);
		return err;
	}
	ora_place_sweep(folder);
	XS_AUTO_FREE char *script = script_of(&lines);
	err = write_text(folder, "commands.sh", script);
	if (!err)
		err = write_text(folder, "finding.json", report ? report : "{}");
	ora_campaign_job_deinit(&job);
	ora_work_lines_deinit(&lines);
	return err;
}

struct xs_error *ora_exemplars_write(const struct ora_plan *plan, struct ora_campaign_store *store)
{
	struct ora_campaign_answer signatures;
	struct xs_error *err = ora_campaign_ask(store, ORA_ASK_SIGNATURES, NULL, &signatures);
	for (size_t i = 0; !err && i < ora_campaign_rows(&signatures); i++) {
		const char *id = ora_campaign_cell(&signatures, i, 0);
		struct ora_campaign_answer all = {0};
		if (!ora_is_id(id))
			continue;
		err = ora_campaign_ask(store, ORA_ASK_EXEMPLARS, id, &all);
		for (size_t k = 0; !err && k < ora_campaign_rows(&all); k++)
			err = write_one(plan, id, &all, k);
		ora_campaign_answer_deinit(&all);
	}
	ora_campaign_answer_deinit(&signatures);
	return err;
}

/* --- again ------------------------------------------------------------------------------------ */

struct xs_error *ora_exemplar_named(struct ora_campaign_store *store, const char *begin, char **ret)
{
	struct ora_campaign_answer all;
	size_t found = 0;
	*ret = NULL;
	struct xs_error *err = ora_campaign_ask(store, ORA_ASK_SIGNATURES, NULL, &all);
	for (size_t i = 0; !err && i < ora_campaign_rows(&all); i++) {
		const char *id = ora_campaign_cell(&all, i, 0);
		if (!*begin || strncmp(id, begin, strlen(begin)) != 0 || found++)
			continue;
		*ret = xs_strdup(id);
	}
	ora_campaign_answer_deinit(&all);
	if (!err && found != 1)
		err = xs_error_create("'%s': %s; xstep campaign findings lists them", begin,
			found ? "several signatures begin with it" : "no signature has that id");
	return err;
}

struct xs_error *ora_exemplar_find(const struct ora_plan *plan, struct ora_campaign_store *store,
	const char *signature, const char *folder, struct ora_campaign_job *job,
	struct ora_work_lines *lines)
{
	struct ora_campaign_answer all;
	struct xs_error *err = ora_campaign_ask(store, ORA_ASK_EXEMPLARS, signature, &all);
	bool found = false;
	for (size_t i = 0; !err && !found && i < ora_campaign_rows(&all); i++)
		if (!strcmp(ora_campaign_cell(&all, i, WHICH), "smallest")) {
			take_job(&all, i, job);
			found = true;
		}
	ora_campaign_answer_deinit(&all);
	if (!err && !found)
		err = xs_error_create("%s: has no exemplar", signature);
	return err ? err : lines_of(plan, job, folder, plan->xstep, lines);
}

/* Runs a command as a shell would, and waits. */
static struct xs_error *run(struct ora_command *line, const char *folder, int *status)
{
	const char *const *argv = ora_command_words(line);
	pid_t pid = fork();
	if (!pid) {
		if (!chdir(folder))
			execvp(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	if (pid < 0)
		return xs_error_sys("fork");
	/* ^C is for both, and the other one knows what to do. */
	sighandler_t before = signal(SIGINT, SIG_IGN);
	while (waitpid(pid, status, 0) < 0 && errno == EINTR)
		continue;
	signal(SIGINT, before);
	if (WIFEXITED(*status) && WEXITSTATUS(*status) == 127)
		return xs_error_create("%s: could not be run", argv[0]);
	return NULL;
}

struct xs_error *ora_exemplar_run(struct ora_work_lines *lines, const char *folder, int *status)
{
	struct xs_error *err = NULL;
	for (size_t i = 0; !err && i < lines->builds.len; i++) {
		err = run(&lines->builds.data[i], folder, status);
		if (!err && *status)
			err = xs_error_create(
				"%s: does not build it", lines->builds.data[i].vec.data[0]);
	}
	return err ? err : run(&lines->ask, folder, status);
}
