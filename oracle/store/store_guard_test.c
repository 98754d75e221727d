/* store_guard_test.c - what a store that was made to do harm comes to: an error, no more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "base/scratch.h"
#include "oracle/store/identity.h"
#include "oracle/store/store.h"

struct fixture {
	char *folder, *path;
};

static void succeed(struct xs_error *err)
{
	if (err)
		fail_msg("%s", err->message);
}

/* That it is an error with these words in it. */
static void refuse(struct xs_error *err, const char *words)
{
	if (!err)
		fail_msg("not refused: %s", words);
	if (!strstr(err->message, words))
		fail_msg("'%s' is not in '%s'", words, err->message);
	xs_error_destroy(err);
}

/* A trace of one stop with one fact. name: of its variable. */
static struct xs_error *write_trace(const char *path, const char *name)
{
	static const struct ora_store_subject subject = {.path = "/bin/x", .hash = "sha256:0"};
	static const struct ora_store_trace about = {.witness = "gdb",
		.version = "13.1",
		.level = "instruction",
		.sample = "all",
		.arguments = "[\"/bin/x\"]",
		.vars = "all"};
	XS_AUTO(ora_store) store = NULL;
	XS_AUTO(ora_writer) writer = NULL;
	struct xs_error *err;
	if ((err = ora_store_open(path, ORA_STORE_WRITE, &store)) ||
		(err = ora_writer_create(store, &subject, &about, &writer)))
		return err;
	uint32_t place = ora_writer_place(
		writer, &(struct ora_store_place){.address = 0x1000, .function = "f"});
	uint32_t variable = ora_writer_variable(
		writer, &(struct ora_store_variable){.scope = "f", .name = name}, 0);
	ora_writer_stop_begin(writer, 1, 0, place, 1);
	ora_writer_frame(writer,
		&(struct ora_store_frame){.function = "f", .line = 1, .address = XS_ADDR_NONE});
	ora_writer_fact(writer, &(struct ora_store_fact){.variable = variable,
					.depth = 1,
					.path = name,
					.type = "int",
					.value = "7"});
	if ((err = ora_writer_stop_end(writer)))
		return err;
	ora_writer_transition(writer, 0, place, 1, 1);
	return ora_writer_finish(writer, &(struct ora_store_end){.complete = true, .how = "ended"});
}

static int set_up(void **state)
{
	struct fixture *fixture = xs_calloc(1, sizeof *fixture);
	succeed(xs_scratch_create("guard", &fixture->folder));
	fixture->path = xs_asprintf("%s/store.db", fixture->folder);
	succeed(write_trace(fixture->path, "x"));
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;
	xs_scratch_destroy(fixture->folder);
	free(fixture->path);
	free(fixture);
	return 0;
}

/* Runs SQL on the file, as whoever made it might. */
static void change(const struct fixture *fixture, const char *sql)
{
	sqlite3 *db;
	assert_int_equal(sqlite3_open(fixture->path, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, NULL))
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	sqlite3_close(db);
}

/* Puts a value where the schema allows none of its kind. */
static void smuggle(const struct fixture *fixture, const char *table, const char *sql)
{
	XS_AUTO_FREE char *lax = xs_asprintf(
		"CREATE TABLE kept AS SELECT sql FROM sqlite_schema WHERE name = '%s';"
		"PRAGMA writable_schema = ON;"
		"UPDATE sqlite_schema SET sql = replace(replace(replace(sql, 'STRICT,', ''),"
		" 'STRICT', ''), 'TEXT NOT NULL', 'TEXT') WHERE name = '%s'",
		table, table);
	XS_AUTO_FREE char *back = xs_asprintf(
		"PRAGMA ignore_check_constraints = ON; %s; PRAGMA writable_schema = ON;"
		"UPDATE sqlite_schema SET sql = (SELECT sql FROM kept) WHERE name = '%s';"
		"DROP TABLE kept",
		sql, table);
	change(fixture, lax);
	change(fixture, back);
}

/* What reading all of it comes to. */
static struct xs_error *read_all(const struct fixture *fixture)
{
	XS_AUTO(ora_store) store = NULL;
	XS_AUTO(ora_reader) reader = NULL;
	struct ora_trace_list list = {0};
	const struct ora_told *stop = NULL;
	struct xs_error *err = ora_store_open(fixture->path, ORA_STORE_READ, &store);
	if (!err)
		err = ora_store_traces(store, &list);
	ora_trace_list_deinit(&list);
	if (!err)
		err = ora_reader_create(store, 1, &reader);
	while (!err && !(err = ora_reader_next(reader, &stop)) && stop)
		continue;
	return err;
}

static void a_store_is_for_the_user_alone(void **state)
{
	const struct fixture *fixture = *state;
	struct stat about;
	assert_int_equal(stat(fixture->path, &about), 0);
	assert_int_equal(about.st_mode & 0777, 0600);
	succeed(read_all(fixture));
}

/* A view in place of a table, and no end of its rows. */
static const char endless[] = "ALTER TABLE coverage RENAME TO c; CREATE VIEW coverage AS WITH "
			      "RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
			      "SELECT i AS trace FROM n";

