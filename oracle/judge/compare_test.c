/* compare_test.c - where traces are, and what they say of control: stops, lines, frames,
 * registers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/judge/fake_trace.h"
#include "oracle/store/buffer.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, ora_fake_setup, ora_fake_teardown)

/* --- which traces can be compared ----------------------------------------------------------- */

static const char one_stop[] = "1000 main a.c:3\n x = 1\n";

/* The message with which a comparison of all traces is refused. */
static const char *refusal(struct fake *fake)
{
	static char text[200];
	struct ora_comparison comparison = {.store = fake->store, .count = fake->count};
	for (size_t i = 0; i < fake->count; i++)
		comparison.traces[i] = i + 1;
	XS_AUTO(xs_error) err = ora_compare(&comparison);
	assert_non_null(err);
	assert_int_equal(comparison.differences.len, 0);
	snprintf(text, sizeof text, "%s", err->message);
	return text;
}

static void different_programs_are_refused(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", one_stop);
	fake->hash = "sha256:1";
	fake->subject = "/nowhere/other";
	ora_fake_trace(fake, "gdb", one_stop);
	assert_string_equal(refusal(fake), "traces 1 and 2 are of different programs, "
					   "/nowhere/program and /nowhere/other");
}

/* One program under two names is one program. */
static void one_program_under_two_names_is_compared(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", one_stop);
	fake->subject = "/nowhere/other";
	ora_fake_trace(fake, "gdb", one_stop);
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake), "");
}

static void different_levels_are_refused(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", one_stop);
	fake->level = "line";
	ora_fake_trace(fake, "gdb", one_stop);
	assert_string_equal(refusal(fake),
		"traces 1 and 2 are stepped differently: by instruction and by line");
}

static void different_samplings_are_refused(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", one_stop);
	fake->sample = "unique";
	ora_fake_trace(fake, "gdb", one_stop);
	assert_string_equal(
		refusal(fake), "traces 1 and 2 keep different stops: --sample all and unique");
}

static void different_seeds_are_refused(void **state)
{
	struct fake *fake = *state;
	fake->sample = "dtd";
	ora_fake_trace(fake, "xstep", one_stop);
	fake->seed = 7;
	ora_fake_trace(fake, "gdb", one_stop);
	assert_non_null(strstr(refusal(fake), "keep different stops"));
}

static void a_trace_that_is_not_there_is_refused(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", one_stop);
	fake->count = 2;
	assert_string_equal(refusal(fake), "no trace 2");
}

static void twelve_traces_can_be_compared(void **state)
{
	struct fake *fake = *state;
	for (size_t i = 0; i < ORA_COMPARE_MAX; i++) {
		XS_AUTO_FREE char *text = xs_asprintf("1000 main a.c:3\n x = %d\n", i == 11);
		ora_fake_trace(fake, i ? "gdb" : "xstep", text);
	}
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake),
		"variable main:x @1000 1x 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 1\n");
}

static void a_trace_alone_agrees_with_itself(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", one_stop);
	ora_fake_compare(fake);
	assert_int_equal(fake->comparison.stops, 1);
	assert_int_equal(fake->comparison.compared, 0);
	assert_string_equal(ora_fake_differences(fake), "");
}

/* --- stops ---------------------------------------------------------------------------------- */

static void the_same_stops_agree(void **state)
{
	static const char text[] = "1000 main a.c:3\n"
				   " x = 1\n"
				   " $rax = 5\n"
				   "1004 main a.c:4\n"
				   " x = 2\n"
				   "1000 main a.c:3\n"
				   "1004 main a.c:4\n";
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", text);
	ora_fake_trace(fake, "gdb", text);
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake), "");
	assert_string_equal(ora_fake_asides(fake), "");
	assert_int_equal(fake->comparison.stops, 4);
	/* Two values of x, a register, the lines of two places, the frames of two places. */
	assert_int_equal(fake->comparison.compared, 7);
}

