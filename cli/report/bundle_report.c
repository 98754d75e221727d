/* bundle_report.c - what a maintainer reads: one description of a finding, as Markdown for GitHub
 * (report.md) and as plain text for a Bugzilla (report.txt). */
#include <sys/utsname.h>

#include "base/path.h"
#include "base/shown.h"
#include "cli/report/bundle.h"
#include "cli/report/page.h"
#include "cli/report/source_lines.h"

enum { SOURCE_LINES = 60 }; /* of a source that is shown in the report itself */

static void print_file(const struct cli_page *page, const struct cli_bundle_case *one,
	const char *name, const char *title)
{
	XS_AUTO_FREE char *path = xs_asprintf("%s/%s", one->folder, name);
	XS_AUTO_FILE FILE *from = fopen(path, "re");
	if (!from)
		return;
	cli_page_heading(page, title);
	cli_page_file(page, from);
}

/* Where it is, and the verdict. */
static void print_summary(const struct cli_page *page, const struct cli_bundle_case *one)
{
	const struct ora_finding *finding = one->finding;
	const struct ora_difference *difference = finding->difference;
	if (difference->path)
		cli_page_code(page, difference->path);
	else if (difference->aspect != ORA_ASPECT_CHECK)
		cli_page_text(page, ora_aspect_text(difference->aspect));
	if (difference->path && difference->scope && *difference->scope) {
		fputs(" of ", page->out);
		cli_page_code(page, difference->scope);
	}
	fputs(difference->path || difference->aspect != ORA_ASPECT_CHECK ? " at " : "At ",
		page->out);
	cli_page_code(page, difference->file ? xs_base_name(difference->file) : "?");
	xs_print(page->out, ":%u, pc 0x%" PRIx64 ": ", difference->line, difference->pc);
	cli_page_text(page, finding->reason);
	fputs(".\n", page->out);
	if (finding->known) {
		fputs("\nKnown as: ", page->out);
		cli_page_text(page, finding->known);
		putc('\n', page->out);
	}
}

/* --- what is expected ------------------------------------------------------------------------- */

/* Whether what a trace says is what is wrong. */
static bool is_wrong(const struct cli_bundle_case *one, size_t w)
{
	const struct ora_difference *difference = one->finding->difference;
	return difference->aspect == ORA_ASPECT_CHECK ? w == difference->trace
						      : one->finding->wrong >> w & 1;
}

/* Those that say it, side by side; nothing if nobody does. */
static void print_sayings(const struct cli_page *page, const struct cli_bundle_case *one,
	const char *word, bool wrong)
{
	const struct cli_findings *print = one->print;
	const struct ora_difference *difference = one->finding->difference;
	bool producer = cli_bundle_party(one) >= CLI_BUNDLE_GCC;
	for (size_t w = 0; w < print->count; w++) {
		/* Who reads wrong DWARF rightly says what is wrong. */
		bool says = producer && difference->aspect != ORA_ASPECT_CHECK ? true
									       : is_wrong(one, w);
		if (!difference->said[w].heard || says != wrong)
			continue;
		XS_AUTO_FREE char *fact = cli_finding_fact(difference, &difference->said[w]);
		xs_print(page->out, "- %s, by ", word);
		cli_page_text(page, cli_finding_label(print, w));
		fputs(": ", page->out);
		cli_page_code(page, fact);
		putc('\n', page->out);
	}
	if (!wrong && difference->other) {
		XS_AUTO_FREE char *fact =
			xs_asprintf("%s = %s", difference->path, difference->other);
		xs_print(page->out, "- %s, by the other build: ", word);
		cli_page_code(page, fact);
		putc('\n', page->out);
	}
}

static void print_expected(const struct cli_page *page, const struct cli_bundle_case *one)
{
	cli_page_heading(page, "Expected and actual");
	print_sayings(page, one, "expected", false);
	print_sayings(page, one, "actual", true);
}

/* --- versions, source, build ------------------------------------------------------------------ */

/* `Debian GNU/Linux 12 (bookworm)`, to be freed; NULL: it does not say. */
static char *system_name(void)
{
	XS_AUTO_FILE FILE *from = fopen("/etc/os-release", "re");
	XS_AUTO_FREE char *line = NULL;
	static const char word[] = "PRETTY_NAME=";
	size_t size = 0;
	while (from && getline(&line, &size, from) >= 0) {
		if (strncmp(line, word, sizeof word - 1) != 0)
			continue;
		char *name = line + sizeof word - 1;
		name += strspn(name, "\"'");
		name[strcspn(name, "\"'\n")] = 0;
		return xs_strdup(name);
	}
	return NULL;
}

