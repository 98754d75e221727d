/* store_test.c - the store's two ends, without a program: what a writer is told, a reader tells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sqlite3.h>

#include "oracle/store/store.h"

static char path[] = "/tmp/xstep-store-XXXXXX.db";

static void succeed(struct xs_error *err)
{
	if (err)
		fail_msg("%s", err->message);
}

static int make_path(void **state)
{
	(void)state;
	snprintf(path, sizeof path, "/tmp/xstep-store-XXXXXX.db");
	int fd = mkstemps(path, 3);
	if (fd >= 0)
		close(fd);
	return fd < 0;
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

static const struct ora_store_subject subject = {.path = "/bin/x", .hash = "sha256:0"};
static const struct ora_store_trace about = {.witness = "gdb",
	.version = "13.1",
	.level = "line",
	.sample = "unique",
	.seed = UINT64_MAX,
	.arguments = "[\"/bin/x\"]",
	.vars = "all",
	.frames = true,
	.regs = true};

/* A trace of some stops with an array, a struct and a local that comes and goes. If `whole`, every
 * stop tells all there is, else what changed. */
static struct xs_error *write_trace(struct ora_store *store, bool whole, unsigned stops)
{
	XS_AUTO(ora_writer) writer = NULL;
	struct xs_error *err = ora_writer_create(store, &subject, &about, &writer);
	if (err)
		return err;
	struct ora_store_variable array = {.scope = "", .name = "a", .file = "x.c", .line = 3};
	struct ora_store_variable local = {.scope = "f", .name = "l", .line = 7};
	uint32_t a = ora_writer_variable(writer, &array, 0);
	uint32_t l = ora_writer_variable(writer, &local, 1),
		 twin = ora_writer_variable(writer, &local, 2);
	assert_int_not_equal(l, twin);
	assert_int_equal(l, ora_writer_variable(writer, &local, 1));
	for (unsigned i = 1; i <= stops; i++) {
		struct ora_store_place from = {.address = 0x1000 + i - 1},
				       to = {.address = 0x1000 + i,
					       .function = "f",
					       .offset = i,
					       .has_row = true,
					       .file = "x.c",
					       .line = i};
		uint32_t prev = i > 1 ? ora_writer_place(writer, &from) : 0;
		ora_writer_stop_begin(writer, i, prev, ora_writer_place(writer, &to), 1);
		/* The frame shows another line than the table says. */
		ora_writer_frame(writer,
			&(struct ora_store_frame){.function = "f", .file = "x.c", .line = i + 1});
		ora_writer_frame(writer, &(struct ora_store_frame){.function = "main",
						 .module = "lib.so",
						 .address = 0x77,
						 .tail = i & 1});
		ora_writer_reg(writer, "rip", 0x401000 + i);
		ora_writer_reg(writer, "rax", i / 2);
		ora_writer_reg_text(writer, "xmm0", i % 2 ? NULL : "{1, 2}");
		for (unsigned k = 0; k < 6; k++) {
			char leaf[16], value[16];
			unsigned now = k < i ? i / 3 : 0, before = k < i - 1 ? (i - 1) / 3 : 0;
			snprintf(leaf, sizeof leaf, "a[%u]", k);
			snprintf(value, sizeof value, "%u", now);
			if (whole || i == 1 || now != before)
				ora_writer_fact(writer, &(struct ora_store_fact){.variable = a,
								.path = leaf,
								.type = "int",
								.value = value});
		}
		struct ora_store_fact there = {.variable = l,
			.depth = 2,
			.path = "*l[*]",
			.state = ORA_STATE_OPTIMIZED_OUT,
			.message = "gone",
			.why = "call-site-silent"};
		if (i % 4 < 2 && (whole || i % 4 == 0 || i == 1))
			ora_writer_fact(writer, &there);
		there.state = ORA_STATE_ABSENT;
		there.message = there.why = NULL;
		if (i % 4 == 2 && !whole)
			ora_writer_fact(writer, &there);
		if (whole)
			ora_writer_rest_absent(writer);
		if ((err = ora_writer_stop_end(writer)))
			return err;
		ora_writer_transition(
			writer, prev, ora_writer_find_place(writer, NULL, to.address), i, 0);
	}
	ora_writer_coverage(writer, "state", "", stops, stops);
	return ora_writer_finish(writer,
		&(struct ora_store_end){.complete = true, .how = "main returned", .stops = stops});
}

