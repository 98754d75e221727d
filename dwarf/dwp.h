/* dwp.h - a package of split units (.dwp): an index says which part of each section is whose.
 *
 * The format, twice: .debug_cu_index for compile units, by their dwo_id; .debug_tu_index for type
 * units, by their signature.
 *
 *	version: 2 (GNU, for DWARF 4) or 5              2 bytes, and 2 of padding
 *	columns, rows, slots                            4 bytes each
 *	slots x id                                      8 bytes each; a hash table
 *	slots x row, from 1; 0: nothing in this slot    4 bytes each
 *	columns x section                               4 bytes each: DW_SECT_
 *	rows x columns x offset                         4 bytes each
 *	rows x columns x size                           4 bytes each
 *
 * .debug_str.dwo is not in the index: all units share it. Nothing is taken on trust: what does not
 * fit into its section is an error when the unit is asked for. */
#ifndef DI_DWP_H
#define DI_DWP_H

#include "base/map.h"
#include "dwarf/cursor.h"
#include "dwarf/file.h"
#include "dwarf/image.h"

struct di_dwp_index {
	unsigned version;       /* 2 or 5; 0: there is none */
	uint32_t columns, rows; /* how many */
	struct xs_map row_of;   /* id -> row, from 1 */
	struct di_cursor table; /* from the row of sections on */
};

struct di_dwp {
	struct di_file *file; /* NULL if the bytes are somebody else's */
	Elf *elf;
	struct di_dwp_index units; /* by dwo_id */
	struct di_dwp_index types; /* by signature */
};

/* Opens a package. Messages do not name it. */
XS_MUST_CHECK struct xs_error *di_dwp_open(const char *path, struct di_dwp **ret);
void di_dwp_destroy(struct di_dwp *package);
XS_DEFINE_CLEANUP(di_dwp);

/* Reads one of the indexes from the bytes of its section. */
XS_MUST_CHECK struct xs_error *di_dwp_index_read(struct di_cursor at, struct di_dwp_index *ret);
void di_dwp_index_deinit(struct di_dwp_index *index);

/* What the unit of an index has of section `wanted` (DW_SECT_); false if it has none. */
bool di_dwp_part(const struct di_dwp_index *index, uint64_t id, unsigned wanted, uint64_t *offset,
	uint64_t *size);

/* An image of the unit with that id, *ret closed if the package has none. */
XS_MUST_CHECK struct xs_error *di_dwp_unit(const struct di_dwp *package,
	const struct di_dwp_index *index, uint64_t id, struct di_image *ret);

#endif
