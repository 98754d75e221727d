/* box_test.c - a command ends, whatever it does, and leaves nothing behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
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

/* The exit status of a process. */
static int status_of(pid_t pid)
{
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Without a descriptor of the command nobody could see it end: the worker ends, as without pipes,
 * instead of waiting for the time to be up. */
static void a_command_that_cannot_be_watched_is_not_waited_for(void **state)
{
	(void)state;
	pid_t pid = fork();
	if (!pid) {
		struct sock_filter code[] = {
			BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
			BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_open, 0, 1),
			BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
			BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
		const struct sock_fprog program = {sizeof code / sizeof *code, code};
		struct ora_boxed boxed;
		if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
			prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
			_exit(2); /* no such thing here */
		run(&usual, "exit 0", &boxed);
		_exit(0);
	}
	assert_int_equal(status_of(pid), 2);
}

/* A keeper that is stopped never asks how its copies ended. */
static void a_keeper_that_is_stopped_stops_nobody(void **state)
{
	(void)state;
	enum { PATIENCE = 120 };
	char folder[] = "/tmp/xstep-box-XXXXXX";
	assert_non_null(mkdtemp(folder));
	XS_AUTO_FREE char *begun = xs_asprintf("%s/begun", folder);
	XS_AUTO_FREE char *lent = xs_asprintf("%s/lent", folder);
	XS_AUTO_FREE char *script = xs_asprintf(
		"mkfifo %s %s; echo $$ >%s; read word <%s; exit 5", begun, lent, begun, lent);
	pid_t keeper = fork();
	if (!keeper) {
		int group = 0;
		FILE *file;
		while (!(file = fopen(begun, "re")) || fscanf(file, "%d", &group) != 1)
			usleep(1000);
		pid_t copy = fork();
		if (!copy) {
			setpgid(0, group);
			file = fopen(lent, "we");
			if (!file || fputs("yes\n", file) < 0 || fclose(file))
				_exit(1);
			for (;;)
				pause();
		}
		raise(SIGSTOP);
		_exit(0);
	}
	pid_t worker = fork();
	if (!worker) {
		struct ora_box box = usual;
		struct ora_boxed boxed;
		ora_box_prepare();
		alarm(PATIENCE);
		box.keepers = &keeper;
		box.keeper_count = 1;
		run(&box, script, &boxed);
		_exit(boxed.end == ORA_BOX_EXITED ? boxed.status : 1);
	}
	int status = status_of(worker);
	kill(keeper, SIGKILL);
	status_of(keeper);
	unlink(begun);
	unlink(lent);
	rmdir(folder);
	assert_int_equal(status, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_end_is_told),
		cmocka_unit_test(limits_hold),
		cmocka_unit_test(nothing_is_left),
		cmocka_unit_test(words_are_replaced),
		cmocka_unit_test(a_command_that_cannot_be_watched_is_not_waited_for),
		cmocka_unit_test(a_keeper_that_is_stopped_stops_nobody),
	};
	ora_box_prepare();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
