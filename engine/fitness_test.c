/* fitness_test.c - what xstep needs of the kernel is there wherever its tests run; and trying it
 * leaves nothing behind. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <cmocka.h>

#include "engine/fitness.h"

static void a_process_can_be_held(void **state)
{
	(void)state;
	struct xs_error *err = eng_fitness_ptrace();
	assert_null(err);
	assert_int_equal(waitpid(-1, NULL, __WALL), -1);
	assert_int_equal(errno, ECHILD);
}

static void layout_and_answers_are_tried(void **state)
{
	(void)state;
	xs_error_destroy(eng_fitness_layout());
	xs_error_destroy(eng_fitness_steady());
	assert_int_equal(waitpid(-1, NULL, __WALL), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_can_be_held),
		cmocka_unit_test(layout_and_answers_are_tried),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
