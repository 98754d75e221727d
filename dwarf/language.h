/* language.h - which language a unit is written in, and how much of it is read.
 *
 * Types of C, C++ and Rust are read in full. Of other languages xstep knows too little of how
 * their types are to be read: strings with a length beside them, arrays that are moved, records
 * with variants. Rules:
 * 1. DW_AT_language of the unit that declares a variable decides, wherever its type is. A unit that
 *    does not say it is of no known language. What dwz moved to a partial unit, types and abstract
 *    functions, is asked about by way of the units that use it; by itself such a unit counts as C.
 * 2. Of a language that is not read in full, lines, frames and values of plain base types are read.
 *    Every other variable is an error (DI_WHY_LANGUAGE), never fewer leaves or other ones. */
#ifndef DI_LANGUAGE_H
#define DI_LANGUAGE_H

#include "dwarf/dw_name.h"
#include "dwarf/unit.h"

struct di_type;

enum di_language {
	DI_LANGUAGE_C,
	DI_LANGUAGE_CPP,
	DI_LANGUAGE_RUST,
	DI_LANGUAGE_ASSEMBLER, /* has no types */
	DI_LANGUAGE_OTHER,     /* known by its number only */
	DI_LANGUAGE_UNKNOWN,   /* the unit does not say */
};

/* The language of a unit. */
enum di_language di_language_of(const struct di_unit *unit);
/* That of the code at a link-time pc; C where no unit has it, as of libraries. */
enum di_language di_language_at(struct di_module *module, xs_addr pc);
/* The number of DW_AT_language; 0 if the unit has none. */
uint64_t di_language_number(const struct di_unit *unit);
/* `C++`, `Fortran`; `language 0x8765`, which is written to buf. */
const char *di_language_name(uint64_t number, char buf[static DI_DW_NAME]);

/* Whether it is read in full. */
static inline bool di_language_is_read(enum di_language language)
{
	return language <= DI_LANGUAGE_RUST;
}

/* Whether somebody is named for what is said of its variables because another witness reads them as
 * xstep does. Not of Rust's: lldb gives several inlined frames one name, and does not list in one
 * what it lists in the other. A model of the mistake is a proof there, too. */
static inline bool di_language_is_judged(enum di_language language)
{
	return language <= DI_LANGUAGE_CPP;
}

/* Whether values of a type are read whatever the language. */
bool di_language_is_plain(const struct di_type *type);

#endif
