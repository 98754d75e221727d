/* dejagnu.h - what a test of gcc's says of itself, in comments: `{ dg-do run }`,
 * `{ dg-options "-fwrapv" }`.
 *
 * Rules:
 * 1. A source without such words is none of these tests, and nothing is said of it.
 * 2. What is not understood is no guess: the program is left out, and the reason names the words.
 * 3. Machines are x86-64 with Linux. Each condition is true, false, or not known.
 * 4. Options come from a file that anybody may have written. Passed on are only those that say how
 *    code is made of this source: nothing that names a file, a program or a plugin, or writes
 *    anything. Levels and -g are the campaign's; options about warnings and dumps are dropped.
 * 5. A program is built at all levels of a campaign. A test that is not meant for one of them is
 *    left out. */
#ifndef ORA_DEJAGNU_H
#define ORA_DEJAGNU_H

#include <stdbool.h>

/* Zero-initialised is empty. All texts are its own. */
struct ora_dejagnu {
	char *flags;        /* options for its builds, by blanks; never NULL once read */
	const char *reason; /* why it is left out; NULL: it is not */
	char *detail;       /* the words that say so; NULL if there is no reason */
};

/* text: the source; path: where it is from, by whose folders and neighbours one can see what kind
 * of test it is. builds: the options of each level, up to NULL. */
void ora_dejagnu_read(
	const char *text, const char *path, const char *const *builds, struct ora_dejagnu *ret);
void ora_dejagnu_deinit(struct ora_dejagnu *test);

enum ora_dejagnu_flag {
	ORA_FLAG_PASSED,  /* on to the compiler */
	ORA_FLAG_DROPPED, /* it does not matter here */
	ORA_FLAG_REFUSED, /* nobody can say what it would do */
};
/* What becomes of one option: rule 4. */
enum ora_dejagnu_flag ora_dejagnu_judge(const char *flag);

#endif
