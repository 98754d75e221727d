/* by_hand_test.c - the commands for every kind of question, whatever the names in it are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/session/by_hand.h"

static char *const plain[] = {(char[]){"/tmp/p"}, NULL};
static char *const blanks[] = {(char[]){"/tmp/a b/p"}, (char[]){"x y"}, (char[]){"it's"}, NULL};

static void a_debugger_is_called_by_its_name_if_path_leads_there(void **state)
{
	(void)state;
	XS_AUTO_FREE char *named = ora_by_hand_called("/bin/sh");
	setenv("PATH", "/bin", 1);
	XS_AUTO_FREE char *found = ora_by_hand_called("/bin/sh");
	XS_AUTO_FREE char *other = ora_by_hand_called("/opt/sh");
	assert_true(!strcmp(named, "sh") || !strcmp(named, "/bin/sh"));
	assert_string_equal(found, "sh");
	assert_string_equal(other, "/opt/sh");
}

/* The commands of a question, joined by semicolons. */
static char *asked(enum ora_witness_kind who, const struct ora_by_hand_question *question)
{
	struct ora_by_hand session = {.who = who};
	struct ora_commands commands = {0};
	char *ret = xs_strdup("");
	ora_by_hand_ask(&session, question, &commands);
	for (size_t i = 0; i < commands.vec.len; i++) {
		char *longer = xs_asprintf("%s%s%s", ret, i ? "; " : "", commands.vec.data[i]);
		free(ret);
		ret = longer;
	}
	ora_commands_deinit(&commands);
	return ret;
}

