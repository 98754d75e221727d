/* keep.h - puts what was told into a store: any witness's stops, as long as they come as ora_told.
 */
#ifndef ORA_KEEP_H
#define ORA_KEEP_H

#include "oracle/store/store.h"

/* Zero-initialised but for the writer, which stays the caller's. Keys of variables and indices of
 * places are small numbers that mean the same from stop to stop. */
struct ora_keeper {
	struct ora_writer *writer;
	XS_VEC(uint32_t) places;    /* by index: what the writer calls it, 0: not told yet */
	XS_VEC(uint32_t) variables; /* by key */
};

/* What the writer calls a place. */
uint32_t ora_keep_place(
	struct ora_keeper *keeper, const struct ora_store_place *place, size_t index);
XS_MUST_CHECK struct xs_error *ora_keep(struct ora_keeper *keeper, const struct ora_told *told);
void ora_keeper_deinit(struct ora_keeper *keeper);

#endif
