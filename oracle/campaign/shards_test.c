/* shards_test.c - how a campaign is cut: every program in one shard, and names that stay. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/campaign/shards.h"

/* A campaign of seeds and so many files. */
static void make(struct ora_shards *shards, const char *seeds, unsigned files, uint64_t size)
{
	*shards = (struct ora_shards){.folder = xs_strdup("/dir"), .size = size};
	assert_null(ora_seeds_parse(seeds, &shards->seeds));
	shards->settings.value[ORA_SET_LEVELS] = xs_strdup("-O2");
	shards->settings.value[ORA_SET_SEEDS] = xs_strdup(seeds);
	shards->settings.value[ORA_SET_JOBS] = xs_strdup("2");
	for (unsigned i = 0; i < files; i++)
		xs_vec_push(&shards->sources.vec, xs_asprintf("%u.c", i));
	struct ora_plan_tool tool = {xs_strdup("gcc"), xs_strdup("12.2")};
	xs_vec_push(&shards->tools, tool);
}

static char *programs(const struct ora_shards *shards, uint64_t number)
{
	struct xs_ranges seeds = {0};
	struct ora_ccmd_words sources = {0};
	ora_shards_take(shards, number, &seeds, &sources);
	char *text = ora_seeds_text(&seeds);
	for (size_t i = 0; i < sources.vec.len; i++) {
		char *more = xs_asprintf("%s %s", text, sources.vec.data[i]);
		free(text);
		text = more;
	}
	xs_ranges_deinit(&seeds);
	ora_ccmd_words_deinit(&sources);
	return text;
}

static void expect(const char *seeds, unsigned files, uint64_t size, const char *const *all)
{
	struct ora_shards shards;
	uint64_t count = 0;
	make(&shards, seeds, files, size);
	for (; all[count]; count++) {
		XS_AUTO_FREE char *text = programs(&shards, count + 1);
		assert_string_equal(text, all[count]);
	}
	assert_int_equal(ora_shards_count(&shards), count);
	ora_shards_deinit(&shards);
}

static void each_program_is_in_one_shard(void **state)
{
	(void)state;
	expect("1-6", 0, 2, (const char *const[]){"1-2", "3-4", "5-6", NULL});
	expect("1-7", 0, 3, (const char *const[]){"1-3", "4-6", "7", NULL});
	expect("1-3,10,20-24", 0, 4, (const char *const[]){"1-3,10", "20-23", "24", NULL});
	expect("1,3,5,7", 0, 2, (const char *const[]){"1,3", "5,7", NULL});
	expect("1-9", 0, 9, (const char *const[]){"1-9", NULL});
	expect("1-2", 0, 100, (const char *const[]){"1-2", NULL});
	expect("", 3, 2, (const char *const[]){" 0.c 1.c", " 2.c", NULL});
	expect("1-3", 2, 2, (const char *const[]){"1-2", "3", " 0.c 1.c", NULL});
	expect("0-18446744073709551613", 0, UINT64_C(1) << 63,
		(const char *const[]){
			"0-9223372036854775807", "9223372036854775808-18446744073709551613", NULL});
}

static void same_name(
	const struct ora_shards *one, const struct ora_shards *other, uint64_t number, bool same)
{
	XS_AUTO_FREE char *name = ora_shards_name(one, number);
	XS_AUTO_FREE char *second = ora_shards_name(other, number);
	assert_int_equal(!strcmp(name, second), same);
}

/* What is full stays what it is when more seeds come; workers do not matter; all else does. */
static void names_are_of_all_that_decides(void **state)
{
	struct ora_shards one, other;
	(void)state;
	make(&one, "1-5", 0, 2);
	make(&other, "1-8", 0, 2);
	same_name(&one, &other, 1, true);
	same_name(&one, &other, 2, true);
	same_name(&one, &other, 3, false);
	free(other.settings.value[ORA_SET_JOBS]);
	other.settings.value[ORA_SET_JOBS] = xs_strdup("64");
	same_name(&one, &other, 1, true);
	free(other.settings.value[ORA_SET_LEVELS]);
	other.settings.value[ORA_SET_LEVELS] = xs_strdup("-O3");
	same_name(&one, &other, 1, false);
	free(other.settings.value[ORA_SET_LEVELS]);
	other.settings.value[ORA_SET_LEVELS] = xs_strdup("-O2");
	same_name(&one, &other, 1, true);
	free(other.tools.data[0].version);
	other.tools.data[0].version = xs_strdup("13.1");
	same_name(&one, &other, 1, false);
	ora_shards_deinit(&one);
	ora_shards_deinit(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_program_is_in_one_shard),
		cmocka_unit_test(names_are_of_all_that_decides),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
