#include "oracle/campaign/stages.h"

#include <ctype.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/scratch.h"
#include "engine/interrupt.h"
#include "oracle/campaign/crew.h"
#include "oracle/campaign/prepare.h"
#include "oracle/session/json_text.h"

#define REDUCED "reduced.c"
#define SMALL   REDUCED ".reduce/small.c"
#define TEST    REDUCED ".reduce/test.sh"

/* Columns of ORA_ASK_SIGNATURES, ORA_ASK_EXEMPLARS and ORA_ASK_CAUSES. */
enum { ID, TEXT, BASIS, WRONG, ORACLE };
enum { WHICH, FLAGS = 4, COMPILER, LEVEL };
enum { C_SIGNATURE, C_STAGE, C_OUTCOME, C_FILE = 4, C_SECONDS = 10 };

/* A signature, and which stages of it are to be done. */
struct todo {
	size_t row; /* of the signatures */
	bool reduce, culprit;
};

struct stages {
	struct ora_campaign *campaign;
	struct ora_crew crew;
	struct ora_campaign_answer signatures, causes; /* as they were when it began */
	XS_VEC(struct todo) todo;
	struct ora_campaign_event event;
};

/* What a worker does. */
struct task {
	struct ora_command line; /* the command */
	double seconds;          /* that it may take */
};

/* --- what is there ---------------------------------------------------------------------------- */

static bool is_wanted(const struct stages *stages, enum ora_setting stage)
{
	return !strcmp(stages->campaign->plan.settings.value[stage], "yes");
}

/* Seconds that a stage of a signature may take. */
static double budget(const struct stages *stages)
{
	const char *minutes = stages->campaign->plan.settings.value[ORA_SET_CAUSE_MINUTES];
	return 60 * strtod(minutes, NULL);
}

static char *path_of(const struct stages *stages, const char *id, const char *name)
{
	return xs_asprintf("%s/signatures/%s/%s", stages->campaign->plan.folder, id, name);
}

static bool is_there(const struct stages *stages, const char *id, const char *name)
{
	XS_AUTO_FREE char *path = path_of(stages, id, name);
	return !access(path, R_OK);
}

char *ora_stages_bare(const char *text)
{
	char *bare = xs_calloc(strlen(text) + 1, 1);
	size_t length = 0;
	bool gap = false;
	for (; *text; text++) {
		bool word = isalnum((unsigned char)*text) || *text == '_';
		if (isspace((unsigned char)*text)) {
			gap = true;
			continue;
		}
		if (gap && word && length &&
			(isalnum((unsigned char)bare[length - 1]) || bare[length - 1] == '_'))
			bare[length++] = ' ';
		gap = false;
		bare[length++] = *text;
	}
	return bare;
}

/* Takes a source that a reduction has left, with its size; none, if it is empty. */
static void take_file(
	const struct stages *stages, const char *name, struct ora_campaign_cause *cause)
{
	XS_AUTO_FREE char *path = path_of(stages, cause->signature, name);
	XS_AUTO_FILE FILE *file = fopen(path, "re");
	XS_VEC(char) text = {0};
	for (int c; file && (c = getc(file)) != EOF;) {
		cause->lines += c == '\n';
		xs_vec_push(&text, (char)c);
	}
	cause->bytes = text.len;
	xs_vec_push(&text, '\0');
	if (cause->bytes) {
		char id[ORA_CAMPAIGN_ID];
		XS_AUTO_FREE char *bare = ora_stages_bare(text.data);
		ora_campaign_id(id, bare, NULL);
		cause->lines += !cause->lines; /* a text without a line break is a line */
		cause->file = xs_asprintf("signatures/%s/%s", cause->signature, name);
		cause->sameness = xs_strdup(id);
	}
	xs_vec_deinit(&text);
}

/* --- what a culprit is ------------------------------------------------------------------------ */

/* The names of one kind, by commas; NULL: there are none. */
static char *names_of(const json_t *culprits, const char *kind)
{
	char *names = NULL;
	for (size_t i = 0; i < json_array_size(culprits); i++) {
		const json_t *one = json_array_get(culprits, i);
		const char *its = json_string_value(json_object_get(one, "kind"));
		const char *name = json_string_value(json_object_get(one, "name"));
		if (!its || !name || strcmp(its, kind) != 0)
			continue;
		char *more = xs_asprintf("%s%s%s", names ? names : "", names ? ", " : "", name);
		free(names);
		names = more;
	}
	return names;
}

