/* expr.h - evaluates DWARF expressions and location descriptions.
 *
 * Bytes go in, a location comes out. Whatever the expression wants to know of the machine or of
 * other DIEs it asks through callbacks, so that a live process, a core file and a test serve alike.
 *
 * Rules:
 * 1. An xs_error comes only from a callback that had real trouble. That an expression is malformed,
 *    or needs what the program no longer holds, is the location's answer: data.
 * 2. An error names the operator and its place: `.debug_loclists+0x4c: DW_OP_pick 3 at +0x4: 2
 *    values on the stack`, where +0x4 counts from the expression's first byte.
 * 3. What a callback answers to be optimized out takes only the piece with it that is being worked
 *    out: the piece is empty, the others stand. Without pieces the whole object is optimized out.
 * 4. Nothing is allocated. Operators, nesting, stack and pieces are bounded; a hostile expression
 *    ends in an error.
 * 5. The location points into the expression's bytes (implicit values) and lives no longer. */
#ifndef DI_EXPR_H
#define DI_EXPR_H

#include "base/addr.h"
#include "base/error.h"
#include "dwarf/answer.h"
#include "dwarf/mistake.h"
#include "dwarf/op.h"
#include "dwarf/value.h"

#define DI_EXPR_OPERATORS  100000 /* evaluated in one go, nested expressions included */
#define DI_EXPR_DEPTH      16     /* of expressions inside each other */
#define DI_EXPR_STACK      128    /* values */
#define DI_LOCATION_PIECES 256

/* An expression and where it stands. */
struct di_expr_source {
	const uint8_t *data; /* its bytes */
	size_t size;
	const struct di_expr_unit *unit; /* what its operands mean */
	const char *section;             /* for messages; NULL: they begin with the operator */
	uint64_t offset;                 /* of data in that section */
};

/* What is left of the limits. Shared by all expressions that one evaluation needs: a callback that
 * evaluates another expression passes on the budget it was given. */
struct di_expr_budget {
	unsigned operators;
	unsigned depth;
};

/* The questions an expression can ask. A callback that does not know says so in answer (known when
 * it is called) by di_answer_gone() or di_answer_error(), without naming the operator; it returns
 * an xs_error for real trouble only. A NULL callback means that nobody can tell: an error. */
struct di_expr_host {
	void *arg; /* first argument of every callback */
	/* The register's content, zero-extended, and how many bits it has. */
	struct xs_error *(*reg)(void *arg, uint64_t reg, struct di_wide *ret, unsigned *bits,
		struct di_answer *answer);
	/* size bytes, 1 to 64; space is 0 but for DW_OP_xderef and its kin. */
	struct xs_error *(*memory)(void *arg, uint64_t space, xs_addr address, void *ret,
		size_t size, struct di_answer *answer);
	/* What DW_AT_frame_base comes to. */
	struct xs_error *(*frame_base)(
		void *arg, struct di_expr_budget *budget, xs_addr *ret, struct di_answer *answer);
	struct xs_error *(*cfa)(void *arg, xs_addr *ret, struct di_answer *answer);
	/* The object that DW_OP_push_object_address means. */
	struct xs_error *(*object)(void *arg, xs_addr *ret, struct di_answer *answer);
	/* Where the thread has what lies at this offset in the module's thread-local storage. */
	struct xs_error *(*tls)(void *arg, const struct di_expr_unit *unit, uint64_t offset,
		xs_addr *ret, struct di_answer *answer);
	/* Entry index of the unit's part of .debug_addr, at link time: the bias is added here. */
	struct xs_error *(*indexed)(void *arg, const struct di_expr_unit *unit, uint64_t index,
		uint64_t *ret, struct di_answer *answer);
	/* Whether that is no address but what a linker leaves of one, at link time. NULL: never. */
	bool (*discarded)(void *arg, xs_addr address);
	/* The base type at this offset in .debug_info; ret->die need not be set. */
	struct xs_error *(*base_type)(void *arg, const struct di_expr_unit *unit, uint64_t die,
		struct di_base *ret, struct di_answer *answer);
	/* The location expression of this DIE. None (size 0) is fine: the call does nothing. */
	struct xs_error *(*called)(void *arg, const struct di_expr_unit *unit, uint64_t die,
		struct di_expr_source *ret, struct di_answer *answer);
	/* What the expression (or the register that it names) came to on entry to the function. */
	struct xs_error *(*entry_value)(void *arg, const struct di_expr_source *source,
		struct di_expr_budget *budget, struct di_value *ret, struct di_answer *answer);
	/* What the caller passed for this DW_TAG_formal_parameter. */
	struct xs_error *(*parameter_ref)(void *arg, const struct di_expr_unit *unit, uint64_t die,
		struct di_expr_budget *budget, struct di_value *ret, struct di_answer *answer);
	/* The value of this variable. */
	struct xs_error *(*variable_value)(void *arg, const struct di_expr_unit *unit, uint64_t die,
		struct di_expr_budget *budget, struct di_value *ret, struct di_answer *answer);
};

