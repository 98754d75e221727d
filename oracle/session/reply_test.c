/* reply_test.c - what gdb 13.1 and lldb 15.0.6 printed, read as facts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/session/reply.h"

#define GDB  ORA_WITNESS_GDB
#define LLDB ORA_WITNESS_LLDB

/* One question, what each of its commands printed, and what a witness is said to have said. */
struct reading {
	enum ora_witness_kind who;
	struct ora_by_hand_question question;
	const char *printed[3];
	struct ora_said said;
	bool same;
};

static bool read_case(const struct reading *one)
{
	struct ora_by_hand session = {.who = one->who};
	struct ora_commands commands = {0}, texts = {0};
	struct ora_reply answer;
	ora_by_hand_ask(&session, &one->question, &commands);
	for (size_t i = 0; i < commands.vec.len; i++) {
		xs_assert(i < 3 && one->printed[i]);
		xs_vec_push(&texts.vec, xs_strdup(one->printed[i]));
	}
	ora_reply_read(one->who, &one->question, &(struct ora_printed){&commands, &texts}, &answer);
	bool same = ora_reply_is(&answer, &one->question, &one->said, NULL);
	ora_reply_deinit(&answer);
	ora_commands_deinit(&commands);
	ora_commands_deinit(&texts);
	return same;
}

static void check(const struct reading *cases, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (read_case(&cases[i]) != cases[i].same)
			fail_msg("case %zu: %s: %s", i,
				cases[i].said.value ? cases[i].said.value : "-",
				cases[i].printed[0]);
}

/* A question for a value of x, and the value. */
#define ASK(text)                                                                                  \
	{                                                                                          \
		.path = "x", .var = "x", .value = text                                             \
	}
#define ASK_FLOAT(text)                                                                            \
	{                                                                                          \
		.path = "x", .var = "x", .value = text, .type = "double"                           \
	}
#define SAID(text)                                                                                 \
	{                                                                                          \
		.heard = true, .value = text                                                       \
	}
#define GONE                                                                                       \
	{                                                                                          \
		.heard = true, .state = ORA_STATE_OPTIMIZED_OUT                                    \
	}
#define FAILED                                                                                     \
	{                                                                                          \
		.heard = true, .state = ORA_STATE_ERROR                                            \
	}
#define ABSENT                                                                                     \
	{                                                                                          \
		.heard = true, .state = ORA_STATE_ABSENT                                           \
	}
#define T(text)                                                                                    \
	(char[])                                                                                   \
	{                                                                                          \
		text                                                                               \
	}