/* Who it is, in one text without numbers, which differ from case to case. A counter of gcc's names
 * the transformation; an option switches more off than that. */
static char *name_culprit(const json_t *culprits)
{
	static const char *const kinds[] = {"pass", "counter", "option", "options"};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		XS_AUTO_FREE char *names = names_of(culprits, kinds[i]);
		if (names)
			return xs_asprintf("%s %s", kinds[i], names);
	}
	return NULL;
}

/* Adds a row to {KIND: {END: [NAME]}}. */
static void add_row(json_t *vector, const json_t *row)
{
	static const char kinds[] = " level debug compiler debugger ";
	const char *kind = json_string_value(json_object_get(row, "kind"));
	const char *end = json_string_value(json_object_get(row, "end"));
	json_t *name = json_object_get(row, "name");
	XS_AUTO_FREE char *word = xs_asprintf(" %s ", kind ? kind : "?");
	if (!strstr(kinds, word) || !end || !json_is_string(name))
		return;
	if (!json_object_get(vector, kind))
		json_object_set_new(vector, kind, json_object());
	json_t *ends = json_object_get(vector, kind);
	if (!json_object_get(ends, end))
		json_object_set_new(ends, end, json_array());
	json_array_append(json_object_get(ends, end), name);
}

void ora_stages_read_culprit(const char *report, struct ora_campaign_cause *ret)
{
	json_t *told = json_loads(report, 0, NULL), *vector = json_object();
	const json_t *rows = json_object_get(told, "rows");
	json_t *culprits = json_object_get(told, "culprits");
	const char *wrong = json_string_value(json_object_get(told, "wrong"));
	for (size_t i = 0; i < json_array_size(rows); i++)
		add_row(vector, json_array_get(rows, i));
	if (json_is_array(culprits))
		json_object_set(vector, "culprits", culprits);
	ret->culprit = name_culprit(culprits);
	ret->outcome = xs_strdup(json_is_array(rows) ? "done" : "failed");
	if (!json_is_array(rows))
		ret->reason = xs_strdup("its report makes no sense");
	else if (json_is_true(json_object_get(told, "without_any")))
		ret->reason = xs_strdup("it is there without any pass that can be switched off");
	else if (!ret->culprit)
		ret->reason = xs_strdup(wrong && strstr(wrong, "producer")
						? "none found"
						: "not looked for: no compiler is to blame");
	if (json_is_array(rows))
		ret->vector = json_dumps(vector, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_SORT_KEYS);
	json_decref(vector);
	json_decref(told);
}

/* --- in a worker ------------------------------------------------------------------------------ */

static json_t *do_task(void *context, void *arg, const char *scratch)
{
	const struct ora_plan *plan = context;
	struct task *task = arg;
	struct ora_box box = ora_prepare_box(plan, scratch, scratch, task->seconds);
	struct ora_boxed boxed;
	/* It asks so many things at a time as there would be jobs. */
	box.memory *= 1 + ora_setting_number(&plan->settings, ORA_SET_JOBS);
	ora_box_run(&box, ora_command_words(&task->line), &boxed);
	XS_AUTO_FREE char *words = ora_boxed_words(&boxed);
	json_t *told = json_object();
	json_object_set_new(
		told, "good", json_boolean(boxed.end == ORA_BOX_EXITED && !boxed.status));
	/* A signal is somebody's doing, and says nothing about the case. */
	json_object_set_new(told, "unfinished",
		json_boolean(boxed.end == ORA_BOX_HUNG || boxed.end == ORA_BOX_KILLED));
	json_object_set_new(told, "full", json_boolean(ora_boxed_is_full(&boxed)));
	json_object_set_new(told, "out", ora_json_text(boxed.out));
	json_object_set_new(told, "words", ora_json_text(words));
	json_object_set_new(told, "seconds", json_real(boxed.seconds));
	ora_boxed_deinit(&boxed);
	return told;
}

/* --- a stage ---------------------------------------------------------------------------------- */

static void tell(struct stages *stages, const struct ora_campaign_cause *cause)
{
	stages->event.cause = cause;
	if (stages->campaign->on_event)
		stages->campaign->on_event(stages->campaign->context, &stages->event);
}

