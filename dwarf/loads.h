/* loads.h - where files were loaded: from what a process has mapped to the bias of each module.
 *
 * A mapping tells which bytes of a file are where, and not which of the file's segments put them
 * there. Two segments may share a page of the file, which is then mapped twice, at addresses that
 * differ from the file's by different amounts (lld's layout): where a byte of the file is does not
 * tell what an address is off by. So each mapping is explained by a segment, and of all ways to do
 * so the one is taken that explains the most mappings of the file, with the rights that they have.
 *
 * Rules:
 * 1. What is loaded has code that is mapped executable: a program that merely reads a file does not
 *    run it.
 * 2. A file may be loaded several times. What one load explains, no other does.
 * 3. A file is opened when it is first asked for, once.
 * 4. A mapping that no segment explains belongs to no load: better nothing than another's names. */
#ifndef DI_LOADS_H
#define DI_LOADS_H

#include "base/addr.h"

/* A stretch of a file that is mapped. */
struct di_stretch {
	xs_addr lo, hi;  /* where */
	uint64_t offset; /* of its first byte in the file */
	bool code;       /* whether it is executable */
	size_t file;     /* index into di_loads.files */
	bool taken;      /* whether a load explains it */
};

/* A segment of a file that is to be loaded. */
struct di_segment {
	xs_addr address; /* at link time */
	uint64_t offset; /* of its first byte in the file */
	uint64_t size;   /* bytes that come from the file */
	uint64_t memory; /* bytes in memory, .bss included */
	bool code;       /* whether it is executable */
};

struct di_segments {
	XS_VEC(struct di_segment) vec;
};

/* A file that is mapped, from wherever. */
struct di_loads_file {
	char *path;                  /* as the process has it */
	bool tried;                  /* whether it was looked at */
	struct di_segments segments; /* none: it could not be read, or is no ELF file */
};

/* One load of a file. */
struct di_load {
	size_t file;    /* index into di_loads.files */
	xs_addr lo, hi; /* all its segments, with the pages that they begin and end in */
	uint64_t bias;  /* process address - link-time address */
};

struct di_loads {
	/* Set by the caller: a descriptor of a file, -1 if it cannot be had. NULL: opens its path.
	 */
	int (*open)(void *arg, size_t file);
	void *arg;

	XS_VEC(struct di_stretch) stretches; /* by lo: they are added in that order */
	XS_VEC(struct di_loads_file) files;  /* in the order in which they were met */
	XS_VEC(struct di_load) list;         /* what was found out; see below */
};

/* Adds a mapping; they come by address. */
void di_loads_add(struct di_loads *loads, const char *path, struct di_stretch stretch);
/* The load that has addr in one of its segments or between them, or NULL. */
const struct di_load *di_loads_at(struct di_loads *loads, xs_addr addr);
/* The file whose code is mapped at addr, SIZE_MAX if there is none: to name what di_loads_at() does
 * not know. */
size_t di_loads_file_at(const struct di_loads *loads, xs_addr addr);
/* Finds all loads, which are then in the list, by address. */
void di_loads_find_all(struct di_loads *loads);
void di_loads_deinit(struct di_loads *loads);

/* The segments that the program headers of a file list; none if it is no 64-bit ELF file. */
void di_segments_read(int fd, struct di_segments *ret);

#endif
