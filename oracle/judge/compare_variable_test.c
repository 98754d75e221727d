/* compare_variable_test.c - what witnesses say of variables: values, states, parts, frames,
 * names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/judge/fake_trace.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, ora_fake_setup, ora_fake_teardown)

/* Compares two traces, or three. */
static void compare(struct fake *fake, const char *xstep, const char *gdb, const char *lldb)
{
	ora_fake_trace(fake, "xstep", xstep);
	ora_fake_trace(fake, "gdb", gdb);
	if (lldb)
		ora_fake_trace(fake, "lldb", lldb);
	ora_fake_compare(fake);
}

/* --- values --------------------------------------------------------------------------------- */

static void a_difference_begins_lasts_and_ends(void **state)
{
	compare(*state,
		"1000 f a.c:3\n x = 1\n1004 f a.c:4\n x = 2\n1008 f a.c:5\n100c f a.c:6\n x = 4\n",
		"1000 f a.c:3\n x = 1\n1004 f a.c:4\n x = 3\n1008 f a.c:5\n100c f a.c:6\n x = 4\n",
		NULL);
	assert_string_equal(ora_fake_differences(*state), "variable f:x @1004 1x 2 | 2 | 3\n");
}

static void a_difference_may_last_to_the_end(void **state)
{
	compare(*state, "1000 f a.c:3\n x = 1\n1004 f a.c:4\n1008 f a.c:5\n",
		"1000 f a.c:3\n x = 2\n1004 f a.c:4\n1008 f a.c:5\n", NULL);
	assert_string_equal(ora_fake_differences(*state), "variable f:x @1000 1x 3 | 1 | 2\n");
}

/* The same leaf with the same states at the same pc is one difference, which begins twice. */
static void a_difference_that_comes_again_is_counted(void **state)
{
	compare(*state,
		"1000 f a.c:3\n x = 1\n1004 f a.c:4\n x = 2\n1000 f a.c:3\n x = 1\n1004 f a.c:4\n "
		"x = 5\n",
		"1000 f a.c:3\n x = 1\n1004 f a.c:4\n x = 3\n1000 f a.c:3\n x = 1\n1004 f a.c:4\n "
		"x = 6\n",
		NULL);
	assert_string_equal(ora_fake_differences(*state), "variable f:x @1004 2x 2 | 2 | 3\n");
}

/* Other values at another pc: it ends there, and another one begins. */
static void other_values_are_another_difference(void **state)
{
	compare(*state, "1000 f a.c:3\n x = 1\n1004 f a.c:4\n x = 2\n",
		"1000 f a.c:3\n x = 7\n1004 f a.c:4\n x = 8\n", NULL);
	assert_string_equal(ora_fake_differences(*state), "variable f:x @1000 1x 1 | 1 | 7\n"
							  "variable f:x @1004 1x 1 | 2 | 8\n");
}

static void globals_have_no_frame(void **state)
{
	struct fake *fake = *state;
	compare(fake, "1000 f a.c:3\n < f < main\n ::(int)g@9 = 1\n",
		"1000 f a.c:3\n < f < main\n ::(int)g@9 = 2\n", NULL);
	const struct ora_difference *one = fake->comparison.differences.data[0];
	assert_string_equal(ora_fake_differences(fake), "variable :g @1000 1x 1 | 1 | 2\n");
	assert_true(one->global);
	assert_int_equal(one->rank, 0);
	assert_int_equal(one->decl_line, 9);
	assert_string_equal(one->decl_file, "a.c");
	assert_string_equal(one->type, "int");
	assert_int_equal(one->frame_pc, 0x1000);
}

static void another_declaration_is_another_variable(void **state)
{
	compare(*state, "1000 f a.c:3\n x@2 = 1\n", "1000 f a.c:3\n x@5 = 1\n", NULL);
	assert_string_equal(ora_fake_differences(*state),
		"variable f:x @1000 1x 1 | 1 | <absent>\n"
		"variable f:x @1000 1x 1 | <absent> | 1\n");
}

/* --- states --------------------------------------------------------------------------------- */

