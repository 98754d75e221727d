/* verdict_frames_test.c - whether a backtrace that is not xstep's is wrong, by fake_program.S. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/judge/fake_trace.h"

/* Functions that xstep shows somewhere are the program's own: a first stop shows them all. */
#define ALL                                                                                        \
	"400fff main a.c:1\n < jump < either < middle < wrap < inl < host < split < empty < vars " \
	"< "                                                                                       \
	"main\n"

#define BORDER "G6 lie presentation lldb:? contested; the border of an inlined call; wrong nobody\n"
#define TAIL   "G6 lie presentation lldb:? contested; frames of tail calls; wrong nobody\n"
#define ENDED                                                                                      \
	"G6 lie presentation lldb:? contested; backtraces that end before main; wrong nobody\n"
#define FRAMES "G6 lie frames lldb:?; suspected; wrong nobody\n"

static const struct {
	const char *name, *xstep, *lldb, *found;
} cases[] = {
	/* Inlined calls. */
	{"at the first instruction of an inlined call, it may be left out",
		"401202 host+2 a.c:45\n < inl~ < host < main@401013\n",
		"401202 host+2 a.c:45\n < host:41 < main@401013\n", BORDER},
	{"at the second it may not", "401203 host+3 a.c:46\n < inl~ < host < main@401013\n",
		"401203 host+3 a.c:46\n < host < main@401013\n", FRAMES},
	{"the function around it may not be left out",
		"401202 host+2 a.c:45\n < inl~ < host < main@401013\n",
		"401202 host+2 a.c:45\n < main:41@401013\n", FRAMES},
	/* Functions and blocks that lldb is known not to find. */
	{"a function in two stretches", "401380 split a.c:52\n < split < main@401013\n",
		"401380 split a.c:52\n < ? < main@401013\n", FRAMES},
	{"one with an empty range", "401402 empty+2 a.c:57\n < inl~ < empty < main@401013\n",
		"401402 empty+2 a.c:57\n < empty < main@401013\n", FRAMES},
	/* Tail calls. */
	{"the one way that there is may be shown", "401501 last+1 a.c:61\n < last < main@401013\n",
		"401501 last+1 a.c:61\n < last < jump < main@401013\n", TAIL},
	{"a way that leaves out nothing certain", "401501 last+1 a.c:61\n < last < main@401019\n",
		"401501 last+1 a.c:61\n < last < either < main@401019\n", TAIL},
	{"a way that need not have been taken", "401501 last+1 a.c:61\n < last < main@401019\n",
		"401501 last+1 a.c:61\n < last < middle < either < main@401019\n", FRAMES},
	{"another function than was called", "401501 last+1 a.c:61\n < last < main@401013\n",
		"401501 last+1 a.c:61\n < last < middle < main@401013\n", FRAMES},
	{"the function around an inlined call", "401501 last+1 a.c:61\n < last < main@40101f\n",
		"401501 last+1 a.c:61\n < last < wrap < main@40101f\n", TAIL},
	{"the inlined call, and not the function around it",
		"401501 last+1 a.c:61\n < last < main@40101f\n",
		"401501 last+1 a.c:61\n < last < middle < main@40101f\n", TAIL},
	/* What is outside of all frames is nobody's tail call. */
	{"a frame outside of main", "401501 last+1 a.c:61\n < last < main@401013\n",
		"401501 last+1 a.c:61\n < last < main@401013 < jump\n", FRAMES},
	{"a frame inside of the innermost", "401501 last+1 a.c:61\n < last < main@401013\n",
		"401501 last+1 a.c:61\n < jump < last < main@401013\n", FRAMES},
	/* Where xstep's own walk ends early, nobody knows what is outside. */
	{"frames behind an end before main", "401501 last+1 a.c:61\n < last\n",
		"401501 last+1 a.c:61\n < last < main@401013\n", ENDED},
	{"a lack of frames is another thing", "401501 last+1 a.c:61\n < last < main@401013\n",
		"401501 last+1 a.c:61\n < last\n", FRAMES},
	/* Other frames altogether. */
	{"other frames", "401501 last+1 a.c:61\n < last < jump@401605 < main@401013\n",
		"401501 last+1 a.c:61\n < last < middle < main@401013\n", FRAMES},
	/* The line that frame 0 shows, with the same frames. */
	{"another line", "401501 last+1 a.c:61\n < last < main@401013\n",
		"401501 last+1 a.c:61\n < last:60 < main@401013\n", BORDER},
};

static void backtraces(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		void *fresh;
		assert_int_equal(ora_fake_setup(&fresh), 0);
		struct fake *fake = fresh;
		fake->subject = FAKE_PROGRAM;
		XS_AUTO_FREE char *xstep = xs_asprintf("%s%s", ALL, cases[i].xstep);
		XS_AUTO_FREE char *lldb = xs_asprintf("%s%s", ALL, cases[i].lldb);
		ora_fake_trace(fake, "xstep", xstep);
		ora_fake_trace(fake, "lldb", lldb);
		ora_fake_judge(fake);
		const char *found = ora_fake_findings(fake, &fake->verdicts);
		if (strcmp(found, cases[i].found) != 0)
			fail_msg("%s: found\n%sand not\n%s", cases[i].name, found, cases[i].found);
		ora_fake_teardown(&fresh);
	}
}

/* Without the program nothing tells whether frames are fair: they are what the comparison says. */
static void without_the_program(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", ALL "401203 host+3 a.c:46\n < inl~ < host < main@401013\n");
	ora_fake_trace(fake, "lldb", ALL "401203 host+3 a.c:46\n < host < main@401013\n");
	ora_fake_judge(fake);
	assert_string_equal(ora_fake_findings(fake, &fake->verdicts), BORDER);
}

/* Each witness is judged by itself. */
static void one_is_fair_and_another_is_not(void **state)
{
	struct fake *fake = *state;
	fake->subject = FAKE_PROGRAM;
	ora_fake_trace(fake, "xstep", ALL "401501 last+1 a.c:61\n < last < main@401019\n");
	ora_fake_trace(fake, "gdb", ALL "401501 last+1 a.c:61\n < last < either < main@401019\n");
	ora_fake_trace(fake, "lldb", ALL "401501 last+1 a.c:61\n < last < middle < main@401019\n");
	ora_fake_judge(fake);
	assert_string_equal(ora_fake_findings(fake, &fake->verdicts), FRAMES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(backtraces),
		cmocka_unit_test_setup_teardown(
			without_the_program, ora_fake_setup, ora_fake_teardown),
		cmocka_unit_test_setup_teardown(
			one_is_fair_and_another_is_not, ora_fake_setup, ora_fake_teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
