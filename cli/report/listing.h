/* listing.h - the code around a pc: instructions, and the rows of the line table between them. */
#ifndef CLI_LISTING_H
#define CLI_LISTING_H

#include <stdio.h>

#include "dwarf/module.h"

/* Prints at most `around` instructions before the link-time pc and as many after it, of its
 * function; the one at pc is marked. */
void cli_listing_print(FILE *out, const struct di_module *module, xs_addr pc, unsigned around);

#endif
