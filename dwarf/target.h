/* target.h - a machine state: registers and memory, wherever they come from.
 *
 * All that dwarf/ knows of a process. A live tracee, a core file and a test's byte array each
 * provide one. It describes the innermost frame of one thread, stopped; nothing in it changes while
 * it is being looked at. */
#ifndef DI_TARGET_H
#define DI_TARGET_H

#include "base/addr.h"
#include "dwarf/module.h"
#include "dwarf/reg.h"

/* A module and where it was loaded. */
struct di_mapping {
	struct di_module *module;
	uint64_t bias; /* process address - link-time address */
};

struct di_target {
	void *arg; /* first argument of every callback */
	/* The content of a register, little-endian, and its size in bytes; false if this machine
	 * state does not have it. */
	bool (*reg)(void *arg, unsigned reg, uint8_t bytes[DI_REG_BYTES], unsigned *size);
	/* All size bytes at addr; false if any of them cannot be read. */
	bool (*memory)(void *arg, xs_addr addr, void *ret, size_t size);
	/* Optional, both: a mark of now, and whether the bytes are certainly those that they were
	 * at such a mark. */
	uint64_t (*mark)(void *arg);
	bool (*is_same)(void *arg, xs_addr addr, size_t size, uint64_t mark);
	/* The module whose code or data holds a process address; NULL if none does. */
	const struct di_mapping *(*find)(void *arg, xs_addr addr);
};

#endif