static bool enough(void *context, uint64_t done, uint64_t total)
{
	*(uint64_t *)context = total;
	return done < 64;
}

static void who_is_told_to_end_says_how_far_it_got(void **state)
{
	struct fake *fake = *state;
	struct ora_buffer text = {0};
	uint64_t total = 0;
	for (unsigned i = 0; i < 100; i++)
		ora_buffer_put(&text, i % 2 ? "1004 f a.c:4\n" : "1000 f a.c:3\n x = 1\n");
	ora_fake_trace(fake, "xstep", text.data);
	ora_fake_trace(fake, "gdb", text.data);
	free(text.data);
	fake->comparison.go_on = enough;
	fake->comparison.context = &total;
	ora_fake_compare(fake);
	assert_true(fake->comparison.cut);
	assert_int_equal(fake->comparison.stops, 64);
	assert_int_equal(fake->comparison.missed[1], 0);
	assert_int_equal(fake->comparison.extra[1], 0);
	assert_int_equal(total, 100);
}

static void a_missed_stop_is_counted(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", "1000 main a.c:3\n1004 main a.c:4\n1008 main a.c:5\n");
	ora_fake_trace(fake, "gdb", "1000 main a.c:3\n1008 main a.c:5 prev=1004\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake),
		"stops @1004 1x 1 | stopped here | did not stop here\n");
	assert_string_equal(ora_fake_asides(fake), "missed by gdb 1");
}

static void an_extra_stop_is_counted(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", "1000 main a.c:3\n1008 main a.c:5 prev=1004\n");
	ora_fake_trace(fake, "gdb", "1000 main a.c:3\n1004 main a.c:4\n1008 main a.c:5\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake),
		"stops @1008 1x 1 | did not stop there | stopped at 0x1004, arrival 1\n");
	assert_string_equal(ora_fake_asides(fake), "extra by gdb 1");
}

/* The n-th time is part of what a stop is. */
static void another_occurrence_is_another_stop(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", "1000 main a.c:3\n1004 main a.c:4 n=2\n");
	ora_fake_trace(fake, "gdb", "1000 main a.c:3\n1004 main a.c:4 n=3\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake),
		"stops @1004 1x 1 | did not stop there | stopped at 0x1004, arrival 3\n");
	assert_string_equal(ora_fake_asides(fake), "missed by gdb 1, extra by gdb 1");
}

