/* twin_builds.h - makes twins of a source: a program, and variants of it with other debug options,
 * or by tools, whose machine code ought to be the same.
 *
 * A variant is options that are added to those of the program, or the name of a tool:
 *   dwz         what dwz makes of the program
 *   keep-debug  objcopy --only-keep-debug
 *   debuglink   a stripped copy and its debug file, tied together by .gnu_debuglink
 *   dwp         -gsplit-dwarf, and all .dwo files in one
 * What cannot be made (a tool that is missing, an option that the compiler does not know) is said
 * and left out. */
#ifndef ORA_TWIN_BUILDS_H
#define ORA_TWIN_BUILDS_H

#include "base/vec.h"
#include "oracle/session/compile.h"

struct ora_twin_build {
	char *name;     /* of the variant, as given */
	char *path;     /* of what was made */
	bool identical; /* the same debug information, made by a tool */
};

struct ora_twin_builds {
	/* Set by the caller. */
	const char *compiler;             /* by path or on PATH */
	const char *options;              /* of all builds, with blanks in between */
	const char *libraries;            /* behind the sources: -lm; or NULL */
	struct xs_strings sources;        /* all are compiled and linked in one command */
	struct xs_strings variants;       /* none: the compiler's own, and all tools */
	const char *folder;               /* where all of it goes; it is there */
	void (*on_warning)(const char *); /* told what is left out */

	/* Results. */
	char *program;                      /* path of the first build */
	XS_VEC(struct ora_twin_build) list; /* what was made of the variants */
	XS_VEC(char *) parser;              /* options for who parses the sources: -I, -D */
};

XS_MUST_CHECK struct xs_error *ora_twin_builds_make(struct ora_twin_builds *builds);
void ora_twin_builds_deinit(struct ora_twin_builds *builds);

#endif
