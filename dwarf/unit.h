/* unit.h - a unit of the debug information: what its DIEs and expressions need to be understood.
 *
 * A unit is made when a DIE of it is first looked at and lives as long as its module. Bytes come
 * from the file that holds the DIE: the program, a separate debug file, or a .dwo. Addresses, and
 * what finds them, always come from the program: of a split unit, from its skeleton. */
#ifndef DI_UNIT_H
#define DI_UNIT_H

#include "dwarf/module.h"
#include "dwarf/op.h"

struct di_unit {
	struct di_module *module;  /* whose */
	Dwarf_CU *cu;              /* libdw's */
	Dwarf *dwarf;              /* the file that its DIEs are in */
	Dwarf_Die die;             /* the unit's own DIE */
	struct di_expr_unit expr;  /* for the evaluator; bias is the caller's business */
	const char *name;          /* DW_AT_name, "" if it has none */
	bool is_split;             /* its DIEs are not in the program: split.h */
	Dwarf_Die skeleton;        /* what the program has of it: the same as die, unless split */
	xs_addr base;              /* base address of its lists: DW_AT_low_pc */
	uint64_t addr_base;        /* where its part of .debug_addr begins */
	uint64_t loclists_base;    /* where its table of location lists begins */
	uint64_t rnglists_base;    /* where its table of range lists begins */
	uint64_t ranges_base;      /* added to offsets in .debug_ranges: DW_AT_GNU_ranges_base */
	struct di_cursor info;     /* .debug_info, or .debug_types if it is there */
	struct di_cursor addr;     /* .debug_addr */
	struct di_cursor loc;      /* .debug_loc: lists before DWARF 5 */
	struct di_cursor loclists; /* .debug_loclists */
	struct di_cursor ranges;   /* .debug_ranges: lists before DWARF 5 */
	struct di_cursor rnglists; /* .debug_rnglists */
	int optimised;             /* see di_unit_is_optimised(); 0: nobody asked yet */
};

/* The unit of a DIE. */
struct di_unit *di_unit_of(struct di_module *module, Dwarf_Die *die);
/* Whether two programs can be told to have no source in common: each has named units, and no name,
 * folders aside, is in both. */
bool di_units_are_foreign(struct di_module *one, struct di_module *other);
/* Whether a unit says that it has code at a pc: DW_AT_ranges, or DW_AT_low_pc and _high_pc. */
bool di_unit_claims(struct di_module *module, xs_addr pc);
/* Entry `index` of the unit's part of .debug_addr, at link time. False if there is none. */
bool di_unit_address(const struct di_unit *unit, uint64_t index, xs_addr *ret);
/* What an attribute of the unit says, of class address: as it stands, or by an index. False if it
 * is something else, or cannot be read. */
bool di_unit_form_address(const struct di_unit *unit, Dwarf_Attribute *attr, xs_addr *ret);
/* The same of class constant or offset into a section, where libdw would look for that section. */
bool di_unit_form_number(const struct di_unit *unit, Dwarf_Attribute *attr, uint64_t *ret);
/* The files that numbers in the unit's DIEs refer to. False if there are none. */
bool di_unit_files(struct di_unit *unit, Dwarf_Files **ret, size_t *count);
/* DW_AT_comp_dir, or NULL. */
const char *di_unit_folder(const struct di_unit *unit);
/* Whether the compiler optimised, as far as can be told. */
bool di_unit_is_optimised(const struct di_unit *unit);
/* A DIE of the unit's file by its offset in .debug_info; false if there is none. */
bool di_unit_die_at(const struct di_unit *unit, uint64_t offset, Dwarf_Die *ret);

/* The type that a type unit describes (-fdebug-types-section), by its signature, for a reference
 * (DW_FORM_ref_sig8) in a unit of libdw's. False if there is no such type unit. */
bool di_unit_type_by_signature(
	struct di_module *module, Dwarf_CU *cu, uint64_t signature, Dwarf_Die *ret);

/* What made the unit of the code at a link-time pc: its DW_AT_producer, or NULL. */
const char *di_unit_producer(struct di_module *module, xs_addr pc);

/* Whether an entry of some unit has an attribute of the form DW_FORM_data16. (lldb 15 does not know
 * the form, and then reads none of the file's units.) */
bool di_module_has_data16(struct di_module *module);

/* For di_module_destroy(). */
void di_units_destroy(struct di_module *module);

#endif
