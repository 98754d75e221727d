/* plain_debugger_test.c - what becomes of a debugger that hangs, dies or answers. Programs of a few
 * lines play its part: they read commands and echo the marks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sys/stat.h>

#include "oracle/session/plain_debugger.h"

static char *const argv[] = {(char[]){"/bin/true"}, NULL};
static const struct ora_run run = {.path = "/bin/true", .argv = argv};

/* Asks `one` and `two` of a gdb that is this script. */
static enum ora_plain_end ask(const char *script, struct ora_commands *texts, char *folder)
{
	char path[] = "/tmp/xstep-fake-XXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	dprintf(fd, "#!/bin/sh\n%s\n", script);
	fchmod(fd, 0755);
	close(fd);
	struct ora_witness witness = {.kind = ORA_WITNESS_GDB, .path = path};
	struct ora_by_hand session = {.who = ORA_WITNESS_GDB, .run = &run};
	struct ora_plain plain = {.debugger = &witness, .patience = 0.5};
	struct ora_commands commands = {0};
	xs_vec_push(&commands.vec, xs_strdup("one"));
	xs_vec_push(&commands.vec, xs_strdup("two"));
	struct xs_error *err = ora_plain_start(&plain, &session);
	assert_null(err);
	strcpy(folder, plain.folder);
	enum ora_plain_end end = ora_plain_ask(&plain, &commands, texts);
	ora_plain_deinit(&plain);
	ora_commands_deinit(&commands);
	unlink(path);
	return end;
}

/* Repeats each command, and what it is told to echo. */
#define ECHO                                                                                       \
	"while read -r word rest; do case $word in "                                               \
	"echo) printf '%b' \"$rest\";; "

static void answers_are_told_apart(void **state)
{
	struct ora_commands texts = {0};
	char folder[64];
	struct stat about;
	(void)state;
	assert_int_equal(ask(ECHO "*) echo \"$word indeed\";; esac; done", &texts, folder),
		ORA_PLAIN_ANSWERED);
	assert_int_equal(texts.vec.len, 2);
	assert_string_equal(texts.vec.data[0], "one indeed\n");
	assert_string_equal(texts.vec.data[1], "two indeed\n");
	assert_int_not_equal(stat(folder, &about), 0); /* it went with it */
	ora_commands_deinit(&texts);
}

static void one_that_says_nothing_is_given_up(void **state)
{
	struct ora_commands texts = {0};
	char folder[64];
	(void)state;
	assert_int_equal(ask(ECHO "two) echo wait; sleep 1000;; esac; done", &texts, folder),
		ORA_PLAIN_DEBUGGER_HUNG);
	assert_string_equal(texts.vec.data[texts.vec.len - 1], "wait\n");
	ora_commands_deinit(&texts);
}

static void one_that_dies_leaves_its_last_words(void **state)
{
	struct ora_commands texts = {0};
	char folder[64];
	(void)state;
	assert_int_equal(
		ask(ECHO "two) echo bye; kill -9 $$;; esac; done", &texts, folder), ORA_PLAIN_DIED);
	assert_string_equal(texts.vec.data[texts.vec.len - 1], "bye\n");
	ora_commands_deinit(&texts);
}

static void an_internal_error_is_the_end(void **state)
{
	struct ora_commands texts = {0};
	char folder[64];
	(void)state;
	assert_int_equal(
		ask(ECHO "two) echo 'gdb/frame.c:1: internal-error: no'; sleep 1000;; esac; done",
			&texts, folder),
		ORA_PLAIN_DIED);
	ora_commands_deinit(&texts);
}

static void one_that_never_starts_is_dead(void **state)
{
	struct ora_commands texts = {0};
	char folder[64];
	(void)state;
	assert_int_equal(ask("exit 3", &texts, folder), ORA_PLAIN_DIED);
	ora_commands_deinit(&texts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_are_told_apart),
		cmocka_unit_test(one_that_says_nothing_is_given_up),
		cmocka_unit_test(one_that_dies_leaves_its_last_words),
		cmocka_unit_test(an_internal_error_is_the_end),
		cmocka_unit_test(one_that_never_starts_is_dead),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
