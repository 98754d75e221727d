/* mapped.h - what a process has mapped from files, and what is loaded by that (dwarf/loads.h). */
#ifndef ORA_MAPPED_H
#define ORA_MAPPED_H

#include "dwarf/loads.h"
#include "engine/process.h"

/* Reads /proc/PID/maps. *ret is empty before, and the caller's to deinit, whatever happens. */
XS_MUST_CHECK struct xs_error *ora_mapped_read(
	const struct eng_process *process, struct di_loads *ret);

#endif
