/* context.h - a frame of a stopped thread, in which places are evaluated.
 *
 * It answers what expressions ask (registers, memory, frame base, CFA, call sites) from a machine
 * state and the frames above, and what leaves ask as well. One is set up per frame and stop, on the
 * caller's stack, and costs nothing until it is asked. */
#ifndef DI_CONTEXT_H
#define DI_CONTEXT_H

#include "dwarf/expr.h"
#include "dwarf/frame.h"
#include "dwarf/leaf.h"
#include "dwarf/place.h"
#include "dwarf/reads.h"
#include "dwarf/scope.h"

struct di_tail_way;

struct di_context {
	const struct di_target *target;   /* registers and memory */
	struct di_stack *stack;           /* grows when an entry value asks for the caller */
	size_t frame;                     /* which of its frames */
	const struct di_mapping *mapping; /* the module whose DIEs are evaluated */
	const struct di_block *function;  /* out-of-line function of the frame, NULL if unknown */
	bool as_it_stands;                /* call-clobbered registers are read from the machine */
	bool strict;                      /* nor does a call site see them in the caller's frame */
	const xs_addr *object;            /* what DW_OP_push_object_address means, or NULL */
	di_expr_trace *trace;             /* told every operator of the outermost expression */
	void *trace_arg;
	struct di_reads *reads; /* notes what the machine is asked, if not NULL */
	unsigned outward;       /* how many frames further out than who notes */
	/* Told, with trace_arg, where entry values come from. */
	void (*note)(void *arg, const char *text);
	/* Not the frame's function itself, but one on the way to it, as it was at tail call `link`
	 * of it: it has nothing left but the values that it was entered with. NULL: the frame's
	 * own. */
	const struct di_tail_way *way;
	size_t link;
	enum di_mistake mistake; /* made on purpose; see di_context_mistake() */
	bool inlined;            /* what is asked for is an inlined call's: for a mistake */

	/* Its own. */
	struct di_expr_host expr; /* answers expressions */
	struct di_leaf_host leaf; /* answers leaves */
	bool frame_base_done;     /* whether the next two hold */
	xs_addr frame_base;       /* DW_AT_frame_base of the function */
	struct di_answer frame_base_answer;
};

/* A context for frame number `frame`, its module and its function. */
void di_context_init(struct di_context *context, const struct di_target *target,
	struct di_stack *stack, size_t frame);

/* The context of a caller, so many frames further out, as its call sites are evaluated. What it
 * asks is noted where the context's is. False: there is no such frame. */
bool di_context_caller(const struct di_context *context, unsigned outward, struct di_context *ret);

/* Has the context make a mistake, in all that is asked of it from now on. */
void di_context_mistake(struct di_context *context, enum di_mistake mistake);

/* Tells whoever wants a proof where a value comes from. */
void di_context_note(const struct di_context *context, const char *format, ...) XS_PRINTF(2, 3);

/* Where an object is, or why it is nowhere. */
XS_MUST_CHECK struct xs_error *di_context_locate(
	struct di_context *context, const struct di_place *place, struct di_location *ret);
/* What an expression comes to as a value: DW_AT_call_value, bounds and the like. */
XS_MUST_CHECK struct xs_error *di_context_value(struct di_context *context,
	const struct di_expr_source *source, struct di_expr_budget *budget, struct di_value *ret,
	struct di_answer *answer);
/* The value of a variable of base type, by its DIE. The budget of the expression that asks, if one
 * does: variables can refer to each other in a circle. */
XS_MUST_CHECK struct xs_error *di_context_variable(struct di_context *context,
	const struct di_unit *unit, Dwarf_Die *die, struct di_expr_budget *budget,
	struct di_value *ret, struct di_answer *answer);

/* Both by the call site in the caller: see callsite.h. */
/* The value on entry to the context's function of what the expression names (a register). */
XS_MUST_CHECK struct xs_error *di_callsite_entry_value(struct di_context *context,
	const struct di_expr_source *source, struct di_expr_budget *budget, struct di_value *ret,
	struct di_answer *answer);
/* What was passed for the parameter whose DIE is given. */
XS_MUST_CHECK struct xs_error *di_callsite_parameter(struct di_context *context,
	Dwarf_Die *parameter, struct di_expr_budget *budget, struct di_value *ret,
	struct di_answer *answer);

#endif