static void print_versions(const struct cli_page *page, const struct cli_bundle_case *one)
{
	const struct cli_findings *print = one->print;
	const char *producer = cli_bundle_producer(one);
	struct utsname about;
	cli_page_heading(page, "Versions");
	if (producer)
		cli_page_item(page, "compiler", producer);
	for (size_t w = 0; w < print->count; w++)
		if (!w ||
			strcmp(print->verdicts->witnesses[w], print->verdicts->witnesses[w - 1]) ||
			strcmp(print->traces[w]->trace.version,
				print->traces[w - 1]->trace.version))
			cli_page_item(page, print->verdicts->witnesses[w],
				print->traces[w]->trace.version);
	if (!uname(&about)) {
		XS_AUTO_FREE char *name = system_name();
		XS_AUTO_FREE char *text = xs_asprintf("%s%s%s %s, %s", name ? name : "",
			name ? ", " : "", about.sysname, about.release, about.machine);
		cli_page_item(page, "system", text);
	}
}

/* The text of a file, to be freed, and how many lines it has; NULL: it cannot be read. */
static char *text_of(const char *path, size_t *lines)
{
	XS_AUTO_FILE FILE *from = fopen(path, "re");
	XS_AUTO_FREE char *line = NULL;
	char *ret = NULL;
	size_t size = 0, room = 0;
	ssize_t got;
	*lines = 0;
	if (!from)
		return NULL;
	FILE *out = open_memstream(&ret, &size);
	xs_assert(out);
	/* No more than is shown: the file may be large. */
	while ((got = getline(&line, &room, from)) >= 0)
		if (++*lines <= SOURCE_LINES) {
			xs_shown_line(out, line, (size_t)got - (line[got - 1] == '\n'));
			putc('\n', out);
		}
	xs_assert(!fclose(out));
	return ret;
}

static void print_source(const struct cli_page *page, const struct cli_bundle_case *one)
{
	const char *path = cli_bundle_source(one);
	size_t lines = 0;
	XS_AUTO_FREE char *text = path ? text_of(path, &lines) : NULL;
	cli_page_heading(page, "Source");
	if (!text) {
		fputs("It is not here.\n", page->out);
		return;
	}
	cli_page_code(page, xs_base_name(path));
	if (lines > SOURCE_LINES)
		xs_print(page->out, ", %zu lines, is attached: it is in the folder `source`.\n",
			lines);
	else
		fputs(":\n\n", page->out);
	if (lines <= SOURCE_LINES)
		cli_page_block(page, text);
}

static void print_build(const struct cli_page *page, const struct cli_bundle_case *one)
{
	const char *producer = cli_bundle_producer(one);
	cli_page_heading(page, "Build");
	if (one->report->build) {
		cli_page_block(page, one->report->build);
		putc('\n', page->out);
		cli_page_text(page, one->build_says);
		putc('\n', page->out);
	} else {
		fputs("The command is not known (--build gives it). The program itself is "
		      "attached.\n",
			page->out);
	}
	if (producer) {
		fputs("\nDW_AT_producer: ", page->out);
		cli_page_code(page, producer);
		putc('\n', page->out);
	}
}

/* --- how to see it ---------------------------------------------------------------------------- */

static void print_again(const struct cli_page *page, const struct cli_bundle_case *one)
{
	int status = one->checks[0];
	fputs("    xstep", page->out);
	for (char *const *word = one->report->words; *word; word++)
		cli_bundle_print_word(page->out, *word);
	fputs("\n\n", page->out);
	cli_page_code(page, "./check.py [XSTEP]");
	xs_print(page->out,
		" does that and looks for it: exit status %d, it is %s. With "
		"$BUILD, the\n"
		"command of another compiler, the program is built anew first: made for ",
		status,
		status == 1   ? "there"
		: status == 0 ? "not there"
			      : "not known");
	cli_page_code(page, "git bisect run");
	fputs(".\nExit status: 1 while it is there, 0 once it is not, 125 if that cannot be found "
	      "out.\n",
		page->out);
}

static void print_checks(const struct cli_page *page, const struct cli_bundle_case *one)
{
	const struct cli_findings *print = one->print;
	for (size_t w = 0; w < print->count; w++) {
		bool gdb = ora_witness_is(print->verdicts->witnesses[w], ORA_WITNESS_GDB);
		if (one->checks[w] != 1)
			continue;
		fputs("- ", page->out);
		cli_page_code(page,
			gdb ? "./check_gdb.py [PATH-OF-GDB]" : "./check_lldb.py [PATH-OF-LLDB]");
		fputs(": exit status 1: the bug is there\n", page->out);
	}
	fputs("\nA script needs neither xstep nor anything but the files beside it, and is made "
	      "for\n",
		page->out);
	cli_page_code(page, "git bisect run");
	fputs(": 1 while the bug is there, 0 once it is not, 125 if that cannot be found out.\n",
		page->out);
}

static void print_see_it(const struct cli_page *page, const struct cli_bundle_case *one)
{
	cli_page_heading(page, "See it");
	if (one->tests->commands) {
		fputs("In a plain debugger:\n\n", page->out);
		cli_page_block(page, one->tests->commands);
		fputs("\nIt answers ", page->out);
		cli_page_code(page, one->tests->answer);
		fputs("; right is ", page->out);
		cli_page_code(page, one->tests->right);
		fputs(".\n\n", page->out);
	}
	if (one->report->words)
		print_again(page, one);
	else
		print_checks(page, one);
}

