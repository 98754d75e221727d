/* box_test.c - a command ends, whatever it does, and leaves nothing behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "oracle/campaign/box.h"

static const struct ora_box usual = {
	.folder = "/tmp", .scratch = "/tmp", .seconds = 60, .memory = 1 << 30, .output = 1 << 20};

static void run(const struct ora_box *box, const char *script, struct ora_boxed *ret)
{
	const char *const argv[] = {"sh", "-c", script, NULL};
	ora_box_run(box, argv, ret);
}

static void an_end_is_told(void **state)
{
	(void)state;
	struct ora_boxed boxed;
	run(&usual, "echo out; echo said >&2; exit 3", &boxed);
	assert_int_equal(boxed.end, ORA_BOX_EXITED);
	assert_int_equal(boxed.status, 3);
	assert_string_equal(boxed.out, "out\n");
	XS_AUTO_FREE char *words = ora_boxed_words(&boxed);
	assert_string_equal(words, "exit status 3: said");
	ora_boxed_deinit(&boxed);
	run(&usual, "kill -SEGV $$", &boxed);
	assert_int_equal(boxed.end, ORA_BOX_KILLED);
	assert_int_equal(boxed.status, SIGSEGV);
	ora_boxed_deinit(&boxed);
	ora_box_run(&usual, (const char *const[]){"/no/such/program", NULL}, &boxed);
	assert_int_equal(boxed.end, ORA_BOX_NOT_RUN);
	assert_non_null(strstr(boxed.said, "/no/such/program"));
	ora_boxed_deinit(&boxed);
}

static void limits_hold(void **state)
{
	(void)state;
	struct ora_boxed boxed;
	struct ora_box box = usual;
	box.seconds = 0.2;
	run(&box, "sleep 100000", &boxed);
	assert_int_equal(boxed.end, ORA_BOX_HUNG);
	ora_boxed_deinit(&boxed);
	run(&usual, "yes", &boxed);
	assert_int_equal(boxed.end, ORA_BOX_OUTPUT);
	ora_boxed_deinit(&boxed);
	box = usual;
	box.memory = 1;
	run(&box, "sleep 100000", &boxed);
	assert_int_equal(boxed.end, ORA_BOX_MEMORY);
	ora_boxed_deinit(&boxed);
}

/* Not even what leaves its group, its session and its parents. */
static void nothing_is_left(void **state)
{
	(void)state;
	struct ora_boxed boxed;
	int status;
	run(&usual, "setsid sh -c 'sleep 100000 & sleep 100000' >/dev/null 2>&1 & echo done",
		&boxed);
	assert_int_equal(boxed.end, ORA_BOX_EXITED);
	assert_string_equal(boxed.out, "done\n");
	assert_int_equal(waitpid(-1, &status, 0), -1);
	assert_int_equal(errno, ECHILD);
	ora_boxed_deinit(&boxed);
}

static void words_are_replaced(void **state)
{
	(void)state;
	XS_AUTO_FREE char *text = ora_words_replace(xs_strdup("/a/x of /a/a/y"), "/a", "");
	assert_string_equal(text, "/x of /y");
	assert_null(ora_words_replace(NULL, "a", "b"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_end_is_told),
		cmocka_unit_test(limits_hold),
		cmocka_unit_test(nothing_is_left),
		cmocka_unit_test(words_are_replaced),
	};
	ora_box_prepare();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
