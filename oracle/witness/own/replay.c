#include "oracle/witness/own/replay.h"

#include <unistd.h>

#include "dwarf/replayed.h"
#include "dwarf/x86.h"
#include "engine/insn.h"
#include "oracle/witness/own/facts.h"

enum { PATIENCE = 20000000 }; /* stops of the second run */

/* A stop that must be live. */
struct wanted {
	xs_addr prev, pc;
	uint64_t n;
};

/* What is looked for in one run. */
struct walker {
	struct ora_rerun *rerun;
	struct ora_recording *recording;
	XS_VEC(struct wanted) wanted;     /* sorted */
	XS_VEC(size_t) by_number;         /* questions, by the numbers of their stops */
	XS_VEC(size_t) by_call;           /* those of leftovers, by their calls */
	size_t left;                      /* questions to come */
	XS_VEC(struct ora_replay *) here; /* what is asked at this stop */
	struct xs_map calls;  /* calls to look at, at link time -> index into by_call, plus 1 */
	bool *done;           /* of the questions: their stop has been passed */
	struct xs_error *err; /* what went wrong at a stop */
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
	for (size_t i = 0; i < replay->made.len; i++)
		free(replay->made.data[i].said.value);
	xs_vec_deinit(&replay->made);
}

/* Whether the same is said with a mistake as without it. Why there is no value does not matter. */
static bool is_same(const struct ora_replayed *a, const struct ora_replayed *b)
{
	return a->state == b->state && !a->value == !b->value &&
	       (!a->value || !strcmp(a->value, b->value));
}

/* Keeps what is said with a mistake, if that is something else. */
static void keep(struct ora_replay *replay, enum di_mistake mistake, struct ora_replayed said)
{
	if (is_same(&said, &replay->own))
		free(said.value);
	else
		xs_vec_push(&replay->made, ((struct ora_mistaken){mistake, said}));
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
	const char *who = di_mistake_debugger(mistake);
	return !mistake || (!strcmp(who, "gdb") && replay->gdb) ||
	       (!strcmp(who, "lldb") && replay->lldb);
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
	} else if (!err) {
		keep(replay, mistake, answer_of(replay, &found));
	}
	di_replay_deinit(&found);
	return err;
}

/* Makes a mistake, for all that is asked at this stop. */
static struct xs_error *look_at_each(
	struct walker *walker, struct di_view *view, enum di_mistake mistake)
{
	struct xs_error *err = NULL;
	for (size_t k = 0; k < walker->here.len && !err; k++)
		if (is_wanted(walker->here.data[k], mistake))
			err = look(walker, walker->here.data[k], view, mistake);
	return err;
}

/* Makes those mistakes that find other frames than there are, and only where they do. */
static struct xs_error *look_from_elsewhere(
	struct walker *walker, const struct di_view *plain, enum di_mistake mistake)
{
	struct di_view view = {0};
	struct xs_error *err = di_replay_open(&view, plain->target, mistake);
	if (!err && !di_replay_is_same(plain, &view))
		err = look_at_each(walker, &view, mistake);
	di_view_deinit(&view);
	return err;
}

static struct xs_error *look_at_all(struct walker *walker, const struct di_target *target)
{
	struct di_view view = {0};
	struct xs_error *err = di_replay_open(&view, target, DI_MISTAKE_NONE);
	for (unsigned i = 0; i < DI_MISTAKE_COUNT && !err; i++)
		err = di_replay_moves((enum di_mistake)i)
			      ? look_from_elsewhere(walker, &view, (enum di_mistake)i)
			      : look_at_each(walker, &view, (enum di_mistake)i);
	di_view_deinit(&view);
	return err;
}

static struct xs_error *look_at_frames(struct ora_replay *replay, const struct di_target *target)
{
	replay->own.state = ORA_STATE_VALUE;
	struct xs_error *err = di_replay_frames(target, DI_MISTAKE_NONE, &replay->own.value);
	for (unsigned i = 1; i < DI_MISTAKE_COUNT && !err; i++) {
		struct ora_replayed said = {.state = ORA_STATE_VALUE};
		if (!di_replay_frames_differ((enum di_mistake)i))
			continue;
		if (!(err = di_replay_frames(target, (enum di_mistake)i, &said.value)))
			keep(replay, (enum di_mistake)i, said);
	}
	replay->there = !err;
	return err;
}

/* --- the run ---------------------------------------------------------------------------------- */

static int compare_wanted(const void *a, const void *b)
{
	const struct wanted *left = a, *right = b;
	if (left->prev != right->prev)
		return left->prev < right->prev ? -1 : 1;
	if (left->pc != right->pc)
		return left->pc < right->pc ? -1 : 1;
	return (left->n > right->n) - (left->n < right->n);
}

