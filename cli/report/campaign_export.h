/* campaign_export.h - a campaign to take away: one JSON object, tables for spreadsheets, tables
 * to be read, or a page to look at.
 *
 * Rules:
 * 1. What is written is whole, or it is not there: files are made by a rename.
 * 2. Rows are in the order of content. Two campaigns of the same results differ in seconds only.
 * 3. Texts of others act nowhere: not in a table of Markdown, not in a spreadsheet. */
#ifndef CLI_CAMPAIGN_EXPORT_H
#define CLI_CAMPAIGN_EXPORT_H

#include "oracle/judge/known.h"
#include "oracle/store/campaign_store.h"

/* In the order of `json|csv|markdown|html`. */
enum cli_export_format {
	CLI_EXPORT_JSON,
	CLI_EXPORT_CSV,
	CLI_EXPORT_MARKDOWN,
	CLI_EXPORT_HTML,
};

/* Campaigns to be exported. */
struct cli_export {
	struct ora_campaign_store *store; /* the one that it is about */
	const char *folder;               /* of that */
	const struct ora_known *known;    /* what is reported already */
	/* HTML: older ones, the oldest first. */
	struct ora_campaign_store *const *older;
	const char *const *older_folders;
	size_t older_count;
};

/* to: a file, for CSV a folder, which is made if need be; NULL: standard output, but for CSV. */
XS_MUST_CHECK struct xs_error *cli_campaign_export(
	const struct cli_export *export, enum cli_export_format format, const char *to);

#endif
