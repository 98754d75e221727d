/* line.h - from an address to the row of the line table that covers it.
 *
 * xstep runs the line number programs itself (DWARF 2 to 5): the order of rows at one address and
 * the borders of sequences decide what a debugger shows, and a library that sorts rows loses both.
 *
 * Rules:
 * 1. A sequence covers [lo, hi), hi being the address of its end_sequence. Sequences that the
 *    linker discarded (outside the executable sections) and empty ones are dropped.
 * 2. All rows of a sequence are kept, in the order of the program; several may share an address.
 * 3. The row of a pc is the last one at the greatest address <= pc in its sequence, whatever its
 *    is_stmt, line 0 included.
 *
 * All programs are run when a module is opened: what they cover, and whether they can be read, must
 * be known. The rows of a table are kept when one of them is asked for, so that a large program
 * costs what is looked at. Who walks from a row that was found sees all rows of its sequence; who
 * walks through all calls di_lines_keep_all() first. */
#ifndef DI_LINE_H
#define DI_LINE_H

#include <elfutils/libdw.h>

#include "base/addr.h"
#include "base/error.h"

struct di_module;
struct di_line_source;

#define DI_NO_FILE UINT32_MAX

struct di_row {
	xs_addr address;        /* of the first instruction it describes */
	uint32_t file;          /* index into di_lines.files, DI_NO_FILE if the table has no such */
	uint32_t line;          /* 0: code that no source line stands for */
	uint32_t column;        /* 0: unknown */
	uint32_t discriminator; /* which of several blocks on that line */
	bool is_stmt;           /* a good place for a breakpoint */
	bool basic_block;       /* begins one */
	bool prologue_end;      /* a good place for a breakpoint on the function */
	bool epilogue_begin;    /* last place before the frame goes */
	bool end_sequence;      /* describes no code: ends the sequence */
};

struct di_sequence {
	xs_addr lo, hi;    /* what it covers */
	xs_addr reach;     /* greatest hi of this and all sequences before it */
	size_t first, end; /* its rows, the end_sequence row being the last */
	uint32_t file;     /* that of its first row */
	size_t table;      /* number of its table */
};

/* One line number program, which units refer to. */
struct di_line_table {
	uint64_t offset;       /* in .debug_line */
	const char *directory; /* DW_AT_comp_dir of the first such unit */
	size_t first, end;     /* its rows */
	uint32_t first_file;   /* its files are numbered from here on, */
	uint32_t end_file;     /* up to here */
	bool kept;             /* whether its rows are there; else only those that end sequences */
};

struct di_line_store;
void di_line_store_destroy(struct di_line_store *store);

struct di_lines {
	XS_VEC(struct di_row) rows;           /* of all sequences, as far as they are kept */
	XS_VEC(struct di_sequence) sequences; /* by lo */
	XS_VEC(char *) files;                 /* path joined to its directory */
	struct di_line_store *store;          /* where rows come from; NULL: all are kept */
};

/* Reads every line table that a unit of the module refers to. */
XS_MUST_CHECK struct xs_error *di_lines_load(struct di_module *module);
/* Reads the line tables of any DWARF whose sections are at hand, see line_program.h. What source
 * points to must live as long as lines. */
XS_MUST_CHECK struct xs_error *di_lines_read(
	Dwarf *dwarf, const struct di_line_source *source, struct di_lines *lines);
void di_lines_deinit(struct di_lines *lines);

/* The row of pc, or NULL if no sequence covers it: that is a result, and not the same as a row
 * with line 0. */
const struct di_row *di_lines_find(const struct di_lines *lines, xs_addr pc);
/* Keeps the rows of all tables, or of the table of one sequence. */
void di_lines_keep_all(const struct di_lines *lines);
void di_lines_keep(const struct di_lines *lines, const struct di_sequence *sequence);
/* Whether the table of a sequence knows a file for which is_it() holds. */
bool di_lines_know(const struct di_lines *lines, const struct di_sequence *sequence,
	bool (*is_it)(const char *path, const char *file), const char *file);
/* The path of a row's file, or NULL. */
const char *di_lines_file(const struct di_lines *lines, const struct di_row *row);

#endif
