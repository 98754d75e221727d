/* ask.h - a symboliser is asked about addresses of a program.
 *
 * Rules:
 * 1. It is a program like any other: it may hang, crash, or print what nobody understands. All of
 *    that is a result, in a sentence.
 * 2. It reads nothing but the program and its debug files: no input, no server.
 * 3. No process of it is left behind, and no more is kept of what it prints than answers take. */
#ifndef ORA_ASK_H
#define ORA_ASK_H

#include "base/error.h"
#include "oracle/witness/symboliser/printout.h"
#include "oracle/witness/witness.h"

enum ora_asked {
	ORA_ASKED_ANSWERED,
	ORA_ASKED_CRASHED,     /* it died of a signal */
	ORA_ASKED_SILENT,      /* it said nothing for too long */
	ORA_ASKED_GARBLED,     /* nobody understands it */
	ORA_ASKED_INTERRUPTED, /* the user has had enough */
};

/* Asks about all addresses at once. *answers gets one for each if it answered; else *trouble says
 * what became of it, to be freed. */
enum ora_asked ora_ask(const struct ora_witness *witness, const char *program, const xs_addr *pcs,
	size_t count, double patience, struct ora_answers *answers, char **trouble);

#endif
