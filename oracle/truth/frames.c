#include "oracle/truth/frames.h"

static const char cfas[] = "frames", returns[] = "return addresses", registers[] = "registers";

bool ora_is_preserved(unsigned reg)
{
	return reg == DI_REG_RBX || reg == DI_REG_RBP || (reg >= 12 && reg <= DI_REG_R15);
}

void ora_frames_deinit(struct ora_frames *frames)
{
	xs_vec_deinit(&frames->pairs);
}

static bool wrong(struct ora_frames *frames, enum ora_flaw flaw, uint64_t given, uint64_t truth)
{
	frames->flaw = flaw;
	frames->given = given;
	frames->truth = truth;
	return false;
}

static bool end(struct ora_frames *frames, const char *reason)
{
	frames->ended = reason;
	return false;
}

/* --- one frame -------------------------------------------------------------------------------- */

static bool ask_cfa(const struct di_stack *stack, size_t frame, const struct ora_activation *one,
	struct ora_asked *asked, struct ora_frames *ret)
{
	const struct di_frame *at = &stack->frames.data[frame];
	ora_asked_add(asked, ORA_RULE_CFA, cfas, 1);
	if (!at->cfa_known)
		return wrong(ret,
			stack->end == DI_STACK_NO_CFI ? ORA_FLAW_NO_CFI : ORA_FLAW_BAD_CFI, 0,
			one->slot + 8);
	return at->cfa == one->slot + 8 || wrong(ret, ORA_FLAW_CFA, at->cfa, one->slot + 8);
}

/* The frame that the walk comes to from this one, believed or not; or NULL. */
static const struct di_frame *caller_of(const struct di_stack *stack, size_t frame)
{
	if (frame + 1 < stack->frames.len)
		return &stack->frames.data[frame + 1];
	return stack->refused_known ? &stack->refused : NULL;
}

static bool ask_return(const struct di_stack *stack, size_t frame, const struct ora_activation *one,
	struct ora_asked *asked, struct ora_frames *ret)
{
	const struct di_frame *caller = caller_of(stack, frame);
	if (caller) {
		ora_asked_add(asked, ORA_RULE_RETURN, returns, 1);
		return caller->pc == one->back ||
		       wrong(ret, ORA_FLAW_RETURN, caller->pc, one->back);
	}
	if (stack->end == DI_STACK_ERROR) {
		ora_asked_add(asked, ORA_RULE_RETURN, returns, 1);
		return wrong(ret, ORA_FLAW_NO_RETURN, 0, one->back);
	}
	ora_asked_leave(asked, ORA_RULE_RETURN, returns,
		stack->end == DI_STACK_OUTERMOST ? "that are undefined on purpose"
						 : "behind the end of the walk",
		1);
	return end(ret, "the walk ends there");
}

static bool ask_registers(const struct di_frame *caller, const struct ora_activation *one,
	struct ora_asked *asked, struct ora_frames *ret)
{
	uint64_t count = 0, left = 0;
	for (unsigned reg = 0; reg < DI_REG_RIP; reg++) {
		if (!ora_is_preserved(reg))
			continue;
		bool known = caller->known >> reg & 1;
		count += known;
		left += !known;
		if (!known || caller->value[reg] == one->caller[reg])
			continue;
		if (!ret->registers)
			wrong(ret, ORA_FLAW_REGISTER, caller->value[reg], one->caller[reg]);
		ret->registers |= 1u << reg;
	}
	ora_asked_add(asked, ORA_RULE_REGISTER, registers, count);
	if (left)
		ora_asked_leave(asked, ORA_RULE_REGISTER, registers,
			"that are undefined or cannot be read", left);
	return !ret->registers;
}

/* --- all of them ------------------------------------------------------------------------------ */

/* Whether it is certain what the activation returns to. */
static bool is_intact(const struct di_target *target, const struct ora_activation *one)
{
	uint64_t word;
	return target->memory(target->arg, one->slot, &word, sizeof word) && word == one->back;
}

/* The frame of the activation below, which waits; SIZE_MAX: it is not there. */
static size_t find_below(const struct di_stack *stack, size_t frame,
	const struct ora_activation *one, const struct ora_activation *below)
{
	const struct di_frame *frames = stack->frames.data;
	if (one->came == ORA_CAME_CALL)
		return frame + 1 < stack->frames.len ? frame + 1 : SIZE_MAX;
	/* Only the signal's own frame is between. */
	if (one->came == ORA_CAME_SIGNAL && frame + 2 < stack->frames.len &&
		frames[frame + 1].signal && frames[frame + 2].pc == below->held_pc)
		return frame + 2;
	for (size_t i = frame + 1; i < stack->frames.len; i++)
		if (frames[i].cfa_known && frames[i].cfa == below->slot + 8 &&
			frames[i].pc == below->held_pc)
			return i;
	return SIZE_MAX;
}

static bool compare(const struct di_stack *stack, const struct di_target *target, size_t frame,
	const struct ora_activation *one, struct ora_asked *asked, struct ora_frames *ret)
{
	const char *reason = one->odd != XS_ADDR_NONE ? "after a call or jump made by hand"
			     : !is_intact(target, one)
				     ? "whose return address the program has changed"
				     : NULL;
	if (reason) {
		ora_asked_leave(asked, ORA_RULE_CFA, cfas, reason, 1);
		return end(ret, reason);
	}
	return ask_cfa(stack, frame, one, asked, ret) &&
	       ask_return(stack, frame, one, asked, ret) &&
	       ask_registers(caller_of(stack, frame), one, asked, ret);
}

void ora_frames_compare(const struct di_stack *stack, const struct di_target *target,
	const struct ora_shadow *shadow, struct ora_asked *asked, struct ora_frames *ret)
{
	size_t frame = 0, activation = shadow->stack.len;
	ret->pairs.len = 0;
	ret->flaw = ORA_FLAW_NONE;
	ret->registers = 0;
	ret->ended = NULL;
	if (!ora_shadow_top(shadow)) {
		const char *reason = "of a call whose beginning was not seen";
		ora_asked_leave(asked, ORA_RULE_CFA, cfas, reason, 1);
		end(ret, reason);
		return;
	}
	while (activation--) {
		const struct ora_activation *one = &shadow->stack.data[activation];
		struct ora_frames_pair pair = {frame, activation};
		xs_vec_push(&ret->pairs, pair);
		if (!compare(stack, target, frame, one, asked, ret) || !activation)
			return;
		if (one->joined)
			frame = find_below(stack, frame, one, one - 1);
		if (!one->joined || frame == SIZE_MAX) {
			const char *reason = "behind code that is not stepped";
			ora_asked_leave(asked, ORA_RULE_CFA, cfas, reason, 1);
			end(ret, reason);
			return;
		}
	}
}
