/* transcript.h - puts what another witness says into a store, line by line as it comes. */
#ifndef ORA_TRANSCRIPT_H
#define ORA_TRANSCRIPT_H

#include "oracle/store/store.h"
#include "oracle/witness/debugger/testimony.h"

struct ora_transcript;

/* Opens the store and begins a trace of the testimony, which is about to be given. */
XS_MUST_CHECK struct xs_error *ora_transcript_create(
	const char *path, const struct ora_testimony *testimony, struct ora_transcript **ret);
void ora_transcript_destroy(struct ora_transcript *transcript);
XS_DEFINE_CLEANUP(ora_transcript);

/* The number that the trace has in the store. */
uint64_t ora_transcript_trace(const struct ora_transcript *transcript);
/* A line of the testimony. */
XS_MUST_CHECK struct xs_error *ora_transcript_line(
	struct ora_transcript *transcript, const char *kind, json_t *line);
/* The testimony is over; trouble is what became of the witness, NULL if it ended well. */
XS_MUST_CHECK struct xs_error *ora_transcript_end(
	struct ora_transcript *transcript, const char *trouble);

#endif