/* Has a command run, and waits for it. *told: NULL if the user wants to end, or its worker died. */
static struct xs_error *run_command(struct stages *stages, struct task *task,
	const struct ora_campaign_doing *about, json_t **told)
{
	double began = xs_now();
	void *done;
	*told = NULL;
	struct xs_error *err =
		ora_crew_begin(&stages->crew, task, do_task, &stages->campaign->plan);
	while (!err && !eng_interrupt_is_wish() && !ora_crew_wait(&stages->crew, &done, told)) {
		struct ora_campaign_doing doing = *about;
		doing.seconds = xs_now() - began;
		stages->event.workers.len = 0;
		xs_vec_push(&stages->event.workers, doing);
		tell(stages, NULL);
	}
	while (ora_crew_end(&stages->crew))
		continue;
	stages->event.workers.len = 0;
	if (!err && json_is_true(json_object_get(*told, "full")))
		err = ora_prepare_full(stages->campaign->plan.folder, stages->crew.scratch);
	return err;
}

/* The words that every stage begins with. */
static void begin_words(const struct stages *stages, const char *stage, struct ora_command *ret)
{
	const struct ora_settings *settings = &stages->campaign->plan.settings;
	ora_command_add(ret, stages->campaign->plan.xstep, stage, "--format", "json", "--quiet",
		"--jobs", settings->value[ORA_SET_JOBS], "--run-timeout",
		settings->value[ORA_SET_RUN_SECONDS], NULL);
}

/* The case of a signature, whose source is a file that was made of it. */
static struct xs_error *source_words(
	const struct stages *stages, size_t row, const char *file, struct ora_command *ret)
{
	const struct ora_plan *plan = &stages->campaign->plan;
	const char *id = ora_campaign_cell(&stages->signatures, row, ID);
	const char *witness = plan->settings.value[ORA_SET_WITNESS];
	struct ora_campaign_answer all = {0};
	struct xs_error *err =
		ora_campaign_ask(stages->campaign->store, ORA_ASK_EXEMPLARS, id, &all);
	for (size_t i = 0; !err && i < ora_campaign_rows(&all); i++) {
		const struct ora_compiler *compiler =
			ora_plan_compiler(plan, ora_campaign_cell(&all, i, COMPILER));
		if (strcmp(ora_campaign_cell(&all, i, WHICH), "smallest") != 0 || !compiler)
			continue;
		char *flags = xs_strdup(ora_campaign_cell(&all, i, FLAGS));
		for (size_t k = plan->flags.vec.len; k--;) {
			char *more = xs_asprintf("%s %s", plan->flags.vec.data[k], flags);
			free(flags);
			flags = more;
		}
		ora_command_add(ret, "--compiler", compiler->path, "--oracle",
			ora_campaign_cell(&stages->signatures, row, ORACLE), "--signature",
			ora_campaign_cell(&stages->signatures, row, TEXT), NULL);
		ora_command_take(ret, xs_asprintf("--level=%s", ora_campaign_cell(&all, i, LEVEL)));
		ora_command_take(ret, xs_asprintf("--flags=%s", flags));
		if (*witness)
			ora_command_add(ret, "--witness", witness, NULL);
		ora_command_take(ret, xs_asprintf("--source=%s/%s", plan->folder, file));
		free(flags);
	}
	ora_campaign_answer_deinit(&all);
	return err;
}

/* How a stage ended that was not good. */
static void read_trouble(
	const struct stages *stages, const json_t *told, struct ora_campaign_cause *cause)
{
	const char *words = json_string_value(json_object_get(told, "words"));
	XS_AUTO_FREE char *folder = xs_asprintf("%s/", stages->campaign->plan.folder);
	bool unfinished = !told || json_is_true(json_object_get(told, "unfinished"));
	cause->outcome = xs_strdup(unfinished ? "unfinished" : "failed");
	cause->reason = ora_words_replace(xs_strdup(words ? words : "the worker died"), folder, "");
}

static void read_reduced(
	const struct stages *stages, const json_t *told, struct ora_campaign_cause *cause)
{
	const char *id = cause->signature;
	bool good = json_is_true(json_object_get(told, "good"));
	if (good)
		take_file(stages, REDUCED, cause);
	if (good && cause->file) {
		cause->outcome = xs_strdup("done");
		return;
	}
	read_trouble(stages, told, cause);
	/* The reducer has begun: from then on what is there was found fit. */
	if (!strcmp(cause->outcome, "unfinished") && is_there(stages, id, TEST))
		take_file(stages, SMALL, cause);
}

