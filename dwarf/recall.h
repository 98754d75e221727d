/* recall.h - whether what a variable was read from (reads.h) is still so. */
#ifndef DI_RECALL_H
#define DI_RECALL_H

#include "dwarf/context.h"

/* Forgets everything, to note what is asked from now on for this place. */
void di_reads_begin(
	struct di_reads *reads, const struct di_context *context, const struct di_place *place);
/* Whether looking at the place would say the same as when the answers were noted. */
bool di_reads_hold(
	struct di_reads *reads, struct di_context *context, const struct di_place *place);

#endif
