/* bundle_suites.c - a regression test as test suites want it: gdb's, gcc's guality, and Dexter of
 * LLVM's cross-project-tests, in both of its forms. All that goes into them is plain: see
 * bundle_tests.c. */
#include <ctype.h>
#include <errno.h>

#include "base/path.h"
#include "base/private.h"
#include "base/shown.h"
#include "cli/report/bundle_tests.h"

/* --- files ------------------------------------------------------------------------------------ */

/* Opens a new file in a folder of tests/, which begins as the file `from`, unless that is NULL;
 * *path is where it is in the bundle, to be freed. */
static struct xs_error *open_test(const struct cli_test *test, const char *suite,
	const char *ending, const char *from, char **path, FILE **ret)
{
	*path = xs_asprintf("tests/%s/%s%s", suite, test->stem, ending);
	XS_AUTO_FREE char *folder = xs_asprintf("%s/tests/%s", test->one->folder, suite);
	XS_AUTO_FREE char *file = xs_asprintf("%s/%s", test->one->folder, *path);
	struct xs_error *err = NULL;
	if (xs_private_folder(folder) && errno != EEXIST)
		return xs_error_sys("%s", folder);
	if (from && (err = cli_bundle_copy(from, file, XS_PRIVATE_FILE)))
		return err;
	*ret = from ? fopen(file, "ae") : xs_private_open(file, true);
	return *ret ? NULL : xs_error_sys("%s", file);
}

/* Ends it, and lists it. */
static struct xs_error *close_test(const struct cli_test *test, FILE *out, char **path, char *what)
{
	bool bad = ferror(out);
	struct cli_bundle_test written = {.path = xs_take(path), .what = what};
	xs_vec_push(&test->ret->written, written);
	return fclose(out) || bad ? xs_error_sys("%s", written.path) : NULL;
}

/* With the source as it is: lines stay where they are. */
static struct xs_error *open_source(
	const struct cli_test *test, const char *suite, char **path, FILE **ret)
{
	return open_test(test, suite, ".c", cli_bundle_source(test->one), path, ret);
}

/* An expression as Tcl takes it between quotes. */
static char *in_tcl(const char *path)
{
	char *ret = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&ret, &size);
	xs_assert(out);
	for (; *path; path++)
		xs_print(out, *path == '[' || *path == ']' ? "\\%c" : "%c", *path);
	xs_assert(!fclose(out));
	return ret;
}

/* --- gdb -------------------------------------------------------------------------------------- */

/* The assembly that --build left, if there is one, and the source will not do: its path, to be
 * freed. gcc names it after the program, too. Unoptimised code of gcc's has the same DWARF every
 * time. */
static char *assembly_of(const struct cli_test *test)
{
	const char *producer = cli_bundle_producer(test->one);
	XS_AUTO_FREE char *level = cli_bundle_level(test->one);
	bool plain = producer && !strncmp(producer, "GNU ", 4) && level && !strcmp(level, "-O0");
	if (plain || !test->one->rebuilt)
		return NULL;
	for (int named = 0; named < 2; named++) {
		char *path = xs_asprintf("%s/%s%s%s.s", test->one->folder,
			named ? test->one->program : "", named ? "-" : "", test->stem);
		if (!access(path, R_OK))
			return path;
		free(path);
	}
	return NULL;
}

/* The file that a test of gdb's is about. */
static struct xs_error *copy_beside(
	const struct cli_test *test, const char *from, const char *ending)
{
	XS_AUTO_FREE char *to =
		xs_asprintf("%s/tests/gdb/%s%s", test->one->folder, test->stem, ending);
	return cli_bundle_copy(from, to, XS_PRIVATE_FILE);
}

/* What gdb is to print, a pattern of Tcl's; NULL: it has no words for it. */
static char *pattern_of(const struct cli_expectation *expected)
{
	switch (expected->state) {
	case ORA_STATE_VALUE:
		return xs_asprintf(" = %s", expected->value);
	case ORA_STATE_OPTIMIZED_OUT:
		return xs_strdup(" = <optimized out>");
	case ORA_STATE_ABSENT:
		return xs_strdup("No symbol \\\".*\\\" in current context\\\\.");
	default:
		return NULL;
	}
}