static void each_kind_is_asked_in_its_way(void **state)
{
	static const struct {
		struct ora_by_hand_question question;
		const char *gdb, *lldb;
	} cases[] = {
		{{.path = "x", .var = "x", .value = "5"}, "print/u x", "frame variable -f u x"},
		{{.path = "x", .var = "x", .value = "-5"}, "print/d x", "frame variable -f d x"},
		{{.path = "p", .var = "p", .value = "0x10"}, "print/x p", "frame variable -f x p"},
		{{.path = "q", .var = "q", .value = "implicit"}, "print q", "frame variable q"},
		{{.path = "d", .var = "d", .value = "3", .type = "double"}, "print d",
			"frame variable d"},
		{{.path = "x", .var = "x", .value = "5", .plain = true}, "print x",
			"frame variable x"},
		{{.path = "s.f[2]", .var = "s", .frame = 2, .value = "1"},
			"frame 2; print/u s.f[2]", "frame select 2; frame variable -f u s.f[2]"},
		{{.path = "v", .var = "v", .file_scope = true, .unit = "/src/a.c", .value = "1"},
			"print/u 'a.c'::v", "target variable --show-declaration -f u v"},
		{{.path = "v", .var = "v", .by_name = true, .value = "1"}, "print/u v",
			"expression -f u -- v"},
		{{.path = "z.imag", .var = "z", .complex = true, .value = "1.5", .type = "double"},
			"print $_cimag(z)", "frame variable z"},
		{{.path = "z.imag", .var = "z", .complex = true, .by_name = true, .value = "1.5"},
			"print $_cimag(z)", "expression -- __imag__ z"},
		{{.path = "x", .var = "x", .listed = true, .state = ORA_STATE_ABSENT},
			"info locals; info args", ORA_LLDB_LIST},
		{{.path = "x", .var = "x", .listed = true, .value = "1"},
			"info locals; info args; print/u x",
			ORA_LLDB_LIST "; frame variable -f u x"},
		{{.path = "a[3]", .var = "a", .listed = true, .state = ORA_STATE_ABSENT},
			"info locals; info args; print sizeof(a) / sizeof(*a)",
			ORA_LLDB_LIST "; frame variable a"},
		{{.path = "x", .var = "x", .hidden = true, .value = "1"}, "info locals; info args",
			ORA_LLDB_LIST},
		{{.aspect = ORA_ASPECT_LOOKUP, .path = "x", .var = "x"},
			"print x; python print(gdb.lookup_symbol(\"x\")[0].line)",
			"frame variable --show-declaration x"},
		{{.aspect = ORA_ASPECT_LINE, .pc = 0x1234}, "info line *0x1234",
			"image lookup --verbose --address 0x1234"},
		{{.aspect = ORA_ASPECT_REGISTER, .path = "$rax"}, "info registers rax",
			"register read rax"},
		{{.aspect = ORA_ASPECT_FRAMES}, "backtrace", "thread backtrace"},
		{{.path = NULL}, "info locals; info args", "frame variable"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		XS_AUTO_FREE char *gdb = asked(ORA_WITNESS_GDB, &cases[i].question);
		XS_AUTO_FREE char *lldb = asked(ORA_WITNESS_LLDB, &cases[i].question);
		assert_string_equal(gdb, cases[i].gdb);
		assert_string_equal(lldb, cases[i].lldb);
	}
}

/* An address on the stack is another one in the debugger's own surroundings. */
static void what_lies_on_the_stack_is_not_asked_briefly(void **state)
{
	struct ora_by_hand_question question = {.path = "x", .var = "x", .value = "0x7fffffffebd7"};
	(void)state;
	assert_false(ora_by_hand_may_be_brief(&question));
	question.value = "140737488350167";
	assert_false(ora_by_hand_may_be_brief(&question));
	question.value = "140737488355328";
	assert_true(ora_by_hand_may_be_brief(&question));
	question.value = "-1";
	assert_true(ora_by_hand_may_be_brief(&question));
}

static void a_session_is_one_line(void **state)
{
	const struct ora_run run = {.path = plain[0], .argv = plain};
	const struct ora_run other = {.path = blanks[0], .argv = blanks};
	const struct ora_route route = {
		.entry = 0x10, .place = 0x20, .arrivals = 3, .step = true, .hit = 1};
	const struct ora_by_hand_question question = {.path = "x", .var = "x", .value = "1"};
	struct ora_by_hand session = {
		.who = ORA_WITNESS_GDB, .run = &run, .route = &route, .brief = true};
	(void)state;
	XS_AUTO_FREE char *gdb = ora_by_hand_line(&session, &question);
	assert_string_equal(gdb,
		"gdb -nx -q -ex starti -ex 'tbreak *0x10' -ex continue -ex 'break *0x20' "
		"-ex 'ignore $bpnum 2' -ex continue -ex stepi -ex 'print/u x' /tmp/p");
	struct ora_by_hand_question local = question;
	local.in_main = true;
	XS_AUTO_FREE char *past = ora_by_hand_line(&session, &local);
	assert_memory_equal(past, "gdb -nx -q -ex 'set backtrace past-main on' -ex starti ", 55);
	session = (struct ora_by_hand){.who = ORA_WITNESS_LLDB,
		.debugger = "lldb-15",
		.run = &other,
		.route = &route,
		.in = "/tmp/a b/in",
		.directory = "/home/me",
		.brief = true};
	XS_AUTO_FREE char *lldb = ora_by_hand_line(&session, &question);
	assert_string_equal(lldb,
		"env -C / lldb-15 -x -o 'process launch -s -w /home/me --stdin \"/tmp/a b/in\" -- "
		"\"x y\" \"it'\\''s\"' "
		"-o 'breakpoint set -o 1 -a 0x10' -o continue "
		"-o 'breakpoint set -a 0x20 -i 2' -o continue "
		"-o stepi -o 'frame variable -f u x' '/tmp/a b/p'");
	session.who = ORA_WITNESS_GDB;
	session.debugger = NULL;
	/* In gdb, what follows `starti` are all the arguments there are. */
	XS_AUTO_FREE char *fed = ora_by_hand_line(&session, &question);
	assert_non_null(strstr(fed, "'starti '\\''x y'\\'' "));
	XS_AUTO_FREE char *start = ora_by_hand_start(&session);
	assert_string_equal(start, "gdb -nx -q --args '/tmp/a b/p' 'x y' 'it'\\''s'");
}

/* What names do not reach a debugger as names: unsayable, all of it. */
static void a_name_that_is_an_expression_is_not_asked(void **state)
{
	static const struct ora_by_hand_question cases[] = {
		{.path = "system(\"id\")", .var = "system(\"id\")"},
		{.path = "s.x=5", .var = "s"},
		{.path = "x\nshell id", .var = "x\nshell id"},
		{.path = "`id`", .var = "`id`"},
		{.path = "x", .var = "x\")", .aspect = ORA_ASPECT_LOOKUP},
		{.path = "f()", .var = "f()", .listed = true, .state = ORA_STATE_ABSENT},
		{.path = "$rip; shell id", .aspect = ORA_ASPECT_REGISTER},
	};
	(void)state;
	for (int who = ORA_WITNESS_GDB; who <= ORA_WITNESS_LLDB; who++)
		for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
			struct ora_by_hand session = {.who = (enum ora_witness_kind)who};
			struct ora_commands commands = {0};
			ora_by_hand_ask(&session, &cases[i], &commands);
			assert_true(commands.unsayable);
			assert_int_equal(commands.vec.len, 1);
			assert_int_equal(*commands.vec.data[0], '#');
			ora_commands_deinit(&commands);
		}
	const struct ora_by_hand_question file = {
		.path = "x", .var = "x", .unit = "a'::f().c", .file_scope = true};
	XS_AUTO_FREE char *gdb = asked(ORA_WITNESS_GDB, &file);
	XS_AUTO_FREE char *lldb = asked(ORA_WITNESS_LLDB, &file);
	assert_int_equal(*gdb, '#');
	assert_string_equal(lldb, "target variable --show-declaration x"); /* without the file */
}

