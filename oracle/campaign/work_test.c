/* work_test.c - what comes of a job, whatever its compiler and its oracle do. Shells stand for
 * both. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sys/stat.h>

#include "base/scratch.h"
#include "oracle/campaign/box.h"
#include "oracle/campaign/keepers.h"
#include "oracle/campaign/work.h"

#define PROGRAM "0123456789ab"

struct fixture {
	char *folder, *compiler, *xstep;
	struct ora_plan plan;
};

static void succeed(struct xs_error *err)
{
	if (err)
		fail_msg("%s", err->message);
}

static char *write_script(const char *folder, const char *name, const char *text)
{
	char *path = xs_asprintf("%s/%s", folder, name);
	FILE *file = fopen(path, "we");
	assert_non_null(file);
	assert_true(fprintf(file, "#!/bin/sh\n%s\n", text) > 0);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, 0700), 0);
	return path;
}

/* A campaign whose compiler and oracle do this. */
static void begin(struct fixture *fixture, const char *compiler, const char *oracle)
{
	struct ora_settings settings = {0};
	*fixture = (struct fixture){0};
	succeed(xs_scratch_create("work", &fixture->folder));
	XS_AUTO_FREE char *text =
		xs_asprintf("[ \"$1\" = --version ] && echo 1 && exit\n%s", compiler);
	XS_AUTO_FREE char *programs = xs_asprintf("%s/programs", fixture->folder);
	assert_int_equal(mkdir(programs, 0700), 0);
	fixture->compiler = write_script(fixture->folder, "cc", text);
	fixture->xstep = write_script(fixture->folder, "oracle", oracle);
	settings.value[ORA_SET_COMPILERS] = xs_strdup(fixture->compiler);
	settings.value[ORA_SET_OUTPUT] = xs_strdup("1");
	settings.value[ORA_SET_JOB_SECONDS] = xs_strdup("600");
	succeed(ora_settings_settle(&settings, NULL, fixture->folder));
	succeed(ora_plan_init(&fixture->plan, &settings, fixture->folder));
	free(fixture->plan.xstep);
	fixture->plan.xstep = xs_strdup(fixture->xstep);
}

static void end(struct fixture *fixture)
{
	ora_plan_deinit(&fixture->plan);
	xs_scratch_destroy(fixture->folder);
	free(fixture->compiler);
	free(fixture->xstep);
}

static struct ora_campaign_job work(struct fixture *fixture, const char *oracle)
{
	struct ora_campaign_job job = {.program = xs_strdup(PROGRAM),
		.oracle = xs_strdup(oracle),
		.compiler = xs_strdup(fixture->compiler),
		.level = xs_strdup("-O2")};
	succeed(ora_work(&fixture->plan, &job, fixture->folder));
	return job;
}

/* Its builds are gone, and cannot be made again: the others go on. */
static void a_program_that_no_longer_builds_is_trouble(void **state)
{
	(void)state;
	struct fixture fixture;
	begin(&fixture, "echo error: no >&2; exit 1", "echo {}");
	struct ora_campaign_job job = work(&fixture, "frames");
	assert_string_equal(job.outcome, "trouble");
	assert_non_null(strstr(job.detail, "no longer builds it: exit status 1: error: no"));
	ora_campaign_job_deinit(&job);
	/* Its source is gone. */
	job = work(&fixture, "ccmd");
	assert_string_equal(job.outcome, "trouble");
	ora_campaign_job_deinit(&job);
	end(&fixture);
}

static void a_full_disk_is_ours(void **state)
{
	(void)state;
	struct fixture fixture;
	begin(&fixture, "echo No space left on device >&2; exit 1", "echo {}");
	struct ora_campaign_job job = {.program = xs_strdup(PROGRAM),
		.oracle = xs_strdup("frames"),
		.compiler = xs_strdup(fixture.compiler),
		.level = xs_strdup("-O2")};
	XS_AUTO(xs_error) err = ora_work(&fixture.plan, &job, fixture.folder);
	assert_non_null(err);
	assert_non_null(strstr(err->message, "no space left"));
	ora_campaign_job_deinit(&job);
	end(&fixture);
}

/* Whatever becomes of a job with debuggers that are lent, only a whole answer counts. */
static void what_lent_debuggers_spoil_is_asked_again(void **state)
{
	(void)state;
	static const char *const spoiled[] = {
		"yes", "exec tail /dev/zero", "exit 2", "kill -SEGV $$", "exit 127"};
	const struct ora_keepers none = {0};
	for (size_t i = 0; i < sizeof spoiled / sizeof *spoiled; i++) {
		struct fixture fixture;
		XS_AUTO_FREE char *oracle =
			xs_asprintf("[ \"$XSTEP_KEPT\" ] && %s\necho {}", spoiled[i]);
		begin(&fixture, "exit 0", oracle);
		struct ora_keepers keepers = none;
		keepers.folder = fixture.folder;
		xs_vec_push(&keepers.pids, getppid());
		fixture.plan.keepers = &keepers;
		char **limit = &fixture.plan.settings.value[ORA_SET_MEMORY];
		free(*limit);
		*limit = xs_strdup("100");
		struct ora_campaign_job job = work(&fixture, "diff");
		assert_string_equal(job.outcome, "clean");
		ora_campaign_job_deinit(&job);
		xs_vec_deinit(&keepers.pids);
		end(&fixture);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_that_no_longer_builds_is_trouble),
		cmocka_unit_test(a_full_disk_is_ours),
		cmocka_unit_test(what_lent_debuggers_spoil_is_asked_again),
	};
	ora_box_prepare();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
