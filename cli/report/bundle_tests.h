/* bundle_tests.h - a regression test of a finding: where it looks and what it expects.
 *
 * Rules:
 * 1. A test is a line, a name and a value, or a line that is never stepped on. What is more than
 *    that is no test: a pc in the midst of a line, a frame further out, an argument of the program.
 * 2. It is written only if the plain debugger, stopped by a breakpoint at that line, stops at the
 *    very pc that xstep has looked at, and fails it there (bundle_try.h).
 * 3. The lines of a source stay where they are: what a test says stands behind the last one.
 * 4. What is missing is said, with the reason. */
#ifndef CLI_BUNDLE_TESTS_H
#define CLI_BUNDLE_TESTS_H

#include "cli/report/bundle.h"
#include "cli/report/bundle_try.h"

/* What is expected at one place. */
struct cli_expectation {
	const struct ora_finding *finding; /* that shows there: this one, or one of its cluster */
	xs_addr pc;                        /* link-time */
	unsigned line;                     /* of the file that the finding is in */
	bool never;                        /* the line is not to be stepped on; else: */
	char *path;                        /* of a variable, to be freed as the rest is */
	enum ora_state state;              /* what is to be said of it */
	char *value;                       /* VALUE: a whole number */
	char *type;                        /* of it, or NULL */
};
/* The places where a finding shows, the first ones first: those that a breakpoint at a line may
 * lead to, on the program's first arrival. *why: there is none, to be freed. */
struct cli_expectations {
	XS_VEC(struct cli_expectation) vec;
};
XS_MUST_CHECK struct xs_error *cli_expectations_find(
	const struct cli_bundle_case *one, struct cli_expectations *ret, char **why);
void cli_expectations_deinit(struct cli_expectations *list);

/* A test that holds by rule 2. */
struct cli_test {
	const struct cli_bundle_case *one;
	enum cli_bundle_party party;
	const struct cli_expectation *expected;
	const struct cli_try *tried;
	unsigned stop;     /* which of its stops it is, from 1 */
	const char *said;  /* what the debugger answers instead */
	const char *stem;  /* of the files */
	const char *flags; /* that the program was built with; NULL: nobody knows */
	struct cli_bundle_tests *ret;
};
/* Write what the test suites want, or say why not. */
XS_MUST_CHECK struct xs_error *cli_test_gdb(const struct cli_test *test);
XS_MUST_CHECK struct xs_error *cli_test_guality(const struct cli_test *test);
XS_MUST_CHECK struct xs_error *cli_test_dexter(const struct cli_test *test);
/* What is not written, and why. */
void cli_test_lacks(struct cli_bundle_tests *tests, char *why);

#endif
