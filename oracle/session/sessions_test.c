/* sessions_test.c - what sessions record, use again and compare, with hearings at which a witness
 * says what the test wants: no program is run and no debugger is needed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/session/comparing.h"
#include "oracle/session/json_text.h"
#include "oracle/session/stored_words.h"
#include "oracle/session/trace_cache.h"
#include "oracle/session/where.h"
#include "oracle/store/identity.h"

/* What is told at hearings, and what was asked. */
struct fake {
	const char *other; /* what all but xstep say of `v`; xstep says 1 */
	bool incomplete, shared;
	int signal;
	unsigned calls, twice; /* found: how often it was asked; of those, to hear all twice */
	char programs[4][64];  /* found: which program, by call */
};

static void succeed(struct xs_error *err)
{
	if (err)
		fail_msg("%s", err->message);
}

static void refuse(struct xs_error *err, const char *part)
{
	assert_non_null(err);
	if (!strstr(err->message, part))
		fail_msg("%s: not %s", err->message, part);
	xs_error_destroy(err);
}

/* A trace of two stops, with one variable. */
static struct xs_error *write_trace(const struct fake *fake, struct ora_store *store,
	const struct ora_hearing *wish, const char *witness)
{
	XS_AUTO_FREE char *hash = NULL;
	XS_AUTO_FREE char *arguments =
		xs_asprintf("[\"%s\"%s]", wish->argv[0], wish->argv[1] ? ",\"more\"" : "");
	XS_AUTO(ora_writer) writer = NULL;
	bool own = !strcmp(witness, "xstep");
	struct xs_error *err = ora_hash_file(wish->argv[0], &hash);
	if (err)
		return err;
	struct ora_store_subject subject = {.path = wish->argv[0], .hash = hash};
	struct ora_store_trace about = {.witness = witness,
		.version = own ? XSTEP_VERSION : "13.1",
		.mode = "exact",
		.level = ora_level_text(wish->level),
		.sample = wish->sample == ORA_SAMPLE_ALL ? "all" : "dtd",
		.arguments = arguments,
		.from = wish->from,
		.vars = "locals",
		.frames = true,
		.max_leaves = 4096};
	if ((err = ora_writer_create(store, &subject, &about, &writer)))
		return err;
	uint32_t v = ora_writer_variable(writer,
		&(struct ora_store_variable){.scope = "f", .name = "v", .file = "x.c", .line = 1},
		0);
	uint32_t prev = 0;
	for (unsigned i = 1; i <= 2; i++) {
		uint32_t place =
			ora_writer_place(writer, &(struct ora_store_place){.address = 0x1000 + i,
							 .function = "f",
							 .has_row = true,
							 .file = "/src/x.c",
							 .line = i});
		ora_writer_stop_begin(writer, i, prev, place, 1);
		ora_writer_frame(writer,
			&(struct ora_store_frame){.function = "f", .file = "/src/x.c", .line = i});
		ora_writer_fact(writer, &(struct ora_store_fact){.variable = v,
						.path = "v",
						.type = "int",
						.value = own ? "1" : fake->other});
		if ((err = ora_writer_stop_end(writer)))
			return err;
		ora_writer_transition(writer, prev, place, 1, 0);
		prev = place;
	}
	return ora_writer_finish(
		writer, &(struct ora_store_end){
				.complete = !fake->incomplete, .how = "main returned", .stops = 2});
}

static struct xs_error *hear(void *context, struct ora_hearing *hearing)
{
	struct fake *fake = context;
	XS_AUTO_FREE char *words = xs_strdup(hearing->witness);
	XS_AUTO(ora_store) store = NULL;
	assert_true(fake->calls < 4);
	snprintf(fake->programs[fake->calls], sizeof *fake->programs, "%s", hearing->argv[0]);
	fake->calls++;
	fake->twice += hearing->repeat == 2;
	hearing->drive = fake->shared ? ORA_DRIVE_SHARED : ORA_DRIVE_NATIVE;
	hearing->interrupted_by = fake->signal;
	struct xs_error *err = ora_store_open(hearing->store, ORA_STORE_WRITE, &store);
	for (char *rest = words, *word; !err && (word = strsep(&rest, ","));)
		err = write_trace(fake, store, hearing, word);
	return err;
}

static char path[] = "/tmp/xstep-sessions-XXXXXX.db";

static int make_path(void **state)
{
	(void)state;
	snprintf(path, sizeof path, "/tmp/xstep-sessions-XXXXXX.db");
	int fd = mkstemps(path, 3);
	if (fd >= 0)
		close(fd);
	return fd < 0 || unlink(path);
}

