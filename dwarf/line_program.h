/* line_program.h - runs one line number program and keeps its rows.
 *
 * It knows the encoding (DWARF 5, 6.2) and nothing of files, units or processes, so a test can run
 * a program from an array of bytes. */
#ifndef DI_LINE_PROGRAM_H
#define DI_LINE_PROGRAM_H

#include "dwarf/cursor.h"
#include "dwarf/line.h"

struct di_line_source {
	struct di_cursor line;        /* .debug_line, whole */
	struct di_cursor line_str;    /* .debug_line_str, for DW_FORM_line_strp */
	struct di_cursor str;         /* .debug_str, for DW_FORM_strp */
	const struct xs_ranges *code; /* sequences that begin elsewhere were discarded */
	bool again;                   /* what is odd was said before */
};

/* Runs the program at offset of .debug_line and appends its sequences to lines. directory is the
 * unit's DW_AT_comp_dir (may be NULL): before DWARF 5 the table does not say it. */
XS_MUST_CHECK struct xs_error *di_line_program_run(const struct di_line_source *source,
	uint64_t offset, const char *directory, struct di_lines *lines);

#endif
