#include "dwarf/frame.h"

#include "dwarf/cfi.h"
#include "dwarf/expr.h"
#include "dwarf/words.h"

enum { PAGE = 4096, WINDOW = PAGE + 256 };

/* A stretch of the stack. Frames lie one behind the other, and a read costs a system call whatever
 * its size: so what is read for one frame goes on to the end of its page, and serves the next. */
struct window {
	xs_addr lo;           /* where it begins */
	size_t size;          /* 0: nothing has been read yet */
	uint8_t data[WINDOW]; /* its content */
};

/* A frame and the rules that lead out of it. */
struct level {
	const struct di_target *target;
	const struct di_frame *frame;
	bool innermost;                /* wide registers are the machine's, too */
	const struct di_cfi_row *row;  /* NULL: no CFI */
	struct window *window;         /* of the walk; NULL if nothing is to be read by it */
	struct di_expr_budget *budget; /* of the walk: hostile rules loop in every frame; or NULL */
};

/* --- what rules come to ----------------------------------------------------------------------- */

static bool level_reg(const struct level *level, uint64_t reg, struct di_wide *ret, unsigned *bits,
	struct di_answer *answer)
{
	uint8_t bytes[DI_REG_BYTES];
	unsigned size;
	if (reg < DI_REG_GENERAL) {
		*ret = di_wide_from_u(level->frame->value[reg]);
		*bits = 64;
		return level->frame->known >> reg & 1 ||
		       di_answer_gone(answer, DI_WHY_FRAME_REGISTER, .number = {reg});
	}
	if (!level->innermost)
		return di_answer_gone(answer, DI_WHY_FRAME_REGISTER, .number = {reg});
	if (reg > UINT32_MAX ||
		!level->target->reg(level->target->arg, (unsigned)reg, bytes, &size))
		return di_answer_error(answer, DI_WHY_FRAME_NO_REGISTER, .number = {reg});
	*ret = di_wide_from_bytes(bytes, size);
	*bits = 8 * size;
	return true;
}

static struct xs_error *host_reg(
	void *arg, uint64_t reg, struct di_wide *ret, unsigned *bits, struct di_answer *answer)
{
	level_reg(arg, reg, ret, bits, answer);
	return NULL;
}

static bool level_memory(const struct level *level, xs_addr address, void *ret, size_t size,
	struct di_answer *answer)
{
	return level->target->memory(level->target->arg, address, ret, size) ||
	       di_answer_error(answer, DI_WHY_FRAME_MEMORY, .number = {size, address});
}

static struct xs_error *host_memory(void *arg, uint64_t space, xs_addr address, void *ret,
	size_t size, struct di_answer *answer)
{
	if (space)
		di_answer_error(answer, DI_WHY_FRAME_ADDRESS_SPACE, .number = {space});
	else
		level_memory(arg, address, ret, size, answer);
	return NULL;
}

/* The value of an expression; of a register's rule it begins with the CFA on the stack. */
static bool eval(struct level *level, const struct di_rule *rule, bool with_cfa,
	di_expr_trace *trace, void *trace_arg, uint64_t *ret, struct di_answer *answer)
{
	const struct di_cfi_section *section = level->row->fde->cie->section;
	struct di_expr_unit unit = {.version = 5,
		.address_size = 8,
		.offset_size = 4,
		.bias = level->frame->mapping->bias};
	struct di_expr_host host = {.arg = level, .reg = host_reg, .memory = host_memory};
	struct di_base generic = di_base_generic(8);
	struct di_value cfa = di_value_make(&generic, di_wide_from_u(level->frame->cfa));
	struct di_expr_request request = {
		.source = {.data = rule->expr,
			.size = rule->size,
			.unit = &unit,
			.section = section->bytes.section,
			.offset = (uint64_t)(rule->expr - section->bytes.start)},
		.host = &host,
		.budget = level->budget,
		.as_value = true,
		.initial = &cfa,
		.initial_count = with_cfa,
		.trace = trace,
		.trace_arg = trace_arg};
	struct di_location location;
	struct xs_error *err = di_expr_eval(&request, &location);
	xs_assert(!err); /* none of our callbacks returns one */
	if (location.answer.state != DI_ANSWER_KNOWN) {
		di_answer_copy(answer, &location.answer);
		return false;
	}
	const struct di_piece *piece = &location.piece[0];
	if (location.composite || location.count != 1 || piece->kind != DI_PIECE_VALUE ||
		!di_value_is_integral(&piece->value))
		return di_cfi_wrong(answer, section, request.source.offset, DI_WHY_CFI_NO_ADDRESS);
	*ret = di_value_u64(&piece->value);
	return true;
}

