#include "oracle/witness/debugger/helper.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>

#include <cmocka.h>

static void free_error(struct xs_error *err)
{
	if (err)
		print_message("%s\n", err->message);
	xs_error_destroy(err);
}

static char *shell(const char *script, char *const *variables, double seconds, int *status)
{
	XS_AUTO_FREE char *copy = strdup(script);
	char *argv[] = {(char[]){"/bin/sh"}, (char[]){"-c"}, copy, NULL}, *said = NULL;
	struct xs_error *err = ora_helper_run(argv, variables, NULL, seconds, &said, status);
	if (err) {
		free(said);
		said = strdup(err->message);
	}
	free_error(err);
	return said;
}

static void what_it_says_is_kept(void **state)
{
	int status;
	XS_AUTO_FREE char *said = shell("echo out; echo err >&2; exit 3", NULL, 20, &status);
	(void)state;
	assert_string_equal(said, "out\nerr\n");
	assert_int_equal(WEXITSTATUS(status), 3);
}

static void variables_are_added_and_taken_away(void **state)
{
	int status;
	char *variables[] = {(char[]){"XSTEP_ADDED=1=2"}, (char[]){"XSTEP_TAKEN"}, NULL};
	(void)state;
	setenv("XSTEP_TAKEN", "1", 1);
	setenv("XSTEP_ADDED", "old", 1);
	XS_AUTO_FREE char *said = shell("echo $XSTEP_ADDED,$XSTEP_TAKEN", variables, 20, &status);
	assert_string_equal(said, "1=2,\n");
}

static void one_that_hangs_is_ended_with_its_orphans(void **state)
{
	int status;
	/* It leaves its group and holds on to the pipe. */
	XS_AUTO_FREE char *said = shell("setsid sleep 100000 & sleep 100000", NULL, 0.5, &status);
	(void)state;
	assert_string_equal(said, "/bin/sh: no answer after 0.5 s");
	/* No child is left to wait for. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG | __WALL), -1);
}

static void one_that_works_without_end_is_ended(void **state)
{
	int status;
	XS_AUTO_FREE char *said = shell("while :; do :; done", NULL, 0.5, &status);
	(void)state;
	assert_string_equal(said, "/bin/sh: no answer after 0.5 s");
}

static void one_that_is_not_there_says_so(void **state)
{
	int status;
	char *argv[] = {(char[]){"/nonexistent/gdb"}, NULL}, *said = NULL;
	(void)state;
	assert_null(ora_helper_run(argv, NULL, NULL, 20, &said, &status));
	assert_string_equal(said, "/nonexistent/gdb: No such file or directory\n");
	assert_int_equal(WEXITSTATUS(status), 127);
	free(said);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_it_says_is_kept),
		cmocka_unit_test(variables_are_added_and_taken_away),
		cmocka_unit_test(one_that_hangs_is_ended_with_its_orphans),
		cmocka_unit_test(one_that_works_without_end_is_ended),
		cmocka_unit_test(one_that_is_not_there_says_so),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
