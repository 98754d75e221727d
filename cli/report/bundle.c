#include "cli/report/bundle.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/markdown.h"
#include "base/private.h"
#include "base/quoting.h"
#include "base/scratch.h"
#include "base/shown.h"
#include "cli/report/explain_text.h"
#include "cli/report/html_findings.h"
#include "cli/report/source_lines.h"
#include "dwarf/unit.h"
#include "oracle/witness/debugger/helper.h"
#include "cli/report/listing.h"
#include "oracle/session/by_hand.h"
#include "oracle/session/witnesses.h"

enum {
	AROUND = 12,          /* instructions before and after the pc */
	SLUG_MAX = 60,        /* characters of a folder's name, before the id */
	SOURCE_MAX = 4 << 20, /* bytes of a source file that is taken along */
	SECONDS = 120,        /* for a debugger's session */
	BUILD_SECONDS = 600,  /* for the user's build command */
};

/* One report being written. */
struct bundle {
	const struct cli_bundle *report;
	struct cli_findings *print;
	struct ora_witness gdb, lldb; /* without a path: not there */
	char *folder;                 /* of this finding */
	char *program;                /* the name of the program in it */
	const char *first;            /* folder of the first one, NULL while it is that */
	char *built;                  /* folder of what --build made; NULL: nothing */
	char *build_says;             /* what became of --build, a sentence; NULL: not asked for */
	bool rebuilt;                 /* it made the very program again */
	uint64_t *stack;              /* by finding: xstep's stack pointer there, 0: not known */
};

/* --- files ---------------------------------------------------------------------------------- */

static char *in_folder(const struct bundle *bundle, const char *name)
{
	return xs_asprintf("%s/%s", bundle->folder, name);
}

struct xs_error *cli_bundle_copy(const char *from, const char *to, mode_t mode)
{
	XS_AUTO_CLOSE int in = open(from, O_RDONLY | O_CLOEXEC);
	if (in < 0)
		return xs_error_sys("%s", from);
	XS_AUTO_CLOSE int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	char buffer[1 << 16];
	ssize_t got;
	if (out < 0)
		return xs_error_sys("%s", to);
	while ((got = read(in, buffer, sizeof buffer)) > 0)
		for (ssize_t done = 0, wrote; done < got; done += wrote)
			if ((wrote = write(out, buffer + done, (size_t)(got - done))) <= 0)
				return xs_error_sys("%s", to);
	return got < 0 ? xs_error_sys("%s", from) : NULL;
}

static bool is_empty(const char *path)
{
	DIR *folder = opendir(path);
	bool empty = folder != NULL;
	for (struct dirent *entry; folder && (entry = readdir(folder));)
		empty &= !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
	if (folder)
		closedir(folder);
	return empty;
}

static struct xs_error *make_folder(const char *path)
{
	if (!xs_private_folder(path))
		return NULL;
	if (errno != EEXIST)
		return xs_error_sys("--report %s", path);
	return is_empty(path)
		       ? NULL
		       : xs_error_create("--report %s: is there already and not empty; choose "
					 "another folder",
				 path);
}

/* The program itself: the same bytes in every folder, on the disk once. */
static struct xs_error *put_program(const struct bundle *bundle)
{
	XS_AUTO_FREE char *path = in_folder(bundle, bundle->program);
	XS_AUTO_FREE char *other =
		bundle->first ? xs_asprintf("%s/%s", bundle->first, bundle->program) : NULL;
	if (other && !link(other, path))
		return NULL;
	return cli_bundle_copy(bundle->print->run->path, path, XS_PRIVATE_PROGRAM);
}

