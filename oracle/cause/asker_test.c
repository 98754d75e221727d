/* asker_test.c - what a command says is told by stream. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/scratch.h"
#include "oracle/cause/asker.h"

/* gcc prints its options on standard output, and may have a warning besides. */
static void a_warning_does_not_hide_an_answer(void **state)
{
	(void)state;
	char *folder;
	assert_null(xs_scratch_create("asker", &folder));
	struct ora_asker asker = {.scratch = folder, .jobs = 1};
	struct ora_command line = {0};
	int status = -1;
	ora_command_add(&line, "sh", "-c", "echo answer; echo warning >&2; exit 3", NULL);
	XS_AUTO_FREE char *out = NULL;
	XS_AUTO_FREE char *said = NULL;
	XS_AUTO_FREE char *told = NULL;
	assert_null(ora_asker_listen(&asker, "/", &line, &out, &said, &status));
	assert_string_equal(out, "answer\n");
	assert_string_equal(said, "warning\n");
	assert_int_equal(status, 3);
	assert_null(ora_asker_run(&asker, "/", &line, &told, &status));
	assert_string_equal(told, "warning\n");
	ora_command_deinit(&line);
	xs_scratch_destroy(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_warning_does_not_hide_an_answer)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
