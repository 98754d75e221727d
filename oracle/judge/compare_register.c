/* compare_register.c - where witnesses differ about the general registers. */
#include "oracle/judge/walk.h"

void ora_walk_take_register(struct walk *walk, size_t w, const struct ora_told_reg *told)
{
	struct reg *reg = NULL;
	for (size_t i = 0; i < walk->regs.len && !reg; i++)
		if (!strcmp(walk->regs.data[i].name, told->name))
			reg = &walk->regs.data[i];
	if (!reg) {
		struct reg fresh = {.name = xs_strdup(told->name)};
		xs_vec_push(&walk->regs, fresh);
		reg = &walk->regs.data[walk->regs.len - 1];
	}
	reg->by[w] = *told;
	reg->by[w].name = reg->by[w].text = NULL;
	reg->told[w] = !told->text; /* texts are not compared */
	reg->touched = true;
}

static void compare_reg(struct walk *walk, struct reg *reg)
{
	const struct ora_told_reg *first = NULL;
	uint64_t print = 9;
	bool differ = false;
	size_t told = 0, pairs = 0;
	for (size_t w = 0; w < walk->count; w++) {
		told += reg->told[w] && walk->here >> w & 1;
		for (size_t v = 0; v < w; v++)
			pairs += reg->told[w] && reg->told[v] &&
				 reg->by[w].value == reg->by[v].value;
	}
	for (size_t w = 0; w < walk->count; w++) {
		if (!reg->told[w] || !(walk->here >> w & 1))
			continue;
		const struct ora_told_reg *one = &reg->by[w];
		print = ora_walk_hash(ora_walk_hash(print, one->known), one->value);
		differ |= first && one->known && first->known && one->value != first->value;
		first = first ? first : one;
		walk->out->compared += first != one;
	}
	if (differ && reg->open && print == reg->print)
		return;
	ora_walk_close(walk, &reg->open, reg->since);
	reg->since = walk->now;
	reg->print = print;
	/* Three answers to one question: a process number, a time stamp. */
	bool unstable = differ && told > 2 && !pairs;
	walk->out->aside[ORA_ASIDE_UNSTABLE] += unstable;
	if (!differ || unstable)
		return;
	size_t at = ora_walk_differ(walk, ORA_ASPECT_REGISTER, xs_hash_text(9, reg->name), 0);
	struct ora_difference *one = walk->out->differences.data[at];
	for (size_t w = 0; !one->var && w < walk->count; w++) {
		one->said[w].heard = reg->told[w] && walk->here >> w & 1;
		if (one->said[w].heard)
			one->said[w].value = xs_asprintf("0x%" PRIx64, reg->by[w].value);
	}
	if (!one->var) {
		one->var = xs_asprintf("$%s", reg->name);
		one->path = xs_strdup(one->var);
	}
	reg->open = at + 1;
}

void ora_walk_compare_registers(struct walk *walk)
{
	for (size_t i = 0; i < walk->regs.len; i++) {
		if (walk->regs.data[i].touched)
			compare_reg(walk, &walk->regs.data[i]);
		walk->regs.data[i].touched = false;
	}
}
