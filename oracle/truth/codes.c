#include "oracle/truth/codes.h"

#include "dwarf/cfi.h"
#include "dwarf/function.h"

static void decode(struct ora_codes *codes, struct ora_code *code)
{
	struct di_module *module = codes->module;
	const struct di_cfi_row *row = NULL;
	struct di_answer answer;
	size_t size = 0;
	const uint8_t *bytes = di_module_bytes(module, code->pc, &size);
	const struct di_function *function = di_functions_find(module->functions, code->pc);
	di_answer_known(&answer);
	struct di_cfi *cfi = di_module_cfi(module, &answer);
	if (bytes)
		code->insn = eng_insn_decode(bytes, size < ENG_INSN_MAX ? size : ENG_INSN_MAX);
	code->next = code->pc + code->insn.length;
	code->target = XS_ADDR_NONE;
	if (code->insn.kind == ENG_INSN_JUMP || code->insn.kind == ENG_INSN_CALL ||
		code->insn.kind == ENG_INSN_CONDITIONAL)
		code->target = eng_insn_target(&code->insn, code->pc);
	code->inside =
		code->target != XS_ADDR_NONE && xs_ranges_find(&module->interest, code->target);
	code->function = function ? function->entry : XS_ADDR_NONE;
	code->entry = function && function->entry == code->pc;
	code->begins =
		cfi && di_cfi_find(cfi, code->pc, &row, &answer) && row && row->fde->lo == code->pc;
}

const struct ora_code *ora_codes_at(struct ora_codes *codes, xs_addr pc)
{
	for (size_t i = 0; i < 2; i++)
		if (codes->last[i] && codes->last[i]->pc == pc)
			return codes->last[i];
	uint64_t *index = xs_map_at(&codes->index, pc, 0);
	if (!*index) {
		struct ora_code *code = xs_calloc(1, sizeof *code);
		code->pc = pc;
		decode(codes, code);
		xs_vec_push(&codes->list, code);
		*index = codes->list.len;
	}
	codes->last[1] = codes->last[0];
	return codes->last[0] = codes->list.data[*index - 1];
}

void ora_codes_deinit(struct ora_codes *codes)
{
	for (size_t i = 0; i < codes->list.len; i++)
		free(codes->list.data[i]);
	xs_vec_deinit(&codes->list);
	xs_map_deinit(&codes->index);
}

enum ora_way ora_codes_way(const struct ora_code *prev, const struct ora_code *pc)
{
	if (!prev)
		return ORA_WAY_FIRST;
	switch ((enum eng_insn_kind)prev->insn.kind) {
	case ENG_INSN_JUMP:
	case ENG_INSN_CONDITIONAL:
		if (pc->pc == prev->target ||
			(pc->pc == prev->next && prev->insn.kind == ENG_INSN_CONDITIONAL))
			return ORA_WAY_DIRECT;
		return prev->inside ? ORA_WAY_OTHER : ORA_WAY_JUMP_OUT;
	case ENG_INSN_CALL:
		if (pc->pc == prev->target)
			return ORA_WAY_CALL;
		return prev->inside ? ORA_WAY_OTHER : ORA_WAY_CALL_OUT;
	case ENG_INSN_INDIRECT_CALL:
		return ORA_WAY_CALL_OUT;
	case ENG_INSN_INDIRECT_JUMP:
		return ORA_WAY_JUMP_OUT;
	case ENG_INSN_RETURN:
		return ORA_WAY_RETURN;
	case ENG_INSN_PLAIN:
	case ENG_INSN_REP:
	case ENG_INSN_PUSHF:
	case ENG_INSN_SYSCALL:
	case ENG_INSN_OTHER:
		return pc->pc == prev->next || pc->pc == prev->pc ? ORA_WAY_DIRECT : ORA_WAY_OTHER;
	}
	return ORA_WAY_OTHER;
}

bool ora_code_leads_out(const struct ora_code *code)
{
	return code->insn.kind == ENG_INSN_INDIRECT_CALL ||
	       (code->insn.kind == ENG_INSN_CALL && !code->inside);
}

/* A register by the number that instructions give it. */
static uint64_t register_of(const uint64_t *reg, uint8_t number)
{
	static const uint8_t low[] = {DI_REG_RAX, DI_REG_RCX, DI_REG_RDX, DI_REG_RBX, DI_REG_RSP,
		DI_REG_RBP, DI_REG_RSI, DI_REG_RDI};
	return reg[number < sizeof low ? low[number] : number];
}

xs_addr ora_code_goal(const struct ora_code *code, const uint64_t *reg, xs_addr bias,
	const struct di_target *target)
{
	const struct eng_insn *insn = &code->insn;
	xs_addr address = (uint64_t)insn->offset, goal;
	if (insn->kind != ENG_INSN_INDIRECT_CALL && insn->kind != ENG_INSN_INDIRECT_JUMP)
		return XS_ADDR_NONE;
	if (!insn->memory)
		return register_of(reg, insn->base);
	if (insn->base == ENG_INSN_RIP)
		address += code->next + bias;
	else if (insn->base != ENG_INSN_NO_REG)
		address += register_of(reg, insn->base);
	if (insn->index != ENG_INSN_NO_REG)
		address += register_of(reg, insn->index) * insn->scale;
	return target->memory(target->arg, address, &goal, sizeof goal) ? goal : XS_ADDR_NONE;
}

bool ora_codes_matter(const struct ora_code *prev, const struct ora_code *pc)
{
	return ora_codes_way(prev, pc) != ORA_WAY_DIRECT || prev->function != pc->function ||
	       (pc->entry && prev->insn.kind != ENG_INSN_PLAIN) || ora_code_leads_out(pc);
}
