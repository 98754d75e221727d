#include "oracle/witness/own/replay.h"

#include <unistd.h>

#include "dwarf/replayed.h"
#include "dwarf/x86.h"
#include "engine/insn.h"
#include "oracle/witness/own/facts.h"

enum { PATIENCE = 20000000 };

/* What is looked for in one run. */
struct walker {
	struct ora_rerun *rerun;
	struct ora_recording *recording;
	bool counts;                   /* every arrival is seen: not in the unique mode */
	bool any;                      /* of a transition any time will do, there being one only */
	struct xs_map wanted;          /* (prev and pc, n) of a stop that must be live -> 1 */
	struct ora_route_count on_way; /* arrivals so far */
	size_t left;                   /* stops to come */
	XS_VEC(struct ora_replay *) here; /* what is asked at this one */
	struct xs_map calls;              /* instructions of calls to look at, at link time -> 1 */
	bool *done;                       /* of the questions: their stop has been passed */
	struct xs_error *err;             /* what went wrong at a stop */
};

bool ora_replayed_is(const struct ora_replayed *replayed, enum ora_state state, const char *value)
{
	bool none = state == ORA_STATE_OPTIMIZED_OUT || state == ORA_STATE_ERROR;
	if (none)
		return replayed->state == ORA_STATE_OPTIMIZED_OUT ||
		       replayed->state == ORA_STATE_ERROR;
	if (replayed->state != state)
		return false;
	return !value || (replayed->value && !strcmp(replayed->value, value));
}

void ora_replay_deinit(struct ora_replay *replay)
{
	free(replay->own.value);
	free(replay->explained);
	for (unsigned i = 0; i < DI_MISTAKE_COUNT; i++)
		free(replay->by[i].value);
}

/* --- at a stop -------------------------------------------------------------------------------- */

static struct di_replay question_of(
	const struct walker *walker, const struct ora_replay *replay, enum di_mistake mistake)
{
	return (struct di_replay){.mistake = mistake,
		.scope = replay->scope,
		.name = replay->var,
		.path = replay->lookup ? replay->var : replay->path,
		.line = replay->decl_line,
		.nth = replay->nth,
		.global = replay->global,
		.frame = replay->frame,
		.rank = replay->rank,
		.max_leaves = walker->rerun->max_leaves};
}

static struct ora_replayed answer_of(const struct ora_replay *replay, struct di_replay *found)
{
	if (!found->listed || (!replay->lookup && !found->told))
		return (struct ora_replayed){.state = ORA_STATE_ABSENT};
	if (replay->lookup)
		return (struct ora_replayed){.state = ORA_STATE_VALUE,
			.value = xs_strdup(found->shadowed ? "hidden" : "visible")};
	return (struct ora_replayed){.state = ora_state_of(found->state),
		.value = xs_take(&found->text),
		.why = found->why};
}

/* The instruction that ends at a link-time address; 0 if that cannot be told. */
static xs_addr insn_before(const struct di_module *module, xs_addr end)
{
	const struct di_row *row = di_lines_find(&module->lines, end - 1);
	for (xs_addr at = row ? row->address : end; at < end;) {
		size_t size = 0;
		const uint8_t *bytes = di_module_bytes(module, at, &size);
		struct eng_insn insn = {0};
		if (bytes)
			insn = eng_insn_decode(bytes, size < ENG_INSN_MAX ? size : ENG_INSN_MAX);
		if (!insn.length)
			break;
		if (at + insn.length == end)
			return at;
		at += insn.length;
	}
	return 0;
}

static void take_leftover(struct ora_replay *replay, const struct di_replay *found)
{
	replay->leftover = found->leftover;
	if (!found->leftover)
		return;
	replay->leftover_reg = found->reg;
	replay->leftover_now = found->now;
	replay->leftover_sp = found->sp;
	replay->leftover_call =
		found->module->program ? insn_before(found->module, found->behind) : 0;
}

/* Whether a mistake is one that somebody may have made. */
static bool is_wanted(const struct ora_replay *replay, enum di_mistake mistake)
{
	return !mistake ||
	       (strcmp(di_mistake_debugger(mistake), "gdb") ? replay->lldb : replay->gdb);
}

static struct xs_error *look(const struct walker *walker, struct ora_replay *replay,
	struct di_view *view, enum di_mistake mistake)
{
	struct di_replay found = question_of(walker, replay, mistake);
	struct xs_error *err = di_replay(&found, view);
	if (!err && !mistake) {
		replay->there = found.there;
		replay->explained = xs_take(&found.quoted);
		take_leftover(replay, &found);
		replay->own = answer_of(replay, &found);
		replay->by[0] = replay->own;
		if (replay->own.value)
			replay->by[0].value = xs_strdup(replay->own.value);
	} else if (!err) {
		replay->by[mistake] = answer_of(replay, &found);
	}
	di_replay_deinit(&found);
	return err;
}

