/* bisection_test.c - what is named was found with it and gone without it, whatever answers are
 * missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "oracle/cause/bisection.h"

/* With limits, by number: `g` gone, `f` found, `?` unfit. */
struct answers {
	const char *text;
	uint64_t asked; /* questions */
};

static enum ora_case_end read_end(char letter)
{
	return letter == 'f' ? ORA_CASE_FOUND : letter == 'g' ? ORA_CASE_GONE : ORA_CASE_UNFIT;
}

static struct xs_error *answer(
	void *context, const uint64_t *limits, size_t count, enum ora_case_end *ends)
{
	struct answers *answers = context;
	for (size_t i = 0; i < count; i++, answers->asked++)
		ends[i] = read_end(answers->text[limits[i]]);
	return NULL;
}

static void a_number_is_named_only_between_two_answers(void **state)
{
	(void)state;
	static const struct {
		const char *text; /* from low to high */
		uint64_t number;
		enum ora_case_end end;
	} cases[] = {
		{"gf", 1, ORA_CASE_FOUND},
		{"ggggffff", 4, ORA_CASE_FOUND},
		{"gfffffff", 1, ORA_CASE_FOUND},
		{"gggggggf", 7, ORA_CASE_FOUND},
		/* One that is unfit on the way, and beside it. */
		{"ggffffff?ffffffff", 2, ORA_CASE_FOUND},
		{"ggggggg??gggggggf", 16, ORA_CASE_FOUND},
		/* Just where it matters. */
		{"gggg?fff", 5, ORA_CASE_UNFIT},
		{"g?f", 2, ORA_CASE_UNFIT},
		{"g????????????????????????f", 25, ORA_CASE_UNFIT},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (uint64_t jobs = 1; jobs < 20; jobs += 3) {
			struct answers answers = {.text = cases[i].text};
			const struct ora_search search = {answer, &answers, jobs};
			uint64_t number = 0;
			enum ora_case_end end = ORA_CASE_GONE;
			assert_null(ora_search_least(
				&search, 0, strlen(cases[i].text) - 1, &number, &end));
			assert_int_equal(number, cases[i].number);
			assert_int_equal(end, cases[i].end);
			assert_in_range(answers.asked, 0, 40);
		}
}

/* Things without all of which it is gone; other questions have a letter of their own. */
struct needed {
	const char *set;   /* `.` and `x` */
	const char *unfit; /* a set of `.` and `x` about which nobody can tell; or NULL */
	uint64_t asked;
};

static bool is_same(const bool *without, const char *text)
{
	bool same = true;
	for (size_t i = 0; text && text[i]; i++)
		same &= without[i] == (text[i] == 'x');
	return text && same;
}

static struct xs_error *answer_set(void *context, const bool *without, enum ora_case_end *end)
{
	struct needed *needed = context;
	bool all = true;
	needed->asked++;
	for (size_t i = 0; needed->set[i]; i++)
		all &= needed->set[i] != 'x' || without[i];
	*end = is_same(without, needed->unfit) ? ORA_CASE_UNFIT
	       : all                           ? ORA_CASE_GONE
					       : ORA_CASE_FOUND;
	return NULL;
}

static void a_set_is_named_only_if_it_is_gone_without_just_that(void **state)
{
	(void)state;
	enum { MOST = 3 };
	static const struct {
		const char *set, *unfit, *named;
		enum ora_case_end end;
	} cases[] = {
		{"..x.x...", NULL, "..x.x...", ORA_CASE_GONE},
		{"x......x", NULL, "x......x", ORA_CASE_GONE},
		{"x..x...x", NULL, "x..x...x", ORA_CASE_GONE},
		{"x.x.x.x.", NULL, NULL, ORA_CASE_UNFIT}, /* too many */
		{"..x.x...", "xxxxxxxx", NULL, ORA_CASE_UNFIT},
		/* The last one seems to be needed, and is not. */
		{"..x.x...", "xxxxxx..", "..x.x...", ORA_CASE_GONE},
		/* Nobody can tell about the very set. */
		{"..x.x...", "..x.x...", NULL, ORA_CASE_UNFIT},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct needed needed = {.set = cases[i].set, .unfit = cases[i].unfit};
		const struct ora_search_set search = {
			answer_set, &needed, strlen(cases[i].set), MOST};
		bool set[8];
		enum ora_case_end end = ORA_CASE_FOUND;
		assert_null(ora_search_find_set(&search, set, &end));
		assert_int_equal(end, cases[i].end);
		if (cases[i].named)
			assert_true(is_same(set, cases[i].named));
		assert_in_range(needed.asked, 1, 40);
	}
}

/* It is there without all of them: none is to blame. */
static struct xs_error *answer_always(void *context, const bool *without, enum ora_case_end *end)
{
	(void)context;
	(void)without;
	*end = ORA_CASE_FOUND;
	return NULL;
}

static void what_is_always_there_has_no_set(void **state)
{
	(void)state;
	const struct ora_search_set search = {answer_always, NULL, 4, 2};
	bool set[4];
	enum ora_case_end end = ORA_CASE_GONE;
	assert_null(ora_search_find_set(&search, set, &end));
	assert_int_equal(end, ORA_CASE_FOUND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_is_named_only_between_two_answers),
		cmocka_unit_test(a_set_is_named_only_if_it_is_gone_without_just_that),
		cmocka_unit_test(what_is_always_there_has_no_set),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
