#include "cli/report/shards_print.h"

#include "base/shown.h"
#include "cli/report/json.h"
#include "oracle/session/json_text.h"

/* `3,7-12`, cut if it is long; to be freed. */
static char *numbers_text(const uint64_t *numbers, size_t count)
{
	enum { MOST = 60 };
	struct xs_ranges all = {0};
	for (size_t i = 0; i < count; i++)
		xs_ranges_add(&all, numbers[i], numbers[i] + 1);
	xs_ranges_normalise(&all);
	char *text = ora_seeds_text(&all);
	xs_ranges_deinit(&all);
	if (strlen(text) > MOST) {
		text[MOST] = '\0';
		*(strrchr(text, ',') ? strrchr(text, ',') : text + MOST) = '\0';
		char *more = xs_asprintf("%s,...", text);
		free(text);
		text = more;
	}
	return text;
}

static json_t *numbers_json(const uint64_t *numbers, size_t count)
{
	json_t *list = json_array();
	for (size_t i = 0; i < count; i++)
		json_array_append_new(list, json_integer((json_int_t)numbers[i]));
	return list;
}

/* --- status ----------------------------------------------------------------------------------- */

struct look {
	struct ora_shards shards;
	struct ora_shards_state state;
	struct ora_slurm_queue queue;
	struct xs_error *unasked; /* why Slurm cannot be asked */
	bool cut;                 /* it is cut into shards */
};

static void look_deinit(struct look *look)
{
	ora_shards_deinit(&look->shards);
	ora_shards_state_deinit(&look->state);
	ora_slurm_queue_deinit(&look->queue);
	xs_error_destroy(look->unasked);
}

static struct xs_error *look_at(const char *folder, struct look *ret)
{
	struct xs_error *err;
	*ret = (struct look){.cut = ora_shards_exist(folder)};
	if (!ret->cut)
		return NULL;
	if ((err = ora_shards_open(folder, &ret->shards)) ||
		(err = ora_shards_look(&ret->shards, &ret->state)))
		return err;
	/* If all is done, nobody waits for anything. */
	if (ret->state.missing.len)
		ret->unasked = ora_slurm_look(&ret->shards, &ret->queue);
	return NULL;
}

static void print_look(FILE *out, const struct look *look)
{
	const struct ora_shards_state *state = &look->state;
	XS_AUTO_FREE char *missing = numbers_text(state->missing.data, state->missing.len);
	xs_print(out,
		"  shards: %" PRIu64 ", of %" PRIu64 " programs at most; %zu done, %zu missing%s%s",
		ora_shards_count(&look->shards), look->shards.size, state->done.len,
		state->missing.len, *missing ? ": " : "", missing);
	if (look->queue.span && state->missing.len)
		xs_print(out, "; %zu waiting and %zu running in Slurm", look->queue.waiting.len,
			look->queue.active.len);
	xs_print(out, "; %s\n",
		!state->done.len ? "nothing to be merged yet"
		: state->merged  ? "merged"
				 : "not merged yet");
	/* That this machine has no Slurm is nothing to tell. */
	if (look->unasked && ora_slurm_is_there())
		xs_print(out, "  Slurm cannot be asked: %.160s\n", look->unasked->message);
	for (size_t i = 0; i < state->foreign.len; i++)
		xs_print(out, "  %s: is no shard of this campaign\n", state->foreign.data[i]);
}

struct xs_error *cli_shards_status(FILE *out, const char *folder)
{
	struct look look;
	struct xs_error *err = look_at(folder, &look);
	if (!err && look.cut)
		print_look(out, &look);
	look_deinit(&look);
	return err;
}

struct xs_error *cli_shards_json(json_t *object, const char *folder)
{
	struct look look;
	struct xs_error *err = look_at(folder, &look);
	if (!err && look.cut) {
		json_t *told = json_object();
		json_object_set_new(
			told, "count", json_integer((json_int_t)ora_shards_count(&look.shards)));
		json_object_set_new(told, "programs", json_integer((json_int_t)look.shards.size));
		json_object_set_new(
			told, "done", numbers_json(look.state.done.data, look.state.done.len));
		json_object_set_new(told, "missing",
			numbers_json(look.state.missing.data, look.state.missing.len));
		json_object_set_new(told, "waiting",
			look.unasked
				? json_null()
				: numbers_json(look.queue.waiting.data, look.queue.waiting.len));
		json_object_set_new(told, "running",
			look.unasked ? json_null()
				     : numbers_json(look.queue.active.data, look.queue.active.len));
		json_object_set_new(told, "merged", json_boolean(look.state.merged));
		json_object_set_new(object, "shards", told);
	}
	look_deinit(&look);
	return err;
}

