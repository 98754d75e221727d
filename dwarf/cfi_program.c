/* The second half of cfi.h: the program of an entry, run to the row of one pc. */
#include <dwarf.h>

#include "dwarf/cfi.h"
#include "dwarf/op.h"

/* What DW_CFA_remember_state keeps. gcc nests them once per early return inside another. */
struct rules {
	struct di_rule cfa;
	struct di_rule reg[DI_REG_GENERAL];
	uint32_t restored; /* mask of registers that DW_CFA_restore left without a rule */
};

enum { REMEMBERED = 64 }; /* states inside each other; more is garbage */

struct program {
	const struct di_cie *cie;
	struct di_cursor cursor;    /* the instructions that are left */
	size_t op_at;               /* offset of the current one */
	xs_addr pc;                 /* what is looked for */
	xs_addr loc;                /* where the row that is being built begins */
	xs_addr next;               /* where the row behind it does, once `done` */
	bool unrestored;            /* DW_CFA_restore to no rule does nothing: for a mistake */
	bool initial;               /* these are the CIE's instructions */
	bool done;                  /* the row for pc is complete */
	uint64_t args_size;         /* bytes of arguments that were pushed */
	struct rules now;           /* the row so far */
	struct rules at_entry;      /* what DW_CFA_restore goes back to */
	XS_VEC(struct rules) stack; /* remembered */
	struct di_answer *answer;   /* what is wrong */
};

static bool wrong(struct program *p, enum di_why_code what)
{
	return di_cfi_wrong(p->answer, p->cie->section, p->op_at, what);
}

static bool advance_to(struct program *p, xs_addr loc)
{
	if (p->initial)
		return wrong(p, DI_WHY_CFI_CIE_ADVANCES);
	if (loc < p->loc)
		return wrong(p, DI_WHY_CFI_GOES_BACK);
	if (loc > p->pc) {
		p->next = loc;
		p->done = true;
	} else {
		p->loc = loc;
	}
	return true;
}

static bool advance(struct program *p, uint64_t delta)
{
	uint64_t bytes;
	if (__builtin_mul_overflow(delta, p->cie->code_factor, &bytes) ||
		__builtin_add_overflow(p->loc, bytes, &bytes))
		return wrong(p, DI_WHY_CFI_PAST_MEMORY);
	return advance_to(p, bytes);
}

/* Registers that no frame keeps (xmm, flags) may have rules; nobody asks for them. */
static bool set_rule(struct program *p, uint64_t reg, struct di_rule rule)
{
	if (reg < DI_REG_GENERAL) {
		p->now.reg[reg] = rule;
		p->now.restored &= ~(1U << reg);
	}
	return true;
}

/* offset times the data alignment factor; wraps, as a reader with 64 bits would. */
static int64_t scaled(const struct program *p, uint64_t offset)
{
	return (int64_t)(offset * (uint64_t)p->cie->data_factor);
}

static bool set_offset(struct program *p, enum di_rule_kind kind, uint64_t reg, int64_t offset)
{
	return set_rule(p, reg, (struct di_rule){.kind = kind, .offset = offset});
}

static bool restore(struct program *p, uint64_t reg)
{
	if (p->initial)
		return wrong(p, DI_WHY_CFI_CIE_RESTORES);
	if (reg >= DI_REG_GENERAL)
		return true;
	if (p->unrestored && p->at_entry.reg[reg].kind == DI_RULE_NONE)
		return true;
	bool had = p->now.reg[reg].kind != p->at_entry.reg[reg].kind || p->now.restored >> reg & 1;
	set_rule(p, reg, p->at_entry.reg[reg]);
	if (had && p->at_entry.reg[reg].kind == (struct di_rule){0}.kind)
		p->now.restored |= 1U << reg;
	return true;
}

static bool define_cfa(struct program *p, uint64_t reg, int64_t offset)
{
	p->now.cfa = (struct di_rule){.kind = DI_RULE_VAL_OFFSET, .reg = reg, .offset = offset};
	return true;
}

/* Changes of one half need the other one. */
static bool has_cfa_register(struct program *p)
{
	return p->now.cfa.kind == DI_RULE_VAL_OFFSET || wrong(p, DI_WHY_CFI_HALF_CFA);
}

/* The expression at the cursor. */
static bool read_expression(struct program *p, enum di_rule_kind kind, struct di_rule *ret)
{
	uint64_t size = di_cursor_uleb(&p->cursor);
	const uint8_t *expr = di_cursor_bytes(&p->cursor, size);
	*ret = (struct di_rule){.kind = kind, .size = (uint32_t)size, .expr = expr};
	return expr && size <= UINT32_MAX;
}

static bool remember(struct program *p)
{
	if (p->stack.len == REMEMBERED)
		return wrong(p, DI_WHY_CFI_TOO_MANY_STATES);
	xs_vec_push(&p->stack, p->now);
	return true;
}

/* The CFA comes back too: all producers mean it so. */
static bool recall(struct program *p)
{
	if (!p->stack.len)
		return wrong(p, DI_WHY_CFI_NO_STATE);
	p->now = p->stack.data[--p->stack.len];
	return true;
}

