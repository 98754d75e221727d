/* probe.h - the probes of a program: SystemTap's notes (<sys/sdt.h>, .note.stapsdt).
 *
 * A probe is a nop and a note that says, for the pc of that nop, where each of its operands is:
 * `-4@%ecx`, `1@23(%rsp)`, `8@$0`. The text is written by the code generator when it assembles the
 * operand, and not by whoever writes debug information.
 *
 * Rules:
 * 1. Addresses are link-time addresses. A file that was prelinked says by .stapsdt.base how far its
 *    notes are off.
 * 2. An operand is AT&T syntax, as gas takes it. What is not understood, or names a symbol that is
 *    not the only one of its name, is UNREAD with its reason, and never guessed.
 * 3. Notes that are cut short or make no sense are counted; those before and behind them are read,
 *    as far as their sizes let them be found. */
#ifndef DI_PROBE_H
#define DI_PROBE_H

#include "dwarf/target.h"

enum di_probe_where {
	DI_PROBE_CONSTANT,
	DI_PROBE_REGISTER,
	DI_PROBE_MEMORY,
	DI_PROBE_UNREAD, /* `why` says why */
};

struct di_probe_operand {
	char *text; /* as the note has it */
	enum di_probe_where where;
	unsigned size;    /* in bytes; 0: neither the text nor a register's name tells */
	bool is_signed;   /* by the text: -4@ */
	bool is_float;    /* likewise: 8f@ */
	uint64_t number;  /* CONSTANT: it; MEMORY: the displacement */
	bool loaded;      /* the number is an address of the file: the load bias is added */
	int reg;          /* REGISTER: DWARF's number; MEMORY: the base, -1: there is none */
	unsigned skipped; /* REGISTER: bytes below what is meant: 1 for %ah */
	int index;        /* MEMORY: -1: there is none */
	unsigned scale;   /* of the index */
	const char *why;  /* UNREAD: a literal; reads behind `cannot be read: ` */
};

struct di_probe {
	xs_addr pc;        /* of the nop */
	xs_addr semaphore; /* 0: it has none */
	char *provider, *name;
	XS_VEC(struct di_probe_operand) operands;
};

struct di_probes {
	XS_VEC(struct di_probe) list; /* by pc, then as they come */
	uint64_t unread;              /* notes that make no sense */
};

/* Address of a symbol by its name, for operands; false if there is none or more than one. */
struct di_probe_symbols {
	bool (*find)(void *arg, const char *name, size_t length, xs_addr *ret);
	void *arg;
};

/* Those of a module; none is no error. */
XS_MUST_CHECK struct xs_error *di_probes_read(struct di_module *module, struct di_probes *ret);
/* The notes of a section's bytes. base: the address of .stapsdt.base; 0: there is no such section.
 */
void di_probes_parse(struct di_cursor *notes, xs_addr base, const struct di_probe_symbols *symbols,
	struct di_probes *ret);
void di_probes_deinit(struct di_probes *probes);

/* One operand; frees nothing. The text is copied. */
void di_probe_operand_parse(const char *text, size_t length, const struct di_probe_symbols *symbols,
	struct di_probe_operand *ret);

/* What an operand holds, in a machine state whose pc is the probe's: its `size` bytes,
 * zero-extended. NULL if it is known, else why not, as in `why`. */
const char *di_probe_value(const struct di_probe_operand *operand, const struct di_target *target,
	uint64_t bias, uint64_t *ret);

#endif
