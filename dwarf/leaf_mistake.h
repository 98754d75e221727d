/* leaf_mistake.h - how gdb 13 and lldb 15 read an object where that is not what DWARF says:
 * mistake.h. */
#ifndef DI_LEAF_MISTAKE_H
#define DI_LEAF_MISTAKE_H

#include "dwarf/leaf.h"

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
/* Whether the debugger does not know of a member. */
bool di_leaf_lacks(const struct di_leaf_host *host, const struct di_member *member);

#endif
