/* object.h - the lines of code that is not linked yet: a relocatable object, 64-bit or 32-bit.
 *
 * Its sections have no addresses; libdwfl lays them out and applies the relocations of the debug
 * sections. A place is therefore asked for by section and offset. */
#ifndef DI_OBJECT_H
#define DI_OBJECT_H

#include <elfutils/libdwfl.h>

#include "dwarf/line.h"

struct di_object {
	Dwfl *dwfl;               /* holds the file and its DWARF */
	struct di_lines lines;    /* by the addresses that sections were given */
	XS_VEC(xs_addr) sections; /* these, by section number */
};

/* Opens an object. One without debug information has no lines, and that is no error. */
XS_MUST_CHECK struct xs_error *di_object_open(const char *path, struct di_object **ret);
void di_object_destroy(struct di_object *object);
XS_DEFINE_CLEANUP(di_object);

/* The row of the code at an offset of a section, or NULL. */
const struct di_row *di_object_line(
	const struct di_object *object, size_t section, uint64_t offset);

#endif
