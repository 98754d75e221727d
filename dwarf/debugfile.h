/* debugfile.h - finds the files that hold a program's debug information when it is not in the
 * program itself.
 *
 * Rules:
 * 1. A separate debug file is looked for as debuggers do it: by build-id under the debug root; by
 *    the name in .gnu_debuglink beside the program, in .debug/ there, and under the debug root; at
 *    last from debuginfod, if DEBUGINFOD_URLS is set. A file that the user named comes before all.
 * 2. Nothing is taken on trust: a file found by build-id must have that build-id, one found by
 *    debuglink must have its CRC. A file that does not fit, or is cut short, is warned of by name
 *    and left alone; if the user named it, that is an error.
 * 3. A supplementary file (dwz: .gnu_debugaltlink, .debug_sup) is looked for by its name and by its
 *    build-id, and must have that build-id. */
#ifndef DI_DEBUGFILE_H
#define DI_DEBUGFILE_H

#include <elfutils/libdw.h>

#include "dwarf/file.h"

#define DI_DEBUG_ROOT "/usr/lib/debug"

/* Zero-initialised, or no options at all, means the defaults. */
struct di_module_options {
	const char *debug_file; /* the separate debug file; NULL: look for one if need be */
	const char *debug_root; /* the folder with .build-id/; NULL: DI_DEBUG_ROOT */
};

/* The file that a dwz'd one refers to. */
struct di_supplement {
	struct di_file *file; /* NULL: none was needed, or none was found */
	Dwarf *dwarf;         /* what libdw reads in its place: the file's, or empty; or NULL */
};

/* The separate debug file of program, or NULL if there is none. It is complete, and it has debug
 * information or at least symbols. */
XS_MUST_CHECK struct xs_error *di_debugfile_find(const struct di_file *program,
	const struct di_module_options *options, struct di_file **ret);

/* The CRC-32 of .gnu_debuglink, which is that of gzip and PNG. */
uint32_t di_debugfile_crc(const uint8_t *bytes, size_t size);

/* Finds the supplementary file of the DWARF in `file`, if it has one, and makes it known to dwarf.
 * End dwarf before the supplement. */
void di_supplement_init(struct di_supplement *supplement, const struct di_file *file, Dwarf *dwarf,
	const struct di_module_options *options);
void di_supplement_deinit(struct di_supplement *supplement);

#endif
