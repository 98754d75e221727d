/* cached.h - walks the program in a code cache (cache.h), if that can be done. */
#ifndef ENG_CACHED_H
#define ENG_CACHED_H

#include "engine/trace.h"

/* Walks until trace->end is known, and then *over; or, if the cache cannot be used or cannot be
 * used any more, to where another way goes on: the thread is at a stop that was emitted, or
 * outside of the ranges, and *signal is to be delivered next. */
XS_MUST_CHECK struct xs_error *eng_trace_cached(
	struct eng_trace *trace, struct eng_fence *fence, int *signal, bool *over);

#endif
