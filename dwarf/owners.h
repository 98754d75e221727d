/* owners.h - whose code is at a pc: the row of the line table, the inlined calls, the function.
 * What a symboliser tells, without a process.
 *
 * With a mistake of a symboliser (mistake.h) it is what that would tell:
 * - addr2line of binutils 2.40 and eu-addr2line of elfutils 0.188 look for functions in the
 *   skeleton of a split unit (.dwo), which has none: they know the symbol. addr2line may not find
 *   the skeleton's line table, either.
 * - addr2line leaves the ranges of an entry unread if they are named by an index
 *   (DW_FORM_rnglistx), so that it does not find the entry by its code. It finds it, however, as
 *   what is around another one.
 * - It also takes the file that a line number program begins with, number 1, for entry 0 of the
 *   files of a DWARF 5 table, which numbers them from 0: rows before the first DW_LNS_set_file of
 *   a sequence are given another file.
 * - eu-addr2line finds a unit by .debug_aranges alone, which is optional: of code
 *   that is not listed there it knows the symbol and nothing else. */
#ifndef DI_OWNERS_H
#define DI_OWNERS_H

#include "dwarf/mistake.h"
#include "dwarf/scope.h"

struct di_owners {
	const struct di_row *row;                /* NULL: none */
	const char *file;                        /* of the row; NULL: unknown */
	XS_VEC(const struct di_block *) inlined; /* innermost first */
	const char *function;                    /* around them; NULL: unknown */
	bool ambiguous; /* two calls or blocks, none of which is in the other, have the pc */
};

/* At a link-time pc; to be deinitialised. */
void di_owners_find(
	struct di_module *module, xs_addr pc, enum di_mistake mistake, struct di_owners *ret);
/* Whether a symbol of that name holds the pc, is at the entry of the function that does, or is
 * before it in there and says nothing of its size. */
bool di_owners_is_symbol(struct di_module *module, xs_addr pc, const char *name);
void di_owners_deinit(struct di_owners *owners);

/* The ranges of the inlined calls, as the entries say, `.debug_info+0x91 [0x1139, 0x1150)`, and
 * the names; to be freed. */
char *di_owners_quote(const struct di_owners *owners, xs_addr pc);

#endif
