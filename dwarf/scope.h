/* scope.h - which blocks contain a pc, and which variables are visible there.
 *
 * Blocks form a tree below each out-of-line function: lexical blocks and inlined calls. The tree of
 * a function is built when a pc in it is first asked for, and kept.
 *
 * Rules:
 * 1. A block contains a pc if one of its ranges does; empty ranges do not count. A block without
 *    any pc attribute has no code (DWARF 5, 2.17): its variables are visible nowhere.
 * 2. A variable that only the abstract instance of a block lists is a variable of the concrete
 *    one too, without a location.
 * 3. A variable is in scope from its declaration on. Before that it is listed, marked, and hides
 *    nothing. Parameters are declared from the start. The line of the pc tells where that is. In
 *    optimised code lines may mislead: what the producer gives a place just here is declared; of
 *    all else it is unknown, and it hides others, so that none of them is taken for it.
 * 4. Names are looked for from the innermost block outwards to the function's border, then in
 *    the unit, then in the other units. The first declared one hides the others of its name.
 * 5. A mere declaration in a block, `extern int i;`, makes the name mean the global from there
 *    on. It hides the locals further out, and is no variable itself.
 * 6. What the functions around a nested one declare is between its locals and the globals
 *    (nested.h). It is no variable of the nested function's own. */
#ifndef DI_SCOPE_H
#define DI_SCOPE_H

#include "dwarf/variable.h"

/* A function or inlined call that is active at a pc, innermost first. */
struct di_activation {
	const struct di_block *function;  /* FUNCTION or INLINED */
	const struct di_block *innermost; /* block of that function that contains the pc */
	/* Where the activation is, in its own source: the row of the pc for the innermost one, the
	 * call's place for the others. NULL and 0 if unknown. */
	const char *file;
	uint32_t line, column;
};

enum di_declared {
	DI_DECLARED_YES,
	DI_DECLARED_LATER,         /* further down in the source */
	DI_DECLARED_LATER_BY_LINE, /* so lines say, but the code is optimised: unknown */
};

struct di_visible {
	const struct di_variable *variable;
	unsigned activation;       /* index of the activation that it belongs to; 0 at file scope */
	bool shadowed;             /* another one of its name hides it */
	enum di_declared declared; /* rule 3 */
	bool by_place;  /* declared because it has a place here, though its line is further down */
	unsigned level; /* of a function around the activation's: how many outwards; 0: its own */
};

/* A global that a pc sees in another way than its unit does. */
struct di_special {
	size_t index;              /* into di_globals.list */
	bool shadowed;             /* by a local variable, or by an earlier one */
	enum di_declared declared; /* rule 3 */
};

/* File scope as a pc sees it. */
struct di_file_scope {
	const struct di_globals *globals;   /* shared by all pcs of a unit; NULL: not yet asked */
	XS_VEC(struct di_special) specials; /* of those, by index */
};

/* All that a pc selects. */
struct di_scopes {
	struct di_module *module;                 /* whose code it is */
	xs_addr pc;                               /* link-time */
	XS_VEC(struct di_activation) activations; /* innermost first; none without DWARF */
	XS_VEC(struct di_visible) locals;         /* by activation, innermost block first */
	struct di_file_scope *file;               /* see di_scopes_file() */
	XS_VEC(struct di_visible) outers;         /* by activation, innermost first: rule 6 */
	XS_VEC(uint64_t) externs;                 /* hashes of names that mean a global: rule 5 */
	enum di_mistake mistake;                  /* made on purpose, or NONE */
	size_t framed; /* so many of the activations have frames: all, unless by mistake */
};

/* What is visible at a link-time pc; computed once and kept by the module. */
const struct di_scopes *di_scopes_at(struct di_module *module, xs_addr pc);

/* What is at file scope: its globals are never NULL. Found when it is first asked for, since that
 * needs all units. */
const struct di_file_scope *di_scopes_file(const struct di_scopes *scopes);
/* How global number index of these is seen there. */
struct di_visible di_scopes_global(const struct di_scopes *scopes, size_t index);

/* The next variable that an activation sees, *at being 0 at first: its locals, those of functions
 * around it, globals. False: there are no more. */
bool di_scopes_next(
	const struct di_scopes *scopes, unsigned activation, size_t *at, struct di_visible *ret);

/* The same with a mistake made on purpose. It lives until the next call. Where the mistake makes no
 * difference it is that of di_scopes_at() itself. */
const struct di_scopes *di_scopes_mistaken(
	struct di_module *module, xs_addr pc, enum di_mistake mistake);

/* For di_module_destroy(). */
void di_scope_tables_destroy(struct di_scope_tables *tables);

#endif
