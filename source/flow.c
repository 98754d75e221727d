#include "source/flow.h"

size_t src_flow_add(struct src_flow *flow, unsigned file, unsigned line, size_t use)
{
	struct src_point point = {.file = file, .line = line, .use = use};
	xs_vec_push(&flow->points, point);
	return flow->points.len - 1;
}

void src_flow_edge(struct src_flow *flow, size_t from, size_t to)
{
	if (from == SRC_NOWHERE)
		return;
	xs_vec_push(&flow->points.data[from].after, to);
	xs_vec_push(&flow->points.data[to].before, from);
}

void src_flow_reach(struct src_flow *flow, size_t entry)
{
	XS_VEC(size_t) open = {0};
	flow->points.data[entry].reached = true;
	xs_vec_push(&open, entry);
	while (open.len) {
		const struct src_point *point = &flow->points.data[open.data[--open.len]];
		for (size_t i = 0; i < point->after.len; i++) {
			struct src_point *next = &flow->points.data[point->after.data[i]];
			if (next->reached)
				continue;
			next->reached = true;
			xs_vec_push(&open, point->after.data[i]);
		}
	}
	xs_vec_deinit(&open);
}

void src_flow_truncate(struct src_flow *flow, size_t count)
{
	while (flow->points.len > count) {
		struct src_point *last = &flow->points.data[--flow->points.len];
		xs_vec_deinit(&last->before);
		xs_vec_deinit(&last->after);
	}
}

void src_flow_deinit(struct src_flow *flow)
{
	src_flow_truncate(flow, 0);
	xs_vec_deinit(&flow->points);
}
