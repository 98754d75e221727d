/* type.h - types as the DWARF describes them, decoded once each.
 *
 * A node stands for one type DIE, typedefs and qualifiers included: those are copies of what they
 * stand for, under their own name. What can differ from moment to moment (the bounds of a variable
 * length array, the place of a virtual base class) is not evaluated here: the node keeps the DIE,
 * and leaf.h asks when it needs the number.
 *
 * Rules:
 * 1. Decoding follows what a type contains, never what it points to: di_type_target() does that
 *    when somebody asks. So a loop here is a loop in the DWARF, and is MALFORMED.
 * 2. Nodes are immutable once di_type_of() has returned them, and live as long as the di_types. */
#ifndef DI_TYPE_H
#define DI_TYPE_H

#include "dwarf/module.h"
#include "dwarf/value.h"

#define DI_TYPE_NESTING 128 /* types inside each other, typedefs counted; more is MALFORMED */

enum di_type_kind {
	DI_TYPE_BASE,        /* integers, characters, booleans, floats, pointers to members */
	DI_TYPE_COMPLEX,     /* two floats or integers of half the size */
	DI_TYPE_ENUM,        /* an integer with names */
	DI_TYPE_POINTER,     /* pointers, references, pointers to functions, nullptr_t */
	DI_TYPE_STRUCT,      /* structs and classes; incomplete if `problem` is set */
	DI_TYPE_UNION,       /* the same */
	DI_TYPE_VARIANTS,    /* a variant part: its members are the variants, anonymous structs */
	DI_TYPE_ARRAY,       /* one dimension; element may be an array again */
	DI_TYPE_VECTOR,      /* an array with DW_AT_GNU_vector */
	DI_TYPE_FUNCTION,    /* no values; what pointers point to */
	DI_TYPE_VOID,        /* no type: void, or unspecified */
	DI_TYPE_UNSUPPORTED, /* sound, but its values have no text here: decimal floats; `problem`
			      */
	DI_TYPE_MALFORMED,   /* see `problem` */
};

struct di_member {
	const char *name; /* NULL: anonymous, its members count as those of the outer one. Of a
			   * base class: the class's */
	struct di_type *type;
	bool base_class;     /* DW_TAG_inheritance */
	bool dynamic_offset; /* its offset is an expression: `die` tells */
	bool bit_field;      /* bit_size is not that of its type */
	uint64_t bit_offset; /* from the start of the struct, least significant bit first */
	uint64_t bit_size;   /* of a bit-field */
	Dwarf_Die die;       /* its own */
};

struct di_enumerator {
	const char *name;
	struct di_wide value; /* extended as the enum's sign says */
};

/* Values of a discriminant that choose a variant. */
struct di_label {
	struct di_wide lo, hi; /* both included, extended as the discriminant's sign says */
	size_t member;         /* which variant */
};

struct di_type {
	enum di_type_kind kind;
	Dwarf_Die die;          /* of the type itself, qualifiers and typedefs stripped; for
				 * DI_TYPE_ARRAY of the array type; addr NULL for void and for the
				 * halves of a complex */
	Dwarf_Die subrange;     /* ARRAY: the DIE of this dimension; addr NULL if there is none */
	const char *name;       /* as C writes it: `unsigned int`, `struct s *`, `int [3]` */
	uint64_t size;          /* in bytes, if size_known */
	bool size_known;        /* false for incomplete and variable ones */
	struct di_base base;    /* BASE, ENUM, POINTER: how bits are read; COMPLEX: those of one
				 * half */
	bool is_char;           /* a character type: printed as an integer all the same */
	struct di_type *target; /* ARRAY, VECTOR: element; COMPLEX: one half; else NULL. For
				 * POINTER see di_type_target() */
	bool reference;         /* POINTER: a C++ reference */
	uint64_t count;         /* ARRAY, VECTOR: elements, if count_known */
	bool count_known;       /* false: flexible, variable, or unknown */
	bool count_dynamic;     /* evaluate the subrange's DIE to know it */
	bool stride_dynamic;    /* ARRAY: evaluate the subrange's DW_AT_byte_stride to know it */
	bool conditional;       /* ARRAY: DW_AT_allocated or DW_AT_associated says whether it is
				 * there */
	bool data_elsewhere;    /* ARRAY: its elements are where DW_AT_data_location says */
	int64_t lower;          /* ARRAY: first index (0 in C) */
	uint64_t bit_stride;    /* ARRAY: distance of elements in bits; 0: the element's size */
	XS_VEC(struct di_member) members;         /* STRUCT, UNION; in the order of the DIEs */
	XS_VEC(struct di_enumerator) enumerators; /* ENUM */
	XS_VEC(struct di_label) labels;           /* VARIANTS */
	size_t otherwise;         /* VARIANTS: the one without a label, plus 1; 0: none */
	struct di_type *discr;    /* VARIANTS: the discriminant's type; NULL: it has none */
	uint64_t discr_offset;    /* VARIANTS: where that is in the struct, in bits */
	enum di_why_code problem; /* why it has no values: malformed, unsupported, incomplete; or
				   * NONE */
	uint64_t problem_about;   /* the tag, attribute or number that goes with it */
	uint64_t leaves;        /* how many leaves a value has; a part that varies counts as one */
	unsigned nesting;       /* how many types are inside each other in it, itself included */
	struct di_types *types; /* whose it is */
	bool decoded;           /* false only while its own DIE is being decoded */
	bool borrows;           /* members and enumerators belong to another node */
};

/* All types of a module that were asked for. Part of di_module. */
struct di_types;

struct di_types *di_types_create(struct di_module *module);
void di_types_destroy(struct di_types *types);
XS_DEFINE_CLEANUP(di_types);

/* The type that die refers to by DW_AT_type (void if it does not), typedefs and qualifiers
 * stripped but kept in the name. Never NULL, never fails: what makes no sense is MALFORMED. Loops
 * of typedefs and of nesting are MALFORMED too. */
struct di_type *di_type_of(struct di_types *types, Dwarf_Die *die);
/* The type that die is. Never NULL, never fails. */
struct di_type *di_type_at(struct di_types *types, Dwarf_Die *die);
/* A type whose values are not read, for a reason of its own. */
struct di_type *di_type_unread(struct di_types *types, const char *name, const struct di_why *why);
/* What a pointer points to, or what an array, a vector or a complex consists of; NULL for others.
 */
const struct di_type *di_type_target(const struct di_type *type);

#endif