/* The sources that the line table names and that are there, but for the system's. */
static struct xs_error *put_sources(const struct bundle *bundle)
{
	const struct di_lines *lines = &bundle->print->verdicts->module->lines;
	XS_AUTO_FREE char *folder = in_folder(bundle, "source");
	struct xs_error *err = NULL;
	struct stat about;
	for (size_t i = 0; !err && i < lines->files.len; i++) {
		const char *from = lines->files.data[i], *slash = from ? strrchr(from, '/') : NULL;
		if (!slash || !cli_source_is_named(from) || !strncmp(from, "/usr/", 5) ||
			stat(from, &about) || !S_ISREG(about.st_mode) || about.st_size > SOURCE_MAX)
			continue;
		XS_AUTO_FREE char *name = cli_bundle_kept_as(lines, from);
		XS_AUTO_FREE char *to = xs_asprintf("%s/%s", folder, name);
		if (xs_private_folder(folder) && errno != EEXIST)
			return xs_error_sys("%s", folder);
		if (access(to, F_OK)) /* a file may be named twice */
			err = cli_bundle_copy(from, to, XS_PRIVATE_FILE);
	}
	return err;
}

/* --- what others say ------------------------------------------------------------------------ */

/* Prints the lines that a file has, from its beginning, with something before each. */
static void print_lines(FILE *out, const char *before, FILE *from)
{
	XS_AUTO_FREE char *line = NULL;
	size_t size = 0;
	rewind(from);
	while (getline(&line, &size, from) >= 0)
		xs_shown_lines(out, before, line);
}

/* Runs the program to an arrival and has the file tell how the DWARF is read there. What the
 * program itself complains of comes first. */
void cli_bundle_explain(const struct cli_bundle *report, const struct cli_findings *print,
	const struct ora_difference *one, xs_addr pc, uint64_t hit, FILE *file)
{
	bool variable = one->aspect == ORA_ASPECT_VARIABLE || one->aspect == ORA_ASPECT_LOOKUP ||
			one->aspect == ORA_ASPECT_BUILDS ||
			(one->aspect == ORA_ASPECT_CHECK && one->path);
	struct cli_explain explain = {.out = file,
		.vars = &(const char *){one->path},
		.var_count = variable,
		.frame = variable ? one->frame : 0};
	struct ora_visit visit = {.by_address = true, .address = pc, .hit = hit};
	struct ora_program program = ora_program_unheard(report->program);
	program.timeout = SECONDS;
	XS_AUTO_FILE FILE *complaints = tmpfile();
	struct xs_error *err = !complaints ? xs_error_sys("tmpfile")
			       : visit.hit
				       ? ora_program_prepare(&program, print->run->argv, &visit.run)
				       : xs_error_create("the way to the stop is not known");
	if (complaints)
		visit.run.err = fileno(complaints);
	if (!err)
		err = ora_visit(&visit);
	if (complaints)
		print_lines(file, "", complaints);
	if (!err)
		err = cli_explain_print(&explain, &visit);
	/* That the place cannot be gone to is part of the report. */
	if (err)
		xs_print(file, "xstep: %s\n", err->message);
	xs_error_destroy(err);
	ora_visit_deinit(&visit);
	ora_program_release(&program);
}

static struct xs_error *put_explanation(
	const struct bundle *bundle, const struct ora_finding *finding)
{
	XS_AUTO_FREE char *path = in_folder(bundle, "explain.txt");
	FILE *file = xs_private_open(path, true);
	if (!file)
		return xs_error_sys("%s", path);
	cli_bundle_explain(bundle->report, bundle->print, finding->difference,
		finding->difference->pc, bundle->print->routes[finding->origin].hit, file);
	bool bad = ferror(file);
	return fclose(file) || bad ? xs_error_sys("%s", path) : NULL;
}

static const struct ora_witness *usual(const struct bundle *bundle, enum ora_witness_kind who)
{
	return who == ORA_WITNESS_GDB ? &bundle->gdb : &bundle->lldb;
}

/* The debugger of a trace: the very one that was asked, if that is known. */
static const struct ora_witness *debugger_of(
	const struct bundle *bundle, size_t w, enum ora_witness_kind who)
{
	const struct ora_proving *proving = bundle->print->proving;
	const struct ora_witness *asked = proving ? ora_proving_debugger(proving, w) : NULL;
	return asked ? asked : usual(bundle, who);
}

static struct xs_error *put_session(const struct bundle *bundle, const struct ora_finding *finding,
	const struct ora_witness *debugger, size_t w)
{
	const struct cli_bundle_session session = {.report = bundle->report,
		.print = bundle->print,
		.finding = finding,
		.debugger = debugger,
		.w = w,
		.run = bundle->print->run,
		.program = bundle->program,
		.folder = bundle->folder,
		.name = "session"};
	return cli_bundle_session(&session);
}