static bool eval_cfa(struct level *level, di_expr_trace *trace, void *trace_arg, xs_addr *ret,
	struct di_answer *answer)
{
	const struct di_rule *rule = &level->row->cfa;
	const struct di_fde *fde = level->row->fde;
	struct di_wide base;
	unsigned bits;
	if (rule->kind == DI_RULE_VAL_EXPRESSION)
		return eval(level, rule, false, trace, trace_arg, ret, answer);
	if (rule->kind != DI_RULE_VAL_OFFSET)
		return di_cfi_wrong(answer, fde->cie->section, fde->offset, DI_WHY_CFI_NO_CFA,
			.number = {level->frame->lookup});
	if (!level_reg(level, rule->reg, &base, &bits, answer))
		return false;
	*ret = base.limb[0] + (uint64_t)rule->offset;
	return true;
}

static bool window_has(const struct window *window, xs_addr lo, uint64_t size)
{
	return size <= window->size && lo >= window->lo && lo - window->lo <= window->size - size;
}

/* Moves the window, if need be, to all that the frame saved near its CFA. */
static void move_window(const struct level *level)
{
	struct window *window = level->window;
	xs_addr lo = level->frame->cfa + (uint64_t)level->row->saved_lo;
	uint64_t size = (uint64_t)level->row->saved_hi - (uint64_t)level->row->saved_lo;
	if (size > WINDOW - PAGE || window_has(window, lo, size))
		return;
	size_t whole = (size_t)(size + -(lo + size) % PAGE);
	window->lo = lo;
	window->size = 0;
	/* A page is there as a whole, but in a core file or a test it may be cut. */
	if (level->target->memory(level->target->arg, lo, window->data, whole))
		window->size = whole;
	else if (level->target->memory(level->target->arg, lo, window->data, size))
		window->size = size;
}

static bool read_saved(
	const struct level *level, int64_t offset, uint64_t *ret, struct di_answer *answer)
{
	const struct window *window = level->window;
	xs_addr address = level->frame->cfa + (uint64_t)offset;
	if (!window_has(window, address, 8))
		return level_memory(level, address, ret, 8, answer);
	memcpy(ret, window->data + (address - window->lo), 8);
	return true;
}

static bool is_preserved(unsigned reg)
{
	return reg == DI_REG_RBX || reg == DI_REG_RBP || (reg >= 12 && reg <= DI_REG_R15);
}

/* Whether nothing tells what the register held. What the kernel saved for a signal is what the
 * rules of its frame say, and nothing else. */
static bool is_lost(const struct level *level, unsigned reg)
{
	enum di_rule_kind kind = level->row->reg[reg].kind;
	return kind == DI_RULE_UNDEFINED || (kind == DI_RULE_NONE && reg != DI_REG_RSP &&
						    (!is_preserved(reg) || level->frame->signal));
}