static void states_differ_from_values(void **state)
{
	compare(*state, "1000 f a.c:3\n a = 1\n b = <optimized-out: gone>\n c = 3\n",
		"1000 f a.c:3\n a = <optimized-out>\n b = 2\n", NULL);
	assert_string_equal(ora_fake_differences(*state),
		"variable f:a @1000 1x 1 | 1 | <optimized-out>\n"
		"variable f:b @1000 1x 1 | <optimized-out: gone> | 2\n"
		"variable f:c @1000 1x 1 | 3 | <absent>\n");
}

static void one_state_in_other_words_agrees(void **state)
{
	compare(*state, "1000 f a.c:3\n x = <error: a>\n", "1000 f a.c:3\n x = <error: b>\n", NULL);
	assert_string_equal(ora_fake_differences(*state), "");
	assert_string_equal(ora_fake_asides(*state), "");
}

static void two_ways_to_decline_are_set_aside(void **state)
{
	compare(*state, "1000 f a.c:3\n x = <optimized-out>\n1004 f a.c:4\n1008 f a.c:5\n x = 1\n",
		"1000 f a.c:3\n x = <error: no>\n1004 f a.c:4\n1008 f a.c:5\n x = 1\n", NULL);
	assert_string_equal(ora_fake_differences(*state), "");
	assert_string_equal(ora_fake_asides(*state), "declined 2");
}

static void to_decline_is_not_to_be_silent(void **state)
{
	compare(*state, "1000 f a.c:3\n x = <optimized-out>\n", "1000 f a.c:3\n", NULL);
	assert_string_equal(ora_fake_differences(*state),
		"variable f:x @1000 1x 1 | <optimized-out> | <absent>\n");
}

static void not_declared_yet_agrees_with_not_listed(void **state)
{
	compare(*state, "1000 f a.c:3\n x@9 = 1 undeclared\n1004 f a.c:4\n x@9 = 1\n",
		"1000 f a.c:3\n1004 f a.c:4\n x@9 = 1\n", NULL);
	assert_string_equal(ora_fake_differences(*state), "");
}

static void not_declared_yet_has_a_value_all_the_same(void **state)
{
	compare(*state, "1000 f a.c:3\n x@9 = 1 undeclared\n", "1000 f a.c:3\n x@9 = 2\n", NULL);
	assert_string_equal(
		ora_fake_differences(*state), "variable f:x @1000 1x 1 | 1 undeclared | 2\n");
}

static void nans_are_set_aside(void **state)
{
	compare(*state, "1000 f a.c:3\n x = nan(0x1)\n y = nan\n",
		"1000 f a.c:3\n x = -nan(0x2)\n y = 1\n", NULL);
	assert_string_equal(ora_fake_differences(*state), "variable f:y @1000 1x 1 | nan | 1\n");
	assert_string_equal(ora_fake_asides(*state), "nan 1");
}

static void what_is_unstable_is_set_aside(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", "1000 f a.c:3\n x = 1\n1004 f a.c:4\n1008 f a.c:5\n x = 3\n");
	ora_fake_trace(fake, "gdb", "1000 f a.c:3\n x = 2\n1004 f a.c:4\n1008 f a.c:5\n x = 4\n");
	ora_fake_unstable(fake, 2, "x", 1, 2);
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake), "variable f:x @1008 1x 1 | 3 | 4\n");
	assert_string_equal(ora_fake_asides(fake), "unstable 2");
}

/* --- wholes and parts ----------------------------------------------------------------------- */

static void what_is_said_of_a_whole_holds_for_its_leaves(void **state)
{
	compare(*state, "1000 f a.c:3\n s = <optimized-out>\n",
		"1000 f a.c:3\n s.a = <optimized-out>\n s.b = <optimized-out>\n", NULL);
	assert_string_equal(ora_fake_differences(*state), "");
	assert_string_equal(ora_fake_asides(*state), "");
}

static void a_leaf_with_a_value_differs_from_a_whole_without(void **state)
{
	compare(*state, "1000 f a.c:3\n s = <optimized-out>\n",
		"1000 f a.c:3\n s.a = 1\n s.b[0] = 2\n", NULL);
	assert_string_equal(ora_fake_differences(*state),
		"variable f:s.a @1000 1x 1 | <optimized-out> | 1\n"
		"variable f:s.b[0] @1000 1x 1 | <optimized-out> | 2\n");
}