static void values_of_gdb(void **state)
{
	const struct reading cases[] = {
		{GDB, ASK("5"), {"$1 = 5\n"}, SAID(T("5")), true},
		{GDB, ASK("5"), {"$1 = 6\n"}, SAID(T("5")), false},
		{GDB, ASK("-4"), {"$4 = -4\n"}, SAID(T("-4")), true},
		{GDB, ASK("18446744073709551615"), {"$1 = 18446744073709551615\n"},
			SAID(T("18446744073709551615")), true},
		{GDB, ASK("1267650600228229401496703205376"),
			{"$6 = 1267650600228229401496703205376\n"},
			SAID(T("1267650600228229401496703205376")), true},
		{GDB, ASK("97"), {"$9 = 97 'a'\n"}, SAID(T("97")), true},
		{GDB, ASK("1"), {"$10 = true\n"}, SAID(T("1")), true},
		{GDB, ASK("0x555555555149"),
			{"$7 = (int (*)(int, struct s *)) 0x555555555149 <f>\n"},
			SAID(T("0x555555555149")), true},
		{GDB, ASK("0x0"), {"$1 = 0x0\n"}, SAID(T("0x0")), true},
		{GDB, ASK("0x7fffffffec40"), {"$1 = 0x7fffffffec48\n"}, SAID(T("0x7fffffffec40")),
			false},
		{GDB, ASK("implicit"), {"$1 = (int *) <synthetic pointer>\n"}, SAID(T("implicit")),
			true},
		{GDB, ASK("implicit"), {"$1 = <synthetic pointer>\n"}, SAID(T("0x10")), false},
		/* integers are the same or not, however near, and whatever fits into a float */
		{GDB, ASK("12345"), {"$1 = 12340\n"}, SAID(T("12345")), false},
		{GDB, ASK("16777217"), {"$1 = 16777216\n"}, SAID(T("16777217")), false},
		{GDB, ASK("9007199254740993"), {"$1 = 9007199254740992\n"},
			SAID(T("9007199254740993")), false},
		/* floats: printed with more digits than are needed */
		{GDB, ASK_FLOAT("0.1"), {"$1 = 0.10000000000000001\n"}, SAID(T("0.1")), true},
		{GDB, ASK_FLOAT("0.1"), {"$1 = 0.10000000000000002\n"}, SAID(T("0.1")), false},
		{GDB, ASK_FLOAT("0.1"), {"$1 = 0.100000001\n"}, SAID(T("0.1")), true},
		{GDB, ASK_FLOAT("0.1"), {"$5 = 0.100000000000000000001\n"}, SAID(T("0.1")), true},
		{GDB, ASK_FLOAT("0.5004"), {"$1 = 0.5\n"}, SAID(T("0.5004")), false},
		{GDB, {.path = "x", .var = "x", .value = "0.3333", .short_float = true},
			{"$1 = 0.33325\n"}, SAID(T("0.3333")), true},
		{GDB, ASK_FLOAT("3"), {"$1 = 3\n"}, SAID(T("3")), true},
		{GDB, ASK_FLOAT("3"), {"$1 = 3.25\n"}, SAID(T("3")), false},
		{GDB, ASK_FLOAT("inf"), {"$1 = inf\n"}, SAID(T("inf")), true},
		{GDB, ASK_FLOAT("-inf"), {"$1 = inf\n"}, SAID(T("-inf")), false},
		{GDB, ASK_FLOAT("nan(0x8000000000000)"), {"$1 = nan(0x8000000000000)\n"},
			SAID(T("nan(0x8000000000000)")), true},
		{GDB, ASK_FLOAT("nan(0x8000000000000)"), {"$1 = -nan(0x8000000000000)\n"},
			SAID(T("nan(0x8000000000000)")), false},
		/* none */
		{GDB, {.path = "x", .state = ORA_STATE_OPTIMIZED_OUT}, {"$1 = <optimized out>\n"},
			GONE, true},
		{GDB, {.path = "x", .state = ORA_STATE_OPTIMIZED_OUT}, {"$1 = 5\n"}, GONE, false},
		{GDB, {.path = "s", .state = ORA_STATE_OPTIMIZED_OUT},
			{"$1 = {a = <optimized out>, b = <optimized out>}\n"}, GONE, true},
		{GDB, {.path = "s", .state = ORA_STATE_OPTIMIZED_OUT},
			{"$1 = {a = <optimized out>, b = 5}\n"}, GONE, false},
		{GDB, {.path = "s", .state = ORA_STATE_OPTIMIZED_OUT},
			{"$1 = {<optimized out>, <optimized out> <repeats 29 times>}\n"}, GONE,
			true},
		{GDB, {.path = "x", .state = ORA_STATE_ERROR},
			{"Cannot access memory at address 0x0\n"}, FAILED, true},
		{GDB, {.path = "x", .state = ORA_STATE_ERROR}, {"$1 = 0.25\n"}, FAILED, false},
		{GDB, {.path = "x", .state = ORA_STATE_ERROR},
			{"A syntax error in expression, near `'.\n"}, FAILED, false},
		{GDB, {.path = "x", .state = ORA_STATE_OPTIMIZED_OUT},
			{"No symbol table is loaded.  Use the \"file\" command.\n"}, GONE, false},
		{GDB, {.path = "x", .state = ORA_STATE_OPTIMIZED_OUT},
			{"'x' has unknown type; cast it to its declared type\n"}, GONE, false},
		{GDB, {.path = "o.Base.x", .var = "o", .value = "1"},
			{"Cannot take address of method Base.\n"}, GONE, false},
		{GDB, {.path = "x", .by_name = true, .state = ORA_STATE_ABSENT},
			{"No symbol \"x\" in current context.\n"}, ABSENT, true},
		{GDB, ASK("5"), {"No symbol \"x\" in current context.\n"}, SAID(T("5")), false},
	};
	(void)state;
	check(cases, sizeof cases / sizeof *cases);
}

