/* One sink that passes testimony on to several: each hears what it listens to, and its end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/store/sink.h"

/* Writes down what it hears. */
struct scribe {
	struct ora_sink sink;
	bool refuses; /* to begin */
	char heard[200];
};

static void note(struct ora_sink *sink, const char *what)
{
	struct scribe *scribe = (struct scribe *)sink;
	size_t length = strlen(scribe->heard);
	snprintf(scribe->heard + length, sizeof scribe->heard - length, "%s%s", length ? " " : "",
		what);
}

static struct xs_error *on_begin(struct ora_sink *sink, const struct ora_told_about *about)
{
	note(sink, about->witness);
	return ((struct scribe *)sink)->refuses ? xs_error_create("no room") : NULL;
}

static struct xs_error *on_stop(struct ora_sink *sink, const struct ora_told *told)
{
	(void)told;
	note(sink, "stop");
	return NULL;
}

static void on_trouble(struct ora_sink *sink, const char *message)
{
	note(sink, message);
}

static struct xs_error *on_end(struct ora_sink *sink, const struct ora_told_end *end)
{
	note(sink, end->trouble ? end->trouble : "end");
	return NULL;
}

static const struct ora_sink_ops all = {
	.begin = on_begin, .stop = on_stop, .trouble = on_trouble, .end = on_end};
static const struct ora_sink_ops ends = {.begin = on_begin, .end = on_end};

static void each_hears_what_it_listens_to(void **state)
{
	struct scribe one = {.sink = {.ops = &all}},
		      two = {.sink = {.ops = &ends, .inlined = true, .moves = true}};
	struct ora_sink *sinks[] = {&one.sink, NULL, &two.sink};
	struct ora_sink *tee = ora_tee_create(sinks, 3);
	(void)state;
	assert_true(tee->inlined);
	assert_true(tee->moves);
	assert_null(tee->ops->transition);
	assert_non_null(tee->ops->stop);
	assert_null(ora_sink_begin(tee, &(struct ora_told_about){.witness = "gdb"}));
	assert_null(ora_sink_stop(tee, &(struct ora_told){0}));
	ora_sink_trouble(tee, "lost");
	assert_null(ora_sink_end(tee, &(struct ora_told_end){0}));
	assert_string_equal(one.heard, "gdb stop lost end");
	assert_string_equal(two.heard, "gdb end");
	ora_sink_destroy(tee);
}

static void what_has_begun_hears_that_another_could_not(void **state)
{
	struct scribe one = {.sink = {.ops = &all}}, two = {.sink = {.ops = &all}, .refuses = true},
		      three = {.sink = {.ops = &all}};
	struct ora_sink *sinks[] = {&one.sink, &two.sink, &three.sink};
	struct ora_sink *tee = ora_tee_create(sinks, 3);
	(void)state;
	struct xs_error *err = ora_sink_begin(tee, &(struct ora_told_about){.witness = "gdb"});
	assert_non_null(err);
	assert_string_equal(err->message, "no room");
	assert_string_equal(one.heard, "gdb no room");
	assert_string_equal(two.heard, "gdb");
	assert_string_equal(three.heard, "");
	xs_error_destroy(err);
	ora_sink_destroy(tee);
}

static void nobody_wants_stops(void **state)
{
	struct scribe one = {.sink = {.ops = &ends}};
	struct ora_sink *tee = ora_tee_create((struct ora_sink *[]){&one.sink}, 1);
	(void)state;
	assert_null(tee->ops->stop);
	assert_false(tee->moves);
	assert_null(ora_sink_stop(tee, &(struct ora_told){0}));
	assert_string_equal(one.heard, "");
	ora_sink_destroy(tee);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_hears_what_it_listens_to),
		cmocka_unit_test(what_has_begun_hears_that_another_could_not),
		cmocka_unit_test(nobody_wants_stops),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
