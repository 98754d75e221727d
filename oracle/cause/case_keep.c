/* case_keep.c - whether a finding still has the culprit that it had: it must be gone without it. */
#include <inttypes.h>

#include "oracle/campaign/box.h"
#include "oracle/cause/case.h"
#include "oracle/cause/culprit.h"

enum {
	SECONDS = 60,              /* for a compiler */
	MEMORY_MOST = 4096 * 1024, /* KiB */
	OUTPUT_MOST = 64 << 20,    /* bytes */
};

/* The number that the culprit's pass has in a source; 0: it does not run there. */
static uint64_t find_pass(const struct ora_case *one, const char *source, const char *scratch)
{
	struct ora_box box = {.folder = "/",
		.scratch = scratch,
		.seconds = SECONDS,
		.memory = (uint64_t)MEMORY_MOST * 1024,
		.output = OUTPUT_MOST};
	struct ora_command line = {0}, passes = {0};
	struct ora_boxed boxed;
	uint64_t turn = 0, number = 0;
	ora_command_add(&line, one->compiler, "-g", "-w", NULL);
	ora_command_split(&line, one->level);
	for (size_t i = 0; i < one->flags.vec.len; i++)
		ora_command_add(&line, one->flags.vec.data[i], NULL);
	ora_command_add(&line, "-mllvm", "-opt-bisect-limit=1000000000", "-c", "-o", "/dev/null",
		source, NULL);
	ora_box_run(&box, ora_command_words(&line), &boxed);
	ora_culprit_passes(boxed.said, &passes);
	for (size_t i = 0; i < passes.vec.len && !number; i++)
		if (!strcmp(passes.vec.data[i], one->pass) && ++turn == one->pass_turn)
			number = i + 1;
	ora_boxed_deinit(&boxed);
	ora_command_deinit(&passes);
	ora_command_deinit(&line);
	return number;
}

static enum ora_case_end ask_with(const struct ora_case *one, const struct ora_case_change *change,
	const struct ora_command *flags, const char *scratch)
{
	const struct ora_case_change other = {.source = change->source, .flags = flags};
	struct ora_case_answer answer;
	ora_case_ask(one, &other, scratch, &answer);
	enum ora_case_end end = answer.end;
	ora_case_answer_deinit(&answer);
	return end;
}

/* Up to which pass clang goes. */
static enum ora_case_end ask_limit(const struct ora_case *one, const struct ora_case_change *change,
	uint64_t limit, const char *scratch)
{
	struct ora_command flags = {0};
	ora_command_add(&flags, "-mllvm", NULL);
	ora_command_take(&flags, xs_asprintf("-opt-bisect-limit=%" PRIu64, limit));
	enum ora_case_end end = ask_with(one, change, &flags, scratch);
	ora_command_deinit(&flags);
	return end;
}

char *ora_case_other_culprit(
	const struct ora_case *one, const struct ora_case_change *change, const char *scratch)
{
	if (one->without.vec.len &&
		ask_with(one, change, &one->without, scratch) != ORA_CASE_GONE) {
		XS_AUTO_FREE char *flags = ora_command_text(&one->without);
		return xs_asprintf(
			"it has another culprit: the finding is not gone with %s", flags);
	}
	if (!one->pass)
		return NULL;
	uint64_t number = find_pass(one, change->source ? change->source : one->source, scratch);
	if (!number)
		return xs_asprintf("it has another culprit: there is no pass %s", one->pass);
	if (ask_limit(one, change, number - 1, scratch) != ORA_CASE_GONE ||
		ask_limit(one, change, number, scratch) != ORA_CASE_FOUND)
		return xs_asprintf("it has another culprit than pass %s", one->pass);
	return NULL;
}
