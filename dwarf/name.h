/* name.h - what functions, and variables at file scope, are called: one spelling for all witnesses.
 *
 * Debuggers spell a C++ name each in its own way: with parameters or without, `> >` or `>>`,
 * mangled or not. Rules:
 * 1. The name of a function is what C calls it; of C++ it is qualified, with the arguments of
 *    templates and without parameters and ABI tags, `ns::Box<int>::area`, by the linkage name,
 *    else by the entries around it; of Rust it is qualified by the entries around it,
 *    `words::main::{closure#0}`.
 * 2. Overloads, and the variants of a constructor, have one name. A frame's pc tells them apart. */
#ifndef DI_NAME_H
#define DI_NAME_H

#include "dwarf/module.h"
#include "dwarf/name_text.h"

/* Texts live as long as the module. */

/* Rule 1; NULL if it has no name. */
const char *di_name_of_function(struct di_module *module, Dwarf_Die *die);
/* The same of a variable at file scope. */
const char *di_name_of_variable(struct di_module *module, Dwarf_Die *die);

/* For di_module_destroy(). */
void di_names_destroy(struct di_names *names);

#endif
