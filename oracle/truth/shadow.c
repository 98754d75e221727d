#include "oracle/truth/shadow.h"

#include <string.h>

static struct ora_activation *top_of(struct ora_shadow *shadow)
{
	return shadow->lost || !shadow->stack.len ? NULL
						  : &shadow->stack.data[shadow->stack.len - 1];
}

const struct ora_activation *ora_shadow_top(const struct ora_shadow *shadow)
{
	return shadow->lost || !shadow->stack.len ? NULL
						  : &shadow->stack.data[shadow->stack.len - 1];
}

void ora_shadow_deinit(struct ora_shadow *shadow)
{
	xs_vec_deinit(&shadow->stack);
}

static xs_addr sp_of(const struct ora_shadow_step *step)
{
	return step->reg[DI_REG_RSP];
}

static void enter(struct ora_activation *top, const struct ora_shadow_step *step)
{
	memcpy(top->entered, step->reg, sizeof top->entered);
	top->entered_known = true;
	top->function = step->function;
}

/* --- calls ------------------------------------------------------------------------------------ */

static void push(struct ora_shadow *shadow, const struct ora_shadow_step *step, enum ora_came came)
{
	struct ora_activation fresh = {.came = came,
		.joined = top_of(shadow),
		.slot = sp_of(step),
		.back = step->top,
		.tail = XS_ADDR_NONE,
		.held_at = XS_ADDR_NONE,
		.held_pc = XS_ADDR_NONE,
		.held_sp = XS_ADDR_NONE,
		.odd = XS_ADDR_NONE,
		.serial = ++shadow->serial};
	memcpy(fresh.caller, step->reg, sizeof fresh.caller);
	enter(&fresh, step);
	xs_vec_push(&shadow->stack, fresh);
	shadow->lost = false;
}

static void hold(struct ora_activation *one, xs_addr at, xs_addr pc, xs_addr sp)
{
	one->held_at = at;
	one->held_pc = pc;
	one->held_sp = sp;
}

/* The activation that waits for control to come back just there. */
static size_t find_held(const struct ora_shadow *shadow, xs_addr pc, xs_addr sp)
{
	size_t i = shadow->stack.len;
	while (i--)
		if (shadow->stack.data[i].held_pc == pc && shadow->stack.data[i].held_sp == sp)
			return i;
	return SIZE_MAX;
}

/* Control has come to a function's first instruction out of code that nobody steps. */
static void push_outside(struct ora_shadow *shadow, const struct ora_shadow_step *step)
{
	struct ora_activation *below = top_of(shadow);
	const struct ora_interrupted *interrupted = step->interrupted;
	if (!interrupted) {
		/* Who has left meanwhile, on this stack, has left for good. */
		while (shadow->stack.len &&
			shadow->stack.data[shadow->stack.len - 1].slot <= sp_of(step))
			shadow->stack.len--;
		push(shadow, step, ORA_CAME_OUTSIDE);
		return;
	}
	/* One handler may follow another: what was interrupted has not gone on meanwhile. */
	size_t found = find_held(shadow, interrupted->pc, interrupted->sp);
	if (found != SIZE_MAX) {
		shadow->stack.len = found + 1;
		shadow->lost = false;
	} else if (below && interrupted->function == below->function) {
		/* Between two of its own instructions. */
		hold(below, step->prev, interrupted->pc, interrupted->sp);
	} else if (interrupted->function) {
		shadow->lost = true;
	}
	push(shadow, step, ORA_CAME_SIGNAL);
}

/* --- ways back -------------------------------------------------------------------------------- */

/* The one of this function whose part of the stack rsp is in. */
static size_t find_near(const struct ora_shadow *shadow, const struct ora_shadow_step *step)
{
	size_t i = shadow->stack.len;
	while (i--) {
		const struct ora_activation *one = &shadow->stack.data[i];
		if (one->held_sp != XS_ADDR_NONE && one->function == step->function &&
			sp_of(step) >= one->held_sp && sp_of(step) <= one->slot)
			return i;
	}
	return SIZE_MAX;
}

static void come_back(struct ora_shadow *shadow, const struct ora_shadow_step *step)
{
	size_t found = find_held(shadow, step->pc, sp_of(step));
	if (found == SIZE_MAX && step->entry && step->top_known) {
		push_outside(shadow, step);
		return;
	}
	if (found == SIZE_MAX)
		found = find_near(shadow, step);
	shadow->lost = found == SIZE_MAX;
	if (!shadow->lost)
		shadow->stack.len = found + 1;
}