/* The same line in the program that this one is compared with. */
static struct xs_error *put_other(
	const struct bundle *bundle, const struct ora_finding *finding, enum ora_witness_kind who)
{
	const struct ora_difference *one = finding->difference;
	if (!bundle->print->other || !bundle->report->other || !one->file || !one->line)
		return NULL;
	const struct cli_bundle_session session = {.report = bundle->report,
		.print = bundle->print,
		.finding = finding,
		.debugger = usual(bundle, who),
		.w = one->trace,
		.run = bundle->print->other,
		.program = bundle->report->other,
		.folder = bundle->folder,
		.name = "other"};
	return cli_bundle_session(&session);
}

/* The script, run once: *status is its exit status. */
static struct xs_error *put_check(const struct bundle *bundle, const struct ora_finding *finding,
	enum ora_witness_kind who, const struct ora_witness *debugger, int *status)
{
	bool gdb = who == ORA_WITNESS_GDB;
	size_t number = (size_t)(finding - bundle->print->verdicts->findings.data);
	XS_AUTO_FREE char *file = in_folder(bundle, gdb ? "check_gdb.py" : "check_lldb.py");
	struct xs_error *err = cli_bundle_check(bundle->print, finding, gdb, debugger->path,
		bundle->stack[number], bundle->report->program->in ? "stdin" : NULL, file);
	char *argv[] = {file, NULL};
	int raw = 0;
	*status = 125;
	if (!err && access(file, F_OK)) /* it cannot be told */
		return NULL;
	if (!err)
		err = cli_bundle_keep(bundle->folder, argv, NULL, NULL,
			gdb ? "check_gdb.txt" : "check_lldb.txt", &raw);
	*status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 125;
	/* One that does not show the bug shows nothing. */
	if (!err && *status != 1) {
		XS_AUTO_FREE char *words =
			in_folder(bundle, gdb ? "check_gdb.txt" : "check_lldb.txt");
		unlink(file);
		unlink(words);
	}
	return err;
}

/* The script of a check, run once with this xstep. */
static struct xs_error *put_again(
	const struct bundle *bundle, const struct ora_finding *finding, int *status)
{
	XS_AUTO_FREE char *file = in_folder(bundle, "check.py");
	char self[4096];
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	int raw = 0;
	if (length <= 0)
		return xs_error_sys("/proc/self/exe");
	self[length] = 0;
	struct xs_error *err = cli_bundle_again(bundle->report, bundle->program, finding, file);
	char *argv[] = {file, self, NULL};
	if (!err)
		err = cli_bundle_keep(bundle->folder, argv, NULL, NULL, "check.txt", &raw);
	*status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 125;
	return err;
}

/* What the words of a check name. */
static struct xs_error *put_files(const struct bundle *bundle)
{
	struct xs_error *err = NULL;
	for (size_t i = 0; !err && i < bundle->report->file_count; i++) {
		XS_AUTO_FREE char *to = in_folder(bundle, bundle->report->files[i].to);
		XS_AUTO_FREE char *folder = xs_strdup(to);
		*strrchr(folder, '/') = 0;
		if (xs_private_folder(folder) && errno != EEXIST)
			return xs_error_sys("%s", folder);
		if (access(to, F_OK)) /* the line table may have named it already */
			err = cli_bundle_copy(
				bundle->report->files[i].from, to, XS_PRIVATE_PROGRAM);
	}
	return err;
}

/* --- the build ------------------------------------------------------------------------------ */

static bool same_bytes(const char *a, const char *b)
{
	XS_AUTO_FILE FILE *left = fopen(a, "re");
	XS_AUTO_FILE FILE *right = fopen(b, "re");
	char one[4096], two[4096];
	size_t got = 0, other = 0;
	if (!left || !right)
		return false;
	do {
		got = fread(one, 1, sizeof one, left);
		other = fread(two, 1, sizeof two, right);
	} while (got && got == other && !memcmp(one, two, got));
	return !got && !other;
}

