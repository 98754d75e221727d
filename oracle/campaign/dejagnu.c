#include "oracle/campaign/dejagnu.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <unistd.h>

#include "oracle/campaign/command_line.h"

#define MACHINE "x86_64-pc-linux-gnu"

static const char not_run[] = "its test is not to be run";
static const char elsewhere[] = "its test is for other machines";
static const char other_levels[] = "its test is not for all these levels";
static const char unclear[] = "its test says what is not understood";
static const char other_files[] = "its test needs other files";
static const char failing[] = "its test is expected to fail";
static const char other_options[] = "its test has options that are not passed on";

/* What a test is, while it is read. */
struct reading {
	struct ora_dejagnu *test;
	const char *const *builds; /* options of each level, up to NULL */
	unsigned cpp;              /* the standard of C++; 0: it is C */
	char *options, *more;      /* of dg-options, the last; of dg-additional-options, all */
	bool any, ran;             /* there are such words; among them is dg-do run */
};

static void leave_out(struct reading *reading, const char *reason, const char *words)
{
	if (reading->test->reason)
		return;
	reading->test->reason = reason;
	reading->test->detail = xs_strdup(words);
}

/* --- words in braces and quotes --------------------------------------------------------------- */

/* How long the word is that begins here, with its braces or quotes; 0: it does not end. */
static size_t word_length(const char *text)
{
	size_t depth = 0;
	if (*text == '"') {
		const char *end = strchr(text + 1, '"');
		return end ? (size_t)(end - text) + 1 : 0;
	}
	if (*text != '{')
		return strcspn(text, " \t{}\"");
	for (size_t i = 0; text[i]; i++) {
		depth += text[i] == '{';
		if (text[i] == '}' && !--depth)
			return i + 1;
	}
	return 0;
}

/* The words of a text, without their braces and quotes. False: they are not balanced. */
static bool split(const char *text, struct ora_command *ret)
{
	static const char blanks[] = " \t\r";
	for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
		size_t length = word_length(text), outer = *text == '{' || *text == '"';
		if (!length)
			return false;
		ora_command_take(ret, xs_asprintf("%.*s", (int)(length - 2 * outer), text + outer));
		text += length;
	}
	return true;
}

/* --- conditions ------------------------------------------------------------------------------- */

enum truth { NO, YES, UNKNOWN };

static enum truth not(enum truth one) { return one == UNKNOWN ? UNKNOWN : one == NO ? YES : NO; }

static enum truth both(enum truth one, enum truth other)
{
	return one == NO || other == NO ? NO : one == YES && other == YES ? YES : UNKNOWN;
}

static enum truth either(enum truth one, enum truth other)
{
	return not(both(not(one), not(other)));
}

/* Years of C++ in the order in which they came: 98 is before 11. */
static unsigned long in_order(unsigned long year)
{
	return year >= 98 ? year - 98 : year;
}

/* `17` and later, `11_only`, `14_down`, of programs that are built as another year's. */
static enum truth is_standard(unsigned cpp, const char *word)
{
	char *end;
	unsigned long here = in_order(cpp), year = in_order(strtoul(word, &end, 10));
	if (end == word)
		return *word ? UNKNOWN : YES;
	if (!*end)
		return here >= year ? YES : NO;
	if (!strcmp(end, "_only"))
		return here == year ? YES : NO;
	return strcmp(end, "_down") != 0 ? UNKNOWN : here <= year ? YES : NO;
}

/* What x86-64 with Linux and glibc has, and what it has not. What compilers may lack that others
 * have is there: one that lacks it refuses the program. */
