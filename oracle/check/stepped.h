/* stepped.h - what the relations of check levels know of one trace: which lines it hits, where and
 * when, and what it shows there. See check_levels.c.
 *
 * A line is a file, without its folder, and a number, as the witness shows it. Line 0 is none.
 *
 * Rules:
 * 1. A statement begins where a row with is_stmt has its address, behind the prologue. Of several
 *    rows at an address a debugger can end a step for that of the line it shows, xstep for the
 *    last.
 * 2. A statement is entered where it begins and the instruction before, in the same function, was
 *    of another line; behind a return, the call. Where that one was of the same line or of line 0,
 *    steps may be on the line already, and no debugger need stop: a branch led into the midst of
 *    the line.
 * 3. Where the code of an inlined call begins, debuggers make as if the call were an instruction of
 *    its own: they show the line of the call first, and step into it without executing anything.
 *    What line steps and instruction steps show there need not be the same.
 * 4. The row with prologue_end says where a function's body begins. It is late if statements of
 *    other lines begin before it is first executed. A step into the function may run there, as the
 *    line table says, and over those statements: the producer is to blame, and no debugger. */
#ifndef ORA_STEPPED_H
#define ORA_STEPPED_H

#include "oracle/check/check.h"

/* A line as it was first. */
struct ora_stepped_line {
	char *file, *function;
	uint32_t number, column;
	uint64_t stop;                /* number of the stop */
	struct ora_store_place place; /* texts are the reader's, and not to be used */
	struct ora_store_place prev;
	bool has_prev;
	uint64_t n;
};

/* A stop in a sequence of line steps. */
struct ora_stepped_stop {
	xs_addr address;
	uint64_t number, n;
	size_t line;        /* index into `lines` of what is shown; SIZE_MAX: none */
	uint64_t statement; /* line (hash) of the statement that the step ended for; 0: unknown */
};

struct ora_stepped_leaf {
	enum ora_state state;
	char *value;
	bool twin; /* there is another one that looks the same */
};

/* What is shown at an address when it is first arrived at. */
struct ora_stepped_shown {
	uint64_t line; /* hash; 0: none */
	uint32_t column;
	uint64_t function; /* hash of its name */
	unsigned frames;
};

struct ora_stepped {
	size_t trace;        /* of check->traces; count if there is none */
	struct xs_map index; /* line -> index into `lines`, plus 1 */
	XS_VEC(struct ora_stepped_line) lines;
	struct xs_map ended;  /* lines of statements that steps ended for -> number of the first */
	struct xs_map places; /* address -> hits */
	/* By line steps: */
	XS_VEC(struct ora_stepped_stop) stops;
	/* By instruction steps: */
	struct xs_map began, begun_at; /* rule 1: line -> stop, and address, of the first time */
	struct xs_map entered, entered_at; /* rule 2: likewise */
	struct xs_map opened;              /* lines that begin in a prologue */
	struct xs_map bodies, begun_in; /* entries of functions whose prologue_end was executed; of
					 * those in which a statement began */
	struct xs_map late;             /* rule 4: entries of functions */
	XS_VEC(struct ora_stepped_line) late_lines; /* of their rows with prologue_end */
	struct xs_map leaves; /* (address, leaf) -> index into `first`, plus 1: at the first arrival
			       */
	XS_VEC(struct ora_stepped_leaf) first;
	struct xs_map shown_at; /* address -> index into `shown`, plus 1 */
	XS_VEC(struct ora_stepped_shown) shown;
};

/* The three traces of one witness. */
struct ora_stepped_three {
	struct ora_check_levels *levels;
	struct ora_stepped line, instruction,
		brk; /* the last has trace == count if there is none */
};

/* Reads a trace: by which steps its role says. */
XS_MUST_CHECK struct xs_error *ora_stepped_take(
	const struct ora_check *check, struct ora_stepped *stepped);
void ora_stepped_deinit(struct ora_stepped *stepped);

/* --- what it has ------------------------------------------------------------------------------ */

uint64_t ora_stepped_hash(const char *file, uint32_t line);
uint64_t ora_stepped_leaf_hash(
	const struct ora_scene_variable *variable, const struct ora_scene_leaf *leaf);
/* A line of another trace in this one; NULL if it does not show it. */
const struct ora_stepped_line *ora_stepped_find(
	const struct ora_stepped *stepped, const struct ora_stepped_line *line);
/* Whether it hits a line, shown or not. */
bool ora_stepped_hits(const struct ora_stepped *stepped, const struct ora_stepped_line *line);
/* The number that one of its maps has for a line; 0: none. */
uint64_t ora_stepped_first(const struct xs_map *map, const struct ora_stepped_line *line);
/* What it shows where it first arrives at an address; NULL: it does not. */
const struct ora_stepped_shown *ora_stepped_shown(
	const struct ora_stepped *stepped, xs_addr address);
/* The row of the statement that begins at an address, as far as a witness can end a step for it
 * that shows the line `shown` (hash) there; NULL: none. xstep: 0. */
const struct di_row *ora_stepped_statement(
	const struct di_module *module, xs_addr address, uint64_t shown);
/* Whether a place is in the prologue of its function. */
bool ora_stepped_is_prologue(struct di_module *module, const struct ora_store_place *place);
/* Whether the code of an inlined call begins at an address: rule 3. */
bool ora_stepped_is_call(struct di_module *module, xs_addr address);
#define ORA_STEPPED_CALL "where an inlined call begins"
/* Whether a place is in a function whose prologue_end is late: rule 4. */
bool ora_stepped_is_late(
	const struct ora_stepped *instruction, const struct ora_store_place *place);
#define ORA_STEPPED_LATE "in functions whose prologue_end is late"
/* Whether the witness is xstep. */
bool ora_stepped_is_own(const struct ora_check *check, size_t trace);

/* --- the relations ---------------------------------------------------------------------------- */

/* A violation at the first hit of a line in one of the traces. */
size_t ora_stepped_violate(const struct ora_stepped_three *three, const struct ora_stepped *stepped,
	const struct ora_stepped_line *line, const struct ora_check_rule *rule, const char *why,
	enum ora_kind kind, bool *fresh);

/* R2, in stepped_order.c. */
XS_MUST_CHECK struct xs_error *ora_stepped_order(struct ora_stepped_three *three);
/* R3, in stepped_values.c. */
XS_MUST_CHECK struct xs_error *ora_stepped_values(struct ora_stepped_three *three);

#endif