/* Builds once more, keeping what the compiler makes on the way. The command is the user's; the name
 * of what it makes is no part of it, but an argument of the shell's. */
static struct xs_error *build(struct bundle *bundle)
{
	if (!bundle->report->build)
		return NULL;
	bundle->built = xs_asprintf("%s/.build", bundle->report->folder);
	XS_AUTO_FREE char *command =
		xs_asprintf("%s -save-temps=obj -o \"$1\"", bundle->report->build);
	XS_AUTO_FREE char *result = xs_asprintf("%s/%s", bundle->built, bundle->program);
	char *argv[] = {(char[]){"/bin/sh"}, (char[]){"-c"}, command, (char[]){"sh"}, result, NULL};
	XS_AUTO_FREE char *said = NULL;
	int status = 0;
	if (xs_private_folder(bundle->built))
		return xs_error_sys("%s", bundle->built);
	struct xs_error *err = ora_helper_run(argv, NULL, NULL, BUILD_SECONDS, &said, &status);
	if (err)
		return err;
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		bundle->build_says = xs_asprintf("It failed when it was run again: %.*s",
			said ? (int)strcspn(said, "\n") : 0, said ? said : "");
	else
		bundle->rebuilt = same_bytes(result, bundle->print->run->path);
	if (!bundle->build_says)
		bundle->build_says = xs_strdup(
			bundle->rebuilt
				? "Run again, it makes the same program, byte for byte."
				: "Run again, it makes a program with other bytes (paths, a "
				  "build-id, or another compiler): the one here is the one "
				  "that was looked at.");
	return NULL;
}

/* Whether the compiler made it on the way to the program: assembly, and what the preprocessor said.
 */
static bool is_between(const char *name)
{
	const char *dot = strrchr(name, '.');
	return dot && (!strcmp(dot, ".s") || !strcmp(dot, ".i"));
}

/* Takes what the compiler made on the way, and with `away` removes it. */
static struct xs_error *put_built(const struct bundle *bundle, bool away)
{
	DIR *stream = bundle->built ? opendir(bundle->built) : NULL;
	struct xs_error *err = NULL;
	for (struct dirent *entry; stream && !err && (entry = readdir(stream));) {
		XS_AUTO_FREE char *from = xs_asprintf("%s/%s", bundle->built, entry->d_name);
		XS_AUTO_FREE char *to = in_folder(bundle, entry->d_name);
		if (away)
			unlink(from);
		else if (is_between(entry->d_name))
			err = cli_bundle_copy(from, to, XS_PRIVATE_FILE);
	}
	if (stream)
		closedir(stream);
	if (away && bundle->built)
		rmdir(bundle->built);
	return err;
}

/* --- words ---------------------------------------------------------------------------------- */

/* `G3 loss lldb:entry-value` as a folder's name, with the finding's id. */
static char *slug_of(const struct ora_finding *finding)
{
	char slug[SLUG_MAX + 1];
	size_t length = 0;
	for (const char *at = finding->signature; *at && *at != '[' && length < SLUG_MAX; at++) {
		if (isalnum((unsigned char)*at))
			slug[length++] = *at;
		else if (length && slug[length - 1] != '-')
			slug[length++] = '-';
	}
	while (length && slug[length - 1] == '-')
		length--;
	return xs_asprintf("%.*s-%s", (int)length, slug, finding->id);
}

/* What the parts need to know. */
static struct cli_bundle_case case_of(const struct bundle *bundle,
	const struct ora_finding *finding, const int *checks, const struct cli_bundle_tests *tests)
{
	return (struct cli_bundle_case){.report = bundle->report,
		.print = bundle->print,
		.finding = finding,
		.gdb = &bundle->gdb,
		.lldb = &bundle->lldb,
		.folder = bundle->folder,
		.program = bundle->program,
		.build_says = bundle->build_says,
		.rebuilt = bundle->rebuilt,
		.checks = checks,
		.tests = tests};
}

