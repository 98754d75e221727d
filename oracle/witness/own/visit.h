/* visit.h - a machine state worth looking at: a program run to a place, or a core file. */
#ifndef ORA_VISIT_H
#define ORA_VISIT_H

#include "dwarf/core.h"
#include "oracle/witness/own/machine.h"
#include "oracle/witness/own/run.h"

/* What a function was entered with, as it was seen on the way to the place. */
struct ora_visit_entry {
	xs_addr slot; /* where its return address is: rsp at its first instruction */
	uint64_t reg[DI_REG_GENERAL]; /* registers then, by DWARF number */
};

struct ora_visit {
	/* Set by the caller. */
	struct ora_run run;   /* the program and its surroundings */
	const char *core;     /* a core file: nothing is run, and there is no place to go to */
	bool by_address;      /* the place is `address`, else `file` and `line` */
	xs_addr address;      /* link-time */
	const char *file;     /* path or end of one; NULL: that of main */
	uint32_t line;        /* 0 without an address: `function` */
	const char *function; /* behind the prologue of this one; NULL: of main */
	uint64_t hit;         /* which arrival, from 1 */

	/* Results. */
	bool approximate;        /* the line has no row with is_stmt */
	uint64_t n;              /* which arrival it is; 0 in a core file */
	struct di_target target; /* what to look at */
	/* Entries of the function that the place is in, if its variables are worked out by entry
	 * values: the last one of each slot. */
	XS_VEC(struct ora_visit_entry) entries;

	/* Its own. */
	struct eng_process *process;
	struct ora_machine *machine;
	struct di_core *core_file;
};

XS_MUST_CHECK struct xs_error *ora_visit(struct ora_visit *visit);
/* What the registers held when the call with this CFA was entered, if that was seen; or NULL. The
 * frame must be one of the function that the place is in. */
const uint64_t *ora_visit_entered(const struct ora_visit *visit, xs_addr cfa);
/* Ends the program. */
void ora_visit_deinit(struct ora_visit *visit);

#endif
