/* witness.h - the debuggers that can testify: which there are, and whether they can be driven.
 *
 * A debugger is driven by a script in its own Python. One without it is found all the same, and
 * said to be of no use, with what to install. */
#ifndef ORA_WITNESS_H
#define ORA_WITNESS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/vec.h"

enum ora_witness_kind {
	ORA_WITNESS_XSTEP, /* xstep itself: always there */
	ORA_WITNESS_GDB,
	ORA_WITNESS_LLDB,
};

struct ora_witness {
	enum ora_witness_kind kind; /* whose words it speaks */
	bool by_name;               /* in its other voice: asked for names, as expressions */
	char *path;                 /* of the debugger; NULL: xstep */
	char *version;              /* as it says itself, one line; NULL if it says none */
	char *python;               /* version of its Python; NULL if that does not work */
	char *modules;              /* LLDB: folder of its Python module, NULL if none is known */
	char *search;  /* PATH for it; NULL: xstep's own. Python takes its library from beside the
			* first python3 there, which may be of another version */
	char *problem; /* why it cannot testify, and what to do; NULL if it can */
};

struct ora_witnesses {
	XS_VEC(struct ora_witness) vec; /* newest of a kind first */
};

/* The word for a kind. */
const char *ora_witness_name(enum ora_witness_kind kind);
/* The same with the voice: `gdb`, `gdb:print`, `lldb:expression`. */
const char *ora_witness_label(const struct ora_witness *witness);
/* Whether a label is that of a kind, in either voice. */
bool ora_witness_is(const char *label, enum ora_witness_kind kind);
/* Whether a label is that of an other voice. */
bool ora_witness_is_by_name(const char *label);

/* What is on PATH: gdb, lldb and lldb-NN; each program once, whatever its names. Nothing of a kind
 * is one entry with a problem. */
void ora_witnesses_find(struct ora_witnesses *ret);
/* The one that a word means: `gdb`, `lldb`, `xstep`, `gdb:print`, `lldb:expression`, or one of a
 * debugger's with `@PATH` behind it; path, if not NULL, stands for a missing @PATH. A debugger that
 * is not there or has no Python is a result, with its problem; an unknown word is an error. */
XS_MUST_CHECK struct xs_error *ora_witness_named(
	const char *word, const char *path, struct ora_witness *ret);
void ora_witness_deinit(struct ora_witness *witness);
void ora_witnesses_deinit(struct ora_witnesses *list);

#endif
