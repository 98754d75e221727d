/* transcript.h - turns what a driver writes, JSON lines, into what is told to a sink.
 *
 * What lines there are is said in drivers/walk.py. Of a stop that has been told only places,
 * variables, frames and some leaves are kept, each once, so that memory stays flat however long the
 * testimony is. */
#ifndef ORA_TRANSCRIPT_H
#define ORA_TRANSCRIPT_H

#include "base/map.h"
#include "oracle/witness/debugger/spelling.h"
#include "oracle/witness/testimony.h"

/* Zero-initialised but for the testimony. */
struct ora_transcript {
	struct ora_testimony *testimony; /* whose */

	/* Its own. */
	XS_VEC(struct ora_transcript_place *) places; /* by index */
	struct xs_map place_index;                    /* address -> index, plus 1 */
	XS_VEC(struct ora_transcript_variable *) variables;
	struct ora_spellings spellings;            /* what names mean */
	struct xs_map variable_index;              /* hash of an identity -> index, plus 1 */
	XS_VEC(json_t *) frames;                   /* by number: those that were told */
	XS_VEC(struct ora_transcript_leaf) leaves; /* likewise: who they are */
	struct ora_told told;                      /* the stop that is being told */
	struct ora_told_end end;                   /* how the driver says that it ended */
	XS_VEC(char *) paths;                      /* of the stop that is being told */
	char *killer;                              /* what end.ending.killer points to */
};

/* The sink hears of a line, which is an object of that kind. */
XS_MUST_CHECK struct xs_error *ora_transcript_line(
	struct ora_transcript *transcript, const char *kind, json_t *line);
/* The sink hears of a transition that xstep has counted; prev XS_ADDR_NONE: none. */
void ora_transcript_transition(
	struct ora_transcript *transcript, xs_addr prev, xs_addr pc, uint64_t count);
void ora_transcript_deinit(struct ora_transcript *transcript);

#endif