static void values_of_lldb(void **state)
{
	const struct reading cases[] = {
		{LLDB, ASK("-4"), {"(int:5) x = -4\n"}, SAID(T("-4")), true},
		{LLDB, ASK("97"), {"(char) x = 'a'\n"}, SAID(T("97")), true},
		{LLDB, ASK("10"), {"(char) x = '\\n'\n"}, SAID(T("10")), true},
		{LLDB, ASK("-1"), {"(char) x = '\\xff'\n"}, SAID(T("-1")), true},
		{LLDB, ASK("1"), {"(bool) x = true\n"}, SAID(T("1")), true},
		{LLDB, ASK("0x555555555149"),
			{"(int (*)(int, s *)) x = 0x0000555555555149 (t`f at t.c:6:53)\n"},
			SAID(T("0x555555555149")), true},
		{LLDB, ASK("0x0"), {"(const S0 *) x = NULL\n"}, SAID(T("0x0")), true},
		{LLDB, ASK("0x4010"), {"(char *) x = 0x0000555555558010 \"a\"\n"},
			SAID(T("0x4010")), false},
		{LLDB, ASK_FLOAT("0.1"), {"(double) x = 0.10000000000000001\n"}, SAID(T("0.1")),
			true},
		{LLDB, {.path = "x", .by_name = true, .value = "1.25", .type = "double"},
			{"(double) $0 = 1.25\n"}, SAID(T("1.25")), true},
		/* six digits of a complex number */
		{LLDB,
			{.path = "z.imag",
				.var = "z",
				.complex = true,
				.value = "0.30000000000000004"},
			{"(_Complex double) z = 1.25 + 0.3i\n"}, SAID(T("0.30000000000000004")),
			true},
		{LLDB, {.path = "z.real", .var = "z", .complex = true, .value = "1.25"},
			{"(_Complex double) z = 1.25 + 0.3i\n"}, SAID(T("1.25")), true},
		{LLDB, {.path = "z.imag", .var = "z", .complex = true, .value = "-8"},
			{"(_Complex int) z = 7 + -8i\n"}, SAID(T("-8")), true},
		{LLDB, {.path = "z.real", .var = "z", .complex = true, .value = "1.5"},
			{"(_Complex double) z = 1.25 + 0.3i\n"}, SAID(T("1.5")), false},
		/* none */
		{LLDB, {.path = "x", .state = ORA_STATE_OPTIMIZED_OUT},
			{"(int) x = <variable not available>\n\n"}, GONE, true},
		{LLDB, {.path = "x", .state = ORA_STATE_ERROR},
			{"(int *) x = <Could not evaluate DW_OP_entry_value.>\n\n"}, FAILED, true},
		{LLDB, {.path = "x", .state = ORA_STATE_ERROR}, {"(int) x = 77\n"}, FAILED, false},
		{LLDB, {.path = "x", .by_name = true, .state = ORA_STATE_ABSENT},
			{"error: expression failed to parse:\nerror: <user expression 0>:1:1: use "
			 "of "
			 "undeclared identifier 'x'\nx\n^\n"},
			ABSENT, true},
		{LLDB, {.path = "x.y", .var = "x", .value = "1"},
			{"error: \"y\" is not a member of \"(s) x\"\n"}, SAID(T("1")), false},
		{LLDB,
			{.path = "x.y",
				.var = "x",
				.line = 5,
				.listed = true,
				.state = ORA_STATE_ABSENT},
			{"o.c:5:1: (s) x = {}\n", "error: \"y\" is not a member of \"(s) x\"\n"},
			ABSENT, true},
		{LLDB,
			{.path = "x.y",
				.var = "x",
				.line = 5,
				.listed = true,
				.state = ORA_STATE_ABSENT},
			{"o.c:5:1: (s) x = (z = 1)\n",
				"error: \"y\" is not a member of \"(s) x\"\n"},
			ABSENT, false},
		/* of files with variables of one name */
		{LLDB,
			{.path = "v",
				.var = "v",
				.file_scope = true,
				.unit = "/s/b.c",
				.line = 2,
				.value = "7"},
			{"m m`a.c:1:12: (int) v = 5\nm m`b.c:2:12: (int) v = 7\n"}, SAID(T("7")),
			true},
		{LLDB,
			{.path = "v",
				.var = "v",
				.file_scope = true,
				.unit = "/s/b.c",
				.line = 2,
				.value = "5"},
			{"m m`a.c:1:12: (int) v = 5\nm m`b.c:2:12: (int) v = 7\n"}, SAID(T("5")),
			false},
		{LLDB, {.path = "v", .var = "v", .file_scope = true, .state = ORA_STATE_ERROR},
			{"t`: (int) v = <No TLS data currently exists for this thread.>\n"}, FAILED,
			true},
	};
	(void)state;
	check(cases, sizeof cases / sizeof *cases);
}

