/* scope_mistake.h - what gdb 13 and lldb 15 do with scopes where that is not what DWARF says:
 * mistake.h. Part of scope.h. */
#ifndef DI_SCOPE_MISTAKE_H
#define DI_SCOPE_MISTAKE_H

#include "base/map.h"
#include "dwarf/mistake.h"
#include "dwarf/unit.h"

/* What a mistake does to scopes: those of one way find the same. */
enum di_scope_way {
	DI_SCOPE_PLAIN,        /* nothing */
	DI_SCOPE_TIMELESS,     /* a name means the innermost variable, declared or not */
	DI_SCOPE_BY_HALVES,    /* di_scope_holds_by_half() */
	DI_SCOPE_DECLARATIONS, /* di_scope_has_declarations() */
	DI_SCOPE_HOLLOW,       /* di_scope_has_hollow() */
	DI_SCOPE_SHALLOW,      /* di_scope_is_shallow() */
	DI_SCOPE_HIDING,       /* that, and timeless, and of several of a name another is meant */
};
enum di_scope_way di_scope_way(enum di_mistake mistake);
/* Trees of blocks: without a mistake, and with those that make others. */
enum di_scope_tree {
	DI_TREE_PLAIN,
	DI_TREE_DECLARATIONS, /* mere declarations are variables */
	DI_TREE_HOLLOW,       /* those of a block without code are of the block around it */
	DI_TREE_SHALLOW,      /* what is left out is looked for among direct children only */
	DI_TREE_COUNT,
};

/* The trees of blocks that it needs: those of ways that differ in no more than what is found in a
 * tree are the same. */
enum di_scope_tree di_scope_tree(enum di_scope_way way);

/* Whether a mere declaration in a function counts as a variable of it. */
bool di_scope_has_declarations(enum di_mistake mistake);
/* Whether the variables of a block without code are those of the block around it. */
bool di_scope_has_hollow(enum di_mistake mistake, Dwarf_Die *die);
/* Whether a concrete block is compared with its abstract instance by the direct children of both,
 * so that one that is further inside counts as left out. */
bool di_scope_is_shallow(enum di_mistake mistake);
/* Whether the variables of an abstract entry are those of the block around it: a block without
 * code, or an inlined call of which nothing says where it is. */
bool di_scope_is_transparent(Dwarf_Die *die);
/* Whether a name means the innermost variable, declared or not. */
bool di_scope_is_timeless(enum di_mistake mistake);

/* Notes which children of the abstract instance those of a concrete one are instances of. */
void di_scope_note_children(Dwarf_Die *die, Dwarf_Die *abstract, struct xs_map *noted);

/* Whether a block holds a pc as lldb finds it: by halving its ranges, empty ones too, as if they
 * were in order and did not overlap. */
bool di_scope_holds_by_half(const struct di_unit *unit, const Dwarf_Die *die, xs_addr pc);
/* Whether lldb gets from an inlined call at a pc to the function around it. It looks for the pc in
 * the call's ranges once more, these being in order now: but for those of blocks inside that the
 * call's do not hold, which were added at their end. An empty one where the call's code ends is
 * such a range. *begin: where the range begins that holds the pc; lldb goes on from there. */
bool di_scope_leads_out(const struct di_unit *unit, const Dwarf_Die *function,
	const Dwarf_Die *block, xs_addr pc, xs_addr *begin);

#endif
