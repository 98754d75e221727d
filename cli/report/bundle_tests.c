#include "cli/report/bundle_tests.h"

#include <ctype.h>
#include <sys/stat.h>

#include "base/path.h"
#include "base/private.h"
#include "base/quoting.h"
#include "base/shown.h"

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

void cli_test_lacks(struct cli_bundle_tests *tests, char *why)
{
	xs_vec_push(&tests->lack, why);
}

void cli_bundle_tests_deinit(struct cli_bundle_tests *tests)
{
	for (size_t i = 0; i < tests->written.len; i++) {
		free(tests->written.data[i].path);
		free(tests->written.data[i].what);
	}
	for (size_t i = 0; i < tests->lack.len; i++)
		free(tests->lack.data[i]);
	xs_vec_deinit(&tests->written);
	xs_vec_deinit(&tests->lack);
	free(tests->place);
	free(tests->answer);
	free(tests->right);
	free(tests->commands);
}

/* --- what can be said in a test --------------------------------------------------------------- */

/* Whether a text is made of letters, digits and these marks. */
static bool is_plain(const char *text, const char *marks)
{
	for (; *text; text++)
		if (!strchr(letters, *text) && !strchr(marks, *text))
			return false;
	return true;
}

/* The options of a build command, to be freed; NULL: it is more than a list of words. */
static char *flags_of(const char *build)
{
	XS_AUTO_FREE char *copy = build ? xs_strdup(build) : NULL;
	char *ret = NULL, *rest = copy;
	size_t size = 0;
	if (!build || !is_plain(build, " \t/.,=+-:"))
		return NULL;
	FILE *out = open_memstream(&ret, &size);
	xs_assert(out);
	bool skip = false, known = true;
	const char *mark = "";
	for (char *word; (word = strsep(&rest, " \t"));) {
		bool option = *word == '-' && strncmp(word, "-save-temps", 11) != 0;
		/* Paths are of this machine. */
		known &= strncmp(word, "-I", 2) != 0 && strncmp(word, "-i", 2) != 0 &&
			 strncmp(word, "-L", 2) != 0 && !(option && strchr(word, '/'));
		if (option && !skip && strcmp(word, "-o") != 0) {
			xs_print(out, "%s%s", mark, word);
			mark = " ";
		}
		skip = !strcmp(word, "-o");
	}
	xs_assert(!fclose(out));
	if (!known)
		free(xs_take(&ret));
	return ret;
}

/* Whether the source is the one that was compiled. */
static bool is_same_source(const struct cli_bundle_case *one, const char *source)
{
	struct stat text, program;
	return one->rebuilt || (!stat(source, &text) && !stat(one->print->run->path, &program) &&
				       text.st_mtime <= program.st_mtime);
}

/* Files of sources that the line table names, the system's aside. */
static size_t count_sources(const struct cli_bundle_case *one)
{
	const struct di_lines *lines = &one->print->verdicts->module->lines;
	const char *first = NULL;
	size_t count = 0;
	for (size_t i = 0; i < lines->files.len; i++) {
		const char *file = lines->files.data[i];
		if (!file || !cli_source_is_named(file) || !strncmp(file, "/usr/", 5) ||
			(first && !strcmp(file, first)))
			continue;
		first = file;
		count++;
	}
	return count;
}

/* Whether a file has a text in it. */
static bool has_text(const char *path, const char *text)
{
	XS_AUTO_FILE FILE *from = fopen(path, "re");
	XS_AUTO_FREE char *line = NULL;
	size_t size = 0;
	bool found = false;
	while (from && !found && getline(&line, &size, from) >= 0)
		found = strstr(line, text) != NULL;
	return !from || found;
}

/* Why no test can be made of the program, whatever the finding; NULL: one can. */
static const char *obstacle(const struct cli_bundle_case *one, const char *source)
{
	const struct ora_program *program = one->report->program;
	static const char *const own[] = {"RUN:", "CHECK", "dg-", "Dex", "!dex_label", NULL};
	if (one->print->run->argv[1] || program->in || program->environment.vec.len)
		return "the program gets arguments, an environment or an input, which a test "
		       "does not give it";
	if (one->finding->difference->module)
		return "it is in a library";
	if (!source || count_sources(one) != 1)
		return "the program is not of one source file that is here";
	if (!is_plain(xs_base_name(source), ".-+") || *xs_base_name(source) == '-' ||
		!is_plain(one->print->run->path, "/.,=+-"))
		return "the name of a file cannot be said in a test";
	const char *dot = strrchr(source, '.');
	if (!dot || strcmp(dot, ".c") != 0)
		return "the source is not C";
	if (!is_same_source(one, source))
		return "the source is newer than the program";
	if (has_text(source, "#include \""))
		return "the source includes files of its own";
	for (const char *const *word = own; *word; word++)
		if (has_text(source, *word))
			return "the source has directives of a test suite in it already";
	return NULL;
}