static struct xs_error *keep(struct stages *stages, struct ora_campaign_cause *cause)
{
	struct xs_error *err = ora_campaign_keep_cause(stages->campaign->store, cause);
	if (!err)
		tell(stages, cause);
	return err;
}

/* *file, to be freed: the source that there is then; NULL: none. */
static struct xs_error *reduce(struct stages *stages, size_t row, char **file)
{
	const char *id = ora_campaign_cell(&stages->signatures, row, ID);
	struct ora_campaign_cause cause = {
		.signature = xs_strdup(id), .stage = xs_strdup("reduce")};
	struct task task = {.seconds = budget(stages)};
	const struct ora_campaign_doing about = {
		.origin = ora_campaign_cell(&stages->signatures, row, TEXT), .stage = "reducing"};
	struct xs_error *err = NULL;
	json_t *told = NULL;
	if (is_there(stages, id, REDUCED)) {
		take_file(stages, REDUCED, &cause);
		cause.outcome = cause.file ? xs_strdup("done") : NULL;
	}
	if (!cause.outcome) {
		begin_words(stages, "reduce", &task.line);
		ora_command_add(&task.line, stages->campaign->plan.folder, id, NULL);
		err = run_command(stages, &task, &about, &told);
		if (!err && !eng_interrupt_is_wish()) {
			cause.seconds = json_number_value(json_object_get(told, "seconds"));
			read_reduced(stages, told, &cause);
		}
	}
	if (!err && cause.outcome && !(err = keep(stages, &cause)) && cause.file)
		*file = xs_strdup(cause.file);
	json_decref(told);
	ora_command_deinit(&task.line);
	ora_campaign_cause_deinit(&cause);
	return err;
}

/* file: the reduced source; NULL: the campaign's own case is looked into. */
static struct xs_error *look_for_culprit(struct stages *stages, size_t row, const char *file)
{
	const char *id = ora_campaign_cell(&stages->signatures, row, ID);
	struct ora_campaign_cause cause = {
		.signature = xs_strdup(id), .stage = xs_strdup("culprit")};
	struct task task = {.seconds = budget(stages)};
	const struct ora_campaign_doing about = {
		.origin = ora_campaign_cell(&stages->signatures, row, TEXT), .stage = "culprit of"};
	struct xs_error *err = NULL;
	json_t *told = NULL;
	begin_words(stages, "culprit", &task.line);
	ora_command_add(&task.line, "--versions", NULL);
	if (file)
		err = source_words(stages, row, file, &task.line);
	else
		ora_command_add(&task.line, stages->campaign->plan.folder, id, NULL);
	if (!err && !(err = run_command(stages, &task, &about, &told)) &&
		!eng_interrupt_is_wish()) {
		const char *out = json_string_value(json_object_get(told, "out"));
		cause.seconds = json_number_value(json_object_get(told, "seconds"));
		if (json_is_true(json_object_get(told, "good")) && out)
			ora_stages_read_culprit(out, &cause);
		else
			read_trouble(stages, told, &cause);
		err = keep(stages, &cause);
	}
	json_decref(told);
	ora_command_deinit(&task.line);
	ora_campaign_cause_deinit(&cause);
	return err;
}

/* --- which, and in which order ---------------------------------------------------------------- */

/* Whether somebody is named, and not on a suspicion. A compiler that crashes says itself where. */
static bool is_proved(const struct ora_campaign_answer *signatures, size_t row)
{
	const char *basis = ora_campaign_cell(signatures, row, BASIS);
	const char *wrong = ora_campaign_cell(signatures, row, WRONG);
	return wrong && *wrong && ora_oracle_find(ora_campaign_cell(signatures, row, ORACLE)) &&
	       ora_is_id(ora_campaign_cell(signatures, row, ID)) &&
	       (!basis || !strcmp(basis, "replayed") || !strcmp(basis, "evidence"));
}

/* The row of a stage that was tried; the number of rows: it was not. */
static size_t find_cause(const struct stages *stages, const char *id, const char *stage)
{
	size_t row = 0;
	while (row < ora_campaign_rows(&stages->causes) &&
		(strcmp(ora_campaign_cell(&stages->causes, row, C_SIGNATURE), id) != 0 ||
			strcmp(ora_campaign_cell(&stages->causes, row, C_STAGE), stage) != 0))
		row++;
	return row;
}

