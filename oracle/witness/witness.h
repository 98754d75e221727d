/* witness.h - who can testify: xstep itself, debuggers, symbolisers. Whoever it is, it is asked in
 * one way (testimony.h) and what it says goes to a sink (oracle/store/sink.h). */
#ifndef ORA_WITNESS_H
#define ORA_WITNESS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/vec.h"

struct ora_testimony;

enum ora_witness_kind {
	ORA_WITNESS_XSTEP, /* xstep itself: always there */
	ORA_WITNESS_GDB,
	ORA_WITNESS_LLDB,
	ORA_WITNESS_DEBUGGERS, /* behind the last of those that look at a process */
	/* Symbolisers read the file alone, and tell what the code at a pc is. */
	ORA_WITNESS_ADDR2LINE = ORA_WITNESS_DEBUGGERS, /* of binutils */
	ORA_WITNESS_LLVM_SYMBOLIZER,
	ORA_WITNESS_EU_ADDR2LINE, /* of elfutils */
	ORA_WITNESS_KINDS,
};
static inline bool ora_witness_is_symboliser(enum ora_witness_kind kind)
{
	return kind >= ORA_WITNESS_DEBUGGERS;
}

/* What every witness can do. */
struct ora_witness_ops {
	/* Answers the question, to the sink. What becomes of the witness is a result; an error is
	 * what keeps xstep from doing its own part. */
	struct xs_error *(*testify)(struct ora_testimony *testimony);
};

struct ora_witness {
	const struct ora_witness_ops *ops;
	enum ora_witness_kind kind; /* whose words it speaks */
	bool by_name;               /* in its other voice: asked for names, as expressions */
	char *path;                 /* of the debugger or symboliser; NULL: xstep */
	char *version;              /* as it says itself, one line; NULL if it says none */
	char *python;               /* version of its Python; NULL if that does not work */
	char *modules;              /* folder of its Python module, NULL if none is known */
	char *search;  /* PATH for it; NULL: xstep's own. Python takes its library from beside the
			* first python3 there, which may be of another version */
	char *problem; /* why it cannot testify, and what to do; NULL if it can */
};
void ora_witness_deinit(struct ora_witness *witness);

struct ora_witnesses {
	XS_VEC(struct ora_witness) vec; /* newest of a kind first */
};
void ora_witnesses_deinit(struct ora_witnesses *list);

/* The word for a kind. */
const char *ora_witness_name(enum ora_witness_kind kind);
/* The word for a kind in its other voice, `gdb:print`; NULL if it has none. */
const char *ora_witness_voice(enum ora_witness_kind kind);
/* The word for a witness: `gdb`, `gdb:print`, `lldb:expression`. */
const char *ora_witness_label(const struct ora_witness *witness);
/* Whether a label is that of a kind, in either voice. */
bool ora_witness_is(const char *label, enum ora_witness_kind kind);
/* Whether a label is that of a symboliser. */
bool ora_witness_is_of_symboliser(const char *label);
/* Whether a label is that of an other voice. */
bool ora_witness_is_by_name(const char *label);

#endif
