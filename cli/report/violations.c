#include "cli/report/violations.h"

#include "base/path.h"
#include "oracle/session/ways.h"
#include "oracle/session/witnesses.h"

/* --- how to check once more ------------------------------------------------------------------ */

void cli_again_word(struct cli_again *again, const char *word)
{
	if (word)
		xs_vec_push(&again->words, xs_strdup(word));
}

void cli_again_file(struct cli_again *again, const char *path, const char *folder)
{
	struct cli_bundle_file file = {.from = xs_strdup(path),
		.to = xs_asprintf(
			"%s%s%s", folder ? folder : "", folder ? "/" : "", xs_base_name(path))};
	xs_vec_push(&again->files, file);
	cli_again_word(again, file.to);
}

void cli_again_other(struct cli_again *again, char *path, const char *folder)
{
	cli_again_file(again, path, folder);
	again->other = path;
	again->other_kept = again->files.data[again->files.len - 1].to;
}

void cli_again_subject(struct cli_again *again, char **argv)
{
	again->argv = argv;
	cli_again_word(again, xs_base_name(argv[0]));
	for (size_t i = 1; argv[i]; i++)
		cli_again_word(again, argv[i]);
}

void cli_again_twin(struct cli_again *again, char *other, bool runs, char **argv)
{
	again->argv = argv;
	again->same_code = true;
	cli_again_word(again, xs_base_name(argv[0]));
	cli_again_other(again, other, "other");
	if (!runs)
		again->other = NULL;
	for (size_t i = 1; argv[i]; i++)
		cli_again_word(again, argv[i]);
}

void cli_again_deinit(struct cli_again *again)
{
	for (size_t i = 0; i < again->words.len; i++)
		free(again->words.data[i]);
	for (size_t i = 0; i < again->files.len; i++) {
		free((char *)(uintptr_t)again->files.data[i].from);
		free((char *)(uintptr_t)again->files.data[i].to);
	}
	xs_vec_deinit(&again->words);
	xs_vec_deinit(&again->files);
}

/* --- violations ------------------------------------------------------------------------------ */

/* What it takes to lead somebody to what was found. */
struct leading {
	struct ora_program program, other_program; /* copies, to be prepared */
	struct ora_run run, other;
	struct ora_witness debuggers[ORA_WITNESS_DEBUGGERS];
	struct ora_route *routes;
	bool *wanted;
};

static struct xs_error *find_debuggers(
	const struct cli_violations *print, struct leading *leading, struct cli_findings *findings)
{
	struct xs_error *err = NULL;
	for (int who = ORA_WITNESS_GDB; !err && who < ORA_WITNESS_DEBUGGERS; who++) {
		bool gdb = who == ORA_WITNESS_GDB;
		struct ora_witness *one = &leading->debuggers[who];
		err = ora_witness_named(ora_witness_name((enum ora_witness_kind)who),
			gdb ? print->gdb : print->lldb, one);
		findings->debuggers[who] = one->problem ? NULL : one->path;
	}
	return err;
}

/* The other one of two programs, with the same arguments. */
static struct xs_error *prepare_other(
	const struct cli_violations *print, struct leading *leading, struct cli_findings *findings)
{
	const struct cli_again *again = print->again;
	size_t count = 0;
	if (!again->other)
		return NULL;
	while (again->argv[count])
		count++;
	XS_AUTO_FREE char **words = xs_calloc(count + 1, sizeof *words);
	memcpy(words, again->argv, count * sizeof *words);
	words[0] = again->other;
	leading->other_program = ora_program_unheard(print->program);
	leading->other_program.debug_file = NULL;
	struct xs_error *err = ora_program_prepare(&leading->other_program, words, &leading->other);
	if (!err)
		findings->other = &leading->other;
	findings->same_code = again->same_code;
	return err;
}

