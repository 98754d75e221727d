/* memo_test.c - answers about builds are known again by the bytes of the build. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "base/scratch.h"
#include "base/alloc.h"
#include "base/cleanup.h"
#include "oracle/cause/memo.h"

static char *put(const char *folder, const char *name, const char *bytes)
{
	char *path = xs_asprintf("%s/%s", folder, name);
	FILE *file = fopen(path, "we");
	assert_non_null(file);
	fputs(bytes, file);
	fclose(file);
	return path;
}

static void the_same_bytes_have_the_same_answer(void **state)
{
	(void)state;
	char *folder = NULL;
	assert_null(xs_scratch_create("memo", &folder));
	XS_AUTO_FREE char *memo = xs_asprintf("%s/memo", folder);
	XS_AUTO_FREE char *first = put(folder, "first", "code");
	XS_AUTO_FREE char *again = put(folder, "again", "code");
	XS_AUTO_FREE char *other = put(folder, "other", "Code");
	int answer = 0;
	assert_false(ora_memo_get(memo, first, "gcc", &answer));
	ora_memo_put(memo, first, "gcc", 2);
	assert_true(ora_memo_get(memo, again, "gcc", &answer));
	assert_int_equal(answer, 2);
	assert_false(ora_memo_get(memo, again, "clang", &answer));
	assert_false(ora_memo_get(memo, other, "gcc", &answer));
	xs_scratch_destroy(folder);
}

static void what_cannot_be_read_is_not_known(void **state)
{
	(void)state;
	char *folder = NULL;
	assert_null(xs_scratch_create("memo", &folder));
	XS_AUTO_FREE char *memo = xs_asprintf("%s/memo", folder);
	XS_AUTO_FREE char *none = xs_asprintf("%s/none", folder);
	int answer = 0;
	ora_memo_put(memo, none, "", 1);
	assert_false(ora_memo_get(memo, none, "", &answer));
	xs_scratch_destroy(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_bytes_have_the_same_answer),
		cmocka_unit_test(what_cannot_be_read_is_not_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
