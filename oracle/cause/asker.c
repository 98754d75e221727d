#include "oracle/cause/asker.h"

#include "base/log.h"
#include "engine/interrupt.h"
#include "oracle/campaign/box.h"
#include "oracle/campaign/crew.h"
#include "oracle/campaign/keepers.h"
#include "oracle/session/json_text.h"
#include "oracle/witness/debugger/lent.h"

enum {
	FOREVER = 100 * 24 * 3600, /* seconds */
	GIB = 1 << 30,
	MEMORY_GIB = 64,         /* of all that a command starts, which has limits of its own */
	OUTPUT_MOST = 256 << 20, /* bytes */
};

/* What a worker is to do; one of these. */
struct task {
	struct ora_asked *asked;
	struct ora_case *settled;
	struct ora_command *line;
	const char *folder; /* where the line runs */
	char **out, **said; /* by it, on standard output and on standard error */
	int *status;        /* of it */
};

/* --- in a worker ------------------------------------------------------------------------------ */

static json_t *work(void *context, void *arg, const char *scratch)
{
	const struct ora_asker *asker = context;
	const struct task *task = arg;
	json_t *told = json_object();
	if (asker->keepers && asker->keepers->pids.len)
		setenv(ORA_LENT_FOLDER, asker->keepers->folder, 1);
	if (task->line) {
		struct ora_boxed boxed;
		struct ora_box box = {.folder = task->folder,
			.scratch = scratch,
			.seconds = FOREVER,
			.memory = (uint64_t)MEMORY_GIB * GIB,
			.output = OUTPUT_MOST};
		ora_box_run(&box, ora_command_words(task->line), &boxed);
		json_object_set_new(told, "out", ora_json_text(boxed.out));
		json_object_set_new(told, "said", ora_json_text(boxed.said));
		json_object_set_new(told, "status",
			json_integer(boxed.end == ORA_BOX_EXITED ? boxed.status : -1));
		ora_boxed_deinit(&boxed);
	} else if (task->settled) {
		struct xs_error *err = ora_case_settle(task->settled, asker->memo, scratch);
		if (err)
			json_object_set_new(told, "error", ora_json_text(err->message));
		else
			json_object_set_new(told, "case", ora_case_pack(task->settled));
	} else {
		struct ora_case_answer answer;
		struct ora_case_change change = task->asked->change;
		change.memo = asker->memo;
		change.unrecorded = asker->memo && asker->one->unrecorded;
		ora_case_ask(asker->one, &change, scratch, &answer);
		json_object_set_new(told, "end", json_integer(answer.end));
		json_object_set_new(told, "same", json_boolean(answer.same));
		json_object_set_new(told, "seconds", json_real(answer.seconds));
		if (answer.why)
			json_object_set_new(told, "why", ora_json_text(answer.why));
		ora_case_answer_deinit(&answer);
	}
	return told;
}

/* --- in the owner ----------------------------------------------------------------------------- */

static char *copied(const json_t *text)
{
	const char *value = json_string_value(text);
	return value ? xs_strdup(value) : NULL;
}

static struct xs_error *keep(const struct task *task, const json_t *told)
{
	const char *error = json_string_value(json_object_get(told, "error"));
	if (!told)
		return xs_error_create("a worker died");
	if (error)
		return xs_error_create("%s", error);
	if (task->line) {
		*task->out = copied(json_object_get(told, "out"));
		*task->said = copied(json_object_get(told, "said"));
		*task->status = (int)json_integer_value(json_object_get(told, "status"));
		return NULL;
	}
	if (task->settled) {
		struct ora_case fresh;
		bool good = ora_case_unpack(json_object_get(told, "case"), &fresh);
		ora_case_deinit(task->settled);
		*task->settled = fresh;
		return good ? NULL
			    : xs_error_create("a worker's answer makes no sense: a bug in xstep");
	}
	task->asked->end = (enum ora_case_end)json_integer_value(json_object_get(told, "end"));
	task->asked->why = copied(json_object_get(told, "why"));
	xs_log(XS_LOG_ORACLE, XS_LOG_DEBUG, "asked about %s: %s%s%.60s, %.2f s",
		task->asked->change.source ? task->asked->change.source : "the source",
		task->asked->end == ORA_CASE_FOUND  ? "found"
		: task->asked->end == ORA_CASE_GONE ? "gone"
						    : "unfit",
		task->asked->why ? ": " : "", task->asked->why ? task->asked->why : "",
		json_number_value(json_object_get(told, "seconds")));
	return NULL;
}

static struct xs_error *do_all(struct ora_asker *asker, struct task *tasks, size_t count)
{
	struct ora_crew crew;
	struct xs_error *err = NULL;
	size_t next = 0;
	ora_crew_init(&crew, asker->scratch, asker->jobs ? asker->jobs : 1);
	while (!err && !eng_interrupt_is_wish()) {
		void *task;
		json_t *told;
		while (!err && next < count && ora_crew_is_free(&crew))
			err = ora_crew_begin(&crew, &tasks[next++], work, asker);
		if (err || !ora_crew_busy(&crew))
			break;
		if (ora_crew_wait(&crew, &task, &told)) {
			err = keep(task, told);
			asker->same += json_is_true(json_object_get(told, "same"));
			json_decref(told);
			const struct ora_asked *asked = ((struct task *)task)->asked;
			asker->asked += asked != NULL;
			asker->found += asked && !err && asked->end == ORA_CASE_FOUND;
		}
		if (asker->on_moment)
			asker->on_moment(asker->context);
	}
	while (ora_crew_end(&crew))
		continue;
	ora_crew_deinit(&crew);
	if (!err && eng_interrupt_is_wish())
		err = xs_error_create("interrupted");
	return err;
}

struct xs_error *ora_asker_ask(struct ora_asker *asker, struct ora_asked *questions, size_t count)
{
	struct task *tasks = xs_calloc(count ? count : 1, sizeof *tasks);
	for (size_t i = 0; i < count; i++)
		tasks[i].asked = &questions[i];
	struct xs_error *err = do_all(asker, tasks, count);
	free(tasks);
	return err;
}

struct xs_error *ora_asker_ask_one(
	struct ora_asker *asker, const struct ora_case_change *change, enum ora_case_end *ret)
{
	struct ora_asked asked = {.change = *change};
	struct xs_error *err = ora_asker_ask(asker, &asked, 1);
	*ret = asked.end;
	free(asked.why);
	return err;
}

struct xs_error *ora_asker_settle(struct ora_asker *asker, struct ora_case *one)
{
	struct task task = {.settled = one};
	return do_all(asker, &task, 1);
}

struct xs_error *ora_asker_listen(struct ora_asker *asker, const char *folder,
	struct ora_command *line, char **out, char **said, int *status)
{
	struct task task = {
		.line = line, .folder = folder, .out = out, .said = said, .status = status};
	*out = *said = NULL;
	return do_all(asker, &task, 1);
}

struct xs_error *ora_asker_run(struct ora_asker *asker, const char *folder,
	struct ora_command *line, char **said, int *status)
{
	XS_AUTO_FREE char *out = NULL;
	struct xs_error *err = ora_asker_listen(asker, folder, line, &out, said, status);
	if (!err && out && (!*said || !**said)) {
		free(*said);
		*said = out;
		out = NULL;
	}
	return err;
}
