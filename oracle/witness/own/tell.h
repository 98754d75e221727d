/* tell.h - what xstep, as a witness, tells at a stop: places, frames, registers, and of the
 * variables what changed since the stop that was told before. */
#ifndef ORA_TELL_H
#define ORA_TELL_H

#include "dwarf/second.h"
#include "oracle/witness/own/facts.h"
#include "oracle/witness/own/record.h"
#include "oracle/store/told.h"

/* A place as it is told. */
struct ora_told_place {
	bool made;                    /* whether the rest holds */
	struct ora_store_place place; /* names belong to the module */
	char *inlined;                /* what place.inlined points to */
};

struct ora_teller {
	/* Set by the caller. */
	struct ora_subject *subject;
	unsigned which;      /* enum di_which: variables to tell */
	bool frames, regs;   /* what else to tell */
	bool inner;          /* variables of the innermost frame only, and no second opinion */
	bool inlined;        /* tell the inlined calls of places, too */
	uint64_t max_leaves; /* of a variable; 0: the default */

	/* Its own. */
	XS_VEC(struct ora_told_place *) places; /* by their index in the subject */
	struct xs_map variable_index;           /* di_variable -> index into variables, plus 1 */
	XS_VEC(struct ora_store_variable *) variables;
	struct ora_facts *facts;            /* what was told of variables */
	struct di_view view;                /* of the stop */
	struct di_second *second;           /* libunwind, if frames are told */
	struct di_opinion opinion;          /* what it says of the stop */
	char disagreement[200];             /* with it; "" if there is none */
	uint64_t registers[DI_REG_GENERAL]; /* as they were told last */
	bool registers_told;                /* whether they were */
	unsigned frames_before;             /* how many there were at the stop before */
	struct ora_told told;               /* what is told */
	XS_VEC(char *) texts;               /* of that */
};

/* Whether the machine state is looked at, so that stops must be live. */
bool ora_teller_looks(const struct ora_teller *teller);
/* What there is to tell; lives until the next call. */
XS_MUST_CHECK struct xs_error *ora_tell(
	struct ora_teller *teller, const struct ora_stop *stop, const struct ora_told **ret);
/* A place alone; lives as long as the teller. */
const struct ora_store_place *ora_tell_place(
	struct ora_teller *teller, const struct ora_place *place);
void ora_teller_deinit(struct ora_teller *teller);

/* A fact as it is told; variable and texts stay the fact's. */
struct ora_told_fact ora_told_of(
	const struct ora_fact *fact, const struct ora_store_variable *variable);
struct ora_store_variable ora_variable_of(const struct di_variable *variable);

#endif