/* Makes each mistake once, for all that is asked at this stop. */
static struct xs_error *look_at_all(struct walker *walker, const struct di_target *target)
{
	struct xs_error *err = NULL;
	for (unsigned i = 0; i < DI_MISTAKE_COUNT && !err; i++) {
		struct di_view view = {0};
		bool open = false;
		for (size_t k = 0; k < walker->here.len && !err; k++) {
			struct ora_replay *replay = walker->here.data[k];
			if (!is_wanted(replay, (enum di_mistake)i))
				continue;
			if (!open)
				err = di_replay_open(&view, target, (enum di_mistake)i);
			open = true;
			if (!err)
				err = look(walker, replay, &view, (enum di_mistake)i);
		}
		if (open)
			di_view_deinit(&view);
	}
	return err;
}

static struct xs_error *look_at_frames(struct ora_replay *replay, const struct di_target *target)
{
	struct xs_error *err = NULL;
	for (unsigned i = 0; i < DI_MISTAKE_COUNT && !err; i++) {
		replay->by[i].state = ORA_STATE_VALUE;
		err = di_replay_frames(target, (enum di_mistake)i, &replay->by[i].value);
	}
	replay->there = !err;
	replay->own.state = ORA_STATE_VALUE;
	replay->own.value = err ? NULL : xs_strdup(replay->by[0].value);
	return err;
}

/* --- the run ---------------------------------------------------------------------------------- */

static bool wants(void *context, xs_addr prev, xs_addr pc, uint64_t n)
{
	const struct walker *walker = context;
	return xs_map_find(&walker->wanted, xs_mix(prev) ^ pc, walker->any ? 0 : n) != NULL;
}

/* Makes it known that a stop must be live. The unique mode has each transition once, and elsewhere
 * that is the first time. */
static void want(struct walker *walker, const struct ora_replay *replay)
{
	uint64_t n = walker->any ? 0 : walker->rerun->unique ? 1 : replay->n;
	*xs_map_at(&walker->wanted, xs_mix(replay->prev) ^ replay->pc, n) = 1;
}

static void on_step(void *context, const struct ora_stop *stop)
{
	struct walker *walker = context;
	ora_route_note(&walker->on_way, stop);
}

static void find_route(struct walker *walker, struct ora_replay *replay)
{
	const struct ora_route_count *count = &walker->on_way;
	if (walker->counts) {
		replay->route = ora_route_here(count);
	} else if (count->at_here == 1 && count->here != count->entry) {
		/* The first arrival. */
		replay->route = (struct ora_route){.entry = count->entry->pc,
			.place = count->here->pc,
			.arrivals = 1,
			.hit = 1};
	} else if (!count->last) {
		replay->route = ora_route_here(count);
	} else {
		return;
	}
	ora_route_move(&replay->route, walker->recording->run.subject->modules.data[0].bias);
}

static bool on_stop(void *context, const struct ora_stop *stop)
{
	struct walker *walker = context;
	walker->here.len = 0;
	for (size_t i = 0; i < walker->rerun->count && !walker->err; i++) {
		struct ora_replay *replay = &walker->rerun->list[i];
		if (replay->number != stop->number)
			continue;
		find_route(walker, replay);
		walker->left--;
		replay->come_to = true;
		if (replay->frames && stop->target)
			walker->err = look_at_frames(replay, stop->target);
		else if (replay->var && stop->target)
			xs_vec_push(&walker->here, replay);
	}
	if (!walker->err && walker->here.len)
		walker->err = look_at_all(walker, stop->target);
	return walker->left && !walker->err;
}

static struct ora_recording recording_of(const struct ora_rerun *rerun, struct walker *walker)
{
	return (struct ora_recording){.run = *rerun->run,
		.from = rerun->from,
		.modules = rerun->modules,
		.module_count = rerun->module_count,
		.mode = rerun->unique ? ENG_MODE_UNIQUE : ENG_MODE_EXACT,
		.sample = ENG_SAMPLE_UNIQUE,
		.wants = wants,
		.live = true,
		.on_step = on_step,
		.on_stop = on_stop,
		.context = walker};
}

static struct xs_error *go(
	struct ora_rerun *rerun, struct walker *walker, struct ora_recording *recording)
{
	walker->recording = recording;
	if (recording->run.in >= 0)
		lseek(recording->run.in, 0, SEEK_SET); /* it is read again, if it can be */
	struct xs_error *err = ora_run_open(&recording->run);
	if (!err)
		err = ora_record(recording);
	if (walker->err) {
		xs_error_destroy(err);
		err = walker->err;
	}
	xs_vec_deinit(&walker->here);
	xs_vec_deinit(&walker->on_way.arrivals);
	xs_map_deinit(&walker->wanted);
	*rerun->run = recording->run; /* the subject stays open */
	recording->run.subject = NULL;
	ora_recording_deinit(recording);
	return err;
}

static struct xs_error *go_there(struct ora_rerun *rerun)
{
	struct walker walker = {.rerun = rerun,
		.counts = !rerun->unique,
		.any = rerun->unique,
		.left = rerun->count};
	struct ora_recording recording = recording_of(rerun, &walker);
	for (size_t i = 0; i < rerun->count; i++) {
		const struct ora_replay *replay = &rerun->list[i];
		want(&walker, replay);
		if (replay->number > recording.limit)
			recording.limit = replay->number;
	}
	return go(rerun, &walker, &recording);
}

