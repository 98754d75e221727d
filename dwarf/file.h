/* file.h - an ELF file that is open: the program, its separate debug file, a dwz file, a core.
 *
 * It knows sections and where the file ends, and nothing of what is in them. Whatever it hands out
 * lives as long as the file stays open. */
#ifndef DI_FILE_H
#define DI_FILE_H

#include <gelf.h>

#include "base/error.h"
#include "dwarf/cursor.h"

struct di_file {
	char *path;                  /* as it was opened */
	int fd;                      /* keeps the file for libelf */
	Elf *elf;                    /* libelf's view of it */
	uint64_t size;               /* bytes in the file */
	XS_VEC(void *) uncompressed; /* what libelf has for sections that it could not uncompress */
};

/* Opens a regular file whose ELF header can be read; `what` says in the refusal what it ought to
 * be ("a program"). Messages begin with the path. */
XS_MUST_CHECK struct xs_error *di_file_open(
	const char *path, const char *what, struct di_file **ret);
void di_file_destroy(struct di_file *file);
XS_DEFINE_CLEANUP(di_file);

/* Whether the section table, the sections or the loaded segments end inside the file; libelf would
 * read on and see nothing. Messages do not name the file. Sections are checked in files of which
 * nothing else matters: a program runs without them. */
XS_MUST_CHECK struct xs_error *di_file_check_table(const struct di_file *file);
XS_MUST_CHECK struct xs_error *di_file_check_sections(const struct di_file *file);
XS_MUST_CHECK struct xs_error *di_file_check_segments(const struct di_file *file);
/* How many bytes may come out of all that is compressed in the file: several times what debug
 * information ever comes to, and no more than the file's size answers for. */
uint64_t di_file_uncompressed_most(const struct di_file *file);
/* Uncompresses debug sections in libelf's copy, so that libdw and we read the same bytes. */
XS_MUST_CHECK struct xs_error *di_file_uncompress(struct di_file *file);

/* The name of a section, "" if it has none. */
const char *di_section_name(Elf *elf, const GElf_Shdr *header);
/* The section of that name (`.zdebug_x` is taken for `.debug_x`) with content in this file, or
 * NULL. */
Elf_Scn *di_section_find(Elf *elf, const char *name, GElf_Shdr *header);
/* A cursor over the section's bytes as they stand; empty if there is no such section. */
XS_MUST_CHECK struct xs_error *di_section_read(Elf *elf, const char *name, struct di_cursor *ret);

#endif