static struct xs_error *lead(struct cli_violations *print, struct ora_checking *checking,
	struct leading *leading, struct cli_findings *findings)
{
	size_t count = findings->verdicts->findings.len;
	struct xs_error *err;
	leading->program = ora_program_unheard(print->program);
	leading->routes = xs_calloc(count + 1, sizeof *leading->routes);
	leading->wanted = xs_calloc(count + 1, sizeof *leading->wanted);
	for (size_t i = 0; i < count; i++)
		leading->wanted[i] = cli_finding_is_told(findings, i);
	if ((err = find_debuggers(print, leading, findings)) ||
		(err = ora_program_prepare(&leading->program, print->again->argv, &leading->run)) ||
		(err = ora_run_open(&leading->run)) ||
		(err = prepare_other(print, leading, findings)))
		return err;
	const struct ora_ways ways = {.checking = checking,
		.program = print->program,
		.argv = print->again->argv,
		.wanted = leading->wanted,
		.run = &leading->run};
	if ((err = ora_ways_find(&ways, leading->routes)))
		return err;
	findings->run = &leading->run;
	findings->routes = leading->routes;
	findings->in = print->program->in;
	findings->program = print->program;
	return NULL;
}

static void stop_leading(struct leading *leading)
{
	for (int who = ORA_WITNESS_GDB; who < ORA_WITNESS_DEBUGGERS; who++)
		ora_witness_deinit(&leading->debuggers[who]);
	ora_run_deinit(&leading->run);
	ora_run_deinit(&leading->other);
	ora_program_release(&leading->program);
	ora_program_release(&leading->other_program);
	free(leading->routes);
	free(leading->wanted);
}

static struct xs_error *write_bundles(struct cli_violations *print, struct cli_findings *findings)
{
	struct cli_again *again = print->again;
	if (!again->argv)
		return xs_error_create("--report: it takes programs, not a trace store");
	if (!findings->verdicts->module || !findings->run)
		return xs_error_create("--report: %s: cannot be read any more", again->argv[0]);
	xs_vec_push(&again->words, NULL);
	struct cli_bundle report = {.folder = print->report,
		.build = print->build,
		.program = print->program,
		.gdb = print->gdb,
		.lldb = print->lldb,
		.words = again->words.data,
		.files = again->files.data,
		.file_count = again->files.len,
		.other = again->other_kept};
	return cli_bundle_write(&report, findings);
}

struct xs_error *cli_violations_print(struct cli_violations *print, struct ora_checking *checking)
{
	struct ora_check *from = &checking->check;
	struct cli_findings findings = {.out = print->out,
		.store = checking->store,
		.path = checking->cache.temporary ? NULL : checking->cache.path,
		.count = from->count,
		.only_new = print->wishes->only_new,
		.baseline = &print->wishes->baseline,
		.all = print->wishes->all,
		.verdicts = &from->verdicts,
		.command = print->command,
		.one = "violation",
		.many = "violations",
		.headline = print->headline,
		.asked = &from->asked,
		.lost = &checking->cache.lost};
	memcpy(findings.traces, from->traces, sizeof findings.traces);
	ora_check_judge(from);
	findings.unsteady = from->unsteady_count;
	findings.rounded = from->rounded_count;
	struct xs_error *err = cli_findings_known(&findings, &print->wishes->known);
	/* Nobody but a reader goes there. */
	struct leading leading = {0};
	bool read = print->report || print->wishes->format == CLI_FINDINGS_TEXT ||
		    print->wishes->format == CLI_FINDINGS_HTML;
	if (!err && read && print->again->argv && from->verdicts.findings.len)
		err = lead(print, checking, &leading, &findings);
	if (!err)
		err = cli_findings_formats[print->wishes->format](&findings);
	if (!err && print->report)
		err = write_bundles(print, &findings);
	stop_leading(&leading);
	if (!err && (fflush(print->out) || ferror(print->out)))
		err = xs_error_sys("standard output");
	print->found = findings.shown > 0;
	return err;
}