/* --- what was done ---------------------------------------------------------------------------- */

static void planned_json(FILE *out, const struct ora_shards *shards,
	const struct ora_shards_state *state, double minutes,
	const struct ora_slurm_submitted *submitted)
{
	json_t *told = json_object();
	json_object_set_new(told, "shards", json_integer((json_int_t)ora_shards_count(shards)));
	json_object_set_new(told, "programs", json_integer((json_int_t)shards->size));
	json_object_set_new(told, "minutes", json_real(minutes));
	json_object_set_new(told, "done", numbers_json(state->done.data, state->done.len));
	json_object_set_new(told, "missing", numbers_json(state->missing.data, state->missing.len));
	if (submitted) {
		json_t *arrays = json_array();
		for (size_t i = 0; i < submitted->arrays.len; i++)
			json_array_append_new(arrays, json_string(submitted->arrays.data[i]));
		json_object_set_new(told, "submitted", json_integer((json_int_t)submitted->shards));
		json_object_set_new(told, "arrays", arrays);
		json_object_set_new(told, "merge",
			submitted->merge ? json_string(submitted->merge) : json_null());
	}
	cli_json_dump(out, told);
	json_decref(told);
}

void cli_shards_planned(FILE *out, const struct ora_shards *shards,
	const struct ora_shards_state *state, double minutes,
	const struct ora_slurm_submitted *submitted, bool json)
{
	if (json) {
		planned_json(out, shards, state, minutes, submitted);
		return;
	}
	xs_print(out,
		"%s: %" PRIu64 " programs in %" PRIu64 " shards of %" PRIu64
		", about %.0f minutes each; %zu done, %zu missing\n",
		shards->folder, ora_shards_programs(shards), ora_shards_count(shards), shards->size,
		minutes < 1 ? 1 : minutes, state->done.len, state->missing.len);
	if (!submitted) {
		xs_print(out,
			"xstep campaign shard %s K does shard K, and xstep campaign merge %s puts "
			"them together\n",
			shards->folder, shards->folder);
		return;
	}
	for (size_t i = 0; i < submitted->arrays.len; i++)
		xs_print(out, "%s %s", i ? "," : "submitted: array", submitted->arrays.data[i]);
	if (submitted->arrays.len)
		xs_print(out, " with %" PRIu64 " shards\n", submitted->shards);
	if (submitted->merge)
		xs_print(out, "submitted: job %s, which merges them when they have ended\n",
			submitted->merge);
	if (!submitted->arrays.len && !submitted->merge)
		xs_print(out, "nothing to be submitted: %s\n",
			state->missing.len ? "the missing ones are in the queue"
					   : "all is done and merged");
}

void cli_shard_done(FILE *out, const struct ora_shard_task *task, bool json)
{
	XS_AUTO_FREE char *name = ora_shards_name(task->shards, task->number);
	char host[256] = "";
	gethostname(host, sizeof host - 1);
	if (json) {
		json_t *told = json_object();
		json_object_set_new(told, "event", json_string("shard"));
		json_object_set_new(told, "shard", json_integer((json_int_t)task->number));
		json_object_set_new(told, "name", json_string(name));
		json_object_set_new(told, "host", ora_json_text(host));
		json_object_set_new(told, "before", json_boolean(task->before));
		json_object_set_new(told, "programs", json_integer((json_int_t)task->programs));
		json_object_set_new(told, "findings", json_integer((json_int_t)task->findings));
		json_object_set_new(told, "seconds", json_real(task->seconds));
		cli_json_dump(out, told);
		json_decref(told);
	} else if (task->before) {
		xs_print(out, "%s: shard %s was done before\n", task->shards->folder, name);
	} else {
		xs_print(out,
			"%s: shard %s is done: %" PRIu64 " programs, %" PRIu64
			" findings, %.0f seconds of work on %s\n",
			task->shards->folder, name, task->programs, task->findings, task->seconds,
			host);
	}
	fflush(out);
}
