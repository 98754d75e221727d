/* spelling.h - from what a debugger calls a function or a variable to what the DWARF calls it.
 *
 * Each debugger has a spelling of its own; dwarf/name.h has the one that is stored. Rules:
 * 1. A spelling is looked for among the functions that are active at the pc where it is first
 *    heard, and has that meaning from then on: a variable that goes is told when its function is
 *    gone, too.
 * 2. In a language that is not read in full, the pc alone says which function it is, if it is not
 *    inlined.
 * 3. What means nothing there is told as the debugger says it, without parameters: then witnesses
 *    differ about the function.
 * 4. A frame without a name, as lldb shows a coroutine's clone, is that of the function at its pc:
 *    having no name is no other one. */
#ifndef ORA_SPELLING_H
#define ORA_SPELLING_H

#include "base/map.h"
#include "dwarf/module.h"

/* Zero-initialised but for the module. */
struct ora_spellings {
	struct di_module *module; /* of the program */

	/* Its own. */
	struct xs_map index; /* hash of a spelling -> index into list, plus 1 */
	XS_VEC(struct ora_spelling {
		char *name;   /* what it means */
		bool settled; /* rule 1 */
	})
	list;
};

/* What a spelling of a function means at a link-time pc for lookups, XS_ADDR_NONE: not known. Lives
 * as long as the spellings; NULL for NULL. */
const char *ora_spelling_function(
	struct ora_spellings *spellings, xs_addr pc, bool inlined, const char *text);
/* The same of a path of functions, `main/f`. */
const char *ora_spelling_scope(struct ora_spellings *spellings, xs_addr pc, const char *scope);
/* The same of a variable at file scope. */
const char *ora_spelling_global(struct ora_spellings *spellings, const char *text);
void ora_spellings_deinit(struct ora_spellings *spellings);

#endif