/* A whole that got leaves is not a whole any more, and the other way round. */
static void wholes_and_leaves_take_each_others_place(void **state)
{
	compare(*state,
		"1000 f a.c:3\n s = <optimized-out>\n1004 f a.c:4\n s.a = 1\n1008 f a.c:5\n s = "
		"<error: no>\n",
		"1000 f a.c:3\n s.a = <optimized-out>\n1004 f a.c:4\n s.a = 1\n1008 f a.c:5\n s.a "
		"= <error: no>\n",
		NULL);
	assert_string_equal(ora_fake_differences(*state), "");
	assert_string_equal(ora_fake_asides(*state), "");
}

static void absent_as_a_whole_means_all_leaves(void **state)
{
	compare(*state,
		"1000 f a.c:3\n s = <optimized-out>\n1004 f a.c:4\n s.a = 1\n s.b = 2\n"
		"1008 f a.c:5\n s = <absent>\n",
		"1000 f a.c:3\n s = <optimized-out>\n1004 f a.c:4\n s.a = 1\n s.b = 2\n"
		"1008 f a.c:5\n s.a = <absent>\n s.b = <absent>\n",
		NULL);
	assert_string_equal(ora_fake_differences(*state), "");
}

/* Of an array without values one may list all elements, and another the first. */
static void fewer_leaves_without_a_value_are_set_aside(void **state)
{
	compare(*state, "1000 f a.c:3\n s[0] = <optimized-out>\n s[1] = <optimized-out>\n",
		"1000 f a.c:3\n s[0] = <optimized-out>\n", NULL);
	assert_string_equal(ora_fake_differences(*state), "");
	assert_string_equal(ora_fake_asides(*state), "declined 1");
}

static void a_missing_leaf_with_a_value_is_a_difference(void **state)
{
	compare(*state, "1000 f a.c:3\n s[0] = 1\n s[1] = 2\n", "1000 f a.c:3\n s[0] = 1\n", NULL);
	assert_string_equal(
		ora_fake_differences(*state), "variable f:s[1] @1000 1x 1 | 2 | <absent>\n");
}

static void leaves_after_a_cut_are_set_aside(void **state)
{
	compare(*state, "1000 f a.c:3\n s[0] = 1\n s[1] = 2\n",
		"1000 f a.c:3\n s[0] = 1\n s = <cut>\n", NULL);
	assert_string_equal(ora_fake_differences(*state), "");
	assert_string_equal(ora_fake_asides(*state), "cut 1");
}

/* What the driver failed to ask is nothing that the debugger said; the others are compared. */
static void what_was_not_asked_is_not_compared(void **state)
{
	compare(*state, "1000 f a.c:3\n x = 1\n y = 1\n",
		"1000 f a.c:3\n x = <error: ours> why=not-asked\n y = <error: ours> "
		"why=not-asked\n",
		"1000 f a.c:3\n x = 1\n y = 2\n");
	assert_string_equal(ora_fake_differences(*state), "variable f:y @1000 1x 1 | 1 | - | 2\n");
	assert_string_equal(ora_fake_asides(*state), "unasked 1");
}

/* gdb may take the file of a local from another unit's table. */
static void the_file_of_a_local_does_not_matter(void **state)
{
	compare(*state, "1000 f a.c:3\n x@2 = 1\n", "1000 f b.c:3\n x@2 = 1\n", NULL);
	assert_string_equal(
		ora_fake_differences(*state), "line table @1000 1x 1 | a.c:3 | b.c:3\n");
}

/* An array that has its length at last: that nothing is cut any more does not mean that it is
 * gone. */
static void leaves_stay_when_nothing_is_cut_any_more(void **state)
{
	compare(*state,
		"1000 f a.c:3\n s[0] = 1\n s[1] = 2\n s = <cut>\n1004 f a.c:4\n s = <absent>\n"
		"1008 f a.c:5\n s[1] = 3\n",
		"1000 f a.c:3\n s[0] = 1\n s[1] = 2\n s = <cut>\n1004 f a.c:4\n s = <absent>\n"
		" s[0] = 7\n1008 f a.c:5\n s[1] = 3\n",
		NULL);
	assert_string_equal(ora_fake_differences(*state), "variable f:s[0] @1004 1x 2 | 1 | 7\n");
}

