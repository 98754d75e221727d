/* symbols.h - what is said of the code at a pc, in the words that are compared (compare.h, rule 6;
 * compare_symbols.c). A symboliser's words, and xstep's own reading of the file, now or with a
 * mistake. */
#ifndef ORA_SYMBOLS_H
#define ORA_SYMBOLS_H

#include "dwarf/owners.h"
#include "oracle/judge/compare.h"

/* What a place says of an aspect (ora_aspect_is_static), to be freed; names are written as the
 * leader writes them, where they are the same. */
char *ora_symbols_text(enum ora_aspect aspect, const struct ora_store_place *place,
	const struct ora_store_place *leader);

/* A place as xstep reads it in the file; *inlined, which it points to, is to be freed. */
struct ora_store_place ora_symbols_place(
	struct di_module *module, xs_addr pc, enum di_mistake mistake, char **inlined);

#endif
