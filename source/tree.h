/* tree.h - an expression as a tree: libclang's cursors without what is implicit, with operators,
 * places and effects. For mutate_expr.c.
 *
 * What cannot be cut out of the text or is not known is one opaque node, to be left as it is. */
#ifndef SRC_TREE_H
#define SRC_TREE_H

#include "source/pass.h"

enum src_form {
	SRC_OPAQUE_FORM, /* as it is written, whatever it is */
	SRC_CONSTANT,    /* a literal, sizeof, an enumerator */
	SRC_TEXT,        /* a string literal */
	SRC_VARIABLE,    /* a name, of a function too */
	SRC_MEMBER,      /* 1 child: of which */
	SRC_SUBSCRIPT,   /* 2 children */
	SRC_DEREFERENCE, /* 1 child, as the next four */
	SRC_REFERENCE,   /* & */
	SRC_PAREN,
	SRC_UNARY,  /* - ~ ! + */
	SRC_CAST,   /* explicit; the child is the operand */
	SRC_STEP,   /* ++ and --, on either side */
	SRC_BINARY, /* 2 children, as the next five */
	SRC_ASSIGN, /* = and the compound ones */
	SRC_AND,
	SRC_OR,
	SRC_COMMA,
	SRC_CHOICE, /* ?:, 3 children */
	SRC_CALL,   /* arguments, and before them the function if it is computed */
};

struct src_node {
	enum src_form form;
	struct src_span span; /* empty if it cannot be cut out of the text */
	CXCursor cursor;      /* the outermost of this text, with implicit conversions */
	CXCursor bare;        /* the same without them */
	CXType type;          /* of that one */
	CXType inner;         /* the type of the value before those conversions */
	bool value;           /* it is a value, not a place */
	bool effects;         /* evaluating it may change something, or is seen from outside */
	bool reads;           /* its value depends on what may be changed */
	bool bits;            /* a bit-field */
	bool odd;             /* there is something in it that compilers disagree on the type of */
	XS_VEC(struct src_node *) children;
};

/* The tree of an expression; never NULL. */
struct src_node *src_node_create(const struct src_pass *pass, CXCursor cursor);
void src_node_destroy(struct src_node *node);
XS_DEFINE_CLEANUP(src_node);

#endif