static int remove_path(void **state)
{
	static const char *const ends[] = {"", "-wal", "-shm", "-journal"};
	(void)state;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		XS_AUTO_FREE char *name = xs_asprintf("%s%s", path, ends[i]);
		unlink(name);
	}
	return 0;
}

static char *program[] = {(char[]){"/bin/true"}, NULL};
static const struct ora_trace_need needs[] = {
	{"line", ORA_LEVEL_LINE, ORA_SAMPLE_ALL, .bare = false},
	{"break", ORA_LEVEL_BREAK, ORA_SAMPLE_ALL, .bare = false}};

/* --- the cache ------------------------------------------------------------------------------- */

static struct ora_trace_cache cache_of(struct fake *fake)
{
	return (struct ora_trace_cache){.hearing = {.store = path}, .hear = hear, .context = fake};
}

static void fill(struct fake *fake, bool fresh, char **argv)
{
	struct ora_trace_cache cache = cache_of(fake);
	cache.fresh = fresh;
	succeed(ora_trace_cache_fill(&cache, argv, needs, 2));
	assert_int_equal(cache.found.len, 2);
	assert_string_equal(cache.found.data[0].role, "line");
	assert_string_equal(cache.found.data[1].role, "break");
	assert_int_equal(ora_trace_cache_witnesses(&cache), 1);
	ora_trace_cache_deinit(&cache);
}

static void what_is_stored_is_not_recorded_again(void **state)
{
	struct fake fake = {0};
	(void)state;
	fill(&fake, false, program);
	assert_int_equal(fake.calls, 2);
	fill(&fake, false, program);
	assert_int_equal(fake.calls, 2);
}

static void what_is_to_be_fresh_is_recorded_again(void **state)
{
	struct fake fake = {0};
	(void)state;
	fill(&fake, false, program);
	fill(&fake, true, program);
	assert_int_equal(fake.calls, 4);
}

static void other_arguments_are_another_trace(void **state)
{
	struct fake fake = {0};
	char *more[] = {program[0], (char[]){"more"}, NULL};
	(void)state;
	fill(&fake, false, program);
	fill(&fake, false, more);
	assert_int_equal(fake.calls, 4);
	fill(&fake, false, more);
	assert_int_equal(fake.calls, 4);
}

static void an_incomplete_trace_is_not_used_again(void **state)
{
	struct fake fake = {.incomplete = true};
	(void)state;
	fill(&fake, false, program);
	fake.incomplete = false;
	fill(&fake, false, program);
	assert_int_equal(fake.calls, 4);
}

static void an_interrupted_recording_ends_it(void **state)
{
	struct fake fake = {.signal = 2};
	struct ora_trace_cache cache = cache_of(&fake);
	(void)state;
	refuse(ora_trace_cache_fill(&cache, program, needs, 2), "interrupted");
	assert_int_equal(fake.calls, 1);
	assert_int_equal(cache.signal, 2);
	ora_trace_cache_deinit(&cache);
}

static void a_temporary_store_goes_with_the_cache(void **state)
{
	struct fake fake = {0};
	struct ora_trace_cache cache = cache_of(&fake);
	(void)state;
	cache.hearing.store = NULL;
	succeed(ora_trace_cache_fill(&cache, program, needs, 1));
	XS_AUTO_FREE char *store = xs_strdup(cache.path);
	assert_int_equal(access(store, F_OK), 0);
	ora_trace_cache_deinit(&cache);
	assert_int_not_equal(access(store, F_OK), 0);
}

static void named_traces_take_the_roles_in_turn(void **state)
{
	static const char *const right[] = {"1", "2"}, *const wrong[] = {"2", "1"},
				 *const none[] = {"1", "x"};
	struct fake fake = {0};
	struct ora_trace_cache good = cache_of(&fake), bad = good, odd = good, lost = good;
	(void)state;
	fill(&fake, false, program);
	succeed(ora_trace_cache_take(&good, path, right, 2, needs, 2));
	assert_int_equal(good.found.len, 2);
	assert_int_equal(good.found.data[1].id, 2);
	refuse(ora_trace_cache_take(&bad, path, wrong, 2, needs, 2),
		"trace 2 is by break, and line takes one by line");
	refuse(ora_trace_cache_take(&odd, path, right, 1, needs, 2), "2 for each witness");
	refuse(ora_trace_cache_take(&lost, path, none, 2, needs, 2), "no trace x");
	ora_trace_cache_deinit(&good);
	ora_trace_cache_deinit(&bad);
	ora_trace_cache_deinit(&odd);
	ora_trace_cache_deinit(&lost);
}

