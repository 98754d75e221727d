/* symtab.h - the symbol tables of a module, wherever they are.
 *
 * All symbols are in .symtab, of the program or of its separate debug file. Where both are missing,
 * the program may carry the functions' symbols in .gnu_debugdata: an ELF file, xz-compressed, with
 * those that .dynsym does not have. */
#ifndef DI_SYMTAB_H
#define DI_SYMTAB_H

#include "dwarf/module.h"

enum { DI_SYMTABS = 2 }; /* tables of a module */

/* One table. */
struct di_symtab {
	Elf *elf;         /* the file that it is in */
	Elf_Data *data;   /* for gelf_getsym() */
	GElf_Shdr header; /* its section's */
};

/* The tables that a module's symbols are in; returns how many there are. complete says whether
 * every function has its symbol there, not only the exported ones. */
size_t di_symtabs_of(
	const struct di_module *module, struct di_symtab ret[static DI_SYMTABS], bool *complete);
/* The name of a symbol of the table; NULL if it has none. It lives as long as the module. */
const char *di_symtab_name(const struct di_symtab *table, const GElf_Sym *symbol);

/* The file in .gnu_debugdata of a program without .symtab; NULL if there is none. One that cannot
 * be read is warned of. */
struct di_file *di_symtab_unpack(const struct di_file *program);

#endif
