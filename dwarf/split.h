/* split.h - units whose DIEs are in a file of their own (-gsplit-dwarf).
 *
 * The program then holds a skeleton: addresses and the line table, and the name of the file with
 * the rest. That is a .dwo, an object (-gsplit-dwarf=single), or a package of all of them: PROGRAM
 * .dwp.
 *
 * Rules:
 * 1. A skeleton and a split unit belong together if they have the same dwo_id, and not otherwise.
 * 2. A package comes first: that of the program, then that of its separate debug file. Then the
 *    file that the skeleton names: in its own folder (DW_AT_comp_dir), beside the program, beside
 *    its separate debug file; moved folders do no harm.
 * 3. What cannot be had is warned of by name, with the reason, when it is first looked for. All
 *    others are read.
 *
 * libdw could find a .dwo, too, but neither packages nor moved files nor objects. It is never asked
 * to: who walks DIEs begins at di_unit_die(). */
#ifndef DI_SPLIT_H
#define DI_SPLIT_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

struct di_module;
struct di_split;

/* The root of all DIEs of a unit of the module's own file: its own, or that of the split unit. A
 * skeleton whose other half is not there is its own root, mostly without children. */
Dwarf_Die di_unit_die(struct di_module *module, Dwarf_CU *cu);

/* The skeleton's root, of a split unit; false if it has none or is no split unit. */
bool di_split_skeleton(struct di_module *module, Dwarf_CU *cu, Dwarf_Die *ret);

/* The type that a type unit of the package describes. False if there is none. */
bool di_split_type(struct di_module *module, uint64_t signature, Dwarf_Die *ret);

/* The dwo_id of a skeleton of the program, or of a unit of a split file; *die is its root. False if
 * it is neither. */
bool di_split_id(Dwarf_CU *cu, Dwarf_Die *die, uint64_t *ret);

/* For open.c. */
void di_split_destroy(struct di_split *split);

#endif