static enum truth keyword(const struct reading *reading, const char *word)
{
	static const char *const there[] = {"native", "hosted", "int32", "int32plus", "int128",
		"lp64", "size20plus", "size24plus", "size32plus", "ptr32plus", "ptr_eq_long",
		"longlong64", "double64", "double64plus", "large_double", "large_long_double",
		"stdint_types", "c99_runtime", "label_values", "indirect_jumps", "nonlocal_goto",
		"alloca", "trampolines", "untyped_assembly", "return_address", "mmap", "fileio",
		"pthread", "fork", "signal", "inf", "inff", "fenv", "fenv_exceptions", "tls",
		"tls_native", "tls_runtime", "global_constructor", "mempcpy", "stpcpy", "wchar",
		"sse", "sse2", "sse_runtime", "sse2_runtime", "__float128", "float16",
		"float16_runtime", "float32", "float32_runtime", "float64", "float64_runtime",
		"float128", "float128_runtime", "float32x", "float32x_runtime", "float64x",
		"float64x_runtime", "floatn_nx_runtime", "dfp", "dfprt", "fpic", "named_sections",
		NULL};
	static const char *const missing[] = {"ia32", "ilp32", "x32", "int16", "freestanding",
		"run_expensive_tests", "simulator", "default_packed", "keeps_null_pointer_checks",
		"uclibc", "newlib*", "float128x*", "vxworks*", "arm_*", "aarch64*", "powerpc*",
		"ppc_*", "vmx_hw", "avr_*", "nvptx*", "mips*", "s390*", "sparc*", "vax*", "rtems*",
		"hppa*", "riscv*", NULL};
	if (strchr(word, '-'))
		return fnmatch(word, MACHINE, 0) ? NO : YES;
	if (reading->cpp && !strncmp(word, "c++", 3))
		return is_standard(reading->cpp, word + 3);
	for (size_t i = 0; there[i]; i++)
		if (!strcmp(word, there[i]))
			return YES;
	for (size_t i = 0; missing[i]; i++)
		if (!fnmatch(missing[i], word, 0))
			return NO;
	return UNKNOWN;
}

static enum truth holds_words(
	const struct reading *reading, char *const *words, size_t count, unsigned depth);

/* A word that may be a condition in braces. */
static enum truth holds(const struct reading *reading, const char *text, unsigned depth)
{
	enum { DEEP = 20 };
	struct ora_command words = {0};
	enum truth truth = UNKNOWN;
	if (depth < DEEP && split(text, &words) && words.vec.len)
		truth = words.vec.len == 1 && !strcmp(words.vec.data[0], text)
				? keyword(reading, text)
				: holds_words(reading, words.vec.data, words.vec.len, depth + 1);
	ora_command_deinit(&words);
	return truth;
}

/* `! a`, `a && b`, `a || b || c`, or a list of which one is enough. */
static enum truth holds_words(
	const struct reading *reading, char *const *words, size_t count, unsigned depth)
{
	if (count == 2 && !strcmp(words[0], "!"))
		return not(holds(reading, words[1], depth));
	const char *operator= count> 2 ? words[1] : "";
	bool all = !strcmp(operator, "&&"), chain = all || !strcmp(operator, "||");
	enum truth truth = holds(reading, words[0], depth);
	for (size_t i = 1; i < count; i++) {
		bool is_operator = !strcmp(words[i], "&&") || !strcmp(words[i], "||");
		if (chain ? (i % 2 ? strcmp(words[i], operator) != 0 : is_operator)
			  : is_operator || !strcmp(words[i], "!"))
			return UNKNOWN;
		if (!chain || i % 2 == 0)
			truth = (all ? both : either)(truth, holds(reading, words[i], depth));
	}
	return chain && count % 2 == 0 ? UNKNOWN : truth;
}

/* Whether one of the patterns, by blanks, is a word of a build's options; `*` always is. */
static bool has_option(const char *patterns, const char *build)
{
	struct ora_command wanted = {0}, words = {0};
	bool found = !split(patterns, &wanted);
	ora_command_split(&words, build);
	for (size_t i = 0; !found && i < wanted.vec.len; i++) {
		found = !strcmp(wanted.vec.data[i], "*");
		for (size_t k = 0; !found && k < words.vec.len; k++)
			found = !fnmatch(wanted.vec.data[i], words.vec.data[k], 0);
	}
	ora_command_deinit(&wanted);
	ora_command_deinit(&words);
	return found;
}

/* --- what is said ----------------------------------------------------------------------------- */

/* `{ target ... }` or `{ xfail ... }` behind what a directive is about; absent: it holds. */
static enum truth selected(const struct reading *reading, const struct ora_command *words,
	size_t place, const char *kind)
{
	struct ora_command inner = {0};
	enum truth truth = UNKNOWN;
	if (words->vec.len <= place)
		return YES;
	if (words->vec.len == place + 1 && split(words->vec.data[place], &inner) &&
		inner.vec.len > 1 && !strcmp(inner.vec.data[0], kind))
		truth = holds_words(reading, inner.vec.data + 1, inner.vec.len - 1, 0);
	ora_command_deinit(&inner);
	return truth;
}

static void on_do(struct reading *reading, const struct ora_command *words, const char *line)
{
	enum truth here = selected(reading, words, 2, "target");
	enum truth fails = words->vec.len > 2 ? selected(reading, words, 2, "xfail") : NO;
	reading->ran = true;
	if (words->vec.len < 2 || strcmp(words->vec.data[1], "run") != 0)
		leave_out(reading, not_run, line);
	else if (here == NO)
		leave_out(reading, elsewhere, line);
	else if (fails == YES)
		leave_out(reading, failing, line);
	else if (here == UNKNOWN && fails == UNKNOWN)
		leave_out(reading, unclear, line);
}

