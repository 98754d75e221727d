/* keep.h - a trace that goes into a store: xstep's own, as `trace -o FILE.db` writes it. */
#ifndef CLI_KEEP_H
#define CLI_KEEP_H

#include "oracle/store/keep.h"
#include "oracle/witness/own/tell.h"

struct cli_keep;

/* Opens the store and begins a trace; about lacks what is the same for all traces of xstep's. If
 * `beside` is not NULL, in the store that that one has open. */
XS_MUST_CHECK struct xs_error *cli_keep_create(const char *path, const struct ora_run *run,
	const struct ora_store_trace *about, struct cli_keep *beside, struct cli_keep **ret);
void cli_keep_destroy(struct cli_keep *keep);
XS_DEFINE_CLEANUP(cli_keep);

XS_MUST_CHECK struct xs_error *cli_keep_stop(struct cli_keep *keep, const struct ora_told *told);
/* One of all executed stops, for the order. */
void cli_keep_step(struct cli_keep *keep, struct ora_teller *teller, const struct ora_stop *stop);
uint64_t cli_keep_size(struct cli_keep *keep);
/* The recording is over: how, and what went wrong, if anything did. */
XS_MUST_CHECK struct xs_error *cli_keep_end(struct cli_keep *keep, struct ora_teller *teller,
	const struct ora_recording *recording, const char *how, const char *trouble);

#endif