/* --- comparing ------------------------------------------------------------------------------- */

static void values_that_nothing_explains_are_heard_twice_more(void **state)
{
	struct fake fake = {.other = "2"};
	struct ora_comparing comparing = {
		.hearing = {.witness = "gdb,xstep", .store = path}, .hear = hear, .context = &fake};
	(void)state;
	succeed(ora_comparing_program(&comparing, program));
	assert_int_equal(fake.calls, 2);
	assert_int_equal(fake.twice, 1);
	/* xstep leads; the last trace of each is the one compared. */
	assert_int_equal(comparing.count, 2);
	assert_string_equal(comparing.traces[0]->trace.witness, "xstep");
	assert_int_equal(comparing.traces[0]->id, 4);
	assert_int_equal(comparing.traces[1]->id, 3);
	assert_int_not_equal(comparing.verdicts.findings.len, 0);
	ora_comparing_deinit(&comparing);
}

static void of_one_process_nobody_is_heard_again(void **state)
{
	struct fake fake = {.other = "2", .shared = true};
	struct ora_comparing comparing = {
		.hearing = {.witness = "xstep,gdb"}, .hear = hear, .context = &fake};
	(void)state;
	succeed(ora_comparing_program(&comparing, program));
	assert_int_equal(fake.calls, 1);
	assert_true(comparing.temporary);
	assert_int_not_equal(comparing.verdicts.findings.len, 0);
	ora_comparing_deinit(&comparing);
}

static void who_agrees_is_heard_once(void **state)
{
	struct fake fake = {.other = "1"};
	struct ora_comparing comparing = {
		.hearing = {.witness = "xstep,gdb", .store = path}, .hear = hear, .context = &fake};
	(void)state;
	succeed(ora_comparing_program(&comparing, program));
	assert_int_equal(fake.calls, 1);
	assert_int_equal(comparing.verdicts.findings.len, 0);
	ora_comparing_deinit(&comparing);
}

static void what_was_recorded_before_an_interruption_is_compared(void **state)
{
	struct fake fake = {.other = "2", .signal = 15};
	struct ora_comparing comparing = {
		.hearing = {.witness = "xstep,gdb", .store = path}, .hear = hear, .context = &fake};
	(void)state;
	succeed(ora_comparing_program(&comparing, program));
	assert_int_equal(comparing.signal, 15);
	assert_true(comparing.compared);
	assert_int_equal(comparing.count, 2);
	assert_int_equal(fake.calls, 1);
	ora_comparing_deinit(&comparing);
}

/* The store has traces of both, but they are of another day. */
static void one_trace_before_an_interruption_is_compared_with_nothing(void **state)
{
	struct fake fake = {.other = "2"};
	struct ora_comparing before = {
		.hearing = {.witness = "xstep,gdb", .store = path}, .hear = hear, .context = &fake};
	struct ora_comparing comparing = {
		.hearing = {.witness = "xstep", .store = path}, .hear = hear, .context = &fake};
	(void)state;
	succeed(ora_comparing_program(&before, program));
	ora_comparing_deinit(&before);
	fake.signal = 15;
	succeed(ora_comparing_program(&comparing, program));
	assert_int_equal(comparing.signal, 15);
	assert_false(comparing.compared);
	assert_int_equal(comparing.count, 0);
	ora_comparing_deinit(&comparing);
}

static void the_other_build_is_recorded_first(void **state)
{
	struct fake fake = {.other = "1"};
	struct ora_comparing comparing = {.hearing = {.witness = "xstep,gdb", .store = path},
		.hear = hear,
		.context = &fake,
		.against = "/bin/false"};
	(void)state;
	succeed(ora_comparing_program(&comparing, program));
	assert_int_equal(fake.calls, 3);
	assert_string_equal(fake.programs[0], "/bin/false");
	assert_string_equal(fake.programs[1], "/bin/true");
	assert_string_equal(fake.programs[2], "/bin/true");
	assert_string_equal(program[0], "/bin/true");
	ora_comparing_deinit(&comparing);
}

static void one_trace_is_no_comparison(void **state)
{
	struct fake fake = {0};
	struct ora_comparing comparing = {
		.hearing = {.witness = "xstep", .store = path}, .hear = hear, .context = &fake};
	(void)state;
	refuse(ora_comparing_program(&comparing, program), "two traces at least, and there is 1");
	ora_comparing_deinit(&comparing);
}

