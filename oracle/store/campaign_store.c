#include "oracle/store/campaign_store.h"

#include <inttypes.h>
#include <stdarg.h>
#include <sys/stat.h>

#include "base/map.h"
#include "oracle/store/campaign_db.h"

/* campaign_schema.sql, whole. */
extern const char ora_campaign_schema[];

static const struct ora_store_kind campaigns = {
	.name = "campaign",
	.schema = ora_campaign_schema,
	.application = 0x78737463,
	.format = 2,
	.older = 1,
	.added = "cause",
};

struct xs_error *ora_campaign_store_open(
	const char *path, bool write, struct ora_campaign_store **ret)
{
	XS_AUTO(ora_campaign_store) store = xs_calloc(1, sizeof *store);
	struct xs_error *err = ora_store_open_kind(
		path, write ? ORA_STORE_WRITE : ORA_STORE_READ, &campaigns, &store->file);
	if (!err)
		*ret = xs_take(&store);
	return err;
}

void ora_campaign_store_destroy(struct ora_campaign_store *store)
{
	if (!store)
		return;
	ora_store_destroy(store->file);
	free(store);
}

void ora_campaign_id(char ret[ORA_CAMPAIGN_ID], ...)
{
	uint64_t hash = 0xcbf29ce484222325;
	va_list texts;
	va_start(texts, ret);
	for (const char *text; (text = va_arg(texts, const char *));)
		hash = xs_mix(xs_hash_text(hash, text));
	va_end(texts);
	snprintf(ret, ORA_CAMPAIGN_ID, "%012" PRIx64, hash & 0xffffffffffff);
}

/* --- what is passed --------------------------------------------------------------------------- */

void ora_campaign_job_deinit(struct ora_campaign_job *job)
{
	for (size_t i = 0; i < job->findings.len; i++) {
		struct ora_campaign_finding *one = &job->findings.data[i];
		char *const texts[] = {one->id, one->signature, one->basis, one->wrong, one->known,
			one->function, one->variable, one->report};
		for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
			free(texts[k]);
	}
	for (size_t i = 0; i < job->figures.len; i++)
		free(job->figures.data[i].name);
	xs_vec_deinit(&job->findings);
	xs_vec_deinit(&job->figures);
	char *const texts[] = {job->program, job->oracle, job->origin, job->flags, job->compiler,
		job->level, job->outcome, job->detail};
	for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
		free(texts[k]);
	*job = (struct ora_campaign_job){0};
}

void ora_campaign_cause_deinit(struct ora_campaign_cause *cause)
{
	char *const texts[] = {cause->signature, cause->stage, cause->outcome, cause->reason,
		cause->file, cause->sameness, cause->culprit, cause->vector};
	for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
		free(texts[k]);
	*cause = (struct ora_campaign_cause){0};
}

uint64_t ora_campaign_fresh(const struct ora_campaign_job *job)
{
	uint64_t count = 0;
	for (size_t i = 0; i < job->findings.len; i++)
		count += job->findings.data[i].fresh;
	return count;
}

void ora_campaign_jobs_deinit(struct ora_campaign_jobs *jobs)
{
	for (size_t i = 0; i < jobs->vec.len; i++)
		ora_campaign_job_deinit(&jobs->vec.data[i]);
	xs_vec_deinit(&jobs->vec);
}

void ora_campaign_program_deinit(struct ora_campaign_program *program)
{
	for (size_t i = 0; i < program->builds.len; i++) {
		struct ora_campaign_build *one = &program->builds.data[i];
		char *const texts[] = {
			one->compiler, one->level, one->outcome, one->detail, one->hash};
		for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
			free(texts[k]);
	}
	for (size_t i = 0; i < program->jobs.len; i++)
		ora_campaign_job_deinit(&program->jobs.data[i]);
	xs_vec_deinit(&program->builds);
	xs_vec_deinit(&program->jobs);
	char *const texts[] = {program->id, program->origin, program->rank, program->flags,
		program->hash, program->reason, program->detail};
	for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
		free(texts[k]);
	*program = (struct ora_campaign_program){0};
}

/* --- statements ------------------------------------------------------------------------------- */

/* Runs a statement that gives no rows, with what is to be filled in, by `kinds`: t a text or NULL,
 * i a number, n one of which 0 is NULL, d a real one. */