/* The first that is wanted after the n-th. */
static uint64_t next_wanted(void *context, xs_addr prev, xs_addr pc, uint64_t n)
{
	const struct walker *walker = context;
	const struct wanted after = {prev, pc, n};
	size_t lo = 0, hi = walker->wanted.len;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (compare_wanted(&walker->wanted.data[mid], &after) <= 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	const struct wanted *found = &walker->wanted.data[lo];
	return lo < walker->wanted.len && found->prev == prev && found->pc == pc ? found->n
										 : UINT64_MAX;
}

static void want(struct walker *walker, size_t i)
{
	const struct ora_replay *replay = &walker->rerun->list[i];
	struct wanted one = {replay->prev, replay->pc, replay->n};
	xs_vec_push(&walker->wanted, one);
	xs_vec_push(&walker->by_number, i);
}

/* By a key, then in the order of the list. */
static int compare_keys(uint64_t a, uint64_t b, size_t i, size_t k)
{
	return a != b ? (a < b ? -1 : 1) : (i > k) - (i < k);
}

static int compare_numbers(const void *a, const void *b, void *context)
{
	const struct ora_replay *list = context;
	size_t i = *(const size_t *)a, k = *(const size_t *)b;
	return compare_keys(list[i].number, list[k].number, i, k);
}

static int compare_calls(const void *a, const void *b, void *context)
{
	const struct ora_replay *list = context;
	size_t i = *(const size_t *)a, k = *(const size_t *)b;
	return compare_keys(list[i].leftover_call, list[k].leftover_call, i, k);
}

/* The first question of a stop: index into by_number. */
static size_t first_at(const struct walker *walker, uint64_t number)
{
	size_t lo = 0, hi = walker->by_number.len;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (walker->rerun->list[walker->by_number.data[mid]].number < number)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The next question of a stop, *at being first_at() at first; SIZE_MAX: there are no more. */
static size_t next_at(const struct walker *walker, uint64_t number, size_t *at)
{
	if (*at == walker->by_number.len)
		return SIZE_MAX;
	size_t i = walker->by_number.data[(*at)++];
	return walker->rerun->list[i].number == number ? i : SIZE_MAX;
}

static bool on_stop(void *context, const struct ora_stop *stop)
{
	struct walker *walker = context;
	size_t at = first_at(walker, stop->number), i;
	walker->here.len = 0;
	while (!walker->err && (i = next_at(walker, stop->number, &at)) != SIZE_MAX) {
		struct ora_replay *replay = &walker->rerun->list[i];
		replay->route = ora_route_here(walker->recording, stop);
		ora_route_move(
			&replay->route, walker->recording->run.subject->modules.data[0].bias);
		walker->left--;
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
		.mode = ENG_MODE_EXACT,
		.next = next_wanted,
		.live = true,
		.on_stop = on_stop,
		.context = walker};
}

static struct xs_error *go(
	struct ora_rerun *rerun, struct walker *walker, struct ora_recording *recording)
{
	walker->recording = recording;
	if (walker->wanted.len)
		qsort(walker->wanted.data, walker->wanted.len, sizeof *walker->wanted.data,
			compare_wanted);
	if (walker->by_number.len)
		qsort_r(walker->by_number.data, walker->by_number.len,
			sizeof *walker->by_number.data, compare_numbers, rerun->list);
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
	xs_vec_deinit(&walker->wanted);
	xs_vec_deinit(&walker->by_number);
	*rerun->run = recording->run; /* the subject stays open */
	recording->run.subject = NULL;
	ora_recording_deinit(recording);
	return err;
}

static struct xs_error *go_there(struct ora_rerun *rerun)
{
	struct walker walker = {.rerun = rerun, .left = rerun->count};
	struct ora_recording recording = recording_of(rerun, &walker);
	for (size_t i = 0; i < rerun->count; i++) {
		const struct ora_replay *replay = &rerun->list[i];
		want(&walker, i);
		/* Behind the last one none can come. */
		if (replay->number > recording.patience)
			recording.patience = replay->number;
	}
	return go(rerun, &walker, &recording);
}

/* --- what registers held at calls ------------------------------------------------------------- */

static uint64_t next_call(void *context, xs_addr prev, xs_addr pc, uint64_t n)
{
	const struct walker *walker = context;
	return xs_map_find(&walker->calls, pc, 0) ? n + 1 : next_wanted(context, prev, pc, n);
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

static bool on_call(void *context, const struct ora_stop *stop)
{
	struct walker *walker = context;
	uint64_t sp, value;
	if (!stop->target || !read_register(stop->target, DI_REG_RSP, &sp))
		return true;
	size_t at = first_at(walker, stop->number), i;
	while ((i = next_at(walker, stop->number, &at)) != SIZE_MAX)
		if (!walker->done[i]) {
			walker->done[i] = true;
			walker->left--;
		}
	const uint64_t *first =
		stop->place->main ? xs_map_find(&walker->calls, stop->place->pc, 0) : NULL;
	for (size_t k = first ? *first - 1 : walker->by_call.len; k < walker->by_call.len; k++) {
		struct ora_replay *replay = &walker->rerun->list[walker->by_call.data[k]];
		if (replay->leftover_call != stop->place->pc)
			break;
		/* The last one before the stop is the call that the frame is in. */
		if (walker->done[walker->by_call.data[k]] || replay->leftover_sp != sp ||
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
	recording.next = next_call;
	recording.on_stop = on_call;
	recording.patience = PATIENCE;
	for (size_t i = 0; i < rerun->count; i++) {
		const struct ora_replay *replay = &rerun->list[i];
		if (!replay->leftover || !replay->leftover_call)
			continue;
		xs_vec_push(&walker.by_call, i);
		want(&walker, i);
		walker.left++;
	}
	if (walker.left)
		qsort_r(walker.by_call.data, walker.by_call.len, sizeof *walker.by_call.data,
			compare_calls, rerun->list);
	for (size_t k = walker.by_call.len; k-- > 0;)
		*xs_map_at(&walker.calls, rerun->list[walker.by_call.data[k]].leftover_call, 0) =
			k + 1;
	if (walker.left)
		err = go(rerun, &walker, &recording);
	/* Where the stop was not come to nobody knows which call was the last. */
	for (size_t i = 0; i < rerun->count; i++)
		rerun->list[i].leftover_known &= walker.done[i];
	xs_map_deinit(&walker.calls);
	xs_vec_deinit(&walker.by_call);
	free(walker.done);
	return err;
}

struct xs_error *ora_rerun(struct ora_rerun *rerun)
{
	struct xs_error *err;
	if (!rerun->count)
		return NULL;
	if ((err = go_there(rerun)))
		return err;
	return find_calls(rerun);
}
