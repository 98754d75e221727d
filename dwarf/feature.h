/* feature.h - what is special about the DWARF of a variable at a pc.
 *
 * Debuggers fail on features: an operator that they do not know, an empty range that they do not
 * ignore. A verdict names them, and two discrepancies with the same ones are likely the same bug.
 * No process is needed: entries, location lists and the operators of expressions tell it all. */
#ifndef DI_FEATURE_H
#define DI_FEATURE_H

#include "dwarf/module.h"

enum di_feature {
	/* Which variable. */
	DI_FEATURE_BIT_FIELD,         /* the leaf is one */
	DI_FEATURE_PARAMETER,         /* DW_TAG_formal_parameter */
	DI_FEATURE_ARTIFICIAL,        /* made by the compiler */
	DI_FEATURE_UNIT_WITHOUT_CODE, /* at file scope of a unit that has only data */
	DI_FEATURE_STATIC,            /* lives at an address, in a function or outside */
	DI_FEATURE_DYNAMIC_TYPE, /* bounds, stride or place of its type are evaluated, or not C's */
	DI_FEATURE_ABSTRACT_ORIGIN, /* attributes come from another entry */
	DI_FEATURE_ORIGIN_CHAIN,    /* whose origin has an origin */
	DI_FEATURE_ABSTRACT_ONLY,   /* only the abstract instance lists it */
	DI_FEATURE_DECLARATION,     /* declared only, in the function: its definition is outside */
	/* Where it is visible. */
	DI_FEATURE_SHADOWED,           /* another one of its name hides it */
	DI_FEATURE_NOT_YET_DECLARED,   /* its declaration is further down */
	DI_FEATURE_NAMESAKE,           /* another one of its name, not yet declared, is in scope */
	DI_FEATURE_FUNCTION_ENTRY,     /* the pc is a function's first */
	DI_FEATURE_INLINED_ENTRY,      /* the pc is an inlined call's first */
	DI_FEATURE_BLOCK_WITHOUT_CODE, /* declared in a block without pc attributes */
	DI_FEATURE_OUTSIDE_BLOCK,      /* declared in a block that does not contain the pc */
	DI_FEATURE_EMPTY_SCOPE_RANGE,  /* a block of the function has an empty range */
	DI_FEATURE_SPLIT_FUNCTION,     /* the function's code is in several stretches */
	DI_FEATURE_INLINED,            /* it belongs to an inlined call */
	/* Its place. */
	DI_FEATURE_NO_LOCATION,       /* neither location nor constant */
	DI_FEATURE_NOT_COVERED,       /* its list has no entry for the pc */
	DI_FEATURE_LIST,              /* there is a location list */
	DI_FEATURE_EMPTY_ENTRY,       /* one of its list's ranges is empty */
	DI_FEATURE_EMPTY_FIRST_ENTRY, /* the first one's is */
	DI_FEATURE_DEFAULT_ENTRY,     /* the list has a default entry */
	DI_FEATURE_OVERLAP,           /* two entries that differ cover the pc */
	DI_FEATURE_CONST_VALUE,       /* DW_AT_const_value */
	DI_FEATURE_CONST_BLOCK,       /* the same, as a block of bytes or a string */
	DI_FEATURE_BAD,               /* the place cannot be understood */
	/* Its expression. */
	DI_FEATURE_STACK_VALUE,
	DI_FEATURE_IMPLICIT_VALUE,
	DI_FEATURE_IMPLICIT_POINTER,
	DI_FEATURE_ENTRY_VALUE,     /* DW_OP_entry_value, DW_OP_GNU_entry_value */
	DI_FEATURE_ABSTRACT_CALLEE, /* ENTRY_VALUE; a call site names an abstract instance */
	DI_FEATURE_TAIL_CALLED,     /* ENTRY_VALUE; the call site names another function */
	DI_FEATURE_POINTER_CALLED,  /* ENTRY_VALUE; called through a pointer, maybe by tail calls */
	DI_FEATURE_AT_RETURN,    /* ENTRY_VALUE; the pc is at a return instruction, not of gcc's */
	DI_FEATURE_GNU_OPERATOR, /* another DW_OP_GNU_ operator */
	DI_FEATURE_CALL,         /* DW_OP_call2, call4, call_ref */
	DI_FEATURE_TYPED,        /* operators of the typed stack */
	DI_FEATURE_WIDE,         /* a type of more than 64 bits among them */
	DI_FEATURE_PIECE,
	DI_FEATURE_BIT_PIECE,
	DI_FEATURE_PIECE_GAP,    /* a piece that is nowhere */
	DI_FEATURE_PIECES_SHORT, /* the pieces end before the object does */
	DI_FEATURE_VALUE_SHORT,  /* a stack value for an object that is larger */
	DI_FEATURE_DEREF_SIZE,
	DI_FEATURE_DIV,
	DI_FEATURE_MOD,
	DI_FEATURE_COMPARISON, /* DW_OP_lt and its kin */
	DI_FEATURE_SHIFT,
	DI_FEATURE_TLS,
	DI_FEATURE_INDEXED,  /* DW_OP_addrx, DW_OP_constx */
	DI_FEATURE_RESTORED, /* the CFI takes back at the pc that a register was saved */
	DI_FEATURE_REGISTER, /* DW_OP_reg or DW_OP_breg of a call-clobbered register */
	/* The file. */
	DI_FEATURE_DATA16, /* an entry somewhere in it has an attribute of DW_FORM_data16 */
	DI_FEATURE_COUNT,
};