static struct xs_error *run(struct ora_store *file, const char *sql, const char *kinds, ...)
{
	ORA_AUTO_STATEMENT statement = NULL;
	struct xs_error *err = ora_store_prepare(file, sql, &statement);
	if (err)
		return err;
	va_list values;
	va_start(values, kinds);
	for (int i = 0; kinds[i]; i++) {
		const char *text = kinds[i] == 't' ? va_arg(values, const char *) : NULL;
		int64_t number = kinds[i] == 'i' || kinds[i] == 'n' ? va_arg(values, int64_t) : 0;
		if (kinds[i] == 't')
			sqlite3_bind_text(statement, i + 1, text, -1, SQLITE_STATIC);
		else if (kinds[i] == 'd')
			sqlite3_bind_double(statement, i + 1, va_arg(values, double));
		else if (kinds[i] == 'i' || number)
			sqlite3_bind_int64(statement, i + 1, number);
	}
	va_end(values);
	return sqlite3_step(statement) == SQLITE_DONE ? NULL : ora_store_error(file);
}

/* Ends a transaction: keeps it, or after an error none of it. */
static struct xs_error *conclude(struct ora_store *file, struct xs_error *err)
{
	if (!err)
		err = ora_store_run(file, "COMMIT");
	if (err && !sqlite3_get_autocommit(file->db))
		sqlite3_exec(file->db, "ROLLBACK", NULL, NULL, NULL);
	return err;
}

struct xs_error *ora_campaign_set_option(
	struct ora_campaign_store *store, const char *name, const char *value)
{
	return run(store->file, "INSERT OR REPLACE INTO option VALUES (?, ?)", "tt", name, value);
}

struct xs_error *ora_campaign_keep_cause(
	struct ora_campaign_store *store, const struct ora_campaign_cause *cause)
{
	return run(store->file,
		"INSERT INTO cause VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE "
		"SET (outcome, reason, file, lines, bytes, sameness, culprit, vector, seconds) = "
		"(excluded.outcome, excluded.reason, excluded.file, excluded.lines, "
		"excluded.bytes, excluded.sameness, excluded.culprit, excluded.vector, "
		"excluded.seconds + iif(stage = 'reduce', seconds, 0)) WHERE outcome <> 'done'",
		"tttttnntttd", cause->signature, cause->stage, cause->outcome, cause->reason,
		cause->file, (int64_t)cause->lines, (int64_t)cause->bytes, cause->sameness,
		cause->culprit, cause->vector, cause->seconds);
}

/* --- a job that is done ----------------------------------------------------------------------- */

/* Of the exemplar that there is and the findings of a job, the better one. */
#define CHOOSE(which, order)                                                                       \
	"INSERT OR REPLACE INTO exemplar SELECT ?1, '" which "', job, id FROM (SELECT f.job, "     \
	"f.id AS id, " order ", p.rank, j.compiler, j.level FROM finding AS f JOIN job AS j ON "   \
	"j.id = f.job JOIN program AS p ON p.id = j.program WHERE f.signature = ?1 AND f.job IN "  \
	"(?2, (SELECT job FROM exemplar WHERE signature = ?1 AND which = '" which                  \
	"')) ORDER BY 3, 4, 5, 6, 2 LIMIT 1)"

static struct xs_error *choose_exemplars(struct ora_store *file, const struct ora_campaign_job *job,
	const struct ora_campaign_finding *one)
{
	char signature[ORA_CAMPAIGN_ID];
	ora_campaign_id(signature, job->oracle, one->signature, NULL);
	struct xs_error *err = run(file, CHOOSE("first", "0"), "ti", signature, job->id);
	return err ? err : run(file, CHOOSE("smallest", "p.size"), "ti", signature, job->id);
}

static struct xs_error *add_finding(struct ora_store *file, const struct ora_campaign_job *job,
	struct ora_campaign_finding *one)
{
	char signature[ORA_CAMPAIGN_ID];
	struct xs_error *err;
	ora_campaign_id(signature, job->oracle, one->signature, NULL);
	if ((err = run(file, "INSERT OR IGNORE INTO signature VALUES (?, ?, ?)", "ttt", signature,
		     job->oracle, one->signature)))
		return err;
	one->fresh = sqlite3_changes64(file->db) > 0;
	return run(file, "INSERT OR IGNORE INTO finding VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		"ittttttntt", job->id, one->id, signature, one->basis, one->wrong, one->known,
		one->function, (int64_t)one->line, one->variable, one->report);
}