static bool do_cfa(struct program *p, uint8_t op)
{
	struct di_cursor *in = &p->cursor;
	uint64_t reg;
	switch (op) {
	case DW_CFA_def_cfa:
		reg = di_cursor_uleb(in);
		return define_cfa(p, reg, (int64_t)di_cursor_uleb(in));
	case DW_CFA_def_cfa_sf:
		reg = di_cursor_uleb(in);
		return define_cfa(p, reg, scaled(p, (uint64_t)di_cursor_sleb(in)));
	case DW_CFA_def_cfa_register:
		p->now.cfa.reg = di_cursor_uleb(in);
		return has_cfa_register(p);
	case DW_CFA_def_cfa_offset:
		p->now.cfa.offset = (int64_t)di_cursor_uleb(in);
		return has_cfa_register(p);
	case DW_CFA_def_cfa_offset_sf:
		p->now.cfa.offset = scaled(p, (uint64_t)di_cursor_sleb(in));
		return has_cfa_register(p);
	default: /* def_cfa_expression */
		return read_expression(p, DI_RULE_VAL_EXPRESSION, &p->now.cfa);
	}
}

static bool do_register(struct program *p, uint8_t op)
{
	struct di_cursor *in = &p->cursor;
	uint64_t reg = di_cursor_uleb(in);
	struct di_rule rule = {0};
	switch (op) {
	case DW_CFA_offset_extended:
		return set_offset(p, DI_RULE_OFFSET, reg, scaled(p, di_cursor_uleb(in)));
	case DW_CFA_offset_extended_sf:
		return set_offset(p, DI_RULE_OFFSET, reg, scaled(p, (uint64_t)di_cursor_sleb(in)));
	case DW_CFA_GNU_negative_offset_extended:
		return set_offset(p, DI_RULE_OFFSET, reg, scaled(p, -di_cursor_uleb(in)));
	case DW_CFA_val_offset:
		return set_offset(p, DI_RULE_VAL_OFFSET, reg, scaled(p, di_cursor_uleb(in)));
	case DW_CFA_val_offset_sf:
		return set_offset(
			p, DI_RULE_VAL_OFFSET, reg, scaled(p, (uint64_t)di_cursor_sleb(in)));
	case DW_CFA_restore_extended:
		return restore(p, reg);
	case DW_CFA_undefined:
		return set_rule(p, reg, (struct di_rule){.kind = DI_RULE_UNDEFINED});
	case DW_CFA_same_value:
		return set_rule(p, reg, (struct di_rule){.kind = DI_RULE_SAME});
	case DW_CFA_register:
		rule = (struct di_rule){.kind = DI_RULE_REGISTER, .reg = di_cursor_uleb(in)};
		return set_rule(p, reg, rule);
	default: /* expression, val_expression */
		return read_expression(p,
			       op == DW_CFA_expression ? DI_RULE_EXPRESSION
						       : DI_RULE_VAL_EXPRESSION,
			       &rule) &&
		       set_rule(p, reg, rule);
	}
}

static bool do_one(struct program *p)
{
	struct di_cursor *in = &p->cursor;
	uint8_t op = (uint8_t)di_cursor_u(in, 1), low = op & 0x3f;
	uint64_t target;
	switch (op & 0xc0) {
	case DW_CFA_advance_loc:
		return advance(p, low);
	case DW_CFA_offset:
		return set_offset(p, DI_RULE_OFFSET, low, scaled(p, di_cursor_uleb(in)));
	case DW_CFA_restore:
		return restore(p, low);
	default:
		break;
	}
	switch (op) {
	case DW_CFA_nop:
		return true;
	case DW_CFA_set_loc:
		return di_cfi_pointer(
			       p->cie->section, in, p->cie->encoding, false, &target, p->answer) &&
		       advance_to(p, target);
	case DW_CFA_advance_loc1:
		return advance(p, di_cursor_u(in, 1));
	case DW_CFA_advance_loc2:
		return advance(p, di_cursor_u(in, 2));
	case DW_CFA_advance_loc4:
		return advance(p, di_cursor_u(in, 4));
	case DW_CFA_remember_state:
		return remember(p);
	case DW_CFA_restore_state:
		return recall(p);
	case DW_CFA_GNU_args_size:
		p->args_size = di_cursor_uleb(in);
		return true;
	case DW_CFA_def_cfa:
	case DW_CFA_def_cfa_sf:
	case DW_CFA_def_cfa_register:
	case DW_CFA_def_cfa_offset:
	case DW_CFA_def_cfa_offset_sf:
	case DW_CFA_def_cfa_expression:
		return do_cfa(p, op);
	case DW_CFA_offset_extended:
	case DW_CFA_offset_extended_sf:
	case DW_CFA_GNU_negative_offset_extended:
	case DW_CFA_val_offset:
	case DW_CFA_val_offset_sf:
	case DW_CFA_restore_extended:
	case DW_CFA_undefined:
	case DW_CFA_same_value:
	case DW_CFA_register:
	case DW_CFA_expression:
	case DW_CFA_val_expression:
		return do_register(p, op);
	default:
		return di_cfi_wrong(p->answer, p->cie->section, p->op_at, DI_WHY_CFI_INSTRUCTION,
			.number = {op});
	}
}

