/* avail.h - what check_avail.c asks: the first hits of lines in a trace, and the code there. For
 * check_avail.c, avail_hits.c and avail_code.c alone. */
#ifndef ORA_AVAIL_H
#define ORA_AVAIL_H

#include "oracle/check/check.h"
#include "source/reaching.h"

/* What a trace says of a variable at a hit. */
struct ora_sight {
	char *name, *scope;
	char *path; /* of a leaf of an aggregate; NULL: the whole */
	uint32_t declared;
	enum ora_state state;
	char *message;
};

/* The first hit of a line. */
struct ora_hit {
	unsigned source; /* index into src_facts.files */
	uint32_t line;
	char *file, *function; /* as shown */
	struct ora_store_place place, prev;
	bool has_prev;
	uint64_t number, n;
	uint64_t around; /* hash of the frames outside */
	XS_VEC(struct ora_sight) sights;
};

struct ora_hits {
	XS_VEC(struct ora_hit) vec; /* in order */
	struct xs_map index;        /* (line, source) -> index, plus 1 */
	uint64_t stops;             /* in these files, also where no statement has begun */
};

/* --- avail_hits.c --- */

/* Reads a trace of check for the lines of the files that the facts are of. */
XS_MUST_CHECK struct xs_error *ora_hits_read(
	struct ora_check *check, size_t trace, const struct src_facts *facts, struct ora_hits *ret);
void ora_hits_deinit(struct ora_hits *hits);
/* The first hit of a line, if it is shown in that function; NULL: none. */
const struct ora_hit *ora_hits_find(const struct ora_hits *hits, const struct src_facts *facts,
	unsigned source, unsigned line, size_t function);
/* What is said of a variable there; NULL: it is not listed. */
const struct ora_sight *ora_hit_sight(
	const struct ora_hit *hit, const struct src_variable *variable);
/* How available it is: 2 a value, 1 listed, 0 absent. */
unsigned ora_hit_rank(const struct ora_hit *hit, const struct src_variable *variable);

/* --- avail_code.c --- */

/* Whether the code of a hit's line stores something: that up to the next line's code, or, with
 * `block`, all of it up to a branch. */
bool ora_code_stores(const struct ora_check *check, const struct ora_hit *hit, bool block);
/* Where the code at a hit, up to the next line's, calls that function, and not in an inlined call
 * of its own; NULL: something through a pointer. XS_ADDR_NONE: nowhere. */
xs_addr ora_code_call(const struct ora_check *check, const struct ora_hit *hit, const char *callee);
/* Whether what a variable is made of at a later hit is there at an earlier one: on every way from
 * here to there, neither its registers nor memory are written. */
bool ora_code_keeps(const struct ora_check *check, const struct ora_hit *earlier,
	const struct ora_hit *later, const struct src_variable *variable);

#endif
