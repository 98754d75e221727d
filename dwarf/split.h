/* split.h - units whose DIEs are in a file of their own (-gsplit-dwarf).
 *
 * The program then holds a skeleton: addresses and the line table, and the name of the .dwo file
 * with the rest. libdw opens that file; who walks DIEs must begin at the right root. */
#ifndef DI_SPLIT_H
#define DI_SPLIT_H

#include <elfutils/libdw.h>

struct di_module;

/* The root of all the unit's DIEs: its own, or that in the .dwo. A skeleton whose .dwo is missing
 * is its own root, without children. */
Dwarf_Die di_unit_die(Dwarf_CU *cu);

/* Warns, once, of .dwo files that the module needs and that cannot be had. */
void di_split_check(const struct di_module *module);

#endif
