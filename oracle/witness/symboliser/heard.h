/* heard.h - a sink that remembers which stops xstep has told, so that others can be asked about
 * them: where each was, and nothing of what was said there. */
#ifndef ORA_HEARD_H
#define ORA_HEARD_H

#include "base/addr.h"
#include "oracle/store/sink.h"

struct ora_heard_stop {
	uint64_t number, n; /* as in ora_told */
	xs_addr prev, pc;   /* link-time; prev XS_ADDR_NONE: none */
};

struct ora_heard_transition {
	xs_addr prev, pc;
	uint64_t count;
};

struct ora_heard {
	struct ora_sink sink; /* first, as in every sink */
	bool listens;         /* xstep testifies just now, or has */
	XS_VEC(struct ora_heard_stop) stops;
	XS_VEC(struct ora_heard_transition) transitions;
	struct ora_told_end end; /* how it ended; no texts but `from` */
};

/* Begins to listen to whoever tells heard->sink. */
void ora_heard_init(struct ora_heard *heard);
void ora_heard_deinit(struct ora_heard *heard);

#endif
