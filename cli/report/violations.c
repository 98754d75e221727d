#include "cli/report/violations.h"

#include "base/path.h"

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

void cli_again_subject(struct cli_again *again, char **argv)
{
	again->argv = argv;
	cli_again_word(again, xs_base_name(argv[0]));
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

static struct xs_error *write_bundles(
	struct cli_violations *print, struct ora_checking *checking, struct cli_findings *findings)
{
	struct ora_run run = {0};
	struct cli_again *again = print->again;
	const char *out = print->program->out;
	if (!again->argv)
		return xs_error_create("--report: it takes programs, not a trace store");
	if (!findings->verdicts->module)
		return xs_error_create("--report: %s: cannot be read any more", again->argv[0]);
	xs_vec_push(&again->words, NULL);
	struct cli_bundle report = {.folder = print->report,
		.build = print->build,
		.program = print->program,
		.gdb = print->gdb,
		.lldb = print->lldb,
		.words = again->words.data,
		.files = again->files.data,
		.file_count = again->files.len};
	struct ora_route *routes = xs_calloc(findings->verdicts->findings.len + 1, sizeof *routes);
	print->program->out = "/dev/null";
	struct xs_error *err = ora_program_prepare(print->program, again->argv, &run);
	if (!err)
		err = ora_checking_routes(checking, &run, routes);
	findings->run = &run;
	findings->routes = routes;
	if (!err)
		err = cli_bundle_write(&report, findings);
	print->program->out = out;
	ora_run_deinit(&run);
	ora_program_release(print->program);
	free(routes);
	return err;
}

struct xs_error *cli_violations_print(struct cli_violations *print, struct ora_checking *checking)
{
	struct ora_check *from = &checking->check;
	struct cli_findings findings = {.out = print->out,
		.store = checking->store,
		.path = checking->cache.temporary ? NULL : checking->cache.path,
		.count = from->count,
		.only_new = print->wishes->only_new,
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
	struct xs_error *err = cli_findings_known(&findings, &print->wishes->known);
	if (!err)
		err = cli_findings_formats[print->wishes->format](&findings);
	if (!err && print->report)
		err = write_bundles(print, checking, &findings);
	if (!err && (fflush(print->out) || ferror(print->out)))
		err = xs_error_sys("standard output");
	print->found = findings.shown > 0;
	return err;
}
