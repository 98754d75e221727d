/* case_origin.h - where a case comes from: a campaign, a finding's folder, or a source. */
#ifndef ORA_CASE_ORIGIN_H
#define ORA_CASE_ORIGIN_H

#include "oracle/cause/case.h"

/* What a user says. NULL or 0: not said. */
struct ora_case_words {
	const char *folder, *id; /* a campaign's, and the beginning of an id in it */
	/* Or that of a finding, written by --report. What else is said goes before that. */
	const char *report;
	const char *source, *compiler, *oracle; /* or these, */
	const char *level, *flags;              /* -O2; for all builds */
	const char *witness, *signature;        /* of diff; the beginning of the one wanted */
	double run_seconds, ask_seconds;        /* limits */
};

/* A case that is not settled. scratch: a folder for the source, if it has to be made (with probes
 * planted). *id, to be freed: the whole id in the campaign; NULL: it is not from one. */
XS_MUST_CHECK struct xs_error *ora_case_of_words(const struct ora_case_words *words,
	const char *scratch, struct ora_case *ret, bool *gcc, char **id);

#endif
