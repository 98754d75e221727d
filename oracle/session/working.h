/* working.h - how xstep comes to what it says of a leaf at a stop, operator by operator; and how it
 * would come to a debugger's words, with the mistake that this one is named for.
 *
 * Both workings are of one machine state: the program is run to the stop once more. What a verdict
 * rests on was found before (proving.h). This is there to be looked at. */
#ifndef ORA_WORKING_H
#define ORA_WORKING_H

#include "oracle/judge/verdict.h"
#include "oracle/session/program.h"

/* One operator, or a remark on where an entry value comes from. */
struct ora_working_step {
	char *text;           /* `DW_OP_breg3 (RBX) +0` */
	bool remark;          /* it is no operator: there is no stack */
	unsigned depth;       /* of DW_OP_call around it */
	uint64_t at;          /* offset in its expression */
	XS_VEC(char *) stack; /* after it, the top last */
};

struct ora_working {
	bool there;           /* the frame is, and what follows holds */
	bool listed;          /* the variable is */
	enum ora_state state; /* of the leaf */
	char *value;          /* its text; NULL: it has none */
	char *place;          /* where its place is described, with the bytes; NULL: nowhere */
	XS_VEC(struct ora_working_step) steps;
};

struct ora_workings {
	struct ora_working right;
	enum di_mistake mistake;  /* that somebody is named for; NONE: nobody is, or it has no
				  * model */
	struct ora_working wrong; /* with it */
};

/* The mistake that a finding's verdict was replayed with; NONE: it was not. */
enum di_mistake ora_working_mistake(
	const struct ora_verdicts *verdicts, const struct ora_finding *finding);
/* Runs the program, with its argv, to arrival number `hit` at the difference's pc, and works out
 * what the difference is about: that must be a variable. */
XS_MUST_CHECK struct xs_error *ora_workings_find(const struct ora_program *program,
	char *const *argv, uint64_t hit, const struct ora_difference *one, enum di_mistake mistake,
	struct ora_workings *ret);
void ora_workings_deinit(struct ora_workings *workings);

#endif
