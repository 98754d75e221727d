#include "oracle/truth/frames_others.h"

/* The true frames of a stop: where those outside of the innermost one go on. */
struct chain {
	size_t first, count; /* in frames_kept.pcs */
};

struct ora_frames_kept {
	struct xs_map stops; /* (prev, pc), link-time -> index into chains, plus 1 */
	XS_VEC(struct chain) chains;
	XS_VEC(xs_addr) pcs; /* link-time */
};

static const struct ora_check_rule rule = {
	ORA_RULE_RETURN, "it gives the address that the function returns to"};
static const char what[] = "frames of debuggers";

void ora_frames_kept_destroy(struct ora_frames_kept *kept)
{
	if (!kept)
		return;
	xs_map_deinit(&kept->stops);
	xs_vec_deinit(&kept->chains);
	xs_vec_deinit(&kept->pcs);
	free(kept);
}

void ora_frames_keep(struct ora_frames_run *run, const struct ora_stop *stop)
{
	const struct ora_frames *found = &run->frames;
	if (run->check->count <= ORA_FRAMES_OTHERS || stop->n != 1)
		return;
	if (!run->kept)
		run->kept = xs_calloc(1, sizeof *run->kept);
	struct ora_frames_kept *kept = run->kept;
	struct chain chain = {.first = kept->pcs.len};
	size_t right = found->pairs.len - (found->pairs.len && (found->flaw || found->ended));
	for (size_t i = 0; i < right; i++) {
		const struct ora_activation *one =
			&run->shadow.stack.data[found->pairs.data[i].activation];
		if (one->came != ORA_CAME_CALL || !one->joined)
			break;
		xs_vec_push(&kept->pcs, one->back - run->bias);
		chain.count++;
	}
	if (!chain.count && (found->flaw || found->ended))
		return;
	xs_vec_push(&kept->chains, chain);
	*xs_map_at(&kept->stops, stop->prev ? stop->prev->pc : XS_ADDR_NONE, stop->place->pc) =
		kept->chains.len;
}

/* --- comparing -------------------------------------------------------------------------------- */

static char *pc_text(bool known, xs_addr pc)
{
	return known ? xs_asprintf("return address = 0x%" PRIx64, pc) : xs_strdup("no frame");
}

static void tell(struct ora_frames_run *run, size_t trace, const struct ora_told *told,
	size_t frame, xs_addr truth, const struct ora_store_frame *shown)
{
	const char *name = run->check->verdicts.witnesses[trace];
	bool fresh;
	struct ora_violation violation = {.rule = &rule,
		.kind = shown ? ORA_KIND_LIE : ORA_KIND_LOSS,
		.why = shown ? "wrong-frame" : "lost-frame",
		.told = told,
		.frame = (unsigned)frame,
		.frame_pc = XS_ADDR_NONE,
		.file = told->place->file,
		.function = told->place->function,
		.line = told->place->line};
	size_t index = ora_check_violate(run->check, trace, &violation, &fresh);
	XS_AUTO_FREE char *right = pc_text(true, truth);
	XS_AUTO_FREE char *wrong = pc_text(shown, shown ? shown->address : 0);
	ora_check_say(run->check, index, trace, ORA_STATE_VALUE, wrong);
	if (!fresh)
		return;
	ora_check_say(run->check, index, ORA_FRAMES_TRUTH, ORA_STATE_VALUE, right);
	ora_check_say(run->check, index, ORA_FRAMES_XSTEP, ORA_STATE_VALUE, right);
	ora_check_explain(run->check, index,
		xs_asprintf("frame %zu of %s's backtrace is not the caller, which goes on at "
			    "0x%" PRIx64 "; the call frame information leads there",
			frame, name, truth),
		NULL);
}

/* Compares the physical frames that a debugger shows with the true ones. */
static void compare(
	struct ora_frames_run *run, size_t trace, const struct ora_told *told, struct chain chain)
{
	size_t at = 0; /* the next of the true ones, plus 1; 0: the innermost */
	for (size_t i = 0; i < told->frames.len && at <= chain.count; i++) {
		const struct ora_store_frame *frame = &told->frames.data[i];
		if (frame->inlined || frame->tail)
			continue;
		if (at++ == 0)
			continue;
		xs_addr truth = run->kept->pcs.data[chain.first + at - 2];
		ora_asked_add(&run->check->asked, ORA_RULE_RETURN, what, 1);
		if (frame->module || frame->address != truth) {
			tell(run, trace, told, at - 1, truth, frame);
			return;
		}
	}
	if (at <= chain.count) {
		ora_asked_add(&run->check->asked, ORA_RULE_RETURN, what, 1);
		tell(run, trace, told, at, run->kept->pcs.data[chain.first + (at ? at - 1 : 0)],
			NULL);
	}
}

static struct xs_error *read_trace(struct ora_frames_run *run, size_t trace)
{
	XS_AUTO(ora_reader) reader = NULL;
	const struct ora_told *told = NULL;
	struct xs_error *err =
		ora_reader_create(run->check->store, run->check->traces[trace]->id, &reader);
	while (!err && !(err = ora_reader_next(reader, &told)) && told) {
		const uint64_t *index =
			told->n == 1 && told->has_frames && !told->place->module
				? xs_map_find(&run->kept->stops,
					  told->prev ? told->prev->address : XS_ADDR_NONE,
					  told->place->address)
				: NULL;
		if (index)
			compare(run, trace, told, run->kept->chains.data[*index - 1]);
		else
			ora_asked_leave(&run->check->asked, ORA_RULE_RETURN, what,
				"at stops where they are not certain, or not right by the CFI", 1);
	}
	return err;
}

struct xs_error *ora_frames_others(struct ora_frames_run *run)
{
	struct xs_error *err = NULL;
	for (size_t i = ORA_FRAMES_OTHERS; !err && run->kept && i < run->check->count; i++)
		if (strcmp(run->check->traces[i]->trace.witness, "xstep") != 0)
			err = read_trace(run, i);
	return err;
}