static void other_schemas_are_refused(void **state)
{
	static const char *const schemas[] = {
		"CREATE TRIGGER t AFTER INSERT ON text BEGIN DELETE FROM trace; END",
		"CREATE INDEX i ON stop (n)",
		"CREATE TABLE t (x)",
		"CREATE VIRTUAL TABLE t USING fts5(x)",
		"ANALYZE",
		"ALTER TABLE frame ADD COLUMN x ANY AS (zeroblob(1000))",
		endless,
	};
	(void)state;
	for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
		void *own = NULL;
		assert_int_equal(set_up(&own), 0);
		change(own, schemas[i]);
		refuse(read_all(own), "that no trace store has");
		refuse(write_trace(((struct fixture *)own)->path, "y"), "that no trace store has");
		tear_down(&own);
	}
	change(*state, "DROP TABLE coverage");
	refuse(read_all(*state), "tables of a trace store are missing");
}

static void values_of_other_types_are_refused(void **state)
{
	static const struct {
		const char *table, *sql, *says;
	} values[] = {
		{"place", "UPDATE place SET address = 'x'", "something else where a number"},
		{"stop", "UPDATE stop SET n = -1", "a number out of range"},
		{"stop", "UPDATE stop SET n = x'00'", "something else where a number"},
		{"stop", "UPDATE stop SET facts = x'5b5d'", "something else where a text"},
		{"stop", "UPDATE stop SET facts = '[[1,7,null]]'", "a fact that makes no sense"},
		{"stop", "UPDATE stop SET facts = '[[1,7,1,99999999999]]'", "a fact that makes no"},
		{"stop", "UPDATE stop SET regs = '{\"a\":[]}'", "a register that is no number"},
		{"stop", "UPDATE stop SET transition = 4294967297", "a stop without a transition"},
		{"saying", "UPDATE saying SET state = NULL", "an unknown state"},
		{"saying", "UPDATE saying SET form = 'x'", "a value of an unknown form"},
		{"text", "UPDATE text SET text = NULL WHERE text = 'x'", "nothing where a text"},
		{"text", "UPDATE text SET text = 'a' || char(0) || 'b' WHERE text = 'x'",
			"a text with a NUL in it"},
		{"text", "UPDATE text SET text = hex(zeroblob(600000)) WHERE text = 'x'",
			"a text of more than a megabyte"},
		{"trace", "UPDATE trace SET witness = NULL", "nothing where a text should be"},
		{"trace", "UPDATE trace SET witness = 'gdb@/tmp/x'", "a witness that cannot be"},
		{"trace", "UPDATE trace SET level = 'x'", "an unknown level"},
		{"trace", "UPDATE trace SET subject = 77", "a trace of no subject"},
		{"subject", "UPDATE subject SET hash = NULL", "nothing where a text should be"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		void *own = NULL;
		assert_int_equal(set_up(&own), 0);
		smuggle(own, values[i].table, values[i].sql);
		refuse(read_all(own), values[i].says);
		tear_down(&own);
	}
}

/* What is not sound does not come into another store. */
static void an_unsound_store_is_not_merged(void **state)
{
	const struct fixture *fixture = *state;
	XS_AUTO_FREE char *path = xs_asprintf("%s/all.db", fixture->folder);
	XS_AUTO(ora_store) store = NULL;
	succeed(ora_store_open(path, ORA_STORE_WRITE, &store));
	succeed(ora_store_merge(store, fixture->path));
	change(fixture, "UPDATE trace SET sampled = 5");
	refuse(ora_store_merge(store, fixture->path), "is not sound: invariant 3");
}

/* A writer says so at once where a reader would not take it. */
static void a_long_name_is_not_stored(void **state)
{
	const struct fixture *fixture = *state;
	XS_AUTO_FREE char *name = xs_calloc((1 << 20) + 2, 1);
	memset(name, 'x', (1 << 20) + 1);
	refuse(write_trace(fixture->path, name), "a text of 1048577 bytes");
	succeed(read_all(fixture));
}

static bool is_unwanted(void)
{
	return true;
}

static void a_wish_ends_it(void **state)
{
	const struct fixture *fixture = *state;
	XS_AUTO_FREE char *many = xs_asprintf(
		"WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n LIMIT 20000) "
		"INSERT INTO transition SELECT 1, i, 1, 1, 1, 1 FROM n");
	change(fixture, many);
	ora_store_listen(is_unwanted);
	refuse(read_all(fixture), "interrupted");
	ora_store_listen(NULL);
	succeed(read_all(fixture));
}

static void the_very_file_is_told_from_others(void **state)
{
	const struct fixture *fixture = *state;
	XS_AUTO_FREE char *path = xs_asprintf("%s/program", fixture->folder);
	XS_AUTO_FREE char *hash = NULL;
	struct ora_seen seen;
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs("abc", file);
	fclose(file);
	succeed(ora_hash_file(path, &hash));
	assert_string_equal(hash,
		"sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f2"
		"0015ad");
	struct ora_store_subject subject = {.path = "elsewhere", .hash = hash};
	succeed(ora_identity_verify(&subject, path, &seen));
	assert_true(ora_seen_is_at(&seen, path));
	assert_false(ora_seen_is_at(&seen, fixture->path));
	subject.hash = "sha256:1";
	refuse(ora_identity_verify(&subject, path, &seen),
		"is not the file that was traced: it is sha256:ba7816");
	refuse(ora_identity_verify(&subject, fixture->folder, &seen), "not a file");
	refuse(ora_identity_verify(&subject, "/dev/zero", &seen), "not a file");
	assert_int_equal(rename(fixture->path, path), 0);
	assert_false(ora_seen_is_at(&seen, path));
	succeed(write_trace(fixture->path, "x"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_store_is_for_the_user_alone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(other_schemas_are_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			values_of_other_types_are_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_unsound_store_is_not_merged, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_long_name_is_not_stored, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_wish_ends_it, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			the_very_file_is_told_from_others, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