static void on_options(struct reading *reading, const struct ora_command *words, const char *line)
{
	bool more = !strcmp(words->vec.data[0], "dg-additional-options");
	enum truth here = selected(reading, words, 2, "target");
	char **kept = more ? &reading->more : &reading->options;
	if (words->vec.len < 2 || here == UNKNOWN) {
		leave_out(reading, unclear, line);
	} else if (here == YES) {
		char *text = xs_asprintf("%s %s", more && *kept ? *kept : "", words->vec.data[1]);
		free(*kept);
		*kept = text;
	}
}

/* Options that are added by name are none on this machine. */
static void on_added(struct reading *reading, const struct ora_command *words, const char *line)
{
	static const char *const none[] = {"ieee", "c99_runtime", "tls", "stack_size", "__float128",
		"float16", "float32", "float64", "float128", "float32x", "float64x", NULL};
	for (size_t i = 1; i < words->vec.len; i++) {
		size_t k = 0;
		while (none[k] && strcmp(none[k], words->vec.data[i]) != 0)
			k++;
		if (!none[k])
			leave_out(reading, unclear, line);
	}
}

static void on_required(struct reading *reading, const struct ora_command *words, const char *line)
{
	enum truth here = words->vec.len > 1 ? keyword(reading, words->vec.data[1]) : UNKNOWN;
	here = either(here, not(selected(reading, words, 2, "target")));
	if (here != YES)
		leave_out(reading, here == NO ? elsewhere : unclear, line);
}

/* dg-skip-if "why" { where } { options } { but not with these }, and dg-xfail-if alike. */
static void on_unless(struct reading *reading, const struct ora_command *words, const char *line)
{
	bool skip = !strcmp(words->vec.data[0], "dg-skip-if"), all = true, any = false;
	enum truth here = words->vec.len > 2 ? holds(reading, words->vec.data[2], 0) : UNKNOWN;
	const char *with = words->vec.len > 3 ? words->vec.data[3] : "*";
	const char *without = words->vec.len > 4 ? words->vec.data[4] : "";
	if (words->vec.len > 5)
		leave_out(reading, unclear, line);
	for (const char *const *build = reading->builds; *build; build++) {
		bool meant = has_option(with, *build) && !has_option(without, *build);
		all &= meant;
		any |= meant;
	}
	if (here == NO || !any)
		return;
	leave_out(reading,
		here == UNKNOWN ? unclear
		: !skip         ? failing
		: all           ? elsewhere
				: other_levels,
		line);
}

static void on_other_files(
	struct reading *reading, const struct ora_command *words, const char *line)
{
	(void)words;
	leave_out(reading, other_files, line);
}

static void on_failing(struct reading *reading, const struct ora_command *words, const char *line)
{
	(void)words;
	leave_out(reading, failing, line);
}

/* What is about compilers' words, time, or what there always is. */
static void on_nothing(struct reading *reading, const struct ora_command *words, const char *line)
{
	(void)reading, (void)words, (void)line;
}

static const struct {
	const char *pattern;
	void (*read)(struct reading *reading, const struct ora_command *words, const char *line);
} directives[] = {
	{"dg-do", on_do},
	{"dg-options", on_options},
	{"dg-additional-options", on_options},
	{"dg-add-options", on_added},
	{"dg-require-effective-target", on_required},
	{"dg-skip-if", on_unless},
	{"dg-xfail-if", on_unless},
	{"dg-xfail-run-if", on_unless},
	{"dg-shouldfail", on_failing},
	{"dg-additional-sources", on_other_files},
	{"dg-additional-files", on_other_files},
	{"dg-require-alias", on_nothing},
	{"dg-require-weak", on_nothing},
	{"dg-require-visibility", on_nothing},
	{"dg-require-fork", on_nothing},
	{"dg-require-stack-size", on_nothing},
	{"dg-final", on_nothing},
	{"dg-error", on_nothing},
	{"dg-warning", on_nothing},
	{"dg-message", on_nothing},
	{"dg-note", on_nothing},
	{"dg-bogus", on_nothing},
	{"dg-regexp", on_nothing},
	{"dg-excess-errors", on_nothing},
	{"dg-prune-output", on_nothing},
	{"dg-output", on_nothing},
	{"dg-line", on_nothing},
	{"dg-timeout*", on_nothing},
	{"dg-*-multiline-output", on_nothing},
};

