/* campaign_bugs.h - signatures with their causes, and which of them are one bug.
 *
 * Two signatures are one bug if the same party is wrong and
 * 1. the same oracle says the same of it, but for the features of the DWARF that are in brackets,
 *    and the culprit is the same; or
 * 2. their reduced sources are the same text, but for blanks. */
#ifndef CLI_CAMPAIGN_BUGS_H
#define CLI_CAMPAIGN_BUGS_H

#include <jansson.h>

#include "oracle/store/campaign_store.h"

struct cli_bugs {
	const struct ora_campaign_answer *signatures; /* the caller's, rows of ORA_ASK_SIGNATURES */
	struct ora_campaign_answer causes;
	/* By row of the signatures: */
	XS_VEC(size_t) reduced, culprits; /* rows of the causes; their number: there is none */
	XS_VEC(size_t) first;             /* the first row of the same bug */
};

/* Zero-initialised is empty. */
XS_MUST_CHECK struct xs_error *cli_bugs_load(struct ora_campaign_store *store,
	const struct ora_campaign_answer *signatures, struct cli_bugs *ret);
void cli_bugs_deinit(struct cli_bugs *bugs);

/* The culprit, the reduced source and the folder of a signature: lines of text, as far as they are
 * known. */
void cli_bugs_print(FILE *out, const struct cli_bugs *bugs, size_t row);
/* Puts `reduced` and `culprit` into a signature's object; null: not known. */
void cli_bugs_put(json_t *object, const struct cli_bugs *bugs, size_t row);
/* A bug as an object: the signatures of these rows, of which the first stands for it. */
json_t *cli_bugs_json(const struct cli_bugs *bugs, const size_t *rows, size_t count);

#endif