/* --- small ones ------------------------------------------------------------------------------ */

static void a_stop_is_found_by_all_its_names(void **state)
{
	static const struct {
		const char *text;
		uint64_t number; /* 0: not there */
	} cases[] = {{"2", 2}, {"0x1001", 1}, {"x.c:2", 2}, {"0x1001,0x1002,1", 2},
		{"null,0x1001,1", 1}, {"0x1002,0x1001,1", 0}, {"c:2", 0}, {"y.c:1", 0}, {"3", 0}};
	static const char *const senseless[] = {"", "0", "x.c:", "x.c:0", "1,2", "1,2,0", "two"};
	struct fake fake = {0};
	XS_AUTO(ora_store) store = NULL;
	(void)state;
	fill(&fake, false, program);
	succeed(ora_store_open(path, ORA_STORE_READ, &store));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		XS_AUTO(ora_reader) reader = NULL;
		struct ora_where where;
		const struct ora_told *stop;
		uint64_t before, after;
		succeed(ora_reader_create(store, 1, &reader));
		assert_true(ora_where_read(cases[i].text, &where));
		succeed(ora_where_find(&where, reader, &stop, &before, &after));
		assert_int_equal(stop ? stop->number : 0, cases[i].number);
		if (!strcmp(cases[i].text, "3"))
			assert_int_equal(before, 2);
		ora_where_deinit(&where);
	}
	for (size_t i = 0; i < sizeof senseless / sizeof *senseless; i++) {
		struct ora_where where;
		if (ora_where_read(senseless[i], &where))
			fail_msg("'%s' is taken", senseless[i]);
		ora_where_deinit(&where);
	}
}

static void the_words_of_a_trace_are_those_that_were_run(void **state)
{
	struct ora_trace_info trace = {.id = 7, .trace = {.arguments = "[\"/bin/x\",\"a b\"]"}};
	char **words = NULL;
	(void)state;
	succeed(ora_stored_words(&trace, &words));
	assert_string_equal(words[0], "/bin/x");
	assert_string_equal(words[1], "a b");
	assert_null(words[2]);
	ora_stored_words_free(words);
	/* A store is input: anything may stand there. */
	static const char *const senseless[] = {"", "[]", "{}", "null", "[1,null,{}]", "[\"x\",1]",
		"[[\"x\"]]", "[\"\"]", "[\"x\"", "x"};
	for (size_t i = 0; i < sizeof senseless / sizeof *senseless; i++) {
		trace.trace.arguments = senseless[i];
		refuse(ora_stored_words(&trace, &words), "trace 7 does not say what was run");
	}
}

static void bytes_that_are_no_text_become_replacement_characters(void **state)
{
	static const char *const cases[][2] = {{"a\xc3\xa9", "a\xc3\xa9"}, {"\xff", "\xef\xbf\xbd"},
		{"\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd"},
		{"x\xe2\x82", "x\xef\xbf\xbd\xef\xbf\xbd"}};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		json_t *text = ora_json_text(cases[i][0]);
		assert_string_equal(json_string_value(text), cases[i][1]);
		json_decref(text);
	}
	assert_true(json_is_null(ora_json_text(NULL)));
}

#define WITH_STORE(test) cmocka_unit_test_setup_teardown(test, make_path, remove_path)

int main(void)
{
	const struct CMUnitTest tests[] = {WITH_STORE(what_is_stored_is_not_recorded_again),
		WITH_STORE(what_is_to_be_fresh_is_recorded_again),
		WITH_STORE(other_arguments_are_another_trace),
		WITH_STORE(an_incomplete_trace_is_not_used_again),
		WITH_STORE(an_interrupted_recording_ends_it),
		WITH_STORE(a_temporary_store_goes_with_the_cache),
		WITH_STORE(named_traces_take_the_roles_in_turn),
		WITH_STORE(values_that_nothing_explains_are_heard_twice_more),
		WITH_STORE(of_one_process_nobody_is_heard_again),
		WITH_STORE(who_agrees_is_heard_once),
		WITH_STORE(what_was_recorded_before_an_interruption_is_compared),
		WITH_STORE(one_trace_before_an_interruption_is_compared_with_nothing),
		WITH_STORE(the_other_build_is_recorded_first),
		WITH_STORE(one_trace_is_no_comparison),
		WITH_STORE(a_stop_is_found_by_all_its_names),
		cmocka_unit_test(the_words_of_a_trace_are_those_that_were_run),
		cmocka_unit_test(bytes_that_are_no_text_become_replacement_characters)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
