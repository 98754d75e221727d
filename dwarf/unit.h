/* unit.h - a unit of the debug information: what its DIEs and expressions need to be understood.
 *
 * A unit is made when a DIE of it is first looked at and lives as long as its module. Bytes come
 * from the file that holds the DIE: the program, a separate debug file, or a .dwo. */
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
	bool optimised;            /* whether the compiler optimised, as far as can be told */
	xs_addr base;              /* base address of its location lists: DW_AT_low_pc */
	uint64_t addr_base;        /* where its part of .debug_addr begins */
	uint64_t loclists_base;    /* where its table of location lists begins */
	struct di_cursor info;     /* .debug_info, for the offsets in messages */
	struct di_cursor addr;     /* .debug_addr */
	struct di_cursor loc;      /* .debug_loc: lists before DWARF 5 */
	struct di_cursor loclists; /* .debug_loclists */
};

/* The unit of a DIE. */
struct di_unit *di_unit_of(struct di_module *module, Dwarf_Die *die);
/* Entry `index` of the unit's part of .debug_addr, at link time. False if there is none. */
bool di_unit_address(const struct di_unit *unit, uint64_t index, xs_addr *ret);
/* A DIE of the unit's file by its offset in .debug_info; false if there is none. */
bool di_unit_die_at(const struct di_unit *unit, uint64_t offset, Dwarf_Die *ret);

/* The type that a type unit describes (-fdebug-types-section), by its signature, for a reference
 * (DW_FORM_ref_sig8) in a unit of libdw's. False if there is no such type unit. */
bool di_unit_type_by_signature(
	struct di_module *module, Dwarf_CU *cu, uint64_t signature, Dwarf_Die *ret);

/* What made the unit of the code at a link-time pc: its DW_AT_producer, or NULL. */
const char *di_unit_producer(struct di_module *module, xs_addr pc);

/* Whether the unit of the code at a link-time pc is C or assembler, or does not say what it is. */
bool di_unit_is_c(struct di_module *module, xs_addr pc);
/* Whether an entry of some unit has an attribute of the form DW_FORM_data16. (lldb 15 does not know
 * the form, and then reads none of the file's units.) */
bool di_module_has_data16(struct di_module *module);

/* For di_module_destroy(). */
void di_units_destroy(struct di_module *module);

#endif