/* text: what is between the braces of one. */
static void read_directive(struct reading *reading, const char *text)
{
	struct ora_command words = {0};
	size_t i = 0, count = sizeof directives / sizeof *directives;
	reading->any = true;
	if (!split(text, &words) || !words.vec.len) {
		leave_out(reading, unclear, text);
	} else {
		while (i < count && fnmatch(directives[i].pattern, words.vec.data[0], 0))
			i++;
		if (i < count)
			directives[i].read(reading, &words, text);
		else
			leave_out(reading, unclear, text);
	}
	ora_command_deinit(&words);
}

/* `{ dg-... }` on one line, several times. */
static void read_line(struct reading *reading, const char *line)
{
	for (const char *at = line; (at = strchr(at, '{'));) {
		const char *inner = at + 1 + strspn(at + 1, " \t");
		if (inner == at + 1 || strncmp(inner, "dg-", 3) != 0) {
			at++;
			continue;
		}
		size_t length = word_length(at);
		size_t size = length ? length - 1 - (size_t)(inner - at) : strlen(inner);
		while (size && strchr(" \t\r", inner[size - 1]))
			size--;
		XS_AUTO_FREE char *text = xs_asprintf("%.*s", (int)size, inner);
		if (length)
			read_directive(reading, text);
		else
			leave_out(reading, unclear, text);
		at += length ? length : strlen(at);
	}
}

/* --- all of it -------------------------------------------------------------------------------- */

static void pass_options(struct reading *reading, const char *text)
{
	struct ora_command words = {0};
	struct ora_dejagnu *test = reading->test;
	ora_command_split(&words, text ? text : "");
	for (size_t i = 0; i < words.vec.len; i++) {
		const char *next = i + 1 < words.vec.len ? words.vec.data[i + 1] : "";
		/* `--param a=1` is `--param=a=1`. */
		XS_AUTO_FREE char *flag = !strcmp(words.vec.data[i], "--param")
						  ? xs_asprintf("--param=%s", next)
						  : xs_strdup(words.vec.data[i]);
		i += !strcmp(words.vec.data[i], "--param");
		enum ora_dejagnu_flag fate = ora_dejagnu_judge(flag);
		if (fate == ORA_FLAG_REFUSED)
			leave_out(reading, other_options, flag);
		if (fate != ORA_FLAG_PASSED)
			continue;
		char *more = xs_asprintf("%s%s%s", test->flags, *test->flags ? " " : "", flag);
		free(test->flags);
		test->flags = more;
	}
	ora_command_deinit(&words);
}

/* A test of the old kind has a script beside it. */
static void find_script(struct reading *reading, const char *path)
{
	size_t length = strlen(path);
	XS_AUTO_FREE char *script = length > 2 && !strcmp(path + length - 2, ".c")
					    ? xs_asprintf("%.*s.x", (int)(length - 2), path)
					    : NULL;
	const char *slash = script ? strrchr(script, '/') : NULL;
	if (script && !access(script, F_OK))
		leave_out(reading, other_files, slash ? slash + 1 : script);
}

/* The 17 of -std=gnu++17; 0: they are no builds of C++. */
static unsigned standard_of(const char *const *builds)
{
	const char *std = *builds ? strstr(*builds, "-std=") : NULL;
	const char *plus = std ? strstr(std, "++") : NULL;
	size_t length = std ? strcspn(std, " ") : 0;
	return plus && plus < std + length ? (unsigned)strtoul(plus + 2, NULL, 10) : 0;
}

void ora_dejagnu_read(
	const char *text, const char *path, const char *const *builds, struct ora_dejagnu *ret)
{
	struct reading reading = {.test = ret, .builds = builds, .cpp = standard_of(builds)};
	*ret = (struct ora_dejagnu){.flags = xs_strdup("")};
	for (const char *at = text; *at;) {
		size_t length = strcspn(at, "\n");
		XS_AUTO_FREE char *line = xs_asprintf("%.*s", (int)length, at);
		if (strstr(line, "dg-"))
			read_line(&reading, line);
		at += length + (at[length] == '\n');
	}
	find_script(&reading, path);
	/* Without dg-do a test is compiled, but for those whose folder says that they are run. */
	if (reading.any && !reading.ran && !strstr(path, "/execute/"))
		leave_out(&reading, not_run, "it has no dg-do run");
	pass_options(&reading, reading.options);
	pass_options(&reading, reading.more);
	free(reading.options);
	free(reading.more);
}

void ora_dejagnu_deinit(struct ora_dejagnu *test)
{
	free(test->flags);
	free(test->detail);
	*test = (struct ora_dejagnu){0};
}