static bool is_return(const struct ora_activation *top, const struct ora_shadow_step *step)
{
	return top && step->pc == top->back && sp_of(step) == top->slot + 8 + step->pops;
}

static void pop(struct ora_shadow *shadow, const struct ora_shadow_step *step)
{
	const struct ora_activation gone = *top_of(shadow);
	shadow->stack.len--;
	if (gone.came == ORA_CAME_CALL && gone.joined)
		return;
	/* Below is code that nobody steps, or nothing that is known. */
	come_back(shadow, step);
}

/* --- one step --------------------------------------------------------------------------------- */

/* Behind a call whose return address is on the stack. */
static void call(struct ora_shadow *shadow, const struct ora_shadow_step *step)
{
	struct ora_activation *top = top_of(shadow);
	if (top)
		hold(top, step->prev, step->next, sp_of(step) + 8);
	if (step->entry)
		push(shadow, step, ORA_CAME_CALL);
	else if (top)
		top->odd = sp_of(step);
}

static void called(struct ora_shadow *shadow, const struct ora_shadow_step *step)
{
	const struct ora_activation *top = top_of(shadow);
	if ((step->pc != step->next || step->entry) && step->top_known && step->top == step->next) {
		call(shadow, step);
		return;
	}
	/* A push; or what was called has returned. */
	bool push = step->way == ORA_WAY_CALL && step->pc == step->next;
	bool back = top && top->held_pc == step->pc && top->held_sp == sp_of(step);
	if (!push && !back)
		come_back(shadow, step);
}

static void jumped(struct ora_shadow *shadow, const struct ora_shadow_step *step)
{
	struct ora_activation *top = top_of(shadow);
	if (!top) {
		if (step->way != ORA_WAY_DIRECT)
			come_back(shadow, step);
		return;
	}
	bool same = top->function == step->function;
	if (step->entry && sp_of(step) == top->slot && step->way == ORA_WAY_JUMP_OUT &&
		!(top->came == ORA_CAME_CALL && top->joined)) {
		/* It may have ended out there, and its caller, which nobody saw, calls again. */
		shadow->stack.len--;
		come_back(shadow, step);
	} else if (step->entry && sp_of(step) == top->slot && top->odd == XS_ADDR_NONE) {
		memcpy(top->ended, top->entered, sizeof top->ended);
		top->ended_known = top->entered_known;
		enter(top, step);
		top->tail = step->prev;
		/* Or it is a loop around the whole function. */
		top->entered_known = !same;
	} else if (step->way == ORA_WAY_DIRECT) {
		/* Assembly that builds a frame by hand: what is below rsp means something else. */
		if (step->entry && !same && sp_of(step) != top->slot)
			top->odd = sp_of(step);
		top->entered_known &= same;
		top->function = step->function;
	} else if (is_return(top, step)) {
		pop(shadow, step);
	} else if (!same || sp_of(step) > top->slot) {
		come_back(shadow, step);
	}
}

static void take(struct ora_shadow *shadow, const struct ora_shadow_step *step)
{
	const struct ora_activation *top = top_of(shadow);
	bool jumps = step->way == ORA_WAY_DIRECT || step->way == ORA_WAY_JUMP_OUT;
	/* A handler may tail-call: its return address stays the signal's. */
	if (step->entry && step->interrupted && !(jumps && top && top->slot == sp_of(step))) {
		come_back(shadow, step);
		return;
	}
	switch (step->way) {
	case ORA_WAY_FIRST:
		if (step->entry && step->top_known)
			push(shadow, step, ORA_CAME_START);
		else
			shadow->lost = true;
		return;
	case ORA_WAY_DIRECT:
	case ORA_WAY_JUMP_OUT:
		jumped(shadow, step);
		return;
	case ORA_WAY_CALL:
	case ORA_WAY_CALL_OUT:
		called(shadow, step);
		return;
	case ORA_WAY_RETURN:
		if (is_return(top, step))
			pop(shadow, step);
		else if (!top || top->odd == XS_ADDR_NONE || step->entry ||
			 step->function != top->function)
			come_back(shadow, step);
		return;
	case ORA_WAY_OTHER:
		come_back(shadow, step);
		return;
	}
}

void ora_shadow_step(struct ora_shadow *shadow, const struct ora_shadow_step *step)
{
	take(shadow, step);
	struct ora_activation *top = top_of(shadow);
	if (!top)
		return;
	if (top->odd != XS_ADDR_NONE && sp_of(step) > top->odd)
		top->odd = XS_ADDR_NONE;
	if (step->waits != XS_ADDR_NONE)
		hold(top, step->pc, step->waits, sp_of(step));
}
