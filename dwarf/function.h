/* function.h - from an address to the out-of-line function around it, and back.
 *
 * The DWARF's subprograms come first, the symbol table serves where there are none. An inlined
 * call is not a function here: its code belongs to the function it was inlined into.
 *
 * A unit's entries are read when somebody asks for an address in its code, so that a large program
 * costs what is looked at. Rules:
 * 1. A unit's code is where its own entry says: DW_AT_low_pc, DW_AT_ranges.
 * 2. A unit that does not say is read at the first address that no other unit has a function for.
 * 3. An address with a row in the line table has a unit: where no function is found by rules 1 and
 *    2, all units are read.
 * 4. What is found does not depend on what was asked before. */
#ifndef DI_FUNCTION_H
#define DI_FUNCTION_H

#include <elfutils/libdw.h>

#include "base/addr.h"
#include "base/error.h"
#include "base/map.h"

struct di_lines;
struct di_module;

struct di_function {
	const char *name; /* DW_AT_name, or the symbol's */
	xs_addr entry;    /* its first instruction */
	bool symbol;      /* known from the symbol table only */
	Dwarf_Die die;    /* its subprogram, if it is not */
	size_t index;     /* its number, in the order in which functions were found */
	uint64_t order;   /* the same in the order of the DWARF, symbols last */
};

/* A stretch of a function's code. */
struct di_function_range {
	xs_addr lo, hi;
	xs_addr reach; /* the highest hi of this one and those before it */
	const struct di_function *function;
};

/* Functions in some order. */
struct di_function_list {
	XS_VEC(struct di_function *) vec;
};

/* Where a unit's code is. */
struct di_unit_range {
	xs_addr lo, hi;
	xs_addr reach; /* as in di_function_range */
	size_t unit;   /* index into di_functions.units */
};

/* A unit, read or not. */
struct di_unit_state {
	Dwarf_CU *cu;
	bool placed; /* it says where its code is */
	bool read;   /* its functions were read */
};

/* What is known so far. Whoever asks uses the functions below. */
struct di_functions {
	struct di_module *module;                       /* whose */
	const struct di_lines *lines;                   /* its line table */
	bool complete;                                  /* see di_functions_complete() */
	XS_VEC(struct di_function *) list;              /* by index */
	XS_VEC(struct di_function_range) debug_ranges;  /* of subprograms, by lo, then by order */
	XS_VEC(struct di_function_range) symbol_ranges; /* of symbols, by lo */
	XS_VEC(struct di_unit_state) units;             /* in the order of the DWARF */
	XS_VEC(struct di_unit_range) unit_ranges;       /* of those, by lo */
	bool nested;                     /* a function read so far is inside of one */
	bool unplaced_read;              /* rule 2 was needed */
	bool all_read;                   /* rule 3 was, or somebody asked for all */
	struct di_function_list ordered; /* all, once they are read */
	struct xs_map
		named; /* hash of a name that was asked for -> pointer to the function, NULL */
};

/* Finds the units and the symbols. */
XS_MUST_CHECK struct xs_error *di_functions_load(struct di_module *module);
/* For function.c: read the functions of the units that say that pc is theirs; of those that do not
 * say where their code is; of all. */
void di_functions_read_at(struct di_functions *functions, xs_addr pc);
void di_functions_read_unplaced(struct di_functions *functions);
void di_functions_read_all(struct di_functions *functions);
void di_functions_destroy(struct di_functions *functions);

/* The function that pc is in, or NULL. */
const struct di_function *di_functions_find(struct di_functions *functions, xs_addr pc);
/* The same, and the stretch of it that pc is in. */
const struct di_function_range *di_functions_stretch(struct di_functions *functions, xs_addr pc);
/* The function that pc is in, if the DWARF has a subprogram for it; or NULL. */
const struct di_function *di_functions_find_debug(struct di_functions *functions, xs_addr pc);
/* The function of that name: the one that the only symbol of the name stands for, else the first
 * subprogram, else the first symbol; else the first that a part of a qualified name means, as
 * `Box::area` or `area` means `ns::Box<int>::area` (name.h). NULL if there is none. */
const struct di_function *di_functions_named(struct di_functions *functions, const char *name);
/* The name nearest to a mistyped one, or NULL if none is near. */
const char *di_functions_nearest(struct di_functions *functions, const char *name);

/* All functions, in the order of the DWARF. Reads all units. */
const struct di_function_list *di_functions_all(struct di_functions *functions);
/* All stretches of subprograms, by address; the same. */
const struct di_function_range *di_functions_ranges(struct di_functions *functions, size_t *count);
/* Whether .symtab is there: every function has its symbol, not only exported ones. */
bool di_functions_complete(const struct di_functions *functions);
/* The stretches of symbols, by address. */
const struct di_function_range *di_functions_symbols(
	const struct di_functions *functions, size_t *count);

#endif
