/* twinning.h - the check of twins from files to violations: proves that the code is the same, runs
 * the program, and has every DWARF read (oracle/truth/check_twins.h). */
#ifndef ORA_TWINNING_H
#define ORA_TWINNING_H

#include "oracle/session/checking.h"
#include "oracle/truth/check_twins.h"

/* A file with other debug information. */
struct ora_twin_file {
	const char *path;
	const char *name; /* what to call it */
	bool identical;   /* a tool made it of the program: all must be the same */
	bool optional;    /* other code is said, and the file left out; else it is refused */
};

struct ora_twinning {
	/* Set by the caller. */
	struct ora_checking *checking; /* begun; its hearing says how to run the program */
	char *const *argv;             /* the program and its arguments */
	XS_VEC(struct ora_twin_file) files;
	struct xs_strings sources, flags; /* of the program; for the parser */
	bool made;                        /* files were made of them: a source that cannot be parsed
					   * is said, and left out */
	bool open;                        /* see ora_check_twins */

	/* Results. */
	uint64_t stops;                 /* looked at */
	uint64_t words[ORA_TWIN_WORDS]; /* cases by word */
	size_t compared;                /* files that were */
	bool debug_file;                /* one of them has no code: it cannot be run */
	int interrupted_by;             /* the signal that ended it; 0: none */
};

XS_MUST_CHECK struct xs_error *ora_twinning_run(struct ora_twinning *twinning);
#endif
