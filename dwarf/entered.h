/* entered.h - what the expression of a DW_OP_entry_value names, and whether a call site's parameter
 * is the same.
 *
 * Producers write one thing in several ways: a register as DW_OP_reg3, DW_OP_regx 3, DW_OP_breg3 0,
 * or with a type as DW_OP_regval_type; what is behind it with any of the operators that read
 * memory. Both sides are brought to one form and compared. */
#ifndef DI_ENTERED_H
#define DI_ENTERED_H

#include "dwarf/expr.h"

enum di_entered_kind {
	DI_ENTERED_OTHER,    /* none of these */
	DI_ENTERED_REGISTER, /* a register */
	DI_ENTERED_MEMORY,   /* memory at a register plus an offset */
};

struct di_entered {
	enum di_entered_kind kind;
	uint64_t reg;   /* by its DWARF number */
	int64_t offset; /* MEMORY */
	bool typed;     /* it is read as the type `type` */
	uint64_t type;  /* offset of the base type's entry in the unit */
	uint64_t size;  /* MEMORY: how many bytes are read; 0: as many as an address has */
};

/* What an expression names as a value, as in DW_OP_entry_value. */
struct di_entered di_entered_of(const struct di_expr_source *source);
/* Whether an expression may have an entry value in it; what it has may also only look like one. */
bool di_entered_may_be_in(const struct di_expr_source *source);
/* What a DW_AT_location names, as that of a call site's parameter. */
struct di_entered di_entered_place(const struct di_expr_source *source);

#endif
