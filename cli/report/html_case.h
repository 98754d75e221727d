/* html_case.h - a finding as a page shows it: the verdict, the witnesses' words, the code, a ruler
 * over the code, the DWARF expression step by step, the value from stop to stop, and what to copy.
 *
 * What there is to be shown is gathered first (html_case.c), then printed part by part, once as
 * markup and once as JSON. Parts without anything to show are left out. */
#ifndef CLI_HTML_CASE_H
#define CLI_HTML_CASE_H

#include "cli/report/finding.h"
#include "cli/report/html.h"
#include "dwarf/lanes.h"
#include "oracle/session/story.h"
#include "oracle/session/working.h"

/* An instruction that is shown. */
struct cli_html_insn {
	xs_addr at, end; /* link-time */
	uint32_t line;   /* of the row that covers it, in the file that is shown; 0: another */
};

struct cli_html_case {
	struct cli_findings *print;
	const struct ora_finding *finding;
	const struct ora_cluster *cluster; /* that it stands for; NULL: none */
	struct cli_source *source;         /* lines of source */
	const char *report;                /* text to be sent; NULL: what xstep prints of it */
	const char *bisect;                /* what `git bisect` runs; NULL: there is no script */

	xs_addr focus;           /* the pc that is shown: the stop's, or that of its frame */
	struct xs_range stretch; /* of the function around it; empty: not known */
	const char *function;    /* of that; NULL: unknown */
	const char *file;        /* whose lines are shown; NULL: none */
	uint32_t line;           /* that is looked at; 0: none */
	uint32_t lines[2];       /* the first and the last one that are shown */
	XS_VEC(struct cli_html_insn) code;
	struct di_lanes lanes;
	struct ora_story *story;      /* NULL: there is none */
	struct ora_workings workings; /* if it is a variable, and the way is known */
	struct cli_by_hand by_hand;   /* lines for a shell */
};

/* Gathers what there is to show. print, finding, cluster and source are set. */
void cli_html_case_init(struct cli_html_case *one);
void cli_html_case_deinit(struct cli_html_case *one);
/* The whole case as an article. */
void cli_html_case_print(FILE *out, const struct cli_html_case *one);
/* The same as an object. */
void cli_html_case_json(FILE *out, const struct cli_html_case *one);

/* Who is to be looked at: a word for the badge, `gdb`, `producer`, `contested`, `xstep`; `?` if
 * nobody is named. */
const char *cli_html_party(const struct cli_findings *print, const struct ora_finding *finding);
/* Whether a witness, by the mask of those that are wrong or differ, is not believed. */
bool cli_html_doubts(const struct ora_finding *finding, size_t w);

/* --- its parts ------------------------------------------------------------------------------- */

/* Source and instructions with the rows of the line table (html_code.c). */
void cli_html_code_find(struct cli_html_case *one);
void cli_html_code(FILE *out, const struct cli_html_case *one);
/* The ruler (html_ruler.c). */
void cli_html_ruler(FILE *out, const struct cli_html_case *one);
/* The expression (html_machine.c). */
void cli_html_machine(FILE *out, const struct cli_html_case *one);
/* The value from stop to stop (html_plot.c). */
void cli_html_plot(FILE *out, const struct cli_html_case *one);
/* The stops that are drawn, an array: [number, pc, [what each witness says, by trace]]; null: it
 * was not there. */
void cli_html_plot_json(FILE *out, const struct cli_html_case *one);

#endif
