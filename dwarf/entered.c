#include "dwarf/entered.h"

#include <dwarf.h>

enum { OPERATORS_MAX = 2 };

/* Decodes an expression of at most two operators; how many, or 0. */
static size_t decode(const struct di_expr_source *source, struct di_op ops[OPERATORS_MAX])
{
	struct di_answer ignored;
	size_t count = 0;
	di_answer_known(&ignored);
	for (size_t at = 0; at < source->size; at = ops[count++].next)
		if (count == OPERATORS_MAX || !di_op_decode(source->unit, source->data,
						      source->size, at, &ops[count], &ignored))
			return 0;
	return count;
}

static struct di_entered other(void)
{
	return (struct di_entered){.kind = DI_ENTERED_OTHER};
}

/* A register plus an offset, as DW_OP_breg3 and DW_OP_bregx have it. */
static struct di_entered based(const struct di_op *op, enum di_entered_kind kind)
{
	bool numbered = op->code != DW_OP_bregx;
	return (struct di_entered){.kind = kind,
		.reg = numbered ? op->info->implied : op->operand[0],
		.offset = (int64_t)op->operand[numbered ? 0 : 1]};
}

static bool is_based(const struct di_op *op)
{
	return op->code == DW_OP_bregx || (op->code >= DW_OP_breg0 && op->code <= DW_OP_breg31);
}

static struct di_entered named_register(const struct di_op *op)
{
	uint64_t reg = op->code == DW_OP_regx ? op->operand[0] : op->info->implied;
	return (struct di_entered){.kind = DI_ENTERED_REGISTER, .reg = reg};
}

static struct di_entered read_behind(const struct di_op ops[OPERATORS_MAX])
{
	struct di_entered ret = based(&ops[0], DI_ENTERED_MEMORY);
	switch (ops[1].code) {
	case DW_OP_deref:
		return ret;
	case DW_OP_deref_size:
		ret.size = ops[1].operand[0];
		return ret;
	case DW_OP_deref_type:
	case DW_OP_GNU_deref_type:
		ret.size = ops[1].operand[0];
		ret.type = ops[1].operand[1];
		ret.typed = ret.type;
		return ret;
	default:
		return other();
	}
}

struct di_entered di_entered_of(const struct di_expr_source *source)
{
	struct di_op ops[OPERATORS_MAX];
	size_t count = decode(source, ops);
	if (count == 1 && ops[0].info->class == DI_OP_REGISTER)
		return named_register(&ops[0]);
	if (count == 1 &&
		(ops[0].code == DW_OP_regval_type || ops[0].code == DW_OP_GNU_regval_type))
		return (struct di_entered){.kind = DI_ENTERED_REGISTER,
			.reg = ops[0].operand[0],
			.type = ops[0].operand[1],
			.typed = ops[0].operand[1]};
	if (count == 1 && is_based(&ops[0])) {
		struct di_entered ret = based(&ops[0], DI_ENTERED_REGISTER);
		return ret.offset ? other() : ret;
	}
	if (count == 2 && is_based(&ops[0]))
		return read_behind(ops);
	return other();
}

struct di_entered di_entered_place(const struct di_expr_source *source)
{
	struct di_op ops[OPERATORS_MAX];
	size_t count = decode(source, ops);
	if (count == 1 && ops[0].info->class == DI_OP_REGISTER)
		return named_register(&ops[0]);
	if (count == 1 && is_based(&ops[0]))
		return based(&ops[0], DI_ENTERED_MEMORY);
	return other();
}

bool di_entered_may_be_in(const struct di_expr_source *source)
{
	return memchr(source->data, DW_OP_entry_value, source->size) ||
	       memchr(source->data, DW_OP_GNU_entry_value, source->size);
}