static void leaves_before_a_cut_are_compared(void **state)
{
	compare(*state, "1000 f a.c:3\n s[0] = 1\n s = <cut>\n1004 f a.c:4\n s[0] = 4\n",
		"1000 f a.c:3\n s[0] = 2\n s = <cut>\n1004 f a.c:4\n s[0] = 5\n", NULL);
	assert_string_equal(ora_fake_differences(*state), "variable f:s[0] @1000 1x 1 | 1 | 2\n"
							  "variable f:s[0] @1004 1x 1 | 4 | 5\n");
}

/* --- frames --------------------------------------------------------------------------------- */

static void outer_frames_are_matched_by_function(void **state)
{
	struct fake *fake = *state;
	compare(fake, "1000 f a.c:3\n < f < main@1100\n #1 x = 1\n",
		"1000 f a.c:3\n < f < main@1100\n #1 x = 2\n", NULL);
	const struct ora_difference *one = fake->comparison.differences.data[0];
	assert_string_equal(ora_fake_differences(fake), "variable main:x @1000 1x 1 | 1 | 2\n");
	assert_int_equal(one->frame, 1);
	assert_int_equal(one->rank, 1);
	assert_int_equal(one->frame_pc, 0x10ff); /* the call, before what it returns to */
}

/* Each activation has its own variables. */
static void recursion_is_told_apart_by_rank(void **state)
{
	struct fake *fake = *state;
	compare(fake, "1000 f a.c:3\n < f < f@1010 < main\n x = 1\n #1 x = 5\n",
		"1000 f a.c:3\n < f < f@1010 < main\n x = 1\n #1 x = 6\n", NULL);
	assert_string_equal(ora_fake_differences(fake), "variable f:x @1000 1x 1 | 5 | 6\n");
	assert_int_equal(fake->comparison.differences.data[0]->rank, 1);
	assert_int_equal(fake->comparison.differences.data[0]->frame, 1);
}

/* A frame that only gdb shows does not shift the others. */
static void a_frame_more_does_not_shift_variables(void **state)
{
	compare(*state, "0ff0 g a.c:9\n < g < main\n1000 f a.c:3\n < f < main\n x = 1\n #1 y = 2\n",
		"0ff0 g a.c:9\n < g < main\n1000 f a.c:3\n < f < g < main\n x = 1\n #2 y = 2\n",
		NULL);
	assert_string_equal(ora_fake_differences(*state),
		"presentation @1000 1x 1 | f < main at a.c:3 | f < g < main at a.c:3\n");
}

static void variables_of_a_frame_that_is_not_shown_are_set_aside(void **state)
{
	compare(*state, "1000 f a.c:3\n < i~ < f < main\n x = 1\n #1 y = 2\n",
		"1000 f a.c:3\n < f < main\n y = 2\n", NULL);
	assert_string_equal(ora_fake_differences(*state),
		"presentation @1000 1x 1 | i (inlined) < f < main at a.c:3 | f < main at a.c:3\n");
	assert_string_equal(ora_fake_asides(*state), "frame 1");
}

static void variables_of_a_frame_that_the_leader_does_not_show_are_set_aside(void **state)
{
	compare(*state, "0ff0 g a.c:9\n < g < main\n1000 f a.c:3\n < f < main\n",
		"0ff0 g a.c:9\n < g < main\n1000 f a.c:3\n < f < g < main\n #1 y = 2\n", NULL);
	assert_string_equal(ora_fake_differences(*state),
		"presentation @1000 1x 1 | f < main at a.c:3 | f < g < main at a.c:3\n");
	assert_string_equal(ora_fake_asides(*state), "frame 1");
}

/* A function and an inlined call of the same name are two frames. */
static void inlined_and_called_are_two_frames(void **state)
{
	compare(*state, "1000 f a.c:3\n < f~ < f < main\n x = 1\n #1 x = 2\n",
		"1000 f a.c:3\n < f < main\n x = 2\n", NULL);
	assert_string_equal(ora_fake_asides(*state), "frame 1");
	assert_int_equal(((struct fake *)*state)->comparison.differences.len, 1); /* the frames */
}

/* Of two inlined calls of one name, only one is shown: its variables may be either's. */
static void which_of_two_recursive_calls_is_shown_is_open(void **state)
{
	struct fake *fake = *state;
	compare(fake, "1000 f a.c:3\n < f~ < f~ < main\n x = 1\n #1 x = 2\n",
		"1000 f a.c:3\n < f~ < main\n x = 1\n", NULL);
	assert_string_equal(ora_fake_asides(fake), "frame 3");
	assert_int_equal(fake->comparison.differences.len, 1); /* the frames */
}

