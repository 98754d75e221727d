/* leaf.h - from a type and a location to leaves: `g.f[3].x` and one canonical text each.
 *
 * Canonical text: integers in decimal whatever the type (characters and booleans too), enums as
 * their integer, floats so that they read back to the same bits, pointers as 0x and hex, function
 * pointers likewise; implicit pointers as `implicit`; a _Complex is two leaves `z.real`, `z.imag`.
 * A state said of a whole variable (no location at all, an error) is one leaf with the variable's
 * own path. What is cut is said: the last leaf has the state CUT and the number that is missing. */
#ifndef DI_LEAF_H
#define DI_LEAF_H

#include "dwarf/expr.h"
#include "dwarf/type.h"

enum di_leaf_state {
	DI_LEAF_VALUE,         /* text holds */
	DI_LEAF_OPTIMIZED_OUT, /* reason says why, or is "" */
	DI_LEAF_ERROR,         /* reason says why */
	DI_LEAF_CUT,           /* no leaf: `missing` more were not told */
};

struct di_leaf {
	const char *path;           /* `a`, `s.f[2]`, `u.x`; lives during the callback */
	const struct di_type *type; /* of the leaf */
	enum di_leaf_state state;
	const char *text;           /* canonical text of a value, else "" */
	const char *name;           /* enumerator of that value, or NULL */
	const char *reason;         /* for the other states */
	struct di_wide bits;        /* the value's bits, zero-extended (pointers: the address) */
	const struct di_piece *pointer; /* implicit pointer: DIE and offset; else NULL */
	uint64_t missing;           /* CUT: how many leaves, at least */
};

/* What flattening asks for. */
struct di_leaf_host {
	void *arg;
	/* As in di_expr_host: registers of the frame, and memory. */
	struct xs_error *(*reg)(void *arg, uint64_t reg, struct di_wide *ret, unsigned *bits,
		struct di_answer *answer);
	struct xs_error *(*memory)(
		void *arg, xs_addr address, void *ret, size_t size, struct di_answer *answer);
	/* The number that attribute `at` of die comes to: a constant, an expression (object is the
	 * address of the containing object, if it has one), or another DIE whose value it is. */
	struct xs_error *(*number)(void *arg, Dwarf_Die *die, unsigned at, const xs_addr *object,
		struct di_wide *ret, struct di_answer *answer);
};

struct di_leaf_request {
	const struct di_leaf_host *host;
	const char *path;                   /* of the whole: the variable's name */
	const struct di_type *type;
	const struct di_location *location; /* where it is, or why it is not */
	uint64_t bit_offset;                /* of the object inside that location (for a part) */
	uint64_t max_leaves;                /* 4096 by default */
	void (*on_leaf)(void *arg, const struct di_leaf *leaf);
	void *arg;                          /* for on_leaf */
};

/* Calls on_leaf for each leaf, in the order of the type. */
XS_MUST_CHECK struct xs_error *di_leaves(const struct di_leaf_request *request);

/* The bits [bit_offset, bit_offset + bit_size) of the object at a location, at most 512, zero-
 * extended; known only if all of them are. Pieces in any mix; little-endian; bit 0 is the least
 * significant one of the first byte. */
XS_MUST_CHECK struct xs_error *di_location_bits(const struct di_leaf_host *host,
	const struct di_location *location, uint64_t bit_offset, unsigned bit_size,
	struct di_wide *ret, struct di_answer *answer);

/* The part of an object that a C-like path behind the variable's name means: `.f[2]`, `->q`, `[1]`
 * (leading `*` and `&` are the caller's business). From *type and *location (which may be replaced
 * by a memory location when a pointer is followed) to those of the part. Implicit pointers are
 * followed through `deref`. answer says what does not fit: `no member 'g' in struct s`. */
struct di_path_host {
	const struct di_leaf_host *leaf;
	/* What an implicit pointer points to: type and location of that DIE's object. */
	struct xs_error *(*deref)(void *arg, const struct di_piece *pointer,
		const struct di_type **type, struct di_location *location, struct di_answer *answer);
	void *arg; /* for deref */
};
XS_MUST_CHECK struct xs_error *di_path_follow(const struct di_path_host *host, const char *path,
	const struct di_type **type, struct di_location *location, uint64_t *bit_offset,
	uint64_t *bit_size, struct di_answer *answer);

#endif
