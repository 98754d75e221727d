/* view.h - what a debugger ought to say at a stop: frames, and the variables visible in them.
 *
 * What depends on the pc alone (scopes, chosen places) is worked out once per pc and kept by the
 * module; at a stop only expressions are evaluated and memory is read.
 *
 * A *frame* in a view is what a user calls one: an activation of a function, inlined or not. Frame
 * 0 is the innermost. Several frames may share one physical frame (frame.h). */
#ifndef DI_VIEW_H
#define DI_VIEW_H

#include "dwarf/context.h"

struct di_view_frame {
	size_t physical;                        /* index into stack.frames */
	const struct di_scopes *scopes;         /* of that frame; NULL if its module is unknown */
	const struct di_activation *activation; /* NULL if there is no DWARF for it */
	unsigned index;                         /* of the activation among those of the frame */
	bool inlined;                           /* shares its physical frame with its caller */
	const char *function;                   /* name, from a symbol if need be; NULL: unknown */
	const char *file;                       /* where it is; NULL: unknown */
	uint32_t line, column;                  /* likewise; 0: unknown */
	bool has_row;                           /* innermost of its physical frame, with a row */
};

struct di_view {
	const struct di_target *target;      /* the machine state */
	struct di_stack stack;               /* physical frames */
	XS_VEC(struct di_view_frame) frames; /* those of the frames walked so far */
	bool whole;                          /* whether that is all of them */
	const bool *skip; /* by number in di_scopes.globals: those that di_view_each() leaves out;
			   * NULL: none. The caller's, who may change it at will */
};

/* A variable as a frame sees it, not looked at yet. Lives during the callback. */
struct di_sight {
	const struct di_variable *variable;
	unsigned frame;            /* index into di_view.frames that it is seen from */
	bool shadowed;             /* another one of its name hides it there */
	enum di_declared declared; /* whether its declaration has been passed */
	size_t global;             /* its number in di_scopes.globals; SIZE_MAX: it is a local */

	/* Its own. */
	struct di_context *context;
	const struct di_place *place;
};

/* One leaf of one variable. */
struct di_fact {
	const struct di_variable *variable;
	unsigned frame;             /* index into di_view.frames that it is seen from */
	bool shadowed;              /* another one of its name hides it there */
	enum di_declared declared;  /* whether its declaration has been passed */
	const struct di_leaf *leaf; /* path, type, state, value */
};

enum di_which {
	DI_WHICH_LOCALS = 1,  /* locals, parameters and statics of the functions */
	DI_WHICH_GLOBALS = 2, /* file scope, of every unit */
};

/* Looks at the machine state, which must stay as it is until the view is looked at no more. Finds
 * the frames of the innermost physical frame, or all of them. Reuses what *view holds. */
XS_MUST_CHECK struct xs_error *di_view_open(
	struct di_view *view, const struct di_target *target, bool all_frames);
void di_view_deinit(struct di_view *view);

/* Calls on_sight for each variable seen from frame number `frame`: locals of that function,
 * innermost block first, then file scope. */
XS_MUST_CHECK struct xs_error *di_view_each(struct di_view *view, unsigned frame, unsigned which,
	struct xs_error *(*on_sight)(void *arg, const struct di_sight *sight), void *arg);
/* Calls on_leaf for each leaf of the variable. What follows from the machine state is noted in
 * reads, if that is not NULL. */
XS_MUST_CHECK struct xs_error *di_sight_look(const struct di_sight *sight, uint64_t max_leaves,
	struct di_reads *reads, void (*on_leaf)(void *arg, const struct di_leaf *leaf), void *arg);
/* Whether that would tell the same leaves as when reads was noted. */
bool di_sight_is_known(const struct di_sight *sight, struct di_reads *reads);

/* Calls on_fact for each leaf of each variable seen from frame number `frame`. */
XS_MUST_CHECK struct xs_error *di_view_variables(struct di_view *view, unsigned frame,
	unsigned which, uint64_t max_leaves, void (*on_fact)(void *arg, const struct di_fact *fact),
	void *arg);

/* For di_module_destroy(). */
struct di_plans;
void di_plans_destroy(struct di_plans *plans);

#endif