/* What the register held in the caller. */
static bool eval_reg(struct level *level, unsigned reg, uint64_t *ret, struct di_answer *answer)
{
	const struct di_rule *rule = &level->row->reg[reg];
	struct di_wide wide;
	unsigned bits;
	xs_addr address;
	switch (rule->kind) {
	case DI_RULE_NONE:
		if (reg == DI_REG_RSP) {
			*ret = level->frame->cfa;
			return true;
		}
		if (is_lost(level, reg))
			return di_answer_gone(answer, DI_WHY_FRAME_REGISTER, .number = {reg});
		break;
	case DI_RULE_UNDEFINED:
		return di_answer_gone(answer, DI_WHY_FRAME_UNDEFINED, .number = {reg});
	case DI_RULE_SAME:
		break;
	case DI_RULE_OFFSET:
		return read_saved(level, rule->offset, ret, answer);
	case DI_RULE_VAL_OFFSET:
		*ret = level->frame->cfa + (uint64_t)rule->offset;
		return true;
	case DI_RULE_REGISTER:
		if (!level_reg(level, rule->reg, &wide, &bits, answer))
			return false;
		*ret = wide.limb[0];
		return true;
	case DI_RULE_EXPRESSION:
		return eval(level, rule, true, NULL, NULL, &address, answer) &&
		       level_memory(level, address, ret, 8, answer);
	case DI_RULE_VAL_EXPRESSION:
		return eval(level, rule, true, NULL, NULL, ret, answer);
	}
	if (!level_reg(level, reg, &wide, &bits, answer))
		return false;
	*ret = wide.limb[0];
	return true;
}

/* --- walking ---------------------------------------------------------------------------------- */

static bool stop(struct di_stack *stack, enum di_stack_end end)
{
	stack->end = end;
	return false;
}

/* The row for the frame, by its lookup address. */
static bool find_row(
	struct di_frame *frame, const struct di_cfi_row **ret, struct di_answer *answer)
{
	struct di_cfi *cfi = di_module_cfi(frame->mapping->module, answer);
	const struct di_cfi_row *row;
	*ret = NULL;
	if (!cfi || !di_cfi_find(cfi, frame->lookup, ret, answer))
		return false;
	/* The kernel enters a signal's trampoline by a return to its first byte, so that nothing
	 * lies before it. glibc's entry begins one byte early for that reason; others' need not. */
	xs_addr exact = frame->pc - frame->mapping->bias;
	if (!*ret && exact != frame->lookup) {
		if (!di_cfi_find(cfi, exact, &row, answer))
			return false;
		if (row && row->fde->cie->signal && row->fde->lo == exact) {
			*ret = row;
			frame->lookup = exact;
		}
	}
	return true;
}

/* Finds out about a frame of which only the registers are known. `exact`: no call led out of it.
 * False: the walk ends here. */
static bool enter(const struct di_target *target, struct di_frame *frame, bool exact,
	struct level *level, struct di_stack *stack)
{
	struct di_answer *reason = &stack->reason;
	frame->pc = frame->value[DI_REG_RIP];
	frame->lookup = frame->pc - !exact;
	frame->mapping = target->find(target->arg, frame->lookup);
	if (!frame->mapping) {
		di_answer_error(reason, DI_WHY_FRAME_NO_MODULE, .number = {frame->pc});
		return stop(stack, DI_STACK_NO_CFI);
	}
	frame->lookup -= frame->mapping->bias;
	if (!find_row(frame, &level->row, reason))
		return stop(stack, DI_STACK_ERROR);
	if (!level->row) {
		di_answer_error(reason, DI_WHY_FRAME_NO_CFI, .text = {frame->mapping->module->name},
			.number = {frame->lookup});
		return stop(stack, DI_STACK_NO_CFI);
	}
	frame->signal = level->row->fde->cie->signal;
	frame->cfa_known = eval_cfa(level, NULL, NULL, &frame->cfa, reason);
	return frame->cfa_known || stop(stack, DI_STACK_ERROR);
}

