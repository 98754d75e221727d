/* symbol.h - the name of an address: `table+8`, from the symbol table. */
#ifndef DI_SYMBOL_H
#define DI_SYMBOL_H

#include "dwarf/module.h"

/* The function or object that a link-time address lies in, and how far; NULL if none does. The
 * name lives as long as the module. */
const char *di_symbol_at(struct di_module *module, xs_addr address, uint64_t *offset);

/* For di_module_destroy(). */
struct di_symbols;
void di_symbols_destroy(struct di_symbols *symbols);

#endif
