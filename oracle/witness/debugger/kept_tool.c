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
	if (argc != 2)
		return fail("name a folder");
	for (size_t i = 0; i < 2; i++) {
		struct ora_witnesses found = {0};
		ora_debuggers_find(kinds[i], false, &found);
		const struct ora_witness *last = &found.vec.data[found.vec.len - 1];
		if (last->problem)
			return fail(last->problem);
		XS_AUTO(xs_error) err = ora_kept_start(last, argv[1], &kept[i]);
		if (err)
			return fail(err->message);
		printf("%s %d\n", ora_witness_name(kinds[i]), (int)kept[i].helper.pid);
		ora_witnesses_deinit(&found);
	}
	fflush(stdout);
	while (getchar() != EOF)
		continue;
	for (size_t i = 0; i < 2; i++)
		ora_kept_end(&kept[i]);
	return 0;
}
