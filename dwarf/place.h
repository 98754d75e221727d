/* place.h - which location description of a DIE applies at a pc.
 *
 * An attribute is one expression, a list of them by pc, or a constant. Choosing needs the pc alone,
 * so the choice is made once per pc; evaluating it (context.h) needs the machine state.
 *
 * Rules:
 * 1. Of a list the first entry applies whose range holds the pc; empty ranges hold nothing, the
 *    default entry applies where no other does. View numbers are read and not used.
 * 2. A constant of a fixed size is zero-extended to the object's size, one of DW_FORM_sdata and
 *    DW_FORM_implicit_const sign-extended; blocks and strings are the object's bytes. */
#ifndef DI_PLACE_H
#define DI_PLACE_H

#include "dwarf/expr.h"
#include "dwarf/unit.h"

enum di_place_kind {
	DI_PLACE_NONE,      /* neither location nor constant: optimized out everywhere */
	DI_PLACE_ELSEWHERE, /* a list of which no entry covers the pc: optimized out here */
	DI_PLACE_EXPR,      /* an expression */
	DI_PLACE_CONSTANT,  /* the object's bytes */
	DI_PLACE_BAD,       /* cannot be understood: see `why` */
};

struct di_place {
	enum di_place_kind kind;
	unsigned attribute;            /* DW_AT_ that it comes from */
	struct di_expr_source expr;    /* EXPR */
	const uint8_t *bytes;          /* CONSTANT; NULL: they are in `number` */
	size_t size;                   /* how many; of a number as many as the object needs */
	uint8_t number[DI_WIDE_BYTES]; /* a number, extended */
	const char *section;           /* of the list, NULL if it is none */
	uint64_t list;                 /* offset of the list in that section */
	uint64_t entry;                /* offset of the entry that was chosen */
	struct di_why why;             /* BAD: what is wrong with it */
};

/* One entry of a list, as `explain` shows it. */
struct di_place_entry {
	uint64_t offset;     /* in the section */
	xs_addr lo, hi;      /* link-time */
	bool is_default;     /* DW_LLE_default_location: no range */
	const uint8_t *data; /* its expression */
	size_t size;
	const char *verdict; /* "chosen", "empty range", "pc is outside", ... */
};
typedef void di_place_candidate(void *arg, const struct di_place_entry *entry);

/* The place that attribute `at` of die (or of its origin) gives at a link-time pc. Every entry of a
 * list is shown to on_entry, if that is not NULL. */
void di_place_select(const struct di_unit *unit, Dwarf_Die *die, unsigned at, xs_addr pc,
	struct di_place *ret, di_place_candidate *on_entry, void *arg);
/* The place of a variable: its DW_AT_location's, else its DW_AT_const_value's. */
void di_place_of_variable(const struct di_unit *unit, Dwarf_Die *die, xs_addr pc,
	struct di_place *ret, di_place_candidate *on_entry, void *arg);
/* The same with a mistake made on purpose; entry is the first address of the pc's function. */
void di_place_mistaken(const struct di_unit *unit, Dwarf_Die *die, xs_addr pc, xs_addr entry,
	enum di_mistake mistake, struct di_place *ret);

#endif