enum di_piece_kind {
	DI_PIECE_EMPTY,    /* optimized out */
	DI_PIECE_MEMORY,   /* in memory, at address */
	DI_PIECE_REGISTER, /* in reg */
	DI_PIECE_BYTES,    /* nowhere, but it would hold bytes */
	DI_PIECE_VALUE,    /* nowhere, but it would hold value */
	DI_PIECE_POINTER,  /* nowhere, but it is a pointer: into what DIE pointer describes */
};

/* Where one piece of an object is. In memory and in bytes, bits count from the first byte's least
 * significant one; in a register and in a value, from the least significant one. */
struct di_piece {
	enum di_piece_kind kind;
	uint64_t bit_size;   /* how much of the object; 0 unless the location is composite */
	uint64_t bit_offset; /* where it begins in its place: DW_OP_bit_piece's second operand */
	union {
		xs_addr address; /* DI_PIECE_MEMORY */
		uint64_t reg;    /* DI_PIECE_REGISTER: DWARF number */
		struct {
			const uint8_t *data;
			size_t size;
		} bytes;               /* DI_PIECE_BYTES */
		struct di_value value; /* DI_PIECE_VALUE */
		struct {
			uint64_t die;   /* offset in .debug_info */
			int64_t offset; /* bytes into what that describes */
		} pointer;              /* DI_PIECE_POINTER */
	};
};

struct di_location {
	struct di_answer answer; /* if known, the pieces hold; its reason then says, if it is not
				  * NONE, why the first of the empty pieces that were asked for in
				  * vain is so */
	bool composite;          /* pieces have sizes; else there is one, the whole object */
	bool uninitialized;      /* DW_OP_GNU_uninit: the place is right, the content is not yet */
	size_t count;            /* how many pieces */
	struct di_piece piece[DI_LOCATION_PIECES]; /* in the order of the object */
};

/* One operator that has been evaluated, for whoever wants to see the working. */
struct di_expr_step {
	const struct di_expr_source *source; /* the expression it belongs to */
	unsigned depth;                      /* 0, or how many DW_OP_call it is inside of */
	size_t offset;                       /* of the operator in the expression */
	const char *text;                    /* the operator, di_op_text() */
	const struct di_value *stack;        /* after it; the top is the last */
	size_t count;                        /* how many values that are */
	size_t pieces;                       /* how many pieces are done */
	const struct di_piece *place;        /* register or implicit place just named, or NULL */
};
typedef void di_expr_trace(void *arg, const struct di_expr_step *step);

struct di_expr_request {
	struct di_expr_source source;
	const struct di_expr_host *host;
	struct di_expr_budget *budget; /* NULL: a new one */
	bool as_value; /* the last value on the stack is the result, and not an address:
			* for DW_AT_call_value, bounds, DW_CFA_val_expression */
	const struct di_value *initial; /* on the stack before the first operator, the top last */
	size_t initial_count;           /* how many values that are: 1, the CFA, for CFI */
	di_expr_trace *trace;           /* called after each operator, or NULL */
	void *trace_arg;
	enum di_mistake mistake; /* made on purpose, or NONE */
};

/* Evaluates. After an xs_error, *ret means nothing. */
XS_MUST_CHECK struct xs_error *di_expr_eval(
	const struct di_expr_request *request, struct di_location *ret);

/* What is being done at an offset in an expression. */
struct di_within di_expr_within(
	const struct di_expr_source *source, enum di_within_kind kind, size_t at);

/* The location in words: `memory 0x7ffe0010`, `register RBX`, `value -3 (signed 32)`; a composite
 * one as `32 bits of register RAX; 32 bits optimized out`. If there is none: `optimized-out:
 * <reason>` or `error: <reason>`. In the size bytes of buf, cut if need be; buf is also returned.
 */
const char *di_location_text(const struct di_location *location, char *buf, size_t size);

#endif
