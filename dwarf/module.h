/* module.h - one ELF file with what xstep knows about its code: lines and functions.
 *
 * The debug information may be in other files (debugfile.h): the DWARF, and symbols that the
 * program does not have, then come from there; code, entry and program headers are always the
 * program's.
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
#include "base/map.h"
#include "dwarf/cursor.h"
#include "dwarf/debugfile.h"
#include "dwarf/file.h"
#include "dwarf/function.h"
#include "dwarf/line.h"

/* Who makes these of a module includes this header, and not the other way round. */
struct di_unit;
struct di_unit_sections;
struct di_types;
struct di_scope_tables;
struct di_callsites;
struct di_tails;
struct di_plans;
struct di_symbols;
struct di_cfi;
struct di_split;
struct di_names;

/* What the module's code is known by, best first. */
enum di_knowledge {
	DI_KNOW_LINES,   /* a line table */
	DI_KNOW_SYMBOLS, /* function symbols only */
	DI_KNOW_NOTHING, /* stripped: executable sections only */
};

struct di_module {
	char *path;               /* as it was opened */
	char *name;               /* last component of path */
	struct di_file *file;     /* the file itself */
	Elf *elf;                 /* libelf's view of it */
	struct di_file *separate; /* its separate debug file, NULL if it has none */
	struct di_file *packed;   /* symbols that it carries compressed (symtab.h), or NULL */
	int data16;               /* see di_module_has_data16(); 0: nobody asked yet */
	Elf *debug_elf;           /* the file with the .debug_ sections: one of the two */
	Dwarf *dwarf;             /* its debug information, NULL if it has none */
	struct di_supplement supplement; /* what dwz moved out of the debug information */
	bool program;                    /* an executable, not a shared object */
	xs_addr entry;                   /* e_entry */
	struct xs_ranges code;           /* what is executable */
	struct xs_ranges image;          /* what is loaded, .bss included */
	struct xs_ranges sections;       /* what of that is in a section; empty without a table */
	struct di_lines lines;           /* pc to row */
	struct di_functions *functions;  /* pc to function; NULL while it is opened */
	enum di_knowledge knowledge;     /* where `interest` comes from */
	struct xs_ranges interest;       /* the code that is worth stopping in */

	/* Made when first asked for: immutable to everybody but those who make them. */
	XS_VEC(struct di_unit *) units; /* unit.h */
	XS_VEC(struct di_unit_sections *) unit_sections;
	struct xs_map unit_index;       /* libdw's unit or file -> index into these, plus 1 */
	struct xs_map type_units;       /* type_unit.c */
	struct di_split *split;         /* split.h */
	struct di_names *names;         /* name.h */
	struct di_types *types;         /* type.h */
	struct di_scope_tables *scopes; /* scope.h */
	struct di_callsites *callsites; /* callsite.h */
	struct di_tails *tails;         /* tailcall.h */
	struct di_plans *plans;         /* view.h */
	struct di_symbols *symbols;     /* symbol.h */
	struct di_cfi *cfi;             /* call frame information, once asked for (cfi.h) */
};

/* Opens an x86-64 executable or shared object. Refuses what is not one, is cut short, or carries a
 * line table that cannot be read, and says where. */
XS_MUST_CHECK struct xs_error *di_module_open(const char *path, struct di_module **ret);
/* Opens it, told where its debug information is; options may be NULL. */
XS_MUST_CHECK struct xs_error *di_module_open_with(
	const char *path, const struct di_module_options *options, struct di_module **ret);
void di_module_destroy(struct di_module *module);
XS_DEFINE_CLEANUP(di_module);

/* What the addresses of a program are off by where the kernel loads it when nothing is random.
 * False if only a process can tell: position-independent, and no loader. */
bool di_module_position(const struct di_module *module, uint64_t *ret);
/* Whether a link-time address is in one of the loaded segments, .bss included. */
bool di_module_holds(const struct di_module *module, xs_addr addr);
/* Whether a link-time address is that of something that the linker threw away: 0, 1, -1 or -2, by
 * linker and section, or what these lead to in the ELF header. Nothing that is there begins outside
 * of all sections but inside of what is loaded; other addresses (of a device, say) are what they
 * are. */
bool di_module_discarded(const struct di_module *module, xs_addr addr);
/* What the file has at a link-time address, *size bytes; NULL if nothing is loaded there. */
const uint8_t *di_module_bytes(const struct di_module *module, xs_addr addr, size_t *size);
/* A cursor over the uncompressed bytes of a section; empty if there is no such section. Debug
 * sections come from the file that has them. */
XS_MUST_CHECK struct xs_error *di_module_section(
	const struct di_module *module, const char *name, struct di_cursor *ret);
/* The version of the library that parses, as text. */
const char *di_module_library(void);

#endif
