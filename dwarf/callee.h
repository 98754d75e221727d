/* callee.h - whether a call goes to the function of a name: one of the module's own, or one of
 * another module, by way of the PLT or of a slot that the dynamic linker fills.
 *
 * Rules:
 * 1. Code goes by the names of all symbols at its address, without their versions, and by that of
 *    the subprogram that begins there.
 * 2. An entry of the PLT is a jump by a slot, at its beginning. It stands for what the slot does.
 * 3. A slot stands for the symbol of its relocation (JUMP_SLOT, GLOB_DAT), or for the code that it
 *    is relocated to (RELATIVE, and IRELATIVE, whose resolver has the function's name).
 * 4. What cannot be made out has no name. */
#ifndef DI_CALLEE_H
#define DI_CALLEE_H

#include "dwarf/module.h"

/* Whether a link-time address is the entry of that function, or of its PLT entry. */
bool di_callee_is(struct di_module *module, xs_addr entry, const char *name);
/* Whether the address that a slot holds at first is the entry of that function. For a slot that
 * nobody writes later (di_callee_is_linked()), and those of the PLT. */
bool di_callee_slot_is(struct di_module *module, xs_addr slot, const char *name);
/* Whether the dynamic linker fills a slot with the address of a symbol, for good. */
bool di_callee_is_linked(const struct di_module *module, xs_addr slot);

#endif
