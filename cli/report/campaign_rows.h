/* campaign_rows.h - answers of a campaign's file, row by row: as text, as JSON; and its signatures,
 * with what is reported by now. */
#ifndef CLI_CAMPAIGN_ROWS_H
#define CLI_CAMPAIGN_ROWS_H

#include <jansson.h>

#include "oracle/judge/known.h"
#include "oracle/store/campaign_store.h"

/* The text of a cell; "" where there is nothing. */
const char *cli_rows_cell(const struct ora_campaign_answer *answer, size_t row, size_t column);

/* A row as an object. keys: by blanks, in the order of the columns; `#` before one: a number; `-`
 * alone: left out. */
json_t *cli_rows_object(const struct ora_campaign_answer *answer, size_t row, const char *keys);
json_t *cli_rows_array(const struct ora_campaign_answer *answer, const char *keys);
/* Asks, and puts the rows under a key. */
XS_MUST_CHECK struct xs_error *cli_rows_put(json_t *object, const char *key,
	struct ora_campaign_store *store, enum ora_campaign_question question, const char *about,
	const char *keys);

/* Columns of ORA_ASK_SIGNATURES. */
enum cli_signature_column {
	CLI_SIGNATURE_ID,
	CLI_SIGNATURE_TEXT,
	CLI_SIGNATURE_BASIS,
	CLI_SIGNATURE_WRONG,
	CLI_SIGNATURE_ORACLE,
	CLI_SIGNATURE_COUNT,
	CLI_SIGNATURE_PROGRAMS,
	CLI_SIGNATURE_BUILDS,
	CLI_SIGNATURE_COMPILERS,
	CLI_SIGNATURE_KNOWN,
	CLI_SIGNATURE_PROGRAM, /* of the smallest case, as all up to the finding */
	CLI_SIGNATURE_ORIGIN,
	CLI_SIGNATURE_SIZE,
	CLI_SIGNATURE_COMPILER,
	CLI_SIGNATURE_LEVEL,
	CLI_SIGNATURE_FINDING,
	CLI_SIGNATURE_FIRST, /* origin of the first case */
};

/* Fills what is reported already: what xstep knows, and files of the user's. */
XS_MUST_CHECK struct xs_error *cli_campaign_known(
	const struct xs_strings *files, struct ora_known *ret);
/* All signatures. What is reported by now may not have been when the oracle was asked. */
XS_MUST_CHECK struct xs_error *cli_rows_signatures(struct ora_campaign_store *store,
	const struct ora_known *known, struct ora_campaign_answer *ret);
/* A signature as an object, with its smallest case in one of its own. */
json_t *cli_rows_signature(const struct ora_campaign_answer *all, size_t row);
/* Its two cases, with their reports. */
json_t *cli_rows_exemplars(const struct ora_campaign_answer *exemplars);

#endif
