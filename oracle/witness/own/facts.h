/* facts.h - what xstep says about variables, stop after stop: only what changed.
 *
 * A fact belongs to a leaf of a variable in a frame. It is told when it is new, when its state,
 * value or visibility differs from the last time, and, as `absent`, when it is listed no more. That
 * frames further in came or went, which changes the frame's number, is not told. */
#ifndef ORA_FACTS_H
#define ORA_FACTS_H

#include "dwarf/view.h"
#include "oracle/store/told.h"

struct ora_fact {
	const struct di_variable *variable; /* the root: name, declaration, scope */
	const char *path;                   /* of the leaf */
	unsigned frame;                     /* that it is seen from */
	bool shadowed;
	enum di_declared declared;
	const char *type; /* name */
	enum ora_state state;
	const char *value;      /* canonical text, NULL without one */
	const char *enumerator; /* its name, or NULL */
	const char *message;    /* or NULL */
	enum di_why_code why;   /* the reason that the message words; NONE if it is no reason */
};

struct ora_facts;

struct ora_facts *ora_facts_create(void);
void ora_facts_destroy(struct ora_facts *facts);
XS_DEFINE_CLEANUP(ora_facts);

/* Looks at the variables of the view (which: enum di_which, of the frames it has) and tells what
 * changed since the last call. inner: those of the innermost frame only; what was told of frames
 * further out stands until they are innermost again, or gone. */
XS_MUST_CHECK struct xs_error *ora_facts_update(struct ora_facts *facts, struct di_view *view,
	unsigned which, bool inner, uint64_t max_leaves,
	void (*on_change)(void *arg, const struct ora_fact *fact), void *arg);

/* A leaf's state as witnesses have it. */
enum ora_state ora_state_of(enum di_leaf_state state);

#endif
