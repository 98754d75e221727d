/* arrival.h - the addresses at which a program arrives at a line of source, as a user means it.
 *
 * Rules:
 * 1. A line is arrived at where a run of its rows begins: at the first row of the run with is_stmt.
 *    Every run counts, those of inlined copies too.
 * 2. Where that is a function's first instruction, the arrival is behind the prologue: at the row
 *    marked so, else at the second address of the function's rows. Optimised code without such
 *    marks has no prologue of its own: its statements begin among those instructions, and location
 *    lists hold from the first on. Debuggers stop there, too.
 * 3. If no run has is_stmt, the beginnings of the runs will do, and *approximate says so. */
#ifndef DI_ARRIVAL_H
#define DI_ARRIVAL_H

#include "dwarf/module.h"

struct di_arrivals {
	struct xs_ranges addresses; /* link-time, a byte each */
	bool approximate;           /* rule 3 */
	uint32_t next;              /* without an address: the next line that has code, 0 if none */
};

/* The addresses of a line. file is a path or the end of one (`demo.c`, `src/demo.c`); NULL means
 * the file that main is in. Without code for it, the addresses are empty. */
void di_arrivals_find(
	struct di_module *module, const char *file, uint32_t line, struct di_arrivals *ret);
void di_arrivals_deinit(struct di_arrivals *arrivals);
/* Rule 2: where the function with that first instruction is arrived at. */
xs_addr di_arrival_behind_prologue(struct di_module *module, xs_addr entry);
/* Whether any file of the line table goes by that name. */
bool di_arrivals_know_file(const struct di_module *module, const char *file);

#endif
