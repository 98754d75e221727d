/* same_code.h - the proof that two files have the same machine code, so that what the DWARF of one
 * says of a process of the other must be true, too.
 *
 * Rules:
 * 1. What is loaded is the same: entry, segments, and all bytes of them. Not compared are the
 *    build-id, the program headers' places in the file, and where the section table is: what a
 *    debug option or a tool may change without changing the code.
 * 2. A file without code of its own (objcopy --only-keep-debug: sections without content) is the
 *    debug file of the other one if both have one build-id, and if every section that is loaded is
 *    in both with the same address and size.
 * 3. Whatever else is no proof: the files are refused, with the first difference. */
#ifndef ORA_SAME_CODE_H
#define ORA_SAME_CODE_H

#include <stdbool.h>

#include "base/error.h"

struct ora_same_code {
	bool debug_file;    /* the other one has debug information only (rule 2) */
	bool same_build_id; /* both have the same one: a tool made one of the other */
	char *difference;   /* the first one, to be freed; NULL: it is the same code */
};

/* Compares the program with another file. An error is that one of them cannot be read. */
XS_MUST_CHECK struct xs_error *ora_same_code(
	const char *program, const char *other, struct ora_same_code *ret);

#endif
