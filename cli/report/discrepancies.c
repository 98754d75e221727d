#include "cli/report/discrepancies.h"

/* Prints, and writes the bundles of what was proven. */
static struct xs_error *tell(struct cli_discrepancies *print, struct cli_findings *findings)
{
	struct cli_bundle report = {.folder = print->report,
		.build = print->build,
		.program = print->program,
		.gdb = print->gdb,
		.lldb = print->lldb};
	struct xs_error *err = cli_findings_formats[print->wishes->format](findings);
	if (err || !print->report || print->hurried || !findings->verdicts->findings.len)
		return err; /* there is nothing to report */
	if (!findings->run)
		return xs_error_create("--report: %s", print->proving.silence
							       ? print->proving.silence
							       : "the program was not run again");
	return cli_bundle_write(&report, findings);
}

struct xs_error *cli_discrepancies_prove(
	struct cli_discrepancies *print, struct ora_comparing *comparing, char *const *argv)
{
	struct ora_proving *proving = &print->proving;
	proving->comparing = comparing;
	proving->program = print->program;
	proving->argv = argv;
	proving->no_reproduce = print->no_reproduce;
	proving->ways = print->wishes->contested || print->wishes->presentation;
	/* Who is interrupted has no time to look again. */
	print->hurried = comparing->signal != 0;
	struct xs_error *err = NULL;
	if (print->hurried)
		ora_judge_conclude(&comparing->verdicts);
	else
		err = ora_prove(proving);
	if (!err && proving->signal)
		comparing->signal = proving->signal;
	return err;
}

struct xs_error *cli_discrepancies_print(
	struct cli_discrepancies *print, struct ora_comparing *comparing)
{
	struct ora_proving *proving = &print->proving;
	struct cli_findings findings = {.out = print->out,
		.store = comparing->store,
		.path = comparing->temporary ? NULL : comparing->path,
		.count = comparing->count,
		.only_new = print->wishes->only_new,
		.baseline = &print->wishes->baseline,
		.contested = print->wishes->contested,
		.presentation = print->wishes->presentation,
		.artefacts = print->wishes->artefacts,
		.all = print->wishes->all,
		.verdicts = &comparing->verdicts,
		.proving = proving,
		.command = "diff",
		.one = "discrepancy",
		.many = "discrepancies",
		.lost = print->absent};
	memcpy(findings.traces, comparing->traces, sizeof findings.traces);
	if (proving->routes) {
		findings.run = &proving->run;
		findings.routes = proving->routes;
		findings.in = print->program->in;
		findings.program = print->program;
	}
	struct xs_error *err = cli_findings_known(&findings, &print->wishes->known);
	if (!err)
		err = tell(print, &findings);
	print->found = findings.shown > 0;
	if (!err && (fflush(print->out) || ferror(print->out)))
		err = xs_error_sys("standard output");
	return err;
}

void cli_discrepancies_deinit(struct cli_discrepancies *print)
{
	ora_proving_deinit(&print->proving);
}
