/* type_name.h - how C writes a type: `const char *`, `int (*)(int)`, `struct s [3]`.
 *
 * From the DIEs alone, because a name needs no layout: pointers can be named before what they point
 * to is decoded. */
#ifndef DI_TYPE_NAME_H
#define DI_TYPE_NAME_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "dwarf/fp.h"

struct di_module;

/* The next of die's children that lies behind *ret, or the first if ret->addr is NULL. False at the
 * end, and where the DWARF would lead backwards. */
bool di_die_next_child(Dwarf_Die *die, Dwarf_Die *ret);
/* Whether a child of an array type is one of its dimensions. */
bool di_die_is_dimension(Dwarf_Die *die);
/* What an attribute refers to: an entry of this file, of the supplementary one, or of a type unit.
 * False if there is no such entry. */
bool di_attribute_die(struct di_module *module, Dwarf_Attribute *attr, Dwarf_Die *ret);
/* What DW_AT_type refers to; false if there is none. */
bool di_die_type(struct di_module *module, Dwarf_Die *die, Dwarf_Die *ret);
/* The number that an attribute of class constant holds, sign-extended if its form is signed. */
bool di_die_constant(Dwarf_Die *die, unsigned at, uint64_t *ret);
/* From a DIE to the one that it is an instance of (DW_AT_abstract_origin) or completes
 * (DW_AT_specification). False if there is none, or if *chain, which counts the steps from 0, says
 * that this is a loop. */
bool di_die_origin(Dwarf_Die *die, unsigned *chain);
/* From an entry that stands for one in a type unit (DW_AT_signature) to that one. False if it does
 * not, or if no type unit has it. */
bool di_die_complete(struct di_module *module, Dwarf_Die *die);
/* How many elements a dimension has, if that is a constant; *lower is its first index. */
bool di_die_count(struct di_module *module, Dwarf_Die *subrange, int64_t *lower, uint64_t *ret);

/* The name of the type, from its dimension-th dimension on if it is an array. Long ones are cut;
 * the caller frees it. */
char *di_type_name(struct di_module *module, Dwarf_Die *die, unsigned dimension);

/* What the halves of a complex are called. gcc says `complex long double`; clang says `complex`,
 * whatever the half is, and then the size must do. */
const char *di_half_name(const char *name, bool is_float, enum di_fp_format format, uint64_t size);

#endif
