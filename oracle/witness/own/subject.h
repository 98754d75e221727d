/* subject.h - the executable being traced, with the modules of it that are of interest.
 *
 * The engine speaks in addresses of the process, the DWARF in link-time addresses. A subject
 * knows both and answers what is at a place. What it finds out about a pc it keeps: a loop of a
 * million rounds looks each of its instructions up once. */
#ifndef ORA_SUBJECT_H
#define ORA_SUBJECT_H

#include "base/map.h"
#include "dwarf/loads.h"
#include "dwarf/module.h"
#include "engine/process.h"

struct ora_file_mark {
	uint64_t device, inode, size; /* stat(2)'s */
	int64_t seconds, nanoseconds; /* when it was last changed */
};

#define ORA_HOMELESS UINT64_MAX

/* A file that was loaded: one for each place that it was loaded at. */
struct ora_module {
	struct di_module *info;    /* what is known about its code */
	bool again;                /* info is not its own: see ora_subject_module_at() */
	uint64_t bias;             /* process address - link-time address */
	uint64_t home;             /* home address (engine/home.h) - link-time address, of the first
				    * of its file; ORA_HOMELESS if it is not of interest */
	struct ora_file_mark mark; /* of the file */
};

/* The control facts of one pc. */
struct ora_place {
	size_t index;             /* from 0 in the order of asking; to keep things by */
	struct di_module *module; /* which it lies in; it works out what it is asked for */
	bool main;                /* whether that is the executable itself */
	xs_addr pc;               /* link-time address */
	const char *function;     /* out-of-line function, NULL if unknown */
	int64_t offset;           /* pc - the function's entry */
	const struct di_row *row; /* its row of the line table, NULL if it has none */
	const char *file;         /* the row's path joined to its directory, NULL likewise */
};

struct ora_subject {
	XS_VEC(struct ora_module) modules; /* the executable first; then whatever was asked for */
	struct xs_ranges ranges;           /* of interest, in process addresses */
	char *debug_root;                  /* where debug files are looked for, NULL: the usual */
	struct xs_map known;               /* home address -> index into places, plus 1 */
	XS_VEC(struct ora_place *) places; /* every pc that was asked for */
};

/* options say where the debug information is and may be NULL. */
XS_MUST_CHECK struct xs_error *ora_subject_create(
	const char *path, const struct di_module_options *options, struct ora_subject **ret);
void ora_subject_destroy(struct ora_subject *subject);
XS_DEFINE_CLEANUP(ora_subject);

/* The process runs: learns where the executable was loaded. */
XS_MUST_CHECK struct xs_error *ora_subject_locate(
	struct ora_subject *subject, struct eng_process *process);
/* The module of the file at path that was loaded so: the one that is there, or a new one, which is
 * not of interest. */
XS_MUST_CHECK struct xs_error *ora_subject_module_at(struct ora_subject *subject, const char *path,
	const struct di_load *load, const struct ora_module **ret);

/* A module that is loaded becomes of interest: it is part of the ranges, and has a home, less its
 * link-time address, which is returned. */
uint64_t ora_subject_take_interest(struct ora_subject *subject, const struct ora_module *module);
/* Only the executable itself is of interest. Homes stay. */
void ora_subject_lose_interest(struct ora_subject *subject);

/* What is at a home address that is, or was, of interest. Lives as long as the subject. */
const struct ora_place *ora_subject_place(struct ora_subject *subject, xs_addr pc);

#endif
