/* explain.h - how a value comes out of the DWARF, step by step.
 *
 * An explanation is evidence: the DIE, the entries of its location list and why one was chosen, the
 * frame, every operator with the stack after it, the place, the bytes, the decoding. It is made of
 * lines of text that commands print and verdicts quote. */
#ifndef DI_EXPLAIN_H
#define DI_EXPLAIN_H

#include "dwarf/view.h"

struct di_lines_of_text {
	XS_VEC(char *) vec;
};

/* One leaf of what was asked for. */
struct di_explained_leaf {
	char *path; /* as asked, with what follows for parts: `s.f[2]` */
	char *type; /* name of its type */
	enum di_leaf_state state;
	char *value;      /* canonical text, or NULL */
	char *enumerator; /* its name if it is one, or NULL */
	char *symbol;     /* of a pointer: what it points to, or NULL */
	char *message;    /* why there is no value, or NULL */
};

struct di_explanation {
	char *path;                         /* as asked for */
	const struct di_variable *variable; /* the root; NULL if it is absent */
	unsigned frame;                     /* the frame it was found in */
	const char *around;                 /* the function around the asked frame's that it
					     * belongs to; NULL: it is no such variable */
	bool found_around;                  /* which call of that is known: `frame` */
	bool shadowed;                      /* the one that is explained is hidden by another */
	enum di_declared declared;          /* whether its declaration has been passed, and */
	bool by_place;                      /* whether only its place tells so */
	char *absent;                       /* why it is absent, or NULL */
	struct di_lines_of_text die;        /* the entry and its attributes */
	struct di_lines_of_text entries;    /* candidates of the location list */
	struct di_lines_of_text steps;      /* operators, each with the stack after it */
	struct di_lines_of_text decoding;   /* bytes and how the type reads them */
	char *location;                     /* the place in words */
	uint32_t entered; /* mask of the general registers whose entry values are in it */
	XS_VEC(struct di_explained_leaf) leaves;
};

/* Explains a C-like path (`a`, `s.f[2]`, `*p`, `p->q`, `&x`) as seen from frame number `frame`. */
XS_MUST_CHECK struct xs_error *di_explain_path(struct di_view *view, unsigned frame,
	const char *path, uint64_t max_leaves, struct di_explanation *ret);
/* Explains a variable that is known to be visible there. */
XS_MUST_CHECK struct xs_error *di_explain_variable(struct di_view *view, unsigned frame,
	const struct di_visible *visible, uint64_t max_leaves, struct di_explanation *ret);
void di_explanation_deinit(struct di_explanation *explanation);

#endif
