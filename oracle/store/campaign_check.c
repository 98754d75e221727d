/* campaign_check.c - the invariants of campaign_schema.sql, executed. */
#include "oracle/store/campaign_db.h"
#include "oracle/store/campaign_store.h"

/* Each counts what is wrong. 2 is seen to when a file is opened, 3 is a rule for writers. */
static const struct {
	int number; /* of the invariant; 0: that nothing is left to be done */
	const char *what, *sql;
} queries[] = {
	{1, "pages are damaged",
		"SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"},
	{1, "references lead nowhere", "SELECT count(*) FROM pragma_foreign_key_check"},
	{4, "jobs that are to be done have findings",
		"SELECT count(*) FROM finding JOIN job ON job.id = job WHERE outcome IS NULL"},
	{4, "jobs that are to be done have figures",
		"SELECT count(*) FROM figure JOIN job ON job.id = job WHERE outcome IS NULL"},
	{5, "programs that were left out have jobs",
		"SELECT count(*) FROM job JOIN program AS p ON p.id = program WHERE reason IS NOT "
		"NULL AND (oracle <> 'build' OR outcome IS NULL)"},
	{6, "signatures have not two exemplars each",
		"SELECT count(*) FROM (SELECT DISTINCT signature FROM finding) AS f WHERE (SELECT "
		"count(*) FROM exemplar WHERE signature = f.signature) <> 2"},
	{7, "causes have another signature's file, or none",
		"SELECT count(*) FROM cause WHERE (file IS NULL) <> (lines IS NULL OR bytes IS "
		"NULL) OR (file IS NULL AND stage = 'reduce' AND outcome = 'done') OR (file IS NOT "
		"NULL AND (stage <> 'reduce' OR file NOT IN ('signatures/' || signature || "
		"'/reduced.c', 'signatures/' || signature || '/reduced.c.reduce/small.c')))"},
	{0, "jobs are still to be done", "SELECT count(*) FROM job WHERE outcome IS NULL"},
};

struct xs_error *ora_campaign_check(struct ora_campaign_store *store, bool complete)
{
	struct ora_store *file = store->file;
	for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
		int64_t wrong = 0;
		if (!queries[i].number && !complete)
			continue;
		ora_store_allow(file);
		struct xs_error *err = ora_store_number(file, queries[i].sql, &wrong);
		if (err)
			return err;
		if (wrong && queries[i].number)
			return xs_error_corrupt("%s: damaged: %s (invariant %d, %" PRId64 " times)",
				file->path, queries[i].what, queries[i].number, wrong);
		if (wrong)
			return xs_error_corrupt("%s: not complete: %" PRId64 " %s", file->path,
				wrong, queries[i].what);
	}
	return NULL;
}