/* A frame that comes back later has its variables compared then. */
static void a_frame_that_is_shown_later_is_compared_later(void **state)
{
	compare(*state, "1000 f a.c:3\n < i~ < f\n x = 1\n1004 f a.c:4\n < i~ < f\n",
		"1000 f a.c:3\n < f\n1004 f a.c:4\n < i~ < f\n x = 2\n", NULL);
	assert_string_equal(ora_fake_differences(*state),
		"presentation @1000 1x 1 | i (inlined) < f at a.c:3 | f at a.c:3\n"
		"variable i:x @1004 1x 1 | 1 | 2\n");
}

/* When a function returns, its frame's place may be another one's. */
static void variables_move_with_their_frames(void **state)
{
	compare(*state,
		"1000 f a.c:3\n < f < main\n x = 1\n2000 g b.c:3\n < g < main\n x = <absent>\n y@2 "
		"= 3\n",
		"1000 f a.c:3\n < f < main\n x = 1\n2000 g b.c:3\n < g < main\n x = <absent>\n y@2 "
		"= 3\n",
		NULL);
	assert_string_equal(ora_fake_differences(*state), "");
}

static void variables_of_libraries_are_set_aside(void **state)
{
	compare(*state, "1000 f a.c:3\n < f < qsort@10!libc.so < main\n #1 x = 1\n",
		"1000 f a.c:3\n < f < qsort@10!libc.so < main\n #1 x = 2\n", NULL);
	assert_string_equal(ora_fake_differences(*state), "");
	assert_string_equal(ora_fake_asides(*state), "library 1");
}

/* What is needed to look a variable up: the level among inlined calls, and what is returned to. */
static void the_place_of_a_frame_is_kept(void **state)
{
	struct fake *fake = *state;
	compare(fake, "1000 f a.c:3\n < i~ < f < main@1100\n #1 x = 1\n",
		"1000 f a.c:3\n < i~ < f < main@1100\n #1 x = 2\n", NULL);
	const struct ora_difference *one = fake->comparison.differences.data[0];
	assert_int_equal(one->level, 1);
	assert_int_equal(one->caller_pc, 0x1100);
	assert_int_equal(one->frame_pc, 0x1000);
}

/* --- those that look the same --------------------------------------------------------------- */

/* Two of one name, declared on one line: which is which is anybody's guess. */
static void twins_are_set_aside(void **state)
{
	compare(*state, "1000 f a.c:3\n x'1 = 1\n x'2 = 2\n", "1000 f a.c:3\n x'1 = 2\n x'2 = 1\n",
		NULL);
	assert_string_equal(ora_fake_differences(*state), "");
	assert_string_equal(ora_fake_asides(*state), "twins 2");
}

/* The leader has one: of two that a witness lists, the one that says the same is that one. */
static void the_twin_that_agrees_is_the_leaders(void **state)
{
	compare(*state, "1000 f a.c:3\n x = 2\n",
		"1000 f a.c:3\n x'1 = <optimized-out>\n x'2 = 2\n", NULL);
	assert_string_equal(ora_fake_differences(*state),
		"variable f:x @1000 1x 1 | <absent> | <optimized-out>\n");
}

static void globals_of_two_units_are_no_twins(void **state)
{
	compare(*state, "1000 f a.c:3\n ::{a.c}x = 1\n ::{b.c}x = 2\n",
		"1000 f a.c:3\n ::{b.c}x = 2\n ::{a.c}x = 5\n", NULL);
	assert_string_equal(ora_fake_differences(*state), "variable :x @1000 1x 1 | 1 | 5\n");
	assert_string_equal(ora_fake_asides(*state), "");
}

/* A function of a header is inlined in two units: its parameter is the first of its name in both,
 * and one that looks the same in one of them is the second. */
static void what_looks_the_same_is_counted_by_unit(void **state)
{
	struct fake *fake = *state;
	compare(fake,
		"1000 f a.c:3\n {a.c}x = 1\n {a.c}y = 1\n1010 f b.c:3\n {b.c}x = 2\n {b.c}y = 3\n",
		"1000 f a.c:3\n {a.c}x = 1\n {a.c}y = 1\n"
		"1010 f b.c:3\n {b.c}x = 7\n {b.c}y'1 = <optimized-out>\n {b.c}y'2 = 3\n",
		NULL);
	assert_string_equal(ora_fake_differences(fake),
		"variable f:x @1010 1x 1 | 2 | 7\n"
		"variable f:y @1010 1x 1 | <absent> | <optimized-out>\n");
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(fake->comparison.differences.data[i]->nth, i);
}

