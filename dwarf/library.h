/* library.h - the library's classes in paths that a user writes: what operator[], operator* and
 * operator-> lead to, as members.
 *
 * Rules:
 * 1. No function is called. A table says for each class by which members the operator goes.
 * 2. The class is one of libstdc++'s, in namespace std or __gnu_cxx, whatever arguments it has.
 * 3. What is not laid out as the table says is an error that names the class: nothing is guessed.
 *    An index that the object has not, and a value that an optional has not, are errors, too.
 * 4. Only paths come here: facts that are compared are the plain members. */
#ifndef DI_LIBRARY_H
#define DI_LIBRARY_H

#include "dwarf/leaf.h"

enum di_library_operator {
	DI_LIBRARY_INDEX, /* v[2] */
	DI_LIBRARY_DEREF, /* *p, p-> */
};

/* From an object to what the operator gives. *ret: false if the table has no such operator for its
 * type, and nothing was done. index is for DI_LIBRARY_INDEX. */
XS_MUST_CHECK struct xs_error *di_library_enter(const struct di_path_host *host,
	enum di_library_operator wanted, int64_t index, struct di_part *part, bool *ret,
	struct di_answer *answer);

#endif
