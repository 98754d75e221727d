/* twin_track_test.c - what it comes to when two DWARFs part: a script of what both say, and the
 * words of the cases in it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/map.h"
#include "oracle/truth/twin_track.h"

/* What both say at a stop, with blanks in between: `first/second`, `-` for no value and `!` for one
 * that cannot be evaluated. `|` begins another call, `^` another stretch of it, `~` another
 * description in both, and `>` is where stops were left out. */
struct script {
	const char *text;
	bool inner, sure;
	const char *words; /* of its cases, in their order */
};

static struct ora_place place;

static void add_word(
	char *ret, size_t size, const struct script *script, struct ora_twin_case *ended)
{
	size_t length = strlen(ret);
	snprintf(ret + length, size - length, "%s%s", length ? " " : "",
		ora_twin_word_text(ora_twin_case_word(ended, script->sure)));
	ora_twin_case_deinit(ended);
}

static struct ora_twin_said said_of(const char *text)
{
	bool value = *text != '-' && *text != '!';
	return (struct ora_twin_said){.value = value ? text : NULL,
		.hash = value ? xs_hash_text(1, text) : 0,
		.state = value          ? ORA_STATE_VALUE
			 : *text == '!' ? ORA_STATE_ERROR
					: ORA_STATE_OPTIMIZED_OUT,
		.why = *text == '!' ? DI_WHY_TYPES_DIFFER : DI_WHY_NONE};
}

static void check(const struct script *script)
{
	struct ora_twin_track track = {.inner = script->inner};
	struct ora_twin_stop stop = {.place = &place, .call = 1, .stretch = 1, .whole = true};
	struct ora_twin_case ended;
	char words[200] = "", *rest;
	XS_AUTO_FREE char *text = xs_strdup(script->text);
	for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		char *slash = strchr(word, '/');
		stop.call += *word == '|' || *word == '>';
		stop.stretch += *word == '|' || *word == '>' || *word == '^';
		stop.whole = *word == '|' || (stop.whole && *word != '>');
		stop.places[0] += *word == '~';
		stop.places[1] += *word == '~';
		if (!slash)
			continue;
		*slash = 0;
		struct ora_twin_said said[2] = {said_of(word), said_of(slash + 1)};
		if (ora_twin_track_hear(&track, &stop, said, &ended))
			add_word(words, sizeof words, script, &ended);
		stop.number++;
		stop.seen++;
	}
	if (ora_twin_track_end(&track, stop.seen, &ended))
		add_word(words, sizeof words, script, &ended);
	ora_twin_track_deinit(&track);
	if (strcmp(words, script->words) != 0)
		fail_msg("%s: %s, expected %s", script->text, words, script->words);
}

#define CHECK_ALL(list)                                                                            \
	for (size_t i = 0; i < sizeof(list) / sizeof *(list); i++)                                 \
	check(&(list)[i])

/* As long as both say the same, or neither has a value, there is nothing to tell. */
static void agreement_is_silent(void **state)
{
	static const struct script scripts[] = {
		{"1/1 2/2 -/- 3/3", .words = ""}, {"-/-", .words = ""}, {"", .words = ""}};
	(void)state;
	CHECK_ALL(scripts);
}

/* One says the new value sooner than the other: nobody lies. */
static void an_assignment_may_take_effect_later(void **state)
{
	static const struct script scripts[] = {
		{"1/1 2/1 2/1 2/2", .words = "other-moment"},
		{"1/1 1/2 2/2", .words = "other-moment"},
		{"1/1 ^ 2/1 ^ 2/2", .words = "other-moment"},
		/* The call ends before the other one follows. */
		{"1/1 2/1 | 7/7", .words = "other-moment"},
	};
	(void)state;
	CHECK_ALL(scripts);
}

static void no_moment_explains_a_third_value(void **state)
{
	static const struct script scripts[] = {
		{"1/1 1/9 1/1", .words = "contradiction"},
		{"1/1 2/9 2/2", .words = "contradiction"},
		{"1/1 2/3 | 2/2", .words = "contradiction"},
		/* It does not follow for a long time. */
		{"1/1 2/1 2/1 2/1 2/1 2/1 2/1 2/1 2/1 2/1 | 1/1", .words = "contradiction"},
	};
	(void)state;
	CHECK_ALL(scripts);
}

