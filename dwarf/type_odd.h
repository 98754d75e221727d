/* type_odd.h - what the entry of a type may say that this reader does not act on.
 *
 * A tag or an attribute that changes which values there are, or how their bits are read, must not
 * go unnoticed: then there would be fewer leaves, or wrong ones. Here is what is noticed. */
#ifndef DI_TYPE_ODD_H
#define DI_TYPE_ODD_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "dwarf/why.h"

/* Whether a child of a type's entry adds nothing to the type's values, whatever it says: a nested
 * type, a function, a template's parameter. Members, base classes and dimensions do not. */
bool di_tag_adds_nothing(int tag);
/* What changes how values of the type at die are read in a way not known here: TYPE_TAG or
 * TYPE_ATTRIBUTE, with its number; NONE: there is nothing. */
struct di_why di_type_oddity(Dwarf_Die *die);
/* The same of a member. */
struct di_why di_member_oddity(Dwarf_Die *die);
/* The same of a variable or a parameter. */
struct di_why di_variable_oddity(Dwarf_Die *die);

#endif