/* --- the DWARF -------------------------------------------------------------------------------- */

/* The section of the standard that says otherwise; NULL: none is known. */
static const char *section_of(const struct cli_bundle_case *one)
{
	const struct ora_finding *finding = one->finding;
	for (size_t w = 0; w < one->print->count; w++)
		if (finding->wrong >> w & 1 && finding->rules[w] && finding->rules[w]->section)
			return finding->rules[w]->section;
	return finding->producer ? finding->producer->section : NULL;
}

static void print_dwarf(const struct cli_page *page, const struct cli_bundle_case *one)
{
	const struct ora_finding *finding = one->finding;
	const struct di_features *features = &finding->features;
	const char *section = section_of(one);
	bool ruled = finding->producer && *finding->producer->sentence;
	if (!features->found && !section && !finding->flaw && !finding->remark && !ruled)
		return;
	cli_page_heading(page, "The DWARF");
	if (features->found) {
		XS_AUTO_FREE char *entry = xs_asprintf(".debug_info+0x%" PRIx64 "%s", features->die,
			features->visible ? "" : ", not in scope here");
		cli_page_item(page, "entry", entry);
		if (*features->place)
			cli_page_item(page, "location", features->place);
		if (finding->proof.bytes) /* and what they mean */
			cli_page_item(page, "bytes", finding->proof.bytes);
		else if (*features->expr)
			cli_page_item(page, "expression", features->expr);
		if (*features->reason)
			cli_page_item(page, "cannot be understood", features->reason);
	}
	if (ruled)
		cli_page_item(page, "what is wrong there", finding->producer->sentence);
	else if (cli_bundle_party(one) >= CLI_BUNDLE_GCC)
		cli_page_item(page, "what is wrong there", finding->reason);
	if (finding->flaw) {
		XS_AUTO_FREE char *flaw = xs_asprintf("the entry is %s", finding->flaw);
		cli_page_item(page, "flaw", flaw);
	}
	if (finding->remark)
		cli_page_item(page, "evidence", finding->remark);
	if (section) {
		XS_AUTO_FREE char *text = xs_asprintf("DWARF 5, section %s", section);
		cli_page_item(page, "standard", text);
	}
}

/* --- tests ------------------------------------------------------------------------------------ */

static void print_tests(const struct cli_page *page, const struct cli_bundle_case *one)
{
	const struct cli_bundle_tests *tests = one->tests;
	cli_page_heading(page, "Regression tests");
	for (size_t i = 0; i < tests->written.len; i++) {
		fputs("- ", page->out);
		cli_page_code(page, tests->written.data[i].path);
		fputs(": ", page->out);
		cli_page_text(page, tests->written.data[i].what);
		putc('\n', page->out);
	}
	for (size_t i = 0; i < tests->lack.len; i++) {
		fputs("- not written: ", page->out);
		cli_page_text(page, tests->lack.data[i]);
		putc('\n', page->out);
	}
	if (tests->written.len) {
		fputs("\nThey look at ", page->out);
		cli_page_code(page, tests->place);
		fputs(". What they expect was asked in the plain debugger here, which answers ",
			page->out);
		cli_page_code(page, tests->answer);
		fputs(".\nThe test suites themselves were not run.\n", page->out);
	}
}

/* --- the whole -------------------------------------------------------------------------------- */

static void describe(const struct cli_page *page, const struct cli_bundle_case *one)
{
	XS_AUTO_FREE char *title = cli_bundle_title(one);
	/* As xstep prints it; indented, it is a block. */
	XS_AUTO_FREE char *words = cli_finding_words(one->print, one->finding);
	cli_page_title(page, title);
	print_summary(page, one);
	print_expected(page, one);
	print_versions(page, one);
	print_source(page, one);
	print_build(page, one);
	print_see_it(page, one);
	print_dwarf(page, one);
	print_tests(page, one);
	cli_page_heading(page, "What is said");
	cli_page_text(page, one->finding->signature);
	fputs("\n\n", page->out);
	xs_shown_lines(page->out, "", words);
	print_file(page, one, "session.gdb.txt", "A session with gdb");
	print_file(page, one, "session.lldb.txt", "A session with lldb");
	print_file(page, one, "other.gdb.txt", "The same line in the other program, with gdb");
	print_file(page, one, "other.lldb.txt", "The same line in the other program, with lldb");
	print_file(page, one, "explain.txt", "What the DWARF says");
	print_file(page, one, "disassembly.txt", "The code, with the rows of the line table");
}

struct xs_error *cli_bundle_report(const struct cli_bundle_case *one)
{
	struct xs_error *err = NULL;
	for (int markdown = 0; !err && markdown < 2; markdown++) {
		XS_AUTO_FREE char *text = NULL;
		size_t size = 0;
		struct cli_page page = {
			.out = open_memstream(&text, &size), .markdown = markdown != 0};
		xs_assert(page.out);
		describe(&page, one);
		xs_assert(!fclose(page.out));
		err = cli_bundle_put(one->folder, markdown ? "report.md" : "report.txt", text);
	}
	return err;
}