static void print_gdb(
	FILE *out, const struct cli_test *test, const char *ending, const char *options)
{
	const struct cli_expectation *expected = test->expected;
	XS_AUTO_FREE char *path = in_tcl(expected->path);
	XS_AUTO_FREE char *pattern = pattern_of(expected);
	xs_print(out,
		"# %s.\n"
		"# It answers '%s' here where '%s' is right.\n"
		"\n"
		"standard_testfile %s\n"
		"\n"
		"if {[prepare_for_testing \"failed to prepare\" $testfile $srcfile {%s}]} {\n"
		"    return -1\n"
		"}\n"
		"\n"
		"if {![runto \"%s:%u\"]} {\n"
		"    return -1\n"
		"}\n"
		"\n",
		test->one->finding->reason, test->said,
		expected->state == ORA_STATE_VALUE ? expected->value
						   : ora_state_text(expected->state),
		ending, options, test->tried->file, expected->line);
	for (unsigned i = 2; i <= test->stop; i++)
		xs_print(out, "gdb_continue_to_breakpoint \"line %u, stop %u\"\n", expected->line,
			i);
	xs_print(out, "gdb_test \"print %s\" \"%s\"\n", path, pattern);
}

/* What prepare_for_testing gets for the options of the build; to be freed. */
static char *options_of(const struct cli_test *test)
{
	XS_AUTO_FREE char *level = cli_bundle_level(test->one);
	XS_AUTO_FREE char *flags = test->flags ? xs_strdup(test->flags) : xs_strdup("");
	char *ret = NULL, *rest = flags;
	size_t size = 0;
	FILE *out = open_memstream(&ret, &size);
	xs_assert(out);
	fputs("debug", out);
	if (level && strcmp(level, "-O0") != 0)
		xs_print(out, " optimize=%s", level);
	for (char *word; (word = strsep(&rest, " "));)
		if (*word && strncmp(word, "-O", 2) != 0 && strcmp(word, "-g") != 0)
			xs_print(out, " additional_flags=%s", word);
	xs_assert(!fclose(out));
	return ret;
}

struct xs_error *cli_test_gdb(const struct cli_test *test)
{
	const char *producer = cli_bundle_producer(test->one);
	XS_AUTO_FREE char *assembly = assembly_of(test), *path = NULL, *options = NULL;
	FILE *out = NULL;
	if (!assembly && (!producer || strncmp(producer, "GNU ", 4) != 0)) {
		cli_test_lacks(test->ret,
			xs_strdup("gdb's tests are built by gcc, which writes other DWARF. With "
				  "--build the assembly can be taken instead"));
		return NULL;
	}
	options = assembly ? xs_strdup("nodebug") : options_of(test);
	struct xs_error *err = open_test(test, "gdb", ".exp", NULL, &path, &out);
	if (err)
		return err;
	print_gdb(out, test, assembly ? ".s" : ".c", options);
	err = close_test(test, out, &path,
		xs_asprintf("with the %s beside it, for gdb/testsuite/gdb.base",
			assembly ? "assembly" : "source"));
	return err ? err
		   : copy_beside(test, assembly ? assembly : cli_bundle_source(test->one),
			     assembly ? ".s" : ".c");
}

/* --- guality ---------------------------------------------------------------------------------- */

struct xs_error *cli_test_guality(const struct cli_test *test)
{
	const struct cli_expectation *expected = test->expected;
	XS_AUTO_FREE char *path = NULL;
	FILE *out = NULL;
	const char *why = expected->never   ? "guality cannot say that a line is never stepped on"
			  : test->stop != 1 ? "guality looks at the first stop at a line, and it "
					      "shows at a later one"
			  : !test->tried->well
				  ? "a test of gcc's must end with status 0, which the "
				    "program does not"
				  : NULL;
	if (why) {
		cli_test_lacks(test->ret, xs_strdup(why));
		return NULL;
	}
	struct xs_error *err = open_source(test, "guality", &path, &out);
	if (err)
		return err;
	XS_AUTO_FREE char *name = in_tcl(expected->path);
	XS_AUTO_FREE char *level = cli_bundle_level(test->one);
	xs_print(out,
		"\n/* { dg-do run } */\n"
		"/* { dg-options \"-g\" } */\n"
		"/* { dg-final { gdb-test %u \"%s\" \"%s\" } } */\n",
		expected->line, name, expected->value);
	return close_test(test, out, &path,
		xs_asprintf("for gcc/testsuite/gcc.dg/guality, which runs it at several levels%s%s",
			level ? "; it fails with " : "", level ? level : ""));
}

/* --- Dexter ----------------------------------------------------------------------------------- */