/* Before both agreed, a variable may hold anything, and be at any moment of an assignment. */
static void unassigned_variables_are_not_asked_about(void **state)
{
	static const struct script scripts[] = {
		{"1/2 3/3", .words = "unassigned"},
		{"1/2", .words = "unassigned"},
		{"1/2 3/3", .sure = true, .words = "unassigned"},
		/* What was said in another call does not count. */
		{"1/1 | 1/2 2/2", .words = "unassigned"},
		/* Nor, of an inner variable, in another round of a loop. */
		{"1/1 ^ 1/2 2/2", .inner = true, .words = "unassigned"},
		{"1/1 ^ 1/9 2/2", .words = "contradiction"},
	};
	(void)state;
	CHECK_ALL(scripts);
}

static void a_gap_is_between_two_agreements(void **state)
{
	static const struct script scripts[] = {
		{"1/1 1/- 1/- 1/1", .words = "gap"},
		{"1/1 -/1 1/1", .words = "gap"},
		/* It may have been assigned in between. */
		{"1/1 1/- 2/2", .words = "lost"},
		{"1/1 1/- ^ 1/1", .words = "lost"},
		{"1/1 1/- | 1/1", .words = "lost"},
		{"1/1 1/-", .words = "lost"},
		/* The other one's word alone. */
		{"1/1 2/- 2/2", .words = "one-word"},
		{"1/- 1/1", .words = "one-word"},
		{"1/1 1/- 2/- 2/2", .words = "one-word"},
		/* A parameter has its value from the call on. */
		{"1/- 1/1", .sure = true, .words = "late"},
		{"1/- 2/2", .sure = true, .words = "one-word"},
		{"1/1 | 1/- 1/1", .sure = true, .words = "late"},
		/* What was left out may have said it. */
		{"1/1 > 1/- 1/1", .sure = true, .words = "one-word"},
	};
	(void)state;
	CHECK_ALL(scripts);
}

/* A register that is no longer the variable's may hold its value by chance. */
static void a_loss_needs_a_description_that_both_agreed_in(void **state)
{
	static const struct script scripts[] = {
		{"1/1 ~ 1/- | 1/1", .words = "one-word"},
		{"1/1 ~ 1/- ~ 1/1", .words = "one-word"},
		{"1/1 ~ 1/1 1/- | 1/1", .words = "lost"},
		{"1/1 ~ 1/- 1/1", .words = "gap"},
		{"1/1 1/- ~ 1/- 1/1", .words = "one-word"},
		{"1/- ~ 1/1", .sure = true, .words = "one-word"},
	};
	(void)state;
	CHECK_ALL(scripts);
}

static void an_expression_that_breaks_a_rule_is_told(void **state)
{
	static const struct script scripts[] = {
		{"1/! 1/1", .words = "malformed"}, {"!/1", .words = "malformed"}};
	(void)state;
	CHECK_ALL(scripts);
}

static void each_case_is_one(void **state)
{
	static const struct script scripts[] = {
		{"1/1 1/- 1/1 1/9 1/1", .words = "gap contradiction"},
		{"1/1 1/- 1/2 2/2", .words = "lost other-moment"},
		/* More values than are kept. */
		{"1/1 2/1 3/1 4/1 5/1 6/1 7/1 8/1 8/8", .words = "contradiction"},
	};
	(void)state;
	CHECK_ALL(scripts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agreement_is_silent),
		cmocka_unit_test(an_assignment_may_take_effect_later),
		cmocka_unit_test(no_moment_explains_a_third_value),
		cmocka_unit_test(unassigned_variables_are_not_asked_about),
		cmocka_unit_test(a_gap_is_between_two_agreements),
		cmocka_unit_test(a_loss_needs_a_description_that_both_agreed_in),
		cmocka_unit_test(an_expression_that_breaks_a_rule_is_told),
		cmocka_unit_test(each_case_is_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