static bool run(struct program *p, const uint8_t *at, const uint8_t *end)
{
	p->cursor = p->cie->section->bytes;
	p->cursor.at = at;
	p->cursor.end = end;
	while (di_cursor_left(&p->cursor) && !p->done) {
		p->op_at = di_cursor_offset(&p->cursor);
		bool fine = do_one(p);
		/* An operand that was cut short was read as 0: whatever came of it, that is the
		 * trouble. */
		if (!di_cfi_read(p->answer, &p->cursor))
			return false;
		if (!fine)
			return p->answer->state == DI_ANSWER_KNOWN
				       ? wrong(p, DI_WHY_CFI_LONG_EXPRESSION)
				       : false;
	}
	return true;
}

/* The stretch of stack that holds all that was saved by offset: it can be read in one go. */
static void find_saved(struct di_cfi_row *row)
{
	bool any = false;
	for (unsigned i = 0; i < DI_REG_GENERAL; i++) {
		int64_t offset = row->reg[i].offset;
		if (row->reg[i].kind != DI_RULE_OFFSET || offset > INT64_MAX - 8)
			continue;
		row->saved_lo = any && row->saved_lo < offset ? row->saved_lo : offset;
		row->saved_hi = any && row->saved_hi > offset + 8 ? row->saved_hi : offset + 8;
		any = true;
	}
}

static bool run_to(const struct di_fde *fde, xs_addr pc, bool unrestored, struct di_cfi_row *ret,
	struct di_answer *answer)
{
	struct program p = {.cie = fde->cie,
		.pc = pc,
		.loc = fde->lo,
		.unrestored = unrestored,
		.answer = answer};
	p.initial = true;
	bool fine = run(&p, fde->cie->program, fde->cie->end);
	p.initial = false;
	p.at_entry = p.now;
	fine = fine && run(&p, fde->program, fde->end);
	xs_vec_deinit(&p.stack);
	if (!fine)
		return false;
	memset(ret, 0, sizeof *ret);
	ret->lo = p.loc;
	ret->hi = p.done && p.next < fde->hi ? p.next : fde->hi;
	ret->fde = fde;
	ret->cfa = p.now.cfa;
	memcpy(ret->reg, p.now.reg, sizeof ret->reg);
	ret->args_size = p.args_size;
	ret->restored = p.now.restored;
	find_saved(ret);
	return true;
}

bool di_cfi_run(
	const struct di_fde *fde, xs_addr pc, struct di_cfi_row *ret, struct di_answer *answer)
{
	return run_to(fde, pc, false, ret, answer);
}

bool di_cfi_run_unrestored(
	const struct di_fde *fde, xs_addr pc, struct di_cfi_row *ret, struct di_answer *answer)
{
	return run_to(fde, pc, true, ret, answer);
}

/* --- in words --------------------------------------------------------------------------------- */

static void put_expression(const struct di_rule *rule, struct di_text *text)
{
	static const struct di_expr_unit unit = {.version = 5, .address_size = 8, .offset_size = 4};
	char expr[DI_OP_TEXT];
	di_text_put(text, "{%s}", di_op_text_all(&unit, rule->expr, rule->size, expr, sizeof expr));
}

static void put_register(uint64_t reg, struct di_text *text)
{
	const char *name = di_register_name(reg);
	if (name)
		di_text_put(text, "%s", name);
	else
		di_text_put(text, "register %" PRIu64, reg);
}

void di_rule_text(const struct di_rule *rule, struct di_text *text)
{
	switch (rule->kind) {
	case DI_RULE_NONE:
		di_text_put(text, "not said");
		break;
	case DI_RULE_UNDEFINED:
		di_text_put(text, "undefined");
		break;
	case DI_RULE_SAME:
		di_text_put(text, "unchanged");
		break;
	case DI_RULE_OFFSET:
		di_text_put(text, "at CFA%+" PRId64, rule->offset);
		break;
	case DI_RULE_VAL_OFFSET:
		di_text_put(text, "CFA%+" PRId64, rule->offset);
		break;
	case DI_RULE_REGISTER:
		di_text_put(text, "in ");
		put_register(rule->reg, text);
		break;
	case DI_RULE_EXPRESSION:
		di_text_put(text, "at ");
		put_expression(rule, text);
		break;
	case DI_RULE_VAL_EXPRESSION:
		put_expression(rule, text);
		break;
	}
}

void di_rule_cfa_text(const struct di_rule *rule, struct di_text *text)
{
	if (rule->kind != DI_RULE_VAL_OFFSET) {
		di_rule_text(rule, text);
		return;
	}
	put_register(rule->reg, text);
	di_text_put(text, "%+" PRId64, rule->offset);
}
