/* base_test.c - what every other module takes for granted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/addr.h"
#include "base/error.h"
#include "base/log.h"
#include "base/map.h"
#include "base/nearest.h"
#include "base/path.h"
#include "base/private.h"
#include "base/scratch.h"
#include "base/search.h"

static void errors_name_the_object_first(void **state)
{
	(void)state;
	XS_AUTO(xs_error) err = xs_error_create("row %d", 7);
	err = xs_error_context(err, "%s", "a.out");
	assert_string_equal(err->message, "a.out: row 7");
	assert_null(xs_error_context(NULL, "nothing"));
	errno = ENOENT;
	XS_AUTO(xs_error) sys = xs_error_sys("open(%s)", "x");
	assert_string_equal(sys->message, "open(x): No such file or directory");
}

static void an_error_is_swallowed_by_its_kind(void **state)
{
	(void)state;
	errno = ENOENT;
	XS_AUTO(xs_error) sys = xs_error_sys("x");
	assert_int_equal(sys->code, XS_ERROR_SYSTEM);
	assert_int_equal(sys->number, ENOENT);
	struct xs_error *err = xs_error_context(xs_error_corrupt("row %d", 7), "a.out");
	assert_int_equal(err->code, XS_ERROR_CORRUPT);
	assert_string_equal(err->message, "a.out: row 7");
	assert_false(xs_error_catch(&err, XS_ERROR_SYSTEM));
	assert_non_null(err);
	assert_true(xs_error_catch(&err, XS_ERROR_CORRUPT));
	assert_null(err);
	assert_false(xs_error_catch(&err, XS_ERROR_CORRUPT));
	XS_AUTO(xs_error) other = xs_error_create("no");
	assert_int_equal(other->code, XS_ERROR_OTHER);
	XS_AUTO(xs_error) busy = xs_error_busy("later");
	assert_int_equal(busy->code, XS_ERROR_BUSY);
}

static void taking_from_a_guard_leaves_nothing_behind(void **state)
{
	(void)state;
	char *kept;
	{
		XS_AUTO_FREE char *guarded = xs_strdup("kept");
		kept = xs_take(&guarded);
		assert_null(guarded);
	}
	assert_string_equal(kept, "kept");
	free(kept);
}

static void vectors_keep_their_elements_when_they_grow(void **state)
{
	(void)state;
	XS_VEC(int) vec = {0};
	for (int i = 0; i < 1000; i++)
		xs_vec_push(&vec, i);
	assert_int_equal(vec.len, 1000);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(vec.data[i], i);
	xs_vec_deinit(&vec);
	assert_null(vec.data);
}

static void ranges_merge_and_exclude_their_end(void **state)
{
	(void)state;
	struct xs_ranges ranges = {0};
	xs_ranges_add(&ranges, 30, 40);
	xs_ranges_add(&ranges, 10, 20);
	xs_ranges_add(&ranges, 15, 25);
	xs_ranges_add(&ranges, 25, 26); /* touches: one range */
	xs_ranges_add(&ranges, 11, 12); /* inside */
	xs_ranges_add(&ranges, 50, 50); /* empty */
	xs_ranges_normalise(&ranges);
	assert_int_equal(ranges.vec.len, 2);
	assert_null(xs_ranges_find(&ranges, 9));
	assert_false(xs_ranges_meet(&ranges, 0, 10));
	assert_true(xs_ranges_meet(&ranges, 0, 11));
	assert_true(xs_ranges_meet(&ranges, 25, 99));
	assert_false(xs_ranges_meet(&ranges, 26, 27));
	assert_false(xs_ranges_meet(&ranges, 12, 12));
	assert_int_equal(xs_ranges_find(&ranges, 10)->hi, 26);
	assert_non_null(xs_ranges_find(&ranges, 25));
	assert_null(xs_ranges_find(&ranges, 26));
	assert_int_equal(xs_ranges_find(&ranges, 39)->lo, 30);
	assert_null(xs_ranges_find(&ranges, 40));
	assert_null(xs_ranges_find(&ranges, 50));
	xs_ranges_deinit(&ranges);
}

static void ranges_can_be_taken_away(void **state)
{
	(void)state;
	struct xs_ranges ranges = {0}, out = {0};
	xs_ranges_add(&ranges, 10, 20);
	xs_ranges_add(&ranges, 30, 40);
	xs_ranges_add(&out, 5, 11);
	xs_ranges_add(&out, 13, 15);
	xs_ranges_add(&out, 19, 31);
	xs_ranges_subtract(&ranges, &out);
	assert_int_equal(ranges.vec.len, 3);
	assert_non_null(xs_ranges_find(&ranges, 11));
	assert_null(xs_ranges_find(&ranges, 13));
	assert_int_equal(xs_ranges_find(&ranges, 15)->hi, 19);
	assert_null(xs_ranges_find(&ranges, 30));
	assert_int_equal(xs_ranges_find(&ranges, 39)->lo, 31);
	xs_ranges_intersect(&ranges, &out); /* nothing of it is left in there */
	assert_int_equal(ranges.vec.len, 0);
	xs_ranges_add(&ranges, 0, 14);
	xs_ranges_intersect(&ranges, &out);
	assert_int_equal(ranges.vec.len, 2);
	assert_int_equal(xs_ranges_find(&ranges, 5)->hi, 11);
	assert_int_equal(xs_ranges_find(&ranges, 13)->hi, 14);
	xs_ranges_deinit(&ranges);
	xs_ranges_deinit(&out);
}

