/* tool.h - the symbolisers that xstep knows, a row each.
 *
 * A symboliser is asked by its command line: options, `-e`, the program, addresses. People type the
 * same. A new one is a row here and a word in witness.c; if it prints in a way of its own, a
 * dialect in printout.h. */
#ifndef ORA_TOOL_H
#define ORA_TOOL_H

#include "oracle/witness/symboliser/printout.h"
#include "oracle/witness/witness.h"

enum { ORA_TOOL_WORDS = 4 }; /* options at most, and a NULL */

struct ora_tool {
	enum ora_witness_kind kind;
	enum ora_dialect dialect;    /* that it answers in */
	char *words[ORA_TOOL_WORDS]; /* its options, the last of which wants the program's path */
	const char *mark;   /* in the line that names its version: it is no other program */
	bool numbered;      /* it is called NAME-15, too */
	const char *absent; /* what to do if it is not there */
};

/* The row of a symboliser; NULL of others. */
const struct ora_tool *ora_tool_of(enum ora_witness_kind kind);

#endif
