/* bundle.h - a bundle for each cluster of findings that can be filed upstream as it is.
 *
 * A folder for the first finding of each cluster, with all that somebody without xstep needs: a
 * report to read, the program itself (another compiler emits other DWARF: source alone does not
 * reproduce), its sources, how it was built, sessions of both debuggers, the working behind what
 * should be said, the code around the pc, and one script per debugger that exits with 1 while it is
 * wrong. */
#ifndef CLI_BUNDLE_H
#define CLI_BUNDLE_H

#include "cli/report/finding.h"
#include "oracle/session/program.h"

struct cli_bundle {
	const char *folder;                /* made; must be empty if it is there */
	const char *build;                 /* the command that built the program; NULL: unknown */
	const struct ora_program *program; /* its surroundings */
	const char *gdb, *lldb;            /* paths of the debuggers; NULL: those on PATH */

	/* Of a check, where a finding is no answer of one debugger: its script runs xstep. */
	char *const *words; /* for xstep, in the folder; NULL: it is no check's */
	const struct cli_bundle_file {
		const char *from, *to; /* a file that those name, and its name in the folder */
	} *files;
	size_t file_count;
};

/* Writes it for what `print` lists. Its run and routes must be there. */
XS_MUST_CHECK struct xs_error *cli_bundle_write(
	const struct cli_bundle *report, struct cli_findings *print);

/* --- for bundle.c and its parts only --------------------------------------------------- */

/* Writes the script of one debugger, which is `path` unless told otherwise: shows the finding
 * without xstep. sp: the stack pointer at its stop in xstep's own run, 0 if it is not known; in:
 * the file beside it that the program reads, or NULL. */
XS_MUST_CHECK struct xs_error *cli_bundle_check(const struct cli_findings *print,
	const struct ora_finding *finding, bool gdb, const char *path, uint64_t sp, const char *in,
	const char *file);
/* Writes the script of a check. program: the name of the one that may be built anew. */
XS_MUST_CHECK struct xs_error *cli_bundle_again(const struct cli_bundle *report,
	const char *program, const struct ora_finding *finding, const char *file);
/* Who is right about a finding: the index of its trace. */
size_t cli_bundle_right(const struct cli_findings *print, const struct ora_finding *finding);

#endif