/* Two functions of one header, each in its unit. A debugger that names no unit of theirs means that
 * of the frame, if it tells of them anew... */
static void without_a_unit_a_variable_is_of_the_leaders_frame(void **state)
{
	compare(*state,
		"1000 f a.h:3\n < f < main\n {a.c}x = 1\n1030 main a.c:9\n < main\n"
		"1010 f a.h:3\n < f < g < main\n {b.c}x = 2\n",
		"1000 f a.h:3\n < f < main\n x = 1\n1030 main a.c:9\n < main\n"
		"1010 f a.h:3\n < f < g < main\n x = 3\n",
		NULL);
	assert_string_equal(ora_fake_differences(*state), "variable f:x @1010 1x 1 | 2 | 3\n");
}

/* ... or says nothing new, for it sees the same as before. */
static void a_variable_without_a_unit_goes_where_the_leaders_does(void **state)
{
	compare(*state,
		"1000 f a.h:3\n < f < main\n {a.c}x = 1\n"
		"1010 f a.h:3\n < f < main\n {a.c}x = <absent>\n {b.c}x = 1\n"
		"1000 f a.h:3\n < f < main\n {a.c}x = 1\n {b.c}x = <absent>\n",
		"1000 f a.h:3\n < f < main\n x = 1\n1010 f a.h:3\n < f < main\n x = 1\n"
		"1000 f a.h:3\n < f < main\n x = 1\n",
		NULL);
	assert_string_equal(ora_fake_differences(*state), "");
}

/* A frame that the leader does not show has no unit to be taken over. */
static void a_frame_of_nobody_elses_has_no_unit(void **state)
{
	compare(*state, "1000 f a.h:3\n < f < main\n {a.c}x = 1\n",
		"1000 f a.h:3\n < f < g < main\n x = 1\n #1 x = 5\n", NULL);
	assert_string_equal(ora_fake_differences(*state), "");
}

/* --- names ---------------------------------------------------------------------------------- */

static void which_variable_a_name_means_is_compared(void **state)
{
	compare(*state, "1000 f a.c:3\n x@2 = 1 shadowed\n x@3 = 2\n",
		"1000 f a.c:3\n x@2 = 1\n x@3 = 2 shadowed\n", NULL);
	assert_string_equal(ora_fake_differences(*state),
		"lookup f:x @1000 1x 1 | hidden shadowed | visible\n"
		"lookup f:x @1000 1x 1 | visible | hidden shadowed\n");
}

static void a_lookup_lasts_until_it_agrees(void **state)
{
	compare(*state, "1000 f a.c:3\n x@2 = 1 shadowed\n1004 f a.c:4\n1008 f a.c:5\n x@2 = 1\n",
		"1000 f a.c:3\n x@2 = 1\n1004 f a.c:4\n1008 f a.c:5\n", NULL);
	assert_string_equal(ora_fake_differences(*state),
		"lookup f:x @1000 1x 2 | hidden shadowed | visible\n");
}

/* What has no value is nobody's choice. */
static void names_without_a_value_are_not_compared(void **state)
{
	compare(*state, "1000 f a.c:3\n x@2 = <optimized-out> shadowed\n y@9 = 1 undeclared\n",
		"1000 f a.c:3\n x@2 = <optimized-out>\n y@9 = 1 shadowed\n", NULL);
	assert_string_equal(ora_fake_differences(*state), "");
}

