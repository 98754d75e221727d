/* type.h - types as the DWARF describes them, decoded once each.
 *
 * A node stands for one type DIE and is kept by its module. What can differ from moment to moment
 * (the bounds of a variable length array) is not evaluated here: the node keeps the DIE, and
 * leaf.h asks when it needs the number. */
#ifndef DI_TYPE_H
#define DI_TYPE_H

#include "dwarf/module.h"
#include "dwarf/value.h"

enum di_type_kind {
	DI_TYPE_BASE,      /* integers, characters, booleans, floats */
	DI_TYPE_COMPLEX,   /* two floats or integers of half the size */
	DI_TYPE_ENUM,      /* an integer with names */
	DI_TYPE_POINTER,   /* pointers, references, pointers to functions, nullptr_t */
	DI_TYPE_STRUCT,    /* structs and classes */
	DI_TYPE_UNION,
	DI_TYPE_ARRAY,     /* one dimension; element may be an array again */
	DI_TYPE_VECTOR,    /* an array with DW_AT_GNU_vector */
	DI_TYPE_FUNCTION,  /* no values; what pointers point to */
	DI_TYPE_VOID,      /* no type: void, or unspecified */
	DI_TYPE_MALFORMED, /* see `problem` */
};

struct di_member {
	const char *name;      /* NULL: anonymous, its members count as those of the outer one */
	struct di_type *type;
	bool base_class;       /* DW_TAG_inheritance */
	bool dynamic_offset;   /* its offset is an expression: `die` tells */
	bool bit_field;        /* bit_size is not that of its type */
	uint64_t bit_offset;   /* from the start of the struct, least significant bit first */
	uint64_t bit_size;     /* of a bit-field */
	uint64_t die;          /* offset of its DIE in .debug_info */
};

struct di_enumerator {
	const char *name;
	struct di_wide value; /* extended as the enum's sign says */
};

struct di_type {
	enum di_type_kind kind;
	Dwarf_Die die;            /* of the type itself, qualifiers and typedefs stripped; for
				   * DI_TYPE_ARRAY of the array type */
	Dwarf_Die subrange;       /* ARRAY: the DIE of this dimension; addr NULL if there is none */
	const char *name;         /* as C writes it: `unsigned int`, `struct s *`, `int [3]` */
	uint64_t size;            /* in bytes, if size_known */
	bool size_known;          /* false for incomplete and variable ones */
	struct di_base base;      /* BASE, ENUM, POINTER, COMPLEX (of one half): how bits are read */
	bool is_char;             /* a character type: printed as an integer all the same */
	struct di_type *target;   /* POINTER: what it points to; ARRAY, VECTOR: element; ENUM: NULL */
	bool reference;           /* POINTER: a C++ reference */
	uint64_t count;           /* ARRAY, VECTOR: elements, if count_known */
	bool count_known;         /* false: flexible, variable, or unknown */
	bool count_dynamic;       /* evaluate the subrange's DIE to know it */
	int64_t lower;            /* ARRAY: first index (0 in C) */
	uint64_t bit_stride;      /* ARRAY: distance of elements in bits; 0: the element's size */
	XS_VEC(struct di_member) members;         /* STRUCT, UNION */
	XS_VEC(struct di_enumerator) enumerators; /* ENUM */
	const char *problem;      /* MALFORMED: what is wrong with it */
};

/* All types of a module that were asked for. Part of di_module. */
struct di_types;

struct di_types *di_types_create(void);
void di_types_destroy(struct di_types *types);
/* The type that die refers to by DW_AT_type (void if it does not), typedefs and qualifiers
 * stripped but kept in the name. Never NULL, never fails: what makes no sense is MALFORMED. Loops
 * of typedefs and of nesting are MALFORMED too. */
struct di_type *di_type_of(struct di_types *types, Dwarf_Die *die);

#endif
