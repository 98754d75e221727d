/* route.h - how a person gets to a stop with a debugger's own commands.
 *
 * A stop is (prev, pc, n); debuggers have breakpoints with ignore counts. xstep runs the program
 * once and counts: from the entry, so many arrivals at prev, then one step. Where library code lies
 * between prev and pc a step does not lead there, and the breakpoint is at pc itself. */
#ifndef ORA_ROUTE_H
#define ORA_ROUTE_H

#include "oracle/witness/own/record.h"

struct ora_route {
	xs_addr entry;     /* where the trace begins; addresses are those of the process */
	xs_addr place;     /* of the breakpoint; XS_ADDR_NONE: the entry is near enough */
	uint64_t arrivals; /* there, after the entry */
	bool step;         /* one step more */
	uint64_t hit;      /* arrivals at the stop's own pc, from the beginning */
	xs_addr bias;      /* what link-time addresses are off by */
};

/* In on_stop or on_step of a recording: the way to the stop, in link-time addresses. */
struct ora_route ora_route_here(const struct ora_recording *recording, const struct ora_stop *stop);
/* Makes them those of the process. */
void ora_route_move(struct ora_route *route, xs_addr bias);

/* The way to the stop (prev, pc, n): link-time addresses of the executable, prev XS_ADDR_NONE at
 * the first. */
XS_MUST_CHECK struct xs_error *ora_route_find(struct ora_run *run, const char *from, xs_addr prev,
	xs_addr pc, uint64_t n, struct ora_route *ret);

/* The ways to the executed stops of these numbers, found in one run: numbers in ascending order, a
 * route for each. */
XS_MUST_CHECK struct xs_error *ora_routes_find(struct ora_run *run, const char *from,
	const uint64_t *numbers, size_t count, struct ora_route *ret);

#endif
