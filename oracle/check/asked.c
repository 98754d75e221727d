#include "oracle/check/asked.h"

#include <string.h>

static struct ora_asked_rule *find(struct ora_asked *asked, const char *rule, const char *what)
{
	for (size_t i = 0; i < asked->rules.len; i++)
		if (!strcmp(asked->rules.data[i].rule, rule) &&
			!strcmp(asked->rules.data[i].what, what))
			return &asked->rules.data[i];
	struct ora_asked_rule fresh = {.rule = rule, .what = what};
	xs_vec_push(&asked->rules, fresh);
	return &asked->rules.data[asked->rules.len - 1];
}

void ora_asked_add(struct ora_asked *asked, const char *rule, const char *what, uint64_t count)
{
	find(asked, rule, what)->asked += count;
}

void ora_asked_leave(struct ora_asked *asked, const char *rule, const char *what,
	const char *reason, uint64_t count)
{
	struct ora_asked_rule *one = find(asked, rule, what);
	for (size_t i = 0; i < one->left.len; i++)
		if (!strcmp(one->left.data[i].reason, reason)) {
			one->left.data[i].count += count;
			return;
		}
	struct ora_asked_left fresh = {reason, count};
	if (count)
		xs_vec_push(&one->left, fresh);
}

uint64_t ora_asked_total(const struct ora_asked *asked)
{
	uint64_t ret = 0;
	for (size_t i = 0; i < asked->rules.len; i++)
		ret += asked->rules.data[i].asked;
	return ret;
}

void ora_asked_deinit(struct ora_asked *asked)
{
	for (size_t i = 0; i < asked->rules.len; i++)
		xs_vec_deinit(&asked->rules.data[i].left);
	xs_vec_deinit(&asked->rules);
}
