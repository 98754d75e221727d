/* attribute.h - attributes of an entry, and the entries that they refer to.
 *
 * As libdw has it, but for what it gets wrong (0.188): it looks for an entry of the supplementary
 * file (DW_FORM_ref_sup4, DW_FORM_ref_sup8: dwz --dwarf-5) in the file that refers to it, and finds
 * another one. */
#ifndef DI_ATTRIBUTE_H
#define DI_ATTRIBUTE_H

#include <elfutils/libdw.h>
#include <stdbool.h>

/* The entry that an attribute refers to; NULL if there is none, or attr is NULL. For references to
 * type units see di_attribute_die(). */
Dwarf_Die *di_formref_die(Dwarf_Attribute *attr, Dwarf_Die *ret);
/* An attribute of die, or of what it is an instance of or completes; NULL if there is none. */
Dwarf_Attribute *di_attr_integrate(Dwarf_Die *die, unsigned at, Dwarf_Attribute *ret);
/* Whether there is one. */
bool di_hasattr_integrate(Dwarf_Die *die, unsigned at);

#endif