/* All of a file, to be freed; NULL: it cannot be read. */
static char *read_whole(const char *path)
{
	XS_AUTO_FILE FILE *file = fopen(path, "re");
	XS_AUTO_FREE char *text = NULL;
	size_t size = 0;
	return file && getdelim(&text, &size, 0, file) > 0 ? xs_take(&text) : NULL;
}

/* The page to look at, with the report and the line for `git bisect`, where a script shows it. */
static struct xs_error *put_page(
	const struct bundle *bundle, const struct ora_finding *finding, const int *checks)
{
	const struct ora_verdicts *verdicts = bundle->print->verdicts;
	XS_AUTO_FREE char *path = in_folder(bundle, "page.html");
	XS_AUTO_FREE char *report = in_folder(bundle, "report.txt");
	XS_AUTO_FREE char *text = read_whole(report);
	const char *bisect = NULL;
	if (bundle->report->words && checks[0] == 1)
		bisect = "git bisect run ./check.py XSTEP";
	for (size_t w = 0; !bundle->report->words && w < bundle->print->count; w++)
		if (checks[w] == 1)
			bisect = ora_witness_is(verdicts->witnesses[w], ORA_WITNESS_GDB)
					 ? "git bisect run ./check_gdb.py ./gdb/gdb "
					   "--data-directory "
					   "gdb/data-directory"
					 : "git bisect run ./check_lldb.py ./bin/lldb";
	FILE *out = xs_private_open(path, true);
	if (!out)
		return xs_error_sys("%s", path);
	struct xs_error *err = cli_finding_html(out, bundle->print, finding, text, bisect);
	bool bad = ferror(out);
	if ((fclose(out) || bad) && !err)
		err = xs_error_sys("%s", path);
	return err;
}

/* What there is to read, and tests. checks: by trace, exit status of its script, or -1. */
static struct xs_error *put_words(
	const struct bundle *bundle, const struct ora_finding *finding, const int *checks)
{
	XS_AUTO_FREE char *listing = NULL;
	size_t size = 0;
	struct cli_bundle_tests tests = {0};
	const struct cli_bundle_case one = case_of(bundle, finding, checks, &tests);
	FILE *code = open_memstream(&listing, &size);
	xs_assert(code);
	cli_listing_print(code, bundle->print->verdicts->module, finding->difference->pc, AROUND);
	xs_assert(!fclose(code));
	struct xs_error *err = cli_bundle_put(bundle->folder, "disassembly.txt", listing);
	if (!err && !(err = cli_bundle_make_tests(&one, &tests)) &&
		!(err = cli_bundle_report(&one)))
		err = put_page(bundle, finding, checks);
	cli_bundle_tests_deinit(&tests);
	return err;
}

/* --- the bundle ----------------------------------------------------------------------------- */

/* The stack pointer at each finding's stop, by xstep's trace. */
static struct xs_error *read_stack(struct bundle *bundle)
{
	const struct cli_findings *print = bundle->print;
	const struct ora_verdicts *verdicts = print->verdicts;
	XS_AUTO(ora_reader) reader = NULL;
	const struct ora_told *told = NULL;
	uint64_t sp = 0;
	bundle->stack = xs_calloc(verdicts->findings.len + 1, sizeof *bundle->stack);
	if (strcmp(verdicts->witnesses[0], "xstep") != 0)
		return NULL;
	struct xs_error *err = ora_reader_create(print->store, print->traces[0]->id, &reader);
	while (!err && !(err = ora_reader_next(reader, &told)) && told) {
		for (size_t i = 0; i < told->regs.len; i++)
			if (!strcmp(told->regs.data[i].name, "rsp"))
				sp = told->regs.data[i].value;
		for (size_t i = 0; i < verdicts->findings.len; i++)
			if (verdicts->findings.data[i].difference->number == told->number)
				bundle->stack[i] = sp;
	}
	return err;
}

/* Whether another version of the same debugger is asked instead: one of them is, a wrong one if
 * there is one. */
