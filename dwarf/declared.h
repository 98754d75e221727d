/* declared.h - which locals of a name a function declares, whether they are in scope or not.
 *
 * Rules:
 * 1. Looked at are the entries of the function and of what it is an instance of, with their
 *    blocks. Inlined calls have variables of other functions: they are not looked into.
 * 2. An instance and its origin declare a variable on one line: it counts once.
 * 3. What is only declared (DW_AT_declaration) is of another place, and no local. */
#ifndef DI_DECLARED_H
#define DI_DECLARED_H

#include "dwarf/scope.h"

struct di_declarations {
	unsigned lines; /* that declare a variable of the name; 2: two or more */
	bool there;     /* one of them is the line asked about; of line 0 none is */
};

struct di_declarations di_declared_in(
	const struct di_block *function, const char *name, uint32_t line);

#endif
