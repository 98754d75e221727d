/* variable.h - variables, the blocks that declare them, and what a module keeps of both.
 *
 * Who wants to know what is visible at a pc asks scope.h, which makes all this. */
#ifndef DI_VARIABLE_H
#define DI_VARIABLE_H

#include "dwarf/scope_mistake.h"
#include "dwarf/type.h"
#include "dwarf/unit.h"

struct di_block;

struct di_variable {
	Dwarf_Die die;                /* where its location is, if it has one */
	const char *name;             /* never NULL */
	const struct di_unit *unit;   /* which its die belongs to */
	const struct di_unit *home;   /* whose source declares it: see di_home_of() */
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
	const struct di_unit *home;           /* whose source has the function that it is of */
	struct di_block *outer;               /* that contains it, NULL for a function */
	const char *name;                     /* of the function; NULL for a lexical block */
	char *scope;                          /* path of functions to it; NULL likewise */
	struct xs_ranges ranges;              /* its code, link-time */
	xs_addr entry;                        /* of a function or call: its first instruction */
	const char *call_file;                /* INLINED: where it is called, NULL if unknown */
	uint32_t call_line, call_column;      /* likewise */
	XS_VEC(struct di_variable) variables; /* in the order of their entries */
	XS_VEC(struct di_variable) externs;   /* names that mean a global: `extern int i;` */
	XS_VEC(struct di_block *) inner;      /* blocks directly inside */
};

/* The variables at file scope as one unit sees them: its own first, then those of others. */
struct di_globals {
	const struct di_unit *unit;
	XS_VEC(const struct di_variable *) list;
	XS_VEC(bool) hidden; /* of the same index: an earlier one has its name */
	struct xs_map names; /* hash of a name -> the first of it: index into list, plus 1 */
	uint32_t last_line;  /* of all their declarations */
};

struct di_scopes;

enum {
	DI_SCOPE_DEPTH = 200, /* of blocks inside each other */
	DI_ORIGINS = 16,      /* of origins of origins, as in libdw */
};

/* What a module keeps of its scopes: immutable to everybody but scope.c and scope_globals.c. */
struct di_scope_tables {
	struct xs_map functions[DI_TREE_COUNT]; /* a subprogram -> index into roots, plus 1 */
	XS_VEC(struct di_block *) roots;        /* trees built so far */
	struct xs_map pcs;                      /* link-time pc -> index into scopes, plus 1 */
	XS_VEC(struct di_scopes *) scopes;      /* pcs asked for so far */
	struct xs_map joined; /* libdw's name of a file -> index into files, plus 1 */
	XS_VEC(char *) files; /* those names joined to the unit's directory */
	struct xs_map nested; /* entry of a function -> index into around, plus 1 */
	XS_VEC(const struct di_block *) around; /* nested.h: the blocks around it, or NULL */
	XS_VEC(struct di_block *) shells;       /* all those blocks */
	enum di_mistake mistake;                /* that is made in the tree being built, or NONE */
	struct xs_map mistaken; /* (pc, enum di_scope_way) -> index into wrongs, plus 1; SIZE_MAX:
				 * the mistake makes no difference there */
	XS_VEC(struct di_scopes *) wrongs; /* scopes with a mistake, some of those asked for */
	struct xs_map data16; /* libdw's unit -> whether it has DW_FORM_data16 (1) or not (2) */
	bool globals_found;   /* whether the next one is complete */
	XS_VEC(struct di_variable *) globals; /* of all units */
	XS_VEC(struct di_globals *) views;    /* the same as each unit sees them */
	bool constants_found;                 /* whether the next one is complete */
	struct xs_map constants;              /* hash of a class constant's name -> 1 */
};

/* --- variable.c: attributes, also those of an entry's origin --- */

/* Its text; NULL if it has none. */
const char *di_die_string(Dwarf_Die *die, unsigned at);
/* Its number; 0 if it has none. */
uint32_t di_die_number(Dwarf_Die *die, unsigned at);
/* The file that it names by its number in the unit's line table; NULL if unknown. */
const char *di_die_file(struct di_module *module, Dwarf_Die *die, unsigned at);

/* The entry that die is a concrete instance of; false if there is none. */
bool di_variable_origin(Dwarf_Die *die, Dwarf_Die *ret);
/* The unit whose source has what die describes. With link time optimisation that is another one
 * than that of the die: the code and its variables are in a unit of the linker's making, and refer
 * to abstract entries in the units that were compiled. */
const struct di_unit *di_home_of(struct di_module *module, Dwarf_Die *die);
/* Whether die has a location or a constant value. */
bool di_has_place(Dwarf_Die *die);
/* Whether die is a mere declaration, in a function, of a variable at file scope. */
bool di_is_extern(const struct di_module *module, Dwarf_Die *die);
/* Whether die is a variable with a name that is more than a declaration of one elsewhere. */
bool di_is_variable(const struct di_module *module, Dwarf_Die *die);
/* The variable that die is. */
struct di_variable di_variable_describe(
	struct di_module *module, Dwarf_Die *die, const struct di_block *block, const char *scope);

/* --- scope_globals.c --- */

/* The globals as unit sees them. */
const struct di_globals *di_globals_of(struct di_module *module, const struct di_unit *unit);
/* Whether a class declares a static member of that qualified name with a value. That is a
 * declaration: it is none of the variables of its unit, and some debuggers list it. */
bool di_is_class_constant(struct di_module *module, const char *name);
void di_globals_deinit(struct di_scope_tables *tables);

#endif