static void the_nearest_word_is_a_small_mistake_away(void **state)
{
	(void)state;
	static const char *const words[] = {"--limit", "--format", "--from"};
	static const struct {
		const char *typed, *meant;
	} cases[] = {{"--lmit", "--limit"}, {"--fomr", "--from"}, {"--formt", "--format"},
		{"--something", NULL}, {"x", NULL}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct xs_nearest nearest = xs_nearest_to(cases[i].typed);
		for (size_t j = 0; j < 3; j++)
			xs_nearest_try(&nearest, words[j]);
		if (cases[i].meant)
			assert_string_equal(nearest.best, cases[i].meant);
		else
			assert_null(nearest.best);
	}
}

static void maps_tell_pairs_apart(void **state)
{
	(void)state;
	struct xs_map map = {0};
	assert_null(xs_map_find(&map, 1, 2));
	for (uint64_t i = 0; i < 5000; i++)
		*xs_map_at(&map, i, i + 1) += i;
	*xs_map_at(&map, 1, 0) = 77; /* not (0, 1) */
	assert_int_equal(map.len, 5001);
	for (uint64_t i = 0; i < 5000; i++)
		assert_int_equal(*xs_map_find(&map, i, i + 1), i);
	assert_int_equal(*xs_map_find(&map, 1, 0), 77);
	assert_null(xs_map_find(&map, 5000, 5000));
	assert_int_equal(*xs_map_at(&map, XS_ADDR_NONE, XS_ADDR_NONE), 0);
	xs_map_deinit(&map);
}

static void mix_is_the_finaliser_of_splitmix64(void **state)
{
	(void)state;
	/* The first output of splitmix64 seeded with 0 is mix(0x9e3779b97f4a7c15). */
	assert_true(xs_mix(0x9e3779b97f4a7c15u) == 0xe220a8397b1dcdafu);
	assert_true(xs_mix(0) == 0);
}

static void search_finds_the_first_that_is_not_before(void **state)
{
	(void)state;
	static const int sorted[] = {1, 3, 3, 3, 7};
	static const struct {
		int than;
		size_t less, up_to; /* how many are */
	} cases[] = {{0, 0, 0}, {1, 0, 1}, {2, 1, 1}, {3, 1, 4}, {6, 4, 4}, {7, 4, 5}, {8, 5, 5}};
	size_t at;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		xs_search(at, 0, 5, sorted[at] < cases[i].than);
		assert_int_equal(at, cases[i].less);
		xs_search(at, 0, 5, sorted[at] <= cases[i].than);
		assert_int_equal(at, cases[i].up_to);
	}
	/* In a part of it, and in nothing. */
	xs_search(at, 2, 4, sorted[at] < 3);
	assert_int_equal(at, 2);
	xs_search(at, 2, 4, sorted[at] < 9);
	assert_int_equal(at, 4);
	xs_search(at, 3, 3, sorted[at] < 9);
	assert_int_equal(at, 3);
}

static void base_name_is_what_stands_behind_the_last_slash(void **state)
{
	(void)state;
	assert_string_equal(xs_base_name("/usr/bin/gdb"), "gdb");
	assert_string_equal(xs_base_name("gdb"), "gdb");
	assert_string_equal(xs_base_name("bin/"), "");
	assert_null(xs_base_name(NULL));
}

static void a_scratch_folder_is_where_tmpdir_says_and_goes_with_all_in_it(void **state)
{
	(void)state;
	char *outer, *inner;
	assert_null(xs_scratch_create("outer", &outer));
	assert_int_equal(setenv("TMPDIR", outer, 1), 0);
	assert_null(xs_scratch_create("inner", &inner));
	XS_AUTO_FREE char *path = xs_strdup(inner);
	XS_AUTO_FREE char *link = xs_asprintf("%s/link", inner);
	assert_memory_equal(inner, outer, strlen(outer));
	assert_int_equal(symlink("/", link), 0);
	xs_scratch_destroy(outer);
	assert_int_equal(access(path, F_OK), -1);
	struct xs_error *err = xs_scratch_create("nowhere", &outer);
	assert_non_null(err);
	assert_int_equal(err->number, ENOENT);
	xs_error_destroy(err);
	assert_null(outer);
	free(inner);
	unsetenv("TMPDIR");
	assert_string_equal(xs_scratch_place(), "/tmp");
}

