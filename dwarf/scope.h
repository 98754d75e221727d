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
 *    nothing. Parameters are declared from the start.
 * 4. Names are looked for from the innermost block outwards to the function's border, then in
 *    the unit, then in the other units. The first declared one hides the others of its name. */
#ifndef DI_SCOPE_H
#define DI_SCOPE_H

#include "dwarf/mistake.h"
#include "dwarf/type.h"
#include "dwarf/unit.h"

struct di_block;

struct di_variable {
	Dwarf_Die die;                /* where its location is, if it has one */
	const char *name;             /* never NULL */
	const struct di_unit *unit;   /* which its die belongs to */
	const struct di_block *block; /* that declares it; NULL at file scope */
	struct di_type *type;         /* what it is */
	const char *file;             /* of its declaration; NULL if that is unknown */
	uint32_t line, column;        /* likewise; 0 if unknown */
	bool parameter;               /* DW_TAG_formal_parameter */
	bool artificial;              /* made by the compiler */
	bool external;                /* visible from other units */
	const char *scope;            /* the path of functions to it, `main/f` in a call of f that
				       * main has inlined; at file scope "" if external, else the
				       * unit's name. With name and declaration line it identifies
				       * the variable in every run and every witness */
	uint64_t name_hash;           /* of the name */
};

enum di_block_kind {
	DI_BLOCK_FUNCTION, /* an out-of-line function: the root of a tree */
	DI_BLOCK_INLINED,  /* an inlined call */
	DI_BLOCK_LEXICAL,  /* { ... } */
};

struct di_block {
	enum di_block_kind kind;
	Dwarf_Die die;                        /* its entry, concrete */
	const struct di_unit *unit;           /* which that belongs to */
	struct di_block *outer;               /* that contains it, NULL for a function */
	const char *name;                     /* of the function; NULL for a lexical block */
	char *scope;                          /* path of functions to it; NULL likewise */
	struct xs_ranges ranges;              /* its code, link-time */
	xs_addr entry;                        /* of a function or call: its first instruction */
	const char *call_file;                /* INLINED: where it is called, NULL if unknown */
	uint32_t call_line, call_column;      /* likewise */
	XS_VEC(struct di_variable) variables; /* in the order of their entries */
	XS_VEC(struct di_block *) inner;      /* blocks directly inside */
};

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
	DI_DECLARED_LATER_BY_LINE, /* the same, but the code is optimised: lines may mislead */
};

struct di_visible {
	const struct di_variable *variable;
	unsigned activation;       /* index of the activation that it belongs to; 0 at file scope */
	bool shadowed;             /* another one of its name hides it */
	enum di_declared declared; /* rule 3 */
};

/* The variables at file scope as one unit sees them: its own first, then those of others. */
struct di_globals {
	const struct di_unit *unit;
	XS_VEC(const struct di_variable *) list;
	XS_VEC(bool) hidden; /* of the same index: an earlier one has its name */
	struct xs_map names; /* hash of a name -> the first of it: index into list, plus 1 */
	uint32_t last_line;  /* of all their declarations */
};

/* A global that a pc sees in another way than its unit does. */
struct di_special {
	size_t index;              /* into di_globals.list */
	bool shadowed;             /* by a local variable, or by an earlier one */
	enum di_declared declared; /* rule 3 */
};

/* All that a pc selects. */
struct di_scopes {
	xs_addr pc;                               /* link-time */
	XS_VEC(struct di_activation) activations; /* innermost first; none without DWARF */
	XS_VEC(struct di_visible) locals;         /* by activation, innermost block first */
	const struct di_globals *globals;         /* shared by all pcs of a unit; never NULL */
	XS_VEC(struct di_special) specials;       /* of those, by index */
	enum di_mistake mistake;                  /* made on purpose, or NONE */
	struct di_block *root;                    /* its own, with a mistake; else NULL */
};

/* What is visible at a link-time pc; computed once and kept by the module. */
const struct di_scopes *di_scopes_at(struct di_module *module, xs_addr pc);

/* How global number index of scopes->globals is seen there. */
struct di_visible di_scopes_global(const struct di_scopes *scopes, size_t index);

/* The same with a mistake made on purpose: not kept, to be destroyed. */
struct di_scopes *di_scopes_mistaken(struct di_module *module, xs_addr pc, enum di_mistake mistake);
void di_scopes_destroy(struct di_scopes *scopes);

/* For di_module_destroy(). */
struct di_scope_tables;
void di_scope_tables_destroy(struct di_scope_tables *tables);

#endif
