/* leaf_fake.h - really compiled programs that are not run, for the tests of types and leaves.
 *
 * A fixture is compiled, opened, and its file contents serve as memory: each global variable has
 * the value that it is initialised with. */
#ifndef DI_LEAF_FAKE_H
#define DI_LEAF_FAKE_H

#include "dwarf/leaf.h"

struct fixture {
	char folder[64];          /* temporary, with the program in it */
	char program[80];         /* its path */
	struct di_module *module; /* the program */
	struct di_types *types;   /* decoded so far */
	struct di_leaf_host host; /* memory is the file's; no registers; number gives `bound` */
	uint64_t bound;           /* what every dynamic bound comes to */
	bool bound_gone;          /* instead, it is optimized out */
	unsigned reads;           /* calls of memory so far */
	size_t largest_read;      /* of those, in bytes */
	xs_addr unreadable;       /* reads that reach this address fail; 0: none */
};

/* Compiles testdata/source with the compiler and the option, and opens it. False if there is no
 * such compiler. What else goes wrong fails the test. */
bool fixture_open(
	struct fixture *fixture, const char *compiler, const char *option, const char *source);
void fixture_close(struct fixture *fixture);

/* The DIE of a variable, global or local; a failed test if there is none. */
Dwarf_Die fixture_variable(struct fixture *fixture, const char *name);
/* The address of a global variable. */
xs_addr fixture_address(struct fixture *fixture, const char *name);

#endif