static bool is_left_to_twin(
	const struct bundle *bundle, const struct ora_finding *finding, size_t w)
{
	const struct ora_verdicts *verdicts = bundle->print->verdicts;
	for (size_t v = 0; v < bundle->print->count; v++) {
		unsigned theirs = finding->wrong >> v & 1, mine = finding->wrong >> w & 1;
		if (v != w && finding->difference->said[v].heard &&
			!strcmp(verdicts->witnesses[v], verdicts->witnesses[w]) &&
			(theirs > mine || (theirs == mine && v < w)))
			return true;
	}
	return false;
}

/* *reproduced: no script says that the debugger is right after all, or another one shows it. */
static struct xs_error *put_finding(
	struct bundle *bundle, const struct ora_finding *finding, bool *reproduced)
{
	struct cli_findings *print = bundle->print;
	const struct ora_difference *one = finding->difference;
	int checks[ORA_COMPARE_MAX];
	struct xs_error *err;
	for (size_t w = 0; w < print->count; w++)
		checks[w] = -1;
	if (xs_private_folder(bundle->folder))
		return xs_error_sys("%s", bundle->folder);
	if ((err = put_program(bundle)) || (err = put_sources(bundle)) ||
		(err = put_built(bundle, false)))
		return err;
	if (bundle->report->program->in) {
		XS_AUTO_FREE char *in = in_folder(bundle, "stdin");
		if ((err = cli_bundle_copy(bundle->report->program->in, in, XS_PRIVATE_FILE)))
			return err;
	}
	/* Where it went astray nobody can be led; code of libraries is not in the bundle. */
	bool check = one->aspect == ORA_ASPECT_CHECK, showed = false, refuted = false;
	bool shown = one->aspect != ORA_ASPECT_STOPS && !one->module &&
		     (check || cli_bundle_right(print, finding) < print->count);
	if (shown)
		err = put_explanation(bundle, finding);
	if (check && !err && !(err = put_files(bundle)))
		err = put_again(bundle, finding, &checks[0]);
	for (int who = ORA_WITNESS_GDB; check && shown && !err && who <= ORA_WITNESS_LLDB; who++)
		if (usual(bundle, (enum ora_witness_kind)who)->path)
			if (!(err = put_session(bundle, finding,
				      usual(bundle, (enum ora_witness_kind)who), one->trace)))
				err = put_other(bundle, finding, (enum ora_witness_kind)who);
	for (size_t w = 0; shown && !check && !err && w < print->count; w++) {
		enum ora_witness_kind who =
			ora_witness_is(print->verdicts->witnesses[w], ORA_WITNESS_GDB)
				? ORA_WITNESS_GDB
				: ORA_WITNESS_LLDB;
		const struct ora_witness *debugger = debugger_of(bundle, w, who);
		if (!one->said[w].heard || !strcmp(print->verdicts->witnesses[w], "xstep") ||
			ora_witness_is_of_symboliser(print->verdicts->witnesses[w]) ||
			!debugger->path || is_left_to_twin(bundle, finding, w))
			continue;
		err = put_session(bundle, finding, debugger, w);
		bool accused = finding->wrong >> w & 1 &&
			       !ora_witness_is_by_name(print->verdicts->witnesses[w]);
		if (!err && accused &&
			!(err = put_check(bundle, finding, who, debugger, &checks[w]))) {
			refuted |= checks[w] == 0;
			showed |= checks[w] == 1;
		}
	}
	*reproduced = showed || !refuted;
	if (!err && *reproduced)
		err = cli_bundle_case(bundle->report, print, finding, bundle->folder);
	return err || !*reproduced ? err : put_words(bundle, finding, checks);
}

/* Whether it may be filed: somebody is named, and the plain debugger has said it again. */
static bool is_worth_it(const struct ora_finding *finding)
{
	return finding->difference->aspect == ORA_ASPECT_CHECK ||
	       (cli_finding_counts(finding) && finding->basis <= ORA_BASIS_EVIDENCE);
}

/* Whether a symboliser is named: one command shows that, and it needs no folder. */
static bool is_of_symboliser(const struct cli_findings *print, const struct ora_finding *finding)
{
	for (size_t w = 0; w < print->count; w++)
		if (finding->wrong >> w & 1 &&
			ora_witness_is_of_symboliser(print->verdicts->witnesses[w]))
			return true;
	return false;
}

