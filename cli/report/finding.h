/* finding.h - how findings look: text for people, JSON for programs, SARIF, JUnit and Markdown for
 * continuous integration, a page to look at. */
#ifndef CLI_FINDING_H
#define CLI_FINDING_H

#include "base/vec.h"
#include "cli/report/source_lines.h"
#include "oracle/check/asked.h"
#include "oracle/judge/baseline.h"
#include "oracle/judge/verdict.h"
#include "oracle/session/proving.h"
#include "oracle/session/lost.h"

/* In the order of `text|json|sarif|junit|markdown|html`. */
enum cli_findings_format {
	CLI_FINDINGS_TEXT,
	CLI_FINDINGS_JSON,
	CLI_FINDINGS_SARIF,
	CLI_FINDINGS_JUNIT,
	CLI_FINDINGS_MARKDOWN,
	CLI_FINDINGS_HTML,
};

/* What a user says about how findings are to be told. */
struct cli_finding_wishes {
	int format;                   /* enum cli_findings_format */
	struct xs_strings known;      /* files with reported bugs */
	struct ora_baseline baseline; /* what an earlier run had, which is not told again */
	bool only_new, all;           /* without those; every one of a cluster */
	bool contested;               /* what nobody is wrong in, too */
	bool presentation;            /* likewise, if it is only how things are shown */
	bool artefacts;               /* what the debuggers did not say again, too */
};

struct cli_findings {
	FILE *out;
	struct ora_store *store;
	const char *path; /* of the store; NULL: it will be gone */
	const struct ora_trace_info *traces[ORA_COMPARE_MAX];
	size_t count;                        /* of traces */
	bool only_new, all;                  /* what to list: see cli_finding_wishes */
	const struct ora_baseline *baseline; /* likewise; NULL or empty: there is none */
	bool contested, presentation, artefacts;
	struct ora_verdicts *verdicts;
	const struct ora_proving *proving; /* what was looked at again; NULL: nothing was */
	const struct ora_run *run; /* the program, to see it by hand; NULL: it was not run now */
	const char *in;            /* with it: what it reads; NULL: nothing */
	const struct ora_program *program; /* with it: its surroundings, as they were given */
	const struct ora_run *other;       /* of two programs that are compared: the other one */
	bool same_code; /* which has the same machine code: the way in it is the same, too */
	const char
		*debuggers[ORA_WITNESS_DEBUGGERS]; /* of a check: paths of those that are there */
	const struct ora_route *routes; /* with it, by finding: the way to its stop; a zeroed one is
					 * not known */
	const char *command;            /* `diff`, `check opt`, ...: whose they are */
	const char *one, *many; /* what a finding is called: `discrepancy`, `discrepancies` */
	const char *headline;   /* of a check: what was looked at, a sentence; NULL: a comparison */
	uint64_t unsteady;      /* of a check: what runs of one program differ in */
	uint64_t rounded;       /* likewise: what runs that round otherwise do */
	const struct ora_asked *asked; /* of a check: what it asked; else NULL */
	const struct ora_lost *lost;   /* witnesses whose word is missing; NULL: nobody knows */

	uint64_t shown; /* its own: findings that were listed, and count */
};

/* Whether a finding is to be told, by what was asked for. */
static inline bool cli_finding_is_listed(
	const struct cli_findings *print, const struct ora_finding *finding)
{
	if (finding->old)
		return false;
	if (finding->contest)
		return ora_contest_is_presentation(finding->contest) ? print->presentation
								     : print->contested;
	return (print->artefacts || !finding->artefact) && !(print->only_new && finding->known);
}

/* Whether it counts for the exit status: what is contested, and what is our own artefact, does
 * not. */
static inline bool cli_finding_counts(const struct ora_finding *finding)
{
	return !finding->contest && !finding->artefact;
}

/* What a witness is called in print. */
static inline const char *cli_finding_label(const struct cli_findings *print, size_t w)
{
	const struct ora_verdicts *verdicts = print->verdicts;
	return verdicts->labels[w] ? verdicts->labels[w] : verdicts->witnesses[w];
}

/* `main: x`, to be freed: where a finding is for a later run (baseline.h, rule 3). */
char *cli_finding_place(const struct ora_finding *finding);
/* Says which findings are reported already, by what xstep is shipped with and by these files; and
 * which an earlier run had. */
XS_MUST_CHECK struct xs_error *cli_findings_known(
	struct cli_findings *print, const struct xs_strings *files);

/* By enum cli_findings_format. */
extern struct xs_error *(*const cli_findings_formats[])(struct cli_findings *);
/* Whether somebody is to see it by hand: the first of its cluster, or with `all` any that is
 * listed. */
bool cli_finding_is_told(const struct cli_findings *print, size_t number);

/* One finding, as text. */
void cli_finding_print(
	struct cli_findings *print, struct cli_source *source, const struct ora_finding *finding);

/* The lines for a shell that show a finding: of the debuggers that are named, then xstep's. */
struct cli_by_hand {
	XS_VEC(char *) vec; /* owned */
};
void cli_finding_by_hand(const struct cli_findings *print, const struct ora_finding *finding,
	struct cli_by_hand *ret);
void cli_by_hand_deinit(struct cli_by_hand *lines);
/* A finding as text, on its own; to be freed. */
char *cli_finding_words(struct cli_findings *print, const struct ora_finding *finding);

/* What is said: `x = 5`, `x = <optimized-out>  why`; to be freed. */
char *cli_finding_fact(const struct ora_difference *difference, const struct ora_said *said);

/* What stands above them, as text. */
XS_MUST_CHECK struct xs_error *cli_findings_summary(struct cli_findings *print);
XS_MUST_CHECK struct xs_error *cli_findings_text(struct cli_findings *print);
XS_MUST_CHECK struct xs_error *cli_findings_json(struct cli_findings *print);
XS_MUST_CHECK struct xs_error *cli_findings_sarif(struct cli_findings *print);
XS_MUST_CHECK struct xs_error *cli_findings_junit(struct cli_findings *print);
XS_MUST_CHECK struct xs_error *cli_findings_markdown(struct cli_findings *print);
/* How many an earlier run had, of those that would be told. */
uint64_t cli_findings_old(const struct cli_findings *print);
XS_MUST_CHECK struct xs_error *cli_findings_html(struct cli_findings *print);

/* Parts of the JSON: one finding, who was asked, and the clusters that are listed. */
void cli_finding_json(const struct cli_findings *print, const struct ora_finding *finding);
void cli_findings_json_witnesses(const struct cli_findings *print);
void cli_findings_json_clusters(const struct cli_findings *print);

#endif