/* --- whether it fails here -------------------------------------------------------------------- */

static bool is_number(const char *text)
{
	size_t sign = *text == '-';
	return text[sign] && !text[sign + strspn(text + sign, "0123456789")];
}

/* What the accused said in xstep's own session; of a producer, what xstep reads. */
static const struct ora_said *claim_of(
	const struct cli_bundle_case *one, const struct ora_finding *finding)
{
	const struct ora_difference *difference = finding->difference;
	if (difference->aspect == ORA_ASPECT_CHECK)
		return &difference->said[difference->trace];
	for (size_t w = 0; w < one->print->count; w++)
		if (finding->wrong >> w & 1 && difference->said[w].heard)
			return &difference->said[w];
	return &difference->said[0];
}

/* Whether an answer is wrong in the way that was found. */
static bool is_as_found(const struct cli_bundle_case *one, const struct cli_expectation *expected,
	const char *answer)
{
	const struct ora_difference *difference = expected->finding->difference;
	const struct ora_said *claim = claim_of(one, expected->finding);
	static const char *const absent[] = {
		"No symbol", "no variable named", "undeclared identifier", NULL};
	if (expected->state == ORA_STATE_VALUE && !strcmp(answer, expected->value))
		return false;
	/* Another variable of that name: any number but the right one. */
	if (difference->aspect == ORA_ASPECT_LOOKUP)
		return expected->state == ORA_STATE_VALUE && is_number(answer);
	switch (claim->state) {
	case ORA_STATE_VALUE:
		if (expected->state != ORA_STATE_VALUE) /* out of scope: anything at all */
			return !strstr(answer, "<optimized out>") && !strstr(answer, "No symbol");
		return is_number(answer) && claim->value &&
		       (expected->pc != difference->pc || !strcmp(answer, claim->value));
	case ORA_STATE_OPTIMIZED_OUT:
		return strstr(answer, "<optimized out>") || strstr(answer, "not available");
	case ORA_STATE_ABSENT:
		for (const char *const *word = absent; *word; word++)
			if (strstr(answer, *word))
				return true;
		return false;
	default:
		return claim->message && *claim->message && strstr(answer, claim->message);
	}
}

/* Whether xstep, going to the first arrival of all at that place, says the same once more. */
static bool is_right(const struct cli_bundle_case *one, const struct cli_expectation *expected)
{
	const struct ora_difference *difference = expected->finding->difference;
	XS_AUTO_FREE char *text = NULL;
	size_t size = 0;
	/* Of another build nothing can be said here. */
	if (difference->aspect == ORA_ASPECT_CHECK || difference->aspect == ORA_ASPECT_BUILDS)
		return true;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	cli_bundle_explain(one->report, one->print, difference, expected->pc, 1, out);
	xs_assert(!fclose(out));
	if (strstr(text, "xstep: "))
		return false;
	if (expected->state != ORA_STATE_VALUE)
		return true;
	XS_AUTO_FREE char *line = xs_asprintf("\n%s = %s  (", expected->path, expected->value);
	return strstr(text, line) != NULL;
}

/* Whether the debugger would print the right answer as the plain number. */
static struct xs_error *is_plainly_printed(
	const struct cli_try *try, unsigned stop, const struct cli_expectation *expected, bool *ret)
{
	XS_AUTO_FREE char *answer = NULL;
	*ret = expected->state != ORA_STATE_VALUE;
	if (*ret || !expected->type || !is_plain(expected->type, " ") ||
		strstr(expected->type, "omplex"))
		return NULL;
	XS_AUTO_FREE char *command = xs_asprintf(
		try->debugger->kind == ORA_WITNESS_GDB ? "print (%s) %s" : "expression -- (%s) %s",
		expected->type, expected->value);
	struct xs_error *err = cli_try_ask(try, stop, command, &answer);
	*ret = !err && answer && !strcmp(answer, expected->value);
	return err;
}

/* Looks there: *stop is which of the stops at the line it is, 0 if it does not show; *said is the
 * answer, to be freed. */
