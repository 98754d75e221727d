#include "oracle/witness/symboliser/heard.h"

#include "oracle/witness/witness.h"

static struct xs_error *begin(struct ora_sink *sink, const struct ora_told_about *about)
{
	struct ora_heard *heard = (struct ora_heard *)sink;
	heard->listens = !strcmp(about->witness, ora_witness_name(ORA_WITNESS_XSTEP));
	if (heard->listens) /* the last time counts */
		heard->stops.len = heard->transitions.len = 0;
	return NULL;
}

static xs_addr address_of(const struct ora_store_place *place)
{
	return place ? place->address : XS_ADDR_NONE;
}

static struct xs_error *stop(struct ora_sink *sink, const struct ora_told *told)
{
	struct ora_heard *heard = (struct ora_heard *)sink;
	if (heard->listens)
		xs_vec_push(&heard->stops, ((struct ora_heard_stop){.number = told->number,
						   .n = told->n,
						   .prev = address_of(told->prev),
						   .pc = told->place->address}));
	return NULL;
}

static void transition(struct ora_sink *sink, const struct ora_told_transition *told)
{
	struct ora_heard *heard = (struct ora_heard *)sink;
	if (heard->listens)
		xs_vec_push(
			&heard->transitions, ((struct ora_heard_transition){address_of(told->prev),
						     address_of(told->place), told->count}));
}

static struct xs_error *end(struct ora_sink *sink, const struct ora_told_end *told)
{
	struct ora_heard *heard = (struct ora_heard *)sink;
	if (heard->listens) {
		heard->end = *told;
		heard->end.trouble = NULL;
		heard->end.ending.killer = NULL;
		heard->end.never = NULL;
		heard->end.never_count = 0;
		heard->end.loaded = NULL;
	}
	heard->listens = false;
	return NULL;
}

void ora_heard_init(struct ora_heard *heard)
{
	static const struct ora_sink_ops ops = {
		.begin = begin, .stop = stop, .transition = transition, .end = end};
	*heard = (struct ora_heard){.sink = {.ops = &ops}};
}

void ora_heard_deinit(struct ora_heard *heard)
{
	xs_vec_deinit(&heard->stops);
	xs_vec_deinit(&heard->transitions);
}
