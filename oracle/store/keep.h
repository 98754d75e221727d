/* keep.h - the sink that puts testimony into a store: each a trace, whoever the witness is.
 *
 * The store is open from begin() to end(): it has one writer at a time, and others may have their
 * turn between two testimonies. */
#ifndef ORA_KEEP_H
#define ORA_KEEP_H

#include "oracle/store/sink.h"

struct ora_keep;

/* A sink for the store at a path, to be written in this way. `order`: the order of all executed
 * stops is kept, too. */
struct ora_keep *ora_keep_create(const char *path, enum ora_store_access how, bool order);
void ora_keep_destroy(struct ora_keep *keep);
XS_DEFINE_CLEANUP(ora_keep);

struct ora_sink *ora_keep_sink(struct ora_keep *keep);
/* The number of the trace that was begun last; 0: none was. */
uint64_t ora_keep_trace(const struct ora_keep *keep);
/* How many bytes the store has; 0: it is not open. */
uint64_t ora_keep_size(const struct ora_keep *keep);

#endif
