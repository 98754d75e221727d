/* compile_test.c - how a compiler's end is read; a shell stands for the compiler. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "oracle/session/compile.h"

static struct ora_compilation run(const char *script, double seconds)
{
	struct ora_compilation done;
	XS_AUTO_FREE char *copy = xs_strdup(script);
	char *argv[] = {(char[]){"/bin/sh"}, (char[]){"-c"}, copy, NULL};
	struct xs_error *err = ora_compile(argv, "/tmp", seconds, &done);
	if (err)
		fail_msg("%s", err->message);
	return done;
}

static void the_end_is_told_by_status_and_words(void **state)
{
	static const struct {
		const char *script;
		enum ora_compile_end end;
		const char *complaint;
	} cases[] = {{"echo fine", ORA_COMPILED, "fine"},
		{"echo note; echo 'x.c:1: error: no'; exit 1", ORA_REFUSED, "x.c:1: error: no"},
		{"exit 1", ORA_REFUSED, ""},
		{"echo 'internal compiler error: in f'; exit 1", ORA_CRASHED,
			"internal compiler error: in f"},
		{"kill -SEGV $$", ORA_CRASHED, ""}, {"kill -ABRT $$", ORA_CRASHED, ""},
		{"kill -KILL $$", ORA_STOPPED, ""}, {"kill -XFSZ $$", ORA_STOPPED, ""},
		{"echo 'clang: error: unable to execute command: Segmentation fault'; exit 254",
			ORA_CRASHED, "clang: error: unable to execute command: Segmentation fault"},
		{"echo 'clang: error: unable to execute command: Killed'; "
		 "echo 'clang: error: clang frontend command failed due to signal'; exit 254",
			ORA_STOPPED, "clang: error: unable to execute command: Killed"},
		{"echo 'gcc: fatal error: Killed signal terminated program cc1'; exit 1",
			ORA_STOPPED, "gcc: fatal error: Killed signal terminated program cc1"},
		{"echo 'cc1: out of memory allocating 65536 bytes'; exit 1", ORA_STOPPED,
			"cc1: out of memory allocating 65536 bytes"},
		{"echo 'LLVM ERROR: out of memory'; exit 134", ORA_STOPPED,
			"LLVM ERROR: out of memory"}};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ora_compilation done = run(cases[i].script, 600);
		XS_AUTO_FREE char *complaint = ora_compilation_complaint(&done);
		assert_int_equal(done.end, cases[i].end);
		assert_string_equal(complaint, cases[i].complaint);
		ora_compilation_deinit(&done);
	}
}

static void who_does_not_end_hangs(void **state)
{
	(void)state;
	struct ora_compilation done = run("sleep 600", 0.01);
	assert_int_equal(done.end, ORA_HUNG);
	ora_compilation_deinit(&done);
}

static void temporary_files_go_where_the_caller_says(void **state)
{
	(void)state;
	struct ora_compilation done = run("echo $TMPDIR", 600);
	assert_string_equal(done.said, "/tmp\n");
	ora_compilation_deinit(&done);
}

static void a_compiler_that_is_not_there_is_named(void **state)
{
	struct ora_compiler compiler;
	(void)state;
	struct xs_error *err = ora_compiler_init(&compiler, "no-such-compiler-1");
	assert_non_null(err);
	assert_non_null(strstr(err->message, "no-such-compiler-1: no such program"));
	xs_error_destroy(err);
	ora_compiler_deinit(&compiler);
	assert_null(ora_compiler_newest("no-such-compiler"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_end_is_told_by_status_and_words),
		cmocka_unit_test(who_does_not_end_hangs),
		cmocka_unit_test(temporary_files_go_where_the_caller_says),
		cmocka_unit_test(a_compiler_that_is_not_there_is_named)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