/* All that a reader tells, as text. */
static char *read_all(struct ora_store *store, uint64_t trace)
{
	XS_AUTO(ora_reader) reader = NULL;
	const struct ora_told *stop;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	succeed(ora_reader_create(store, trace, &reader));
	for (;;) {
		succeed(ora_reader_next(reader, &stop));
		if (!stop)
			break;
		fprintf(out, "%d %x %d:%d\n", (int)stop->number, (int)stop->place->address,
			(int)stop->place->line, (int)stop->frames.data[0].line);
		assert_int_equal(stop->frames.len, 2);
		assert_string_equal(stop->frames.data[1].module, "lib.so");
		assert_int_equal(stop->frames.data[1].tail, stop->number & 1);
		assert_false(stop->frames.data[1].inlined);
		for (size_t i = 0; i < stop->facts.len; i++)
			fprintf(out, "  %s %s %s\n", stop->facts.data[i].path,
				ora_state_text(stop->facts.data[i].state),
				stop->facts.data[i].value ? stop->facts.data[i].value
				: stop->facts.data[i].why ? stop->facts.data[i].why
							  : "-");
		for (size_t i = 0; i < stop->regs.len; i++)
			fprintf(out, "  %s %x %s\n", stop->regs.data[i].name,
				(int)stop->regs.data[i].value,
				stop->regs.data[i].text    ? stop->regs.data[i].text
				: stop->regs.data[i].known ? ""
							   : "?");
	}
	fclose(out);
	return text;
}

static void on_problem(void *arg, const char *problem)
{
	(void)arg;
	fail_msg("%s", problem);
}

static void whole_states_and_changes_give_the_same(void **state)
{
	XS_AUTO(ora_store) store = NULL;
	(void)state;
	succeed(ora_store_open(path, ORA_STORE_WRITE, &store));
	succeed(write_trace(store, true, 20));
	succeed(write_trace(store, false, 20));
	XS_AUTO_FREE char *one = read_all(store, 1);
	XS_AUTO_FREE char *two = read_all(store, 2);
	assert_string_equal(one, two);
	assert_non_null(strstr(one, "3 1003 3:4\n  a[0] value 1\n  a[1] value 1\n"));
	assert_non_null(strstr(one, "  *l[*] optimized-out call-site-silent\n"));
	assert_non_null(strstr(one, "  *l[*] absent -\n"));
	assert_non_null(strstr(one, "  xmm0 0 ?\n"));
	assert_non_null(strstr(one, "  rip 401014 \n"));
	succeed(ora_store_check(store, on_problem, NULL));
	struct ora_trace_list list = {0};
	succeed(ora_store_traces(store, &list));
	assert_int_equal(list.vec.len, 2);
	assert_string_equal(list.vec.data[1].trace.version, "13.1");
	assert_true(list.vec.data[1].trace.seed == UINT64_MAX && list.vec.data[1].end.complete);
	ora_trace_list_deinit(&list);
}

static void unstable_leaves_are_marked(void **state)
{
	XS_AUTO(ora_store) store = NULL;
	XS_AUTO(ora_reader) reader = NULL;
	const struct ora_told *stop;
	unsigned marked = 0;
	(void)state;
	succeed(ora_store_open(path, ORA_STORE_WRITE, &store));
	succeed(write_trace(store, false, 10));
	succeed(ora_store_mark_unstable(store, 1, 1, 2, 3, 6));
	succeed(ora_reader_create(store, 1, &reader));
	for (;;) {
		succeed(ora_reader_next(reader, &stop));
		if (!stop)
			break;
		for (size_t i = 0; i < stop->facts.len; i++)
			if (stop->facts.data[i].unstable) {
				marked++;
				assert_string_equal(stop->facts.data[i].path, "a[2]");
				assert_in_range(stop->number, 3, 6);
			}
	}
	assert_int_equal(marked, 2);
}

