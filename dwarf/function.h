/* function.h - from an address to the out-of-line function around it, and back.
 *
 * The DWARF's subprograms come first, the symbol table serves where there are none. An inlined
 * call is not a function here: its code belongs to the function it was inlined into. */
#ifndef DI_FUNCTION_H
#define DI_FUNCTION_H

#include <elfutils/libdw.h>

#include "base/addr.h"
#include "base/error.h"

struct di_module;

struct di_function {
	char *name;    /* DW_AT_name, or the symbol's */
	xs_addr entry; /* its first instruction */
	bool symbol;   /* known from the symbol table only */
	Dwarf_Die die; /* its subprogram, if it is not */
};

struct di_function_range {
	xs_addr lo, hi;  /* a stretch of its code */
	size_t function; /* index into di_functions.list */
};

struct di_functions {
	bool complete; /* .symtab is there: every function has its symbol, not only exported ones */
	XS_VEC(struct di_function) list;                /* in the order they were found */
	XS_VEC(struct di_function_range) debug_ranges;  /* of subprograms, by lo */
	XS_VEC(struct di_function_range) symbol_ranges; /* of symbols, by lo */
};

XS_MUST_CHECK struct xs_error *di_functions_load(struct di_module *module);
void di_functions_deinit(struct di_functions *functions);

/* The function that pc is in, or NULL. */
const struct di_function *di_functions_find(const struct di_functions *functions, xs_addr pc);
/* The function that pc is in, if the DWARF has a subprogram for it; or NULL. */
const struct di_function *di_functions_find_debug(const struct di_functions *functions, xs_addr pc);
/* The function of that name, subprograms first; NULL if there is none. */
const struct di_function *di_functions_named(
	const struct di_functions *functions, const char *name);
/* The name nearest to a mistyped one, or NULL if none is near. */
const char *di_functions_nearest(const struct di_functions *functions, const char *name);

#endif