#define LIST(value_, state_, line_)                                                                \
	{                                                                                          \
		.path = "x", .var = "x", .unit = "/s/o.c", .line = line_, .listed = true,          \
		.value = value_, .state = state_                                                   \
	}

static void lists(void **state)
{
	static const char lldb[] = "o.c:5:37: (int) x = 2\no.c:5:81: (s) st = (a = 0, b = 5)\n"
				   "o.c:9:139: (int) x = 17\no.c:5:150: (int) xy = 18\n";
	const struct reading cases[] = {
		{GDB, LIST(NULL, ORA_STATE_ABSENT, 5), {"q = 6\nxy = 1\n", "No arguments.\n"},
			ABSENT, true},
		{GDB, LIST(NULL, ORA_STATE_ABSENT, 5), {"No locals.\n", "x = 2\n"}, ABSENT, false},
		{GDB, LIST(NULL, ORA_STATE_ABSENT, 5), {"x = <optimized out>\n", "y = 2\n"}, ABSENT,
			false},
		{GDB, LIST("2", ORA_STATE_VALUE, 5), {"No locals.\n", "x = 2\n", "$1 = 2\n"},
			SAID(T("2")), true},
		/* a constant is not listed, but printed */
		{GDB, LIST("2", ORA_STATE_VALUE, 5),
			{"No arguments.\n", "No locals.\n", "$1 = 2\n"}, SAID(T("2")), true},
		/* of no frame, or of another one, nothing is said */
		{GDB, LIST(NULL, ORA_STATE_ABSENT, 5),
			{"No frame selected.\n", "No frame selected.\n"}, ABSENT, false},
		{GDB,
			{.path = "x",
				.var = "x",
				.line = 5,
				.frame = 3,
				.listed = true,
				.state = ORA_STATE_ABSENT},
			{"No frame at level 3.\n", "No locals.\n", "No arguments.\n"}, ABSENT,
			false},
		{LLDB, LIST(NULL, ORA_STATE_ABSENT, 7), {"error: invalid process\n"}, ABSENT,
			false},
		{LLDB, LIST(NULL, ORA_STATE_ABSENT, 7), {lldb}, ABSENT, true},
		{LLDB, LIST(NULL, ORA_STATE_ABSENT, 5), {lldb}, ABSENT, false},
		{LLDB,
			{.path = "x",
				.var = "x",
				.unit = "o.c",
				.line = 5,
				.hidden = true,
				.value = "2"},
			{lldb}, SAID(T("2")), true},
		{LLDB,
			{.path = "x",
				.var = "x",
				.unit = "o.c",
				.line = 9,
				.hidden = true,
				.value = "2"},
			{lldb}, SAID(T("2")), false},
		{GDB, {.path = "x", .var = "x", .hidden = true, .value = "2"},
			{"x = 17\n", "x = 2\n"}, SAID(T("17")), false},
		{GDB, {.path = "x", .var = "x", .hidden = true, .value = "2"},
			{"x = 17\n", "x = 2\n"}, SAID(T("2")), true},
		/* what its own path shows is there, and so is what is listed by a linkage name */
		{LLDB, {.path = "s.b", .var = "s", .listed = true, .state = ORA_STATE_ABSENT},
			{"(int) other = 1\n", "(bool) s.b = true\n"}, ABSENT, false},
		{LLDB, LIST(NULL, ORA_STATE_ABSENT, 5), {"o.c:5: (int) ns::f(int)::x = 2\n"},
			ABSENT, false},
		{LLDB, LIST(NULL, ORA_STATE_ABSENT, 5), {"o.c:5: (int) ns::x = 2\n"}, ABSENT, true},
		/* an element that an array may not have */
		{GDB, {.path = "a[2]", .var = "a", .listed = true, .state = ORA_STATE_ABSENT},
			{"a = {0, 0}\n", "No arguments.\n", "$1 = 2\n"}, ABSENT, true},
		{GDB, {.path = "a[1]", .var = "a", .listed = true, .state = ORA_STATE_ABSENT},
			{"a = {0, 0}\n", "No arguments.\n", "$1 = 2\n"}, ABSENT, false},
		{LLDB, {.path = "a[2]", .var = "a", .listed = true, .state = ORA_STATE_ABSENT},
			{"(int[2]) a = ([0] = 0, [1] = 0)\n", "(int[2]) a = ([0] = 0, [1] = 0)\n"},
			ABSENT, true},
		{LLDB, {.path = "a[1]", .var = "a", .listed = true, .state = ORA_STATE_ABSENT},
			{"(int[2]) a = ([0] = 0, [1] = 0)\n", "(int[2]) a = ([0] = 0, [1] = 0)\n"},
			ABSENT, false},
	};
	(void)state;
	check(cases, sizeof cases / sizeof *cases);
}

