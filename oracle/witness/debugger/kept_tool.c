/* kept_tool.c - for kept_test.py and studies: keeps gdb and lldb until its standard input ends.
 *
 *     kept_tool FOLDER
 *
 * Prints a line for each: who, and its process. Whoever is started with XSTEP_KEPT=FOLDER borrows
 * them. */
#include <stdio.h>
#include <unistd.h>

#include "oracle/witness/debugger/find.h"
#include "oracle/witness/debugger/kept.h"

static int fail(const char *what)
{
	fprintf(stderr, "kept_tool: %s\n", what);
	return 2;
}

int main(int argc, char **argv)
{
	static const enum ora_witness_kind kinds[] = {ORA_WITNESS_GDB, ORA_WITNESS_LLDB};
	struct ora_kept kept[2] = {{{0}, NULL}, {{0}, NULL}};
	struct ora_witnesses found[2] = {0};
	if (argc != 2)
		return fail("name a folder");
	for (size_t i = 0; i < 2; i++) { /* all of them first: kept.h, rule 3 */
		ora_debuggers_find(kinds[i], false, &found[i]);
		if (found[i].vec.data[found[i].vec.len - 1].problem)
			return fail(found[i].vec.data[found[i].vec.len - 1].problem);
	}
	for (size_t i = 0; i < 2; i++) {
		const struct ora_witness *last = &found[i].vec.data[found[i].vec.len - 1];
		XS_AUTO(xs_error) err = ora_kept_start(last, argv[1], &kept[i]);
		if (err)
			return fail(err->message);
		printf("%s %d\n", ora_witness_name(kinds[i]), (int)kept[i].helper.pid);
		ora_witnesses_deinit(&found[i]);
	}
	fflush(stdout);
	while (getchar() != EOF)
		continue;
	for (size_t i = 0; i < 2; i++)
		ora_kept_end(&kept[i]);
	return 0;
}
