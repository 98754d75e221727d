/* leaf.h - from a type and a location to leaves: `g.f[3].x` and one canonical text each.
 *
 * Canonical text: integers in decimal whatever the type (characters and booleans too), enums as
 * their integer, floats so that they read back to the same bits, pointers as 0x and hex, function
 * pointers likewise; implicit pointers as `implicit`; a _Complex is two leaves `z.real`, `z.imag`.
 *
 * Rules:
 * 1. A state said of a whole variable (no location at all, an error) is one leaf with the
 *    variable's own path. So is the state of an array whose bound cannot be told.
 * 2. What is cut is said: the last leaf has the state CUT and the number that is missing.
 * 3. Members of anonymous structs and unions are named as the outer one's, `s.x`; those of a base
 *    class by the class, `obj.Base.x`, without its namespace and template arguments. Of a union,
 *    every member is told; of a variant part, the variant that its discriminant chooses,
 *    `o.Some.x`. One without leaves is told as `{}`: `o.None`.
 * 4. What has no size (empty structs, [0], flexible arrays) has no leaves, wherever it is. */
#ifndef DI_LEAF_H
#define DI_LEAF_H

#include "dwarf/expr.h"
#include "dwarf/type.h"

#define DI_LEAF_MAX 4096 /* leaves of one variable, by default */

enum di_leaf_state {
	DI_LEAF_VALUE,         /* text holds */
	DI_LEAF_OPTIMIZED_OUT, /* answer says why, if it does */
	DI_LEAF_ERROR,         /* answer says why */
	DI_LEAF_CUT,           /* no leaf: `missing` more were not told */
};

struct di_leaf {
	const char *path;           /* `a`, `s.f[2]`, `u.x`; lives during the callback */
	const struct di_type *type; /* of the leaf */
	enum di_leaf_state state;
	const char *text;               /* canonical text of a value, else "" */
	const char *name;               /* enumerator of that value, or NULL */
	const struct di_answer *answer; /* why it has none, optimized out or error; else NULL.
					 * Lives during the callback */
	struct di_wide bits; /* the value's bits, zero-extended (pointers: the address) */
	unsigned bit_size;   /* how many those are; 0 unless it is a value */
	const struct di_piece *pointer; /* implicit pointer: DIE and offset; else NULL */
	uint64_t missing;               /* CUT: how many leaves, about: varying parts count as 1 */
};

/* What flattening asks for. */
struct di_leaf_host {
	void *arg;               /* first argument of every callback */
	enum di_mistake mistake; /* made on purpose, or NONE */
	/* As in di_expr_host: registers of the frame, and memory. */
	struct xs_error *(*reg)(void *arg, uint64_t reg, struct di_wide *ret, unsigned *bits,
		struct di_answer *answer);
	/* All size bytes, up to 64 KiB in one call; that they cannot be read is an answer. */
	struct xs_error *(*memory)(
		void *arg, xs_addr address, void *ret, size_t size, struct di_answer *answer);
	/* The number that attribute `at` of die comes to: a constant, an expression (object is the
	 * address of the containing object, NULL if it has none), or another DIE whose value it
	 * is. Of DW_AT_data_member_location, the member's address: object, which is never NULL
	 * then, is on the stack when the expression begins. */
	struct xs_error *(*number)(void *arg, Dwarf_Die *die, unsigned at, const xs_addr *object,
		struct di_wide *ret, struct di_answer *answer);
};

struct di_leaf_request {
	const struct di_leaf_host *host;
	const char *path;                   /* of the whole: the variable's name */
	const struct di_type *type;         /* of the whole */
	const struct di_location *location; /* where it is, or why it is not */
	uint64_t bit_offset;                /* of the object inside that location (for a part) */
	uint64_t bit_size;                  /* if the object is a bit-field, else 0 */
	uint64_t max_leaves;                /* 0: DI_LEAF_MAX */
	void (*on_leaf)(void *arg, const struct di_leaf *leaf);
	void *arg;          /* for on_leaf */
	const bool *enough; /* once this is true no more are told; NULL: it never is */
};

/* Calls on_leaf for each leaf, in the order of the type. */
XS_MUST_CHECK struct xs_error *di_leaves(const struct di_leaf_request *request);

/* The bits [bit_offset, bit_offset + bit_size) of the object at a location, at most 512, zero-
 * extended; known only if all of them are. Pieces in any mix; little-endian; bit 0 is the least
 * significant one of the first byte. An implicit pointer has no bits: an error. */
XS_MUST_CHECK struct xs_error *di_location_bits(const struct di_leaf_host *host,
	const struct di_location *location, uint64_t bit_offset, unsigned bit_size,
	struct di_wide *ret, struct di_answer *answer);