/* The caller's registers. False: there is no caller, or none that can be told. */
static bool leave(struct level *level, struct di_frame *caller, struct di_stack *stack)
{
	const struct di_fde *fde = level->row->fde;
	unsigned ra = fde->cie->ra;
	enum di_rule_kind kind = level->row->reg[ra].kind;
	struct di_answer ignored;
	uint64_t pc;
	*caller = (struct di_frame){0};
	if (kind == DI_RULE_UNDEFINED)
		return stop(stack, DI_STACK_OUTERMOST);
	if (kind == DI_RULE_NONE || kind == DI_RULE_SAME) {
		di_cfi_wrong(&stack->reason, fde->cie->section, fde->offset, DI_WHY_CFI_NO_RETURN,
			.number = {level->frame->lookup});
		return stop(stack, DI_STACK_ERROR);
	}
	move_window(level);
	if (!eval_reg(level, ra, &pc, &stack->reason))
		return stop(stack, DI_STACK_ERROR);
	if (pc == 0)
		return stop(stack, DI_STACK_OUTERMOST);
	struct di_cfi_row row;
	struct level mistaken = *level;
	if (stack->mistake == DI_MISTAKE_LLDB_CFA_RESTORE) {
		di_answer_known(&ignored);
		if (di_cfi_run_unrestored(fde, level->frame->lookup, &row, &ignored)) {
			mistaken.row = &row;
			level = &mistaken;
		}
	}
	for (unsigned reg = 0; reg < DI_REG_RIP; reg++) {
		if (is_lost(level, reg))
			continue; /* most of them: no words need be found for each */
		di_answer_known(&ignored);
		if (eval_reg(level, reg, &caller->value[reg], &ignored))
			caller->known |= 1u << reg;
		else
			caller->value[reg] = 0;
	}
	caller->value[DI_REG_RIP] = pc;
	caller->known |= 1u << DI_REG_RIP;
	return true;
}

/* Whether the caller lies further out than its callee. A signal's frame may be on another stack,
 * and a CFA that is an expression may lead to one (split stacks); there, only standing still is
 * wrong, and the limit on frames does the rest. */
static bool gets_on(const struct di_frame *callee, const struct di_cfi_row *callee_row,
	const struct di_frame *caller, const struct di_cfi_row *caller_row)
{
	bool free = callee->signal || caller->signal ||
		    callee_row->cfa.kind != DI_RULE_VAL_OFFSET ||
		    caller_row->cfa.kind != DI_RULE_VAL_OFFSET;
	return caller->cfa > callee->cfa ||
	       (free && !(caller->cfa == callee->cfa && caller->pc == callee->pc));
}

static struct xs_error *read_machine(const struct di_target *target, struct di_frame *ret)
{
	uint8_t bytes[DI_REG_BYTES];
	unsigned size;
	*ret = (struct di_frame){0};
	for (unsigned reg = 0; reg < DI_REG_GENERAL; reg++) {
		if (!target->reg(target->arg, reg, bytes, &size))
			continue;
		ret->value[reg] = di_wide_from_bytes(bytes, size).limb[0];
		ret->known |= 1u << reg;
	}
	if (!(ret->known >> DI_REG_RIP & 1))
		return xs_error_create("machine state without RIP");
	return NULL;
}

static struct xs_error *walk(const struct di_target *target, size_t limit, struct di_stack *ret)
{
	struct di_frame frame, caller;
	struct window window;
	struct di_expr_budget budget = {DI_EXPR_OPERATORS, DI_EXPR_DEPTH};
	struct level level = {
		.target = target, .innermost = true, .window = &window, .budget = &budget};
	struct xs_error *err;
	window.size = 0;
	ret->frames.len = 0;
	ret->refused_known = false;
	ret->end = DI_STACK_ASKED;
	di_answer_known(&ret->reason);
	if ((err = read_machine(target, &frame)))
		return err;
	level.frame = &frame;
	bool more = enter(target, &frame, true, &level, ret);
	xs_vec_push(&ret->frames, frame);
	while (more && ret->frames.len < limit && leave(&level, &caller, ret)) {
		struct level outer = {.target = target, .frame = &caller, .budget = &budget};
		more = enter(target, &caller, frame.signal, &outer, ret);
		if (more && !gets_on(&frame, level.row, &caller, outer.row)) {
			di_answer_error(&ret->reason, DI_WHY_FRAME_NOT_OUTSIDE,
				.number = {ret->frames.len, caller.pc});
			ret->end = DI_STACK_LIMIT;
			ret->refused = caller;
			ret->refused_known = true;
			break;
		}
		xs_vec_push(&ret->frames, caller);
		frame = caller;
		level.row = outer.row;
		level.innermost = false;
	}
	return NULL;
}