/* A trace that ends early misses stops, and that is no difference of its own. */
static void the_end_of_a_trace_is_no_difference(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", "1000 main a.c:3\n1004 main a.c:4\n1008 main a.c:5\n");
	ora_fake_trace(fake, "gdb", "1000 main a.c:3\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake), "");
	assert_string_equal(ora_fake_asides(fake), "missed by gdb 2");
}

static void stops_after_the_leaders_last_are_extra(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", "1000 main a.c:3\n");
	ora_fake_trace(fake, "gdb", "1000 main a.c:3\n1004 main a.c:4\n1008 main a.c:5\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake), "");
	assert_string_equal(ora_fake_asides(fake), "extra by gdb 2");
}

/* What was told at a stop that nobody else has still holds at the next one. */
static void changes_at_an_extra_stop_count_at_the_next(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", "1000 main a.c:3\n x = 1\n1008 main a.c:5 prev=1004\n");
	ora_fake_trace(
		fake, "gdb", "1000 main a.c:3\n x = 1\n1004 main a.c:4\n x = 2\n1008 main a.c:5\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake),
		"stops @1008 1x 1 | did not stop there | stopped at 0x1004, arrival 1\n"
		"variable main:x @1008 1x 1 | 1 | 2\n");
}

/* Where one witness is elsewhere the others are compared, and it is asked when it is here again. */
static void whoever_missed_a_stop_is_asked_at_the_next(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep",
		"1000 main a.c:3\n x = 1\n1004 main a.c:4\n x = 2\n1008 main a.c:5\n");
	ora_fake_trace(fake, "gdb", "1000 main a.c:3\n x = 1\n1008 main a.c:5 prev=1004\n");
	ora_fake_trace(fake, "lldb",
		"1000 main a.c:3\n x = 1\n1004 main a.c:4\n x = 2\n1008 main a.c:5\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake),
		"stops @1004 1x 1 | stopped here | did not stop here | -\n"
		"variable main:x @1008 1x 1 | 2 | 1 | 2\n");
}

/* --- lines ---------------------------------------------------------------------------------- */

/* The line table says one thing of a pc, however often it is come to. */
static void a_line_is_compared_once_for_each_pc(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep",
		"1000 main a.c:3\n1004 main a.c:4\n1000 main a.c:3\n1004 main a.c:4\n");
	ora_fake_trace(fake, "gdb",
		"1000 main a.c:3\n1004 main a.c:9\n1000 main a.c:3\n1004 main a.c:9\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake), "line table @1004 1x 2 | a.c:4 | a.c:9\n");
}

static void folders_of_files_do_not_matter(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", "1000 main /src/a.c:3\n");
	ora_fake_trace(fake, "gdb", "1000 main a.c:3\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake), "");
}

static void another_file_is_another_line(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", "1000 main a.c:3\n");
	ora_fake_trace(fake, "gdb", "1000 main b.h:3\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake), "line table @1000 1x 1 | a.c:3 | b.h:3\n");
}

static void no_row_and_line_0_differ(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", "1000 main a.c:0\n");
	ora_fake_trace(fake, "gdb", "1000 main -\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake), "line table @1000 1x 1 | a.c:0 | no row\n");
}

/* --- frames --------------------------------------------------------------------------------- */

static void other_functions_are_other_frames(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(
		fake, "xstep", "1000 f a.c:3\n < f < g < main\n1004 f a.c:3\n < f < g < main\n");
	ora_fake_trace(
		fake, "gdb", "1000 f a.c:3\n < f < main < g\n1004 f a.c:3\n < f < g < main\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake),
		"frames @1000 1x 1 | f < g < main at a.c:3 | f < main < g at a.c:3\n");
}

/* A frame more, all others being the same. */
static void a_frame_more_is_presentation(void **state)
{
	struct fake *fake = *state;
	const struct ora_difference *one;
	ora_fake_trace(
		fake, "xstep", "0fff g a.c:1\n < g < main\n1000 f a.c:3\n < f < main@1100\n");
	ora_fake_trace(
		fake, "gdb", "0fff g a.c:1\n < g < main\n1000 f a.c:3\n < f < g < main@1100\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake),
		"presentation @1000 1x 1 | f < main at a.c:3 | f < g < main at a.c:3\n");
	one = fake->comparison.differences.data[0];
	assert_int_equal(one->frames.len, 2);
	assert_string_equal(one->frames.data[1].function, "main");
	assert_int_equal(one->frames.data[1].pc, 0x1100);
	assert_int_equal(one->frames.data[0].lack | one->frames.data[1].lack, 0);
	assert_int_equal(one->added.len, 1);
	assert_string_equal(one->added.data[0].function, "g");
	assert_int_equal(one->added.data[0].trace, 1);
	assert_int_equal(one->added.data[0].outside, 1);
}

/* A function that ended with a tail call to itself: the frame that is made up for it is not the
 * leader's, and its variables are not compared with the leader's. */
static void a_tail_calls_frame_is_nobodys(void **state)
{
	struct fake *fake = *state;
	const struct ora_difference *one;
	ora_fake_trace(fake, "xstep", "1000 f a.c:3\n < f < main@1100\n x = 1\n");
	ora_fake_trace(fake, "gdb",
		"1000 f a.c:3\n < f < f^@1020 < main@1100\n x = 1\n #1 x = <optimized-out>\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake),
		"presentation @1000 1x 1 | f < main at a.c:3 | f < f < main at a.c:3\n");
	one = fake->comparison.differences.data[0];
	assert_int_equal(one->frames.data[0].lack | one->frames.data[1].lack, 0);
	assert_int_equal(one->added.len, 1);
	assert_true(one->added.data[0].tail);
	assert_int_equal(one->added.data[0].pc, 0x1020);
	assert_int_equal(one->added.data[0].outside, 1);
}

/* Frames of one name are the same where they return to the same place. */
static void frames_are_matched_by_pc(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep",
		"1000 f a.c:3\n < f < g@1200 < g@1300 < main@1100\n #1 x = 1\n #2 x = 2\n");
	ora_fake_trace(fake, "gdb", "1000 f a.c:3\n < f < g@1200 < main@1100\n #1 x = 1\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake),
		"presentation @1000 1x 1 | f < g < g < main at a.c:3 | f < g < main at a.c:3\n");
	assert_int_equal(fake->comparison.differences.data[0]->frames.data[1].lack, 0);
	assert_int_equal(fake->comparison.differences.data[0]->frames.data[2].lack, 2);
}

/* The same names, and a frame that returns elsewhere: another frame. */
static void another_pc_is_another_frame(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", "1000 f a.c:3\n < f < g@1200 < main@1100\n");
	ora_fake_trace(fake, "gdb", "1000 f a.c:3\n < f < g@1300 < main@1100\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake),
		"frames @1000 1x 1 | f < g < main at a.c:3 | f < g < main at a.c:3\n");
}

static void a_frame_less_is_presentation(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", "1000 f a.c:3\n < g~ < f < main\n");
	ora_fake_trace(fake, "gdb", "1000 f a.c:3\n < f < main\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake),
		"presentation @1000 1x 1 | g (inlined) < f < main at a.c:3 | f < main at a.c:3\n");
	assert_int_equal(fake->comparison.differences.data[0]->frames.data[0].lack, 2);
	assert_int_equal(fake->comparison.differences.data[0]->frames.data[1].lack, 0);
}

static void what_frame_0_shows_is_presentation(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", "1000 f a.c:3\n < f:3 < main\n");
	ora_fake_trace(fake, "gdb", "1000 f a.c:3\n < f:9 < main\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake),
		"presentation @1000 1x 1 | f < main at a.c:3 | f < main at a.c:9\n");
}

/* The same backtraces at the same pc are compared once, and then counted. */
static void backtraces_are_counted_by_stops(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep",
		"1000 f a.c:3\n < f < g < main\n1004 f a.c:3\n < f < g < main\n"
		"1000 f a.c:3\n < f < g < main\n");
	ora_fake_trace(fake, "gdb",
		"1000 f a.c:3\n < f < main < g\n1004 f a.c:3\n < f < g < main\n"
		"1000 f a.c:3\n < f < main < g\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake),
		"frames @1000 1x 2 | f < g < main at a.c:3 | f < main < g at a.c:3\n");
}

static void names_that_differ_in_spelling_are_set_aside(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", "1000 f a.c:3\n < f.constprop.0 < main\n");
	ora_fake_trace(fake, "gdb", "1000 f a.c:3\n < f(int) < main\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake), "");
	assert_string_equal(ora_fake_asides(fake), "spelling 1");
}

static void frames_of_libraries_are_not_compared(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", "1000 f a.c:3\n < f < qsort@10!libc.so < main\n");
	ora_fake_trace(
		fake, "gdb", "1000 f a.c:3\n < f < msort@10!libc.so < qsort@20!libc.so < main\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake), "");
}

static void backtraces_that_are_not_told_are_not_compared(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", "1000 f a.c:3\n < 2\n x = 1\n #1 y = 5\n");
	ora_fake_trace(fake, "gdb", "1000 f a.c:3\n < 2\n x = 1\n #1 y = 6\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake), "variable f:y @1000 1x 1 | 5 | 6\n");
}

/* --- registers ------------------------------------------------------------------------------ */

static void registers_differ_until_they_agree(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(
		fake, "xstep", "1000 f a.c:3\n $rax = 5\n1004 f a.c:3\n1008 f a.c:3\n $rax = 7\n");
	ora_fake_trace(
		fake, "gdb", "1000 f a.c:3\n $rax = 6\n1004 f a.c:3\n1008 f a.c:3\n $rax = 7\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake), "register $rax @1000 1x 2 | 0x5 | 0x6\n");
}

/* One difference for each register, wherever it is. */
static void a_register_has_one_difference(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(
		fake, "xstep", "1000 f a.c:3\n $rax = 5\n1004 f a.c:3\n $rax = 8\n1008 f a.c:3\n");
	ora_fake_trace(
		fake, "gdb", "1000 f a.c:3\n $rax = 6\n1004 f a.c:3\n $rax = 9\n1008 f a.c:3\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake), "register $rax @1000 2x 3 | 0x5 | 0x6\n");
}

static void what_is_no_number_is_not_compared(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", "1000 f a.c:3\n $xmm0 = \"1\"\n $rbx = ?\n");
	ora_fake_trace(fake, "gdb", "1000 f a.c:3\n $xmm0 = \"2\"\n $rbx = 5\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake), "");
}

static void three_answers_for_a_register_are_set_aside(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", "1000 f a.c:3\n $rax = 5\n");
	ora_fake_trace(fake, "gdb", "1000 f a.c:3\n $rax = 6\n");
	ora_fake_trace(fake, "lldb", "1000 f a.c:3\n $rax = 7\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake), "");
	assert_string_equal(ora_fake_asides(fake), "unstable 1");
}

static void two_against_one_is_a_difference(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", "1000 f a.c:3\n $rax = 5\n");
	ora_fake_trace(fake, "gdb", "1000 f a.c:3\n $rax = 6\n");
	ora_fake_trace(fake, "lldb", "1000 f a.c:3\n $rax = 5\n");
	ora_fake_compare(fake);
	assert_string_equal(
		ora_fake_differences(fake), "register $rax @1000 1x 1 | 0x5 | 0x6 | 0x5\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(different_programs_are_refused),
		TEST(one_program_under_two_names_is_compared),
		TEST(different_levels_are_refused),
		TEST(different_samplings_are_refused),
		TEST(different_seeds_are_refused),
		TEST(a_trace_that_is_not_there_is_refused),
		TEST(twelve_traces_can_be_compared),
		TEST(a_trace_alone_agrees_with_itself),
		TEST(the_same_stops_agree),
		TEST(who_is_told_to_end_says_how_far_it_got),
		TEST(a_missed_stop_is_counted),
		TEST(an_extra_stop_is_counted),
		TEST(another_occurrence_is_another_stop),
		TEST(the_end_of_a_trace_is_no_difference),
		TEST(stops_after_the_leaders_last_are_extra),
		TEST(changes_at_an_extra_stop_count_at_the_next),
		TEST(whoever_missed_a_stop_is_asked_at_the_next),
		TEST(a_line_is_compared_once_for_each_pc),
		TEST(folders_of_files_do_not_matter),
		TEST(another_file_is_another_line),
		TEST(no_row_and_line_0_differ),
		TEST(other_functions_are_other_frames),
		TEST(a_frame_more_is_presentation),
		TEST(a_tail_calls_frame_is_nobodys),
		TEST(frames_are_matched_by_pc),
		TEST(another_pc_is_another_frame),
		TEST(a_frame_less_is_presentation),
		TEST(what_frame_0_shows_is_presentation),
		TEST(backtraces_are_counted_by_stops),
		TEST(names_that_differ_in_spelling_are_set_aside),
		TEST(frames_of_libraries_are_not_compared),
		TEST(backtraces_that_are_not_told_are_not_compared),
		TEST(registers_differ_until_they_agree),
		TEST(a_register_has_one_difference),
		TEST(what_is_no_number_is_not_compared),
		TEST(three_answers_for_a_register_are_set_aside),
		TEST(two_against_one_is_a_difference),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
