/* probe_index.h - which variable each operand of a probe is.
 *
 * Probes of the provider `xstep` say it: their name is an id and a name for each operand,
 * `p17__a__b`. Where that is not enough, the section .xstep.probes has a line of text for each, as
 * `xstep mutate --probes` writes it:
 *
 *     NAME FUNCTION LINE:PATH...      p17__a__2 main 12:a 9:s.f[2]
 *
 * the line being that of the variable's declaration. Of other providers nobody says it.
 *
 * Rules:
 * 1. A line is believed if it is well formed and has as many operands as the probe. If there are
 *    several that say different things of one name (two files with a function of one name), none
 *    is.
 * 2. Without a line the names in the probe's name are believed if there are as many of them as
 *    operands, none of them is a number, and no name is empty. */
#ifndef ORA_PROBE_INDEX_H
#define ORA_PROBE_INDEX_H

#include "base/map.h"
#include "dwarf/probe.h"

/* What an operand is. */
struct ora_probe_meaning {
	char *function; /* that the variable is of; NULL: the innermost at the probe */
	char *path;     /* `a`, `s.f[2]` */
	char *variable; /* its root, `a`, `s` */
	uint32_t line;  /* of its declaration; 0: not known */
};

struct ora_probe_meanings {
	XS_VEC(struct ora_probe_meaning) vec; /* by operand; none if they are not known */
	const char *why; /* why they are not: a literal that reads behind a number; or NULL */
};

/* A line of the section. */
struct ora_probe_line {
	char *name;   /* of the probe */
	char *rest;   /* what is behind the function */
	bool several; /* and others say something else of that name and function */
};

struct ora_probe_index {
	XS_VEC(struct ora_probe_line) lines;
	struct xs_map found; /* (hash of name and function, 0) -> index into lines, plus 1; (hash of
			      * the name, 1): there is one of some function */
	uint64_t unread;     /* lines that are not well formed */
};

/* Reads the text of the section. */
void ora_probe_index_read(struct ora_probe_index *index, const char *text, size_t size);
void ora_probe_index_deinit(struct ora_probe_index *index);

/* What a probe's operands are. functions: the names of those that are active at its pc, innermost
 * first. */
void ora_probe_meanings(const struct ora_probe_index *index, const struct di_probe *probe,
	const char *const *functions, size_t count, struct ora_probe_meanings *ret);
void ora_probe_meanings_deinit(struct ora_probe_meanings *meanings);

#endif