/* Within a transaction. */
static struct xs_error *finish(struct ora_store *file, struct ora_campaign_job *job)
{
	struct xs_error *err = run(file,
		"UPDATE job SET outcome = ?, detail = ?, seconds = ? WHERE id = ? AND outcome IS "
		"NULL",
		"ttdi", job->outcome, job->detail, job->seconds, job->id);
	if (err || !sqlite3_changes64(file->db))
		return err; /* rule 3 */
	for (size_t i = 0; !err && i < job->findings.len; i++)
		err = add_finding(file, job, &job->findings.data[i]);
	/* One of each signature has its report. */
	for (size_t i = 0; !err && i < job->findings.len; i++)
		if (job->findings.data[i].report)
			err = choose_exemplars(file, job, &job->findings.data[i]);
	for (size_t i = 0; !err && i < job->figures.len; i++)
		err = run(file, "INSERT OR IGNORE INTO figure VALUES (?, ?, ?)", "itd", job->id,
			job->figures.data[i].name, job->figures.data[i].value);
	return err;
}

struct xs_error *ora_campaign_finish_job(
	struct ora_campaign_store *store, struct ora_campaign_job *job)
{
	struct xs_error *err = ora_store_run(store->file, "BEGIN IMMEDIATE");
	return err ? err : conclude(store->file, finish(store->file, job));
}

/* --- a program -------------------------------------------------------------------------------- */

static struct xs_error *add_job(
	struct ora_store *file, const char *program, struct ora_campaign_job *job)
{
	struct xs_error *err =
		run(file, "INSERT INTO job (program, oracle, compiler, level) VALUES (?, ?, ?, ?)",
			"tttt", program, job->oracle, job->compiler, job->level);
	job->id = sqlite3_last_insert_rowid(file->db);
	return err || !job->outcome ? err : finish(file, job);
}

static struct xs_error *add_program(struct ora_store *file, struct ora_campaign_program *program)
{
	struct xs_error *err =
		run(file, "INSERT OR IGNORE INTO program VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			"tttttnnttd", program->id, program->origin, program->rank, program->flags,
			program->hash, (int64_t)program->size, (int64_t)program->steps,
			program->reason, program->detail, program->seconds);
	if (err || !sqlite3_changes64(file->db))
		return err;
	for (size_t i = 0; !err && i < program->builds.len; i++) {
		const struct ora_campaign_build *one = &program->builds.data[i];
		err = run(file, "INSERT INTO build VALUES (?, ?, ?, ?, ?, ?, ?, ?)", "ttttttnd",
			program->id, one->compiler, one->level, one->outcome, one->detail,
			one->hash, (int64_t)one->size, one->seconds);
	}
	for (size_t i = 0; !err && i < program->jobs.len; i++)
		err = add_job(file, program->id, &program->jobs.data[i]);
	return err;
}

struct xs_error *ora_campaign_add_program(
	struct ora_campaign_store *store, struct ora_campaign_program *program)
{
	struct xs_error *err = ora_store_run(store->file, "BEGIN IMMEDIATE");
	return err ? err : conclude(store->file, add_program(store->file, program));
}

/* --- merging ---------------------------------------------------------------------------------- */

#define ALL_EXEMPLARS(which, order)                                                                \
	"INSERT INTO exemplar SELECT signature, '" which "', job, id FROM (SELECT f.signature, "   \
	"f.job, f.id, row_number() OVER (PARTITION BY f.signature ORDER BY " order                 \
	"p.rank, j.compiler, j.level, f.id) AS place FROM finding AS f JOIN job AS j ON j.id = "   \
	"f.job JOIN program AS p ON p.id = j.program) WHERE place = 1"

static const char *const merge_steps[] = {
	"INSERT OR IGNORE INTO program SELECT * FROM other.program",
	/* What was left out here and is kept there, for there was more time, is kept: with its
	 * builds, and below with its jobs. */
	"CREATE TEMP TABLE regained AS SELECT o.id FROM other.program AS o JOIN main.program AS m "
	"USING (id) WHERE o.reason IS NULL AND m.reason IS NOT NULL",
	"INSERT OR REPLACE INTO build SELECT * FROM other.build WHERE program IN (SELECT id FROM "
	"regained)",
	"UPDATE program SET (steps, reason, detail, seconds) = (SELECT o.steps, NULL, NULL, "
	"o.seconds FROM other.program AS o WHERE o.id = program.id) WHERE id IN (SELECT id FROM "
	"regained)",
	"DROP TABLE regained",
	"INSERT OR IGNORE INTO build SELECT * FROM other.build",
	"INSERT OR IGNORE INTO job (program, oracle, compiler, level) SELECT program, oracle, "
	"compiler, level FROM other.job ORDER BY id",
	"CREATE TEMP TABLE taken AS SELECT o.id AS there, m.id AS here FROM other.job AS o JOIN "
	"main.job AS m USING (program, oracle, compiler, level) WHERE o.outcome IS NOT NULL AND "
	"m.outcome IS NULL",
	"UPDATE job SET (outcome, detail, seconds) = (SELECT o.outcome, o.detail, o.seconds FROM "
	"other.job AS o JOIN taken ON taken.there = o.id WHERE taken.here = job.id) WHERE id IN "
	"(SELECT here FROM taken)",
	"INSERT OR IGNORE INTO signature SELECT * FROM other.signature",
	"INSERT INTO finding SELECT here, id, signature, basis, wrong, known, function, line, "
	"variable, report FROM other.finding JOIN taken ON there = job",
	"INSERT INTO figure SELECT here, name, value FROM other.figure JOIN taken ON there = job",
	"DROP TABLE taken",
};

