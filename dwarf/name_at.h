/* name_at.h - which function or variable a spelling means that is not xstep's own.
 *
 * A spelling means a function if it is its linkage name, or the same name but for spaces,
 * parameters and hashes; or, among the few functions that are active at a pc, if it is the same
 * name but for what it is in and for the arguments of templates. */
#ifndef DI_NAME_AT_H
#define DI_NAME_AT_H

#include "dwarf/module.h"

/* The name (name.h) of the function that a spelling means among those that are active at a
 * link-time pc: the out-of-line one and its inlined calls. NULL: none. */
const char *di_name_at(struct di_module *module, xs_addr pc, const char *spelling);
/* The name of the variable at file scope that a spelling means; NULL: none. */
const char *di_name_of_global(struct di_module *module, const char *spelling);

#endif
