/* uses.h - what a C source says of its variables: where they are declared, written and read, which
 * are passed to functions that nobody can look into, and what is assigned to global storage.
 *
 * Of the file itself, not of what it includes. Names do not matter: every use is resolved to its
 * declaration by the parser. What cannot be made out (operators out of macros) counts as a read and
 * a write, so that nothing is promised of such a variable. */
#ifndef SRC_USES_H
#define SRC_USES_H

#include "source/parse.h"

enum src_access {
	SRC_READ = 1,
	SRC_WRITE = 2,   /* assigned, incremented, or initialised where it is declared */
	SRC_ADDRESS = 4, /* &x, or an array or struct used as a whole */
};

struct src_use {
	size_t variable;       /* index */
	unsigned access;       /* mask of src_access */
	unsigned offset, line; /* where */
	bool constant;         /* written: with a literal, or an address */
	bool certain;          /* executed whenever its block is: no condition around it there */
};

struct src_variable {
	char *name;
	size_t function;             /* that declares it: index */
	unsigned line, offset;       /* of the declaration */
	unsigned scope_begin, scope; /* offsets: the block that it is visible in */
	bool parameter, scalar;      /* a number or a pointer */
	bool escapes;                /* its address is taken somewhere */
	size_t writes;               /* how many there are */
};

struct src_function {
	char *name;
	unsigned line, begin, end; /* of the definition; offsets */
	unsigned body;             /* offset of its `{` */
};

/* A loop, from its first byte to its last. */
struct src_loop {
	unsigned begin, end;
};

/* A call of a function that is not defined in this file, nor a library's. */
struct src_call {
	char *callee;
	size_t function; /* that it is in */
	unsigned line, offset, end;
	XS_VEC(size_t) arguments; /* variables that are passed as they are */
};

/* An assignment to something at file scope, with an expression that cannot be simplified away. */
struct src_store {
	size_t function;
	unsigned line, offset, end;
	XS_VEC(size_t) operands; /* local variables that take part in the value or the place */
	XS_VEC(bool) index;      /* of the same index: as an index of something at file scope */
	bool may_fold; /* has products and the like: if an operand is constant, the others may not
			* be needed */
};

/* A place where a statement can be put. */
struct src_slot {
	size_t function;
	unsigned offset;
};

struct src_facts {
	XS_VEC(struct src_function) functions;
	XS_VEC(struct src_variable) variables; /* local ones, statics left out */
	XS_VEC(struct src_use) uses;           /* by offset */
	XS_VEC(struct src_loop) loops;
	XS_VEC(struct src_call) calls;
	XS_VEC(struct src_store) stores;
	XS_VEC(struct src_slot) slots; /* before each statement of each block, but declarations */
};

void src_facts_collect(const struct src_unit *unit, struct src_facts *ret);
void src_facts_deinit(struct src_facts *facts);

/* Whether a variable is read behind an offset, or anywhere in a loop around it. */
bool src_is_used_later(const struct src_facts *facts, size_t variable, unsigned offset);
/* Whether all that is ever written to it is one literal or address. */
bool src_is_constant(const struct src_facts *facts, size_t variable);

#endif
