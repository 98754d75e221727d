/* dumps.h - what a pass did, by the compiler's own dumps of the code before it and after it.
 *
 * gcc: the case is built with something and without it, each time with the dumps of all passes. The
 * first pass whose dump differs is where it has its effect. A pass that one build does not have at
 * all is meant if the next dump that both have differs.
 * clang: all passes up to the one in question dump the code. What stands before and behind the line
 * with the pass's number is what it was given and what it made. */
#ifndef ORA_DUMPS_H
#define ORA_DUMPS_H

#include "oracle/cause/asker.h"

/* Zero-initialised. All texts are its own. */
struct ora_dump {
	char *pass;           /* of gcc's; NULL: no dump differs */
	uint64_t order;       /* of it among all passes; 0: none */
	char *before, *after; /* files; NULL: none */
};

/* with, without: more flags of the two builds, or NULL. folder: a new one for the files. */
XS_MUST_CHECK struct xs_error *ora_dump_gcc(struct ora_asker *asker, const struct ora_command *with,
	const struct ora_command *without, const char *folder, struct ora_dump *ret);
/* number: of the pass, by -opt-bisect-limit. */
XS_MUST_CHECK struct xs_error *ora_dump_clang(
	struct ora_asker *asker, uint64_t number, const char *folder, struct ora_dump *ret);
void ora_dump_deinit(struct ora_dump *dump);

/* Of what clang says with -print-after-all, what stands before and behind the line of a pass. Both
 * are to be freed; NULL: there is none. */
void ora_dump_split(const char *told, uint64_t number, char **before, char **after);

#endif