/* --- a disk that fails ------------------------------------------------------------------------ */

/* SQLite's own file system with a count of writes in front of it. */

static sqlite3_vfs shim;
static int writes_left = -1; /* -1: no limit */
/* The database and its journals have different methods; each kind is wrapped once. */
static struct wrapped {
	sqlite3_io_methods own; /* first: what a file then has */
	const sqlite3_io_methods *real;
} kinds[4];

static int shim_write(sqlite3_file *file, const void *data, int size, sqlite3_int64 at)
{
	const struct wrapped *kind = (const struct wrapped *)file->pMethods;
	if (!writes_left)
		return SQLITE_FULL;
	if (writes_left > 0)
		writes_left--;
	return kind->real->xWrite(file, data, size, at);
}

static int shim_open(
	sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags)
{
	sqlite3_vfs *real = vfs->pAppData;
	int code = real->xOpen(real, name, file, flags, out_flags);
	for (size_t i = 0; file->pMethods && i < sizeof kinds / sizeof *kinds; i++) {
		if (kinds[i].real && kinds[i].real != file->pMethods)
			continue;
		kinds[i] = (struct wrapped){*file->pMethods, file->pMethods};
		kinds[i].own.xWrite = shim_write;
		file->pMethods = &kinds[i].own;
		break;
	}
	return code;
}

/* Whatever write fails: the first trace stays, and the file is sound. */
static void any_write_may_fail(void **state)
{
	(void)state;
	sqlite3_vfs *real = sqlite3_vfs_find(NULL);
	shim = *real;
	shim.zName = "shim";
	shim.pAppData = real;
	shim.xOpen = shim_open;
	assert_int_equal(sqlite3_vfs_register(&shim, 1), SQLITE_OK);
	bool done = false;
	for (int n = 0; !done && n < 400; n += n < 40 ? 1 : 7) {
		XS_AUTO_FREE char *before = NULL;
		remove_path(NULL);
		{
			XS_AUTO(ora_store) store = NULL;
			succeed(ora_store_open(path, ORA_STORE_WRITE, &store));
			succeed(write_trace(store, false, 5));
			before = read_all(store, 1);
		}
		{
			XS_AUTO(ora_store) store = NULL;
			writes_left = n;
			XS_AUTO(xs_error) err = ora_store_open(path, ORA_STORE_WRITE, &store);
			if (!err)
				err = write_trace(store, true, 60);
			done = !err;
		}
		writes_left = -1;
		XS_AUTO(ora_store) store = NULL;
		succeed(ora_store_open(path, ORA_STORE_READ, &store));
		succeed(ora_store_check(store, on_problem, NULL));
		XS_AUTO_FREE char *after = read_all(store, 1);
		assert_string_equal(before, after);
	}
	sqlite3_vfs_unregister(&shim);
	sqlite3_vfs_register(real, 1);
	assert_true(done);
}

/* Why a leaf has no value is kept by its name, and goes along when stores are merged. */
static void reasons_survive_a_merge(void **state)
{
	XS_AUTO_FREE char *other = xs_asprintf("%s.other", path);
	(void)state;
	{
		XS_AUTO(ora_store) store = NULL;
		succeed(ora_store_open(other, ORA_STORE_WRITE, &store));
		succeed(write_trace(store, true, 4));
	}
	XS_AUTO(ora_store) store = NULL;
	succeed(ora_store_open(path, ORA_STORE_WRITE, &store));
	succeed(write_trace(store, true, 20));
	succeed(ora_store_merge(store, other));
	unlink(other);
	XS_AUTO_FREE char *text = read_all(store, 2);
	assert_non_null(strstr(text, "  *l[*] optimized-out call-site-silent\n"));
	succeed(ora_store_check(store, on_problem, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			whole_states_and_changes_give_the_same, make_path, remove_path),
		cmocka_unit_test_setup_teardown(reasons_survive_a_merge, make_path, remove_path),
		cmocka_unit_test_setup_teardown(unstable_leaves_are_marked, make_path, remove_path),
		cmocka_unit_test_setup_teardown(any_write_may_fail, make_path, remove_path),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
