#include "cli/report/discrepancies.h"

#include "oracle/session/stored_words.h"

/* --- the way to what was found --------------------------------------------------------------- */

/* The program, and how to get to the stops that are told. */
struct ways {
	struct ora_run run;       /* the program */
	char **words;             /* of a stored trace's program; NULL: the caller's */
	struct ora_route *routes; /* by finding */
};

static struct xs_error *find_ways(struct cli_discrepancies *print,
	const struct ora_comparing *comparing, char **argv, struct cli_findings *findings,
	struct ways *ways)
{
	size_t count = comparing->verdicts.findings.len;
	struct xs_error *err;
	if ((err = ora_comparing_leads(comparing)) ||
		(!argv && (err = ora_stored_words(comparing->traces[0], &ways->words))))
		return err;
	XS_AUTO_FREE bool *told = xs_calloc(count + 1, sizeof *told);
	for (size_t i = 0; i < count; i++)
		told[i] = cli_finding_is_told(findings, i);
	ways->routes = xs_calloc(count + 1, sizeof *ways->routes);
	const char *out = print->program->out;
	print->program->out = "/dev/null";
	if (!(err = ora_program_prepare(print->program, argv ? argv : ways->words, &ways->run)))
		err = ora_comparing_routes(comparing, &ways->run, told, ways->routes);
	print->program->out = out;
	if (!err) {
		findings->run = &ways->run;
		findings->in = print->program->in;
		findings->routes = ways->routes;
	}
	return err;
}

static void ways_deinit(struct ways *ways, struct ora_program *program)
{
	ora_run_deinit(&ways->run);
	ora_program_release(program);
	free(ways->routes);
	ora_stored_words_free(ways->words);
}

/* --- telling --------------------------------------------------------------------------------- */

static struct xs_error *tell(struct cli_discrepancies *print, const struct ora_comparing *comparing,
	char **argv, struct cli_findings *findings)
{
	struct cli_bundle report = {.folder = print->report,
		.build = print->build,
		.program = print->program,
		.gdb = print->gdb,
		.lldb = print->lldb};
	struct ways ways = {0};
	struct xs_error *err = NULL;
	if (print->report || (argv && print->wishes->format == CLI_FINDINGS_TEXT))
		err = find_ways(print, comparing, argv, findings, &ways);
	if (err && !print->report) {
		xs_error_destroy(err); /* it is told without the way */
		err = NULL;
	}
	if (!err)
		err = cli_findings_formats[print->wishes->format](findings);
	if (!err && print->report)
		err = cli_bundle_write(&report, findings);
	ways_deinit(&ways, print->program);
	return err;
}

struct xs_error *cli_discrepancies_print(
	struct cli_discrepancies *print, struct ora_comparing *comparing, char **argv)
{
	struct cli_findings findings = {.out = print->out,
		.store = comparing->store,
		.path = comparing->temporary ? NULL : comparing->path,
		.count = comparing->count,
		.only_new = print->wishes->only_new,
		.presentation = print->presentation,
		.all = print->wishes->all,
		.verdicts = &comparing->verdicts,
		.command = "diff",
		.one = "discrepancy",
		.many = "discrepancies"};
	memcpy(findings.traces, comparing->traces, sizeof findings.traces);
	struct xs_error *err = cli_findings_known(&findings, &print->wishes->known);
	if (!err)
		err = tell(print, comparing, argv, &findings);
	print->found = findings.shown > 0;
	if (!err && (fflush(print->out) || ferror(print->out)))
		err = xs_error_sys("standard output");
	return err;
}
