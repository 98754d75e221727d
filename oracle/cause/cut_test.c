/* cut_test.c - what is cut out of a source, and how often that is asked about. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/scratch.h"
#include "oracle/cause/cut.h"

/* An oracle that finds something as long as main calls `used` and anybody reads `input`. It is
 * asked as xstep would be, about a build, and keeps count. */
static const char oracle[] =
	"#!/bin/sh\n"
	"echo >> %s/count\n"
	"for program; do true; done\n"
	"if objdump -d --disassemble=main $program | grep -q 'call .*<used>' &&\n"
	"  objdump -d $program | grep -q '<input'; then\n"
	"  echo '{\"format\": \"xstep-check/1\", \"violations\": [{\"id\": \"abc\", \"signature\":"
	" \"X\", \"wrong\": [\"producer\"], \"basis\": \"evidence\", \"stop\": {}}]}'\n"
	"  exit 1\n"
	"fi\n"
	"echo '{\"format\": \"xstep-check/1\", \"violations\": []}'\n";

static void put(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static char *get(const char *path)
{
	char *text = NULL;
	size_t size = 0;
	XS_AUTO_FILE FILE *file = fopen(path, "re");
	assert_non_null(file);
	if (getdelim(&text, &size, '\0', file) < 0) {
		free(text);
		return xs_strdup("");
	}
	return text;
}

static struct ora_case case_of(const char *xstep, const char *source)
{
	return (struct ora_case){.xstep = xs_strdup(xstep),
		.source = xs_strdup(source),
		.compiler = xs_strdup("cc"),
		.level = xs_strdup("-O0"),
		.oracle = ora_oracle_find("frames"),
		.witness = xs_strdup(""),
		.signature = xs_strdup("X"),
		.run_seconds = 10,
		.ask_seconds = 100};
}

static void what_is_not_needed_goes_in_few_questions(void **state)
{
	char *folder;
	(void)state;
	assert_null(xs_scratch_create("cut", &folder));
	XS_AUTO_FREE char *xstep = xs_asprintf("%s/xstep", folder);
	XS_AUTO_FREE char *source = xs_asprintf("%s/small.c", folder);
	XS_AUTO_FREE char *counted = xs_asprintf("%s/count", folder);
	XS_AUTO_FREE char *text = xs_asprintf(oracle, folder);
	put(xstep, text);
	assert_int_equal(chmod(xstep, 0700), 0);
	put(source, "typedef int number;\n"
		    "number input[3] = {1, 2, 3};\nnumber more;\n"
		    "number other(number a) { more += a; return more; }\n"
		    "number used(number a, number b) { if (a > b) more = a * 2; return a - b; }\n"
		    "int main(void)\n"
		    "{\n"
		    "\tnumber n = other(3), m = 0;\n"
		    "\tfor (n = 0; n < 3; n++)\n"
		    "\t\tm += other(n) * 2 - other(n + 1);\n"
		    "\tif (n > 2)\n"
		    "\t\tm = used(input[1], n) + m;\n"
		    "\treturn other(m) - other(m);\n"
		    "}\n");
	struct ora_case one = case_of(xstep, source);
	struct ora_asker asker = {.one = &one, .scratch = folder, .jobs = 2};
	struct ora_cut trim = {.asker = &asker, .path = source};
	assert_null(ora_cut(&trim));
	XS_AUTO_FREE char *small = get(source);
	XS_AUTO_FREE char *count = get(counted);
	assert_non_null(strstr(small, "used("));
	assert_non_null(strstr(small, "int input"));
	for (const char *const *word =
			(const char *const[]){"other", "more", "number", "for", "[", NULL};
		*word; word++)
		if (strstr(small, *word))
			fail_msg("%s is left in:\n%s", *word, small);
	assert_true(strlen(small) < 120);
	/* Each was asked once: what the build refuses does not come to the oracle. */
	assert_true(strlen(count) <= asker.asked);
	assert_true(asker.asked < 80);
	assert_true(asker.found > 5);
	ora_case_deinit(&one);
	xs_scratch_destroy(folder);
}

static void what_main_does_not_reach_goes_without_a_question(void **state)
{
	char *folder;
	(void)state;
	assert_null(xs_scratch_create("cut", &folder));
	XS_AUTO_FREE char *source = xs_asprintf("%s/small.c", folder);
	struct ora_case one = case_of("/bin/false", source);
	/* A type that one compiler knows, and the other one's name for it. */
	put(source, "typedef float _Float32;\n_Float32 half(_Float32);\nint n;\nint none;\n"
		    "int main(void) { return n; }\n");
	assert_null(ora_cut_unused(&one, source));
	XS_AUTO_FREE char *small = get(source);
	assert_string_equal(small, "int n;\nint main(void) { return n; }\n");
	/* What cannot be parsed stays. */
	put(source, "int none;\nint main(void) { return x; }\n");
	assert_null(ora_cut_unused(&one, source));
	XS_AUTO_FREE char *same = get(source);
	assert_string_equal(same, "int none;\nint main(void) { return x; }\n");
	ora_case_deinit(&one);
	xs_scratch_destroy(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_needed_goes_in_few_questions),
		cmocka_unit_test(what_main_does_not_reach_goes_without_a_question),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
