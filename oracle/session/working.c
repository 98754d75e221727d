#include "oracle/session/working.h"

#include <fcntl.h>

#include "dwarf/replayed.h"
#include "oracle/witness/own/facts.h"
#include "oracle/witness/own/visit.h"

enum {
	STEPS = 400,   /* operators that are kept; only loops have more */
	SECONDS = 120, /* for the program */
};

enum di_mistake ora_working_mistake(
	const struct ora_verdicts *verdicts, const struct ora_finding *finding)
{
	const struct ora_proof *proof = &finding->proof;
	for (size_t w = 0; w < verdicts->comparison->count; w++)
		for (size_t i = 0; finding->wrong >> w & 1 && i < proof->models.len; i++) {
			const struct ora_model *model = &proof->models.data[i];
			const char *debugger = di_mistake_debugger(model->mistake);
			if (ora_rule_of(model->mistake) == finding->rules[w] &&
				!strncmp(verdicts->witnesses[w], debugger, strlen(debugger)))
				return model->mistake;
		}
	return DI_MISTAKE_NONE;
}

static void note_step(void *arg, const struct di_expr_step *step)
{
	struct ora_working *working = arg;
	char value[DI_VALUE_TEXT];
	struct ora_working_step one = {
		.text = xs_strdup(step->text), .depth = step->depth, .at = step->offset};
	for (size_t i = 0; i < step->count; i++)
		xs_vec_push(&one.stack, xs_strdup(di_value_text(&step->stack[i], value)));
	if (working->steps.len < STEPS) {
		xs_vec_push(&working->steps, one);
		return;
	}
	for (size_t i = 0; i < one.stack.len; i++)
		free(one.stack.data[i]);
	xs_vec_deinit(&one.stack);
	free(one.text);
}

static void note_remark(void *arg, const char *text)
{
	struct ora_working *working = arg;
	struct ora_working_step one = {.text = xs_strdup(text), .remark = true};
	if (working->steps.len < STEPS)
		xs_vec_push(&working->steps, one);
	else
		free(one.text);
}

static struct xs_error *look(const struct di_target *target, const struct ora_difference *one,
	enum di_mistake mistake, struct ora_working *ret)
{
	struct di_replay replay = {.mistake = mistake,
		.scope = one->scope,
		.name = one->var,
		.path = one->path,
		.line = one->decl_line,
		.nth = one->nth,
		.global = one->global,
		.frame = one->frame,
		.rank = one->rank,
		.trace = note_step,
		.note = note_remark,
		.trace_arg = ret};
	struct di_view view = {0};
	struct xs_error *err = di_replay_open(&view, target, mistake);
	if (!err)
		err = di_replay(&replay, &view);
	if (!err) {
		ret->there = replay.there;
		ret->listed = replay.listed && replay.told;
		ret->state = ret->listed ? ora_state_of(replay.state) : ORA_STATE_ABSENT;
		ret->value = xs_take(&replay.text);
		ret->place = xs_take(&replay.quoted);
	}
	di_replay_deinit(&replay);
	di_view_deinit(&view);
	return err;
}

struct xs_error *ora_workings_find(const struct ora_program *program, char *const *argv,
	uint64_t hit, const struct ora_difference *one, enum di_mistake mistake,
	struct ora_workings *ret)
{
	struct ora_visit visit = {.by_address = true, .address = one->pc, .hit = hit};
	struct ora_program copy = ora_program_unheard(program);
	copy.timeout = SECONDS;
	*ret = (struct ora_workings){.mistake = mistake};
	struct xs_error *err = ora_program_prepare(&copy, argv, &visit.run);
	/* What it complains of is nobody's business here. */
	XS_AUTO_CLOSE int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (!err && nowhere >= 0)
		visit.run.err = nowhere;
	if (!err && !(err = ora_visit(&visit)) &&
		!(err = look(&visit.target, one, DI_MISTAKE_NONE, &ret->right)) && mistake)
		err = look(&visit.target, one, mistake, &ret->wrong);
	ora_visit_deinit(&visit);
	ora_program_release(&copy);
	return err;
}

static void working_deinit(struct ora_working *working)
{
	for (size_t i = 0; i < working->steps.len; i++) {
		struct ora_working_step *step = &working->steps.data[i];
		for (size_t k = 0; k < step->stack.len; k++)
			free(step->stack.data[k]);
		xs_vec_deinit(&step->stack);
		free(step->text);
	}
	xs_vec_deinit(&working->steps);
	free(working->value);
	free(working->place);
}

void ora_workings_deinit(struct ora_workings *workings)
{
	working_deinit(&workings->right);
	working_deinit(&workings->wrong);
}