/* --- what registers held at calls ------------------------------------------------------------- */

static bool wants_call(void *context, xs_addr prev, xs_addr pc, uint64_t n)
{
	return xs_map_find(&((const struct walker *)context)->calls, pc, 0) != NULL ||
	       wants(context, prev, pc, n);
}

static bool read_register(const struct di_target *target, unsigned reg, uint64_t *ret)
{
	uint8_t bytes[DI_REG_BYTES];
	unsigned size;
	if (!target->reg(target->arg, reg, bytes, &size))
		return false;
	*ret = di_wide_from_bytes(bytes, size).limb[0];
	return true;
}

/* Whether this is the stop that a question is about. The unique mode has the first of its kind, and
 * other numbers than this run. */
static bool is_it(
	const struct ora_rerun *rerun, const struct ora_replay *replay, const struct ora_stop *stop)
{
	xs_addr prev = stop->prev ? stop->prev->pc : XS_ADDR_NONE;
	return replay->pc == stop->place->pc && replay->prev == prev &&
	       stop->n == (rerun->unique ? 1 : replay->n);
}

static bool on_call(void *context, const struct ora_stop *stop)
{
	struct walker *walker = context;
	uint64_t sp, value;
	if (!stop->target || !read_register(stop->target, DI_REG_RSP, &sp))
		return true;
	for (size_t i = 0; i < walker->rerun->count; i++) {
		struct ora_replay *replay = &walker->rerun->list[i];
		if (!replay->leftover || !replay->leftover_call || walker->done[i])
			continue;
		if (is_it(walker->rerun, replay, stop)) {
			walker->done[i] = true;
			walker->left--;
			continue;
		}
		/* The last one before the stop is the call that the frame is in. */
		if (replay->leftover_call != stop->place->pc || !stop->place->main ||
			replay->leftover_sp != sp ||
			!read_register(stop->target, replay->leftover_reg, &value))
			continue;
		replay->leftover_known = true;
		replay->leftover_value = value;
		replay->leftover_written = value != replay->leftover_now;
	}
	return walker->left;
}

/* Runs once more and looks at the calls. */
static struct xs_error *find_calls(struct ora_rerun *rerun)
{
	struct walker walker = {.rerun = rerun, .done = xs_calloc(rerun->count, sizeof(bool))};
	struct ora_recording recording = recording_of(rerun, &walker);
	struct xs_error *err = NULL;
	recording.mode = ENG_MODE_EXACT;
	recording.wants = wants_call;
	recording.on_step = NULL;
	recording.on_stop = on_call;
	recording.limit = rerun->patience ? rerun->patience : PATIENCE;
	for (size_t i = 0; i < rerun->count; i++) {
		const struct ora_replay *replay = &rerun->list[i];
		if (!replay->leftover || !replay->leftover_call)
			continue;
		*xs_map_at(&walker.calls, replay->leftover_call, 0) = 1;
		want(&walker, replay);
		walker.left++;
	}
	if (walker.left)
		err = go(rerun, &walker, &recording);
	/* Where the stop was not come to nobody knows which call was the last. */
	for (size_t i = 0; i < rerun->count; i++)
		rerun->list[i].leftover_known &= walker.done[i];
	xs_map_deinit(&walker.calls);
	free(walker.done);
	return err;
}

/* --- ways that the unique mode does not know -------------------------------------------------- */

static bool on_counted(void *context, const struct ora_stop *stop)
{
	struct walker *walker = context;
	for (size_t i = 0; i < walker->rerun->count && stop->n == 1; i++) {
		struct ora_replay *replay = &walker->rerun->list[i];
		xs_addr prev = stop->prev ? stop->prev->pc : XS_ADDR_NONE;
		if (!replay->come_to || replay->route.entry || replay->pc != stop->place->pc ||
			replay->prev != prev)
			continue;
		find_route(walker, replay);
		walker->left--;
	}
	return walker->left;
}

static struct xs_error *count_arrivals(struct ora_rerun *rerun)
{
	struct walker walker = {.rerun = rerun, .counts = true};
	struct ora_recording recording = recording_of(rerun, &walker);
	recording.mode = ENG_MODE_EXACT;
	recording.live = false;
	recording.on_stop = on_counted;
	recording.limit = rerun->patience ? rerun->patience : PATIENCE;
	for (size_t i = 0; i < rerun->count; i++) {
		const struct ora_replay *replay = &rerun->list[i];
		if (!replay->come_to || replay->route.entry)
			continue;
		want(&walker, replay);
		walker.left++;
	}
	return walker.left ? go(rerun, &walker, &recording) : NULL;
}

struct xs_error *ora_rerun(struct ora_rerun *rerun)
{
	struct xs_error *err;
	if (!rerun->count)
		return NULL;
	if ((err = go_there(rerun)))
		return err;
	if (rerun->unique && (err = count_arrivals(rerun)))
		return err;
	return find_calls(rerun);
}
