/* gaps.h - what is missing from a program's debug information, or cannot be read: nobody may take
 * that for "there is nothing".
 *
 * A unit, a section or an entry that cannot be read is named, once, with the reason. What leaves a
 * whole section in doubt is an error: who reads on would read something else. */
#ifndef DI_GAPS_H
#define DI_GAPS_H

#include "dwarf/module.h"

/* Before anything else is read: whether all units end inside of .debug_info, are of a version that
 * is known, and have the strings that they refer to. Messages do not name the file. */
XS_MUST_CHECK struct xs_error *di_gaps_check_units(const struct di_module *module);
/* dwarf_child() and dwarf_siblingof(), which name the entry that libdw cannot go on from: what
 * follows it in its unit is not known. */
int di_gaps_child(const struct di_module *module, Dwarf_Die *die, Dwarf_Die *ret);
int di_gaps_sibling(const struct di_module *module, Dwarf_Die *die, Dwarf_Die *ret);

/* Whether its sections are compressed by zstd, which not every debugger reads. */
bool di_gaps_zstd(const struct di_module *module);
/* Whether a unit is in the 64-bit format, which not every debugger reads. */
bool di_gaps_wide(const struct di_module *module);
/* What is there in place of DWARF 2 to 5, in a few words; NULL: nothing. */
const char *di_gaps_unread(const struct di_module *module);
/* Why there is no line information, or (lines: false) no debug information at all: a few words to
 * follow the file's name; NULL: there is some. */
const char *di_gaps_reason(const struct di_module *module, bool lines);
/* What to do about it, to follow that. */
#define DI_GAPS_ADVICE "compile with -g and do not strip, or name its debug file with --debug-file"

/* Whether a unit was compiled with -g1, by its producer: functions are described, their variables
 * are not. */
bool di_gaps_minimal(const struct di_unit *unit);

/* How many functions of a program with lines have none, by its symbols: units that were compiled
 * without -g. *first is one of them. The C library's parts are left out. */
size_t di_gaps_functions(const struct di_module *module, const char **first);

#endif
