/* core.h - an ELF core file as a machine state: what a process was when it died.
 *
 * Rules:
 * 1. The thread is the first in the file: by convention the one that crashed.
 * 2. Memory comes from the core. Where the core leaves out what can be read from a file (code,
 *    constants), it comes from that file, if that is still the file that was mapped: behind the ELF
 *    header, its first page must be the core's. What neither has cannot be read: never a made-up 0.
 * 3. A module is opened when an address in it is first asked for, and lives as long as the core. */
#ifndef DI_CORE_H
#define DI_CORE_H

#include <sys/user.h>

#include "base/xstate.h"
#include "dwarf/loads.h"
#include "dwarf/target.h"

/* Memory that the core describes. */
struct di_core_segment {
	xs_addr lo, hi;   /* where it was */
	uint64_t offset;  /* where its bytes are in the core */
	uint64_t present; /* how many of them are there, from lo on */
	bool code;        /* whether it was executable */
};

/* A file that was mapped. */
struct di_core_file {
	bool opened;              /* whether fd was tried */
	int fd;                   /* -1: it cannot be read or is not the file it was */
	bool tried;               /* whether the module was tried */
	struct di_module *module; /* what it is, NULL if it cannot be had */
};

struct di_core {
	struct di_target target;          /* what to give to the rest of dwarf/ */
	struct di_file *file;             /* the core itself */
	struct di_module_options options; /* how modules are opened */
	char *debug_file, *debug_root;    /* the strings of options */
	int signal;                       /* what it died of, 0 if nothing */
	struct user_regs_struct regs;     /* of the first thread */
	size_t threads;                   /* how many the core has; the first is described */
	bool has_xstate;                  /* whether the core has its extended registers */
	struct xs_xstate xstate;          /* the extended ones */
	xs_addr entry;                    /* AT_ENTRY: lies in the executable; 0 if unknown */
	size_t executable;                /* index into files, SIZE_MAX if unknown */
	struct di_loads loads;            /* what was mapped, and what that means */
	XS_VEC(struct di_core_segment) segments; /* by lo */
	XS_VEC(struct di_core_file) files;       /* those of loads */
	XS_VEC(struct di_mapping *) mappings;    /* what was handed out */
};

/* Opens a core file. program is the executable, in case it is no longer where the process had it,
 * and may be NULL; one that is not the core's is an error. options are for the executable, and may
 * be NULL. */
XS_MUST_CHECK struct xs_error *di_core_open(const char *path, const char *program,
	const struct di_module_options *options, struct di_core **ret);
void di_core_destroy(struct di_core *core);
XS_DEFINE_CLEANUP(di_core);

#endif
