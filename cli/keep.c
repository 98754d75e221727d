#include "cli/keep.h"

#include "oracle/store/buffer.h"
#include "oracle/witness/own/coverage.h"
#include "oracle/store/identity.h"

struct cli_keep {
	struct ora_store *store;
	bool borrowed; /* that is somebody else's */
	struct ora_writer *writer;
	struct ora_keeper keeper;
	struct ora_coverage coverage;
};

struct xs_error *cli_keep_create(const char *path, const struct ora_run *run,
	const struct ora_store_trace *about, struct cli_keep *beside, struct cli_keep **ret)
{
	XS_AUTO(cli_keep) keep = xs_calloc(1, sizeof *keep);
	struct ora_store_trace trace = *about;
	struct ora_buffer arguments = {0};
	struct ora_identity identity;
	struct xs_error *err;
	keep->borrowed = beside;
	if (beside)
		keep->store = beside->store;
	else if ((err = ora_store_open(path, ORA_STORE_WRITE, &keep->store)))
		return err;
	for (char *const *word = run->argv; *word; word++) {
		ora_buffer_put(&arguments, arguments.len ? "," : "[");
		ora_buffer_json(&arguments, *word);
	}
	ora_buffer_put(&arguments, "]");
	trace.witness = "xstep";
	trace.version = XSTEP_VERSION;
	trace.arguments = arguments.data;
	if (!(err = ora_identity_init(&identity, run->path, run->subject->modules.data[0].info)))
		err = ora_writer_create(keep->store, &identity.subject, &trace, &keep->writer);
	ora_identity_deinit(&identity);
	free(arguments.data);
	if (err)
		return err;
	keep->keeper.writer = keep->writer;
	keep->coverage.states = strcmp(trace.vars, "none") != 0;
	keep->coverage.globals = !strcmp(trace.vars, "all");
	*ret = xs_take(&keep);
	return NULL;
}

void cli_keep_destroy(struct cli_keep *keep)
{
	if (!keep)
		return;
	ora_keeper_deinit(&keep->keeper);
	ora_coverage_deinit(&keep->coverage);
	ora_writer_destroy(keep->writer);
	if (!keep->borrowed)
		ora_store_destroy(keep->store);
	free(keep);
}

struct xs_error *cli_keep_stop(struct cli_keep *keep, const struct ora_told *told)
{
	ora_coverage_stop(&keep->coverage, told->place_index);
	return ora_keep(&keep->keeper, told);
}

void cli_keep_step(struct cli_keep *keep, struct ora_teller *teller, const struct ora_stop *stop)
{
	uint32_t prev = stop->prev ? ora_keep_place(&keep->keeper,
					     ora_tell_place(teller, stop->prev), stop->prev->index)
				   : 0;
	ora_writer_order(keep->writer, prev,
		ora_keep_place(
			&keep->keeper, ora_tell_place(teller, stop->place), stop->place->index));
}

uint64_t cli_keep_size(struct cli_keep *keep)
{
	return ora_store_size(keep->store);
}

static void keep_transitions(
	struct cli_keep *keep, struct ora_teller *teller, const struct ora_recording *recording)
{
	bool counted = recording->mode != ENG_MODE_UNIQUE;
	for (size_t i = 0; i < recording->transitions.len; i++) {
		const struct ora_transition *transition = &recording->transitions.data[i];
		uint32_t prev = transition->prev ? ora_keep_place(&keep->keeper,
							   ora_tell_place(teller, transition->prev),
							   transition->prev->index)
						 : 0;
		uint32_t place = ora_keep_place(&keep->keeper,
			ora_tell_place(teller, transition->pc), transition->pc->index);
		ora_writer_transition(
			keep->writer, prev, place, counted ? transition->count : 0, 0);
	}
}

static void on_figure(
	void *arg, const char *kind, const char *name, uint64_t selected, uint64_t evaluated)
{
	ora_writer_coverage(arg, kind, name, selected, evaluated);
}

struct xs_error *cli_keep_end(struct cli_keep *keep, struct ora_teller *teller,
	const struct ora_recording *recording, const char *how, const char *trouble)
{
	struct ora_store_end end = {.how = how,
		.trouble = trouble,
		.stops = recording->stops,
		.cut = recording->saturated.len,
		.complete = !trouble &&
			    (recording->end == ENG_END_RETURN || recording->end == ENG_END_EXEC ||
				    recording->end == ENG_END_PROGRAM)};
	keep_transitions(keep, teller, recording);
	ora_coverage_tell(&keep->coverage, recording, on_figure, keep->writer);
	return ora_writer_finish(keep->writer, &end);
}
