/* probes.h - the code generator's own operands against the DWARF.
 *
 * At each arrival at a probe that is looked at (probe_run.h), an operand whose variable is known
 * (probe_index.h) is read as its note says, and the variable as the DWARF says.
 *
 * Rules:
 * P1. If both have a value, it is the same: the bits of a number, whatever its sign, or the address
 *     of a pointer.
 * P2. What the operand has, the DWARF has, too: at this pc the compiler itself knows where it is.
 *
 * What is not positively known is not asked, but counted with its reason: operands that cannot be
 * read, that are of no known variable, or are not as wide as it; variables that the DWARF has
 * several of; implicit pointers; and what xstep cannot evaluate. */
#ifndef ORA_PROBES_H
#define ORA_PROBES_H

#include "oracle/truth/probe_index.h"
#include "oracle/truth/probe_run.h"
#include "oracle/truth/probe_said.h"

struct ora_check_probes {
	/* Set by the caller. */
	struct ora_check *check;        /* begun live */
	struct ora_probe_traces traces; /* of it; debuggers' come behind these */
	struct ora_probe_run run;       /* the program; what is called is set here */
	uint64_t max_leaves;            /* of a variable; 0: the default */

	/* Read by ora_check_probes_open(). */
	struct di_probes probes;      /* of the program */
	struct ora_probe_index index; /* what their operands are */
	struct xs_ranges pcs;         /* where they are, link-time */

	/* Found. */
	uint64_t reached;                    /* places of probes that were arrived at */
	uint64_t arrivals;                   /* at them */
	uint64_t looked;                     /* of these */
	XS_VEC(struct ora_probe_said) saids; /* if debuggers were asked: all that was */
};

/* Opens the program and reads its probes; that it has none is an error. */
XS_MUST_CHECK struct xs_error *ora_check_probes_open(struct ora_check_probes *all);
/* Runs it. If the check has debuggers' traces of the same sampling and seed at `pcs`, every
 * instruction is counted, and what they say is compared, too. */
XS_MUST_CHECK struct xs_error *ora_check_probes(struct ora_check_probes *all);
void ora_check_probes_deinit(struct ora_check_probes *all);

/* --- probe_heard.c --- */

/* Compares what debuggers say at the stops of `saids`. What a debugger alone says is its mistake:
 * asked where it shows the same function, and says anything of the variable or lists others. */
XS_MUST_CHECK struct xs_error *ora_probes_hear(struct ora_check_probes *all);

#endif
