/* reference.h - what the unoptimised program says of its lines, backtraces, variables and values,
 * to hold the optimised one against (check_opt.c).
 *
 * A line is a file, without its folder, and a number; all lines of a statement on several
 * (source/extent.h) are one where backtraces and variables are asked for. */
#ifndef ORA_REFERENCE_H
#define ORA_REFERENCE_H

#include "oracle/check/check.h"
#include "oracle/check/left.h"
#include "oracle/check/rounding.h"
#include "source/extent.h"

enum { ORA_REFERENCE_TEXTS = 6 }; /* of the values of a leaf that are kept for print */

/* A set of names, by their hashes in ascending order. */
struct ora_names {
	XS_VEC(uint64_t) vec;
	char *text; /* innermost first */
};

/* The variables that are listed in some of the steps on a line. */
struct ora_reference_set {
	uint64_t hash;           /* of all of them */
	struct xs_map variables; /* -> 1 */
};

/* What UNOPT says at a line, or at the lines of a statement on several. */
struct ora_reference_line {
	XS_VEC(struct ora_names) backtraces;   /* different ones */
	XS_VEC(struct ora_reference_set) sets; /* different ones */
	XS_VEC(uint32_t) arrivals;             /* by step: which of the sets */
	struct xs_map functions;               /* innermost ones -> 1 */
};

/* The values of a leaf in UNOPT. */
struct ora_reference_leaf {
	XS_VEC(char *) texts;         /* the first of them */
	size_t values;                /* different ones */
	struct ora_rounding rounding; /* the numbers among them */
	bool opaque;                  /* a pointer without a name was among them */
};

/* A call that is under way in UNOPT. */
struct ora_activation {
	uint64_t function;
	xs_addr begin; /* where its first step is */
	XS_VEC(struct ora_activation_leaf {
		uint64_t leaf;     /* a hash */
		uint64_t value;    /* likewise */
		uint64_t declared; /* the statement that declares it */
		bool written;      /* in this call */
	})
	leaves; /* of its variables; elements of arrays are left out */
};

struct ora_reference {
	struct di_module *module;
	struct xs_map line_index; /* first line of a statement -> index, plus 1 */
	XS_VEC(struct ora_reference_line) lines;
	struct xs_map stepped;  /* lines -> 1 */
	struct xs_map executed; /* likewise; empty if that is not known */
	struct src_extents extents;
	struct xs_map rows;       /* lines of the line table -> 1; made when it is needed */
	struct xs_map opening;    /* lines that functions open at -> 1 */
	struct xs_map functions;  /* entries seen -> 1 */
	struct xs_map leaf_index; /* (function, path) -> index, plus 1 */
	XS_VEC(struct ora_reference_leaf) leaves;
	struct xs_map values;  /* (leaf, value) -> 1 */
	struct xs_map changes; /* (leaf, statement at which it was changed) -> 1 */
	XS_VEC(uint64_t) last; /* statements of the step before, by depth, the outermost first */
	XS_VEC(xs_addr) addresses; /* of the frames, likewise */
	struct xs_map backtraces;  /* (line, backtrace) that were seen -> 1 */
	struct xs_map unsettled; /* (leaf, statement) at which it may not have been written -> 1 */
	XS_VEC(struct ora_activation) activations; /* by depth, the outermost first */
	struct xs_map hashes;                      /* variables -> their hash */
	struct xs_map twice;   /* functions that call one that returns twice (twice.h) -> 1 */
	struct xs_map passing; /* leaves that were asked about -> 1, or 2: they pass values */
};

/* Takes all that a trace by line says; deinit also after an error. */
XS_MUST_CHECK struct xs_error *ora_reference_take(
	const struct ora_check *check, size_t trace, struct ora_reference *unopt);
/* Takes what is executed: a trace with every place of it. The module must be there. */
XS_MUST_CHECK struct xs_error *ora_reference_take_executed(
	const struct ora_check *check, uint64_t trace, struct ora_reference *unopt);
void ora_reference_deinit(struct ora_reference *unopt);

/* What is known of a line, or of the statement it is part of; NULL: it is never stepped on. */
struct ora_reference_line *ora_reference_line(
	struct ora_reference *unopt, const char *file, uint32_t number);
/* Which statement a line is part of. */
uint64_t ora_reference_statement(struct ora_reference *unopt, const char *file, uint32_t line);
/* Whether UNOPT executes a line, or opens a function there. */
bool ora_reference_executes(const struct ora_reference *unopt, const char *file, uint32_t line);
/* Whether a leaf of a local has been written, in every call, by the time UNOPT is at a line that it
 * steps on. What is in memory before is nobody's value. */
bool ora_reference_is_settled(
	struct ora_reference *unopt, uint64_t leaf, const char *file, uint32_t line);
/* Whether a function calls one that may return twice, by its name. */
bool ora_reference_is_twice(const struct ora_reference *unopt, const char *function);
/* Why a value of a leaf may be there by the book though UNOPT never shows it; ORA_LEFT_COUNT: it
 * may not. */
enum ora_left ora_reference_excuse(struct ora_reference *unopt,
	const struct ora_store_variable *variable, const struct ora_scene_leaf *leaf,
	const char *value);
/* The values of a leaf, for print; to be freed. */
char *ora_reference_values(const struct ora_reference_leaf *leaf);
/* Whether a variable is listed in some step on a line. */
bool ora_reference_lists(const struct ora_reference_line *line, uint64_t variable);
/* Whether UNOPT has code for a line, by its line table. */
bool ora_reference_has_code(struct ora_reference *unopt, const char *file, uint32_t line);

/* A backtrace as a number. */
uint64_t ora_backtrace_hash(const struct ora_told *told);
/* The functions of one. */
struct ora_names ora_names_of(const struct ora_told *told);
void ora_names_deinit(struct ora_names *names);
bool ora_names_have(const struct ora_names *names, uint64_t function);
/* Whether all names of a are in b. */
bool ora_names_are_within(const struct ora_names *a, const struct ora_names *b);

/* Keys of the maps. */
uint64_t ora_line_hash(const char *file, uint32_t line);
uint64_t ora_function_hash(const char *name);
/* A value as it can be compared between two programs, to be freed; NULL if it cannot. Pointers
 * count as null or as a symbol and an offset. */
char *ora_comparable(struct di_module *module, const char *type, const char *value);

#endif
