/* machine.h - a live process as the machine state that dwarf/ reads.
 *
 * Rules:
 * 1. It describes the followed thread of the process, stopped. Nothing is kept from one stop to the
 *    next but the modules: registers and memory are the tracee's, fetched once per stop.
 * 2. A module is opened when an address in it is first asked for. The subject owns it, so that a
 *    module is opened once, whoever needs it.
 * 3. The list of what is loaded is read again when an address is in none of it (dlopen), once for
 *    each such address. What was unloaded is noticed then, too.
 * 4. Where the executable is, its entry point tells: no mapping is needed for that. */
#ifndef ORA_MACHINE_H
#define ORA_MACHINE_H

#include "dwarf/loads.h"
#include "dwarf/target.h"
#include "oracle/witness/own/subject.h"

/* A file that the process has loaded, or could not be read. */
struct ora_loaded {
	char *path;                /* as /proc/PID/maps has it */
	uint64_t bias;             /* process address - link-time address */
	struct di_mapping mapping; /* its module, NULL if it could not be opened */
};

struct ora_machine {
	struct di_target target;     /* what to give to dwarf/ */
	struct eng_process *process; /* whose state it is */
	struct ora_subject *subject; /* owns the modules */
	struct di_mapping program;   /* the executable's */
	struct di_loads mapped;      /* what is mapped, as it was last read */
	XS_VEC(struct ora_loaded *)
	loaded;                /* all that was asked for: somebody may still hold the
					     * mapping of what is gone */
	struct xs_map unknown; /* page numbers that were in no module (rule 3) */
};

/* The subject has been located in the process; both outlive the machine. */
XS_MUST_CHECK struct xs_error *ora_machine_create(
	struct eng_process *process, struct ora_subject *subject, struct ora_machine **ret);
void ora_machine_destroy(struct ora_machine *machine);
XS_DEFINE_CLEANUP(ora_machine);

/* What is loaded has changed: reads the list again. */
XS_MUST_CHECK struct xs_error *ora_machine_reload(struct ora_machine *machine);

#endif
