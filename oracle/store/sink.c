#include "oracle/store/sink.h"

void ora_sink_absent(struct ora_sink *sink, const struct ora_told_about *about, const char *problem)
{
	if (sink->ops->absent)
		sink->ops->absent(sink, about, problem);
}

struct xs_error *ora_sink_begin(struct ora_sink *sink, const struct ora_told_about *about)
{
	return sink->ops->begin ? sink->ops->begin(sink, about) : NULL;
}

struct xs_error *ora_sink_stop(struct ora_sink *sink, const struct ora_told *told)
{
	return sink->ops->stop ? sink->ops->stop(sink, told) : NULL;
}

void ora_sink_trouble(struct ora_sink *sink, const char *message)
{
	if (sink->ops->trouble)
		sink->ops->trouble(sink, message);
}

struct xs_error *ora_sink_end(struct ora_sink *sink, const struct ora_told_end *end)
{
	return sink->ops->end ? sink->ops->end(sink, end) : NULL;
}

void ora_sink_destroy(struct ora_sink *sink)
{
	if (sink && sink->ops->destroy)
		sink->ops->destroy(sink);
}

/* --- several at once -------------------------------------------------------------------------- */

struct tee {
	struct ora_sink sink;
	struct ora_sink_ops ops; /* what at least one of them listens to */
	bool owns;               /* they go with it */
	size_t begun;            /* how many have begun */
	XS_VEC(struct ora_sink *) to;
};

static void tee_absent(
	struct ora_sink *sink, const struct ora_told_about *about, const char *problem)
{
	struct tee *tee = (struct tee *)sink;
	for (size_t i = 0; i < tee->to.len; i++)
		ora_sink_absent(tee->to.data[i], about, problem);
}

static struct xs_error *tee_begin(struct ora_sink *sink, const struct ora_told_about *about)
{
	struct tee *tee = (struct tee *)sink;
	struct xs_error *err = NULL;
	for (tee->begun = 0; !err && tee->begun < tee->to.len; tee->begun += !err)
		err = ora_sink_begin(tee->to.data[tee->begun], about);
	/* What has begun hears that it is over. */
	for (size_t i = 0; err && i < tee->begun; i++)
		xs_error_destroy(ora_sink_end(
			tee->to.data[i], &(struct ora_told_end){.ending = {.over = ORA_OVER_CUT},
						 .trouble = err->message,
						 .failed = true}));
	return err;
}

static void tee_step(struct ora_sink *sink, const struct ora_told_transition *step)
{
	struct tee *tee = (struct tee *)sink;
	for (size_t i = 0; i < tee->to.len; i++)
		if (tee->to.data[i]->ops->step)
			tee->to.data[i]->ops->step(tee->to.data[i], step);
}

static struct xs_error *tee_stop(struct ora_sink *sink, const struct ora_told *told)
{
	struct tee *tee = (struct tee *)sink;
	struct xs_error *err = NULL;
	for (size_t i = 0; !err && i < tee->to.len; i++)
		err = ora_sink_stop(tee->to.data[i], told);
	return err;
}

static void tee_trouble(struct ora_sink *sink, const char *message)
{
	struct tee *tee = (struct tee *)sink;
	for (size_t i = 0; i < tee->to.len; i++)
		ora_sink_trouble(tee->to.data[i], message);
}

static void tee_transition(struct ora_sink *sink, const struct ora_told_transition *transition)
{
	struct tee *tee = (struct tee *)sink;
	for (size_t i = 0; i < tee->to.len; i++)
		if (tee->to.data[i]->ops->transition)
			tee->to.data[i]->ops->transition(tee->to.data[i], transition);
}

static void tee_figure(struct ora_sink *sink, const char *kind, const char *name, uint64_t selected,
	uint64_t evaluated)
{
	struct tee *tee = (struct tee *)sink;
	for (size_t i = 0; i < tee->to.len; i++)
		if (tee->to.data[i]->ops->figure)
			tee->to.data[i]->ops->figure(
				tee->to.data[i], kind, name, selected, evaluated);
}

/* All hear it; the first error is what matters. */
static struct xs_error *tee_end(struct ora_sink *sink, const struct ora_told_end *end)
{
	struct tee *tee = (struct tee *)sink;
	struct xs_error *first = NULL;
	for (size_t i = 0; i < tee->to.len; i++) {
		struct xs_error *err = ora_sink_end(tee->to.data[i], end);
		if (first)
			xs_error_destroy(err);
		else
			first = err;
	}
	return first;
}

static struct ora_sink *tee_split(struct ora_sink *sink)
{
	const struct tee *tee = (const struct tee *)sink;
	XS_VEC(struct ora_sink *) parts = {0};
	for (size_t i = 0; i < tee->to.len; i++)
		if (tee->to.data[i]->ops->split)
			xs_vec_push(&parts, tee->to.data[i]->ops->split(tee->to.data[i]));
	struct ora_sink *ret = ora_tee_create(parts.data, parts.len);
	((struct tee *)ret)->owns = true;
	xs_vec_deinit(&parts);
	return ret;
}

static void tee_destroy(struct ora_sink *sink)
{
	struct tee *tee = (struct tee *)sink;
	for (size_t i = 0; tee->owns && i < tee->to.len; i++)
		ora_sink_destroy(tee->to.data[i]);
	xs_vec_deinit(&tee->to);
	free(tee);
}

struct ora_sink *ora_tee_create(struct ora_sink *const *sinks, size_t count)
{
	struct tee *tee = xs_calloc(1, sizeof *tee);
	tee->sink.ops = &tee->ops;
	tee->ops = (struct ora_sink_ops){.absent = tee_absent,
		.begin = tee_begin,
		.trouble = tee_trouble,
		.end = tee_end,
		.split = tee_split,
		.destroy = tee_destroy};
	for (size_t i = 0; i < count; i++) {
		if (!sinks[i])
			continue;
		const struct ora_sink_ops *ops = sinks[i]->ops;
		xs_vec_push(&tee->to, sinks[i]);
		tee->sink.inlined |= sinks[i]->inlined;
		tee->sink.moves |= sinks[i]->moves;
		tee->ops.step = ops->step ? tee_step : tee->ops.step;
		tee->ops.stop = ops->stop ? tee_stop : tee->ops.stop;
		tee->ops.transition = ops->transition ? tee_transition : tee->ops.transition;
		tee->ops.figure = ops->figure ? tee_figure : tee->ops.figure;
	}
	return &tee->sink;
}