static struct xs_error *look(const struct cli_bundle_case *one, struct cli_try *try,
	const struct cli_expectation *expected, unsigned *stop, char **said)
{
	*stop = 0;
	/* A name in a script is a name. */
	if ((expected->path && !is_plain(expected->path, ".[]")) ||
		(expected->never && !is_plain(one->finding->difference->function, "")) ||
		!is_right(one, expected))
		return NULL;
	struct xs_error *err = cli_try_stops(try);
	for (size_t i = 0; !err && !*stop && i < try->stops.len; i++)
		if (try->stops.data[i] == expected->pc)
			*stop = (unsigned)i + 1;
	if (err || !*stop)
		return err;
	if (expected->never) {
		*said = xs_asprintf("a stop at line %u", expected->line);
		return NULL;
	}
	bool gdb = try->debugger->kind == ORA_WITNESS_GDB, fails = false;
	XS_AUTO_FREE char *first = NULL, *second = NULL;
	XS_AUTO_FREE char *command =
		xs_asprintf(gdb ? "print %s" : "frame variable %s", expected->path);
	XS_AUTO_FREE char *other = xs_asprintf("expression -- %s", expected->path);
	if (!(err = cli_try_ask(try, *stop, command, &first)) && first &&
		is_as_found(one, expected, first))
		err = is_plainly_printed(try, *stop, expected, &fails);
	/* Dexter asks lldb by expressions: that must be wrong, too. */
	if (!err && fails && !gdb && !(err = cli_try_ask(try, *stop, other, &second)))
		fails = second && expected->state == ORA_STATE_VALUE &&
			strcmp(second, expected->value) != 0 &&
			(!is_number(first) || !strcmp(first, second));
	if (!err && fails)
		*said = xs_take(&first);
	else
		*stop = 0;
	return err;
}

/* --- all of it -------------------------------------------------------------------------------- */

static struct xs_error *write_test(struct cli_test *test)
{
	const struct cli_expectation *expected = test->expected;
	struct cli_bundle_tests *ret = test->ret;
	bool gdb = test->tried->debugger->kind == ORA_WITNESS_GDB;
	ret->place = xs_asprintf("%s:%u", test->tried->file, expected->line);
	ret->answer = xs_strdup(test->said);
	ret->right =
		xs_strdup(expected->never                      ? "no stop there"
			  : expected->state == ORA_STATE_VALUE ? expected->value
							       : ora_state_text(expected->state));
	XS_AUTO_FREE char *command =
		expected->never
			? xs_strdup(gdb ? "backtrace 1" : "frame info")
			: xs_asprintf(gdb ? "print %s" : "frame variable %s", expected->path);
	ret->commands = cli_try_line(test->tried, test->stop, command);
	XS_AUTO_FREE char *folder = xs_asprintf("%s/tests", test->one->folder);
	if (xs_private_folder(folder))
		return xs_error_sys("%s", folder);
	struct xs_error *err = test->party == CLI_BUNDLE_GDB   ? cli_test_gdb(test)
			       : test->party == CLI_BUNDLE_GCC ? cli_test_guality(test)
							       : cli_test_dexter(test);
	if (!ret->written.len)
		rmdir(folder);
	return err;
}

struct xs_error *cli_bundle_make_tests(
	const struct cli_bundle_case *one, struct cli_bundle_tests *ret)
{
	const char *source = cli_bundle_source(one), *why = NULL;
	enum cli_bundle_party party = cli_bundle_party(one);
	bool by_gdb = party == CLI_BUNDLE_GDB || party == CLI_BUNDLE_GCC;
	const struct ora_witness *debugger = by_gdb ? one->gdb : one->lldb;
	struct cli_expectations list = {0};
	XS_AUTO_FREE char *lack = NULL;
	if (party == CLI_BUNDLE_OTHER)
		why = "no test suite of that compiler is known";
	else if (!debugger->path || debugger->problem)
		why = "the debugger that it is to be tried in is not here";
	else
		why = obstacle(one, source);
	struct xs_error *err = why ? NULL : cli_expectations_find(one, &list, &lack);
	bool found = false;
	for (size_t i = 0; !err && !why && !found && i < list.vec.len; i++) {
		XS_AUTO_FREE char *said = NULL;
		XS_AUTO_FREE char *flags = flags_of(one->report->build);
		XS_AUTO_FREE char *stem = xs_strdup(xs_base_name(source));
		*strrchr(stem, '.') = 0;
		struct cli_try try = {.debugger = debugger,
			.program = one->print->run->path,
			.file = xs_base_name(source),
			.line = list.vec.data[i].line,
			.bias = one->print->routes[one->finding->origin].bias};
		struct cli_test test = {.one = one,
			.party = party,
			.expected = &list.vec.data[i],
			.tried = &try,
			.stem = stem,
			.flags = flags,
			.ret = ret};
		if (!(err = look(one, &try, test.expected, &test.stop, &said)) && test.stop) {
			found = true;
			test.said = said;
			err = write_test(&test);
		}
		cli_try_deinit(&try);
	}
	if (!err && list.vec.len && !found)
		why = "a breakpoint at the line does not lead there in the plain debugger, or that "
		      "answers otherwise: what was found needs more than a line and a name";
	if (!err && (why || lack))
		cli_test_lacks(ret, why ? xs_strdup(why) : xs_take(&lack));
	cli_expectations_deinit(&list);
	return err;
}