/* `bit-field`, `entry-value`, ... */
const char *di_feature_text(enum di_feature feature);

#define DI_FEATURE_TEXT 256 /* room for texts; longer ones are cut */

struct di_features {
	bool found;                  /* whether the variable is in the DWARF at all */
	bool visible;                /* whether it is visible at the pc */
	uint64_t set;                /* 1 << enum di_feature */
	uint64_t die;                /* offset of its entry in .debug_info */
	char place[DI_FEATURE_TEXT]; /* which entry: `.debug_loclists+0x1a, entry ...` */
	char expr[400]; /* the expression's text, or the constant's; "" if there is none */
	char reason[DI_FEATURE_TEXT]; /* BAD: why */
};

/* Looks at the variable `name` declared at `line` (0: any) in function `scope` (its name or the
 * path of functions to it; NULL or "": any, or file scope) as the link-time pc selects it; path is
 * the leaf. level is the number of the inlined call at the pc, or function, that it belongs to, the
 * innermost being 0; DI_LEVEL_ANY: the first one that has it. */
void di_features_of(struct di_module *module, xs_addr pc, const char *scope, unsigned level,
	const char *name, uint32_t line, const char *path, struct di_features *ret);
#define DI_LEVEL_ANY (~0U)

/* What is special about an entry value where the frame's caller is known: adds to features. behind
 * is the link-time address that the frame returns to. */
void di_features_of_call(
	struct di_module *module, xs_addr pc, xs_addr behind, struct di_features *ret);
/* Whether the call frame information of a pc takes back, by DW_CFA_restore, that a register was
 * saved. */
bool di_feature_restored(struct di_module *module, xs_addr pc);
/* What is special about the frames of a pc: EMPTY_SCOPE_RANGE, of the inlined calls there or of a
 * block in them; SPLIT_FUNCTION; DATA16; and INLINED_ENTRY if a stretch of an inlined call begins
 * there. */
uint64_t di_features_of_frame(struct di_module *module, xs_addr pc);

/* What is special about one expression: for tests, and for what is not a variable's. */
struct di_expr_unit;
uint64_t di_features_of_expr(const struct di_expr_unit *unit, const uint8_t *data, size_t size,
	uint64_t object_bits, bool (*is_wide)(const void *arg, uint64_t die), const void *arg);

#define DI_HAS(set, feature) (((set) >> DI_FEATURE_##feature & 1) != 0)

#endif