/* Makes a folder in another process, which then dies without a word. */
static void die_with_a_folder(const char *place, const char *what)
{
	int status;
	pid_t child = fork();
	if (!child) {
		char *folder;
		XS_AUTO(xs_error) err = xs_scratch_create_in(place, what, &folder);
		XS_AUTO_FREE char *deep = err ? NULL : xs_asprintf("%s/a", folder);
		XS_AUTO_FREE char *link = err ? NULL : xs_asprintf("%s/a/link", folder);
		if (!err && !mkdir(deep, 0700) && !symlink("/", link))
			raise(SIGKILL);
		_exit(1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
}

static unsigned count_entries(const char *folder)
{
	unsigned count = 0;
	DIR *all = opendir(folder);
	while (readdir(all))
		count++;
	closedir(all);
	return count - 2;
}

static void folders_of_the_dead_are_swept(void **state)
{
	(void)state;
	char *place, *mine;
	assert_null(xs_scratch_create("place", &place));
	assert_null(xs_scratch_create_in(place, "mine", &mine));
	XS_AUTO_FREE char *other = xs_asprintf("%s/xstep-other-abcdef", place);
	XS_AUTO_FREE char *aside = xs_asprintf("%s/aside", place);
	XS_AUTO_FREE char *link = xs_asprintf("%s/xstep-link.abcdef", place);
	assert_int_equal(mkdir(other, 0700), 0);
	assert_int_equal(mkdir(aside, 0700), 0);
	assert_int_equal(symlink(aside, link), 0);
	die_with_a_folder(place, "dead");
	die_with_a_folder(place, "dead");
	assert_int_equal(count_entries(place), 6);
	xs_scratch_sweep(place);
	assert_int_equal(count_entries(place), 4);
	assert_int_equal(access(mine, F_OK) | access(other, F_OK) | access(aside, F_OK), 0);
	/* One that another process holds is not a dead one's, whoever asks. */
	pid_t child = fork();
	if (!child) {
		xs_scratch_sweep(place);
		_exit(0);
	}
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_int_equal(access(mine, F_OK), 0);
	xs_scratch_destroy(mine);
	assert_int_equal(count_entries(place), 3);
	xs_scratch_destroy(place);
}

static void log_levels_are_per_module(void **state)
{
	(void)state;
	const char *bad = NULL;
	assert_true(xs_log_setup("all:error,engine:debug", &bad));
	assert_true(xs_log_enabled(XS_LOG_ENGINE, XS_LOG_DEBUG));
	assert_false(xs_log_enabled(XS_LOG_DWARF, XS_LOG_WARN));
	assert_true(xs_log_setup("info", &bad));
	assert_true(xs_log_enabled(XS_LOG_CLI, XS_LOG_INFO));
	assert_false(xs_log_setup("engine:debug,motor:debug", &bad));
	assert_string_equal(bad, "motor:debug");
	assert_false(xs_log_setup("engine:loud", &bad));
	assert_true(xs_log_setup(NULL, &bad));
}

/* What xstep makes is the user's alone; what is there stays as it is. */
static void private_files_are_for_nobody_else(void **state)
{
	char *folder = NULL;
	struct stat about;
	(void)state;
	assert_null(xs_scratch_create("private", &folder));
	XS_AUTO_FREE char *inner = xs_asprintf("%s/folder", folder);
	XS_AUTO_FREE char *path = xs_asprintf("%s/file", inner);
	mode_t mask = umask(0);
	assert_int_equal(xs_private_folder(inner), 0);
	assert_int_equal(xs_private_folder(inner), -1);
	FILE *file = xs_private_open(path, true);
	umask(mask);
	assert_non_null(file);
	fclose(file);
	assert_int_equal(stat(inner, &about), 0);
	assert_int_equal(about.st_mode & 0777, 0700);
	assert_int_equal(stat(path, &about), 0);
	assert_int_equal(about.st_mode & 0777, 0600);
	assert_null(xs_private_open(path, true));
	assert_int_equal(chmod(path, 0644), 0);
	file = xs_private_open(path, false);
	assert_non_null(file);
	fclose(file);
	assert_int_equal(stat(path, &about), 0);
	assert_int_equal(about.st_mode & 0777, 0644);
	xs_scratch_destroy(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_name_the_object_first),
		cmocka_unit_test(an_error_is_swallowed_by_its_kind),
		cmocka_unit_test(taking_from_a_guard_leaves_nothing_behind),
		cmocka_unit_test(vectors_keep_their_elements_when_they_grow),
		cmocka_unit_test(ranges_merge_and_exclude_their_end),
		cmocka_unit_test(ranges_can_be_taken_away),
		cmocka_unit_test(the_nearest_word_is_a_small_mistake_away),
		cmocka_unit_test(maps_tell_pairs_apart),
		cmocka_unit_test(mix_is_the_finaliser_of_splitmix64),
		cmocka_unit_test(search_finds_the_first_that_is_not_before),
		cmocka_unit_test(base_name_is_what_stands_behind_the_last_slash),
		cmocka_unit_test(a_scratch_folder_is_where_tmpdir_says_and_goes_with_all_in_it),
		cmocka_unit_test(folders_of_the_dead_are_swept),
		cmocka_unit_test(private_files_are_for_nobody_else),
		cmocka_unit_test(log_levels_are_per_module),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