struct xs_error *di_stack_walk(const struct di_target *target, struct di_stack *ret)
{
	struct xs_error *err = walk(target, DI_STACK_MAX, ret);
	if (!err && ret->end == DI_STACK_ASKED) {
		di_answer_error(&ret->reason, DI_WHY_FRAME_TOO_MANY, .number = {DI_STACK_MAX});
		ret->end = DI_STACK_LIMIT;
	}
	return err;
}

struct xs_error *di_stack_top(const struct di_target *target, struct di_stack *ret)
{
	return walk(target, 1, ret);
}

void di_stack_deinit(struct di_stack *stack)
{
	xs_vec_deinit(&stack->frames);
}

/* --- in words --------------------------------------------------------------------------------- */

static void put_step(void *arg, const struct di_expr_step *step)
{
	char value[DI_VALUE_TEXT];
	di_text_put(arg, "\n  %s", step->text);
	if (step->count)
		di_text_put(arg, " -> %s", di_value_text(&step->stack[step->count - 1], value));
}

static void put_registers(const struct di_cfi_row *row, struct di_text *text)
{
	for (unsigned reg = 0; reg < DI_REG_GENERAL; reg++) {
		if (row->reg[reg].kind == DI_RULE_NONE)
			continue;
		di_text_put(text, "\n%s ", di_register_name(reg));
		di_rule_text(&row->reg[reg], text);
		if (reg == row->fde->cie->ra)
			di_text_put(text, " (the return address)");
	}
}

const char *di_frame_explain(
	const struct di_target *target, const struct di_frame *frame, char *buf, size_t size)
{
	struct di_text text = {.buf = buf, .size = size};
	struct di_answer answer;
	char words[DI_WORDS];
	struct di_frame copy = *frame; /* finding the row may correct `lookup` */
	struct level level = {.target = target, .frame = &copy};
	di_answer_known(&answer);
	if (!frame->mapping)
		di_answer_error(&answer, DI_WHY_FRAME_NO_MODULE, .number = {frame->pc});
	else if (find_row(&copy, &level.row, &answer) && !level.row)
		di_answer_error(&answer, DI_WHY_FRAME_NO_CFI,
			.text = {frame->mapping->module->name}, .number = {frame->lookup});
	if (answer.state != DI_ANSWER_KNOWN) {
		di_text_put(&text, "%s", di_answer_text(&answer, words));
		return buf;
	}
	const struct di_cfi_row *row = level.row;
	const struct di_cie *cie = row->fde->cie;
	di_text_put(&text,
		"%s: %s+0x%zx: FDE of [0x%" PRIx64 ", 0x%" PRIx64 "), CIE at +0x%zx%s\n"
		"row of [0x%" PRIx64 ", 0x%" PRIx64 "), looked up by 0x%" PRIx64 "\nCFA = ",
		frame->mapping->module->name, cie->section->bytes.section, row->fde->offset,
		row->fde->lo, row->fde->hi, cie->offset, cie->signal ? ", signal frame" : "",
		row->lo, row->hi, copy.lookup);
	di_rule_cfa_text(&row->cfa, &text);
	if (eval_cfa(&level, put_step, &text, &copy.cfa, &answer))
		di_text_put(&text, "%s= 0x%" PRIx64,
			row->cfa.kind == DI_RULE_VAL_OFFSET ? " " : "\n  ", copy.cfa);
	else
		di_text_put(&text, ": %s", di_answer_text(&answer, words));
	put_registers(row, &text);
	return buf;
}
