/* shards.h - a campaign that is cut into shards: parts that tasks of a cluster do, each by itself.
 *
 * DIR/shards/plan.json says what the campaign is about. DIR/shards/NUMBER-DIGEST.shard is what came
 * of a shard (shard_pack.h). DIR may be on a share: all files in it are placed as placing.h says,
 * and no database in it is ever written to. What is merged is DIR/campaign.db, as of any campaign.
 *
 * Rules:
 * 1. The programs of a shard are `size` that follow each other, of all seeds or of all files; the
 *    last ones of both may have fewer. More seeds behind the others make more shards, and leave
 *    those that are full what they are. Mutants are in the shard of their program.
 * 2. A digest is of everything that decides about the results: options, versions of compilers and
 *    debuggers, programs. So a shard is done if its file is there, whoever did it, and when.
 * 3. Shards are numbered from 1. */
#ifndef ORA_SHARDS_H
#define ORA_SHARDS_H

#include "oracle/campaign/campaign.h"

struct ora_shards {
	char *folder;                       /* DIR, its full path */
	struct ora_settings settings;       /* of the whole campaign */
	XS_VEC(struct ora_plan_tool) tools; /* compilers and debuggers, when it was planned */
	struct xs_ranges seeds;             /* of the programs to be generated */
	struct ora_ccmd_words sources;      /* files, as ora_plan has them */
	uint64_t size;                      /* programs of a shard */
	char *sbatch;                       /* more options for sbatch, by blanks */
};

/* Whether a folder is a campaign that is cut into shards. */
bool ora_shards_exist(const char *folder);
/* Reads the plan. */
XS_MUST_CHECK struct xs_error *ora_shards_open(const char *folder, struct ora_shards *ret);
/* Puts the plan into its folder. */
XS_MUST_CHECK struct xs_error *ora_shards_save(const struct ora_shards *shards);
void ora_shards_deinit(struct ora_shards *shards);

/* How many programs there are, without mutants; and how many shards. */
uint64_t ora_shards_programs(const struct ora_shards *shards);
uint64_t ora_shards_count(const struct ora_shards *shards);
/* The programs of one; both are empty before, and to be let go of. */
void ora_shards_take(const struct ora_shards *shards, uint64_t number, struct xs_ranges *seeds,
	struct ora_ccmd_words *sources);
/* Its name, NUMBER-DIGEST, and the path of its file; to be freed. */
char *ora_shards_name(const struct ora_shards *shards, uint64_t number);
char *ora_shards_path(const struct ora_shards *shards, uint64_t number);
bool ora_shards_is_done(const struct ora_shards *shards, uint64_t number);

/* Which are done. */
struct ora_shards_state {
	XS_VEC(uint64_t) done, missing; /* numbers, ascending */
	XS_VEC(char *) foreign;         /* files in DIR/shards that are none of this plan */
	char digest[ORA_CAMPAIGN_ID];   /* of the names of those that are done */
	bool merged;                    /* just these are in DIR/campaign.db */
};
XS_MUST_CHECK struct xs_error *ora_shards_look(
	const struct ora_shards *shards, struct ora_shards_state *ret);
void ora_shards_state_deinit(struct ora_shards_state *state);

/* --- planning --------------------------------------------------------------------------------- */

/* How a campaign is to be cut. */
struct ora_cut {
	uint64_t shards;    /* at most so many; 0: by time */
	uint64_t minutes;   /* that one is to take, about; 0: 30 */
	const char *sbatch; /* NULL: as before */
};

/* Plans a campaign, or goes on with one: the folder is made if need be, `given` (which is taken)
 * must agree with what is kept in it. *minutes: that a shard is expected to take. */
XS_MUST_CHECK struct xs_error *ora_shards_plan(const char *folder, struct ora_settings *given,
	const struct ora_cut *cut, struct ora_shards *ret, double *minutes);

/* --- doing ------------------------------------------------------------------------------------ */

/* One shard is done. */
struct ora_shard_task {
	/* Set by the caller. */
	const struct ora_shards *shards;
	uint64_t number;
	uint64_t jobs; /* workers; 0: as the plan says */
	void (*on_event)(void *context, const struct ora_campaign_event *event);
	void *context;

	/* What came of it. */
	bool before;                 /* it was done already */
	int signal;                  /* that ended it early; 0: none */
	uint64_t programs, findings; /* in it, mutants included */
	double seconds;              /* of work */
};
/* Works in TMPDIR, on this machine. The file is there when it is done, and not before. */
XS_MUST_CHECK struct xs_error *ora_shard_do(struct ora_shard_task *task);

/* Puts all shards that are done into DIR/campaign.db, programs and signatures. *bad: how many could
 * not be: on_problem is told about each, and about files that are no shards. */
XS_MUST_CHECK struct xs_error *ora_shards_merge(const struct ora_shards *shards,
	void (*on_problem)(void *context, const char *problem), void *context, uint64_t *bad);

#endif
