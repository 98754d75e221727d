/* placing_test.c - what somebody left who was killed stops nobody. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sys/wait.h>

#include "base/alloc.h"
#include "base/scratch.h"
#include "oracle/campaign/campaign.h"
#include "oracle/campaign/placing.h"

/* Leaves a part of a file, as another process that dies; its path, to be freed. */
static char *leave_part(const char *folder, const char *name)
{
	XS_AUTO_FREE char *path = xs_asprintf("%s/%s", folder, name);
	int ends[2], status;
	char left[4096] = "";
	assert_int_equal(pipe(ends), 0);
	pid_t pid = fork();
	if (!pid) {
		char *part = ora_place_part(path);
		FILE *file = fopen(part, "we");
		bool good = file && write(ends[1], part, strlen(part)) > 0;
		_exit(good ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_true(read(ends[0], left, sizeof left - 1) > 0);
	close(ends[0]);
	close(ends[1]);
	return xs_strdup(left);
}

static void a_folder_with_half_a_campaign_is_taken(void **state)
{
	(void)state;
	char *folder;
	assert_null(xs_scratch_create("placing", &folder));
	XS_AUTO_FREE char *part = leave_part(folder, "campaign.db");
	assert_int_equal(access(part, F_OK), 0);
	assert_null(ora_campaign_make_folder(folder));
	assert_int_not_equal(access(part, F_OK), 0); /* swept */
	xs_scratch_destroy(folder);
}

/* It is somebody's, and none of ours. */
static void other_parts_are_left_alone(void **state)
{
	(void)state;
	char *folder;
	assert_null(xs_scratch_create("placing", &folder));
	XS_AUTO_FREE char *part = leave_part(folder, "film");
	XS_AUTO(xs_error) err = ora_campaign_make_folder(folder);
	assert_non_null(err);
	assert_non_null(strstr(err->message, "has files in it"));
	assert_int_equal(access(part, F_OK), 0);
	xs_scratch_destroy(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_folder_with_half_a_campaign_is_taken),
		cmocka_unit_test(other_parts_are_left_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