/* What is done in one is done in both. */
static const char merge_causes[] =
	"INSERT OR REPLACE INTO cause SELECT * FROM other.cause AS o WHERE NOT EXISTS (SELECT 1 "
	"FROM main.cause AS m WHERE m.signature = o.signature AND m.stage = o.stage AND (m.outcome "
	"= 'done' OR o.outcome <> 'done'))";

static const char *const exemplar_steps[] = {
	"DELETE FROM exemplar",
	ALL_EXEMPLARS("first", ""),
	ALL_EXEMPLARS("smallest", "p.size, "),
};

static struct xs_error *choose_all(struct ora_store *file)
{
	struct xs_error *err = NULL;
	for (size_t i = 0; !err && i < sizeof exemplar_steps / sizeof *exemplar_steps; i++)
		err = run(file, exemplar_steps[i], "");
	return err;
}

/* Everything of the attached file, at once or not at all. */
static struct xs_error *add_all(struct ora_store *file, bool more)
{
	int64_t torn, format = 0;
	struct xs_error *err = ora_store_run(file, "BEGIN IMMEDIATE");
	if (err)
		return err;
	err = ora_store_number(file,
		"SELECT count(*) FROM other.program AS o JOIN main.program AS m USING (origin) "
		"WHERE "
		"o.id <> m.id",
		&torn);
	if (!err && torn)
		err = xs_error_create("%" PRId64
				      " of its programs have another text under the same "
				      "name: it is another campaign",
			torn);
	for (size_t i = 0; !err && i < sizeof merge_steps / sizeof *merge_steps; i++)
		err = run(file, merge_steps[i], "");
	if (!err && !(err = ora_store_number(file, "PRAGMA other.user_version", &format)) &&
		format == file->kind->format)
		err = run(file, merge_causes, "");
	if (!err && !more)
		err = choose_all(file);
	return conclude(file, err);
}

/* more: exemplars are chosen later. */
static struct xs_error *merge(struct ora_campaign_store *store, const char *from, bool more)
{
	struct ora_store *file = store->file;
	XS_AUTO(ora_campaign_store) other = NULL;
	XS_AUTO_FREE char *name = ora_store_file_name(from);
	struct stat here, there;
	struct xs_error *err;
	if (!stat(file->path, &here) && !stat(from, &there) && here.st_dev == there.st_dev &&
		here.st_ino == there.st_ino)
		return xs_error_create("%s: cannot be merged into itself", from);
	/* That it is a campaign of this format, before anything of it is read. */
	if ((err = ora_campaign_store_open(from, false, &other)) ||
		(err = run(file, "ATTACH ? AS other", "t", name)))
		return err;
	uint64_t size = file->size;
	file->bounded = true;
	if (!(err = ora_store_guard_size(file, "other")) &&
		!(err = ora_store_guard_tables(file, "other")))
		err = add_all(file, more);
	file->bounded = false;
	file->size = size;
	sqlite3_exec(file->db, "DETACH other", NULL, NULL, NULL);
	return xs_error_context(err, "%s", from);
}

struct xs_error *ora_campaign_merge(struct ora_campaign_store *store, const char *from)
{
	return merge(store, from, false);
}

struct xs_error *ora_campaign_merge_part(struct ora_campaign_store *store, const char *from)
{
	return merge(store, from, true);
}

struct xs_error *ora_campaign_merged(struct ora_campaign_store *store)
{
	struct xs_error *err = ora_store_run(store->file, "BEGIN IMMEDIATE");
	return err ? err : conclude(store->file, choose_all(store->file));
}