/* The piece that makes these bits of the object an implicit pointer, or NULL. */
const struct di_piece *di_location_pointer(
	const struct di_location *location, uint64_t bit_offset, unsigned bit_size);
/* The address of the byte in which this bit of the object is; false if it is not in memory. */
bool di_location_address(const struct di_location *location, uint64_t bit_offset, xs_addr *ret);
/* *ret becomes the memory at this address. */
void di_location_memory(xs_addr address, struct di_location *ret);

/* How many elements an array has, evaluated if need be; 0 if it is flexible. object as above. */
XS_MUST_CHECK struct xs_error *di_array_count(const struct di_leaf_host *host,
	const struct di_type *type, const xs_addr *object, uint64_t *ret, struct di_answer *answer);
/* The distance of its elements in bits: their size, where no stride is given. */
XS_MUST_CHECK struct xs_error *di_array_stride(const struct di_leaf_host *host,
	const struct di_type *type, const xs_addr *object, uint64_t *ret, struct di_answer *answer);
/* Whether an array is there, which DW_AT_allocated and DW_AT_associated may deny: then the answer
 * says so. */
XS_MUST_CHECK struct xs_error *di_array_exists(const struct di_leaf_host *host,
	const struct di_type *type, const xs_addr *object, struct di_answer *answer);
/* Where the elements are of an array that has them elsewhere (DW_AT_data_location). */
XS_MUST_CHECK struct xs_error *di_array_data(const struct di_leaf_host *host,
	const struct di_type *type, const xs_addr *object, xs_addr *ret, struct di_answer *answer);
/* Where a member begins in its struct, in bits. */
XS_MUST_CHECK struct xs_error *di_member_offset(const struct di_leaf_host *host,
	const struct di_member *member, const xs_addr *object, uint64_t *ret,
	struct di_answer *answer);

/* Part of an object, for following paths. */
struct di_part {
	const struct di_type *type;   /* of the part */
	struct di_location *location; /* of the object it is part of; overwritten by a memory
				       * location when a pointer is followed */
	uint64_t bit_offset;          /* of the part in that */
	uint64_t bit_size;            /* if the part is a bit-field, else 0 */
};

struct di_path_host {
	const struct di_leaf_host *leaf;
	/* What an implicit pointer points to: type and location of that DIE's object. The pointer's
	 * offset is applied here, not there. */
	struct xs_error *(*deref)(void *arg, const struct di_piece *pointer,
		const struct di_type **type, struct di_location *location,
		struct di_answer *answer);
	void (*note)(void *arg, const char *text); /* hears of each step, in words; or NULL */
	void *arg;                                 /* for both */
};

/* From an object to the part of it that a C-like path behind its name means: `.f[2]`, `->q`, `[1]`
 * (leading `*` and `&` are the caller's business: for `*`, see di_path_deref()). References are
 * followed where a member or an element is asked for. answer says what does not fit:
 * `no member 'g' in struct s`. */
XS_MUST_CHECK struct xs_error *di_path_follow(const struct di_path_host *host, const char *path,
	struct di_part *part, struct di_answer *answer);
/* From a pointer to what it points to, from an array to its first element. */
XS_MUST_CHECK struct xs_error *di_path_deref(
	const struct di_path_host *host, struct di_part *part, struct di_answer *answer);

/* --- as gdb 13 and lldb 15 read an object where that is not what DWARF says: mistake.h --- */

/* A leaf of an object. */
struct di_leaf_place {
	const struct di_location *location;
	const struct di_type *type;
	uint64_t bit_offset; /* in the object */
	unsigned bit_size;
	uint64_t member_offset;         /* of a bit-field in its struct; UINT64_MAX: it is none */
	const struct di_piece *pointer; /* it is an implicit one, or NULL */
};

/* Its bits as the debugger has them. If the answer is known and its reason is MISTAKE, the debugger
 * calls it an implicit pointer. */
XS_MUST_CHECK struct xs_error *di_leaf_mistaken(const struct di_leaf_host *host,
	const struct di_leaf_place *place, struct di_wide *ret, struct di_answer *answer);

/* Whether the debugger finds that there is not enough of the whole object. */
bool di_leaf_too_small(const struct di_leaf_host *host, const struct di_location *location,
	const struct di_type *type, struct di_answer *answer);
/* An array's type as the debugger has it: itself, or *plain. */
const struct di_type *di_leaf_array(
	const struct di_leaf_host *host, const struct di_type *type, struct di_type *plain);
/* Whether the debugger cannot read a tag, because it is too wide: the answer is set then. */
bool di_leaf_wide_tag(
	const struct di_leaf_host *host, const struct di_type *tag, struct di_answer *answer);
/* Whether the debugger does not know of a member. */
bool di_leaf_lacks(const struct di_leaf_host *host, const struct di_member *member);

#endif