static struct xs_error *put_all(struct bundle *bundle)
{
	const struct cli_findings *print = bundle->print;
	const struct ora_verdicts *verdicts = print->verdicts;
	XS_AUTO_FREE char *index = xs_asprintf("%s/README.md", bundle->report->folder);
	XS_AUTO_FREE char *first = NULL;
	struct xs_error *err = NULL;
	size_t artefacts = 0, symbolisers = 0;
	FILE *out = xs_private_open(index, true);
	if (!out)
		return xs_error_sys("%s", index);
	bool check = bundle->report->words != NULL;
	fputs(check ? "# What xstep check finds in " : "# What debuggers get wrong about ", out);
	xs_markdown_text(out, bundle->program);
	xs_print(out,
		"\n\nA folder for the first finding of each cluster: `report.md` and `report.txt` "
		"are to be read\nand sent, %s it, and `tests`, where there is one, would have "
		"caught it.\n\n| folder | findings | verdict | known | send "
		"|\n|---|---|---|---|---|\n",
		check ? "`check.py` shows" : "`check_gdb.py` and `check_lldb.py` show");
	for (size_t i = 0; !err && i < verdicts->clusters.len; i++) {
		const struct ora_cluster *cluster = &verdicts->clusters.data[i];
		const struct ora_finding *finding = &verdicts->findings.data[cluster->first];
		if (!cli_finding_is_listed(print, finding) || !is_worth_it(finding))
			continue;
		if (is_of_symboliser(print, finding)) {
			symbolisers++;
			continue;
		}
		XS_AUTO_FREE char *slug = slug_of(finding);
		free(bundle->folder);
		bundle->folder = xs_asprintf("%s/%s", bundle->report->folder, slug);
		bool reproduced = true;
		err = put_finding(bundle, finding, &reproduced);
		if (!reproduced) {
			artefacts++;
			xs_scratch_destroy(xs_strdup(bundle->folder));
			continue;
		}
		xs_print(out, "| [%s](%s/report.md) | %" PRIu64 " | ", slug, slug, cluster->count);
		xs_markdown_text(out, finding->reason);
		fputs(" | ", out);
		xs_markdown_text(out, finding->known ? finding->known : "");
		fputs(" | ", out);
		const struct cli_bundle_case one = case_of(bundle, finding, NULL, NULL);
		xs_markdown_text(out, cli_bundle_tracker(cli_bundle_party(&one)));
		fputs(" |\n", out);
		if (!bundle->first)
			bundle->first = first = xs_strdup(bundle->folder);
	}
	if (artefacts)
		xs_print(out,
			"\nNot here: %zu of which the debugger itself says otherwise when it is "
			"asked again.\n",
			artefacts);
	if (symbolisers)
		xs_print(out,
			"\n%zu more cluster%s of symbolisers: the command that `xstep diff` prints "
			"shows each.\n",
			symbolisers, symbolisers > 1 ? "s are" : " is");
	bool bad = ferror(out);
	if ((fclose(out) || bad) && !err)
		err = xs_error_sys("%s", index);
	return err;
}

struct xs_error *cli_bundle_write(const struct cli_bundle *report, struct cli_findings *print)
{
	struct bundle bundle = {.report = report, .print = print};
	struct xs_error *err;
	xs_assert(print->run && print->routes);
	if (!print->verdicts->module)
		return xs_error_create("--report: %s: cannot be read any more", print->run->path);
	bundle.program = cli_bundle_program(print->run->path);
	if ((err = make_folder(report->folder)) || (err = read_stack(&bundle)) ||
		(err = ora_witness_named("gdb", report->gdb, &bundle.gdb)) ||
		(err = ora_witness_named("lldb", report->lldb, &bundle.lldb)) ||
		(err = build(&bundle)) || (err = put_all(&bundle)))
		err = xs_error_context(err, "report");
	xs_error_destroy(put_built(&bundle, true));
	ora_witness_deinit(&bundle.gdb);
	ora_witness_deinit(&bundle.lldb);
	free(bundle.folder);
	free(bundle.program);
	free(bundle.built);
	free(bundle.build_says);
	free(bundle.stack);
	return err;
}