/* Who is asked for names has nothing to say of what is hidden. */
static void a_witness_by_name_says_nothing_of_hidden_variables(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", "1000 f a.c:3\n x@2 = 1 shadowed\n x@3 = 2\n");
	ora_fake_trace(fake, "gdb:print", "1000 f a.c:3\n x@3 = 2\n");
	ora_fake_trace(fake, "gdb", "1000 f a.c:3\n x@2 = 1 shadowed\n x@3 = 2\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake), "");
	assert_string_equal(ora_fake_asides(fake), "frame 1");
}

static void a_witness_that_lists_variables_must_list_hidden_ones(void **state)
{
	compare(*state, "1000 f a.c:3\n x@2 = 1 shadowed\n x@3 = 2\n", "1000 f a.c:3\n x@3 = 2\n",
		NULL);
	assert_string_equal(
		ora_fake_differences(*state), "variable f:x @1000 1x 1 | 1 shadowed | <absent>\n");
}

static void a_witness_by_name_is_compared_where_the_name_is_clear(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", "1000 f a.c:3\n x = 1\n y = 3\n");
	ora_fake_trace(fake, "lldb:expression", "1000 f a.c:3\n x = 2\n");
	ora_fake_compare(fake);
	assert_string_equal(ora_fake_differences(fake), "variable f:x @1000 1x 1 | 1 | 2\n"
							"lookup f:y @1000 1x 1 | visible | hidden "
							"shadowed\n");
}

/* --- three witnesses ------------------------------------------------------------------------ */

static void everybody_is_heard_in_one_difference(void **state)
{
	compare(*state, "1000 f a.c:3\n x = 1\n", "1000 f a.c:3\n x = 2\n",
		"1000 f a.c:3\n x = <error: no>\n");
	assert_string_equal(
		ora_fake_differences(*state), "variable f:x @1000 1x 1 | 1 | 2 | <error: no>\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_difference_begins_lasts_and_ends),
		TEST(a_difference_may_last_to_the_end),
		TEST(a_difference_that_comes_again_is_counted),
		TEST(other_values_are_another_difference),
		TEST(globals_have_no_frame),
		TEST(another_declaration_is_another_variable),
		TEST(states_differ_from_values),
		TEST(one_state_in_other_words_agrees),
		TEST(two_ways_to_decline_are_set_aside),
		TEST(to_decline_is_not_to_be_silent),
		TEST(not_declared_yet_agrees_with_not_listed),
		TEST(not_declared_yet_has_a_value_all_the_same),
		TEST(nans_are_set_aside),
		TEST(what_is_unstable_is_set_aside),
		TEST(what_is_said_of_a_whole_holds_for_its_leaves),
		TEST(a_leaf_with_a_value_differs_from_a_whole_without),
		TEST(wholes_and_leaves_take_each_others_place),
		TEST(absent_as_a_whole_means_all_leaves),
		TEST(fewer_leaves_without_a_value_are_set_aside),
		TEST(a_missing_leaf_with_a_value_is_a_difference),
		TEST(leaves_after_a_cut_are_set_aside),
		TEST(leaves_before_a_cut_are_compared),
		TEST(leaves_stay_when_nothing_is_cut_any_more),
		TEST(the_file_of_a_local_does_not_matter),
		TEST(what_was_not_asked_is_not_compared),
		TEST(outer_frames_are_matched_by_function),
		TEST(recursion_is_told_apart_by_rank),
		TEST(a_frame_more_does_not_shift_variables),
		TEST(variables_of_a_frame_that_is_not_shown_are_set_aside),
		TEST(variables_of_a_frame_that_the_leader_does_not_show_are_set_aside),
		TEST(inlined_and_called_are_two_frames),
		TEST(which_of_two_recursive_calls_is_shown_is_open),
		TEST(a_frame_that_is_shown_later_is_compared_later),
		TEST(variables_move_with_their_frames),
		TEST(variables_of_libraries_are_set_aside),
		TEST(the_place_of_a_frame_is_kept),
		TEST(twins_are_set_aside),
		TEST(the_twin_that_agrees_is_the_leaders),
		TEST(globals_of_two_units_are_no_twins),
		TEST(what_looks_the_same_is_counted_by_unit),
		TEST(without_a_unit_a_variable_is_of_the_leaders_frame),
		TEST(a_variable_without_a_unit_goes_where_the_leaders_does),
		TEST(a_frame_of_nobody_elses_has_no_unit),
		TEST(which_variable_a_name_means_is_compared),
		TEST(a_lookup_lasts_until_it_agrees),
		TEST(names_without_a_value_are_not_compared),
		TEST(a_witness_by_name_says_nothing_of_hidden_variables),
		TEST(a_witness_that_lists_variables_must_list_hidden_ones),
		TEST(a_witness_by_name_is_compared_where_the_name_is_clear),
		TEST(everybody_is_heard_in_one_difference),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
