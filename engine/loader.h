/* loader.h - where the dynamic loader tells that shared objects came or went.
 *
 * It tells debuggers: DT_DEBUG of the executable leads to a struct r_debug, and that names an empty
 * function, called before and after each change. After a load this is when the new code has been
 * mapped but nothing of it has run: neither its resolvers of ifuncs nor its constructors. After an
 * unload nothing of it is left. */
#ifndef ENG_LOADER_H
#define ENG_LOADER_H

#include <elf.h>

#include "engine/process.h"

/* The last program header of that type of the executable, and what its addresses are off by in the
 * process. False if it has none, or nobody can tell. The file is asked, for the headers need not be
 * loaded; the entry point tells the rest, for PT_PHDR need not be there. */
bool eng_loader_header(struct eng_process *process, uint32_t type, Elf64_Phdr *ret, uint64_t *bias);
/* The address of that function; XS_ADDR_NONE if there is none, as in a static program. The loader
 * has done its first work: the program has reached its entry. */
XS_MUST_CHECK struct xs_error *eng_loader_find(struct eng_process *process, xs_addr *ret);

#endif
