/* module.h - one ELF file with what xstep knows about its code: lines and functions.
 *
 * All addresses in here are link-time addresses: what the file says. Adding the load bias is the
 * caller's business. A module is immutable once opened, but for what it works out when it is first
 * asked and then keeps; everything it hands out lives as long as it does. */
#ifndef DI_MODULE_H
#define DI_MODULE_H

#include <elfutils/libdw.h>
#include <libelf.h>

#include "base/addr.h"
#include "base/error.h"
#include "dwarf/cursor.h"
#include "dwarf/function.h"
#include "dwarf/line.h"

/* What the module's code is known by, best first. */
enum di_knowledge {
	DI_KNOW_LINES,   /* a line table */
	DI_KNOW_SYMBOLS, /* function symbols only */
	DI_KNOW_NOTHING, /* stripped: executable sections only */
};

struct di_module {
	char *path;                    /* as it was opened */
	char *name;                    /* last component of path */
	int fd;                        /* keeps the file for libelf */
	Elf *elf;                      /* the file */
	Dwarf *dwarf;                  /* its debug information, NULL if it has none */
	xs_addr entry;                 /* e_entry */
	struct xs_ranges code;         /* what is executable */
	struct di_lines lines;         /* pc to row */
	struct di_functions functions; /* pc to function */
	enum di_knowledge knowledge;   /* where `interest` comes from */
	struct xs_ranges interest;     /* the code that is worth stopping in */
	struct di_cfi *cfi;            /* call frame information, once asked for (cfi.h) */
};

/* Opens an x86-64 executable or shared object. Refuses what is not one, is cut short, or carries a
 * line table that cannot be read, and says where. */
XS_MUST_CHECK struct xs_error *di_module_open(const char *path, struct di_module **ret);
void di_module_destroy(struct di_module *module);
XS_DEFINE_CLEANUP(di_module);

/* A cursor over the uncompressed bytes of a section; empty if there is no such section. */
XS_MUST_CHECK struct xs_error *di_module_section(
	const struct di_module *module, const char *name, struct di_cursor *ret);
/* The version of the library that parses, as text. */
const char *di_module_library(void);

#endif