/* The line of a session on a program with these words. */
static char *line_on(enum ora_witness_kind who, char *path, char *argument)
{
	char *argv[] = {path, argument, NULL};
	const struct ora_run run = {.path = path, .argv = argv};
	const struct ora_route route = {.entry = 0x10, .place = XS_ADDR_NONE};
	const struct ora_by_hand_question question = {.aspect = ORA_ASPECT_FRAMES};
	struct ora_by_hand session = {
		.who = who, .run = &run, .route = &route, .directory = "/", .brief = true};
	return ora_by_hand_line(&session, &question);
}

static void no_control_byte_is_in_a_line(void **state)
{
	(void)state;
	XS_AUTO_FREE char *gdb = line_on(ORA_WITNESS_GDB, (char[]){"/a\nb"}, (char[]){"\033[2J"});
	assert_non_null(strstr(gdb, "--args $'/a\\012b' $'\\033[2J'"));
	/* lldb would take what is behind the line break for a command. */
	XS_AUTO_FREE char *lldb = line_on(ORA_WITNESS_LLDB, (char[]){"/a\nb"}, NULL);
	assert_string_equal(lldb, "# lldb has no command that could say these names");
	XS_AUTO_FREE char *other = line_on(ORA_WITNESS_LLDB, (char[]){"/a"}, (char[]){"x\ny"});
	assert_string_equal(other, "# lldb has no command that could say these names");
	XS_AUTO_FREE char *ticks = line_on(ORA_WITNESS_LLDB, (char[]){"/a`b"}, (char[]){"c`d\\"});
	assert_string_equal(ticks,
		"env -C / lldb -x -o 'target create \"/a\\`b\"' -o 'process launch -s -w / -- "
		"\"c\\`d\\\\\"' -o 'breakpoint set -o 1 -a 0x10' -o continue "
		"-o 'thread backtrace'");
}

static void the_stack_lies_where_it_lies_in_every_witness(void **state)
{
	const struct ora_run run = {.path = plain[0], .argv = plain};
	const struct ora_run other = {.path = blanks[0], .argv = blanks};
	struct ora_by_hand session = {.who = ORA_WITNESS_GDB, .run = &run};
	struct ora_commands without = {0}, with = {0};
	bool wrapped = false, alone = false;
	(void)state;
	ora_by_hand_settings(&session, &without);
	for (size_t i = 0; i < without.vec.len; i++)
		alone |= !strcmp(without.vec.data[i], "set startup-with-shell off");
	session.run = &other; /* gdb without a shell takes arguments apart at blanks */
	ora_by_hand_settings(&session, &with);
	for (size_t i = 0; i < with.vec.len; i++)
		wrapped |= !strcmp(
			with.vec.data[i], "set exec-wrapper env -i LC_ALL=C PATH=/usr/bin:/bin");
	assert_true(alone && wrapped);
	ora_commands_deinit(&without);
	ora_commands_deinit(&with);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_debugger_is_called_by_its_name_if_path_leads_there),
		cmocka_unit_test(each_kind_is_asked_in_its_way),
		cmocka_unit_test(what_lies_on_the_stack_is_not_asked_briefly),
		cmocka_unit_test(a_session_is_one_line),
		cmocka_unit_test(a_name_that_is_an_expression_is_not_asked),
		cmocka_unit_test(no_control_byte_is_in_a_line),
		cmocka_unit_test(the_stack_lies_where_it_lies_in_every_witness),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
