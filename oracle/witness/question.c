#include "oracle/witness/question.h"

#include "dwarf/leaf.h"

const char *ora_level_text(int level)
{
	return (const char *const[]){"instruction", "line", "break"}[level];
}

const char *ora_mode_text(int mode)
{
	return mode == ORA_MODE_SINGLE ? "single" : "exact";
}

bool ora_mode_is(const char *mode, const char *word)
{
	static const char *const more[] = {
		ORA_MODE_STEADY, ORA_MODE_MOVED, ORA_MODE_AGAIN, ORA_MODE_INNER, ORA_MODE_ONLY};
	size_t length = strlen(word);
	if (!mode || strncmp(mode, word, length) != 0)
		return false;
	for (size_t i = 0; i < sizeof more / sizeof *more; i++)
		if (!strncmp(mode + length, more[i], strlen(more[i])))
			length += strlen(more[i]);
	return !mode[length];
}

const char *ora_sample_text(int sample)
{
	return (const char *const[]){"none", "all", "unique", "dtd"}[sample];
}

const char *ora_vars_text(int vars)
{
	return (const char *const[]){"none", "locals", "all"}[vars];
}

const char *ora_ask_text(int ask)
{
	return (const char *const[]){"needed", "all", "text"}[ask];
}

struct ora_store_trace ora_question_trace(const struct ora_question *question)
{
	return (struct ora_store_trace){.level = ora_level_text(question->level),
		.sample = ora_sample_text(question->sample),
		.seed = question->seed,
		.from = question->from,
		.vars = ora_vars_text(question->vars),
		.frames = question->frames,
		.regs = question->regs,
		.max_leaves = question->max_leaves ? question->max_leaves : DI_LEAF_MAX};
}
