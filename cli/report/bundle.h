/* bundle.h - a bundle for each cluster of findings that can be filed upstream as it is.
 *
 * A folder for the first finding of each cluster, with all that somebody without xstep needs: a
 * report to read, a page to look at, the program itself (another compiler emits other DWARF: source
 * alone does not reproduce), its sources, how it was built, sessions of both debuggers, the working
 * behind what should be said, the code around the pc, and one script per debugger that exits with 1
 * while it is wrong. */
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
	const char *other; /* of those, the program that this one is compared with; NULL: none */
};

/* Writes it for what `print` lists. Its run and routes must be there. */
XS_MUST_CHECK struct xs_error *cli_bundle_write(
	const struct cli_bundle *report, struct cli_findings *print);

/* --- for bundle.c and its parts only --------------------------------------------------- */

/* Writes a new file in a folder. */
XS_MUST_CHECK struct xs_error *cli_bundle_put(
	const char *folder, const char *name, const char *text);
/* Copies a file to where none is. */
XS_MUST_CHECK struct xs_error *cli_bundle_copy(const char *from, const char *to, mode_t mode);
/* Runs a program, and keeps what it says in a file of the folder. witness, if not NULL, is a
 * debugger, which may need more; where is where it runs, see ora_helper_run(). *status as from
 * waitpid(). */
XS_MUST_CHECK struct xs_error *cli_bundle_keep(const char *folder, char *const *argv,
	const struct ora_witness *witness, const char *where, const char *name, int *status);
/* A blank and a word, as a person pastes it into a shell. */
void cli_bundle_print_word(FILE *out, const char *word);

/* How the DWARF is read at an arrival at a pc, of what a difference is about. */
void cli_bundle_explain(const struct cli_bundle *report, const struct cli_findings *print,
	const struct ora_difference *one, xs_addr pc, uint64_t hit, FILE *file);
/* Runs a program, a debugger as above, and gives back what it says; to be freed. */
XS_MUST_CHECK struct xs_error *cli_bundle_run(char *const *argv, const struct ora_witness *witness,
	const char *where, char **said, int *status);

/* Regression tests that were made of a finding. */
struct cli_bundle_tests {
	XS_VEC(struct cli_bundle_test {
		char *path; /* in the folder */
		char *what; /* what it is, and where it belongs: a sentence */
	})
	written;
	char *place;         /* where they look, `demo.c:7`; NULL: there are none */
	char *answer;        /* what the debugger says there, when it was tried */
	char *right;         /* what it should say */
	char *commands;      /* that show it in a plain debugger, for a shell */
	XS_VEC(char *) lack; /* what is missing, and why: sentences */
};
void cli_bundle_tests_deinit(struct cli_bundle_tests *tests);

/* A finding whose folder is being written: what its parts need. */
struct cli_bundle_case {
	const struct cli_bundle *report;
	struct cli_findings *print;
	const struct ora_finding *finding;
	const struct ora_witness *gdb, *lldb; /* without a path: not there */
	const char *folder;                   /* its own */
	const char *program;                  /* the name of the program in it */
	const char *build_says;               /* what became of --build; NULL: not asked for */
	bool rebuilt;                         /* that made the very program again */
	const int *checks; /* by trace: exit status of its script, or -1; of a check the first */
	const struct cli_bundle_tests *tests;
};
/* Who is wrong, as a tracker calls it. */
enum cli_bundle_party {
	CLI_BUNDLE_GDB,
	CLI_BUNDLE_LLDB,
	CLI_BUNDLE_GCC,   /* a producer: */
	CLI_BUNDLE_CLANG, /* likewise */
	CLI_BUNDLE_OTHER, /* likewise */
};
enum cli_bundle_party cli_bundle_party(const struct cli_bundle_case *one);
/* DW_AT_producer of the code that it is about; NULL: unknown. */
const char *cli_bundle_producer(const struct cli_bundle_case *one);
/* The level that it was built with, `-O2`, as far as that is known; to be freed, or NULL. */
char *cli_bundle_level(const struct cli_bundle_case *one);
/* What the program is called in a folder, to be freed: not as anything else there is. */
char *cli_bundle_program(const char *path);
/* What a file of the line table is called in the folder `source`, to be freed: by its name; of
 * several of one name the others with a number. */
char *cli_bundle_kept_as(const struct di_lines *lines, const char *path);
/* The file that it is in, if it was taken along: its path where it was; else NULL. */
const char *cli_bundle_source(const struct cli_bundle_case *one);
/* Whom to tell, and which file to send. */
const char *cli_bundle_tracker(enum cli_bundle_party party);
/* One line that says what is wrong, the component first; to be freed. */
char *cli_bundle_title(const struct cli_bundle_case *one);
/* Writes report.md and report.txt. */
XS_MUST_CHECK struct xs_error *cli_bundle_report(const struct cli_bundle_case *one);
/* Writes tests/, as far as a test can express it and the plain debugger fails it here. */
XS_MUST_CHECK struct xs_error *cli_bundle_make_tests(
	const struct cli_bundle_case *one, struct cli_bundle_tests *ret);

/* A finding to be shown by a plain debugger. */
struct cli_bundle_session {
	const struct cli_bundle *report;
	const struct cli_findings *print;
	const struct ora_finding *finding;
	const struct ora_witness *debugger; /* who is asked */
	size_t w;                           /* whose words */
	const struct ora_run *run;          /* the program, or the one that it is compared with */
	const char *program;                /* its name in the folder */
	const char *folder;                 /* of this finding */
	const char *name; /* of what is written: `session`, or `other` for that one, whose way is
			   * that to the line, unless the code is the same */
};
/* Writes the commands, session.gdb or session.lldb, and what the debugger says to them. What cannot
 * be said has neither. */
XS_MUST_CHECK struct xs_error *cli_bundle_session(const struct cli_bundle_session *session);

/* Writes the script of one debugger, which is `path` unless told otherwise: shows the finding
 * without xstep. sp: the stack pointer at its stop in xstep's own run, 0 if it is not known; in:
 * the file beside it that the program reads, or NULL. What is not UTF-8 cannot be told: then there
 * is no file. */
XS_MUST_CHECK struct xs_error *cli_bundle_check(const struct cli_findings *print,
	const struct ora_finding *finding, bool gdb, const char *path, uint64_t sp, const char *in,
	const char *file);
/* Writes the script of a check. program: the name of the one that may be built anew. */
XS_MUST_CHECK struct xs_error *cli_bundle_again(const struct cli_bundle *report,
	const char *program, const struct ora_finding *finding, const char *file);
/* Writes case.json: the finding, and how its program was built, for `xstep reduce` and `xstep
 * culprit`. */
XS_MUST_CHECK struct xs_error *cli_bundle_case(const struct cli_bundle *report,
	const struct cli_findings *print, const struct ora_finding *finding, const char *folder);
/* Who is right about a finding: the index of its trace. */
size_t cli_bundle_right(const struct cli_findings *print, const struct ora_finding *finding);

#endif