#define STACK_GDB                                                                                  \
	"#0  use (a=a@entry=6, s=s@entry=..., p=p@entry=0x7fffffffe65c) at o.c:3\n"                \
	"#1  0x00005555555551ac in inl (k=2) at o.c:4\n#2  g (x=x@entry=2) at o.c:5\n"             \
	"#3  0x0000555555555059 in main (argc=1, argv=0x7) at o.c:7\n"                             \
	"#4  0x00007ffff7dfa24a in ?? () from /lib/libc.so.6\n"
#define STACK_LLDB                                                                                 \
	"* thread #1, name = 'o', stop reason = breakpoint 1.1\n"                                  \
	"  * frame #0: 0x0000555555555160 o`use(a=6, s=(a = 2, b = 6)) at o.c:3:71\n"              \
	"    frame #1: 0x00005555555551ac o`g [inlined] inl(k=2) at o.c:4:99\n"                    \
	"    frame #2: 0x00005555555551ac o`g(x=2) at o.c:5:1\n"                                   \
	"    frame #3: 0x0000555555555059 o`main(argc=<unavailable>) at o.c:7:75\n"

static void lines_frames_and_registers(void **state)
{
	const struct ora_by_hand_question line = {.aspect = ORA_ASPECT_LINE, .pc = 0x10},
					  frames = {.aspect = ORA_ASPECT_FRAMES},
					  reg = {.aspect = ORA_ASPECT_REGISTER, .path = "$rax"};
	const struct reading cases[] = {
		{GDB, line,
			{"Line 13 of \"t.c\" starts at address 0x55555555528a <f+321> and ends at "
			 "0x555555555290 <f+327>.\n"},
			SAID(T("t.c:13")), true},
		{GDB, line,
			{"Line 13 of \"t.c\" starts at address 0x55555555528a <f+321> and ends at "
			 "0x555555555290 <f+327>.\n"},
			SAID(T("t.c:14")), false},
		{GDB, line, {"No line number information available for address 0x10 <f>\n"},
			SAID(T("no row")), true},
		{LLDB, line,
			{"      Address: t[0x1171] (t.PT_LOAD[1]..text + 273)\n    LineEntry: "
			 "[0x10-0x20): /tmp/bh/t.c:8:11\n"},
			SAID(T("t.c:8")), true},
		{LLDB, line,
			{"      Address: t[0x1171]\n    LineEntry: [0x10-0x20): /tmp/bh/t.c:8\n"},
			SAID(T("t.c:8")), true},
		{LLDB, line,
			{"      Address: t[0x1171]\n    LineEntry: [0x10-0x20): /tmp/bh/t.c\n"},
			SAID(T("t.c:0")), true},
		{LLDB, line, {"      Address: t[0x1171]\n       Symbol: id = {0x1}\n"},
			SAID(T("no row")), true},
		{GDB, frames, {STACK_GDB}, SAID(T("use < inl (inlined) < g < main at o.c:3")),
			true},
		{GDB, frames, {STACK_GDB}, SAID(T("use < g < main at o.c:3")), false},
		{GDB, frames, {STACK_GDB}, SAID(T("use < inl (inlined) < g < main at o.c:4")),
			false},
		{GDB, frames, {STACK_GDB}, SAID(T("use.part.0 < inl < g < main")), true},
		{LLDB, frames, {STACK_LLDB}, SAID(T("use < inl (inlined) < g < main at o.c:3")),
			true},
		{LLDB, frames, {STACK_LLDB}, SAID(T("inl (inlined) < g < main at o.c:3")), false},
		{LLDB, frames, {"  * frame #0: 0x0000555555555160 a`b`main(argc=1) at o.c:3:7\n"},
			SAID(T("main at o.c:3")), true},
		{GDB, reg, {"rax            0x5                 5\n"}, SAID(T("0x5")), true},
		{LLDB, reg, {"     rax = 0x0000000000000005\n"}, SAID(T("0x5")), true},
		{LLDB, reg, {"     rax = 0x0000000000000006\n"}, SAID(T("0x5")), false},
	};
	(void)state;
	check(cases, sizeof cases / sizeof *cases);
}

static void which_of_several_a_name_means(void **state)
{
	const struct ora_by_hand_question question = {
		.aspect = ORA_ASPECT_LOOKUP, .path = "x", .var = "x", .unit = "o.c", .line = 5};
	const struct reading cases[] = {
		{GDB, question, {"$1 = 17\n", "5\n"}, SAID(T("visible")), true},
		{GDB, question, {"$1 = 17\n", "9\n"}, SAID(T("hidden")), true},
		{GDB, question, {"$1 = 17\n", "9\n"}, SAID(T("visible")), false},
		{LLDB, question, {"o.c:5:37: (int) x = 2\n"}, SAID(T("visible")), true},
		{LLDB, question, {"o.c:9:139: (int) x = 17\n"}, SAID(T("hidden")), true},
		{LLDB, question, {"error: no variable named 'x' found in this frame\n"},
			SAID(T("hidden")), true},
	};
	(void)state;
	check(cases, sizeof cases / sizeof *cases);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_of_gdb),
		cmocka_unit_test(values_of_lldb),
		cmocka_unit_test(lists),
		cmocka_unit_test(lines_frames_and_registers),
		cmocka_unit_test(which_of_several_a_name_means),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
