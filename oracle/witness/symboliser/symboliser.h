/* symboliser.h - a symboliser as a witness: what it says of the pcs of the stops that xstep has
 * told (heard.h). It runs no program and knows no stops: the ways there, and their counts, are
 * xstep's. */
#ifndef ORA_SYMBOLISER_H
#define ORA_SYMBOLISER_H

#include "oracle/witness/symboliser/printout.h"
#include "oracle/witness/testimony.h"

struct di_module;

extern const struct ora_witness_ops ora_symboliser_ops;

/* What it is given of patience: seconds without a sign of life. */
#define ORA_SYMBOLISER_PATIENCE 60.0

/* Whether what a symboliser prints of a pc can be told apart from something else. Not so a file
 * whose name has a line break or a colon in it, and a function with a line break, unless it speaks
 * JSON; nor names that mean something in its printout (`??`); a name that is no UTF-8 never. */
bool ora_symboliser_is_sayable(enum ora_witness_kind kind, struct di_module *module, xs_addr pc);

/* An answer as a place of the store has it. Functions are called what the DWARF calls them, by
 * whatever name it says (dwarf/name_at.h). Texts are the answer's or the module's, but for
 * `inlined`, which is to be freed. */
struct ora_store_place ora_symboliser_place(struct di_module *module,
	const struct ora_answer *answer, xs_addr pc, int64_t offset, char **inlined);

#endif