/* Whether a stage is to be done; *fresh: nobody has tried. Rules 3 and 4. */
static bool is_due(const struct stages *stages, const char *id, const char *stage, bool *fresh)
{
	size_t row = find_cause(stages, id, stage);
	if ((*fresh = row == ora_campaign_rows(&stages->causes)))
		return true;
	const char *outcome = ora_campaign_cell(&stages->causes, row, C_OUTCOME);
	double took = strtod(ora_campaign_cell(&stages->causes, row, C_SECONDS), NULL);
	if (!strcmp(stage, "reduce"))
		return !strcmp(outcome, "unfinished") ||
		       (!strcmp(outcome, "failed") && is_there(stages, id, REDUCED));
	return !strcmp(outcome, "unfinished") && budget(stages) > took + 1;
}

static void choose(struct stages *stages)
{
	for (unsigned late = 0; late < 2; late++)
		for (size_t i = 0; i < ora_campaign_rows(&stages->signatures); i++) {
			const char *id = ora_campaign_cell(&stages->signatures, i, ID);
			bool first = false, second = false;
			if (!is_proved(&stages->signatures, i))
				continue;
			struct todo todo = {.row = i,
				.reduce = is_wanted(stages, ORA_SET_REDUCE) &&
					  is_due(stages, id, "reduce", &first),
				.culprit = is_wanted(stages, ORA_SET_CULPRIT) &&
					   is_due(stages, id, "culprit", &second)};
			if ((todo.reduce || todo.culprit) && (first || second) == !late)
				xs_vec_push(&stages->todo, todo);
		}
}

/* The reduced source of an earlier run, to be freed; NULL: there is none. */
static char *kept_file(const struct stages *stages, const char *id)
{
	size_t row = find_cause(stages, id, "reduce");
	const char *file = row < ora_campaign_rows(&stages->causes)
				   ? ora_campaign_cell(&stages->causes, row, C_FILE)
				   : NULL;
	static const char *const names[] = {REDUCED, SMALL};
	for (size_t i = 0; file && i < sizeof names / sizeof *names; i++) {
		XS_AUTO_FREE char *own = xs_asprintf("signatures/%s/%s", id, names[i]);
		if (!strcmp(file, own) && is_there(stages, id, names[i]))
			return xs_strdup(own);
	}
	return NULL;
}

static struct xs_error *run_all(struct stages *stages, uint64_t most)
{
	struct xs_error *err = NULL;
	if (most && stages->todo.len > most)
		stages->todo.len = most;
	stages->event.causes_all = stages->todo.len;
	for (size_t i = 0; !err && i < stages->todo.len && !eng_interrupt_is_wish(); i++) {
		const struct todo *one = &stages->todo.data[i];
		char *file =
			kept_file(stages, ora_campaign_cell(&stages->signatures, one->row, ID));
		stages->event.causes = i;
		if (one->reduce) {
			free(file);
			file = NULL;
			err = reduce(stages, one->row, &file);
		}
		if (!err && one->culprit && !eng_interrupt_is_wish())
			err = look_for_culprit(stages, one->row, file);
		free(file);
	}
	return err;
}

struct xs_error *ora_stages_run(struct ora_campaign *campaign, uint64_t most)
{
	struct stages stages = {.campaign = campaign};
	char *scratch = NULL;
	struct xs_error *err = NULL;
	if (!is_wanted(&stages, ORA_SET_REDUCE) && !is_wanted(&stages, ORA_SET_CULPRIT))
		return NULL;
	if (!(err = ora_campaign_ask(
		      campaign->store, ORA_ASK_SIGNATURES, NULL, &stages.signatures)) &&
		!(err = ora_campaign_ask(campaign->store, ORA_ASK_CAUSES, NULL, &stages.causes)))
		choose(&stages);
	if (!err && stages.todo.len && !(err = xs_scratch_create("campaign", &scratch))) {
		ora_crew_init(&stages.crew, scratch, 1);
		eng_interrupt_hold();
		err = run_all(&stages, most);
		campaign->signal = eng_interrupt_signal();
		xs_scratch_destroy(scratch);
		eng_interrupt_release();
		ora_crew_deinit(&stages.crew);
	}
	xs_vec_deinit(&stages.todo);
	xs_vec_deinit(&stages.event.workers);
	ora_campaign_answer_deinit(&stages.signatures);
	ora_campaign_answer_deinit(&stages.causes);
	return err;
}
