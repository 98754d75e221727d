/* flow.h - the order in which the points of a function may be executed: a graph.
 *
 * A point is a place on a line of the source, and perhaps one use of a variable. Edges lead from
 * each point to all those that may come next. The points of a function are in a row, the first of
 * them being its entry. */
#ifndef SRC_FLOW_H
#define SRC_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

#define SRC_NOWHERE SIZE_MAX /* no point: what follows a return, say */

struct src_point {
	unsigned file, line; /* index into src_facts.files; 0: the line is of no interest */
	size_t use;          /* index into src_facts.uses; SRC_NOWHERE: none */
	bool reached;        /* some way leads there from the entry */
	XS_VEC(size_t) before, after;
};

struct src_flow {
	XS_VEC(struct src_point) points;
};

/* A new point without edges. */
size_t src_flow_add(struct src_flow *flow, unsigned file, unsigned line, size_t use);
/* An edge; none if there is nothing to come from. */
void src_flow_edge(struct src_flow *flow, size_t from, size_t to);
/* Finds out which points are reached from an entry. */
void src_flow_reach(struct src_flow *flow, size_t entry);
/* Drops the points from `count` on; no other may have an edge to them. */
void src_flow_truncate(struct src_flow *flow, size_t count);
void src_flow_deinit(struct src_flow *flow);

#endif
