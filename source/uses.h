/* uses.h - what a C source says of its variables: where they are declared, written and read, which
 * are passed to functions that nobody can look into, and what is assigned to global storage.
 *
 * Of the file itself, not of what it includes. Names do not matter: every use is resolved to its
 * declaration by the parser. Lines are those that #line says, as in the DWARF.
 *
 * Rules:
 * 1. What cannot be made out (operators out of macros, asm) counts as a read and a write and as an
 *    address that goes somewhere, so that nothing is promised of such a variable.
 * 2. A member or element that is named by constants (`s.f[2]`) is a variable of its own, with the
 *    whole as its base. A write of the base is one of it, too.
 * 3. `*p` is x if p is a local that is only ever `&x`, and used in no way but `*p`. The address of
 *    x went nowhere, then. `x = x` is no write.
 * 4. Uses come in the order of the walk: functions one after the other. */
#ifndef SRC_USES_H
#define SRC_USES_H

#include "source/flow.h"
#include "source/parse.h"

enum src_access {
	SRC_READ = 1,
	SRC_WRITE = 2,   /* assigned, incremented, or initialised where it is declared */
	SRC_ADDRESS = 4, /* its address goes somewhere: &x stored or passed, an array as a whole */
	SRC_STEP = 8,    /* written: by what it was and a constant; read: for nothing else */
	SRC_PART = 16,   /* written: some part of it */
	SRC_DEREF = 32,  /* read: for `*p` */
};

struct src_use {
	size_t variable;     /* index */
	unsigned access;     /* mask of src_access */
	unsigned file, line; /* where: index into files */
	unsigned offset;     /* of the text */
	size_t point;        /* of the flow */
	bool constant;       /* written: with a literal, or the address of something global */
	uint64_t key;        /* of the constant: the same for the same text */
	size_t target;       /* written: with the address of this local; or SRC_NOWHERE */
};

struct src_variable {
	char *name;
	char *path;                  /* of a part: `s.f[2]`; else NULL */
	size_t base;                 /* of a part: the whole; else itself */
	size_t function;             /* that declares it: index */
	unsigned file, line;         /* of the declaration */
	unsigned offset;             /* likewise */
	unsigned scope_begin, scope; /* offsets: the block that it is visible in */
	bool parameter, scalar;      /* a number or a pointer */
	unsigned bytes;              /* of a scalar: its size; 0 if it is volatile */
	bool pointer;                /* a pointer */
	bool escapes;                /* its address goes somewhere */
	size_t writes;               /* how many there are */
};

struct src_function {
	char *name;
	unsigned line, begin, end; /* of the definition; offsets */
	unsigned body;             /* offset of its `{` */
	size_t first, count;       /* points of the flow */
	bool unclear;              /* its flow could not be made out */
};

enum src_call_kind {
	SRC_CALL_OPAQUE,   /* of a function that is defined elsewhere, and not in a library */
	SRC_CALL_LIBRARY,  /* declared by a system header: a compiler may know what it does */
	SRC_CALL_INDIRECT, /* through a pointer */
	SRC_CALL_KNOWN,    /* of a function of this file */
};

struct src_call {
	enum src_call_kind kind;
	char *callee;    /* as it is written, if through a pointer */
	size_t function; /* that it is in */
	unsigned file, line, offset, end;
	XS_VEC(size_t) arguments; /* variables that are passed as they are */
};

/* A local variable that takes part in what is stored. */
struct src_operand {
	size_t variable;
	bool index;     /* as an index of something at file scope */
	bool folds;     /* with a literal, or with itself: it may not be needed */
	size_t product; /* the same for operands of one product; 0: of none */
};

/* An assignment to something at file scope; also +=, ++ and the like. */
struct src_store {
	size_t function;
	unsigned file, line, offset;
	size_t point;                        /* of the flow, behind it */
	XS_VEC(struct src_operand) operands; /* what is understood of the value and the place */
	bool local;                          /* operands or not, there are locals in it */
};

/* A place where a statement can be put. */
struct src_slot {
	size_t function;
	unsigned offset;
	size_t point; /* of the flow: what was executed last; SRC_NOWHERE: nothing leads there */
};

struct src_facts {
	XS_VEC(char *) files; /* the source, and what #line calls it */
	XS_VEC(struct src_function) functions;
	XS_VEC(struct src_variable) variables; /* local ones, statics left out */
	XS_VEC(struct src_use) uses;
	XS_VEC(struct src_call) calls;
	XS_VEC(struct src_store) stores;
	XS_VEC(struct src_slot) slots; /* before each statement of each block, but declarations */
	struct src_flow flow;
};

void src_facts_collect(const struct src_unit *unit, struct src_facts *ret);
void src_facts_deinit(struct src_facts *facts);

#endif
