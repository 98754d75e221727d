/* probe_said.h - what was said of one operand at one stop, and how it becomes a violation. For
 * probes.c and probe_heard.c.
 *
 * Owns its texts: the machine state and the view that they come from are gone when debuggers' words
 * are compared with them. */
#ifndef ORA_PROBE_SAID_H
#define ORA_PROBE_SAID_H

#include "oracle/check/check.h"

struct ora_probe_said {
	uint64_t number;       /* of the executed stop; 0: nobody counts them */
	uint64_t arrival;      /* at the pc, from 1 */
	xs_addr pc;            /* link-time */
	unsigned frame;        /* that has the variable, the innermost being 0 */
	char *function, *file; /* of the innermost frame; NULL: unknown */
	uint32_t line;
	char *scope, *variable, *path; /* which variable; scope may be NULL */
	char *decl_file, *type;        /* or NULL */
	uint32_t decl_line;            /* 0: unknown */
	char *truth;                   /* what the operand holds, as text */
	enum ora_state state;          /* by the DWARF, as xstep reads it */
	char *value;                   /* likewise; NULL: there is none */
	bool right;                    /* and that is the truth */
	size_t violation;              /* else: which one it is */
	const char *why;               /* and its word */
	char *remark;                  /* the probe, and its operand */
};

/* The traces of a check that it is said in. */
struct ora_probe_traces {
	size_t truth, own; /* what operands say, and xstep's reading of the DWARF */
};

/* Notes that a trace shows another value than the truth (a lie), or none. why: the word. Returns
 * the violation. */
size_t ora_probe_violate(struct ora_check *check, const struct ora_probe_traces *traces,
	const struct ora_probe_said *said, size_t trace, bool lie, const char *why);
void ora_probe_said_deinit(struct ora_probe_said *said);

extern const struct ora_check_rule ora_probe_value_rule, ora_probe_loss_rule;

#endif