/* Whether a line of C seems to call something: the debugger may then stop on it once more. */
static bool has_call(const char *text)
{
	static const char *const words[] = {"if", "while", "for", "switch", "return", "sizeof"};
	for (const char *at = text; (at = strchr(at, '(')); at++) {
		const char *end = at;
		while (end > text && end[-1] == ' ')
			end--;
		const char *begin = end;
		while (begin > text && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_'))
			begin--;
		bool keyword = begin == end && (end == text || end[-1] != ')');
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			keyword |= (size_t)(end - begin) == strlen(words[i]) &&
				   !strncmp(begin, words[i], strlen(words[i]));
		if (!keyword)
			return true;
	}
	return false;
}

static void print_run(FILE *out, const struct cli_test *test, const char *how)
{
	xs_print(out,
		"\n// REQUIRES: lldb\n"
		"// UNSUPPORTED: system-windows\n"
		"// RUN: %%clang %s %%s -o %%t\n"
		"// RUN: %%dexter %s %%dexter_lldb_args --binary %%t -- %%s",
		test->flags, how);
}

/* By commands in comments, which a score is made of. */
static struct xs_error *put_commands(const struct cli_test *test)
{
	const struct cli_expectation *expected = test->expected;
	XS_AUTO_FREE char *path = NULL;
	FILE *out = NULL;
	if (!expected->never && (test->tried->stops.len != 1 || !test->tried->all)) {
		cli_test_lacks(test->ret,
			xs_strdup("Dexter's commands look at every stop at a line, and there is "
				  "more than one; its script can tell them apart"));
		return NULL;
	}
	struct xs_error *err = open_source(test, "dexter", &path, &out);
	if (err)
		return err;
	print_run(out, test, "--fail-lt 1.0 -w");
	xs_print(out, "\n\n// DexLabel('here', on_line=%u)\n", expected->line);
	if (expected->never)
		fputs("// DexUnreachable(on_line=ref('here'))\n", out);
	else
		xs_print(out, "// DexExpectWatchValue('%s', '%s', on_line=ref('here'))\n",
			expected->path, expected->value);
	return close_test(test, out, &path,
		xs_strdup("for cross-project-tests/debuginfo-tests, by commands in comments; where "
			  "Dexter takes scripts by default, with --use-heuristic"));
}

/* By a script, in YAML. */
static struct xs_error *put_script(const struct cli_test *test)
{
	const struct cli_expectation *expected = test->expected;
	XS_AUTO_FREE char *path = NULL;
	const char *quote = expected->path && strpbrk(expected->path, ".[") ? "\"" : "";
	FILE *out = NULL;
	struct xs_error *err = open_source(test, "dexter-script", &path, &out);
	if (err)
		return err;
	print_run(out, test, "-w --use-script");
	fputs(" \\\n// RUN:   | FileCheck %s\n\n", out);
	if (expected->never)
		xs_print(out,
			"// CHECK: incorrect_line_steps: 0\n\n/*\n---\n"
			"!where {function: %s}:\n"
			"  !step never: [%u]\n...\n*/\n",
			test->one->finding->difference->function, expected->line);
	else
		xs_print(out,
			"// CHECK: correct_step_coverage: 100.0%%\n\n/*\n---\n"
			"!where {lines: %u%s}:\n"
			"  !value %s%s%s: %s\n...\n*/\n",
			expected->line,
			test->tried->stops.len > 1 || !test->tried->all ? ", for_hit_count: 1" : "",
			quote, expected->path, quote, expected->value);
	return close_test(test, out, &path,
		xs_strdup("for cross-project-tests/debuginfo-tests, by a script"));
}

struct xs_error *cli_test_dexter(const struct cli_test *test)
{
	const struct cli_expectation *expected = test->expected;
	const char *producer = cli_bundle_producer(test->one), *why = NULL;
	struct cli_source *source = cli_source_create();
	const char *text = cli_source_line(source, cli_bundle_source(test->one), expected->line);
	if (!producer || !strstr(producer, "clang version"))
		why = "Dexter's tests are built by clang, and the program is not: another compiler "
		      "writes other DWARF";
	else if (!test->flags)
		why = "the options of the build are not known; --build gives them";
	else if (!expected->never && expected->state != ORA_STATE_VALUE)
		why = "Dexter cannot say that a variable has no value";
	else if (!expected->never && test->stop != 1)
		why = "it does not show at the first stop at the line";
	else if (!expected->never && (!text || has_call(text)))
		why = "there is a call on the line, and Dexter may stop on it twice";
	cli_source_destroy(source);
	if (why) {
		cli_test_lacks(test->ret, xs_strdup(why));
		return NULL;
	}
	struct xs_error *err = put_commands(test);
	return err ? err : put_script(test);
}
